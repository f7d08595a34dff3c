//! The invariants, each file readable by itself. Each invariant names its custody rule if there is one.

mod advice;
mod answers;
mod deposits;
mod events;
mod history;
mod issued;
mod limits;
mod lists;
mod liveness;
mod mails;
mod money;
mod once;
mod owners;
mod payouts;
mod states;
mod swaps;
mod view;

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
};

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::layer::{Context, Layer};

pub use self::view::View;
use crate::wire::PRINTS_TRACE;

/// Every violation.
pub fn check(view: &View) -> Vec<String> {
    [
        lists::check(view),
        events::check(view),
        deposits::check(view),
        once::check(view),
        answers::check(view),
        owners::check(view),
        limits::check(view),
        mails::check(view),
        swaps::check(view),
        advice::check(view),
        issued::check(view),
        states::check(view),
        money::check(view),
        payouts::check(view),
        liveness::check(view),
    ]
    .concat()
}

/// How many rows of each kind reached each state, and how often each answer about the venue was judged.
pub fn reached(view: &View) -> BTreeMap<String, u64> {
    let mut reached = states::reached(view);
    reached.extend(advice::judged(view));
    reached
}

/// Lines of the service's log that report damage. Each is a failure of the run.
#[derive(Clone, Default)]
pub struct Alarms(Arc<Mutex<Vec<String>>>);

impl Alarms {
    /// The lines so far.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Texts of the service's errors that must never appear, with or without faults.
const DAMAGE: [&str; 5] = [
    "failed to decrypt a stored value",
    "a list has a gap",
    "a row is malformed",
    "belongs to no write",
    "panicked",
];

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl<S: Subscriber> Layer<S> for Alarms {
    #[allow(clippy::print_stdout, reason = "for a person who watches a run")]
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if *event.metadata().level() > Level::WARN {
            return;
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        if PRINTS_TRACE.load(Ordering::Relaxed) {
            println!("log:{}", text.0);
        }
        if DAMAGE.iter().any(|damage| text.0.contains(damage)) {
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push(format!("S13: damage in the log:{}", text.0));
        }
    }
}
