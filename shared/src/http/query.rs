//! Query strings. They are decoded here because libraries turn `+` into a space too early.

use axum::extract::FromRequestParts;
use http::request::Parts;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use utoipa::IntoParams;

use super::{Error, FieldError, Input};
use crate::input::{is_spelling_of, read_query};

/// A parsed query. Its parameters are fields, and all of them are texts. Parameters that the endpoint's
/// document does not list are refused, because ignoring one would change the meaning of the answer.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: Input + IntoParams, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Error> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

impl<T: Input + IntoParams> Query<T> {
    fn parse(query: &str) -> Result<Self, Error> {
        let (mut object, mut unknown) = (Map::new(), Vec::new());
        for (name, raw) in pairs(query) {
            let (Some(name), Some(value)) = (name, decode(raw, Plus::Space)) else {
                return Err(Error::field("query", "is not UTF-8"));
            };
            let known = T::into_params(|| None);
            if is_for_others(&name, known.iter().map(|parameter| &*parameter.name)) {
                continue;
            }
            if !known.iter().any(|parameter| parameter.name == name) {
                let allowed = known.into_iter().map(|parameter| parameter.name);
                unknown.push(FieldError { field: name, message: unknown_parameter(allowed) });
                continue;
            }
            if object.insert(name.clone(), Value::String(value)).is_some() {
                return Err(Error::field(name, "is given twice"));
            }
        }
        if unknown.is_empty() { read_query(&object).map(Self) } else { Err(Error::fields(unknown)) }
    }
}

/// Whether a parameter is meant for page statistics or for caches on the way instead of the service: its name
/// begins with `_` or `utm_`, and is not another spelling of a known parameter, such as `_dryRun`.
pub(super) fn is_for_others<'a>(name: &str, mut known: impl Iterator<Item = &'a str>) -> bool {
    let is_marked = name.starts_with('_') || name.starts_with("utm_");
    is_marked && !known.any(|known| is_spelling_of(name, known))
}

/// The message about a parameter that an endpoint does not have.
pub(super) fn unknown_parameter(allowed: impl Iterator<Item = String>) -> String {
    let allowed: Vec<_> = allowed.collect();
    format!("is not a parameter of this endpoint; allowed: {}", allowed.join(", "))
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
    /// A prefix at the start of a field, and a space between two names.
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
#[allow(clippy::unwrap_used)]
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

    /// Selects things.
    #[derive(Debug, IntoParams)]
    #[into_params(parameter_in = Query, rename_all = "camelCase")]
    struct Selection {
        /// At most so many.
        most_things: Option<u32>,
        /// Of this colour.
        #[param(rename = "colour_eq")]
        colour: Option<String>,
    }

    impl Input for Selection {
        fn read(fields: &mut crate::input::Fields<'_>) -> Option<Self> {
            let most_things = fields.optional_parsed("mostThings", 5);
            let colour = fields.optional_text("colour_eq", 9);
            Some(Self { most_things: most_things?, colour: colour? })
        }
    }

    #[test]
    fn unknown_parameters_are_refused_with_the_allowed_ones() {
        let parse = |query: &str| Query::<Selection>::parse(query).map(|Query(it)| it);
        for query in [
            "limit=5",
            "most_things=5",
            "mostThings[]=5",
            "mostThings%5B%5D=5",
            "colour_eq[0]=red",
            "filter[colour]=red",
            "colour=red",
            "Colour_eq=red",
            "utm=1",
            "limit",
            "_mostThings=5",
            "_most_things=5",
            "_colour_eq=red",
        ] {
            let error = format!("{:?}", parse(query).unwrap_err());
            assert!(error.contains("allowed: mostThings, colour_eq"), "{query}: {error}");
        }
        let twice = format!("{:?}", parse("a=1&b=2").unwrap_err());
        assert!(twice.contains("Missing or wrong: a, b."), "{twice}");
        for query in ["", "_=1&utm_source=mail&_cb", "_eq=1&_things=2", "mostThings=&colour_eq="] {
            let read = parse(query).unwrap();
            assert_eq!((read.most_things, read.colour), (None, None), "{query}");
        }
        let read = parse("mostThings=7&colour_eq=red").unwrap();
        assert_eq!((read.most_things, read.colour.as_deref()), (Some(7), Some("red")));
    }

    proptest! {
        #[test]
        fn decoding_never_panics(raw in any::<String>()) {
            let _ = decode(&raw, Plus::Prefix);
            let _ = decode(&raw, Plus::Space);
        }
    }
}
