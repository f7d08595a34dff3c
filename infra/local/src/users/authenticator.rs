//! A software authenticator together with its browser: creates passkeys and signs in with them as WebAuthn
//! Level 3 specifies, or with a chosen fault.

use std::collections::BTreeMap;

use aws_lc_rs::{
    encoding::AsDer,
    rand::{self, SystemRandom},
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_cbor_2::Value as Cbor;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::base::failure::{Context, Failure, Result};

/// Flags of authenticator data (section 6.1): user present.
pub const USER_PRESENT: u8 = 1;
/// User verified.
pub const USER_VERIFIED: u8 = 1 << 2;
/// Backup eligible: the passkey may exist on several devices.
pub const BACKUP_ELIGIBLE: u8 = 1 << 3;
/// Backup state: the passkey is backed up.
pub const BACKUP_STATE: u8 = 1 << 4;
/// Attested credential data follows; only [`Authenticator::create`] sets it.
const ATTESTED_CREDENTIAL: u8 = 1 << 6;
/// COSE's number for ES256, the algorithm of every key here.
const ES256: i64 = -7;

/// A fault of the authenticator or its browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misbehaviour {
    /// Sets these flags instead of user present and user verified.
    Flags(u8),
    /// Claims this origin.
    Origin(String),
    /// Claims to be in a frame of another website.
    CrossOrigin,
    /// Names the website around the frame, without claiming to be in a frame.
    TopOrigin(String),
    /// Swaps `webauthn.create` and `webauthn.get`.
    Type,
    /// Answers this challenge.
    Challenge(String),
    /// Claims this relying party.
    RpId(String),
    /// Sends this signature counter.
    Counter(u32),
    /// Sends this user handle; `None` sends none.
    UserHandle(Option<Vec<u8>>),
    /// Creates a passkey with this id, which may already belong to another passkey.
    CredentialId(Vec<u8>),
    /// Creates a key that claims this COSE algorithm.
    Algorithm(i64),
    /// Flips the last bit of the signature.
    Signature,
    /// Appends a byte to the authenticator data, and signs it.
    Leftover,
}

/// A passkey that the authenticator holds.
struct Credential {
    id: Vec<u8>,
    key: EcdsaKeyPair,
    user_handle: Vec<u8>,
}

/// An authenticator that is used on one website.
pub struct Authenticator {
    origin: String,
    rp_id: String,
    sign_count: u32,
    credentials: Vec<Credential>,
    /// The current fault, until it is set again.
    pub misbehaviour: Option<Misbehaviour>,
}

impl Authenticator {
    /// An authenticator without passkeys, used on pages of `origin`, such as `https://app.runeport.example`.
    /// The origin belongs to the relying party `rp_id`, such as `runeport.example`.
    pub fn new(origin: impl Into<String>, rp_id: impl Into<String>) -> Self {
        Self {
            origin: origin.into(),
            rp_id: rp_id.into(),
            sign_count: 0,
            credentials: Vec::new(),
            misbehaviour: None,
        }
    }

    /// `navigator.credentials.create()`: takes `PublicKeyCredentialCreationOptionsJSON`, creates a passkey,
    /// and returns `RegistrationResponseJSON`.
    ///
    /// # Errors
    /// A browser would not accept the options, this authenticator does not support them, or they exclude a
    /// passkey that it holds.
    pub fn create(&mut self, options: &Value) -> Result<Value> {
        self.check_rp_id(options.pointer("/rp/id"))?;
        let offered = options.get("pubKeyCredParams").and_then(Value::as_array);
        if !offered
            .context("pubKeyCredParams")?
            .iter()
            .any(|offer| offer.get("alg") == Some(&ES256.into()))
        {
            return Err(Failure::new("ES256 is not offered"));
        }
        if self.find_held(options.get("excludeCredentials")).next().is_some() {
            return Err(Failure::new("it holds a passkey of the account"));
        }
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).context("key")?;
        let mut id = vec![0; 32];
        rand::fill(&mut id).context("credential id")?;
        if let Some(Misbehaviour::CredentialId(other)) = &self.misbehaviour {
            id.clone_from(other);
        }
        let user_handle = decode(options.pointer("/user/id")).context("user.id")?;

        let client_data = self.client_data("webauthn.create", options)?;
        let mut data = self.authenticator_data(ATTESTED_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(id.len()).context("credential id")?.to_be_bytes());
        data.extend(&id);
        data.extend(self.cose_key(&key)?);
        data.extend(self.leftover());
        let text = |text: &str| Cbor::Text(text.to_owned());
        let object = cbor([
            (text("fmt"), text("none")),
            (text("attStmt"), Cbor::Map(BTreeMap::new())),
            (text("authData"), Cbor::Bytes(data.clone())),
        ])?;
        let spki = key.public_key().as_der().context("public key")?;
        let answer = json!({
            "id": encode(&id),
            "rawId": encode(&id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(client_data),
                "attestationObject": encode(object),
                "authenticatorData": encode(data),
                "publicKey": encode(spki.as_ref()),
                "publicKeyAlgorithm": ES256,
                "transports": ["internal", "hybrid"],
            },
        });
        self.credentials.push(Credential { id, key, user_handle });
        Ok(answer)
    }

    /// `navigator.credentials.get()`: takes `PublicKeyCredentialRequestOptionsJSON`, signs in with the newest
    /// passkey that the options allow, and returns `AuthenticationResponseJSON`.
    ///
    /// # Errors
    /// A browser would not accept the options, or the authenticator holds no such passkey.
    pub fn get(&mut self, options: &Value) -> Result<Value> {
        self.check_rp_id(options.get("rpId"))?;
        self.sign_count = self.sign_count.saturating_add(1);
        let allowed = options.get("allowCredentials").and_then(Value::as_array);
        let credential = match allowed.filter(|list| !list.is_empty()) {
            Some(_) => self.find_held(options.get("allowCredentials")).last(),
            None => self.credentials.last(),
        };
        let credential = credential.context("it holds no passkey that is allowed")?;

        let client_data = self.client_data("webauthn.get", options)?;
        let mut data = self.authenticator_data(0);
        data.extend(self.leftover());
        let message = [&data, Sha256::digest(&client_data).as_slice()].concat();
        let signature = credential.key.sign(&SystemRandom::new(), &message).context("signature")?;
        let mut signature = signature.as_ref().to_vec();
        if let (Some(Misbehaviour::Signature), Some(last)) =
            (&self.misbehaviour, signature.last_mut())
        {
            *last ^= 1;
        }
        let user_handle = match &self.misbehaviour {
            Some(Misbehaviour::UserHandle(other)) => other.as_ref(),
            _ => Some(&credential.user_handle),
        };
        Ok(json!({
            "id": encode(&credential.id),
            "rawId": encode(&credential.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(client_data),
                "authenticatorData": encode(data),
                "signature": encode(signature),
                "userHandle": user_handle.map(encode),
            },
        }))
    }

    /// A browser refuses options for another website.
    fn check_rp_id(&self, asked: Option<&Value>) -> Result<()> {
        match asked.and_then(Value::as_str) {
            Some(id) if id == self.rp_id => Ok(()),
            other => Err(Failure::new(format!("the options are for {other:?}"))),
        }
    }

    /// The listed credentials that the authenticator holds, newest last.
    fn find_held<'a>(&'a self, list: Option<&Value>) -> impl Iterator<Item = &'a Credential> {
        let list = list.and_then(Value::as_array).into_iter().flatten();
        let ids: Vec<_> = list.filter_map(|listed| decode(listed.get("id"))).collect();
        self.credentials.iter().filter(move |credential| ids.contains(&credential.id))
    }

    /// Client data (section 5.8.1).
    fn client_data(&self, kind: &str, options: &Value) -> Result<String> {
        let challenge = options.get("challenge").and_then(Value::as_str).context("challenge")?;
        let (mut kind, mut challenge, mut origin) = (kind, challenge, &self.origin);
        let (mut cross_origin, mut top_origin) = (false, None);
        match &self.misbehaviour {
            Some(Misbehaviour::Type) if kind == "webauthn.get" => kind = "webauthn.create",
            Some(Misbehaviour::Type) => kind = "webauthn.get",
            Some(Misbehaviour::Challenge(other)) => challenge = other,
            Some(Misbehaviour::Origin(other)) => origin = other,
            Some(Misbehaviour::CrossOrigin) => cross_origin = true,
            Some(Misbehaviour::TopOrigin(other)) => top_origin = Some(other),
            _ => {}
        }
        let mut data = json!({
            "type": kind,
            "challenge": challenge,
            "origin": origin,
            "crossOrigin": cross_origin,
        });
        if let (Some(top_origin), Some(members)) = (top_origin, data.as_object_mut()) {
            members.insert("topOrigin".into(), json!(top_origin));
        }
        Ok(data.to_string())
    }

    /// Authenticator data (section 6.1) up to the counter.
    fn authenticator_data(&self, more_flags: u8) -> Vec<u8> {
        let (mut rp_id, mut sign_count) = (&self.rp_id, self.sign_count);
        let mut flags = USER_PRESENT | USER_VERIFIED;
        match &self.misbehaviour {
            Some(Misbehaviour::RpId(other)) => rp_id = other,
            Some(Misbehaviour::Counter(other)) => sign_count = *other,
            Some(Misbehaviour::Flags(other)) => flags = *other,
            _ => {}
        }
        let mut data = Sha256::digest(rp_id).to_vec();
        data.push(flags | more_flags);
        data.extend(sign_count.to_be_bytes());
        data
    }

    fn leftover(&self) -> Option<u8> {
        (self.misbehaviour == Some(Misbehaviour::Leftover)).then_some(0)
    }

    /// The public key as a `COSE_Key` (RFC 9053, section 7.1.1).
    fn cose_key(&self, key: &EcdsaKeyPair) -> Result<Vec<u8>> {
        let algorithm = match self.misbehaviour {
            Some(Misbehaviour::Algorithm(other)) => other,
            _ => ES256,
        };
        let (x, y) = key
            .public_key()
            .as_ref()
            .strip_prefix(&[4])
            .and_then(|point| point.split_at_checked(32))
            .context("public key")?;
        let integer = |value: i64| Cbor::Integer(value.into());
        cbor([
            (integer(1), integer(2)),
            (integer(3), integer(algorithm)),
            (integer(-1), integer(1)),
            (integer(-2), Cbor::Bytes(x.to_vec())),
            (integer(-3), Cbor::Bytes(y.to_vec())),
        ])
    }
}

/// Base64url without padding.
fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn decode(text: Option<&Value>) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(text?.as_str()?).ok()
}

/// A map of CBOR.
fn cbor<const N: usize>(members: [(Cbor, Cbor); N]) -> Result<Vec<u8>> {
    serde_cbor_2::to_vec(&Cbor::Map(members.into())).context("CBOR")
}
