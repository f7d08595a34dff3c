//! Who is calling, and how they prove it.

pub mod keys;
pub mod token;
pub mod wallet;
