//! Runs the chain watcher while time does not advance.

use chain_watcher::App;

use crate::base::{
    effects::Effects,
    failure::{Context, Result},
};

/// More runs than any change ever needs to reach every row.
const MOST_RUNS: u32 = 20;

/// Runs the chain watcher until a run has no effect: without a new block or a later time, the next run would
/// have none either.
///
/// # Errors
/// The error of the first run that fails.
pub async fn watch_until_quiet(app: &App, effects: &Effects) -> Result<()> {
    for _run in 0..MOST_RUNS {
        let before = effects.count();
        chain_watcher::run(app.clone()).await.context("chain-watcher")?;
        if effects.count() == before {
            break;
        }
    }
    Ok(())
}
