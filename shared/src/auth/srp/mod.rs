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
//! The crate `srp` does the arithmetic and hashes the proofs, in a time that depends on neither `b` nor
//! `v`. Its own handshake is not used: it panics on an A longer than N, and drops the leading zeros
//! of B and S. Ranges, padding and the comparison of proofs are here.

mod group;

use crypto_bigint::BoxedUint;
use secrecy::{ExposeSecret, SecretBox, SecretSlice};
use sha2::Sha256;
use srp::utils::{compute_hash, compute_k, compute_m1_rfc5054, compute_m2, compute_u_padded};
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
        let padded = group.member(bytes).ok_or(SrpError::Verifier)?;
        Ok(Self { group, padded: padded.into() })
    }

    /// A verifier that nobody has the password of, for an address that has no account: of
    /// pseudorandom bytes, such as a keyed hash of the address.
    pub fn fake(group: Group, pseudorandom: &[u8; 64]) -> Self {
        // Shorter than N, and odd, so not zero.
        let mut padded = group.number(pseudorandom).to_be_bytes();
        if let Some(lowest) = padded.last_mut() {
            *lowest |= 1;
        }
        Self { group, padded: padded.into_vec().into() }
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
        let k = compute_k::<Sha256>(&group.element());
        let v = group.number(verifier.expose());
        let public = group.server_public(&exponent(&secret), &k, &v).to_be_bytes();
        Self::from_parts(group, secret, &public)
    }

    /// A key pair as it was stored. None if the public one is not in `0 < B < N`.
    pub fn from_parts(group: Group, secret: [u8; 32], public: &[u8]) -> Option<Self> {
        let public = group.member(public)?;
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
        let public = group.member(public).ok_or(SrpError::PublicValue)?;
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
        if verifier.group != group || ephemeral.group != group {
            return Err(SrpError::Proof);
        }
        let g = group.element();
        let u = compute_u_padded::<Sha256>(&g, &self.public, &ephemeral.public);
        // With u = 0 a stolen verifier would do for a proof: SRP-6a's own safeguard.
        if u.is_zero().to_bool() {
            return Err(SrpError::Proof);
        }
        let premaster_secret = group.premaster_secret(
            &group.number(&self.public),
            &group.number(verifier.expose()),
            &u,
            &exponent(ephemeral.expose_secret()),
        );
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

/// A secret key, `b`, whose size alone shows in the time that a power takes.
fn exponent(secret: &[u8; 32]) -> Zeroizing<BoxedUint> {
    Zeroizing::new(BoxedUint::from_be_slice_truncated(secret, 256))
}

#[cfg(test)]
mod tests;
