//! What a handler receives: a validated body, a validated path, and the caller.
//!
//! Authentication is an argument type: a handler with a [`Caller`] cannot run without one.

use std::{convert::Infallible, ops::Deref, str::FromStr, time::Duration};

use axum::{
    RequestExt,
    extract::{FromRef, FromRequest, FromRequestParts, RawPathParams, Request},
};
use base::section;
use bytes::Bytes;
use http::{header, request::Parts};
use serde_json::{Map, Value};

use super::{Error, Ingress, Params, Problem, RequestContext};
use crate::{
    auth::{Caller, LiveCaller},
    input::{Input, plain_words, read},
    models::account::Role,
};

/// The longest body, in bytes.
pub const LONGEST_BODY: usize = 256 * 1024;

/// A body that has been read without error.
#[derive(Debug)]
pub struct Valid<T>(pub T);

impl<T: Input, S: Sync> FromRequest<S> for Valid<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Error> {
        parse(&body_of(request).await?).map(Self)
    }
}

/// The whole body, if its content type may hold JSON. An empty body counts as `{}`, whatever its type.
pub(super) async fn body_of(request: Request) -> Result<Bytes, Error> {
    let content_type = request.headers().get(header::CONTENT_TYPE).cloned();
    let bytes = request.extract::<Bytes, _>().await.map_err(|rejection| {
        if rejection.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
            Error::new(Problem::PayloadTooLarge)
        } else {
            Error::new(Problem::MalformedBody).caused_by(rejection)
        }
    })?;
    match content_type {
        // Libraries set a form's content type even if there is no body.
        _ if bytes.is_empty() => Ok(bytes),
        Some(kind) if is_json(kind.to_str().unwrap_or_default()) => Ok(bytes),
        _ => Err(Error::new(Problem::UnsupportedMediaType)),
    }
}

/// Whether a content type is `application/json` or has the suffix `+json` (RFC 6839, section 3.1).
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let subtype = essence.strip_prefix("application/");
    subtype.is_some_and(|subtype| subtype == "json" || subtype.ends_with("+json"))
}

pub(super) fn parse<T: Input>(body: &[u8]) -> Result<T, Error> {
    let object = if body.is_empty() {
        Map::new()
    } else {
        match serde_json::from_slice(body) {
            Ok(Value::Object(object)) => object,
            Ok(_) => {
                return Err(Error::with_details(
                    Problem::MalformedBody,
                    "The body is not a JSON object.",
                ));
            }
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                let place = |place: usize| u64::try_from(place).unwrap_or(u64::MAX);
                let details = format!("The body is not JSON: see line {line}, column {column}.");
                let params =
                    Params::new().number("line", place(line)).number("column", place(column));
                return Err(
                    Error::with_details(Problem::MalformedBody, details).with_params(params)
                );
            }
        }
    };
    read(&object)
}

/// The last variable segment of the path, parsed.
#[derive(Debug)]
pub struct Segment<T>(pub T);

impl<T: FromStr<Err: std::fmt::Display>, S: Send + Sync> FromRequestParts<S> for Segment<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let path = RawPathParams::from_request_parts(parts, state).await;
        let path = path.map_err(|error| Error::field("path", "is not UTF-8").caused_by(error))?;
        let (name, text) = path.iter().last().ok_or(Error::new(Problem::NotFound))?;
        text.parse().map(Self).map_err(|error: T::Err| wrong_segment(name, &error))
    }
}

fn wrong_segment(name: &str, error: &impl std::fmt::Display) -> Error {
    Error::field(name, plain_words(&error.to_string()))
}

/// The last two variable segments of the path, parsed.
#[derive(Debug)]
pub struct Segments<A, B>(pub A, pub B);

impl<A, B, S> FromRequestParts<S> for Segments<A, B>
where
    A: FromStr<Err: std::fmt::Display>,
    B: FromStr<Err: std::fmt::Display>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let path = RawPathParams::from_request_parts(parts, state).await;
        let path = path.map_err(|error| Error::field("path", "is not UTF-8").caused_by(error))?;
        let segments: Vec<_> = path.iter().collect();
        let [.., (one, first), (other, second)] = segments.as_slice() else {
            return Err(Error::new(Problem::NotFound));
        };
        let first = first.parse().map_err(|error: A::Err| wrong_segment(one, &error))?;
        let second = second.parse().map_err(|error: B::Err| wrong_segment(other, &error))?;
        Ok(Self(first, second))
    }
}

impl<S: Sync> FromRequestParts<S> for Caller
where
    Ingress: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let header =
            parts.headers.get(header::AUTHORIZATION).ok_or(Error::new(Problem::NoAuthorization))?;
        let token = bearer(header.as_bytes()).ok_or(Error::new(Problem::NoAuthorization))?;
        let caller = Self::from(Ingress::from_ref(state).tokens.verify(token).await?);
        if let Some(context) = parts.extensions.get::<RequestContext>() {
            context.identify(caller.account);
        }
        Ok(caller)
    }
}

/// The token of an `Authorization` header (RFC 6750, section 2.1).
fn bearer(header: &[u8]) -> Option<&str> {
    let (scheme, token) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The [`Caller`] of a public route, if the request has a valid token. Clients attach the token that they
/// have, so an expired or malformed one need not fail the request.
#[derive(Debug)]
pub struct MaybeCaller(Result<Option<Caller>, Error>);

impl MaybeCaller {
    /// The caller, for answers that do not depend on it: an invalid token counts as none.
    pub fn if_any(&self) -> Option<&Caller> {
        self.0.as_ref().ok().and_then(Option::as_ref)
    }

    /// The caller, for answers that depend on it.
    ///
    /// # Errors
    /// The error of [`Caller`], if the request has a token and it is invalid.
    pub fn or_refused(self) -> Result<Option<Caller>, Error> {
        self.0
    }
}

impl<S: Sync> FromRequestParts<S> for MaybeCaller
where
    Ingress: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self(if parts.headers.contains_key(header::AUTHORIZATION) {
            Caller::from_request_parts(parts, state).await.map(Some)
        } else {
            Ok(None)
        }))
    }
}

impl<S: Sync> FromRequestParts<S> for LiveCaller
where
    Ingress: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let context = parts.extensions.get::<RequestContext>().cloned();
        let context = context.ok_or(Error::new(Problem::Internal))?;
        Self::read(&Ingress::from_ref(state), caller.account, caller.session, context)
            .await
            .map_err(Error::from)
    }
}

section! {
    /// Who may change credentials.
    pub struct ReauthConfig {
        /// How long after an authentication its session may change credentials, in seconds
        pub window: Duration = "REAUTH_WINDOW" or "900" via seconds,
    }
}

fn seconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_secs)
}

/// A [`LiveCaller`] who may change credentials as the interface defines it: the caller authenticated within a
/// window that is a setting (custody rule 18).
#[derive(Clone, Debug)]
pub struct ReauthenticatedCaller(pub LiveCaller);

impl<S: Sync> FromRequestParts<S> for ReauthenticatedCaller
where
    Ingress: FromRef<S>,
    ReauthConfig: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let caller = LiveCaller::from_request_parts(parts, state).await?;
        let ReauthConfig { window } = ReauthConfig::from_ref(state);
        caller.opened_within(&Ingress::from_ref(state), window)?;
        Ok(Self(caller))
    }
}

/// A [`LiveCaller`] who authenticated within the last quarter of an hour: for changes of credentials that the
/// interface does not define (custody rule 18). A refresh does not count.
#[derive(Clone, Debug)]
pub struct FreshCaller(pub LiveCaller);

impl<S: Sync> FromRequestParts<S> for FreshCaller
where
    Ingress: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let caller = LiveCaller::from_request_parts(parts, state).await?;
        caller.signed_in_recently(&Ingress::from_ref(state))?;
        Ok(Self(caller))
    }
}

/// A [`LiveCaller`] whose account row has the role `admin`; the role in the token does not count.
#[derive(Clone, Debug)]
pub struct Admin(LiveCaller);

impl Deref for Admin {
    type Target = LiveCaller;

    fn deref(&self) -> &LiveCaller {
        &self.0
    }
}

impl<S: Sync> FromRequestParts<S> for Admin
where
    Ingress: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let caller = LiveCaller::from_request_parts(parts, state).await?;
        match caller.account.role {
            Role::Admin => Ok(Self(caller)),
            Role::User => {
                Err(Error::with_details(Problem::Forbidden, "This needs the role admin."))
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::input::Fields;

    #[derive(Debug)]
    struct Order {
        amount: u32,
        note: Option<String>,
    }

    impl Input for Order {
        fn read(fields: &mut Fields<'_>) -> Option<Self> {
            let (amount, note) = (fields.required("amount"), fields.optional_text("note", 3));
            Some(Self { amount: amount?, note: note? })
        }
    }

    #[test]
    fn every_wrong_field_is_named() {
        let error = parse::<Order>(br#"{"amount": "1", "note": "long"}"#).unwrap_err();
        let text = format!("{error:?}");
        assert!(text.contains("Missing or wrong: amount, note."), "{text}");
    }

    #[derive(Debug)]
    struct Orders(Vec<Order>);

    impl Input for Orders {
        fn read(fields: &mut Fields<'_>) -> Option<Self> {
            fields.objects("orders", 1..=3).map(Self)
        }
    }

    #[test]
    fn every_wrong_item_is_named() {
        let good = parse::<Orders>(br#"{"orders": [{"amount": 1}, {"amount": 2}]}"#).unwrap();
        assert_eq!(good.0.iter().map(|order| order.amount).collect::<Vec<_>>(), [1, 2]);
        for (body, named) in [
            ("{}", "orders"),
            (r#"{"orders": null}"#, "orders"),
            (r#"{"orders": {"amount": 1}}"#, "orders"),
            (r#"{"orders": []}"#, "orders"),
            (r#"{"orders": [{}, {}, {}, {}]}"#, "orders"),
            (r#"{"orders": [[1, "x"]]}"#, "orders[0]"),
            (
                r#"{"orders": [{"amount": -1, "note": "long"}, {"amount": 1}, 7]}"#,
                "orders[0].amount, orders[0].note, orders[2]",
            ),
        ] {
            let text = format!("{:?}", parse::<Orders>(body.as_bytes()).unwrap_err());
            assert!(text.contains(&format!("Missing or wrong: {named}.")), "{body}: {text}");
        }
    }

    #[test]
    fn missing_null_and_unknown_fields() {
        for (body, amount) in [
            ("", None),
            ("{}", None),
            (r#"{"amount":null}"#, None),
            (r#"{"amount":1,"x":{}}"#, Some(1)),
        ] {
            assert_eq!(
                parse::<Order>(body.as_bytes()).ok().map(|order| order.amount),
                amount,
                "{body}"
            );
        }
        assert_eq!(parse::<Order>(br#"{"amount":1,"note":""}"#).unwrap().note, None);
    }

    #[test]
    fn hostile_bodies_are_refused() {
        let deep = "[".repeat(100_000);
        for body in [
            "[]",
            "1",
            "{",
            "\u{feff}{}",
            "{\"amount\":1}x",
            deep.as_str(),
            &format!("{{\"amount\":{deep}"),
        ] {
            let error = parse::<Order>(body.as_bytes()).unwrap_err();
            assert_eq!(error.problem(), Problem::MalformedBody);
        }
        assert!(parse::<Order>(b"{\"amount\":\"\xff\"}").is_err());
    }

    #[test]
    fn json_content_types() {
        for (kind, json) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("application/ld+json", true),
            ("text/json", false),
            ("application/jsonp", false),
            ("", false),
            ("multipart/form-data", false),
        ] {
            assert_eq!(is_json(kind), json, "{kind}");
        }
    }

    #[test]
    fn authorization_headers() {
        assert_eq!(bearer(b"Bearer abc"), Some("abc"));
        assert_eq!(bearer(b"bearer  abc "), Some("abc"));
        for bad in ["abc", "Basic abc", "", "Bearer"] {
            assert_eq!(bearer(bad.as_bytes()), None);
        }
    }
}
