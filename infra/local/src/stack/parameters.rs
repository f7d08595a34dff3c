//! Values of the template's parameters in the local world.

use std::collections::BTreeMap;

use crate::{
    aws::{ministack::Ministack, template::Deployment},
    users::wallets::Wallet,
};

/// An address where nothing listens.
pub(super) const NOWHERE: &str = "http://127.0.0.1:1";

/// The wallet that holds the prizes.
pub fn treasury() -> Wallet {
    Wallet::p2tr(u64::MAX)
}

/// The wallet of the hub that receives withdrawals whose client names no recipient.
fn hub_vault() -> Wallet {
    Wallet::p2tr(u64::MAX - 1)
}

/// Values of the template's parameters in the local world.
pub(crate) fn local_parameters() -> BTreeMap<String, String> {
    [
        ("TokenIssuer", "runeport-local"),
        ("SignInDomain", "localhost"),
        ("SignInUri", "http://localhost:5173"),
        // Any text that ends in the time; only allowed here (custody rule 17).
        ("SignInMessage", "*"),
        ("CorsOrigins", "http://localhost:*,http://127.0.0.1:*"),
        ("PasskeyRpId", "localhost"),
        ("PasskeyOrigins", "http://localhost:5173"),
        ("BitcoinNetwork", "regtest"),
        ("EsploraUrl", NOWHERE),
        ("OrdUrl", NOWHERE),
        ("HubUrl", NOWHERE),
        ("HubVault", hub_vault().address()),
        ("AffiliateAddress", "0x00000000000000000000000000000000000000aa"),
        ("AffiliateFeeBps", "25"),
        // Signatures for the testnet are worthless where real money is.
        ("PerpVenueChain", "Testnet"),
        ("PerpVenueReferralCode", "RUNEPORT"),
        ("PerpVenueBuilder", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"),
        ("TreasuryAddress", treasury().address()),
        ("MailFrom", "runeport@localhost"),
        ("AppUrl", "http://localhost:5173"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

/// A deployment of the template in the local world whose pages are at `port`. The links in its mails lead to
/// the server at `served_at`, if there is one, otherwise to a frontend in development.
pub(super) fn deployment(
    stack: &str,
    ministack: &Ministack,
    port: Option<u16>,
    served_at: Option<u16>,
) -> Deployment {
    let mut parameters = local_parameters();
    if let Some(port) = port {
        // Passkeys work on `localhost`; an IP address cannot be a relying party id.
        let origins = parameters.entry("PasskeyOrigins".to_owned()).or_default();
        let origin = format!(",http://localhost:{port}");
        origins.push_str(&origin);
    }
    if let Some(port) = served_at {
        parameters.insert("AppUrl".to_owned(), format!("http://localhost:{port}"));
    }
    // ministack has one mailbox for all worlds, so each world has its own sender.
    parameters.insert("MailFrom".to_owned(), format!("{stack}@localhost"));
    Deployment { stack: stack.to_owned(), parameters, queue_url: ministack.url().to_owned() }
}
