//! A single item by its id, and other answers that clients poll. The answer carries an `ETag` (RFC 9110,
//! section 8.8.3); a client that already has this version receives 304 without a body.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{Error, OkWith, Problem};

/// A single item, and when to poll for it again.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(transparent)]
pub struct Single<T>(OkWith<T, Polling>);

/// When to poll again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Polling {
    /// The number of ms after which the response may have changed; null if nothing is expected to change by
    /// itself.
    #[schema(required = true)]
    poll_after_ms: Option<u32>,
}

/// What an item waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// A signature of its owner, or the next run of a worker.
    Moment,
    /// A partner's service.
    Partner,
    /// A block.
    Block,
}

impl<T> Single<T> {
    /// An item that does not change by itself.
    pub fn of(data: T) -> Self {
        Self(OkWith::new(data, Polling { poll_after_ms: None }))
    }

    /// An item that may change once what it waits for has happened.
    pub fn waiting(data: T, waits_for: Option<WaitsFor>) -> Self {
        let poll_after_ms = waits_for.map(|waits_for| match waits_for {
            WaitsFor::Moment => 2_000,
            WaitsFor::Partner => 5_000,
            WaitsFor::Block => 30_000,
        });
        Self(OkWith::new(data, Polling { poll_after_ms }))
    }
}

impl<T: Serialize> Single<T> {
    /// The same answer with another `Cache-Control`, for answers that are the same for everyone.
    pub fn kept(self, kept: HeaderValue) -> Tagged<Self> {
        Tagged { body: self, kept }
    }
}

impl<T: Serialize> IntoResponse for Single<T> {
    fn into_response(self) -> Response {
        self.kept(HeaderValue::from_static("private, no-cache")).into_response()
    }
}

/// An answer with an `ETag` and a `Cache-Control`.
#[derive(Clone, Debug)]
pub struct Tagged<T> {
    body: T,
    kept: HeaderValue,
}

impl<T: Serialize> Tagged<T> {
    /// This body; `kept` says how caches may keep it.
    pub fn new(body: T, kept: HeaderValue) -> Self {
        Self { body, kept }
    }
}

impl<T: Serialize> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&self.body) {
            Ok(body) => body,
            Err(error) => return Error::new(Problem::Internal).caused_by(error).into_response(),
        };
        let tag = format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&body)));
        let Ok(tag) = HeaderValue::from_str(&tag) else {
            return Error::new(Problem::Internal).into_response();
        };
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (header::CACHE_CONTROL, self.kept),
            (header::ETAG, tag),
        ];
        (headers, body).into_response()
    }
}

/// The values of the `If-None-Match` headers of a request.
pub(super) struct Condition(Vec<HeaderValue>);

impl Condition {
    pub(super) fn of(method: &Method, headers: &HeaderMap) -> Self {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        let lines = headers.get_all(header::IF_NONE_MATCH).iter();
        Self(lines.filter(|_| reads).cloned().collect())
    }

    /// The answer, without its body if the client has it (RFC 9110, section 13.1.2).
    pub(super) fn answer(&self, mut response: Response) -> Response {
        let tag = response.headers().get(header::ETAG);
        let is_there = response.status() == StatusCode::OK
            && tag.is_some_and(|tag| self.0.iter().any(|known| names(known, tag)));
        if is_there {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Body::empty();
            response.headers_mut().remove(header::CONTENT_LENGTH);
            response.headers_mut().remove(header::CONTENT_TYPE);
            response.headers_mut().remove(header::CONTENT_ENCODING);
        }
        response
    }
}

/// Whether an `If-None-Match` names a tag. The tags of this service contain no comma.
fn names(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(known), Ok(tag)) = (known.to_str(), tag.to_str()) else { return false };
    known.split(',').map(str::trim).any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn answered(known: Option<&str>, method: Method, response: Response) -> Response {
        let mut headers = HeaderMap::new();
        if let Some(known) = known {
            headers.insert(header::IF_NONE_MATCH, known.parse().unwrap());
        }
        Condition::of(&method, &headers).answer(response)
    }

    fn tag_of(data: &str) -> String {
        let response = Single::of(data).into_response();
        response.headers()[header::ETAG].to_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn a_matching_tag_gets_304_without_a_body() {
        let tag = tag_of("a");
        assert_ne!(tag, tag_of("b"));
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let response = answered(Some(&known), Method::GET, Single::of("a").into_response());
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert_eq!(response.headers()[header::ETAG], tag.as_str());
            assert!(!response.headers().contains_key(header::CONTENT_TYPE));
            let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
            assert!(body.is_empty());
        }
    }

    #[test]
    fn every_line_of_the_condition_counts() {
        let mut headers = HeaderMap::new();
        headers.append(header::IF_NONE_MATCH, "\"x\"".parse().unwrap());
        headers.append(header::IF_NONE_MATCH, tag_of("a").parse().unwrap());
        let condition = Condition::of(&Method::GET, &headers);
        let response = condition.answer(Single::of("a").into_response());
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn other_requests_get_the_whole_answer() {
        let tag = tag_of("b");
        for (known, method) in
            [(None, Method::GET), (Some(&*tag), Method::GET), (Some("*"), Method::POST)]
        {
            let response = answered(known, method, Single::of("a").into_response());
            assert_eq!(response.status(), StatusCode::OK);
            assert_eq!(response.headers()[header::CACHE_CONTROL], "private, no-cache");
        }
        let refused = answered(Some("*"), Method::GET, StatusCode::NOT_FOUND.into_response());
        assert_eq!(refused.status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn what_waits_says_when_to_ask_again() {
        let polled =
            |single: Single<&str>| serde_json::to_value(&single).unwrap()["metaData"].clone();
        let ms = |ms: Option<u32>| {
            serde_json::json!({
                "totalItems": 1, "currentPage": 1, "pageSize": 1, "totalPages": 1, "pollAfterMs": ms,
            })
        };
        assert_eq!(polled(Single::waiting("a", Some(WaitsFor::Moment))), ms(Some(2_000)));
        assert_eq!(polled(Single::waiting("a", Some(WaitsFor::Partner))), ms(Some(5_000)));
        assert_eq!(polled(Single::waiting("a", Some(WaitsFor::Block))), ms(Some(30_000)));
        assert_eq!(polled(Single::waiting("a", None)), ms(None));
        assert_eq!(polled(Single::of("a")), ms(None));
    }
}
