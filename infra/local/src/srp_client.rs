//! A client of SRP-6a: the formulas of `shared::auth::srp`, from the other side.

use base64::{DecodeError, Engine, prelude::BASE64_STANDARD};
use num_bigint::BigUint;
use sha2::{Digest, Sha256};
use shared::auth::srp::Group;

/// The verifier to register a password with: `v = g^x`, padded to the group's size. The identity
/// is the canonical e-mail address.
pub fn verifier(group: Group, salt: &[u8], identity: &str, password: &str) -> Vec<u8> {
    pad(group, &Numbers::of(group).power(&password_key(salt, identity, password)))
}

/// A client in a handshake: its key pair, `a` and `A`.
pub struct SrpClient {
    group: Group,
    secret: BigUint,
    public: Vec<u8>,
}

/// What proves a password to the server, and then the server to its client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proofs {
    /// `M1`, for the server.
    pub client: [u8; 32],
    /// `M2`, which the server must answer with.
    pub server: [u8; 32],
}

impl SrpClient {
    /// Begins a handshake, with the secret `a`, which is random but in tests.
    pub fn start(group: Group, secret: [u8; 32]) -> Self {
        let secret = BigUint::from_bytes_be(&secret);
        let public = pad(group, &Numbers::of(group).power(&secret));
        Self { group, secret, public }
    }

    /// The public value, `A`, padded to the group's size.
    pub fn public(&self) -> &[u8] {
        &self.public
    }

    /// Proves a password to a server that sent the salt and its public value, `B`.
    pub fn prove(
        &self,
        server_public: &[u8],
        salt: &[u8],
        identity: &str,
        password: &str,
    ) -> Proofs {
        let premaster_secret =
            self.premaster_secret(server_public, &password_key(salt, identity, password));
        let server_public = pad(self.group, &BigUint::from_bytes_be(server_public));
        let key = hash(&[&premaster_secret]);
        let mut group_hash = hash(&[&self.group.modulus()]);
        for (byte, other) in group_hash.iter_mut().zip(hash(&[&[self.group.generator()]])) {
            *byte ^= other;
        }
        let client = hash(&[
            &group_hash,
            &hash(&[identity.as_bytes()]),
            salt,
            &self.public,
            &server_public,
            &key,
        ]);
        Proofs { client, server: hash(&[&self.public, &client, &key]) }
    }

    /// `S = (B - k g^x)^(a + u x)`, padded.
    // Of numbers without a bound.
    #[allow(clippy::arithmetic_side_effects)]
    fn premaster_secret(&self, server_public: &[u8], x: &BigUint) -> Vec<u8> {
        let Numbers { modulus, generator } = Numbers::of(self.group);
        let server_public = BigUint::from_bytes_be(server_public);
        let k = number(&[&self.group.modulus(), &pad(self.group, &generator)]);
        let u = number(&[&self.public, &pad(self.group, &server_public)]);
        let verifier = generator.modpow(x, &modulus);
        // With a multiple of N added, which keeps it from being negative.
        let base = server_public + &k * &modulus - k * verifier;
        pad(self.group, &base.modpow(&(&self.secret + u * x), &modulus))
    }
}

/// Bytes as the interface writes them: base64, the standard alphabet, padded.
pub fn to_base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// The bytes of what [`to_base64`] wrote.
///
/// # Errors
/// What is not base64.
pub fn from_base64(text: &str) -> Result<Vec<u8>, DecodeError> {
    BASE64_STANDARD.decode(text)
}

struct Numbers {
    modulus: BigUint,
    generator: BigUint,
}

impl Numbers {
    fn of(group: Group) -> Self {
        Self {
            modulus: BigUint::from_bytes_be(&group.modulus()),
            generator: group.generator().into(),
        }
    }

    fn power(&self, exponent: &BigUint) -> BigUint {
        self.generator.modpow(exponent, &self.modulus)
    }
}

/// `x = H(salt | H(I ":" P))`.
fn password_key(salt: &[u8], identity: &str, password: &str) -> BigUint {
    number(&[salt, &hash(&[identity.as_bytes(), b":", password.as_bytes()])])
}

fn pad(group: Group, number: &BigUint) -> Vec<u8> {
    let bytes = number.to_bytes_be();
    let mut padded = vec![0; group.size().saturating_sub(bytes.len())];
    padded.extend(bytes);
    padded
}

fn number(hashed: &[&[u8]]) -> BigUint {
    BigUint::from_bytes_be(&hash(hashed))
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    parts.iter().fold(Sha256::new(), Digest::chain_update).finalize().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

    use shared::auth::srp::{ClientProof, Ephemeral, SrpError, Verifier};

    use super::*;

    const IDENTITY: &str = "alice@example.com";
    const PASSWORD: &str = "correct horse battery staple";

    /// 32 bytes, random enough, and the same every time.
    fn bytes(purpose: &str, group: Group, seed: u32) -> [u8; 32] {
        hash(&[purpose.as_bytes(), &group.bits().to_be_bytes(), &seed.to_be_bytes()])
    }

    fn without_leading_zeros(number: &[u8]) -> &[u8] {
        &number[number.iter().take_while(|&&byte| byte == 0).count()..]
    }

    /// Runs a handshake, with numbers padded or not, and fails one with a wrong password.
    fn handshake(client: &SrpClient, salt: &[u8], server: (&Verifier, &Ephemeral)) {
        let (verifier, ephemeral) = server;
        let proofs = client.prove(ephemeral.public(), salt, IDENTITY, PASSWORD);
        let stripped = without_leading_zeros(ephemeral.public());
        assert_eq!(client.prove(stripped, salt, IDENTITY, PASSWORD), proofs);
        for public in [client.public(), without_leading_zeros(client.public())] {
            let proof = ClientProof::parse(client.group, public, &proofs.client).unwrap();
            let answer = proof.check(IDENTITY, salt, verifier, ephemeral);
            assert_eq!(answer, Ok(proofs.server));
        }
        let wrong = client.prove(ephemeral.public(), salt, IDENTITY, "another").client;
        let proof = ClientProof::parse(client.group, client.public(), &wrong).unwrap();
        let answer = proof.check(IDENTITY, salt, verifier, ephemeral);
        assert_eq!(answer, Err(SrpError::Proof));
    }

    #[test]
    fn a_password_is_proved_to_the_server() {
        for group in Group::ALL {
            for seed in 0..HANDSHAKES {
                let salt = bytes("salt", group, seed);
                let registered = verifier(group, &salt, IDENTITY, PASSWORD);
                let verifier = Verifier::parse(group, &registered).unwrap();
                let ephemeral = Ephemeral::new(&verifier, bytes("b", group, seed)).unwrap();
                let client = SrpClient::start(group, bytes("a", group, seed));
                handshake(&client, &salt, (&verifier, &ephemeral));
            }
        }
    }

    const HANDSHAKES: u32 = 200;
}
