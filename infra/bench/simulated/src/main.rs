//! Measures the real functions and workers in the simulated world: the cost of business events, the number of
//! requests a second that the service can serve, and whether the work that follows keeps pace with them. The
//! figures are the same on every machine. An argument selects one part: `ledger`, `scale`, or one part of the
//! latter: `swaps`, `signups`, `batches`, `late`, `blocks` or `plan`; or `pace`.
// A benchmark is run by hand: it prints its results, and panics if it cannot continue.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::float_arithmetic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used
)]

mod blocks;
mod gateway;
mod ledger;
mod pace;
mod scale;

use local::Wallet;
use simulation::people::{Client, Session, sign_in};

fn main() {
    let wanted = std::env::args().nth(1).filter(|wanted| !wanted.is_empty());
    let is_wanted = |part: &str| wanted.as_deref().is_none_or(|wanted| wanted == part);
    if is_wanted("ledger") {
        ledger::measure();
    }
    let scale = ["swaps", "signups", "batches"];
    let scale = scale.into_iter().filter(|part| is_wanted("scale") || is_wanted(part));
    scale::measure(&scale.collect::<Vec<_>>());
    if is_wanted("scale") || is_wanted("late") {
        scale::measure_late_batches();
    }
    if is_wanted("scale") || is_wanted("blocks") {
        blocks::measure_block();
    }
    if is_wanted("scale") || is_wanted("plan") {
        blocks::measure_plan();
    }
    if is_wanted("pace") {
        pace::measure();
    }
}

async fn signed_in(client: &mut Client, wallet: &Wallet) -> Session {
    let call = sign_in(client, wallet, None).await.expect("a challenge");
    let answer = client.send(&call).await;
    Session::of(&answer).unwrap_or_else(|| panic!("{answer:?}"))
}
