//! Where a webhook may send to: only to public addresses, and only over https.
//!
//! A URL is checked when it is set, and its addresses are checked for every request: the name is resolved
//! once, every address must be public, and the connection goes to one of those addresses.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use tokio::{net::lookup_host, time::timeout};
use url::{Host, Url};

/// The longest URL, in characters.
pub const LONGEST: usize = 500;
/// How long resolving a name may take.
const RESOLVING: Duration = Duration::from_secs(5);

/// Why a webhook may not send to a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlRefused {
    /// It is not a URL.
    #[error("The URL cannot be parsed.")]
    Malformed,
    /// It is too long.
    #[error("The URL must have at most 500 characters.")]
    TooLong,
    /// It is not https.
    #[error("The URL must start with https://.")]
    NotHttps,
    /// It names a port.
    #[error("The URL must not name a port other than 443.")]
    Port,
    /// It has a user or a password.
    #[error("The URL must not contain a user or a password.")]
    User,
    /// It has a fragment.
    #[error("The URL must not contain a fragment.")]
    Fragment,
    /// Its host is an address.
    #[error("The URL must name its host, not an IP address.")]
    IpAddress,
    /// Its name has no address.
    #[error("The host of the URL cannot be resolved.")]
    Unresolved,
    /// One of its addresses is not public.
    #[error("The host of the URL has an address that is not public.")]
    NotPublic,
}

/// The URL of a webhook, in a permitted form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookUrl(Url);

impl WebhookUrl {
    /// Parses a URL. If `is_local`, it may also name this machine, over plain http and with a port.
    pub fn parse(text: &str, is_local: bool) -> Result<Self, UrlRefused> {
        if text.chars().count() > LONGEST {
            return Err(UrlRefused::TooLong);
        }
        let url = Url::parse(text).map_err(|_| UrlRefused::Malformed)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlRefused::User);
        }
        if url.fragment().is_some() {
            return Err(UrlRefused::Fragment);
        }
        let is_loopback = match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        if is_local && is_loopback && matches!(url.scheme(), "http" | "https") {
            return Ok(Self(url));
        }
        if url.scheme() != "https" {
            return Err(UrlRefused::NotHttps);
        }
        // The parser drops the default port of the scheme.
        if url.port().is_some() {
            return Err(UrlRefused::Port);
        }
        match url.host() {
            Some(Host::Domain(name)) if !name.is_empty() => Ok(Self(url)),
            Some(Host::Domain(_)) | None => Err(UrlRefused::Malformed),
            // The parser recognises every way to write an IPv4 address: 2130706433, 0x7f.1, 127.1.
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(UrlRefused::IpAddress),
        }
    }

    /// The URL as it is requested.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Fails unless the host has addresses, all of them public.
    pub async fn check_host(&self, is_local: bool) -> Result<(), UrlRefused> {
        match self.0.host() {
            Some(Host::Domain(name)) => resolve(name, is_local).await.map(drop),
            // Parsed as an address of this machine.
            _ => Ok(()),
        }
    }
}

/// The host that a URL names; empty if it names none.
pub fn host_of(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// The addresses of a name if all are public, or, if `is_local`, addresses of this machine.
pub async fn resolve(name: &str, is_local: bool) -> Result<Vec<SocketAddr>, UrlRefused> {
    let found = timeout(RESOLVING, lookup_host((name, 0))).await;
    let found: Vec<_> = match found {
        Ok(Ok(found)) => found.collect(),
        Ok(Err(_)) | Err(_) => return Err(UrlRefused::Unresolved),
    };
    checked(found, is_local)
}

/// Returns the addresses if all are allowed.
fn checked(found: Vec<SocketAddr>, is_local: bool) -> Result<Vec<SocketAddr>, UrlRefused> {
    let is_allowed = |address: &SocketAddr| {
        let ip = address.ip();
        is_public(ip) || is_local && ip.is_loopback()
    };
    if found.is_empty() {
        Err(UrlRefused::Unresolved)
    } else if found.iter().all(is_allowed) {
        Ok(found)
    } else {
        Err(UrlRefused::NotPublic)
    }
}

/// Whether the address is public, so that it names the same machine for everyone.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|(network, bits)| {
            in_network(address.to_bits().into(), network.to_bits().into(), *bits, 32)
        }),
        // Only this part of the address space is assigned; it contains no mapped or translated IPv4
        // addresses.
        IpAddr::V6(address) => {
            in_network(address.to_bits(), GLOBAL_V6.0.to_bits(), GLOBAL_V6.1, 128)
                && !SPECIAL_V6.iter().any(|(network, bits)| {
                    in_network(address.to_bits(), network.to_bits(), *bits, 128)
                })
        }
    }
}

/// Whether the first `bits` of two addresses of `all` bits are the same.
fn in_network(address: u128, network: u128, bits: u32, all: u32) -> bool {
    let rest = all.saturating_sub(bits);
    (address ^ network).checked_shr(rest).unwrap_or_default() == 0
}

/// Networks of IPv4 that are not, or not always, public (IANA's registry of special-purpose addresses, and multicast).
const SPECIAL_V4: [(Ipv4Addr, u32); 17] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 31, 196, 0), 24),
    (Ipv4Addr::new(192, 52, 193, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(192, 175, 48, 0), 24),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast, reserved networks, and broadcast.
    (Ipv4Addr::new(224, 0, 0, 0), 3),
];

/// Global unicast.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks within it that are not public.
const SPECIAL_V6: [(Ipv6Addr, u32); 5] = [
    // Protocols: Teredo, benchmarks, ORCHID and others.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4: embeds an IPv4 address.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_https_with_a_name_is_a_webhooks_url() {
        for good in [
            "https://example.com",
            "https://example.com:443/hooks?a=b",
            "https://sub.example.com/a/b/",
            "https://localhost/",
            "https://bücher.example/",
        ] {
            assert!(WebhookUrl::parse(good, false).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("", UrlRefused::Malformed),
            ("example.com", UrlRefused::Malformed),
            ("https://", UrlRefused::Malformed),
            ("http://example.com", UrlRefused::NotHttps),
            ("ftp://example.com", UrlRefused::NotHttps),
            ("file:///etc/passwd", UrlRefused::NotHttps),
            ("https://example.com:8443", UrlRefused::Port),
            ("https://example.com:80", UrlRefused::Port),
            ("https://user@example.com", UrlRefused::User),
            ("https://:secret@example.com", UrlRefused::User),
            ("https://example.com#part", UrlRefused::Fragment),
            ("https://127.0.0.1", UrlRefused::IpAddress),
            ("https://2130706433", UrlRefused::IpAddress),
            ("https://0x7f.1", UrlRefused::IpAddress),
            ("https://0177.0.0.1", UrlRefused::IpAddress),
            ("https://127.1", UrlRefused::IpAddress),
            ("https://①②⑦.0.0.1", UrlRefused::IpAddress),
            ("https://[::1]", UrlRefused::IpAddress),
            ("https://[::ffff:169.254.169.254]", UrlRefused::IpAddress),
            ("https://8.8.8.8", UrlRefused::IpAddress),
        ] {
            assert_eq!(WebhookUrl::parse(bad, false).unwrap_err(), why, "{bad}");
        }
        let long = format!("https://example.com/{}", "a".repeat(LONGEST));
        assert_eq!(WebhookUrl::parse(&long, false).unwrap_err(), UrlRefused::TooLong);
    }

    #[test]
    fn the_local_world_may_send_to_itself_and_to_nothing_else_by_http() {
        for good in ["http://127.0.0.1:8080/hooks", "http://localhost:9000", "http://[::1]:1"] {
            assert!(WebhookUrl::parse(good, true).is_ok(), "{good}");
            assert!(WebhookUrl::parse(good, false).is_err(), "{good}");
        }
        for bad in
            ["http://example.com", "http://10.0.0.1", "http://localhost.example", "ftp://127.0.0.1"]
        {
            assert!(WebhookUrl::parse(bad, true).is_err(), "{bad}");
        }
    }

    #[test]
    fn private_and_special_addresses_are_not_public() {
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2600:9000::1",
            "2001:200::1",
            "2a00:1450:4001::8a",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for special in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "169.254.170.2",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(special.parse().unwrap()), "{special}");
        }
    }

    #[test]
    fn one_address_that_is_not_public_refuses_the_name() {
        let address = |text: &str| SocketAddr::new(text.parse().unwrap(), 0);
        let (public, private) = (address("8.8.8.8"), address("10.0.0.1"));
        let loopback = address("127.0.0.1");
        assert_eq!(checked(vec![public], false), Ok(vec![public]));
        assert_eq!(checked(vec![public, private], false), Err(UrlRefused::NotPublic));
        assert_eq!(checked(vec![private, public], true), Err(UrlRefused::NotPublic));
        assert_eq!(checked(vec![loopback], false), Err(UrlRefused::NotPublic));
        assert_eq!(checked(vec![loopback], true), Ok(vec![loopback]));
        assert_eq!(checked(Vec::new(), true), Err(UrlRefused::Unresolved));
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_refused() {
        let url = WebhookUrl::parse("https://localhost/", false).unwrap();
        assert_eq!(url.check_host(false).await, Err(UrlRefused::NotPublic));
        assert_eq!(url.check_host(true).await, Ok(()));
        let url = WebhookUrl::parse("https://nothing.invalid/", false).unwrap();
        assert_eq!(url.check_host(false).await, Err(UrlRefused::Unresolved));
    }
}
