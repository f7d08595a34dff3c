//! An SRP-6a client: the counterpart of the formulas in `identity::srp`.

use base64::{DecodeError, Engine, prelude::BASE64_STANDARD};
use identity::srp::Group;
use num_bigint::BigUint;
use sha2::{Digest, Sha256};

/// The verifier that registers a password: `v = g^x`, padded to the group's size. The identity is the
/// canonical e-mail address.
pub fn verifier(group: Group, salt: &[u8], identity: &str, password: &str) -> Vec<u8> {
    pad(group, &Numbers::of(group).power(&password_key(salt, identity, password)))
}

/// The public value of a server whose secret is 1, `B = k v + g`, padded. A registration is proved with it.
// These numbers have arbitrary precision, so the arithmetic cannot overflow.
#[allow(clippy::arithmetic_side_effects)]
pub fn known_server_public(group: Group, verifier: &[u8]) -> Vec<u8> {
    let numbers = Numbers::of(group);
    let verifier = BigUint::from_bytes_be(verifier);
    pad(group, &((numbers.multiplier(group) * verifier + &numbers.generator) % &numbers.modulus))
}

/// A client in a handshake: its key pair `a` and `A`.
pub struct SrpClient {
    group: Group,
    secret: BigUint,
    public: Vec<u8>,
}

/// The two proofs of a handshake: the client's, and the one expected from the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proofs {
    /// `M1`, for the server.
    pub client: [u8; 32],
    /// `M2`, which the server must return.
    pub server: [u8; 32],
}

impl SrpClient {
    /// Begins a handshake with the secret `a`, which is random outside of tests.
    pub fn start(group: Group, secret: [u8; 32]) -> Self {
        let secret = BigUint::from_bytes_be(&secret);
        let public = pad(group, &Numbers::of(group).power(&secret));
        Self { group, secret, public }
    }

    /// The public value `A`, padded to the group's size.
    pub fn public(&self) -> &[u8] {
        &self.public
    }

    /// Proves a password to a server that has sent the salt and its public value `B`.
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
        for (byte, other) in group_hash.iter_mut().zip(hash(&[&self.group.generator()])) {
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
    // These numbers have arbitrary precision, so the arithmetic cannot overflow.
    #[allow(clippy::arithmetic_side_effects)]
    fn premaster_secret(&self, server_public: &[u8], x: &BigUint) -> Vec<u8> {
        let numbers = Numbers::of(self.group);
        let k = numbers.multiplier(self.group);
        let Numbers { modulus, generator } = numbers;
        let server_public = BigUint::from_bytes_be(server_public);
        let u = number(&[&self.public, &pad(self.group, &server_public)]);
        let verifier = generator.modpow(x, &modulus);
        // Adds a multiple of N, so that the difference is not negative.
        let base = server_public + &k * &modulus - k * verifier;
        pad(self.group, &base.modpow(&(&self.secret + u * x), &modulus))
    }
}

/// Base64 in the API's format: the standard alphabet, padded.
pub fn to_base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// Decodes the output of [`to_base64`].
///
/// # Errors
/// The text is not base64.
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
            generator: BigUint::from_bytes_be(&group.generator()),
        }
    }

    /// `k = H(N | PAD(g))`.
    fn multiplier(&self, group: Group) -> BigUint {
        number(&[&group.modulus(), &pad(group, &self.generator)])
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

    use identity::srp::{ClientProof, Ephemeral, SrpError, Verifier};

    use super::*;

    const IDENTITY: &str = "alice@example.com";
    const PASSWORD: &str = "correct horse battery staple";

    /// 32 deterministic bytes that look random.
    fn bytes(purpose: &str, group: Group, seed: u32) -> [u8; 32] {
        hash(&[purpose.as_bytes(), &group.bits().to_be_bytes(), &seed.to_be_bytes()])
    }

    struct Handshake {
        group: Group,
        salt: [u8; 32],
        verifier: Verifier,
        ephemeral: Ephemeral,
        client: SrpClient,
    }

    impl Handshake {
        fn new(group: Group, client_seed: u32, server_seed: u32) -> Self {
            let salt = bytes("salt", group, 0);
            let registered = verifier(group, &salt, IDENTITY, PASSWORD);
            let verifier = Verifier::parse(group, &registered).unwrap();
            let ephemeral = Ephemeral::new(&verifier, bytes("b", group, server_seed)).unwrap();
            let client = SrpClient::start(group, bytes("a", group, client_seed));
            Self { group, salt, verifier, ephemeral, client }
        }

        fn prove(&self, server_public: &[u8], password: &str) -> Proofs {
            self.client.prove(server_public, &self.salt, IDENTITY, password)
        }

        fn check(&self, client_public: &[u8], proof: &[u8]) -> Result<[u8; 32], SrpError> {
            let proof = ClientProof::parse(self.group, client_public, proof).unwrap();
            proof.check(IDENTITY, &self.salt, &self.verifier, &self.ephemeral)
        }

        /// Whether `A`, `B` and `S` begin with a zero byte.
        fn leading_zeros(&self) -> [bool; 3] {
            let x = password_key(&self.salt, IDENTITY, PASSWORD);
            let secret = self.client.premaster_secret(self.ephemeral.public(), &x);
            [self.client.public(), self.ephemeral.public(), &secret].map(|number| number[0] == 0)
        }
    }

    #[test]
    fn a_password_is_proved_to_the_server() {
        for group in Group::ALL {
            for seed in 0..3 {
                let handshake = Handshake::new(group, seed, seed);
                let server_public = handshake.ephemeral.public();
                let proofs = handshake.prove(server_public, PASSWORD);
                let answer = handshake.check(handshake.client.public(), &proofs.client);
                assert_eq!(answer, Ok(proofs.server));
                let wrong = handshake.prove(server_public, "another").client;
                let answer = handshake.check(handshake.client.public(), &wrong);
                assert_eq!(answer, Err(SrpError::Proof));
            }
        }
    }

    #[test]
    fn leading_zeros_do_not_matter() {
        // Found by search: seeds of client and server whose handshake has leading zeros in A, B and S.
        let seeds = [
            (Group::Bits2048, [(9, 0), (0, 154), (85, 0)]),
            (Group::Bits3072, [(36, 0), (0, 340), (389, 0)]),
            (Group::Bits4096, [(149, 0), (0, 74), (162, 0)]),
        ];
        for (group, seeds) in seeds {
            for (i, (client_seed, server_seed)) in seeds.into_iter().enumerate() {
                let handshake = Handshake::new(group, client_seed, server_seed);
                assert!(handshake.leading_zeros()[i]);
                // Once padded, once with the zeros stripped.
                let [client_public, server_public] =
                    [handshake.client.public(), handshake.ephemeral.public()]
                        .map(|public| BigUint::from_bytes_be(public).to_bytes_be());
                let proofs = handshake.prove(handshake.ephemeral.public(), PASSWORD);
                assert_eq!(handshake.prove(&server_public, PASSWORD), proofs);
                let answer = handshake.check(handshake.client.public(), &proofs.client);
                assert_eq!(answer, Ok(proofs.server));
                let answer = handshake.check(&client_public, &proofs.client);
                assert_eq!(answer, Ok(proofs.server));
            }
        }
    }

    #[test]
    fn base64_round_trips() {
        assert_eq!(to_base64(&[0, 255]), "AP8=");
        assert_eq!(from_base64("AP8=").unwrap(), [0, 255]);
        assert!(from_base64("AP8").is_err());
    }
}
