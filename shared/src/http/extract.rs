//! What a handler takes: a checked body, a checked path, and who is calling.
//!
//! Authentication is an argument type: a handler with a [`Caller`] cannot run without one.

use std::{
    convert::Infallible,
    ops::{Deref, RangeInclusive},
    str::FromStr,
    time::Duration,
};

use axum::{
    RequestExt,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use http::{header, request::Parts};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Error, FieldError, Problem, RequestContext, error::AreaError};
use crate::{
    app::App,
    auth::token::{Claims, TokenError},
    models::{
        account::{Account, AccountId, Role, Status},
        session::{Session, SessionId},
        wallet::WalletAddress,
    },
    store::{Key, StoreError, Update, Writes},
};

/// The longest body, in bytes.
pub const LONGEST_BODY: usize = 256 * 1024;

/// A request body: a JSON object of named fields.
pub trait Input: Sized {
    /// Reads every field, so that every wrong one is named; `None` where one was.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;
}

/// The fields of a JSON object, and what was wrong with those that were read.
///
/// Unknown fields are ignored. A field that is `null` counts as missing.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// The fields of `object`.
    pub fn new(object: &'a Map<String, Value>) -> Self {
        Self { object, errors: Vec::new() }
    }

    /// Whether a field is there.
    pub fn has(&self, name: &str) -> bool {
        self.object.get(name).is_some_and(|value| !value.is_null())
    }

    /// A field that must be there.
    pub fn required<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        if self.has(name) { self.optional(name)? } else { self.wrong(name, "is required") }
    }

    /// A field that may be missing: `None` where it is wrong, `Some(None)` where it is missing.
    #[allow(clippy::option_option)]
    pub fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Option<Option<T>> {
        let Some(value) = self.object.get(name).filter(|value| !value.is_null()) else {
            return Some(None);
        };
        match serde_path_to_error::deserialize(value) {
            Ok(value) => Some(Some(value)),
            Err(error) => {
                let path = match error.path().to_string().as_str() {
                    "." => name.to_owned(),
                    inner => format!("{name}.{inner}"),
                };
                self.wrong(&path, error.inner())
            }
        }
    }

    /// A required text of 1 to `longest` characters.
    pub fn text(&mut self, name: &str, longest: usize) -> Option<String> {
        let text: String = self.required(name)?;
        if text.is_empty() {
            self.wrong(name, "must not be empty")
        } else {
            self.at_most(name, longest, text)
        }
    }

    /// A required text that `T` reads, of at most `longest` characters.
    pub fn parsed<T: FromStr<Err: std::fmt::Display>>(
        &mut self,
        name: &str,
        longest: usize,
    ) -> Option<T> {
        let text = self.text(name, longest)?;
        text.parse().map_err(|error| self.wrong::<()>(name, error)).ok()
    }

    /// The same, and it may be missing or empty.
    #[allow(clippy::option_option)]
    pub fn optional_parsed<T: FromStr<Err: std::fmt::Display>>(
        &mut self,
        name: &str,
        longest: usize,
    ) -> Option<Option<T>> {
        match self.optional_text(name, longest)? {
            Some(text) => {
                text.parse().map(Some).map_err(|error| self.wrong::<()>(name, error)).ok()
            }
            None => Some(None),
        }
    }

    /// A required base64 text (standard alphabet, padded) of at most `longest` characters, decoded.
    pub fn base64(&mut self, name: &str, longest: usize) -> Option<Vec<u8>> {
        let text = self.text(name, longest)?;
        let decoded = BASE64_STANDARD.decode(&text);
        decoded.map_err(|_| self.wrong::<()>(name, "must be base64, padded")).ok()
    }

    /// A text of at most `longest` characters that may be missing; an empty one counts as missing.
    #[allow(clippy::option_option)]
    pub fn optional_text(&mut self, name: &str, longest: usize) -> Option<Option<String>> {
        Some(self.optional_any(name, longest)?.filter(|text| !text.is_empty()))
    }

    /// A text of at most `longest` characters that may be missing, or empty.
    #[allow(clippy::option_option)]
    pub fn optional_any(&mut self, name: &str, longest: usize) -> Option<Option<String>> {
        match self.optional::<String>(name)? {
            Some(text) => self.at_most(name, longest, text).map(Some),
            None => Some(None),
        }
    }

    /// As [`Self::optional_text`], and without control characters.
    #[allow(clippy::option_option)]
    pub fn optional_name(&mut self, name: &str, longest: usize) -> Option<Option<String>> {
        match self.optional_text(name, longest)? {
            Some(text) if text.chars().any(char::is_control) => {
                self.wrong(name, "must have no control characters")
            }
            text => Some(text),
        }
    }

    fn at_most(&mut self, name: &str, longest: usize, text: String) -> Option<String> {
        if text.chars().count() > longest {
            self.wrong(name, format!("must have at most {longest} characters"))
        } else {
            Some(text)
        }
    }

    /// The fields of a field that is an object: read by `T`, and wrong ones named by their path.
    pub fn object<T: Input>(&mut self, name: &str) -> Option<T> {
        self.within(name, self.object.get(name))
    }

    /// The items of a field that is an array of objects, so many of them: each read by `T`, and
    /// wrong ones named by their path, such as `files[0].filename`.
    pub fn objects<T: Input>(
        &mut self,
        name: &str,
        how_many: RangeInclusive<usize>,
    ) -> Option<Vec<T>> {
        let Some(Value::Array(items)) = self.object.get(name) else {
            return self.wrong(name, "must be an array of objects");
        };
        if !how_many.contains(&items.len()) {
            let (least, most) = how_many.into_inner();
            return self.wrong(name, format!("must have {least} to {most} items"));
        }
        let read = items.iter().enumerate();
        let read = read.map(|(index, item)| self.within(&format!("{name}[{index}]"), Some(item)));
        // All of them, whatever is wrong with one.
        read.collect::<Vec<_>>().into_iter().collect()
    }

    fn within<T: Input>(&mut self, path: &str, value: Option<&Value>) -> Option<T> {
        let Some(Value::Object(object)) = value else {
            return self.wrong(path, "must be an object");
        };
        let mut inner = Fields::new(object);
        let read = T::read(&mut inner);
        let within = |error: FieldError| FieldError {
            field: format!("{path}.{}", error.field),
            message: error.message,
        };
        self.errors.extend(inner.errors.into_iter().map(within));
        read
    }

    /// Notes that a field is wrong.
    pub fn wrong<T>(&mut self, field: &str, message: impl ToString) -> Option<T> {
        // Messages of the parser repeat the value, which may be as long as the body.
        let message = message.to_string().chars().take(200).collect();
        self.errors.push(FieldError { field: field.to_owned(), message });
        None
    }
}

/// A body that has been read without error.
#[derive(Debug)]
pub struct Valid<T>(pub T);

impl<T: Input> FromRequest<App> for Valid<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _app: &App) -> Result<Self, Error> {
        parse(&body_of(request).await?).map(Self)
    }
}

/// The whole body, of a content type that may hold JSON. Empty counts as `{}`.
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
        Some(kind) if !is_json(kind.to_str().unwrap_or_default()) => {
            Err(Error::new(Problem::UnsupportedMediaType))
        }
        None if !bytes.is_empty() => Err(Error::new(Problem::UnsupportedMediaType)),
        _ => Ok(bytes),
    }
}

/// Whether a content type is `application/json` or of the suffix `+json` (RFC 6839, section 3.1).
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
                return Err(Error::with_details(
                    Problem::MalformedBody,
                    format!("The body is not JSON: {error}."),
                ));
            }
        }
    };
    read(&object)
}

/// Reads an input from its fields, or names every one that is missing or wrong.
pub(super) fn read<T: Input>(object: &Map<String, Value>) -> Result<T, Error> {
    let mut fields = Fields::new(object);
    match T::read(&mut fields) {
        Some(input) if fields.errors.is_empty() => Ok(input),
        _ => Err(Error::fields(fields.errors)),
    }
}

/// The last variable segment of the path, parsed.
#[derive(Debug)]
pub struct Segment<T>(pub T);

impl<T: FromStr<Err: std::fmt::Display>> FromRequestParts<App> for Segment<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let path = RawPathParams::from_request_parts(parts, app).await;
        let path = path.map_err(|error| Error::field("path", "is not UTF-8").caused_by(error))?;
        let (name, text) = path.iter().last().ok_or(Error::new(Problem::NotFound))?;
        text.parse().map(Self).map_err(|error| Error::field(name, error))
    }
}

/// Who is calling, as the access token says: good for reading one's own.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account.
    pub account: AccountId,
    /// The session.
    pub session: SessionId,
}

impl From<Claims> for Caller {
    fn from(claims: Claims) -> Self {
        Self { account: claims.sub, session: claims.sid }
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let header =
            parts.headers.get(header::AUTHORIZATION).ok_or(Error::new(Problem::NoAuthorization))?;
        let token = bearer(header.as_bytes()).ok_or(Error::new(Problem::NoAuthorization))?;
        let caller = Self::from(app.tokens.verify(token).await?);
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

impl AreaError for TokenError {
    fn problem(&self) -> Problem {
        match self {
            Self::Invalid(_) => Problem::InvalidToken,
            Self::Expired => Problem::TokenExpired,
            Self::KeysUnavailable(_) => Problem::Unavailable,
        }
    }

    fn internal(&self) -> String {
        match self {
            Self::Invalid(why) => format!("{self} {why}"),
            Self::Expired => self.to_string(),
            Self::KeysUnavailable(error) => format!("{self}: {error}"),
        }
    }
}

/// A [`Caller`] if a good token came, on a public route: one that is stale or malformed counts as none,
/// since clients attach what they have.
#[derive(Debug)]
pub struct MaybeCaller(Result<Option<Caller>, Error>);

impl MaybeCaller {
    /// The caller, where the answer is as good without one.
    pub fn if_any(&self) -> Option<&Caller> {
        self.0.as_ref().ok().and_then(Option::as_ref)
    }

    /// The caller, where the answer depends on who calls.
    ///
    /// # Errors
    /// As of [`Caller`], where a token came and is not good.
    pub fn or_refused(self) -> Result<Option<Caller>, Error> {
        self.0
    }
}

impl FromRequestParts<App> for MaybeCaller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self(if parts.headers.contains_key(header::AUTHORIZATION) {
            Caller::from_request_parts(parts, app).await.map(Some)
        } else {
            Ok(None)
        }))
    }
}

/// A [`Caller`] whose account and session rows were read just now and agree (custody rule 19): for
/// whatever changes credentials, administers, or moves money. One strongly consistent batch.
#[derive(Clone, Debug)]
pub struct LiveCaller {
    /// The account's row.
    pub account: Account,
    /// The session's row.
    pub session: Session,
    /// The request that they are used in.
    pub context: RequestContext,
}

impl FromRequestParts<App> for LiveCaller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let context = parts.extensions.get::<RequestContext>().cloned();
        let context = context.ok_or(Error::new(Problem::Internal))?;
        Self::of(app, caller.account, caller.session, context).await.map_err(Error::from)
    }
}

/// Why a token's account and session may not be used any more.
#[derive(Debug, thiserror::Error)]
pub enum NotLive {
    /// No account row.
    #[error("There is no such account.")]
    AccountNotFound,
    /// Not active.
    #[error("The account is disabled.")]
    AccountDisabled,
    /// Logged out, revoked, over, or of an earlier epoch.
    #[error("The session has ended. Sign in again.")]
    SessionEnded,
    /// The rows could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AreaError for NotLive {
    fn problem(&self) -> Problem {
        match self {
            Self::AccountNotFound => Problem::AccountNotFound,
            Self::AccountDisabled => Problem::AccountDisabled,
            Self::SessionEnded => Problem::SessionEnded,
            Self::Store(error) => error.problem(),
        }
    }
}

impl LiveCaller {
    /// Reads both rows and wants them to agree.
    ///
    /// # Errors
    /// [`NotLive`].
    async fn of(
        app: &App,
        account: AccountId,
        session: SessionId,
        context: RequestContext,
    ) -> Result<Self, NotLive> {
        let (account, session) =
            crate::store::accounts::with_session(&app.store, account, session).await?;
        let account = account.ok_or(NotLive::AccountNotFound)?;
        if account.status != Status::Active {
            return Err(NotLive::AccountDisabled);
        }
        match session {
            Some(session) if session.is_alive(&account, app.clock.now()) => {
                Ok(Self { account, session, context })
            }
            _ => Err(NotLive::SessionEnded),
        }
    }

    /// An address of the account's own, in its canonical spelling.
    ///
    /// # Errors
    /// [`Problem::Forbidden`] where it is not the account's.
    pub fn own_address(&self, app: &App, text: &str) -> Result<String, Error> {
        let account = &self.account;
        let trading = account.trading_wallet.as_ref().map(|wallet| wallet.address.as_str());
        if trading.is_some_and(|trading| trading.eq_ignore_ascii_case(text)) {
            return Ok(text.to_ascii_lowercase());
        }
        let address = WalletAddress::infer(text, app.config.network);
        let owned = address.ok().filter(|address| {
            account.addresses.iter().any(|owned| owned.address == address.as_str())
        });
        owned.map(|address| address.as_str().to_owned()).ok_or_else(|| {
            let details = "The address is not one of the account's.";
            Error::with_details(Problem::Forbidden, details)
        })
    }

    /// The same, or one that was the account's before a rotation: for what was begun by it.
    ///
    /// # Errors
    /// As [`Self::own_address`].
    pub fn own_or_earlier_address(&self, app: &App, text: &str) -> Result<String, Error> {
        let own = self.own_address(app, text);
        let earlier = WalletAddress::infer(text, app.config.network).ok().filter(|address| {
            self.account.earlier_addresses.iter().any(|earlier| earlier.address == address.as_str())
        });
        own.or_else(|error| earlier.map(|address| address.as_str().to_owned()).ok_or(error))
    }

    /// As [`Self::own_or_earlier_address`], for what the address does on an EVM chain.
    ///
    /// # Errors
    /// [`Problem::Forbidden`], also where a contract wallet on another chain has proved the address.
    pub fn own_or_earlier_address_on(
        &self,
        app: &App,
        text: &str,
        chain_id: u64,
    ) -> Result<String, Error> {
        let address = self.own_or_earlier_address(app, text)?;
        let trading = self.account.trading_address() == Some(address.as_str());
        if trading || self.account.owns_on(&address, chain_id) {
            return Ok(address);
        }
        let details = format!(
            "A contract wallet on another chain has proved the address; on chain {chain_id} it may be \
             somebody else's."
        );
        Err(Error::with_details(Problem::Forbidden, details))
    }

    /// Changes of the account's row, on the condition that it is as it was read.
    pub fn update(&self) -> Update {
        self.update_beside_others().if_version(self.account.version)
    }

    /// Changes of the account's row that others may be made beside: of what nothing else rests on.
    pub fn update_beside_others(&self) -> Update {
        Update::new().if_equal("epoch", self.account.epoch).if_equal("status", self.account.status)
    }

    /// Adds changes of the account's row to a transaction, and ends every other session: the epoch
    /// goes up on the account and on this session together (custody rule 19).
    #[must_use]
    pub fn end_other_sessions<E: Copy>(
        &self,
        transaction: Writes<E>,
        changes: Update,
        changed: E,
    ) -> Writes<E> {
        let before = self.account.epoch;
        let next = before.saturating_add(1);
        let session = Key::session(self.account.id, self.session.id);
        transaction
            .update(&Key::account(self.account.id), changes.set("epoch", next), changed)
            .update(&session, Update::new().set("epoch", next).if_equal("epoch", before), changed)
    }

    /// Demands a sign-in within a quarter of an hour, for changes that prove nothing of what they
    /// replace.
    ///
    /// # Errors
    /// [`Problem::ReauthRequired`].
    pub fn signed_in_recently(&self, app: &App) -> Result<(), Error> {
        self.opened_within(app, RECENT)
    }

    fn opened_within(&self, app: &App, window: Duration) -> Result<(), Error> {
        if self.session.auth_time.plus(window) > app.clock.now() {
            Ok(())
        } else {
            Err(Error::new(Problem::ReauthRequired))
        }
    }
}

/// A [`LiveCaller`] who may change credentials as the interface defines it: its session was opened
/// within a window that is a setting (custody rule 18).
#[derive(Clone, Debug)]
pub struct Owner(pub LiveCaller);

impl FromRequestParts<App> for Owner {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let caller = LiveCaller::from_request_parts(parts, app).await?;
        caller.opened_within(app, app.config.reauth_window)?;
        Ok(Self(caller))
    }
}

/// A [`LiveCaller`] who signed in within a quarter of an hour: for changes of credentials that the
/// interface does not define (custody rule 18). A refresh does not count as a sign-in.
#[derive(Clone, Debug)]
pub struct RecentOwner(pub LiveCaller);

/// How long ago a [`RecentOwner`] may have signed in.
const RECENT: Duration = Duration::from_secs(15 * 60);

impl FromRequestParts<App> for RecentOwner {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let caller = LiveCaller::from_request_parts(parts, app).await?;
        caller.signed_in_recently(app)?;
        Ok(Self(caller))
    }
}

/// A [`LiveCaller`] whose row says `admin`; what the token says of the role does not count.
#[derive(Clone, Debug)]
pub struct Admin(LiveCaller);

impl Deref for Admin {
    type Target = LiveCaller;

    fn deref(&self) -> &LiveCaller {
        &self.0
    }
}

impl FromRequestParts<App> for Admin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let caller = LiveCaller::from_request_parts(parts, app).await?;
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
