//! The server side of SRP-6a, which proves a password without sending it (RFC 5054, section 2.6, with the
//! proofs of RFC 2945, section 3, padded).
//!
//! H is SHA-256, `|` is concatenation, and PAD adds leading zeros up to the size of N:
//!
//! ```text
//! k  = H(N | PAD(g))                  B = k v + g^b mod N
//! u  = H(PAD(A) | PAD(B))             S = (A v^u)^b mod N
//! K  = H(PAD(S))
//! M1 = H(H(N) xor H(g) | H(I) | salt | PAD(A) | PAD(B) | K)      (g unpadded)
//! M2 = H(PAD(A) | M1 | K)
//! ```
//!
//! The crate `srp` does the arithmetic and hashes the proofs, in a time that depends on neither `b` nor `v`.
//! Its own handshake is not used, because it panics on an A longer than N and drops the leading zeros of B
//! and S. This module checks ranges, pads numbers and compares proofs.

mod group;

use crypto_bigint::BoxedUint;
use secrecy::{ExposeSecret, SecretBox, SecretSlice};
use sha2::Sha256;
use shared::{
    auth::{AuthError, RefusedProof},
    problem::Problem,
};
use srp::utils::{compute_hash, compute_k, compute_m1_rfc5054, compute_m2, compute_u_padded};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use base::span::{Kind, Span};
pub use group::Group;

/// The profile's hash function, as reported to clients.
pub const HASH: &str = "SHA-256";
/// The span of exponentiations, which take milliseconds.
const ARITHMETIC: &str = "SRP arithmetic";

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
    #[error("the client's proof must have at most 32 bytes")]
    ProofLength,
    /// The client's proof is wrong.
    #[error("the client's proof is wrong")]
    Proof,
}

impl From<SrpError> for AuthError {
    fn from(error: SrpError) -> Self {
        let why = format_args!("Invalid SRP value: {error}.");
        RefusedProof::new(Problem::SrpValueInvalid, &why).into()
    }
}

/// What the server stores of a password, `v`. With it one can check proofs, and guess the password offline.
#[derive(Debug)]
pub struct Verifier {
    group: Group,
    padded: SecretSlice<u8>,
}

impl Verifier {
    /// Parses a big-endian verifier.
    ///
    /// # Errors
    /// [`SrpError::Verifier`] if the number is 0, or not below the group's modulus.
    pub fn parse(group: Group, bytes: &[u8]) -> Result<Self, SrpError> {
        let padded = group.member(bytes).ok_or(SrpError::Verifier)?;
        Ok(Self { group, padded: padded.into() })
    }

    /// A verifier without a known password, for an address that has no account. It is made of pseudorandom
    /// bytes, such as a keyed hash of the address.
    pub fn fake(group: Group, pseudorandom: &[u8; 64]) -> Self {
        // Shorter than N and odd, so it is in range and not zero.
        let mut padded = group.number(pseudorandom).to_be_bytes();
        if let Some(lowest) = padded.last_mut() {
            *lowest |= 1;
        }
        Self { group, padded: padded.into_vec().into() }
    }

    /// The verifier's group.
    pub fn group(&self) -> Group {
        self.group
    }

    /// The verifier, padded to the group's size. Store it encrypted and never send it.
    pub fn expose(&self) -> &[u8] {
        self.padded.expose_secret()
    }
}

/// The server's ephemeral key pair, `b` and `B`, for one handshake with one verifier.
#[derive(Debug)]
pub struct Ephemeral {
    group: Group,
    secret: SecretBox<[u8; 32]>,
    public: Vec<u8>,
}

impl Ephemeral {
    /// The key pair of 32 fresh random bytes. Returns `None` if the public key is zero, which clients refuse
    /// (RFC 5054, section 2.5.3); the caller must then draw again.
    pub fn new(verifier: &Verifier, secret: [u8; 32]) -> Option<Self> {
        let group = verifier.group;
        let k = compute_k::<Sha256>(&group.element());
        let v = group.number(verifier.expose());
        let _arithmetic = Span::start(ARITHMETIC, Kind::Internal);
        let public = group.server_public(&exponent(&secret), &k, &v).to_be_bytes();
        Self::from_parts(group, secret, &public)
    }

    /// The key pair whose secret is 1, so that a client can compute `B = k v + g` itself. A proof for it
    /// shows that client and service use the same formulas. It does not prove who sends it, so it may only be
    /// used to check a verifier that the same request contains.
    pub fn known(verifier: &Verifier) -> Option<Self> {
        let mut secret = [0; 32];
        if let Some(lowest) = secret.last_mut() {
            *lowest = 1;
        }
        Self::new(verifier, secret)
    }

    /// Restores a stored key pair. Returns `None` unless `0 < B < N`.
    pub fn from_parts(group: Group, secret: [u8; 32], public: &[u8]) -> Option<Self> {
        let public = group.member(public)?;
        Some(Self { group, secret: SecretBox::new(Box::new(secret)), public })
    }

    /// The key pair's group.
    pub fn group(&self) -> Group {
        self.group
    }

    /// The secret key, `b`. Store it encrypted and never send it.
    pub fn expose_secret(&self) -> &[u8; 32] {
        self.secret.expose_secret()
    }

    /// The public key, `B`, padded to the group's size.
    pub fn public(&self) -> &[u8] {
        &self.public
    }
}

/// What a client sends to prove a password: its public value `A` and its proof `M1`.
#[derive(Clone, Debug)]
pub struct ClientProof {
    group: Group,
    public: Vec<u8>,
    proof: [u8; 32],
}

/// A proof, padded with the leading zeros that a client may have dropped.
fn padded(proof: &[u8]) -> Option<[u8; 32]> {
    let mut whole = [0; 32];
    let start = whole.len().checked_sub(proof.len()).filter(|_| !proof.is_empty())?;
    whole.get_mut(start..)?.copy_from_slice(proof);
    Some(whole)
}

impl ClientProof {
    /// Parses both values, big-endian. Clients that compute with numbers drop leading zeros of the proof.
    /// Values that are refused here are wrong for every password, so they need not consume a handshake.
    ///
    /// # Errors
    /// [`SrpError::PublicValue`] if the public value is 0, or not below the group's modulus;
    /// [`SrpError::ProofLength`] if the proof is too long.
    pub fn parse(group: Group, public: &[u8], proof: &[u8]) -> Result<Self, SrpError> {
        let public = group.member(public).ok_or(SrpError::PublicValue)?;
        let proof = padded(proof).ok_or(SrpError::ProofLength)?;
        Ok(Self { group, public, proof })
    }

    /// Checks the proof and returns the server's own proof, `M2`. The identity is the canonical e-mail
    /// address, and the salt is the one the client received.
    ///
    /// # Errors
    /// [`SrpError::Proof`], also if the three groups differ because the verifier was replaced after the
    /// handshake began.
    pub fn check(
        &self,
        identity: &str,
        salt: &[u8],
        verifier: &Verifier,
        ephemeral: &Ephemeral,
    ) -> Result<[u8; 32], SrpError> {
        let group = self.group;
        if verifier.group != group || ephemeral.group != group {
            return Err(SrpError::Proof);
        }
        let g = group.element();
        let u = compute_u_padded::<Sha256>(&g, &self.public, &ephemeral.public);
        // SRP-6a's own safeguard: with u = 0 a stolen verifier would suffice to make a proof.
        if u.is_zero().to_bool() {
            return Err(SrpError::Proof);
        }
        let arithmetic = Span::start(ARITHMETIC, Kind::Internal);
        let premaster_secret = group.premaster_secret(
            &group.number(&self.public),
            &group.number(verifier.expose()),
            &u,
            &exponent(ephemeral.expose_secret()),
        );
        drop(arithmetic);
        let padded = Zeroizing::new(premaster_secret.to_be_bytes());
        let key = Zeroizing::new(<[u8; 32]>::from(compute_hash::<Sha256>(&padded)));
        let expected = compute_m1_rfc5054::<Sha256>(
            &g,
            true,
            identity.as_bytes(),
            salt,
            &self.public,
            &ephemeral.public,
            key.as_slice(),
        );
        if !bool::from(expected.as_slice().ct_eq(&self.proof)) {
            return Err(SrpError::Proof);
        }
        Ok(compute_m2::<Sha256>(&self.public, &expected, key.as_slice()).into())
    }
}

/// A secret key, `b`, in fixed size, so that only the size affects the time of an exponentiation.
fn exponent(secret: &[u8; 32]) -> Zeroizing<BoxedUint> {
    Zeroizing::new(BoxedUint::from_be_slice_truncated(secret, 256))
}

#[cfg(test)]
mod tests;
