//! Transactions of a wallet other than the faucet.

use bitcoin::{
    Address, Amount, CompressedPublicKey, EcdsaSighashType, OutPoint, ScriptBuf, Sequence,
    Transaction, TxIn, TxOut, Witness,
    absolute::LockTime,
    ecdsa::Signature,
    hashes::Hash,
    key::PrivateKey,
    secp256k1::{Message, Secp256k1, SecretKey},
    sighash::SighashCache,
    transaction::Version,
};
use local::wallets::NETWORK;

/// A key and its P2WPKH address.
pub(crate) struct Somebody {
    secret: SecretKey,
    public: CompressedPublicKey,
}

impl Somebody {
    pub(crate) fn new(number: u8) -> Self {
        let secret = SecretKey::from_slice(&[number; 32]).unwrap();
        let key = PrivateKey::new(secret, NETWORK);
        let public = CompressedPublicKey::from_private_key(&Secp256k1::new(), &key).unwrap();
        Self { secret, public }
    }

    pub(crate) fn address(&self) -> Address {
        Address::p2wpkh(&self.public, NETWORK)
    }

    /// Spends one output of this address, worth `held` sats, to another address.
    pub(crate) fn spend(&self, coin: OutPoint, held: u64, fee: u64, to: &Address) -> Transaction {
        self.signed(coin, held, fee, to, false)
    }

    /// The same with a high S: valid, but nodes do not relay it.
    pub(crate) fn spend_by_high_s(
        &self,
        coin: OutPoint,
        held: u64,
        fee: u64,
        to: &Address,
    ) -> Transaction {
        self.signed(coin, held, fee, to, true)
    }

    fn signed(
        &self,
        coin: OutPoint,
        held: u64,
        fee: u64,
        to: &Address,
        high_s: bool,
    ) -> Transaction {
        let mut transaction = Transaction {
            version: Version::TWO,
            lock_time: LockTime::ZERO,
            input: vec![TxIn {
                previous_output: coin,
                script_sig: ScriptBuf::new(),
                sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
                witness: Witness::new(),
            }],
            output: vec![TxOut {
                value: Amount::from_sat(held - fee),
                script_pubkey: to.script_pubkey(),
            }],
        };
        let sighash = SighashCache::new(&transaction)
            .p2wpkh_signature_hash(
                0,
                &self.address().script_pubkey(),
                Amount::from_sat(held),
                EcdsaSighashType::All,
            )
            .unwrap();
        let message = Message::from_digest(sighash.to_byte_array());
        let mut signature = Secp256k1::new().sign_ecdsa(&message, &self.secret);
        if high_s {
            let mut compact = signature.serialize_compact();
            let s = SecretKey::from_slice(&compact[32..]).unwrap().negate();
            compact[32..].copy_from_slice(&s.secret_bytes());
            signature = bitcoin::secp256k1::ecdsa::Signature::from_compact(&compact).unwrap();
        }
        let signature = Signature { signature, sighash_type: EcdsaSighashType::All };
        transaction.input[0].witness = Witness::p2wpkh(&signature, &self.public.0);
        transaction
    }
}
