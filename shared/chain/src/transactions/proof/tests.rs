use base::clock::Timestamp;
use bitcoin::{
    Address, OutPoint, ScriptBuf, Sequence, TxIn, TxOut, Witness, absolute, transaction,
};
use shared::models::bitcoin::OutPoint as Coin;

use super::*;
use crate::{
    mints::{TakenBlocks, Tier},
    models::vm_transaction::{RefundState, VmState},
};

const NETWORK: Network = Network::Regtest;

fn wallet_script(byte: u8) -> ScriptBuf {
    ScriptBuf::from_bytes(vec![0x51, byte])
}

fn address_of(script: &ScriptBuf) -> String {
    Address::p2wsh(script, NETWORK).to_string()
}

fn treasury() -> ScriptBuf {
    Address::p2wsh(&ScriptBuf::from_bytes(vec![0x52]), NETWORK).script_pubkey()
}

fn coin(byte: u8) -> OutPoint {
    let txid = bitcoin::hashes::Hash::from_byte_array([byte; 32]);
    OutPoint { txid, vout: 3 }
}

fn input(previous_output: OutPoint, script: &ScriptBuf) -> TxIn {
    TxIn {
        previous_output,
        script_sig: ScriptBuf::new(),
        sequence: Sequence::ZERO,
        witness: Witness::from_slice(&[&[][..], script.as_bytes()]),
    }
}

/// The transaction that made the anchor, which is its fourth output.
fn parent() -> Transaction {
    let output = |byte| TxOut {
        value: Amount::from_sat(10_000),
        script_pubkey: wallet_script(byte).to_p2wsh(),
    };
    Transaction {
        version: transaction::Version::TWO,
        lock_time: absolute::LockTime::ZERO,
        input: Vec::new(),
        output: vec![output(9), output(9), output(9), output(1), output(3)],
    }
}

fn anchor() -> OutPoint {
    OutPoint { txid: parent().compute_txid(), vout: 3 }
}

/// A commitment of two requests at 600 sats, and its row.
fn batch() -> (VmTransaction, Transaction) {
    let own = wallet_script(1);
    let commitment = Transaction {
        version: transaction::Version::TWO,
        lock_time: absolute::LockTime::ZERO,
        input: vec![input(coin(8), &wallet_script(9)), input(anchor(), &own)],
        output: vec![
            TxOut { value: Amount::from_sat(5_000), script_pubkey: own.to_p2wsh() },
            TxOut { value: Amount::from_sat(1_200), script_pubkey: treasury() },
        ],
    };
    let txid = commitment.compute_txid();
    let row = VmTransaction {
        txid,
        version: 1,
        created_at: Timestamp(0),
        account_id: "018bcfe5-6800-7000-8000-000000000009".parse().unwrap(),
        mint_id: "018bcfe5-6800-7000-8000-000000000001".parse().unwrap(),
        rune_id: "840000:3".parse().unwrap(),
        user_address: address_of(&wallet_script(2)),
        trading_address: address_of(&own),
        anchor: Coin(anchor()),
        replaces: None,
        replaced_by: None,
        state: VmState::AllInMempool,
        tiers: vec![Tier { count: 2, sats_per_request: 600, in_blocks: 0 }],
        output: Coin(OutPoint { txid, vout: 1 }),
        blocks: TakenBlocks::default(),
        confirmation: None,
        is_final: false,
        settlement: None,
        refund_state: RefundState::None,
        refund_txid: None,
        refund_source: None,
        transfer: None,
        distribution: None,
        state_key: String::new(),
        state_at: String::new(),
        state_price: None,
        expires_at: None,
    };
    (row, commitment)
}

fn says(row: &VmTransaction, commitment: &Transaction) -> Option<&'static str> {
    contradiction(row, (&parent(), commitment), &treasury(), NETWORK)
}

const WALLET: Option<&str> = Some("another wallet has paid for a VM transaction");
const AMOUNT: Option<&str> = Some("a VM transaction has paid another amount");

#[test]
fn custody_33_a_row_agrees_with_its_commitment() {
    let (row, commitment) = batch();
    assert_eq!(says(&row, &commitment), None);
}

#[test]
fn custody_33_only_the_wallet_of_the_anchor_is_the_owner() {
    let (row, commitment) = batch();
    // The second wallet owns another input of the commitment, and the third none.
    for script in [wallet_script(9), wallet_script(3)] {
        let row = VmTransaction { trading_address: address_of(&script), ..row.clone() };
        assert_eq!(says(&row, &commitment), WALLET);
    }
    // An input that is not the anchor, an output of the same transaction that the commitment does not spend,
    // one that does not exist, and a coin of an unknown transaction.
    let beside = OutPoint { vout: 4, ..anchor() };
    for other in [coin(8), beside, OutPoint { vout: 9, ..anchor() }, coin(6)] {
        let script = wallet_script(if other == beside { 3 } else { 1 });
        let moved = VmTransaction {
            anchor: Coin(other),
            trading_address: address_of(&script),
            ..row.clone()
        };
        assert_eq!(says(&moved, &commitment), WALLET, "{other}");
    }
    let invalid = VmTransaction { trading_address: "bcrt1q".to_owned(), ..row };
    assert_eq!(says(&invalid, &commitment), WALLET);
}

/// A node may hand out any witness with a txid.
#[test]
fn custody_33_a_witness_proves_no_owner() {
    let (row, commitment) = batch();
    let mut forged = commitment.clone();
    for input in &mut forged.input {
        input.witness = Witness::from_slice(&[&[][..], wallet_script(3).as_bytes()]);
    }
    assert_eq!(forged.compute_txid(), commitment.compute_txid());
    let thief = VmTransaction { trading_address: address_of(&wallet_script(3)), ..row.clone() };
    assert_eq!(says(&thief, &forged), WALLET);
    assert_eq!(says(&row, &forged), None);
}

#[test]
fn custody_33_only_what_the_commitment_paid_the_treasury_counts() {
    let (row, commitment) = batch();
    let tier = |count, sats_per_request| Tier { count, sats_per_request, in_blocks: 0 };
    let more = VmTransaction { tiers: vec![tier(3, 600)], ..row.clone() };
    assert_eq!(says(&more, &commitment), AMOUNT);
    let change = VmTransaction {
        output: Coin(OutPoint { txid: row.txid, vout: 0 }),
        tiers: vec![tier(1, 5_000)],
        ..row.clone()
    };
    assert_eq!(says(&change, &commitment), AMOUNT);
    let missing =
        VmTransaction { output: Coin(OutPoint { txid: row.txid, vout: 2 }), ..row.clone() };
    assert_eq!(says(&missing, &commitment), AMOUNT);
    let foreign = VmTransaction { output: Coin(coin(1)), ..row.clone() };
    assert_eq!(says(&foreign, &commitment), AMOUNT);
}
