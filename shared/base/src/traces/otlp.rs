//! Traces in the JSON of OTLP 1 (<https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>): ids are
//! hexadecimal, numbers of 64 bits are texts, and enumerations are numbers.

use std::{borrow::Cow, time::Duration};

use serde::Serialize;

use crate::span::{Kind, SpanData, Trace, TraceParent, Value};

/// `ExportTraceServiceRequest`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request<'a> {
    resource_spans: [ResourceSpans<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceSpans<'a> {
    resource: Resource<'a>,
    scope_spans: [ScopeSpans<'a>; 1],
}

#[derive(Serialize)]
struct Resource<'a> {
    attributes: [KeyValue<'a>; 1],
}

#[derive(Serialize)]
struct ScopeSpans<'a> {
    scope: Scope,
    spans: Vec<Span<'a>>,
}

#[derive(Serialize)]
struct Scope {
    name: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Span<'a> {
    trace_id: String,
    span_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_span_id: Option<String>,
    name: &'a str,
    kind: u8,
    start_time_unix_nano: String,
    end_time_unix_nano: String,
    attributes: Vec<KeyValue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<[Link; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

#[derive(Serialize)]
struct KeyValue<'a> {
    key: &'static str,
    value: AnyValue<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::enum_variant_names, reason = "the names of OTLP")]
enum AnyValue<'a> {
    StringValue(Cow<'a, str>),
    IntValue(String),
    DoubleValue(f64),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Link {
    trace_id: String,
    span_id: String,
}

#[derive(Serialize)]
struct Status {
    code: u8,
}

/// `STATUS_CODE_ERROR`.
const FAILED: Status = Status { code: 2 };
/// Where a trace says how many of its spans are missing.
const DROPPED: &str = "runeport.dropped_spans";

/// A trace of a service.
pub(super) fn request<'a>(service: &'a str, trace: &'a Trace) -> Request<'a> {
    let spans = trace.spans.iter().map(|span| self::span(trace, span)).collect();
    let scope_spans = [ScopeSpans { scope: Scope { name: "runeport" }, spans }];
    let name = AnyValue::StringValue(service.into());
    let resource = Resource { attributes: [KeyValue { key: "service.name", value: name }] };
    Request { resource_spans: [ResourceSpans { resource, scope_spans }] }
}

fn span<'a>(trace: &Trace, span: &'a SpanData) -> Span<'a> {
    let mut attributes: Vec<_> =
        span.values.iter().map(|(key, value)| KeyValue { key, value: any_value(value) }).collect();
    // The last span to end is the first of the recording.
    let is_first = trace.spans.last().is_some_and(|first| first.id == span.id);
    if is_first && trace.dropped > 0 {
        let value = AnyValue::IntValue(trace.dropped.to_string());
        attributes.push(KeyValue { key: DROPPED, value });
    }
    Span {
        trace_id: hex::encode(trace.id),
        span_id: hex::encode(span.id),
        parent_span_id: span.parent.map(hex::encode),
        name: &span.name,
        kind: match span.kind {
            Kind::Internal => 1,
            Kind::Server => 2,
            Kind::Client => 3,
            Kind::Consumer => 5,
        },
        start_time_unix_nano: nanos(trace, span.begun),
        end_time_unix_nano: nanos(trace, span.ended),
        attributes,
        links: span.link.map(|TraceParent { trace_id, span_id }| {
            [Link { trace_id: hex::encode(trace_id), span_id: hex::encode(span_id) }]
        }),
        status: span.has_failed.then_some(FAILED),
    }
}

fn any_value(value: &Value) -> AnyValue<'_> {
    match value {
        Value::Text(text) => AnyValue::StringValue(Cow::Borrowed(text)),
        Value::Number(number) => AnyValue::IntValue(number.to_string()),
        Value::Units(units) => AnyValue::DoubleValue(*units),
    }
}

/// A moment of a recording, in nanoseconds since the epoch.
fn nanos(trace: &Trace, since: Duration) -> String {
    let begun = Duration::from_millis(u64::try_from(trace.at.0).unwrap_or_default());
    begun.saturating_add(since).as_nanos().to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use opentelemetry_proto::tonic::{
        collector::trace::v1::ExportTraceServiceRequest,
        common::v1::{AnyValue, KeyValue, any_value::Value as Any},
        trace::v1::{span::Link, status::StatusCode},
    };

    use super::*;
    use crate::clock::Timestamp;

    fn attribute(key: &str, value: Any) -> KeyValue {
        KeyValue {
            key: key.to_owned(),
            value: Some(AnyValue { value: Some(value) }),
            ..KeyValue::default()
        }
    }

    fn span(id: u8, parent: Option<u8>) -> SpanData {
        SpanData {
            id: [id; 8],
            parent: parent.map(|parent| [parent; 8]),
            name: "GET /api/health".into(),
            kind: Kind::Server,
            begun: Duration::from_micros(1_500),
            ended: Duration::from_millis(20),
            values: Vec::new(),
            link: None,
            has_failed: false,
        }
    }

    /// What OpenTelemetry's own types read of a trace.
    fn read(trace: &Trace) -> ExportTraceServiceRequest {
        let text = serde_json::to_string(&request("stack-Account", trace)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn opentelemetry_reads_a_trace_as_it_was_recorded() {
        let call = SpanData {
            kind: Kind::Client,
            name: "DynamoDB.Query".into(),
            values: vec![
                ("aws.dynamodb.table_names", "activity".into()),
                ("http.response.status_code", 500_u16.into()),
                ("aws.dynamodb.consumed_units", Value::Units(1.5)),
            ],
            has_failed: true,
            ..span(2, Some(1))
        };
        let link = TraceParent { trace_id: [9; 16], span_id: [8; 8] };
        let root = SpanData { link: Some(link), ..span(1, None) };
        let at = Timestamp(1_700_000_000_123);
        let trace = Trace { id: [7; 16], at, spans: vec![call, root], dropped: 3 };
        let mut read = read(&trace);
        assert_eq!(read.resource_spans.len(), 1);
        let mut read = read.resource_spans.remove(0);
        let service = attribute("service.name", Any::StringValue("stack-Account".to_owned()));
        assert_eq!(read.resource.unwrap().attributes, [service]);
        let spans = read.scope_spans.remove(0).spans;
        let [call, root] = spans.as_slice() else { panic!("{spans:?}") };
        assert_eq!((&*call.trace_id, &*call.span_id), (&[7; 16][..], &[2; 8][..]));
        assert_eq!((&*call.parent_span_id, &*root.parent_span_id), (&[1; 8][..], &[][..]));
        assert_eq!((&*call.name, call.kind, root.kind), ("DynamoDB.Query", 3, 2));
        let (begun, ended) = (1_700_000_000_124_500_000, 1_700_000_000_143_000_000);
        assert_eq!((call.start_time_unix_nano, call.end_time_unix_nano), (begun, ended));
        let values = [
            attribute("aws.dynamodb.table_names", Any::StringValue("activity".to_owned())),
            attribute("http.response.status_code", Any::IntValue(500)),
            attribute("aws.dynamodb.consumed_units", Any::DoubleValue(1.5)),
        ];
        assert_eq!(call.attributes, values);
        assert_eq!(root.attributes, [attribute(DROPPED, Any::IntValue(3))]);
        assert_eq!(call.status.as_ref().unwrap().code(), StatusCode::Error);
        assert_eq!(root.status, None);
        let link = Link { trace_id: vec![9; 16], span_id: vec![8; 8], ..Link::default() };
        assert_eq!((call.links.len(), root.links.as_slice()), (0, &[link][..]));
    }

    #[test]
    fn every_kind_is_that_of_opentelemetry() {
        use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
        for (kind, expected) in [
            (Kind::Internal, SpanKind::Internal),
            (Kind::Server, SpanKind::Server),
            (Kind::Client, SpanKind::Client),
            (Kind::Consumer, SpanKind::Consumer),
        ] {
            let spans = vec![SpanData { kind, ..span(1, None) }];
            let trace = Trace { id: [7; 16], at: Timestamp(0), spans, dropped: 0 };
            let read = read(&trace);
            assert_eq!(read.resource_spans[0].scope_spans[0].spans[0].kind(), expected);
        }
    }
}
