//! Wallets for tests and seeds, each derived from a number, and sign-ins with them.

use alloy::primitives::{Address as EvmAddress, eip191_hash_message};
use base64::{Engine, prelude::BASE64_STANDARD};
use bip322::LockParams;
use bitcoin::{
    Address, CompressedPublicKey, EcdsaSighashType, NetworkKind, PrivateKey, Psbt, ecdsa,
    hashes::Hash as _,
    secp256k1::{Message, Secp256k1, SecretKey},
    sighash::SighashCache,
    sign_message::{MessageSignature, signed_msg_hash},
};
use ed25519_dalek::Signer;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shared::models::wallet::Chain;

pub use crate::base::names::NETWORK;
use crate::base::{
    client::{Answer, Client},
    failure::{Context, Result},
};

/// A Taproot address whose key is not a point of the curve (BIP 340, test vector 5): nobody can spend what it
/// receives.
pub const LOST: &str = "bcrt1pam775nxmvam4pfpqlm5q06k0y84e3x9w0xuhdpmxuna2qj3dfg6qfntxll";

/// The text that [`sign_in`] signs; the time follows it.
pub const MESSAGE: &str = "Sign in to Runeport: ";

/// Kind of a wallet: its address type and signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Bitcoin, native segwit, BIP-322 signatures.
    P2wpkh,
    /// Bitcoin, Taproot (BIP-86), BIP-322 signatures.
    P2tr,
    /// Bitcoin, legacy, legacy message signatures.
    P2pkh,
    /// Bitcoin, nested segwit, legacy message signatures.
    P2shP2wpkh,
    /// EVM, EIP-191 signatures.
    Evm,
    /// Solana, Ed25519 signatures.
    Solana,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::P2wpkh, Self::P2tr, Self::P2pkh, Self::P2shP2wpkh, Self::Evm, Self::Solana];
}

/// A form of signature other than that of [`Wallet::sign`], as some wallets of a kind use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// BIP-322, the whole transaction.
    Bip322Full,
    /// A signed Bitcoin message with this header, the first of four values (BIP-137).
    SignedMessage(u8),
    /// A Solana off-chain message, version 0: the signature alone.
    OffChain,
    /// A Solana off-chain message in an envelope, for an application of its own.
    OffChainEnvelope,
    /// An EVM signature with an authorization around it (ERC-8010).
    PreDelegated,
}

/// A wallet.
#[derive(Clone)]
pub struct Wallet {
    kind: Kind,
    secret: [u8; 32],
    address: String,
    public_key: String,
}

impl std::fmt::Debug for Wallet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.kind, self.address)
    }
}

impl Wallet {
    /// The wallet of a number, always with the same key.
    ///
    /// # Panics
    /// The hash is not a valid key, which happens for one number in 2^128.
    // For tests and seeds with known numbers.
    #[allow(clippy::expect_used)]
    pub fn new(kind: Kind, seed: u64) -> Self {
        let secret = Sha256::digest(format!("runeport local wallet {kind:?} {seed}")).into();
        Self::of(kind, secret).expect("a hash is a key")
    }

    /// A wallet of another kind with the same key.
    ///
    /// # Panics
    /// The key is not valid for the other kind.
    // For tests.
    #[allow(clippy::expect_used)]
    #[must_use]
    pub fn with_its_key(&self, kind: Kind) -> Self {
        Self::of(kind, self.secret).expect("a key of either")
    }

    fn of(kind: Kind, secret: [u8; 32]) -> Result<Self> {
        let (address, public_key) = match kind {
            Kind::Evm => {
                let key = k256::ecdsa::SigningKey::from_slice(&secret).context("key")?;
                let public = key.verifying_key().to_encoded_point(true);
                let address = EvmAddress::from_private_key(&key).to_checksum(None);
                (address, format!("0x{}", hex::encode(public.as_bytes())))
            }
            Kind::Solana => {
                let key = ed25519_dalek::SigningKey::from_bytes(&secret);
                let address = bs58::encode(key.verifying_key().as_bytes()).into_string();
                (address.clone(), address)
            }
            Kind::P2wpkh | Kind::P2tr | Kind::P2pkh | Kind::P2shP2wpkh => {
                let key = bitcoin_key(&secret)?;
                let public = CompressedPublicKey::from_private_key(&Secp256k1::new(), &key)
                    .context("key")?;
                (bitcoin_address(kind, &public).to_string(), public.to_string())
            }
        };
        Ok(Self { kind, secret, address, public_key })
    }

    /// Bitcoin, native segwit.
    pub fn p2wpkh(seed: u64) -> Self {
        Self::new(Kind::P2wpkh, seed)
    }

    /// Bitcoin, Taproot.
    pub fn p2tr(seed: u64) -> Self {
        Self::new(Kind::P2tr, seed)
    }

    /// A Taproot wallet of the given parity: the first from this number on whose public key (33 bytes) begins
    /// with 02 (even) or 03 (odd).
    ///
    /// # Panics
    /// Never: every second key qualifies.
    // For tests.
    #[allow(clippy::expect_used)]
    pub fn p2tr_of_parity(is_odd: bool, seed: u64) -> Self {
        let prefix = if is_odd { "03" } else { "02" };
        let mut wallets = (seed..).map(Self::p2tr);
        wallets.find(|wallet| wallet.public_key.starts_with(prefix)).expect("every other key")
    }

    /// Bitcoin, legacy.
    pub fn p2pkh(seed: u64) -> Self {
        Self::new(Kind::P2pkh, seed)
    }

    /// EVM.
    pub fn evm(seed: u64) -> Self {
        Self::new(Kind::Evm, seed)
    }

    /// Solana.
    pub fn solana(seed: u64) -> Self {
        Self::new(Kind::Solana, seed)
    }

    /// Private key, hex.
    pub fn private_key(&self) -> String {
        hex::encode(self.secret)
    }

    /// Kind of the wallet.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Chain of the wallet.
    pub fn chain(&self) -> Chain {
        match self.kind {
            Kind::Evm => Chain::Evm,
            Kind::Solana => Chain::Solana,
            Kind::P2wpkh | Kind::P2tr | Kind::P2pkh | Kind::P2shP2wpkh => Chain::Bitcoin,
        }
    }

    /// Address as the wallet shows it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Public key: hex, compressed; on Solana the address.
    pub fn public_key(&self) -> &str {
        &self.public_key
    }

    /// X-only public key of a Bitcoin wallet: 64 hex digits.
    pub fn x_only_key(&self) -> &str {
        self.public_key.get(2..).unwrap_or_default()
    }

    /// Provider name that the wallet reports.
    pub fn provider(&self) -> &'static str {
        match self.chain() {
            Chain::Bitcoin => "xverse",
            Chain::Evm => "metamask",
            Chain::Solana => "phantom",
        }
    }

    /// Signs a message as wallets of this kind do.
    ///
    /// # Panics
    /// Never: the key was valid when the wallet was created.
    // For tests and seeds.
    #[allow(clippy::expect_used)]
    pub fn sign(&self, message: &str) -> String {
        self.try_sign(message).expect("a good key signs")
    }

    fn try_sign(&self, message: &str) -> Result<String> {
        match self.kind {
            Kind::P2wpkh | Kind::P2tr => {
                let key = bitcoin_key(&self.secret)?.to_wif();
                bip322::sign_simple_encoded(&self.address, message, &[key], None).context("BIP-322")
            }
            Kind::P2pkh | Kind::P2shP2wpkh => {
                Ok(BASE64_STANDARD.encode(self.signed_message(message)?))
            }
            Kind::Evm => {
                let key = k256::ecdsa::SigningKey::from_slice(&self.secret).context("key")?;
                let hash = eip191_hash_message(message);
                let (signature, parity) =
                    key.sign_prehash_recoverable(hash.as_slice()).context("EIP-191")?;
                let v = parity.to_byte().saturating_add(27);
                Ok(format!("0x{}{v:02x}", hex::encode(signature.to_bytes())))
            }
            Kind::Solana => {
                let key = ed25519_dalek::SigningKey::from_bytes(&self.secret);
                Ok(bs58::encode(key.sign(message.as_bytes()).to_bytes()).into_string())
            }
        }
    }

    /// Signs a message in another form.
    ///
    /// # Panics
    /// The wallet's kind has no such form.
    // For tests.
    #[allow(clippy::expect_used)]
    pub fn sign_as(&self, form: Form, message: &str) -> String {
        self.try_sign_as(form, message).expect("a form of this kind")
    }

    fn try_sign_as(&self, form: Form, message: &str) -> Result<String> {
        match form {
            Form::Bip322Full => {
                let (key, locks) = (bitcoin_key(&self.secret)?.to_wif(), LockParams::default());
                bip322::sign_full_encoded(&self.address, message, &[key], None, locks)
                    .context("BIP-322")
            }
            Form::SignedMessage(first) => {
                let mut signature = self.signed_message(message)?;
                if let Some(header) = signature.first_mut() {
                    // The header is 27, a number of the form, and the recovery id.
                    *header = first.saturating_add(header.saturating_sub(27) & 3);
                }
                Ok(BASE64_STANDARD.encode(signature))
            }
            Form::OffChain => {
                let signed = self.off_chain([0; 32], message)?;
                let key = ed25519_dalek::SigningKey::from_bytes(&self.secret);
                Ok(bs58::encode(key.sign(&signed).to_bytes()).into_string())
            }
            Form::OffChainEnvelope => {
                let signed = self.off_chain([7; 32], message)?;
                let key = ed25519_dalek::SigningKey::from_bytes(&self.secret);
                let signature = key.sign(&signed).to_bytes();
                Ok(BASE64_STANDARD.encode([[1].as_slice(), &signature, &signed].concat()))
            }
            Form::PreDelegated => {
                const LENGTH: usize = 288;
                let length = format!("{LENGTH:064x}");
                let magic = "8010".repeat(16);
                Ok(format!("{}{}{length}{magic}", self.try_sign(message)?, "00".repeat(LENGTH)))
            }
        }
    }

    /// A signed Bitcoin message: header, r, s.
    fn signed_message(&self, message: &str) -> Result<Vec<u8>> {
        let hash = Message::from_digest(*signed_msg_hash(message).as_byte_array());
        let key = SecretKey::from_slice(&self.secret).context("key")?;
        let signature = Secp256k1::new().sign_ecdsa_recoverable(&hash, &key);
        Ok(MessageSignature::new(signature, true).serialize().to_vec())
    }

    /// The bytes of an off-chain message to this wallet.
    fn off_chain(&self, application: [u8; 32], message: &str) -> Result<Vec<u8>> {
        let key = ed25519_dalek::SigningKey::from_bytes(&self.secret).verifying_key();
        let length = u16::try_from(message.len()).context("message")?.to_le_bytes();
        let start = b"\xffsolana offchain\0".as_slice();
        Ok([start, &application, &[1, 1], key.as_bytes(), &length, message.as_bytes()].concat())
    }

    /// Signs the inputs of a PSBT that spend the trading address `owner`, with SIGHASH_ALL.
    ///
    /// # Panics
    /// The text is not a PSBT.
    // For tests, which only need the panic's text.
    #[allow(clippy::expect_used)]
    pub fn sign_psbt(&self, owner: &Address, base64_psbt: &str) -> String {
        self.try_sign_psbt(owner, base64_psbt).expect("a PSBT to sign")
    }

    fn try_sign_psbt(&self, owner: &Address, base64_psbt: &str) -> Result<String> {
        let bytes = BASE64_STANDARD.decode(base64_psbt).context("base64")?;
        let mut psbt = Psbt::deserialize(&bytes).context("PSBT")?;
        let (secp, key) = (Secp256k1::new(), bitcoin_key(&self.secret)?);
        let transaction = psbt.unsigned_tx.clone();
        let mut cache = SighashCache::new(&transaction);
        for (input, fields) in psbt.inputs.iter_mut().enumerate() {
            let spent = fields.witness_utxo.as_ref().context("a spent output")?;
            if spent.script_pubkey != owner.script_pubkey() {
                continue;
            }
            let script = fields.witness_script.as_ref().context("a script")?;
            let digest = cache
                .p2wsh_signature_hash(input, script, spent.value, EcdsaSighashType::All)
                .context("sighash")?;
            let message = Message::from_digest(digest.to_byte_array());
            let signature = ecdsa::Signature::sighash_all(secp.sign_ecdsa(&message, &key.inner));
            fields.partial_sigs.insert(key.public_key(&secp), signature);
        }
        Ok(BASE64_STANDARD.encode(psbt.serialize()))
    }

    /// The body of a sign-in with `message`.
    pub fn signed(&self, message: &str) -> Value {
        json!({
            "message": message,
            "signature": self.sign(message),
            "address": self.address,
            "publicKey": self.public_key,
        })
    }

    /// The body of a sign-in with the challenge in `answer`.
    pub fn signed_challenge(&self, answer: &Answer) -> Value {
        json!({
            "challengeId": answer.text_of("challengeId"),
            "signature": self.sign(answer.text_of("message")),
            "address": self.address,
            "publicKey": self.public_key,
            "chain": self.chain(),
            "provider": self.provider(),
        })
    }
}

fn bitcoin_key(secret: &[u8; 32]) -> Result<PrivateKey> {
    PrivateKey::from_slice(secret, NetworkKind::from(NETWORK)).context("key")
}

fn bitcoin_address(kind: Kind, key: &CompressedPublicKey) -> Address {
    match kind {
        Kind::P2tr => Address::p2tr(&Secp256k1::new(), key.0.x_only_public_key().0, None, NETWORK),
        Kind::P2pkh => Address::p2pkh(bitcoin::PublicKey::from(*key), NETWORK),
        Kind::P2shP2wpkh => Address::p2shwpkh(key, NETWORK),
        Kind::P2wpkh | Kind::Evm | Kind::Solana => Address::p2wpkh(key, NETWORK),
    }
}

/// Result of a sign-in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// The access token.
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
    /// Account id.
    pub account: String,
    /// All data of the answer.
    pub data: Value,
}

impl SignedIn {
    /// Reads the answer of a sign-in or registration.
    ///
    /// # Errors
    /// The answer names no account.
    pub fn of(answer: &Answer) -> Result<Self> {
        let data = answer.data();
        let account = data.pointer("/account/id").and_then(Value::as_str);
        Ok(Self {
            access_token: answer.text_of("accessToken").to_owned(),
            refresh_token: answer.text_of("refreshToken").to_owned(),
            account: account.context(format_args!("no account id: {answer}"))?.to_owned(),
            data: data.clone(),
        })
    }
}

/// Signs in: Bitcoin wallets with a dated message, others with a challenge.
///
/// # Panics
/// The service refuses.
pub async fn sign_in(client: &Client, wallet: &Wallet) -> SignedIn {
    try_sign_in(client, wallet).await.unwrap_or_else(|failure| panic!("{failure}"))
}

/// Signs in: Bitcoin wallets with a dated message, others with a challenge.
pub async fn try_sign_in(client: &Client, wallet: &Wallet) -> Result<SignedIn> {
    if wallet.chain() != Chain::Bitcoin {
        return by_challenge(client, wallet).await;
    }
    let body = dated(client, wallet);
    let answer = client.post("/auth/authenticate").json(&body).try_send().await?.check(200)?;
    SignedIn::of(&answer)
}

/// The body of a Bitcoin wallet's sign-in with a dated message; it is accepted once.
pub fn dated(client: &Client, wallet: &Wallet) -> Value {
    wallet.signed(&format!("{MESSAGE}{}", client.next_moment().0))
}

/// A challenge for a wallet, for `signIn`, `link`, `rotate` or `tradingWallet`, with or without an access
/// token.
///
/// # Panics
/// The service refuses.
pub async fn challenge(
    client: &Client,
    wallet: &Wallet,
    purpose: &str,
    token: Option<&str>,
) -> Answer {
    let (address, chain) = (wallet.address(), wallet.chain());
    let path = format!("/auth/wallet/challenge?address={address}&chain={chain}&purpose={purpose}");
    let call = client.get(path);
    token.into_iter().fold(call, crate::base::client::Call::bearer).send().await.expect(200)
}

/// Registers a wallet; `extras` are further fields of the registration.
///
/// # Panics
/// The service refuses.
pub async fn register(client: &Client, wallet: &Wallet, extras: &Value) -> SignedIn {
    let proof = wallet.signed_challenge(&challenge(client, wallet, "signIn", None).await);
    let body = with(proof, extras);
    let answer = client.post("/auth/register/wallet").json(&body).send().await.expect(201);
    SignedIn::of(&answer).unwrap_or_else(|failure| panic!("{failure}"))
}

/// A JSON object overlaid with the fields of another one.
pub fn with(mut object: Value, fields: &Value) -> Value {
    if let (Some(object), Some(fields)) = (object.as_object_mut(), fields.as_object()) {
        object.extend(fields.clone());
    }
    object
}

/// Signs in with a challenge.
///
/// # Panics
/// The service refuses.
pub async fn sign_in_by_challenge(client: &Client, wallet: &Wallet) -> SignedIn {
    by_challenge(client, wallet).await.unwrap_or_else(|failure| panic!("{failure}"))
}

async fn by_challenge(client: &Client, wallet: &Wallet) -> Result<SignedIn> {
    let path =
        format!("/auth/wallet/challenge?address={}&chain={}", wallet.address(), wallet.chain());
    let challenge = client.get(path).try_send().await?.check(200)?;
    let body = wallet.signed_challenge(&challenge);
    let answer = client.post("/auth/authenticate").json(&body).try_send().await?.check(200)?;
    SignedIn::of(&answer)
}

/// The wallet of the worlds' admin, which is also the dev server's demo admin.
pub fn admin_wallet() -> Wallet {
    Wallet::p2wpkh(0)
}

/// Another valid signature of the same message by the same key, made without the key: anyone can derive it
/// from a legacy Bitcoin signature (`s` becomes `n - s`).
///
/// # Panics
/// It is not a legacy signature.
// For tests with known signatures; curve scalars do not overflow.
#[allow(clippy::expect_used, clippy::arithmetic_side_effects)]
pub fn malleated(signature: &str) -> String {
    let bytes = BASE64_STANDARD.decode(signature).expect("base64");
    let (header, scalars) = bytes.split_first().expect("65 bytes");
    let signature = k256::ecdsa::Signature::from_slice(scalars).expect("65 bytes");
    let (r, s) = signature.split_scalars();
    let other = k256::ecdsa::Signature::from_scalars(r, -s).expect("a signature");
    // The lowest bit of the header minus 27 selects which of two keys is recovered.
    let header = if header % 2 == 0 { header.saturating_sub(1) } else { header.saturating_add(1) };
    BASE64_STANDARD.encode([&[header][..], &other.to_bytes()].concat())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use identity::wallet::{Proof, verify};
    use shared::models::wallet::WalletAddress;

    use super::*;

    #[tokio::test]
    async fn the_service_accepts_their_signatures() {
        for kind in Kind::ALL {
            let wallet = Wallet::new(kind, 7);
            let (message, signature) =
                ("Sign in to Runeport: 1", wallet.sign("Sign in to Runeport: 1"));
            let address = WalletAddress::parse(wallet.chain(), wallet.address(), NETWORK).unwrap();
            let public_key = Some(wallet.public_key());
            let proof = Proof { address: &address, public_key, message, signature: &signature };
            assert!(verify(proof, NETWORK, None).await.is_ok(), "{wallet:?}");
        }
    }

    #[test]
    fn wallets_are_deterministic_and_distinct() {
        let mut addresses = std::collections::BTreeSet::new();
        for kind in Kind::ALL {
            for seed in 0..3 {
                let wallet = Wallet::new(kind, seed);
                assert_eq!(wallet.address(), Wallet::new(kind, seed).address());
                assert!(addresses.insert(wallet.address().to_owned()), "{wallet:?}");
            }
        }
    }
}
