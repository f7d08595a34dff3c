//! The steps of a transaction's life, one file each. A step takes a row in one state and ends with one write
//! batch.

mod broadcast;
mod cosign;
mod expire;
mod follow;
mod give_up;

pub(super) use self::{
    broadcast::broadcast,
    cosign::{cosign, not_signed},
    expire::{count_unsigned, expire},
    follow::follow,
};
pub use self::{
    follow::{record_in_block, watch_failed},
    give_up::end_unsigned,
};
