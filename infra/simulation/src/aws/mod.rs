//! AWS in memory, as far as the service needs it, behind the same HTTP interfaces.

pub mod capacity;
pub mod dynamodb;
pub mod expression;
pub mod files;
pub mod keys;
pub mod mail;
pub mod queues;
pub mod sockets;

use http::StatusCode;
use serde_json::{Value, json};

use crate::wire::Reply;

/// A successful answer of a JSON protocol.
pub fn done(body: &Value) -> Reply {
    Reply::json(StatusCode::OK, body)
}

/// A refusal of a JSON protocol: status 400, the error's name, a message.
pub fn refused(name: &str, message: &str) -> Reply {
    Reply::json(StatusCode::BAD_REQUEST, &json!({ "__type": name, "message": message }))
}
