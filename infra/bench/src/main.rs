//! Measures the service on the local stack, and prints tables in Markdown.
//!
//! Counts (round trips, capacity units) are exact and the same everywhere; times are of this
//! machine, so they are printed as rates or ratios of one run.
// A benchmark is a program for a person: it prints, and what it cannot go on from stops it.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::float_arithmetic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used
)]

mod counting;
mod endpoints;
mod exports;
mod lists;
mod srp;
mod swaps;

use local::LocalStack;

#[tokio::main]
async fn main() {
    let stack = LocalStack::start().await;
    lists::measure(&stack).await;
    endpoints::measure(&stack).await;
    exports::measure(&stack).await;
    swaps::measure(&LocalStack::start().await).await;
    srp::measure();
}
