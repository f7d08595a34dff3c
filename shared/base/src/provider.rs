//! Where the parties outside AWS are reached. Such an address may hold a provider's key, so it can be kept in
//! SSM, as a parameter of the type `SecureString`: a function then reads it at its first use, and again within
//! five minutes, so that a changed key needs no deployment. Other secrets can be kept in the same way.

use std::{fmt, str::FromStr, sync::Arc};

use secrecy::{ExposeSecret, SecretString};

use crate::{
    aws::Parameters,
    cached::{Cached, ReadFailure},
    clock::Clock,
    outbound::{OutboundError, is_loopback},
    random::Random,
    settings::base_url,
};

/// What precedes the name of a parameter.
const IN_SSM: &str = "ssm:";

/// An address as it is set: the address itself or, after `ssm:`, the name of the parameter that holds it. A
/// slash at its end is dropped.
#[derive(Clone, Debug)]
pub enum ProviderUrl {
    /// The address.
    Given(SecretString),
    /// Where it is.
    Stored(ParameterName),
}

impl FromStr for ProviderUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with(IN_SSM) { text.parse().map(Self::Stored) } else { Ok(text.into()) }
    }
}

impl From<&str> for ProviderUrl {
    /// An address.
    fn from(address: &str) -> Self {
        let Ok(address) = base_url(address);
        Self::Given(address.into())
    }
}

/// Why a text is not a valid provider address.
pub type Check = Arc<dyn Fn(&str) -> Result<(), &'static str> + Send + Sync>;

/// Accepts `https://` and, on this machine, `http://`. An attacker who could change a provider's answers would
/// decide what is true here.
///
/// # Errors
/// A text for the operator if the address is not a URL, or not encrypted.
pub fn encrypted(address: &str) -> Result<(), &'static str> {
    let uri = address.parse::<http::Uri>().ok().filter(|uri| uri.host().is_some());
    match uri.as_ref().and_then(http::Uri::scheme_str) {
        Some("https") => Ok(()),
        Some("http") if is_loopback(address) => Ok(()),
        _ => Err("it is not a URL that starts with https://"),
    }
}

/// The name of an SSM parameter, which is set after `ssm:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterName(String);

impl FromStr for ParameterName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.strip_prefix(IN_SSM).filter(|name| name.len() > 1 && name.starts_with('/'));
        let name =
            name.ok_or("must be ssm: and the name of a parameter, which starts with a slash")?;
        Ok(Self(name.to_owned()))
    }
}

/// A text kept in SSM, read at first use and re-read periodically.
pub struct Stored {
    name: ParameterName,
    check: Check,
    parameters: Parameters,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    kept: Cached<SecretString>,
}

/// Why a stored text cannot be used. It says nothing of the text.
#[derive(Debug, thiserror::Error)]
enum Unusable {
    #[error("{0}")]
    Unread(#[from] OutboundError),
    #[error("{0}")]
    Wrong(&'static str),
}

impl ReadFailure for Unusable {
    /// What SSM refuses, it refuses again; it was asked again where that might help.
    fn is_transient(&self) -> bool {
        match self {
            Self::Unread(OutboundError::Refused { status, reason }) => {
                *status >= 500 || reason.starts_with("Throttl")
            }
            Self::Unread(OutboundError::Malformed(_)) | Self::Wrong(_) => false,
            Self::Unread(_) => true,
        }
    }
}

impl Stored {
    /// The text in a parameter; reads nothing yet. What is read must pass `check`; `what` is for the log.
    pub fn new(
        name: ParameterName,
        what: &'static str,
        check: Check,
        parameters: Parameters,
        (clock, random): (Arc<dyn Clock>, Arc<dyn Random>),
    ) -> Self {
        Self { name, check, parameters, clock, random, kept: Cached::new(what) }
    }

    /// The text, without spaces around it.
    ///
    /// # Errors
    /// [`OutboundError::NotStored`] if the parameter cannot be read or its value is invalid.
    pub async fn text(&self) -> Result<Arc<SecretString>, OutboundError> {
        let kept = self.kept.get(&*self.clock, &*self.random, |_| true, || self.read()).await;
        kept.map_err(|error| OutboundError::NotStored {
            parameter: self.name.0.clone(),
            reason: error.to_string(),
        })
    }

    async fn read(&self) -> Result<SecretString, Unusable> {
        let text = SecretString::from(self.parameters.get(&self.name.0).await?);
        let text = text.expose_secret().trim();
        (self.check)(text).map_err(Unusable::Wrong)?;
        Ok(text.into())
    }
}

/// A party, as it is found. Cloning is cheap; clones share what was read.
#[derive(Clone)]
pub struct Provider(Arc<Source>);

enum Source {
    Given(SecretString),
    Stored(Box<Stored>),
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Source::Given(_) => f.write_str("Provider"),
            Source::Stored(stored) => f.debug_tuple("Provider").field(&stored.name).finish(),
        }
    }
}

impl From<&str> for Provider {
    /// The party at an address.
    fn from(address: &str) -> Self {
        let Ok(address) = base_url(address);
        Self(Arc::new(Source::Given(address.into())))
    }
}

impl From<Stored> for Provider {
    /// The party at an address that is kept in SSM.
    fn from(address: Stored) -> Self {
        Self(Arc::new(Source::Stored(Box::new(address))))
    }
}

impl Provider {
    /// The address of something at this party: its base address, and this path.
    ///
    /// # Errors
    /// [`OutboundError::NotStored`] if the base address is a parameter that cannot be read or is invalid.
    pub async fn at(&self, path: &str) -> Result<String, OutboundError> {
        match &*self.0 {
            Source::Given(base) => Ok(format!("{}{path}", base.expose_secret())),
            Source::Stored(stored) => {
                let base = stored.text().await?;
                Ok(format!("{}{path}", base.expose_secret().trim_end_matches('/')))
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_given_or_stored() {
        let given = "https://ord.example/key/".parse::<ProviderUrl>().unwrap();
        assert!(matches!(&given, ProviderUrl::Given(address)
            if address.expose_secret() == "https://ord.example/key"));
        assert!(!format!("{given:?} {:?}", Provider::from("https://key")).contains("key"));
        let stored = "ssm:/runeport/prod/ord-url".parse::<ProviderUrl>().unwrap();
        assert!(matches!(stored, ProviderUrl::Stored(name) if name.0 == "/runeport/prod/ord-url"));
        for text in ["ssm:", "ssm:/", "ssm:ord-url"] {
            assert!(text.parse::<ProviderUrl>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_stored_is_a_url_that_nobody_reads_on_the_way() {
        for (address, accepted) in [
            ("https://ord.example/key", true),
            ("http://127.0.0.1:8080", true),
            ("http://[::1]:8080", true),
            ("http://ord.example", false),
            ("http://10.0.0.7:8080", false),
            ("http://127.0.0.1.example", false),
            ("ftp://ord.example", false),
            ("https://", false),
            ("ord.example", false),
            ("", false),
        ] {
            assert_eq!(encrypted(address).is_ok(), accepted, "{address}");
        }
    }

    #[test]
    fn what_ssm_refuses_is_not_asked_again() {
        let refused = |status, reason: &str| {
            Unusable::Unread(OutboundError::Refused { status, reason: reason.to_owned() })
        };
        for (error, again) in [
            (refused(400, "ParameterNotFound"), false),
            (refused(400, "AccessDeniedException not you"), false),
            (refused(400, "ThrottlingException"), true),
            (refused(500, "InternalServerError"), true),
            (Unusable::Unread(OutboundError::Timeout), true),
            (Unusable::Wrong("it is no URL"), false),
        ] {
            assert_eq!(error.is_transient(), again, "{error}");
        }
    }
}
