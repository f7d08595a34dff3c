//! Scenes that tests and measurements begin with: a mint, a long history.

pub mod histories;
pub mod mints;
