//! Each function starts with only its own settings, and names those that are missing or wrong.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use base::{
    aws::AwsConfig,
    log::LogConfig,
    settings::{ConfigError, Setting, read},
    traces::TracesConfig,
};
use identity::EvmConfig;
use shared::core::Application;

type Start = fn(&dyn Fn(&str) -> Option<String>) -> Result<(), ConfigError>;

fn start<A: Application>(lookup: &dyn Fn(&str) -> Option<String>) -> Result<(), ConfigError> {
    read::<(LogConfig, TracesConfig, A::Config)>(lookup).map(drop)
}

/// Every function: its name, its settings, and how it reads them.
fn functions() -> Vec<(&'static str, Vec<Setting>, Start)> {
    let start: [(&str, Start); 18] = [
        ("auth", start::<auth::App>),
        ("account", start::<account::App>),
        ("prizes", start::<prizes::App>),
        ("xchain", start::<xchain::App>),
        ("transactions", start::<transactions::App>),
        ("vm-transactions", start::<vm_transactions::App>),
        ("refund", start::<refund::App>),
        ("perp-venue", start::<perp_venue::App>),
        ("medias", start::<medias::App>),
        ("download-histories", start::<download_histories::App>),
        ("support", start::<support::App>),
        ("chain-watcher", start::<chain_watcher::App>),
        ("event-worker", start::<event_worker::App>),
        ("export-worker", start::<export_worker::App>),
        ("mail-worker", start::<mail_worker::App>),
        ("webhook-worker", start::<webhook_worker::App>),
        ("socket", start::<socket::App>),
        ("socket-worker", start::<socket_worker::App>),
    ];
    let settings = local::functions::settings();
    settings
        .into_iter()
        .zip(start)
        .map(|((name, settings), (of, start))| {
            assert_eq!(name, of);
            (name, settings, start)
        })
        .collect()
}

fn required(settings: &[Setting]) -> BTreeSet<&'static str> {
    let required = settings.iter().filter(|setting| setting.default.is_none());
    required.map(|setting| setting.name).collect()
}

fn value(name: &str) -> String {
    match name {
        "TREASURY_ADDRESS" => "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "SIGN_IN_MESSAGE" => "Sign in to Runeport: {timestamp}",
        "PASSKEY_ORIGINS" => "https://app.example",
        "PERP_VENUE_BUILDER" => "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        _ => "x",
    }
    .to_owned()
}

#[test]
fn a_function_starts_with_its_own_settings_alone() {
    for (name, settings, start) in functions() {
        let required = required(&settings);
        let started = start(&|asked| required.contains(asked).then(|| value(asked)));
        assert!(started.is_ok(), "{name}: {}", started.unwrap_err());
    }
}

#[test]
fn a_function_names_every_missing_setting_of_its_own_at_once() {
    for (name, settings, start) in functions() {
        let error = start(&|_| None).unwrap_err().to_string();
        let missing = error.strip_prefix("configuration: ").unwrap().split("; ");
        let missing: BTreeSet<_> =
            missing.map(|problem| problem.strip_suffix(" is not set").unwrap()).collect();
        assert_eq!(missing, required(&settings), "{name}");
    }
}

#[test]
fn a_wrong_value_stops_the_functions_that_read_it() {
    for (setting, wrong) in [
        ("CORS_ORIGINS", "*"),
        ("CORS_ORIGINS", "https://app.example/"),
        ("CORS_ORIGINS", "https://*.vercel.app"),
        ("CORS_ORIGINS", "http://app.example:*"),
        ("EVM_CHAIN_ID", "one"),
        ("REAUTH_WINDOW", "-1"),
        ("COSIGNING_KEY_IDS", " , "),
        ("AFFILIATE_FEE_BPS", "10001"),
        ("PASSKEY_ORIGINS", "app.example"),
        ("SIGN_IN_MESSAGE", "no placeholder"),
        ("SIGN_IN_MESSAGE", "*"),
        ("RUST_LOG", "verbose"),
        ("TRACES_ENDPOINT", "http://otlp.example"),
        ("TRACES_ONE_IN", "0"),
        ("BITCOIN_NETWORK", "mainnnet"),
        ("TREASURY_ADDRESS", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"),
        ("FEE_CAP", "1.5"),
        ("SECOND_OP_RETURN", "true"),
        ("HUB_VAULT", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"),
        ("HUB_VAULT_ONLY", "true"),
        // Without a vault.
        ("HUB_VAULT_ONLY", "yes"),
        ("PERP_VENUE_BUILDER_FEE", "0.11%"),
    ] {
        let mut stopped = 0;
        for (name, settings, start) in functions() {
            let required = required(&settings);
            let started = start(&|asked| match asked {
                asked if asked == setting => Some(wrong.to_owned()),
                asked => required.contains(asked).then(|| value(asked)),
            });
            let reads = settings.iter().any(|known| known.name == setting);
            assert_eq!(started.is_err(), reads, "{name}: {setting}={wrong}");
            if let Err(error) = started {
                assert!(error.to_string().contains(setting), "{name}: {error}");
                stopped += 1;
            }
        }
        assert!(stopped > 0, "no function reads {setting}");
    }
}

#[test]
fn secrets_do_not_print() {
    let config = read::<(AwsConfig, EvmConfig)>(|name| match name {
        "AWS_SECRET_ACCESS_KEY" | "AWS_SESSION_TOKEN" | "EVM_RPC_URL" => {
            Some("https://hush-hush".to_owned())
        }
        name => name.starts_with("AWS_").then(|| "x".to_owned()),
    });
    assert!(!format!("{:?}", config.unwrap()).contains("hush-hush"));
}
