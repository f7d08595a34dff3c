//! Coin selection.

mod plain;
mod runic;

pub(crate) use self::{
    plain::{Bill, Inputs, Shortage, select_plain},
    runic::{MissingRune, select_runic},
};
