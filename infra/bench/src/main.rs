//! Measures the service on the local stack, and prints Markdown tables.
//!
//! Counts (round trips, capacity units) are exact and the same on every machine. Times depend on the machine;
//! compare them only within one run. An argument selects one part; `simulated/` is a program of its own.
// A benchmark is run by hand: it prints its results, and panics if it cannot continue.
#![allow(
    clippy::disallowed_methods,
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
mod lambda;

use std::env;

use local::LocalStack;

const PARTS: [&str; 5] = ["exports", "functions", "endpoints", "bare", "peers"];

#[tokio::main]
async fn main() {
    let wanted = env::args().nth(1).filter(|wanted| !wanted.is_empty());
    if let Some(wanted) = &wanted {
        assert!(
            PARTS.contains(&wanted.as_str()),
            "PART must be one of {}, ledger, scale",
            PARTS.join(", ")
        );
    }
    let is_wanted = |part: &str| wanted.as_deref().is_none_or(|wanted| wanted == part);
    let stack = LocalStack::start().await;
    if is_wanted("exports") {
        exports::measure(&stack).await;
    }
    if is_wanted("functions") {
        lambda::functions(&stack).await;
    }
    if is_wanted("endpoints") {
        lambda::endpoints(&LocalStack::start().await).await;
    }
    // Without an argument, the comparison with the peers prints these lines as well.
    if wanted.as_deref() == Some("bare") {
        lambda::compare_with_bare(&LocalStack::start().await).await;
    }
    if is_wanted("peers") {
        lambda::peers(&LocalStack::start().await).await;
    }
}
