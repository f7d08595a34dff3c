//! Traces: which requests and runs are recorded, and how their spans reach a collector (OTLP over HTTP). Without a
//! collector there is no [`Tracer`], and nothing is recorded (docs/decisions/0030-traces.md).

mod otlp;

use std::{fmt, sync::Arc, time::Duration};

use aws_lambda_events::event::sqs::SqsMessage;
use bytes::Bytes;
use http::{HeaderMap, header};
use tokio::time::timeout;

use crate::{
    breaker::Breaker,
    clock::Clock,
    outbound::{Call, Outbound, OutboundError, Party},
    provider::encrypted,
    random::Random,
    section,
    settings::optional,
    span::{Kind, Origin, Recording, Trace, TraceParent},
};

/// How long an answer waits until its spans are with the collector. Lambda freezes a function after its answer, so
/// they cannot follow later. A collector on the same machine takes them within milliseconds.
const SENDING: Duration = Duration::from_millis(250);
/// Where a collector takes traces (OTLP 1, "OTLP/HTTP Request").
const PATH: &str = "/v1/traces";

section! {
    /// Traces.
    pub struct TracesConfig {
        /// Base address of a collector of traces (OTLP/HTTP) such as `http://localhost:4318`, `https://` except on this machine; empty: nothing is recorded
        pub endpoint: Option<String> = "TRACES_ENDPOINT" or "" via collector,
        /// One in how many requests and runs of workers is recorded
        pub one_in: u32 = "TRACES_ONE_IN" or "20" via at_least_one,
        /// Name of the function, for its metrics and traces; set by Lambda, empty elsewhere
        pub function: Option<String> = "AWS_LAMBDA_FUNCTION_NAME" or "" via optional,
    }
}

fn collector(text: &str) -> Result<Option<String>, &'static str> {
    let text = text.trim_end_matches('/');
    if text.is_empty() { Ok(None) } else { encrypted(text).map(|()| Some(text.to_owned())) }
}

fn at_least_one(text: &str) -> Result<u32, &'static str> {
    text.parse().ok().filter(|number| *number > 0).ok_or("must be a whole number from 1")
}

/// Decides what is recorded, and sends it. Cloning is cheap; clones share the breaker.
#[derive(Clone)]
pub struct Tracer(Arc<Parts>);

struct Parts {
    url: String,
    one_in: u32,
    service: String,
    /// Its own calls have no spans.
    outbound: Outbound,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    breaker: Breaker,
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tracer({}, one in {})", self.0.url, self.0.one_in)
    }
}

impl Tracer {
    /// The tracer of these settings, if they name a collector; connects nowhere yet.
    pub fn new(
        config: TracesConfig,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        outbound: Outbound,
    ) -> Option<Self> {
        let TracesConfig { endpoint, one_in, function } = config;
        let (url, breaker) = (format!("{}{PATH}", endpoint?), Breaker::new(clock.clone()));
        let service = function.unwrap_or_else(|| "runeport".to_owned());
        Some(Self(Arc::new(Parts { url, one_in, service, outbound, clock, random, breaker })))
    }

    /// Begins to record a request, if it is chosen at random. The caller's own flag does not matter: callers
    /// cannot choose what the service spends. Its trace begins here, and only links to the caller's.
    pub fn request(&self, headers: &HeaderMap) -> Option<Recording> {
        let is_chosen = self.is_chosen();
        is_chosen.then(|| self.fresh(("request", Kind::Server), caller(headers)))
    }

    /// Begins to record a run that a schedule starts, if its turn comes by chance.
    pub fn run(&self, name: &'static str) -> Option<Recording> {
        self.is_chosen().then(|| self.fresh((name, Kind::Internal), None))
    }

    /// Begins to record the work on a message: as a part of its sender's trace, if that is recorded, and otherwise if
    /// its turn comes by chance. Only the service writes into its queues.
    pub fn message(&self, name: &'static str, message: &SqsMessage) -> Option<Recording> {
        match sender(message) {
            Some(parent) => Some(self.begin((name, Kind::Consumer), Origin::Continued(parent))),
            None => self.is_chosen().then(|| self.fresh((name, Kind::Consumer), None)),
        }
    }

    /// Begins to record the work on a row as a part of the trace of the request that made it.
    pub fn row(&self, name: &'static str, parent: TraceParent) -> Option<Recording> {
        // While the collector does not answer, nothing needs to be recorded.
        let is_heard = !self.0.breaker.is_open();
        is_heard.then(|| self.begin((name, Kind::Consumer), Origin::Continued(parent)))
    }

    fn is_chosen(&self) -> bool {
        // While the collector does not answer, nothing needs to be recorded.
        let last = u64::from(self.0.one_in).saturating_sub(1);
        !self.0.breaker.is_open() && self.0.random.up_to(last) == 0
    }

    fn fresh(&self, named: (&'static str, Kind), link: Option<TraceParent>) -> Recording {
        self.begin(named, Origin::Fresh(self.0.random.bytes(), link))
    }

    fn begin(&self, named: (&'static str, Kind), origin: Origin) -> Recording {
        let first_id = u64::from_be_bytes(self.0.random.bytes());
        Recording::begin(origin, first_id, named, self.0.clock.now())
    }

    /// Ends a recording, and sends it. Where the collector does not answer in time, it is lost.
    pub async fn end(&self, recording: Recording) {
        self.send(&recording.end()).await;
    }

    async fn send(&self, trace: &Trace) {
        let Ok(permit) = self.0.breaker.permit() else { return };
        let sent = timeout(self.0.outbound.waits(SENDING), self.post(trace)).await;
        let sent = sent.unwrap_or(Err(OutboundError::Timeout));
        permit.note(sent.is_ok());
        if let Err(error) = sent {
            tracing::warn!(%error, "a trace was not sent");
        }
    }

    async fn post(&self, trace: &Trace) -> Result<(), OutboundError> {
        let malformed = |text: String| OutboundError::Malformed(text);
        let body = otlp::request(&self.0.service, trace);
        let body = serde_json::to_vec(&body).map_err(|error| malformed(error.to_string()))?;
        let request = http::Request::post(&self.0.url)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Bytes::from(body))
            .map_err(|error| malformed(error.to_string()))?;
        let call = Call::new(Party::COLLECTOR, "POST /v1/traces");
        let answer = self.0.outbound.send(call, request, SENDING).await?;
        match answer.status() {
            status if status.is_success() => Ok(()),
            status => Err(OutboundError::Status(status.as_u16())),
        }
    }
}

/// The span that a caller says it calls from.
fn caller(headers: &HeaderMap) -> Option<TraceParent> {
    let mut given = headers.get_all(TraceParent::NAME).iter();
    // Of two, neither counts (W3C Trace Context, section 3.2).
    let (given, None) = (given.next()?, given.next()) else { return None };
    given.to_str().ok()?.parse().ok()
}

/// The span that a message was sent from.
fn sender(message: &SqsMessage) -> Option<TraceParent> {
    message.message_attributes.get(TraceParent::NAME)?.string_value.as_deref()?.parse().ok()
}

/// Does the work on a message, recorded if `tracer` says so.
pub async fn on_message<F: Future>(
    tracer: Option<&Tracer>,
    name: &'static str,
    message: &SqsMessage,
    work: F,
) -> F::Output {
    recorded(tracer, tracer.and_then(|tracer| tracer.message(name, message)), work).await
}

/// Does what a schedule starts, recorded if `tracer` says so.
pub async fn on_schedule<F: Future>(
    tracer: Option<&Tracer>,
    name: &'static str,
    work: F,
) -> F::Output {
    recorded(tracer, tracer.and_then(|tracer| tracer.run(name)), work).await
}

/// Does the work on a row. If the request that made it was recorded, it is a part of that request's trace, and otherwise
/// of what the current task is in.
pub async fn on_row<F: Future>(
    tracer: Option<&Tracer>,
    name: &'static str,
    parent: Option<TraceParent>,
    work: F,
) -> F::Output {
    let recording = tracer.zip(parent).and_then(|(tracer, parent)| tracer.row(name, parent));
    recorded(tracer, recording, work).await
}

async fn recorded<F: Future>(
    tracer: Option<&Tracer>,
    recording: Option<Recording>,
    work: F,
) -> F::Output {
    let (Some(tracer), Some(recording)) = (tracer, recording) else { return work.await };
    let done = recording.within(work).await;
    tracer.end(recording).await;
    done
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::{
        clock::Hand,
        random::SystemSource,
        settings::{ConfigError, read},
    };

    fn config(set: &[(&str, &str)]) -> Result<TracesConfig, ConfigError> {
        read(|name| set.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned()))
    }

    fn tracer(one_in: u32) -> Tracer {
        let config = TracesConfig {
            endpoint: Some("http://127.0.0.1:9".to_owned()),
            one_in,
            function: None,
        };
        let clock = Arc::new(Hand::default());
        Tracer::new(config, clock, Arc::new(SystemSource), Outbound::new()).unwrap()
    }

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn headers(parents: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for parent in parents {
            headers.append(TraceParent::NAME, HeaderValue::from_static(parent));
        }
        headers
    }

    #[test]
    fn without_a_collector_there_is_no_tracer() {
        let nothing = config(&[]).unwrap();
        let clock = Arc::new(Hand::default());
        assert!(Tracer::new(nothing, clock, Arc::new(SystemSource), Outbound::new()).is_none());
    }

    #[test]
    fn a_collector_is_on_this_machine_or_encrypted() {
        for (endpoint, expected) in [
            ("http://localhost:4318/", Some("http://localhost:4318")),
            ("https://otlp.example/key", Some("https://otlp.example/key")),
            ("http://otlp.example", None),
            ("otlp.example", None),
        ] {
            let config = config(&[("TRACES_ENDPOINT", endpoint)]).ok();
            assert_eq!(config.and_then(|config| config.endpoint).as_deref(), expected);
        }
        for one_in in ["0", "-1", "1.5", "all"] {
            assert!(config(&[("TRACES_ONE_IN", one_in)]).is_err(), "{one_in}");
        }
    }

    #[test]
    fn one_in_so_many_requests_is_recorded_whatever_the_caller_says() {
        let tracer = tracer(10);
        for headers in [headers(&[]), headers(&[PARENT])] {
            let recorded = (0..10_000).filter(|_| tracer.request(&headers).is_some()).count();
            assert!((700..1_300).contains(&recorded), "{recorded} of 10,000");
        }
    }

    #[test]
    fn the_trace_of_a_request_begins_here_and_links_to_its_caller() {
        let tracer = tracer(1);
        let begun = |parents: &[&'static str]| {
            let trace = tracer.request(&headers(parents)).unwrap().end();
            (trace.id, trace.spans.into_iter().next().unwrap())
        };
        let parent: TraceParent = PARENT.parse().unwrap();
        let (id, span) = begun(&[PARENT]);
        assert_eq!((span.parent, span.link), (None, Some(parent)));
        assert_ne!(id, parent.trace_id);
        for parents in [&[][..], &["nonsense"], &[PARENT, PARENT]] {
            assert_eq!(begun(parents).1.link, None, "{parents:?}");
        }
    }

    #[test]
    fn the_work_on_a_message_continues_the_trace_of_its_sender() {
        let (tracer, parent) = (tracer(u32::MAX), PARENT.parse::<TraceParent>().unwrap());
        let mut message = SqsMessage::default();
        assert!(tracer.message("mail", &message).is_none(), "by chance");
        let mut attribute = aws_lambda_events::event::sqs::SqsMessageAttribute::default();
        attribute.string_value = Some(PARENT.to_owned());
        message.message_attributes.insert(TraceParent::NAME.to_owned(), attribute);
        let trace = tracer.message("mail", &message).unwrap().end();
        let parents: Vec<_> = trace.spans.iter().map(|span| span.parent).collect();
        assert_eq!((trace.id, parents), (parent.trace_id, vec![Some(parent.span_id)]));
    }
}
