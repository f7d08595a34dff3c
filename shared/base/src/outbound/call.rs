//! What a call to a party outside asks for, and its span.

use http::{HeaderMap, HeaderValue, StatusCode};

use super::error::OutboundError;
use crate::span::{Kind, Span, TraceParent};

/// A party that is called by requests of our own, not of an AWS SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    name: &'static str,
    receives_trace: bool,
}

impl Party {
    /// AWS Systems Manager.
    pub const SSM: Self = Self::new("SSM");
    /// The collector of traces.
    pub const COLLECTOR: Self = Self::new("collector");
    /// A party that has no name here: for tools and tests.
    pub const ANOTHER: Self = Self::new("another");

    /// The party that spans call `name`.
    pub const fn new(name: &'static str) -> Self {
        Self { name, receives_trace: false }
    }

    /// The same, which receives `traceparent` with each call (docs/decisions/0030-traces.md).
    #[must_use]
    pub const fn receiving_trace(self) -> Self {
        Self { receives_trace: true, ..self }
    }
}

/// What is asked for, as spans have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    party: Party,
    operation: &'static str,
}

impl Call {
    /// A call of an operation: its name, or its path with names in braces in place of values.
    pub const fn new(party: Party, operation: &'static str) -> Self {
        Self { party, operation }
    }
}

/// A call that is under way; empty if it is not recorded.
#[derive(Debug, Default)]
pub(super) struct OpenCall {
    span: Option<Span>,
    repetitions: u16,
}

impl OpenCall {
    /// Starts the span of a call, if its request is recorded, and adds the header for the party.
    pub(super) fn start(call: Call, headers: &mut HeaderMap) -> Self {
        let Call { party, operation } = call;
        // The name is a text only if it is needed.
        let Some(mut span) = Span::start(operation, Kind::Client) else { return Self::default() };
        span.rename(format!("{} {operation}", party.name));
        span.set("peer.service", party.name);
        if party.receives_trace
            && let Ok(parent) = HeaderValue::try_from(span.parent().to_string())
        {
            headers.insert(TraceParent::NAME, parent);
        }
        Self { span: Some(span), repetitions: 0 }
    }

    /// The connection broke, and the call is made once more.
    pub(super) fn repeated(&mut self) {
        self.repetitions = self.repetitions.saturating_add(1);
    }

    /// Ends the span with what became of the call.
    pub(super) fn end(self, answer: Result<Option<StatusCode>, &OutboundError>) {
        let Self { span: Some(mut span), repetitions } = self else { return };
        if repetitions > 0 {
            span.set("http.request.resend_count", repetitions);
        }
        let status = match answer {
            Ok(status) => status.map(|status| status.as_u16()),
            Err(error) => {
                span.set("error.type", error.name());
                error.status()
            }
        };
        if let Some(status) = status {
            span.set("http.response.status_code", status);
        }
        if answer.is_err() || status.is_some_and(|status| status >= 500) {
            span.fail();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };

    use aws_smithy_types::body::SdkBody;
    use bytes::Bytes;

    use super::*;
    use crate::{
        clock::Timestamp,
        outbound::{Outbound, Sending, Wire},
        span::{Origin, Recording},
    };

    /// A wire that keeps the `traceparent` of each request, and answers 200.
    #[derive(Clone, Default)]
    struct Listening(Arc<Mutex<Vec<Option<String>>>>);

    impl Wire for Listening {
        fn send(&self, request: http::Request<SdkBody>) -> Sending {
            let parent = request.headers().get(TraceParent::NAME);
            let parent = parent.map(|parent| parent.to_str().unwrap().to_owned());
            self.0.lock().unwrap().push(parent);
            Box::pin(async { Ok(http::Response::new(SdkBody::from("{}"))) })
        }
    }

    async fn ask(outbound: &Outbound, party: Party) {
        let request = http::Request::get("http://party/secret?key=hush").body(Bytes::new());
        let call = Call::new(party, "GET /{key}");
        outbound.send(call, request.unwrap(), Duration::from_secs(1)).await.unwrap();
    }

    fn recording() -> Recording {
        let origin = Origin::Fresh([7; 16], None);
        Recording::begin(origin, 1, ("request", Kind::Server), Timestamp::default())
    }

    #[tokio::test]
    async fn only_parties_that_receive_traces_are_told_of_the_span() {
        let wire = Listening::default();
        let outbound = Outbound::over(Arc::new(wire.clone())).traced();
        let parties = [(Party::new("friend").receiving_trace(), true), (Party::ANOTHER, false)];
        let recording = recording();
        recording
            .within(async {
                for (party, _) in parties {
                    ask(&outbound, party).await;
                }
            })
            .await;
        let trace = recording.end();
        let told = wire.0.lock().unwrap().clone();
        for ((party, is_told), (parent, span)) in parties.iter().zip(told.iter().zip(&trace.spans))
        {
            let own = TraceParent { trace_id: [7; 16], span_id: span.id };
            assert_eq!(*parent, is_told.then(|| own.to_string()), "{party:?}");
            assert_eq!(span.name, format!("{} GET /{{key}}", party.name));
        }
        assert!(!format!("{trace:?}").contains("hush"));
    }

    #[tokio::test]
    async fn nobody_is_told_of_what_is_not_recorded() {
        let wire = Listening::default();
        let (plain, traced) = (
            Outbound::over(Arc::new(wire.clone())),
            Outbound::over(Arc::new(wire.clone())).traced(),
        );
        ask(&traced, Party::ANOTHER).await;
        let recording = recording();
        recording.within(ask(&plain, Party::ANOTHER)).await;
        assert_eq!(*wire.0.lock().unwrap(), [None, None]);
        assert_eq!(recording.end().spans.len(), 1, "an untraced client has no spans");
    }
}
