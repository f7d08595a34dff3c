//! Query strings. They are decoded here because libraries turn `+` into a space too early.

use axum::extract::FromRequestParts;
use http::request::Parts;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::{Error, Input};
use crate::input::read;

/// A parsed query. Its parameters are fields, all of them texts.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: Input, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Error> {
        let mut object = Map::new();
        for (name, raw) in pairs(parts.uri.query().unwrap_or_default()) {
            let (Some(name), Some(value)) = (name, decode(raw, Plus::Space)) else {
                return Err(Error::field("query", "is not UTF-8"));
            };
            if object.insert(name.clone(), Value::String(value)).is_some() {
                return Err(Error::field(name, "is given twice"));
            }
        }
        read(&object).map(Self)
    }
}

/// The parameters of a raw query: names decoded (`None` if not UTF-8), values raw.
pub(super) fn pairs(query: &str) -> impl Iterator<Item = (Option<String>, &str)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name, Plus::Space), value)
    })
}

/// The meaning of a raw `+`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plus {
    /// A space, as in forms.
    Space,
    /// A prefix at the start of a field, a space between two names.
    Prefix,
}

/// Decodes percent-encoding; `None` if the result is not UTF-8.
pub(super) fn decode(raw: &str, plus: Plus) -> Option<String> {
    let mut pieces = raw.split('+').map(percent_decode_str);
    let mut bytes: Vec<u8> = pieces.next().into_iter().flatten().collect();
    for piece in pieces {
        let starts_a_field = matches!(bytes.last(), None | Some(b',' | b' '));
        bytes.push(if plus == Plus::Prefix && starts_a_field { b'+' } else { b' ' });
        bytes.extend(piece);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plus_and_percent_are_decoded() {
        assert_eq!(decode("a+b%20c%2Bd", Plus::Space).as_deref(), Some("a b c+d"));
        assert_eq!(decode("+a+b,+c%2", Plus::Prefix).as_deref(), Some("+a b,+c%2"));
        assert_eq!(decode("a%2C+b%20+c++%", Plus::Prefix).as_deref(), Some("a,+b +c +%"));
        assert_eq!(decode("%2b%zz%%41", Plus::Space).as_deref(), Some("+%zz%A"));
        assert_eq!(decode("%FF", Plus::Space), None);
    }

    proptest! {
        #[test]
        fn decoding_never_panics(raw in any::<String>()) {
            let _ = decode(&raw, Plus::Prefix);
            let _ = decode(&raw, Plus::Space);
        }
    }
}
