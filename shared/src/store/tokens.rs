//! Rows of the token catalogue.

use super::Entity;
use crate::models::token::Token;

impl Entity for Token {
    const ENTITY: &'static str = "token";
}
