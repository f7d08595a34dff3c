//! The connections of the WebSocket API in memory: it accepts whatever is posted to them.

use serde_json::{Value, json};

use super::done;
use crate::{
    choice::Choices,
    wire::{Arrived, Host, Reply},
};

/// A message that was posted to a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// When it arrived, in ms since the epoch.
    pub at: i64,
    /// The path of the connection.
    pub connection: String,
    /// The message.
    pub body: Value,
}

/// The connections.
#[derive(Debug, Default)]
pub struct Sockets {
    /// What was posted, in order.
    pub posts: Vec<Post>,
}

impl Host for Sockets {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        self.posts.push(Post {
            at: arrived.at,
            connection: arrived.path.clone(),
            body: serde_json::from_slice(&arrived.body).unwrap_or_default(),
        });
        done(&json!({}))
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
