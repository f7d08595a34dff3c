//! What a request or a run of a worker does, as spans with a start and an end: who was asked for what, how long
//! it took, and how many units it consumed. Spans are recorded only within [`Recording::within`]; elsewhere,
//! [`Span::start`] looks for a recording, finds none, and nothing else happens.
//!
//! Names and values of spans leave the service. They are fixed texts, names of operations and tables, and numbers:
//! never an address, a key, a path or a query.

mod parent;

use std::{
    borrow::Cow,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

pub use self::parent::{SpanId, TraceId, TraceParent};
use crate::clock::Timestamp;

/// The most spans of one recording. A run of a worker may look at a thousand rows.
pub const MOST_SPANS: usize = 256;

tokio::task_local! {
    static CURRENT: Context;
}

/// What a span is, in the terms of OpenTelemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Work that no request or message started, or a part of some work.
    Internal,
    /// A request that is answered.
    Server,
    /// A request to another party.
    Client,
    /// A message that is worked on.
    Consumer,
}

/// A value of a span.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(Cow<'static, str>),
    /// A whole number.
    Number(i64),
    /// Units of capacity, of which there are halves.
    Units(f64),
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<u16> for Value {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

/// What a span says: what it is about, how it went.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanData {
    /// Its id.
    pub id: SpanId,
    /// The span that it is a part of; none for the first one of a trace.
    pub parent: Option<SpanId>,
    /// What was asked for.
    pub name: Cow<'static, str>,
    /// What it is.
    pub kind: Kind,
    /// When it began, from the begin of the recording.
    pub begun: Duration,
    /// When it ended.
    pub ended: Duration,
    /// More about it, by names of OpenTelemetry's semantic conventions where they have one.
    pub values: Vec<(&'static str, Value)>,
    /// A span of another trace that caused it.
    pub link: Option<TraceParent>,
    /// Whether it failed by a fault of the party that was asked, or of the service.
    pub has_failed: bool,
}

/// Spans of one trace, while they are recorded. Clones are the same recording.
#[derive(Clone)]
struct Recorder(Arc<Parts>);

struct Parts {
    trace_id: TraceId,
    /// Ids of spans are numbers from here.
    first_id: u64,
    started: AtomicU64,
    origin: Instant,
    ended: Mutex<Vec<SpanData>>,
}

impl Recorder {
    fn ended(&self) -> MutexGuard<'_, Vec<SpanData>> {
        self.0.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An id for another span, while there is room for one.
    fn next_id(&self) -> Option<SpanId> {
        let number = self.0.started.fetch_add(1, Ordering::Relaxed);
        let has_room = usize::try_from(number).is_ok_and(|number| number < MOST_SPANS);
        let id = self.0.first_id.checked_add(number).unwrap_or(number);
        has_room.then_some(id.to_be_bytes())
    }
}

/// Where a task is in its trace: what it starts becomes a part of this span.
#[derive(Clone)]
pub struct Context {
    recorder: Recorder,
    span: SpanId,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context({})", self.parent())
    }
}

impl Context {
    /// Where the current task is; `None` if nothing is recorded.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// The span that the current task is in, for what others continue; `None` if nothing is recorded.
    pub fn current_parent() -> Option<TraceParent> {
        CURRENT.try_with(Self::parent).ok()
    }

    /// This place, as other parties receive it.
    pub fn parent(&self) -> TraceParent {
        TraceParent { trace_id: self.recorder.0.trace_id, span_id: self.span }
    }
}

/// Does `work` in a task of its own as a part of the span that the current task is in.
pub async fn carried<F: Future>(context: Option<Context>, work: F) -> F::Output {
    match context {
        Some(context) => CURRENT.scope(context, work).await,
        None => work.await,
    }
}

/// Does `work` as a span of its own, if something is recorded.
pub async fn within<F: Future>(name: &'static str, work: F) -> F::Output {
    match Span::start(name, Kind::Internal) {
        Some(span) => span.around(work).await,
        None => work.await,
    }
}

/// A span that has not ended. It ends when it is dropped: also if its caller stops waiting.
pub struct Span {
    context: Context,
    data: Option<SpanData>,
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Span").field(&self.context).finish()
    }
}

impl Span {
    /// Starts a part of the current span; `None` if the trace is not recorded, or is full.
    pub fn start(name: impl Into<Cow<'static, str>>, kind: Kind) -> Option<Self> {
        let Context { recorder, span } = Context::current()?;
        let id = recorder.next_id()?;
        Some(Self::new(recorder, id, Some(span), name.into(), kind))
    }

    fn new(
        recorder: Recorder,
        id: SpanId,
        parent: Option<SpanId>,
        name: Cow<'static, str>,
        kind: Kind,
    ) -> Self {
        let begun = recorder.0.origin.elapsed();
        let data = SpanData {
            id,
            parent,
            name,
            kind,
            begun,
            ended: begun,
            values: Vec::new(),
            link: None,
            has_failed: false,
        };
        Self { context: Context { recorder, span: id }, data: Some(data) }
    }

    /// This span, as other parties receive it.
    pub fn parent(&self) -> TraceParent {
        self.context.parent()
    }

    /// Does `work` as its parts. It ends with it.
    pub async fn around<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self.context.clone(), work).await
    }

    /// Adds a value. `name` is said once.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        if let Some(data) = &mut self.data {
            data.values.push((name, value.into()));
        }
    }

    /// Gives it another name: a route is known only after it was found.
    pub fn rename(&mut self, name: String) {
        if let Some(data) = &mut self.data {
            data.name = name.into();
        }
    }

    /// Marks it as failed.
    pub fn fail(&mut self) {
        if let Some(data) = &mut self.data {
            data.has_failed = true;
        }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        if let Some(mut data) = self.data.take() {
            let recorder = &self.context.recorder;
            data.ended = recorder.0.origin.elapsed();
            recorder.ended().push(data);
        }
    }
}

/// How a recording begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It begins a trace with this id, which this span of another trace may have caused.
    Fresh(TraceId, Option<TraceParent>),
    /// It continues a trace as a part of this span.
    Continued(TraceParent),
}

/// A recording: its first span, and all that start within it.
#[derive(Debug)]
pub struct Recording {
    span: Span,
    at: Timestamp,
}

/// What was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Its id.
    pub id: TraceId,
    /// When the recording began.
    pub at: Timestamp,
    /// The spans that have ended, in the order of their ends.
    pub spans: Vec<SpanData>,
    /// How many more there were.
    pub dropped: u64,
}

impl Recording {
    /// Begins at `at` with a span of this name. Ids of spans are numbers from `first_id`, which should be random:
    /// other recordings of the trace have others.
    pub fn begin(
        origin: Origin,
        first_id: u64,
        (name, kind): (&'static str, Kind),
        at: Timestamp,
    ) -> Self {
        let (trace_id, parent, link) = match origin {
            Origin::Fresh(trace_id, link) => (trace_id, None, link),
            Origin::Continued(parent) => (parent.trace_id, Some(parent.span_id), None),
        };
        // Zero is no id.
        let first_id = first_id.max(1);
        let recorder = Recorder(Arc::new(Parts {
            trace_id,
            first_id,
            started: AtomicU64::new(1),
            origin: Instant::now(),
            ended: Mutex::default(),
        }));
        let mut span = Span::new(recorder, first_id.to_be_bytes(), parent, name.into(), kind);
        if let Some(data) = &mut span.data {
            data.link = link;
        }
        Self { span, at }
    }

    /// The first span.
    pub fn span(&mut self) -> &mut Span {
        &mut self.span
    }

    /// Does `work` as parts of the first span.
    pub async fn within<F: Future>(&self, work: F) -> F::Output {
        CURRENT.scope(self.span.context.clone(), work).await
    }

    /// Ends it. Spans that have not ended are lost.
    pub fn end(self) -> Trace {
        let Self { span, at } = self;
        let recorder = span.context.recorder.clone();
        drop(span);
        let started = recorder.0.started.load(Ordering::Relaxed);
        let most = u64::try_from(MOST_SPANS).unwrap_or(u64::MAX);
        let spans = std::mem::take(&mut *recorder.ended());
        Trace { id: recorder.0.trace_id, at, spans, dropped: started.saturating_sub(most) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use tokio::{task::JoinSet, time::sleep};

    use super::*;

    const TRACE: TraceId = [7; 16];

    fn recording() -> Recording {
        Recording::begin(
            Origin::Fresh(TRACE, None),
            41,
            ("root", Kind::Server),
            Timestamp(1_700_000_000_000),
        )
    }

    fn id(number: u64) -> SpanId {
        number.to_be_bytes()
    }

    #[tokio::test]
    async fn spans_are_parts_of_the_span_around_them() {
        let recording = recording();
        let work = async {
            sleep(Duration::from_millis(5)).await;
            within("part", async {
                let mut call = Span::start("call", Kind::Client).unwrap();
                sleep(Duration::from_millis(7)).await;
                call.set("units", Value::Units(1.5));
                call.fail();
            })
            .await;
        };
        recording.within(work).await;
        let trace = recording.end();
        assert_eq!((trace.id, trace.dropped), (TRACE, 0));
        let [call, part, root] = trace.spans.as_slice() else { panic!("{trace:?}") };
        assert_eq!((&*call.name, call.id, call.parent), ("call", id(43), Some(id(42))));
        assert_eq!((&*part.name, part.id, part.parent), ("part", id(42), Some(id(41))));
        assert_eq!((&*root.name, root.id, root.parent), ("root", id(41), None));
        let (pause, call_time) = (Duration::from_millis(5), Duration::from_millis(7));
        assert!(root.begun + pause <= part.begun && part.begun <= call.begun);
        assert!(call.begun + call_time <= call.ended);
        assert!(call.ended <= part.ended && part.ended <= root.ended);
        assert_eq!(call.values, [("units", Value::Units(1.5))]);
        assert!(call.has_failed && !root.has_failed);
    }

    #[tokio::test]
    async fn nothing_is_recorded_outside_of_a_recording() {
        assert!(Span::start("call", Kind::Client).is_none() && Context::current().is_none());
        assert!(!within("part", async { Context::current().is_some() }).await);
    }

    #[tokio::test]
    async fn a_task_of_its_own_is_a_part_if_it_is_carried() {
        let recording = recording();
        let work = async {
            let mut tasks = JoinSet::new();
            let call = || async { Span::start("call", Kind::Client).is_some() };
            tasks.spawn(carried(Context::current(), call()));
            assert!(tasks.join_next().await.unwrap().unwrap());
            tasks.spawn(call());
            assert!(!tasks.join_next().await.unwrap().unwrap(), "a task of its own has no context");
        };
        recording.within(work).await;
        assert_eq!(recording.end().spans.len(), 2);
    }

    #[tokio::test]
    async fn a_call_that_nobody_waits_for_any_more_ends() {
        let recording = recording();
        let work = async {
            let call = async {
                let _span = Span::start("call", Kind::Client);
                std::future::pending::<()>().await;
            };
            let _ = tokio::time::timeout(Duration::from_millis(1), call).await;
        };
        recording.within(work).await;
        assert_eq!(recording.end().spans[0].name, "call");
    }

    #[tokio::test]
    async fn a_recording_is_bounded() {
        let recording = recording();
        let started = recording
            .within(async { (0..1_000).filter_map(|_| Span::start("call", Kind::Client)).count() })
            .await;
        let trace = recording.end();
        assert_eq!((started, trace.spans.len()), (MOST_SPANS - 1, MOST_SPANS));
        assert_eq!(trace.dropped, 1_001 - 256);
    }

    #[tokio::test]
    async fn ids_are_never_zero_and_never_the_same() {
        for first in [0, u64::MAX - 3] {
            let origin = Origin::Fresh(TRACE, None);
            let recording =
                Recording::begin(origin, first, ("root", Kind::Server), Timestamp::default());
            recording
                .within(async {
                    for _ in 0..9 {
                        drop(Span::start("call", Kind::Client));
                    }
                })
                .await;
            let ids: std::collections::BTreeSet<_> =
                recording.end().spans.into_iter().map(|span| span.id).collect();
            assert!(ids.len() == 10 && !ids.contains(&id(0)), "{first}: {ids:?}");
        }
    }

    #[test]
    fn a_recording_continues_the_trace_of_another_service() {
        let parent = TraceParent { trace_id: [9; 16], span_id: [8; 8] };
        let recording = Recording::begin(
            Origin::Continued(parent),
            1,
            ("message", Kind::Consumer),
            Timestamp::default(),
        );
        let trace = recording.end();
        assert_eq!((trace.id, trace.spans[0].parent), ([9; 16], Some([8; 8])));
    }
}
