//! The network of the perpetuals venue, as published to clients. All other settings of the venue belong to the function
//! `perp-venue`.

use std::{fmt, str::FromStr};

use base::{
    outbound::is_loopback,
    section,
    settings::{Reader, Section, Setting, optional},
};
use http::Uri;
use serde::Serialize;
use utoipa::ToSchema;

/// A network of the venue, in the venue's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum VenueChain {
    /// The network with real money.
    Mainnet,
    /// The network without real money.
    Testnet,
}

impl VenueChain {
    /// The other network.
    pub const fn other(self) -> Self {
        match self {
            Self::Mainnet => Self::Testnet,
            Self::Testnet => Self::Mainnet,
        }
    }

    /// The published chain id of its EVM chain.
    pub const fn chain_id(self) -> u64 {
        match self {
            Self::Mainnet => 999,
            Self::Testnet => 998,
        }
    }

    /// The published JSON-RPC of its EVM chain.
    pub const fn rpc_url(self) -> &'static str {
        match self {
            Self::Mainnet => "https://rpc.hyperliquid.xyz/evm",
            Self::Testnet => "https://rpc.hyperliquid-testnet.xyz/evm",
        }
    }

    /// Its published info API.
    pub const fn info_url(self) -> &'static str {
        match self {
            Self::Mainnet => "https://api.hyperliquid.xyz/info",
            Self::Testnet => "https://api.hyperliquid-testnet.xyz/info",
        }
    }

    /// Whether a URL names a host of this network.
    pub fn answers_at(self, url: &str) -> bool {
        [self.rpc_url(), self.info_url()].map(host).contains(&host(url))
    }
}

impl FromStr for VenueChain {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "Mainnet" => Ok(Self::Mainnet),
            "Testnet" => Ok(Self::Testnet),
            _ => Err(WrongValue("must be Mainnet or Testnet")),
        }
    }
}

/// Why a setting is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongValue(pub &'static str);

/// A URL: HTTPS, or on this machine; without user name and password.
#[derive(Clone)]
pub struct Endpoint(String);

impl Endpoint {
    /// The URL.
    pub fn into_url(self) -> String {
        self.0
    }
}

/// Hides the URL, since its path may hold a provider's key.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Endpoint")
    }
}

impl FromStr for Endpoint {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let uri = text.parse::<Uri>().ok().filter(|uri| uri.host().is_some());
        let authority = uri.as_ref().and_then(Uri::authority);
        let open = authority.is_some_and(|authority| !authority.as_str().contains('@'));
        let scheme = uri.as_ref().and_then(Uri::scheme_str);
        let safe = scheme == Some("https") || (scheme == Some("http") && is_loopback(text));
        if open && safe {
            Ok(Self(text.to_owned()))
        } else {
            Err(WrongValue("must be an https:// URL without user name and password"))
        }
    }
}

section! {
    struct VenueChainSettings {
        /// Network of the perpetuals venue: `Mainnet` or `Testnet`
        chain: VenueChain = "PERP_VENUE_CHAIN" or "Mainnet",
        /// Chain id of the venue's EVM chain; empty: the network's own, 999 or 998
        chain_id: Option<u64> = "PERP_VENUE_CHAIN_ID" or "" via optional,
        /// JSON-RPC of the venue's EVM chain that clients receive, so without a secret; empty: the network's
        /// own
        rpc_url: Option<Endpoint> = "PERP_VENUE_RPC_URL" or "" via optional,
    }
}

/// The venue's network. Everything in it is public.
#[derive(Clone, Debug)]
pub struct VenueChainConfig {
    /// The network.
    pub chain: VenueChain,
    /// Chain id of its EVM chain, which signed actions also name.
    pub chain_id: u64,
    /// JSON-RPC of its EVM chain, as clients receive it.
    pub rpc_url: String,
}

impl Section for VenueChainConfig {
    fn settings() -> Vec<Setting> {
        VenueChainSettings::settings()
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let set = VenueChainSettings::read(reader)?;
        let config = Self {
            chain: set.chain,
            chain_id: set.chain_id.unwrap_or(set.chain.chain_id()),
            rpc_url: set.rpc_url.map_or(set.chain.rpc_url().to_owned(), Endpoint::into_url),
        };
        let checked = config.check();
        reader.checked("PERP_VENUE_CHAIN", checked.map(|()| config))
    }
}

impl VenueChainConfig {
    /// Checks that the chain id is the network's own, unless clients receive an RPC on this machine, and that the RPC
    /// is not the other network's.
    fn check(&self) -> Result<(), WrongValue> {
        if self.chain_id != self.chain.chain_id() && !is_loopback(&self.rpc_url) {
            return Err(WrongValue("PERP_VENUE_CHAIN_ID is not the network's"));
        }
        if self.chain.other().answers_at(&self.rpc_url) {
            return Err(WrongValue("PERP_VENUE_RPC_URL belongs to the other network"));
        }
        Ok(())
    }
}

/// The host of a URL in its canonical spelling.
fn host(url: &str) -> Option<String> {
    let uri = url.parse::<Uri>().ok()?;
    uri.host().map(|host| host.trim_end_matches('.').to_ascii_lowercase())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::settings::read;

    use super::*;

    #[test]
    fn both_networks_are_as_published() {
        let published = [VenueChain::Mainnet, VenueChain::Testnet]
            .map(|chain| (chain.chain_id(), chain.rpc_url(), chain.info_url()));
        assert_eq!(
            published,
            [
                (0x3e7, "https://rpc.hyperliquid.xyz/evm", "https://api.hyperliquid.xyz/info"),
                (
                    0x3e6,
                    "https://rpc.hyperliquid-testnet.xyz/evm",
                    "https://api.hyperliquid-testnet.xyz/info"
                ),
            ]
        );
    }

    #[test]
    fn endpoints_are_reached_by_https() {
        for text in ["https://rpc.example/evm", "http://127.0.0.1:8545", "http://localhost:8545/"] {
            assert_eq!(text.parse::<Endpoint>().unwrap().into_url(), text);
        }
        for text in [
            "http://rpc.example",
            "ws://127.0.0.1",
            "rpc.example",
            "",
            "https://",
            "https://name:password@rpc.example",
            "https://key@rpc.example/evm",
        ] {
            assert!(text.parse::<Endpoint>().is_err(), "{text}");
        }
    }

    #[test]
    fn chain_id_and_rpc_belong_to_the_network() {
        let venue = |own: &[(&str, &str)]| {
            read::<VenueChainConfig>(|name| {
                own.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let mainnet = venue(&[]).unwrap();
        assert_eq!((mainnet.chain, mainnet.chain_id), (VenueChain::Mainnet, 999));
        assert_eq!(mainnet.rpc_url, VenueChain::Mainnet.rpc_url());
        let local =
            [("PERP_VENUE_CHAIN_ID", "31337"), ("PERP_VENUE_RPC_URL", "http://127.0.0.1:1")];
        assert_eq!(venue(&local).unwrap().chain_id, 31_337);
        for (name, value) in [
            ("PERP_VENUE_CHAIN_ID", "998"),
            ("PERP_VENUE_CHAIN_ID", "1"),
            ("PERP_VENUE_RPC_URL", VenueChain::Testnet.rpc_url()),
            ("PERP_VENUE_RPC_URL", "https://RPC.hyperliquid-testnet.xyz.:443/evm?x"),
        ] {
            let error = venue(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains("PERP_VENUE_CHAIN:"), "{name}={value}: {error}");
        }
    }
}
