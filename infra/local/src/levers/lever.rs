//! The input and the answer of every lever.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{base::failure::Failure, stack::LocalStack};

/// The world that a lever changes.
pub(super) type World = State<Arc<LocalStack>>;

/// Why a lever was refused.
pub(super) struct Refusal(pub(super) StatusCode, pub(super) String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, failure.to_string())
    }
}

/// Answer of a lever.
pub(super) type Pulled = Result<Json<Value>, Refusal>;

/// Parses a body as JSON, regardless of its content type.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal(StatusCode::BAD_REQUEST, error.to_string()))
}
