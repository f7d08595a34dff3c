//! The text of a wallet challenge: EIP-4361 for EVM, its counterpart for Solana, and the same fields in the
//! same order for Bitcoin.

use std::fmt::Write as _;

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use bitcoin::Network;
use shared::models::wallet::{Chain, WalletAddress};

/// All fields of a challenge. No field may contain a line break, with which it could imitate other fields.
/// All of them come from the service, except the address, which is parsed.
#[derive(Debug, Clone, Copy)]
pub struct SignInText<'a> {
    /// The requesting authority (RFC 3986), such as `app.example.org`. Wallets compare it with the site they
    /// are on.
    pub domain: &'a str,
    /// The URI of the service that will use the signature.
    pub uri: &'a str,
    /// The first sentence that the user reads, in the characters of EIP-4361's `statement` (no quotation
    /// marks). The purpose and the account are appended.
    pub statement: &'a str,
    /// What the signature will be used for, such as `sign in`.
    pub purpose: &'a str,
    /// The account that the signature will change, if any.
    pub account: Option<&'a str>,
    /// The address that must sign.
    pub address: &'a WalletAddress,
    /// The EIP-155 chain id; used only for EVM addresses.
    pub chain_id: u64,
    /// The Bitcoin network; used only for Bitcoin addresses.
    pub network: Network,
    /// At least 8 letters and digits, unique.
    pub nonce: &'a str,
    /// When the challenge was issued, ms since the epoch.
    pub issued_at_ms: i64,
    /// When the challenge expires, ms since the epoch.
    pub expires_at_ms: i64,
    /// The challenge's id.
    pub request_id: &'a str,
    /// Further URIs to show to the user; usually none.
    pub resources: &'a [&'a str],
}

impl SignInText<'_> {
    /// Renders the message to sign (EIP-4361, section "Informal Message Template"), without a trailing line
    /// break. Times are RFC 3339 in UTC, with ms unless they are zero.
    #[must_use]
    pub fn render(&self) -> String {
        let (chain, chain_id) = match self.address.chain() {
            Chain::Evm => ("Ethereum", self.chain_id.to_string()),
            Chain::Solana => ("Solana", "mainnet".to_owned()),
            Chain::Bitcoin => ("Bitcoin", self.network.to_string()),
        };
        let mut text = format!(
            "{domain} wants you to sign in with your {chain} account:\n\
             {address}\n\
             \n\
             {statement}\n\
             \n\
             URI: {uri}\n\
             Version: 1\n\
             Chain ID: {chain_id}\n\
             Nonce: {nonce}\n\
             Issued At: {issued_at}\n\
             Expiration Time: {expires_at}\n\
             Request ID: {request_id}",
            domain = self.domain,
            address = self.address.to_message_form(),
            statement = self.full_statement(),
            uri = self.uri,
            nonce = self.nonce,
            issued_at = rfc3339(self.issued_at_ms),
            expires_at = rfc3339(self.expires_at_ms),
            request_id = self.request_id,
        );
        if !self.resources.is_empty() {
            text.push_str("\nResources:");
            for resource in self.resources {
                text.push_str("\n- ");
                text.push_str(resource);
            }
        }
        text
    }

    /// The statement with purpose and account, on one line as EIP-4361 requires.
    fn full_statement(&self) -> String {
        let mut statement = format!("{} Purpose: {}.", self.statement, self.purpose);
        if let Some(account) = self.account {
            // Writing to a String cannot fail.
            let _ = write!(statement, " Account: {account}.");
        }
        statement
    }
}

/// A time in the format of EIP-4361. Times that RFC 3339 cannot express (after the year 9999) become a bare
/// number.
fn rfc3339(ms: i64) -> String {
    DateTime::from_millis(ms).fmt(Format::DateTime).unwrap_or_else(|_| ms.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn address(text: &str) -> WalletAddress {
        WalletAddress::infer(text, Network::Bitcoin).unwrap()
    }

    fn text(address: &WalletAddress) -> SignInText<'_> {
        SignInText {
            domain: "app.example.org",
            uri: "https://app.example.org/sign-in",
            statement: "Prove that this wallet is yours.",
            purpose: "sign-in",
            account: None,
            address,
            chain_id: 42161,
            network: Network::Bitcoin,
            nonce: "k3JdP0vQ8sXz",
            issued_at_ms: 1_772_366_400_123,
            expires_at_ms: 1_772_366_700_123,
            request_id: "0195b0f2-7a51-7c3e-9d1e-5f6b8a2c4d10",
            resources: &[],
        }
    }

    #[test]
    fn the_example_of_eip_4361_is_reproduced() {
        // EIP-4361, section "Example message". It has no expiry and no request id, and its statement has
        // nothing appended.
        const EXAMPLE: &str = "\
service.org wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ServiceOrg Terms of Service: https://service.org/tos

URI: https://service.org/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json";
        let address = address("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2");
        let rendered = SignInText {
            domain: "service.org",
            uri: "https://service.org/login",
            statement: "I accept the ServiceOrg Terms of Service: https://service.org/tos",
            chain_id: 1,
            nonce: "32891756",
            issued_at_ms: 1_633_019_124_000,
            expires_at_ms: 1_633_019_424_000,
            request_id: "r",
            resources: &[
                "ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/",
                "https://example.com/my-web2-claim.json",
            ],
            ..text(&address)
        }
        .render();
        let of_the_example = rendered
            .replace(" Purpose: sign-in.", "")
            .replace("\nExpiration Time: 2021-09-30T16:30:24Z\nRequest ID: r", "");
        assert_eq!(of_the_example, EXAMPLE);
    }

    #[test]
    fn evm_text_follows_eip_4361() {
        let address = address("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
        let link = SignInText {
            purpose: "link",
            account: Some("0195b0f2-0000-7000-8000-000000000001"),
            ..text(&address)
        };
        assert_eq!(
            link.render(),
            "\
app.example.org wants you to sign in with your Ethereum account:
0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed

Prove that this wallet is yours. Purpose: link. Account: 0195b0f2-0000-7000-8000-000000000001.

URI: https://app.example.org/sign-in
Version: 1
Chain ID: 42161
Nonce: k3JdP0vQ8sXz
Issued At: 2026-03-01T12:00:00.123Z
Expiration Time: 2026-03-01T12:05:00.123Z
Request ID: 0195b0f2-7a51-7c3e-9d1e-5f6b8a2c4d10"
        );
    }

    #[test]
    fn solana_text_has_the_same_fields() {
        let address = address("So11111111111111111111111111111111111111112");
        assert_eq!(
            text(&address).render(),
            "\
app.example.org wants you to sign in with your Solana account:
So11111111111111111111111111111111111111112

Prove that this wallet is yours. Purpose: sign-in.

URI: https://app.example.org/sign-in
Version: 1
Chain ID: mainnet
Nonce: k3JdP0vQ8sXz
Issued At: 2026-03-01T12:00:00.123Z
Expiration Time: 2026-03-01T12:05:00.123Z
Request ID: 0195b0f2-7a51-7c3e-9d1e-5f6b8a2c4d10"
        );
    }

    #[test]
    fn bitcoin_text_has_the_same_fields() {
        let address = address("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l");
        let rendered = text(&address).render();
        assert!(rendered.starts_with(
            "app.example.org wants you to sign in with your Bitcoin account:\n\
             bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l\n\nProve"
        ));
        assert!(rendered.contains("\nChain ID: bitcoin\n"));
        let regtest = SignInText { network: Network::Regtest, ..text(&address) };
        assert!(regtest.render().contains("\nChain ID: regtest\n"));
    }

    #[test]
    fn custody_16_the_text_names_purpose_and_account() {
        for address in [
            address("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"),
            address("So11111111111111111111111111111111111111112"),
            address("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"),
        ] {
            let rotate = SignInText { purpose: "rotate", account: Some("a-1"), ..text(&address) };
            assert!(rotate.render().contains(" Purpose: rotate. Account: a-1.\n\nURI: "));
            let sign_in = text(&address).render();
            assert!(sign_in.contains(" Purpose: sign-in.\n\nURI: "));
            assert!(!sign_in.contains("Account: "));
        }
    }

    #[test]
    fn every_time_can_be_rendered() {
        for ms in [i64::MIN, -1, 0, i64::MAX] {
            assert!(!rfc3339(ms).is_empty());
        }
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
    }
}
