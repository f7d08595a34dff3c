use bitcoin::{
    Address, OutPoint, ScriptBuf, Sequence, TxIn, TxOut, Witness, absolute, transaction,
};
use shared::{clock::Timestamp, models::bitcoin::OutPoint as Coin};

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

/// A commitment of two requests at 600 sats, and its row.
fn batch() -> (VmTransaction, Transaction) {
    let own = wallet_script(1);
    let commitment = Transaction {
        version: transaction::Version::TWO,
        lock_time: absolute::LockTime::ZERO,
        input: vec![input(coin(8), &wallet_script(9)), input(coin(7), &own)],
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
        anchor: Coin(coin(7)),
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
    contradiction(row, commitment, &treasury(), NETWORK)
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
    let moved = VmTransaction { anchor: Coin(coin(8)), ..row.clone() };
    assert_eq!(says(&moved, &commitment), WALLET);
    let gone = VmTransaction { anchor: Coin(coin(6)), ..row.clone() };
    assert_eq!(says(&gone, &commitment), WALLET);
    let invalid = VmTransaction { trading_address: "bcrt1q".to_owned(), ..row.clone() };
    assert_eq!(says(&invalid, &commitment), WALLET);
    let mut unsigned = commitment.clone();
    for input in &mut unsigned.input {
        input.witness = Witness::new();
    }
    assert_eq!(says(&row, &unsigned), WALLET);
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
