//! The ledger: write and read units of every business event over its whole life, by step.
//!
//! No fault happens. A block is mined every ten minutes, and the chain watcher runs every minute.

mod book;
mod events;

use simulation::{run::in_simulated_time, setup::Stage};

/// Measures and prints.
pub(crate) fn measure() {
    in_simulated_time(1, async {
        let (stage, _workers) = Stage::calm();
        events::measure(book::Book::open(stage).await).await;
    });
}
