//! The server's half of SRP-6a: a password is proved without being sent (RFC 5054, section 2.6, and
//! the proofs of RFC 2945, section 3, padded).
//!
//! With SHA-256 as H, `|` for concatenation, and PAD for zeros in front up to the size of N:
//!
//! ```text
//! k  = H(N | PAD(g))                  B = k v + g^b mod N
//! u  = H(PAD(A) | PAD(B))             S = (A v^u)^b mod N
//! K  = H(PAD(S))
//! M1 = H(H(N) xor H(g) | H(I) | salt | PAD(A) | PAD(B) | K)      (g unpadded)
//! M2 = H(PAD(A) | M1 | K)
//! ```
//!
//! All that touches `b` and `v` takes the same time whatever their values are.

mod group;
mod modulus;

use secrecy::{ExposeSecret, SecretBox, SecretSlice};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

pub use group::Group;

/// The hash function of the profile, as clients are told.
pub const HASH: &str = "SHA-256";

/// Why a number or a proof is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SrpError {
    /// The verifier is not in `0 < v < N`, or longer than N.
    #[error("the verifier is not a number of the group")]
    Verifier,
    /// The client's public value is not in `0 < A < N`, or longer than N.
    #[error("the client's public value is not a number of the group")]
    PublicValue,
    /// The client's proof is not 32 bytes long.
    #[error("the client's proof is not of 32 bytes")]
    ProofLength,
    /// The client's proof is wrong.
    #[error("the client's proof is wrong")]
    Proof,
}

/// What the server knows of a password, `v`: enough to check a proof, and to guess at leisure.
#[derive(Debug)]
pub struct Verifier {
    group: Group,
    padded: SecretSlice<u8>,
}

impl Verifier {
    /// Reads a verifier, the greatest byte first.
    ///
    /// # Errors
    /// [`SrpError::Verifier`].
    pub fn parse(group: Group, bytes: &[u8]) -> Result<Self, SrpError> {
        let padded = member(group, bytes).ok_or(SrpError::Verifier)?;
        Ok(Self { group, padded: padded.into() })
    }

    /// A verifier that nobody has the password of, for an address that has no account: of
    /// pseudorandom bytes, such as a keyed hash of the address.
    pub fn fake(group: Group, pseudorandom: &[u8; 64]) -> Self {
        // Shorter than N, and odd, so not zero.
        let mut padded = pad(group, pseudorandom);
        if let Some(lowest) = padded.last_mut() {
            *lowest |= 1;
        }
        Self { group, padded: padded.into() }
    }

    /// The group that it is of.
    pub fn group(&self) -> Group {
        self.group
    }

    /// The verifier, padded to the group's size: to be stored, and shown to nobody.
    pub fn expose(&self) -> &[u8] {
        self.padded.expose_secret()
    }
}

/// The server's ephemeral key pair, `b` and `B`, of one handshake with one verifier.
#[derive(Debug)]
pub struct Ephemeral {
    group: Group,
    secret: SecretBox<[u8; 32]>,
    public: Vec<u8>,
}

impl Ephemeral {
    /// The key pair of 32 fresh random bytes. None if the public one is zero, which clients refuse
    /// (RFC 5054, section 2.5.3): then the caller draws again.
    pub fn new(verifier: &Verifier, secret: [u8; 32]) -> Option<Self> {
        let group = verifier.group;
        let k = multiplier(group);
        let public = group.arithmetic().server_public(&k, verifier.expose(), &secret);
        Self::from_parts(group, secret, &public)
    }

    /// A key pair as it was stored. None if the public one is not in `0 < B < N`.
    pub fn from_parts(group: Group, secret: [u8; 32], public: &[u8]) -> Option<Self> {
        let public = member(group, public)?;
        Some(Self { group, secret: SecretBox::new(Box::new(secret)), public })
    }

    /// The group that it is of.
    pub fn group(&self) -> Group {
        self.group
    }

    /// The secret key, `b`: to be stored encrypted, and shown to nobody.
    pub fn expose_secret(&self) -> &[u8; 32] {
        self.secret.expose_secret()
    }

    /// The public key, `B`, padded to the group's size.
    pub fn public(&self) -> &[u8] {
        &self.public
    }
}

/// What a client sends to prove a password: its public value, `A`, and its proof, `M1`.
#[derive(Clone, Debug)]
pub struct ClientProof {
    group: Group,
    public: Vec<u8>,
    proof: [u8; 32],
}

impl ClientProof {
    /// Reads both, the greatest byte of the number first. What is refused here is wrong whatever
    /// the password is, so a handshake need not be spent on it.
    ///
    /// # Errors
    /// [`SrpError::PublicValue`], or [`SrpError::ProofLength`].
    pub fn parse(group: Group, public: &[u8], proof: &[u8]) -> Result<Self, SrpError> {
        let public = member(group, public).ok_or(SrpError::PublicValue)?;
        let proof = proof.try_into().map_err(|_| SrpError::ProofLength)?;
        Ok(Self { group, public, proof })
    }

    /// Checks the proof, and answers with the server's own, `M2`. The identity is the canonical
    /// e-mail address, and the salt is as the client was told.
    ///
    /// # Errors
    /// [`SrpError::Proof`], also if the three are not of one group: then the verifier was replaced
    /// since the handshake began.
    pub fn check(
        &self,
        identity: &str,
        salt: &[u8],
        verifier: &Verifier,
        ephemeral: &Ephemeral,
    ) -> Result<[u8; 32], SrpError> {
        let group = self.group;
        let u = hash(&[&self.public, &ephemeral.public]);
        // With u = 0 a stolen verifier would do for a proof: SRP-6a's own safeguard.
        if verifier.group != group || ephemeral.group != group || u == [0; 32] {
            return Err(SrpError::Proof);
        }
        let premaster_secret = group.arithmetic().premaster_secret(
            &self.public,
            verifier.expose(),
            &u,
            ephemeral.expose_secret(),
        );
        let key = Zeroizing::new(hash(&[&premaster_secret]));
        let expected = client_proof(group, identity, salt, [&self.public, &ephemeral.public], &key);
        if !bool::from(expected.ct_eq(&self.proof)) {
            return Err(SrpError::Proof);
        }
        Ok(hash(&[&self.public, &self.proof, key.as_slice()]))
    }
}

/// A number padded to the group's size. None if it is not in `0 < number < N`, or longer than N.
fn member(group: Group, number: &[u8]) -> Option<Vec<u8>> {
    group.arithmetic().contains(number).then(|| pad(group, number))
}

fn pad(group: Group, number: &[u8]) -> Vec<u8> {
    let mut padded = vec![0; group.size()];
    for (place, &byte) in padded.iter_mut().rev().zip(number.iter().rev()) {
        *place = byte;
    }
    padded
}

/// `k = H(N | PAD(g))`.
fn multiplier(group: Group) -> [u8; 32] {
    hash(&[&group.modulus(), &pad(group, &[group.generator()])])
}

/// `M1`, of the padded `A` and `B`, and of `K`.
fn client_proof(
    group: Group,
    identity: &str,
    salt: &[u8],
    [client_public, server_public]: [&[u8]; 2],
    key: &[u8; 32],
) -> [u8; 32] {
    let mut group_hash = hash(&[&group.modulus()]);
    for (byte, other) in group_hash.iter_mut().zip(hash(&[&[group.generator()]])) {
        *byte ^= other;
    }
    let identity_hash = hash(&[identity.as_bytes()]);
    hash(&[&group_hash, &identity_hash, salt, client_public, server_public, key])
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    parts.iter().fold(Sha256::new(), Digest::chain_update).finalize().into()
}

#[cfg(test)]
mod tests;
