//! The schemas of requests agree with the service: everything that the service accepts matches its schema,
//! and nothing that matches its schema is refused for its form.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use std::cell::Cell;

use auth::srp::Name;
use base::random::SystemSource;
use base64::{Engine, prelude::BASE64_STANDARD};
use chain::{models::amount::Units, transactions::read_psbt};
use http::{HeaderMap, HeaderValue};
use identity::{
    passkey::AuthenticationResponse,
    second_factor::{Code, recovery_codes},
    srp::{ClientProof, Group, Verifier},
    wallet::GivenKey,
};
use local::{
    LocalStack, Wallet,
    client::{Answer, Client},
    functions,
    openapi::{
        self,
        texts::{self, is_bare_text},
    },
    sign_in,
    srp_accounts::SrpAccount,
};
use medias::{media_type::MediaType, older::CONDITIONS};
use outbox::events::EventsQuery;
use perp_venue::venue::usdc::UsdcAmount;
use proptest::prelude::*;
use regex::Regex;
use serde_json::{Value, json};
use shared::{
    auth::device_token::DeviceToken,
    input::{Fields, Input},
    models::{
        account::AccountId,
        bitcoin::{BitcoinToken, EtchedRune, InscriptionId, OutPoint},
        email::EmailAddress,
        event::EventType,
        export::{HistoryChain, Moment},
        token::TokenChain,
        wallet::{AddressText, Chain, WalletAddress},
    },
    network::Network,
};

/// A PSBT without inputs and outputs.
const PSBT: &str = "cHNidP8BAAoCAAAAAAAAAAAAAA==";

/// The pattern of a format: that of a schema in the document, or of an entry of [`texts::ALL`].
fn pattern_text(format: &str) -> String {
    let schema = match format {
        "base64url" => "Base64Url",
        "bitcoin-token" => "BitcoinToken",
        "email-address" => "EmailAddress",
        "inscription-id" => "InscriptionId",
        "positive-units" => "PositiveUnits",
        "usdc-amount" => "UsdcAmount",
        "history-chain" => "HistoryChain",
        "rune-id" => "EtchedRune",
        "token-chain" => "TokenChain",
        _ => {
            let text = texts::ALL.iter().find(|text| text.format == format).unwrap();
            return text.pattern.unwrap().to_owned();
        }
    };
    let document = openapi::document().unwrap();
    document["components"]["schemas"][schema]["pattern"].as_str().unwrap().to_owned()
}

fn pattern(format: &str) -> Regex {
    Regex::new(&pattern_text(format)).unwrap()
}

fn parse_field<T>(text: &str, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Option<T> {
    let object = json!({ "text": text });
    read(&mut Fields::new(object.as_object().unwrap()))
}

/// Whether the service reads a text as one of this kind.
fn accepts(format: &str, text: &str) -> bool {
    match format {
        "base64-of-32-bytes" => {
            parse_field(text, |it| it.base64("text", 684)).is_some_and(|bytes| bytes.len() == 32)
        }
        "byte" => parse_field(text, |it| it.base64("text", 684)).is_some(),
        "srp-number" => parse_field(text, |it| it.base64("text", 684))
            .is_some_and(|bytes| Verifier::parse(Group::Bits4096, &bytes).is_ok()),
        "srp-proof" => parse_field(text, |it| it.base64("text", 44))
            .is_some_and(|bytes| ClientProof::parse(Group::Bits2048, &[1], &bytes).is_ok()),
        "base64url" => {
            let response =
                json!({ "clientDataJSON": "", "authenticatorData": "", "signature": "" });
            let credential = json!({ "id": text, "type": "public-key", "response": response });
            serde_json::from_value::<AuthenticationResponse>(credential).is_ok()
        }
        "email-address" => parse_field(text, |it| it.parsed::<EmailAddress>("text", 254)).is_some(),
        "email-or-account-id" => parse_field(text, |it| it.parsed::<Name>("text", 254)).is_some(),
        "otp-code" => parse_field(text, |it| it.optional_parsed::<Code>("text", 64)).is_some(),
        "device-token" => {
            let Ok(value) = HeaderValue::from_str(text) else { return false };
            let mut headers = HeaderMap::new();
            headers.insert("device-token", value);
            DeviceToken::read(&headers).is_some()
        }
        "address" => {
            let network = Network::Bitcoin;
            text.parse::<AddressText>().is_ok() || WalletAddress::infer(text, network).is_ok()
        }
        "bitcoin-address" => {
            let parsed = WalletAddress::parse(Chain::Bitcoin, text, Network::Bitcoin);
            text.is_empty() || parsed.is_ok()
        }
        "bitcoin-key" => GivenKey::parse(text).is_some(),
        "psbt" => read_psbt(text).is_ok(),
        "outpoint" => text.parse::<OutPoint>().is_ok(),
        "inscription-id" => text.parse::<InscriptionId>().is_ok(),
        "bitcoin-token" => text.parse::<BitcoinToken>().is_ok(),
        "rune-id" => text.parse::<EtchedRune>().is_ok(),
        "history-chain" => text.parse::<HistoryChain>().is_ok(),
        "token-chain" => text.parse::<TokenChain>().is_ok(),
        "instant" => text.parse::<Moment>().is_ok(),
        "media-filename" => MediaType::of(text).is_some(),
        "label" => parse_field(text, |it| it.optional_name("text", 64)).is_some(),
        "event-types" => {
            let query = json!({ "types": text });
            EventsQuery::read(&mut Fields::new(query.as_object().unwrap())).is_some()
        }
        "positive-units" => {
            parse_field(text, |it| it.parsed::<Units>("text", 39)).is_some_and(|it| it.0 > 0)
        }
        "usdc-amount" => {
            parse_field(text, |it| it.parsed::<UsdcAmount>("text", UsdcAmount::LONGEST)).is_some()
        }
        "rune-ids" => text.split(',').all(|one| one.trim().parse::<EtchedRune>().is_ok()),
        unknown => panic!("{unknown} has no parser here"),
    }
}

/// A text that the service accepts, of each kind that has a parser.
const SAMPLES: &[(&str, &str)] = &[
    ("base64-of-32-bytes", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE="),
    ("byte", "AAECAwQFBg=="),
    ("device-token", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-_"),
    ("address", "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"),
    ("srp-number", "AAABAgMEBQY="),
    ("srp-proof", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE="),
    ("base64url", "AAECAwQFBg"),
    ("email-address", " Name.of+me@mail.example.com"),
    ("email-or-account-id", "018bcfe5-6800-7000-8000-00000000000a"),
    ("otp-code", "123 456"),
    ("bitcoin-address", "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"),
    ("bitcoin-key", "03c4b1f3709e8296e2ac9a517ba47596729ca1a0f82565fc529033c8a5d953ad62"),
    ("psbt", PSBT),
    ("outpoint", "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799:0"),
    ("instant", "2026-01-01T02:00:00.123+02:00"),
    ("media-filename", "picture.of.me.jpeg"),
    ("label", "A wallet"),
    ("rune-ids", "840000:3,1:0"),
    ("rune-id", "840000:4294967295"),
    ("history-chain", "18446744073709551615"),
    ("token-chain", "42161"),
    ("bitcoin-token", "0:0"),
    ("event-types", " mint.stateChanged, vmBlock.filled,"),
    ("positive-units", "340282366920938463463374607431768211455"),
    ("usdc-amount", "184467440737.095516"),
    ("inscription-id", "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0"),
];

/// Kinds whose pattern matches nothing that the service refuses, and the most characters of their texts.
const EXACT: &[(&str, usize)] = &[
    ("base64-of-32-bytes", 44),
    ("byte", 684),
    ("srp-number", 684),
    ("srp-proof", 44),
    ("base64url", 16_384),
    ("device-token", 64),
    ("email-address", 254),
    ("email-or-account-id", 254),
    ("otp-code", 64),
    ("media-filename", 255),
    ("label", 64),
    ("outpoint", 75),
    ("inscription-id", 75),
    ("rune-id", 31),
    ("history-chain", 20),
    ("token-chain", 20),
    ("bitcoin-token", 31),
    ("rune-ids", 1_000),
    ("event-types", 400),
    ("positive-units", 39),
    ("usdc-amount", 40),
];

/// Whether only the service can judge a text that matches the pattern. That concerns the length of the local
/// part of an e-mail address, the length of a whole text, and numbers near the largest of 32, 64 or 128 bits
/// or near the largest amount of USDC.
fn is_left_to_the_service(format: &str, text: &str) -> bool {
    let Some((_, longest)) = EXACT.iter().find(|(exact, _)| *exact == format) else { return true };
    let local = text.trim().split(['@', '\u{ff20}']).next().unwrap_or_default();
    let is_long = format.starts_with("email-") && local.chars().count() > 64;
    let is_great = |digits: &str| {
        let most = match digits.len() {
            10 => u128::from(u32::MAX),
            20 => u128::from(u64::MAX),
            39 => u128::MAX,
            _ => return false,
        };
        digits.parse::<u128>().map_or(true, |number| number > most)
    };
    let has_numbers = ["outpoint", "inscription-id", "bitcoin-token", "positive-units"]
        .contains(&format)
        || format.starts_with("rune-id")
        || format.ends_with("-chain");
    let is_great = has_numbers && text.split(|letter: char| !letter.is_ascii_digit()).any(is_great);
    let whole = text.split('.').next().unwrap_or_default().parse::<u128>();
    let is_above_most_usdc =
        format == "usdc-amount" && whole.is_ok_and(|whole| whole >= 184_467_440_737);
    is_long || is_great || is_above_most_usdc || text.chars().count() > *longest
}

/// Texts near a sample, with some characters replaced, added or removed; sometimes a completely different
/// text.
fn texts_near(sample: &'static str) -> impl Strategy<Value = String> {
    const OTHERS: &[char] = &[
        ' ', '\t', '\n', '\u{7f}', '\u{a0}', '=', '+', '/', '-', '_', '0', 'a', 'Z', ':', ',', '.',
        't', 'é', '@', 'Ａ', '＠', '．', '－', 'ﬁ', 'Q',
    ];
    let edit = (any::<prop::sample::Index>(), prop::sample::select(OTHERS), 0..4_u8);
    let edits = prop::collection::vec(edit, 0..4).prop_map(move |edits| {
        let mut letters: Vec<char> = sample.chars().collect();
        for (place, letter, how) in edits {
            let place = place.index(letters.len().saturating_add(1));
            match how {
                0 if place < letters.len() => letters[place] = letter,
                1 if place < letters.len() => drop(letters.remove(place)),
                2 if place < letters.len() => letters[place].make_ascii_uppercase(),
                _ => letters.insert(place, letter),
            }
        }
        letters.into_iter().collect()
    });
    prop_oneof![8 => edits, 1 => any::<String>(), 1 => "[0-9]{1,14}".prop_map(|digits| digits)]
}

#[test]
fn whatever_a_parser_accepts_matches_its_pattern() {
    for (format, sample) in SAMPLES {
        let pattern = pattern(format);
        assert!(accepts(format, sample) && pattern.is_match(sample), "{format}");
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 4_000,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let outcome = runner.run(&texts_near(sample), |text| {
            let (is_accepted, matches) = (accepts(format, &text), pattern.is_match(&text));
            prop_assert!(matches || !is_accepted, "refused by the pattern: {text:?}");
            let is_left = is_left_to_the_service(format, &text);
            prop_assert!(is_accepted || !matches || is_left, "allowed by the pattern: {text:?}");
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

#[test]
fn whatever_matches_an_exact_pattern_is_accepted() {
    for (format, _) in EXACT {
        let pattern = pattern_text(format);
        let pattern = pattern.strip_prefix('^').unwrap_or(&pattern);
        let texts = prop::string::string_regex(pattern.strip_suffix('$').unwrap()).unwrap();
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 2_000,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let tried = Cell::new(0);
        let outcome = runner.run(&texts, |text| {
            if !is_left_to_the_service(format, &text) {
                tried.set(tried.get() + 1);
                prop_assert!(accepts(format, &text), "{text:?}");
            }
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{format}: {error}"));
        assert!(tried.get() > 50, "{format}: {}", tried.get());
    }
}

#[test]
fn every_type_of_events_matches_its_pattern() {
    let pattern = pattern("event-types");
    for kind in EventType::OF_ACCOUNTS.into_iter().chain(EventType::OF_MINTS) {
        assert!(pattern.is_match(kind.name()), "{kind}");
    }
}

#[test]
fn codes_match_their_pattern_however_they_are_copied() {
    let pattern = pattern("otp-code");
    assert!(pattern.is_match("123456") && pattern.is_match(""));
    assert!(!pattern.is_match("12345") && !pattern.is_match("1234567"));
    let account = AccountId(uuid::Uuid::from_u128(1));
    for code in recovery_codes(&SystemSource, account).0 {
        let copied = code.to_ascii_lowercase().replace('-', " ");
        for code in [code.clone(), code.replace('-', ""), format!(" {copied}\u{a0}\n")] {
            assert!(pattern.is_match(&code), "{code:?}");
        }
    }
}

#[tokio::test]
async fn tokens_match_their_patterns() {
    let stack = LocalStack::start().await;
    let client = stack.serve(functions::routes()).await;
    let signed_in = sign_in(&client, &Wallet::evm(5)).await;
    assert!(pattern("refresh-token").is_match(&signed_in.refresh_token));
    let device = client.device_token().unwrap();
    assert!(pattern("device-token").is_match(&device) && accepts("device-token", &device));
    let account = SrpAccount::new("name@example.com", "correct horse battery staple");
    account.register(&client).await;
    stack.deliver_mail().await;
    let mail = stack.mailbox(&account.email).await.pop().unwrap();
    assert!(pattern("mailed-token").is_match(&mail.token()), "{}", mail.text);
}

/// Swaps begin on chains whose addresses have formats of their own.
#[tokio::test]
async fn rows_of_swaps_match_their_patterns() {
    let stack = LocalStack::start().await;
    let client = stack.serve(functions::routes()).await;
    let wallet = Wallet::evm(5);
    let user = sign_in(&client, &wallet).await;
    let addresses = [
        wallet.address(),
        "alice.near",
        "0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331",
        "0000000000000000000000000000000000000000.tg",
        "hx4873b94352c8c1f3b2f09aaeccea31ce9e90bd31",
    ];
    for (at, address) in addresses.iter().enumerate() {
        let hash = |kind: u8| format!("0x{kind:02}{at:062}");
        let swap = json!({
            "intentTxHash": hash(11), "spokeTxHash": hash(22), "walletAddress": wallet.address(),
            "inputToken": "0:0", "outputToken": "0:0", "inputAmount": "1", "minOutputAmount": "1",
            "srcChain": 42161, "dstChain": 8453, "srcAddress": address, "dstAddress": address,
        });
        let call = client.post("/api/xchain/transactions/register").bearer(&user.access_token);
        call.json(&swap).send().await.expect(200);
    }
    let path =
        format!("/api/xchain/transactions?pageSize=100&relatedAddress_eq={}", wallet.address());
    let rows = client.get(path).bearer(&user.access_token).send().await.expect(200);
    let rows = rows.data().as_array().unwrap().clone();
    assert_eq!(rows.len(), addresses.len());
    let document = openapi::document().unwrap();
    let properties = &document["components"]["schemas"]["XchainRow"]["properties"];
    for row in &rows {
        for (name, value) in row.as_object().unwrap() {
            let pattern = properties[name]["pattern"].as_str();
            let (Some(pattern), Some(text)) = (pattern, value.as_str()) else { continue };
            assert!(Regex::new(pattern).unwrap().is_match(text), "{name}: {text} and {pattern}");
        }
    }
    assert!(properties["tradingAddress"]["pattern"].is_string());
}

/// Whether a value matches a schema. Only the keywords that conditions use are evaluated.
fn has_schema(value: &Value, schema: &Value) -> bool {
    let is_kind = |kind: &Value| match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    let all = |schemas: &Value, test: &dyn Fn(&String, &Value) -> bool| {
        schemas.as_object().unwrap().iter().all(|(name, schema)| test(name, schema))
    };
    schema.as_object().unwrap().iter().all(|(keyword, said)| match keyword.as_str() {
        "type" => said.as_array().map_or_else(|| is_kind(said), |kinds| kinds.iter().any(is_kind)),
        "enum" => said.as_array().unwrap().contains(value),
        "pattern" => {
            let pattern = Regex::new(said.as_str().unwrap()).unwrap();
            value.as_str().is_none_or(|text| pattern.is_match(text))
        }
        "required" => {
            said.as_array().unwrap().iter().all(|it| value.get(it.as_str().unwrap()).is_some())
        }
        "properties" => {
            all(said, &|name, schema| value.get(name).is_none_or(|it| has_schema(it, schema)))
        }
        "dependentSchemas" => {
            all(said, &|name, schema| value.get(name).is_none() || has_schema(value, schema))
        }
        "anyOf" => said.as_array().unwrap().iter().any(|schema| has_schema(value, schema)),
        "if" => {
            let chosen = if has_schema(value, said) { "then" } else { "else" };
            schema.get(chosen).is_none_or(|schema| has_schema(value, schema))
        }
        _ => true,
    })
}

/// The conditions of a schema, without its properties.
fn conditions(document: &Value, name: &str) -> Value {
    let schema = &document["components"]["schemas"][name];
    let own = schema.as_object().unwrap().iter();
    let own = own.filter(|(keyword, _)| is_condition(keyword));
    let own: serde_json::Map<_, _> = own.map(|(name, it)| (name.clone(), it.clone())).collect();
    assert!(!own.is_empty(), "{name}");
    own.into()
}

/// Whether the service refuses the form of a body. A well-formed proof that does not prove anything is no
/// error of form.
fn refuses_form(answer: &Answer) -> bool {
    let errors = answer.body["errors"].as_array();
    errors
        .into_iter()
        .flatten()
        .any(|error| !error["message"].as_str().unwrap().starts_with("does not prove"))
}

#[track_caller]
fn agree(answer: &Answer, body: &Value, conditions: &Value) {
    assert!(answer.status >= 400, "{body}: {answer}");
    assert_eq!(refuses_form(answer), !has_schema(body, conditions), "{body}: {answer}");
}

/// Every choice of one of these values for each of these fields; `None` leaves the field out.
fn choices(body: &Value, fields: &[(&str, &[Option<Value>])]) -> Vec<Value> {
    let Some(((name, values), others)) = fields.split_first() else { return vec![body.clone()] };
    let with = |value: &Option<Value>| {
        let mut body = body.clone();
        if let Some(value) = value {
            body[*name] = value.clone();
        }
        choices(&body, others)
    };
    values.iter().flat_map(with).collect()
}

const ID: &str = "018bcfe5-6800-7000-8000-000000000001";
const KEY: &str = "03c4b1f3709e8296e2ac9a517ba47596729ca1a0f82565fc529033c8a5d953ad62";

async fn send(client: &Client, path: &str, body: &Value) -> Answer {
    client.post(path).json(body).send().await
}

/// A registration that never succeeds, because its referral code does not exist.
fn registration() -> Value {
    json!({
        "email": "name@example.com", "srpSalt": BASE64_STANDARD.encode([1; 32]), "srpVerifier": "AAAB",
        "encryptedBlob": "AAAA", "referralCode": "NOBODYS1",
    })
}

#[tokio::test]
async fn fields_that_belong_together_are_all_sent_or_none() {
    let stack = LocalStack::start().await;
    let client = stack.serve(functions::routes()).await;
    let conditions = conditions(&openapi::document().unwrap(), "RegisterSrp");
    let text = |text: &str| vec![None, Some(Value::Null), Some(json!(text))];
    let proof = BASE64_STANDARD.encode([1; 32]);
    let (public, proof) = (text("AAAB"), text(&proof));
    let (key, challenge, signature) = (text(KEY), text(ID), text("AAAA"));
    let pair = [("clientPublic", &*public), ("clientProof", &*proof)];
    let three =
        [("tradingPublicKey", &*key), ("challengeId", &*challenge), ("signature", &*signature)];
    let bodies = [choices(&registration(), &pair), choices(&registration(), &three)].concat();
    assert_eq!(bodies.len(), 9 + 27);
    for body in bodies {
        agree(&send(&client, "/auth/register/srp", &body).await, &body, &conditions);
    }
}

#[tokio::test]
async fn a_fee_rate_and_a_fee_target_are_not_sent_together() {
    let stack = LocalStack::start().await;
    let client = stack.serve(functions::routes()).await;
    let user = sign_in(&client, &Wallet::evm(5)).await;
    let conditions = conditions(&openapi::document().unwrap(), "ReplaceTransaction");
    let targets = [None, Some(Value::Null), Some(json!("fast"))];
    let rates = [None, Some(Value::Null), Some(json!(12.5))];
    let fields: [(&str, &[_]); 2] = [("feeTarget", &targets), ("feeRate", &rates)];
    let path = format!("/api/transactions/{}/replace", "11".repeat(32));
    for body in choices(&json!({ "action": "bump" }), &fields) {
        let call = client.post(path.clone()).bearer(&user.access_token);
        agree(&call.json(&body).send().await, &body, &conditions);
    }
}

#[tokio::test]
async fn numbers_fit_their_group() {
    let stack = LocalStack::start().await;
    let client = stack.serve(functions::routes()).await;
    let conditions = conditions(&openapi::document().unwrap(), "RegisterSrp");
    let groups = [None, Some(Value::Null), Some(json!(2048)), Some(json!(3072)), Some(json!(4096))];
    let number = |length| Some(json!(BASE64_STANDARD.encode(vec![1; length])));
    let numbers = [1, 255, 256, 257, 258, 383, 384, 385, 511, 512, 513].map(number);
    let fields: [(&str, &[_]); 2] = [("srpGroup", &groups), ("srpVerifier", &numbers)];
    for body in choices(&registration(), &fields) {
        agree(&send(&client, "/auth/register/srp", &body).await, &body, &conditions);
    }
}

#[tokio::test]
async fn addresses_and_keys_are_those_of_the_chain() {
    let stack = LocalStack::start().await;
    let client = stack.serve(functions::routes()).await;
    let conditions = conditions(&openapi::document().unwrap(), "SignedChallenge");
    let chains = ["bitcoin", "evm", "solana"].map(|chain| Some(json!(chain)));
    let addresses = [
        "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
        "0x00000000000000000000000000000000000000aa",
        "0x00000000000000000000000000000000000000AA",
        "0x00000000000000000000000000000000000000a",
        "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
    ];
    let addresses = addresses.map(|address| Some(json!(address)));
    let keys = [None, Some(Value::Null), Some(json!("")), Some(json!(KEY))];
    let fields: [(&str, &[_]); 3] =
        [("chain", &chains), ("address", &addresses), ("publicKey", &keys)];
    let challenge = json!({ "challengeId": ID, "signature": "AAAA" });
    let mut refused = 0;
    for body in choices(&challenge, &fields) {
        let answer = send(&client, "/auth/authenticate", &body).await;
        // Base58 and bech32 share most of their letters; a checksum tells them apart.
        let is_other = body["chain"] == "bitcoin"
            && body["address"].as_str().unwrap().starts_with(['0', '4'])
            || body["chain"] == "solana" && body["address"].as_str().unwrap().starts_with('b');
        if is_other {
            assert!(refuses_form(&answer), "{body}: {answer}");
            continue;
        }
        refused += usize::from(refuses_form(&answer));
        agree(&answer, &body, &conditions);
    }
    assert!(refused > 20, "{refused}");
}

/// A required text of a request is not empty. The one exception is the public key, which wallets without one
/// send as an empty text.
#[test]
fn required_texts_are_not_empty() {
    let document = openapi::document().unwrap();
    let mut empty = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                if parameter["required"] == true && may_be_empty(&parameter["schema"]) {
                    empty.push(format!("{method} {path} {}", parameter["name"]));
                }
            }
            required_texts(&document, &operation["requestBody"], &mut Vec::new(), &mut empty);
        }
    }
    empty.sort();
    empty.dedup();
    assert_eq!(empty, ["#/components/schemas/RotateWallet publicKey"]);
}

/// A field of a body that is null counts as missing.
#[test]
fn fields_that_may_be_missing_may_be_null() {
    let document = openapi::document().unwrap();
    let mut found = Vec::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let body = &operation["requestBody"];
            never_null(&document, body, "body", &mut Vec::new(), &mut found);
        }
    }
    found.sort();
    found.dedup();
    assert_eq!(found, Vec::<String>::new());
}

fn allows_null(schema: &Value) -> bool {
    let alternatives = schema["oneOf"].as_array().into_iter().flatten();
    schema["type"] == "null"
        || schema["type"].as_array().is_some_and(|kinds| kinds.contains(&json!("null")))
        || alternatives.into_iter().any(allows_null)
}

fn never_null(
    document: &Value,
    value: &Value,
    at: &str,
    seen: &mut Vec<String>,
    found: &mut Vec<String>,
) {
    match value {
        Value::Object(fields) => {
            for (name, property) in value["properties"].as_object().into_iter().flatten() {
                let required = value["required"].as_array();
                let is_required = required.is_some_and(|all| all.contains(&json!(name)));
                if !is_required && !allows_null(property) {
                    found.push(format!("{at}.{name}"));
                }
            }
            if let Some(name) = fields.get("$ref").and_then(Value::as_str)
                && !seen.contains(&name.to_owned())
            {
                seen.push(name.to_owned());
                let target = document.pointer(name.trim_start_matches('#')).unwrap();
                never_null(document, target, name, seen, found);
            }
            let parts = fields.iter().filter(|(name, _)| !is_condition(name) && *name != "example");
            parts.for_each(|(_, field)| never_null(document, field, at, seen, found));
        }
        Value::Array(items) => {
            items.iter().for_each(|item| never_null(document, item, at, seen, found));
        }
        _ => {}
    }
}

fn may_be_empty(schema: &Value) -> bool {
    let matches = |pattern: &str| Regex::new(pattern).unwrap().is_match("");
    schema["type"] == "string"
        && schema["enum"].is_null()
        && schema["format"] != "uuid"
        && schema["minLength"].as_u64().is_none_or(|least| least == 0)
        && schema["pattern"].as_str().is_none_or(matches)
}

fn required_texts(
    document: &Value,
    value: &Value,
    seen: &mut Vec<String>,
    empty: &mut Vec<String>,
) {
    match value {
        Value::Object(fields) => {
            let properties = fields.get("properties").and_then(Value::as_object);
            for name in fields.get("required").and_then(Value::as_array).into_iter().flatten() {
                let property = properties.and_then(|it| it.get(name.as_str()?));
                if property.is_some_and(may_be_empty) {
                    let owner = seen.last().cloned().unwrap_or_default();
                    empty.push(format!("{owner} {}", name.as_str().unwrap()));
                }
            }
            if let Some(name) = fields.get("$ref").and_then(Value::as_str)
                && !seen.contains(&name.to_owned())
            {
                seen.push(name.to_owned());
                let target = document.pointer(name.trim_start_matches('#')).unwrap();
                required_texts(document, target, seen, empty);
                seen.pop();
            }
            let parts = fields.iter().filter(|(name, _)| !is_condition(name) && *name != "example");
            parts.for_each(|(_, field)| required_texts(document, field, seen, empty));
        }
        Value::Array(items) => {
            items.iter().for_each(|item| required_texts(document, item, seen, empty));
        }
        _ => {}
    }
}

/// Whether a keyword states a condition. Conditions name properties that are described elsewhere.
fn is_condition(keyword: &str) -> bool {
    CONDITIONS.contains(&keyword)
}

/// No text of an answer is left without a pattern, a format or a list of its values.
#[test]
fn every_text_of_an_answer_is_described() {
    let document = openapi::document().unwrap();
    let (mut bare, mut texts) = (Vec::new(), 0);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        find(&document, schema, name, &mut Vec::new(), &mut bare);
        texts += schema.to_string().matches("\"pattern\"").count();
    }
    bare.sort();
    bare.dedup();
    assert_eq!(bare, Vec::<String>::new());
    assert!(texts >= 250, "{texts}");
}

/// No text of a request is left without a pattern, a format or a list of its values.
#[test]
fn every_text_of_a_request_is_described() {
    let document = openapi::document().unwrap();
    let mut bare = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                if is_bare_text(parameter["schema"].as_object().unwrap()) {
                    bare.push(format!("{method} {path}: {}", parameter["name"]));
                }
            }
            let mut seen = Vec::new();
            find(&document, &operation["requestBody"], method, &mut seen, &mut bare);
        }
    }
    assert_eq!(bare, Vec::<String>::new());
}

fn find(document: &Value, value: &Value, at: &str, seen: &mut Vec<String>, bare: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if is_bare_text(fields) {
                bare.push(at.to_owned());
            }
            if let Some(name) = fields.get("$ref").and_then(Value::as_str)
                && !seen.contains(&name.to_owned())
            {
                seen.push(name.to_owned());
                let target = document.pointer(name.trim_start_matches('#')).unwrap();
                find(document, target, name, seen, bare);
            }
            let parts =
                fields.iter().filter(|(name, _)| *name != "examples" && !is_condition(name));
            for (name, field) in parts {
                find(document, field, &format!("{at}.{name}"), seen, bare);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| find(document, item, at, seen, bare)),
        _ => {}
    }
}
