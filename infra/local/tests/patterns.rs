//! The patterns of texts in requests: whatever the service accepts matches them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use chain::transactions::read_psbt;
use http::{HeaderMap, HeaderValue};
use local::{
    LocalStack, Wallet, functions,
    openapi::{
        self,
        texts::{self, is_bare_text},
    },
    sign_in,
    srp_accounts::SrpAccount,
};
use medias::media_type::MediaType;
use proptest::prelude::*;
use regex::Regex;
use serde_json::{Value, json};
use shared::{
    auth::{device::DeviceToken, second_factor::recovery_codes, wallet::GivenKey},
    input::Fields,
    models::{
        account::AccountId,
        bitcoin::{EtchedRune, OutPoint},
        export::Moment,
        wallet::{AddressText, WalletAddress},
    },
    network::Network,
    random::SystemSource,
};

/// A PSBT without inputs and outputs.
const PSBT: &str = "cHNidP8BAAoCAAAAAAAAAAAAAA==";

fn pattern(format: &str) -> Regex {
    let text = texts::ALL.iter().find(|text| text.format == format).unwrap();
    Regex::new(text.pattern.unwrap()).unwrap()
}

fn is_read<T>(text: &str, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Option<T> {
    let object = json!({ "text": text });
    read(&mut Fields::new(object.as_object().unwrap()))
}

/// Whether the service reads a text as one of this kind.
fn accepts(format: &str, text: &str) -> bool {
    match format {
        "base64-of-32-bytes" => {
            is_read(text, |it| it.base64("text", 684)).is_some_and(|bytes| bytes.len() == 32)
        }
        "byte" => is_read(text, |it| it.base64("text", 684)).is_some(),
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
        "trading-key" => GivenKey::parse(text).is_some(),
        "psbt" => read_psbt(text).is_ok(),
        "outpoint" => text.parse::<OutPoint>().is_ok(),
        "instant" => text.parse::<Moment>().is_ok(),
        "media-filename" => MediaType::of(text).is_some(),
        "label" => is_read(text, |it| it.optional_name("text", 64)).is_some(),
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
    ("trading-key", "03c4b1f3709e8296e2ac9a517ba47596729ca1a0f82565fc529033c8a5d953ad62"),
    ("psbt", PSBT),
    ("outpoint", "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799:0"),
    ("instant", "2026-01-01T02:00:00.123+02:00"),
    ("media-filename", "picture.of.me.jpeg"),
    ("label", "A wallet"),
    ("rune-ids", "840000:3,1:0"),
];

/// Texts near a sample: some characters are replaced, added or removed, or all of it is other.
fn near(sample: &'static str) -> impl Strategy<Value = String> {
    const OTHERS: &[char] = &[
        ' ', '\t', '\n', '\u{7f}', '\u{a0}', '=', '+', '/', '-', '_', '0', 'a', 'Z', ':', ',', '.',
        't', 'é',
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
        let outcome = runner.run(&near(sample), |text| {
            prop_assert!(!accepts(format, &text) || pattern.is_match(&text), "{text:?}");
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{format}: {error}"));
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

/// Swaps begin on chains whose addresses look unlike those of Bitcoin.
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
            for (name, field) in fields.iter().filter(|(name, _)| *name != "examples") {
                find(document, field, &format!("{at}.{name}"), seen, bare);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| find(document, item, at, seen, bare)),
        _ => {}
    }
}
