//! Keys of the local world, each derived from a name, and the transactions that they pay for.

use bitcoin::{
    Address, Amount, OutPoint, ScriptBuf, Sequence, TapLeafHash, TapSighashType, Transaction, TxIn,
    TxOut, Witness, XOnlyPublicKey,
    absolute::LockTime,
    hashes::Hash,
    key::{Keypair, TapTweak},
    secp256k1::{Message, Secp256k1, SecretKey},
    sighash::{Prevouts, SighashCache},
    taproot::{LeafVersion, TaprootBuilder, TaprootSpendInfo},
    transaction::Version,
};
use bitcoin_model::chain::Coin;
use sha2::{Digest, Sha256};

use super::error::WorldError;
use crate::base::{
    failure::{Context, Failure, Result},
    names::NETWORK,
};

/// Fee rate of the local world's transactions, in sat/vB.
const FEE_RATE: u64 = 2;
/// Satoshis in an output with inscriptions or runes.
pub const POSTAGE: Amount = Amount::from_sat(10_000);
/// Maximum number of inputs per transaction.
const MOST_INPUTS: usize = 500;
/// Length of a Schnorr signature in bytes.
const SIGNATURE: usize = 64;

/// A key, and the coins of its Taproot address (BIP-86).
#[derive(Clone)]
pub struct Purse {
    keypair: Keypair,
    address: Address,
    script: ScriptBuf,
}

impl std::fmt::Debug for Purse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Purse({})", self.address)
    }
}

/// A script that a commitment reveals; [`Purse::reveal`] spends it.
#[derive(Clone, Debug)]
pub struct Leaf {
    script: ScriptBuf,
    spend_info: TaprootSpendInfo,
}

impl Purse {
    /// The purse of a name, always with the same key.
    ///
    /// # Errors
    /// The hash of the name is not a valid key, which happens for one in 2^128.
    pub fn new(name: &str) -> Result<Self> {
        let secp = Secp256k1::new();
        let secret: [u8; 32] = Sha256::digest(format!("runeport local purse {name}")).into();
        let keypair = SecretKey::from_slice(&secret).context("purse")?.keypair(&secp);
        let address = Address::p2tr(&secp, keypair.x_only_public_key().0, None, NETWORK);
        Ok(Self { keypair, script: address.script_pubkey(), address })
    }

    /// Its address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The script of its address.
    pub fn script(&self) -> &ScriptBuf {
        &self.script
    }

    fn key(&self) -> XOnlyPublicKey {
        self.keypair.x_only_public_key().0
    }

    /// A script that only this key can spend, around `content`: the envelope of inscriptions and rune names,
    /// which is never executed.
    ///
    /// # Errors
    /// The script is too long.
    pub fn leaf(&self, content: &[Vec<u8>]) -> Result<Leaf> {
        let mut builder = ScriptBuf::builder()
            .push_opcode(bitcoin::opcodes::OP_FALSE)
            .push_opcode(bitcoin::opcodes::all::OP_IF);
        for push in content {
            builder = builder.push_slice(
                bitcoin::script::PushBytesBuf::try_from(push.clone()).context("envelope")?,
            );
        }
        self.leaf_of(&builder.push_opcode(bitcoin::opcodes::all::OP_ENDIF).into_script())
    }

    /// A script that only this key can spend, followed by `rest`.
    ///
    /// # Errors
    /// The script is too long.
    pub fn leaf_of(&self, rest: &ScriptBuf) -> Result<Leaf> {
        let script = ScriptBuf::builder()
            .push_slice(self.key().serialize())
            .push_opcode(bitcoin::opcodes::all::OP_CHECKSIG)
            .into_script();
        let script = ScriptBuf::from_bytes([script.as_bytes(), rest.as_bytes()].concat());
        let spend_info = TaprootBuilder::new()
            .add_leaf(0, script.clone())
            .context("envelope")?
            .finalize(&Secp256k1::new(), self.key())
            .map_err(|_| Failure::new("envelope"))?;
        Ok(Leaf { script, spend_info })
    }

    /// The output that commits to a leaf, with enough value to pay for its reveal.
    ///
    /// # Errors
    /// The sum overflows.
    pub fn commitment(&self, leaf: &Leaf, reveal: Vec<TxOut>) -> Result<TxOut> {
        let script_pubkey = ScriptBuf::new_p2tr_tweaked(leaf.spend_info.output_key());
        let paid = total(reveal.iter().map(|output| output.value))?;
        let mut draft = draft([OutPoint::null()], reveal);
        fill(&mut draft, &reveal_witness(leaf, &[0; SIGNATURE])?);
        let value = paid.checked_add(fee(&draft)?).context("too much")?;
        Ok(TxOut { value, script_pubkey })
    }

    /// The transaction that spends a commitment and reveals its leaf.
    ///
    /// # Errors
    /// Signing fails.
    pub fn reveal(
        &self,
        leaf: &Leaf,
        outpoint: OutPoint,
        commitment: &TxOut,
        outputs: Vec<TxOut>,
    ) -> Result<Transaction> {
        let mut transaction = draft([outpoint], outputs);
        let hash = TapLeafHash::from_script(&leaf.script, LeafVersion::TapScript);
        let sighash = SighashCache::new(&transaction)
            .taproot_script_spend_signature_hash(
                0,
                &Prevouts::All(&[commitment]),
                hash,
                TapSighashType::Default,
            )
            .context("reveal")?;
        let message = Message::from_digest(sighash.to_byte_array());
        let signature = Secp256k1::new().sign_schnorr_no_aux_rand(&message, &self.keypair);
        fill(&mut transaction, &reveal_witness(leaf, &signature.serialize())?);
        Ok(transaction)
    }

    fn sign(&self, sighash: Message) -> Witness {
        let secp = Secp256k1::new();
        let tweaked = self.keypair.tap_tweak(&secp, None).to_keypair();
        let signature = secp.sign_schnorr_no_aux_rand(&sighash, &tweaked);
        Witness::from_slice(&[signature.serialize()])
    }
}

fn reveal_witness(leaf: &Leaf, signature: &[u8]) -> Result<Witness> {
    let path = (leaf.script.clone(), LeafVersion::TapScript);
    let control = leaf.spend_info.control_block(&path).context("reveal")?;
    Ok(Witness::from_slice(&[signature, leaf.script.as_bytes(), control.serialize().as_slice()]))
}

fn fill(transaction: &mut Transaction, witness: &Witness) {
    for input in &mut transaction.input {
        input.witness = witness.clone();
    }
}

fn draft(inputs: impl IntoIterator<Item = OutPoint>, output: Vec<TxOut>) -> Transaction {
    let input = |previous_output| TxIn {
        previous_output,
        script_sig: ScriptBuf::new(),
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        witness: Witness::new(),
    };
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: inputs.into_iter().map(input).collect(),
        output,
    }
}

/// The fee of a transaction, including its witnesses.
fn fee(transaction: &Transaction) -> Result<Amount> {
    let size = u64::try_from(transaction.vsize()).context("fee")?;
    size.checked_mul(FEE_RATE).map(Amount::from_sat).context("fee")
}

fn total(amounts: impl Iterator<Item = Amount>) -> Result<Amount> {
    let mut sum = Amount::ZERO;
    for amount in amounts {
        sum = sum.checked_add(amount).context("too much")?;
    }
    Ok(sum)
}

/// A transaction with these outputs. It spends all of `given`, and as many coins of `purse` as it needs,
/// confirmed ones first. The change returns to the purse as the last output.
///
/// # Errors
/// The purse has too little.
pub fn pay(
    purse: &Purse,
    mut available: Vec<Coin>,
    given: &[(Coin, &Purse)],
    outputs: Vec<TxOut>,
) -> Result<Transaction, WorldError> {
    available.retain(|coin| coin.is_mature);
    available.sort_by_key(|coin| {
        (coin.height.is_none(), std::cmp::Reverse(coin.output.value), coin.outpoint)
    });
    let mut spent: Vec<(Coin, &Purse)> = given.to_vec();
    let mut available = available.into_iter();
    let needed = total(outputs.iter().map(|output| output.value))?;
    let change = TxOut { value: Amount::ZERO, script_pubkey: purse.script.clone() };
    let unsigned = Witness::from_slice(&[[0; SIGNATURE]]);
    loop {
        let outputs = outputs.iter().cloned().chain([change.clone()]).collect();
        let mut transaction = draft(spent.iter().map(|(coin, _)| coin.outpoint), outputs);
        fill(&mut transaction, &unsigned);
        let cost = needed.checked_add(fee(&transaction)?).context("too much")?;
        let held = total(spent.iter().map(|(coin, _)| coin.output.value))?;
        let left = held.checked_sub(cost);
        match (left, transaction.output.last_mut()) {
            (Some(left), Some(last)) if left >= change.script_pubkey.minimal_non_dust() => {
                last.value = left;
                return Ok(sign(transaction, &spent)?);
            }
            _ => {
                let coin = available.next().filter(|_| spent.len() < MOST_INPUTS).ok_or_else(|| {
                    WorldError::Wrong(format!(
                        "the faucet pays at most {} sats per transaction: ask for less, or mine more blocks",
                        held.to_sat()
                    ))
                })?;
                spent.push((coin, purse));
            }
        }
    }
}

fn sign(mut transaction: Transaction, spent: &[(Coin, &Purse)]) -> Result<Transaction> {
    let prevouts: Vec<&TxOut> = spent.iter().map(|(coin, _)| &coin.output).collect();
    let mut witnesses = Vec::with_capacity(spent.len());
    let mut cache = SighashCache::new(&transaction);
    for (index, (_, purse)) in spent.iter().enumerate() {
        let sighash = cache
            .taproot_key_spend_signature_hash(
                index,
                &Prevouts::All(&prevouts),
                TapSighashType::Default,
            )
            .context("signature")?;
        witnesses.push(purse.sign(Message::from_digest(sighash.to_byte_array())));
    }
    for (input, witness) in transaction.input.iter_mut().zip(witnesses) {
        input.witness = witness;
    }
    Ok(transaction)
}
