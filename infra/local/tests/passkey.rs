//! Passkeys against a software authenticator: the valid flow, and every deviation from it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

use base::random::SystemSource;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use identity::passkey::{
    AuthenticationState, LIFETIME, Passkey, PasskeyError, Refusal, RegistrationState, RelyingParty,
    Updated, User,
};
use local::authenticator::{
    Authenticator, BACKUP_ELIGIBLE, BACKUP_STATE, Misbehaviour, USER_PRESENT, USER_VERIFIED,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

const ORIGIN: &str = "https://app.runeport.example";
const ACCOUNT: Uuid = Uuid::from_u128(0x018b_cfe5_6800_7000_8000_0000_0000_0001);

fn relying_party() -> RelyingParty {
    RelyingParty {
        id: "runeport.example".into(),
        name: "Runeport".into(),
        origins: vec!["http://localhost:5173".into(), ORIGIN.into()],
    }
}

fn authenticator() -> Authenticator {
    Authenticator::new(ORIGIN, "runeport.example")
}

fn start_registration() -> (Value, RegistrationState) {
    let user = User { handle: ACCOUNT, name: "ada@runeport.example", display_name: "Ada" };
    relying_party().start_registration(&SystemSource, user, [])
}

fn start_authentication() -> (Value, AuthenticationState) {
    relying_party().start_authentication(&SystemSource)
}

/// Parses the answer as a request body does.
fn register(state: &RegistrationState, answer: &Value) -> Result<Passkey, PasskeyError> {
    let answer = serde_json::from_value(answer.clone()).unwrap();
    relying_party().finish_registration(state, &answer)
}

fn authenticate(
    state: &AuthenticationState,
    answer: &Value,
    passkey: &Passkey,
) -> Result<Updated, PasskeyError> {
    let answer = serde_json::from_value(answer.clone()).unwrap();
    relying_party().finish_authentication(state, &answer, passkey)
}

fn registered(authenticator: &mut Authenticator) -> Passkey {
    let (options, state) = start_registration();
    register(&state, &authenticator.create(&options).unwrap()).unwrap()
}

/// Serializes and parses it, as storage does.
fn stored<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_value(serde_json::to_value(value).unwrap()).unwrap()
}

#[test]
fn a_passkey_registers_and_signs_in() {
    let mut authenticator = authenticator();
    let (options, state) = start_registration();
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(options["attestation"], "none");
    assert_eq!(options["timeout"], 300_000);
    assert_eq!(LIFETIME.as_secs(), 300);
    assert_eq!(options["user"]["id"], BASE64_URL_SAFE_NO_PAD.encode(ACCOUNT.as_bytes()));
    let passkey = register(&stored(&state), &authenticator.create(&options).unwrap()).unwrap();
    assert_eq!((passkey.user_handle, passkey.sign_count), (ACCOUNT, 0));
    assert!(!passkey.backup_eligible && !passkey.backup_state);
    assert_eq!(passkey.transports, ["internal", "hybrid"]);

    let mut passkey = stored(&passkey);
    for count in 1..=2 {
        let (options, state) = start_authentication();
        assert_eq!(options["allowCredentials"], json!([]));
        let answer = authenticator.get(&options).unwrap();
        let updated = authenticate(&stored(&state), &answer, &passkey).unwrap();
        assert_eq!(updated, Updated { sign_count: count, backup_state: false });
        passkey.sign_count = updated.sign_count;
    }
}

#[test]
fn challenges_are_32_bytes_and_unique() {
    let challenges: Vec<_> =
        (0..4).map(|_| start_authentication().0["challenge"].clone()).collect();
    for challenge in &challenges {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(challenge.as_str().unwrap()).unwrap();
        assert_eq!(bytes.len(), 32);
        assert_eq!(challenges.iter().filter(|other| *other == challenge).count(), 1);
    }
}

#[test]
fn an_authenticator_creates_one_passkey_per_account() {
    let mut authenticator = authenticator();
    let passkey = registered(&mut authenticator);
    let user = User { handle: ACCOUNT, name: "ada@runeport.example", display_name: "" };
    let (options, _) =
        relying_party().start_registration(&SystemSource, user, [passkey.credential_id.as_str()]);
    assert!(authenticator.create(&options).is_err());
}

/// Faults that apply to both ceremonies, and the error of each.
fn faults_of_both() -> Vec<(Misbehaviour, Refusal)> {
    let origin = |text: &str| Misbehaviour::Origin(text.to_owned());
    vec![
        (Misbehaviour::Flags(USER_PRESENT), Refusal::UserVerification),
        (Misbehaviour::Flags(USER_VERIFIED), Refusal::UserPresence),
        (Misbehaviour::Flags(USER_PRESENT | USER_VERIFIED | BACKUP_STATE), Refusal::Backup),
        (origin("https://runeport.example"), Refusal::Origin),
        (origin("https://app.runeport.example/"), Refusal::Origin),
        (origin("https://app.runeport.example:8443"), Refusal::Origin),
        (origin("http://app.runeport.example"), Refusal::Origin),
        (origin("https://evil.app.runeport.example"), Refusal::Origin),
        (Misbehaviour::CrossOrigin, Refusal::CrossOrigin),
        (Misbehaviour::TopOrigin("https://evil.example".into()), Refusal::CrossOrigin),
        (Misbehaviour::Type, Refusal::Type),
        (Misbehaviour::Challenge("AAAA".into()), Refusal::Challenge),
        (Misbehaviour::RpId("example".into()), Refusal::RelyingParty),
    ]
}

#[test]
fn a_wrong_registration_is_refused() {
    let faults_of_registration = [(Misbehaviour::Algorithm(-35), Refusal::Algorithm)];
    for (misbehaviour, refusal) in faults_of_both().into_iter().chain(faults_of_registration) {
        let mut authenticator = authenticator();
        let (options, state) = start_registration();
        authenticator.misbehaviour = Some(misbehaviour.clone());
        let answer = authenticator.create(&options).unwrap();
        assert_eq!(register(&state, &answer), Err(refusal.into()), "{misbehaviour:?}");
    }
    let mut authenticator = authenticator();
    let (options, state) = start_registration();
    let mut answer = authenticator.create(&options).unwrap();
    answer["id"] = json!("AAAAAAAAAAAAAAAAAAAAAA");
    assert_eq!(register(&state, &answer), Err(Refusal::Credential.into()));
}

#[test]
fn a_wrong_sign_in_is_refused() {
    let handle = |bytes: &[u8]| Misbehaviour::UserHandle(Some(bytes.to_vec()));
    let faults_of_sign_in = [
        (Misbehaviour::Flags(USER_PRESENT | USER_VERIFIED | BACKUP_ELIGIBLE), Refusal::Backup),
        (Misbehaviour::UserHandle(None), Refusal::NoUserHandle),
        (handle(&[]), Refusal::UserHandle),
        (handle(Uuid::nil().as_bytes()), Refusal::UserHandle),
        (Misbehaviour::Signature, Refusal::Signature),
    ];
    let mut authenticator = authenticator();
    let passkey = registered(&mut authenticator);
    for (misbehaviour, refusal) in faults_of_both().into_iter().chain(faults_of_sign_in) {
        let (options, state) = start_authentication();
        authenticator.misbehaviour = Some(misbehaviour.clone());
        let answer = authenticator.get(&options).unwrap();
        let refused = authenticate(&state, &answer, &passkey);
        assert_eq!(refused, Err(refusal.into()), "{misbehaviour:?}");
    }
}

#[test]
fn a_counter_that_does_not_increase_is_refused() {
    let mut authenticator = authenticator();
    let mut passkey = registered(&mut authenticator);
    let mut sign_in = |passkey: &Passkey, count| {
        authenticator.misbehaviour = Some(Misbehaviour::Counter(count));
        let (options, state) = start_authentication();
        let answer = authenticator.get(&options).unwrap();
        authenticate(&state, &answer, passkey).map(|updated| updated.sign_count)
    };
    assert_eq!(sign_in(&passkey, 0), Ok(0), "an authenticator without a counter");
    assert_eq!(sign_in(&passkey, 9), Ok(9));
    passkey.sign_count = 9;
    for count in [0, 8, 9] {
        assert_eq!(sign_in(&passkey, count), Err(Refusal::Counter.into()));
    }
    assert_eq!(sign_in(&passkey, u32::MAX), Ok(u32::MAX));
}

#[test]
fn backup_flags_are_stored() {
    let mut authenticator = authenticator();
    let flags = USER_PRESENT | USER_VERIFIED | BACKUP_ELIGIBLE;
    authenticator.misbehaviour = Some(Misbehaviour::Flags(flags));
    let passkey = registered(&mut authenticator);
    assert!(passkey.backup_eligible && !passkey.backup_state);
    let (options, state) = start_authentication();
    authenticator.misbehaviour = Some(Misbehaviour::Flags(flags | BACKUP_STATE));
    let answer = authenticator.get(&options).unwrap();
    assert!(authenticate(&state, &answer, &passkey).unwrap().backup_state);
}

#[test]
fn an_answer_is_valid_for_its_own_challenge_and_passkey_only() {
    let mut authenticator = authenticator();
    let passkey = registered(&mut authenticator);
    let (options, state) = start_authentication();
    let answer = authenticator.get(&options).unwrap();
    let (_, another) = start_authentication();
    assert_eq!(authenticate(&another, &answer, &passkey), Err(Refusal::Challenge.into()));

    let other = registered(&mut authenticator);
    assert_eq!(authenticate(&state, &answer, &other), Err(Refusal::Credential.into()));
    let forged = Passkey { public_key: other.public_key, ..passkey.clone() };
    assert_eq!(authenticate(&state, &answer, &forged), Err(Refusal::Signature.into()));
    assert!(authenticate(&state, &answer, &passkey).is_ok());

    let (options, state) = start_registration();
    let answer = authenticator.create(&options).unwrap();
    let (_, another) = start_registration();
    assert_eq!(register(&another, &answer), Err(Refusal::Challenge.into()));
    assert!(register(&state, &answer).is_ok());
}

fn is_malformed<T>(result: Result<T, PasskeyError>) -> bool {
    matches!(result, Err(PasskeyError::Malformed(_)))
}

#[test]
fn invalid_members_are_malformed() {
    let mut authenticator = authenticator();
    let (options, registration) = start_registration();
    let created = authenticator.create(&options).unwrap();
    let passkey = register(&registration, &created).unwrap();
    let (options, authentication) = start_authentication();
    let got = authenticator.get(&options).unwrap();
    let encoded = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    for junk in [
        encoded(b""),
        encoded(b"{}"),
        encoded(b"\xff"),
        encoded(&[0x5f; 64]),
        encoded(&[0x84; 8000]),
    ] {
        for member in ["clientDataJSON", "attestationObject"] {
            let mut answer = created.clone();
            answer["response"][member] = json!(junk);
            assert!(is_malformed(register(&registration, &answer)), "{member} {junk}");
        }
        for member in ["clientDataJSON", "authenticatorData"] {
            let mut answer = got.clone();
            answer["response"][member] = json!(junk);
            let refused = authenticate(&authentication, &answer, &passkey);
            // Any 64 bytes parse as authenticator data, whose relying party is then an arbitrary one.
            let other = Err(Refusal::RelyingParty.into());
            assert!(is_malformed(refused) || refused == other, "{member} {junk}");
        }
    }
    let mut answer = created;
    answer["response"]["transports"] = json!(vec!["usb"; 17]);
    assert!(is_malformed(register(&registration, &answer)));
    answer["response"]["transports"] = json!(["x".repeat(33)]);
    assert!(is_malformed(register(&registration, &answer)));
}

#[test]
fn invalid_json_is_not_parsed() {
    let mut authenticator = authenticator();
    let passkey = registered(&mut authenticator);
    let good = authenticator.get(&start_authentication().0).unwrap();
    let read = |answer: &Value| {
        serde_json::from_value::<identity::passkey::AuthenticationResponse>(answer.clone())
    };
    assert_eq!(read(&good).unwrap().credential_id(), passkey.credential_id);
    for (pointer, junk) in [
        ("/id", json!(1)),
        ("/id", json!("====")),
        ("/type", json!("password")),
        ("/response", json!([])),
        ("/response/signature", json!("a b")),
        ("/response/signature", json!("A".repeat(16 * 1024 + 4))),
        ("/response/userHandle", json!("+/+/")),
        ("/response/clientDataJSON", Value::Null),
    ] {
        let mut answer = good.clone();
        *answer.pointer_mut(pointer).unwrap() = junk.clone();
        assert!(read(&answer).is_err(), "{pointer} {junk}");
    }
    let mut answer = good;
    answer.as_object_mut().unwrap().remove("type");
    assert!(read(&answer).is_err());
}

/// A base64url text with one bit flipped.
fn flipped(text: &Value, at: usize) -> Value {
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap();
    let bit = at % (bytes.len() * 8);
    bytes[bit / 8] ^= 1 << (bit % 8);
    json!(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Arbitrary JSON, mostly small.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        "[A-Za-z0-9_-]{0,80}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z]{0,17}", inner, 0..4)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_bit_of_a_sign_in_is_verified(
        member in prop::sample::select(vec![
            "/id",
            "/response/clientDataJSON",
            "/response/authenticatorData",
            "/response/signature",
            "/response/userHandle",
        ]),
        at in any::<usize>(),
    ) {
        let mut authenticator = authenticator();
        let passkey = registered(&mut authenticator);
        let (options, state) = start_authentication();
        let mut answer = authenticator.get(&options).unwrap();
        prop_assert!(authenticate(&state, &answer, &passkey).is_ok());
        let changed = answer.pointer_mut(member).unwrap();
        *changed = flipped(changed, at);
        prop_assert!(authenticate(&state, &answer, &passkey).is_err());
    }

    /// A registration is not signed: arbitrary changes never cause a panic, and an accepted one belongs to
    /// the account.
    #[test]
    fn no_registration_panics(
        changes in prop::collection::vec((any::<bool>(), any::<usize>()), 1..4),
        cut in prop::option::of(0..400_usize),
    ) {
        let mut authenticator = authenticator();
        let (options, state) = start_registration();
        let mut answer = authenticator.create(&options).unwrap();
        for (client_data, at) in changes {
            let name = if client_data { "clientDataJSON" } else { "attestationObject" };
            answer["response"][name] = flipped(&answer["response"][name], at);
        }
        if let Some(cut) = cut {
            let object = answer["response"]["attestationObject"].as_str().unwrap();
            let length = object.len().min(cut / 4 * 4);
            answer["response"]["attestationObject"] = json!(object[..length]);
        }
        if let Ok(passkey) = register(&state, &answer) {
            prop_assert_eq!(passkey.user_handle, ACCOUNT);
        }
    }

    /// Arbitrary JSON in place of a member never causes a panic, and never signs in.
    #[test]
    fn no_json_panics(
        member in prop::sample::select(vec![
            "",
            "/id",
            "/type",
            "/response",
            "/response/clientDataJSON",
            "/response/authenticatorData",
            "/response/attestationObject",
            "/response/signature",
            "/response/userHandle",
        ]),
        junk in any_json(),
    ) {
        let mut authenticator = authenticator();
        let (registering, registration) = start_registration();
        let mut created = authenticator.create(&registering).unwrap();
        let passkey = register(&registration, &created).unwrap();
        let (options, authentication) = start_authentication();
        let mut got = authenticator.get(&options).unwrap();
        if let Some(place) = created.pointer_mut(member).filter(|_| member != "/response/authenticatorData") {
            *place = junk.clone();
            if let Ok(answer) = serde_json::from_value(created) {
                prop_assert!(relying_party().finish_registration(&registration, &answer).is_err());
            }
        }
        if let Some(place) = got.pointer_mut(member) {
            *place = junk;
            if let Ok(answer) = serde_json::from_value(got) {
                let refused = relying_party().finish_authentication(&authentication, &answer, &passkey);
                prop_assert!(refused.is_err(), "checklist 34: answers of authenticators");
            }
        }
    }

    /// Arbitrary bytes in the fields of a well-formed answer never cause a panic, and are never accepted.
    #[test]
    fn no_bytes_panic(
        client_data in prop::collection::vec(any::<u8>(), 0..200),
        data in prop::collection::vec(any::<u8>(), 0..600),
        signature in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let mut authenticator = authenticator();
        let passkey = registered(&mut authenticator);
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let (options, state) = start_registration();
        let mut answer = authenticator.create(&options).unwrap();
        answer["response"]["attestationObject"] = json!(encode(&data));
        prop_assert!(register(&state, &answer).is_err());
        answer["response"]["clientDataJSON"] = json!(encode(&client_data));
        prop_assert!(register(&state, &answer).is_err());

        let (options, state) = start_authentication();
        let mut answer = authenticator.get(&options).unwrap();
        answer["response"]["signature"] = json!(encode(&signature));
        prop_assert!(authenticate(&state, &answer, &passkey).is_err());
        answer["response"]["authenticatorData"] = json!(encode(&data));
        prop_assert!(authenticate(&state, &answer, &passkey).is_err());
    }
}
