#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use num_bigint::BigUint;
use proptest::{array::uniform32, collection::vec, prelude::*};
use serde::Deserialize;

use super::*;

/// A handshake of npm `fast-srp-hap` 2.0.4 with itself, checked by two other implementations.
#[derive(Deserialize)]
struct Vector {
    bits: Group,
    #[serde(rename = "I")]
    identity: String,
    salt: String,
    b: String,
    v: String,
    #[serde(rename = "A")]
    client_public: String,
    #[serde(rename = "B")]
    server_public: String,
    #[serde(rename = "M1")]
    client_proof: String,
    #[serde(rename = "M2")]
    server_proof: String,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("vectors.json")).unwrap()
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    hex::decode(hexadecimal).unwrap()
}

/// A vector's handshake as values of the types under test.
struct Handshake {
    group: Group,
    identity: String,
    salt: Vec<u8>,
    verifier: Verifier,
    ephemeral: Ephemeral,
    client_public: Vec<u8>,
    client_proof: Vec<u8>,
}

impl Handshake {
    fn new(vector: &Vector) -> Self {
        let verifier = Verifier::parse(vector.bits, &bytes(&vector.v)).unwrap();
        let secret = bytes(&vector.b).try_into().unwrap();
        Self {
            group: vector.bits,
            identity: vector.identity.clone(),
            salt: bytes(&vector.salt),
            ephemeral: Ephemeral::new(&verifier, secret).unwrap(),
            verifier,
            client_public: bytes(&vector.client_public),
            client_proof: bytes(&vector.client_proof),
        }
    }

    fn check(&self) -> Result<[u8; 32], SrpError> {
        ClientProof::parse(self.group, &self.client_public, &self.client_proof)?.check(
            &self.identity,
            &self.salt,
            &self.verifier,
            &self.ephemeral,
        )
    }
}

#[test]
fn handshakes_match_the_vectors() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 6);
    assert!(vectors.iter().any(|vector| vector.salt.starts_with("00")));
    for vector in &vectors {
        let handshake = Handshake::new(vector);
        assert_eq!(hex::encode(handshake.ephemeral.public()), vector.server_public);
        assert_eq!(hex::encode(handshake.check().unwrap()), vector.server_proof);
    }
}

#[test]
fn the_known_key_pair_is_made_of_the_verifier_alone() {
    for vector in vectors() {
        let (group, v) = (vector.bits, BigUint::from_bytes_be(&bytes(&vector.v)));
        let (n, g) = (group.modulus(), group.generator());
        let k = compute_hash::<Sha256>(&[n.clone(), pad(group, &g)].concat());
        let (k, n, g) =
            (BigUint::from_bytes_be(&k), BigUint::from_bytes_be(&n), BigUint::from_bytes_be(&g));
        let verifier = Verifier::parse(group, &bytes(&vector.v)).unwrap();
        let known = Ephemeral::known(&verifier).unwrap();
        assert_eq!(known.public(), pad(group, &((k * v + g) % n).to_bytes_be()));
    }
}

#[test]
fn a_proof_with_any_other_input_is_refused() {
    let vectors = vectors();
    let changes: [fn(&mut Handshake); 8] = [
        |handshake| handshake.client_proof[31] ^= 1,
        |handshake| handshake.client_proof[0] ^= 128,
        |handshake| handshake.client_public[100] ^= 1,
        |handshake| handshake.identity.make_ascii_uppercase(),
        |handshake| handshake.salt[0] ^= 1,
        |handshake| handshake.salt.truncate(31),
        |handshake| handshake.verifier = Verifier::fake(handshake.group, &[7; 64]),
        |handshake| {
            handshake.ephemeral = Ephemeral::new(&handshake.verifier, [7; 32]).unwrap();
        },
    ];
    for change in changes {
        let mut handshake = Handshake::new(&vectors[2]);
        change(&mut handshake);
        assert_eq!(handshake.check(), Err(SrpError::Proof));
    }
}

#[test]
fn a_proof_in_another_group_is_refused() {
    // With v = 1 and A = 1, S = 1 in every group, so only the groups differ.
    let (group, other) = (Group::Bits3072, Group::Bits4096);
    let [verifier, other_verifier] =
        [group, other].map(|group| Verifier::parse(group, &[1]).unwrap());
    let ephemeral = Ephemeral::new(&verifier, [7; 32]).unwrap();
    let other_ephemeral = Ephemeral::from_parts(other, [7; 32], ephemeral.public()).unwrap();
    let check = |verifier: &Verifier, ephemeral: &Ephemeral| {
        let public = pad(group, &[1]);
        let key = compute_hash::<Sha256>(&public);
        let (g, identity) = (group.element(), "a@example.com".as_bytes());
        let server_public = ephemeral.public();
        let proof =
            compute_m1_rfc5054::<Sha256>(&g, true, identity, &[], &public, server_public, &key);
        let proof = ClientProof::parse(group, &public, &proof).unwrap();
        proof.check("a@example.com", &[], verifier, ephemeral).map(|_| ())
    };
    assert_eq!(check(&verifier, &ephemeral), Ok(()));
    assert_eq!(check(&other_verifier, &ephemeral), Err(SrpError::Proof));
    assert_eq!(check(&verifier, &other_ephemeral), Err(SrpError::Proof));
}

/// Numbers outside the group, and the smallest and largest inside it.
fn outside_and_inside(group: Group) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let modulus = BigUint::from_bytes_be(&group.modulus());
    let mut too_long = vec![0; group.size()];
    too_long.push(1);
    let outside = vec![
        vec![],
        vec![0],
        vec![0; group.size()],
        modulus.to_bytes_be(),
        (&modulus + 1_u8).to_bytes_be(),
        (&modulus * 2_u8).to_bytes_be(),
        vec![255; group.size()],
        vec![255; 10_000],
        too_long,
    ];
    let mut padded_one = vec![0; group.size()];
    padded_one[group.size() - 1] = 1;
    (outside, vec![vec![1], padded_one, (modulus - 1_u8).to_bytes_be()])
}

#[test]
fn numbers_outside_the_group_are_refused() {
    for group in Group::ALL {
        let (outside, inside) = outside_and_inside(group);
        for number in outside {
            let error = Verifier::parse(group, &number).unwrap_err();
            assert_eq!(error, SrpError::Verifier);
            let error = ClientProof::parse(group, &number, &[0; 32]).unwrap_err();
            assert_eq!(error, SrpError::PublicValue, "checklist 34: numbers of a proof");
            assert!(Ephemeral::from_parts(group, [1; 32], &number).is_none());
        }
        for number in inside {
            let verifier = Verifier::parse(group, &number).unwrap();
            assert_eq!(verifier.expose(), pad(group, &number));
            let ephemeral = Ephemeral::new(&verifier, [1; 32]).unwrap();
            let proof = ClientProof::parse(group, &number, &[0; 32]).unwrap();
            let checked = proof.check("a@example.com", &[], &verifier, &ephemeral);
            assert_eq!(checked, Err(SrpError::Proof));
        }
        for length in [0, 33, 64] {
            let error = ClientProof::parse(group, &[1], &vec![0; length]).unwrap_err();
            assert_eq!(error, SrpError::ProofLength);
        }
        // Clients that compute with numbers drop leading zeros.
        let whole = [&[0, 0][..], &[7; 30]].concat();
        let proof = |proof: &[u8]| ClientProof::parse(group, &[1], proof).unwrap().proof;
        assert_eq!(proof(&whole[1..]), proof(&whole));
        assert_eq!(proof(&whole[2..]), proof(&whole));
        assert_ne!(proof(&whole[3..]), proof(&whole));
    }
}

#[test]
fn a_public_key_of_zero_is_never_sent() {
    for group in Group::ALL {
        let modulus = BigUint::from_bytes_be(&group.modulus());
        let secret = [0x5a; 32];
        let power = generator(group).modpow(&BigUint::from_bytes_be(&secret), &modulus);
        let k = BigUint::from_bytes_be(&compute_k::<Sha256>(&group.element()).to_be_bytes());
        let v = (&modulus - power) * k.modinv(&modulus).unwrap() % &modulus;
        let verifier = Verifier::parse(group, &v.to_bytes_be()).unwrap();
        assert!(Ephemeral::new(&verifier, secret).is_none());
        assert!(Ephemeral::new(&verifier, [0x5b; 32]).is_some());
    }
}

#[test]
fn a_stored_key_pair_is_restored_unchanged() {
    let mut handshake = Handshake::new(&vectors()[2]);
    let answer = handshake.check();
    assert!(answer.is_ok());
    let Ephemeral { group, secret, public } = &handshake.ephemeral;
    handshake.ephemeral = Ephemeral::from_parts(*group, *secret.expose_secret(), public).unwrap();
    assert_eq!(handshake.check(), answer);
}

#[test]
fn fake_verifiers_are_in_range() {
    for group in Group::ALL {
        for pseudorandom in [[0; 64], [1; 64], [255; 64]] {
            let fake = Verifier::fake(group, &pseudorandom);
            assert!(Verifier::parse(group, fake.expose()).is_ok());
        }
        assert_ne!(
            Verifier::fake(group, &[1; 64]).expose(),
            Verifier::fake(group, &[3; 64]).expose()
        );
    }
}

#[test]
fn debug_output_hides_secrets() {
    let handshake = Handshake::new(&vectors()[2]);
    let shown = format!("{:?} {:?}", handshake.verifier, handshake.ephemeral);
    assert_eq!(shown.matches("REDACTED").count(), 2);
    // The bytes of `b` are all 34.
    assert!(!shown.contains("34, 34"));
}

#[test]
fn a_group_is_its_bits_in_json() {
    for (group, text) in Group::ALL.into_iter().zip(["2048", "3072", "4096"]) {
        assert_eq!(serde_json::to_string(&group).unwrap(), text);
        assert_eq!(serde_json::from_str::<Group>(text).unwrap(), group);
        assert_eq!(group.modulus().len(), group.size());
    }
    for text in ["0", "1024", "3073", "-3072", "70000", "3072.5", "\"3072\"", "null"] {
        assert!(serde_json::from_str::<Group>(text).is_err(), "{text}");
    }
    assert_eq!(
        serde_json::to_value(<Group as utoipa::PartialSchema>::schema()).unwrap(),
        serde_json::json!({ "type": "integer", "enum": [2048, 3072, 4096], "examples": [3072] })
    );
}

fn pad(group: Group, number: &[u8]) -> Vec<u8> {
    let mut padded = vec![0; group.size() - number.len()];
    padded.extend_from_slice(number);
    padded
}

fn generator(group: Group) -> BigUint {
    BigUint::from_bytes_be(&group.generator())
}

/// Compares the results of the arithmetic with those of num-bigint.
fn compare(group: Group, k: [u8; 32], number: &[u8], other: &[u8], u: [u8; 32], b: [u8; 32]) {
    let modulus = BigUint::from_bytes_be(&group.modulus());
    let [big_k, v, a, big_u, big_b] = [&k, number, other, &u, &b].map(BigUint::from_bytes_be);
    let [number, other] = [number, other].map(|number| group.number(number));
    let [k, u, b] = [k, u, b].map(|number| exponent(&number));

    let public = big_k * &v + generator(group).modpow(&big_b, &modulus);
    assert_eq!(
        group.server_public(&b, &k, &number).to_be_bytes().to_vec(),
        pad(group, &(public % &modulus).to_bytes_be())
    );
    let premaster_secret = (a * v.modpow(&big_u, &modulus)).modpow(&big_b, &modulus);
    assert_eq!(
        group.premaster_secret(&other, &number, &u, &b).to_be_bytes().to_vec(),
        pad(group, &premaster_secret.to_bytes_be())
    );
}

#[test]
fn arithmetic_matches_at_the_edges() {
    for group in Group::ALL {
        let greatest = (BigUint::from_bytes_be(&group.modulus()) - 1_u8).to_bytes_be();
        for exponent in [[0; 32], [255; 32]] {
            for number in [&[1], greatest.as_slice()] {
                compare(group, [255; 32], number, &greatest, [255; 32], exponent);
                compare(group, [0; 32], &greatest, number, exponent, [255; 32]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn arithmetic_matches_num_bigint(
        k in uniform32(any::<u8>()),
        number in vec(any::<u8>(), 512),
        // Long runs of ones and zeros cause carries that random bytes rarely do.
        runs in vec(prop::sample::select(vec![0, 255]), 512),
        u in uniform32(any::<u8>()),
        b in uniform32(any::<u8>()),
    ) {
        for group in Group::ALL {
            let modulus = BigUint::from_bytes_be(&group.modulus());
            let [number, runs] = [&number, &runs]
                .map(|bytes| (BigUint::from_bytes_be(bytes) % &modulus).to_bytes_be());
            compare(group, k, &number, &runs, u, b);
            compare(group, k, &runs, &number, u, b);
        }
    }
}
