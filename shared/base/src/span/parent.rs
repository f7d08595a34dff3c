//! The header `traceparent` (W3C Trace Context, section 3.2).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The id of a trace: 16 bytes, not all zero.
pub type TraceId = [u8; 16];
/// The id of a span, unique in its trace: 8 bytes, not all zero.
pub type SpanId = [u8; 8];

/// A span of some trace. In rows, it is the text of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TraceParent {
    /// The trace.
    pub trace_id: TraceId,
    /// The span.
    pub span_id: SpanId,
}

impl TraceParent {
    /// The name of the header, and of the attribute of messages.
    pub const NAME: &str = "traceparent";
}

impl fmt::Display for TraceParent {
    /// Version 0, with the flag that the trace is recorded: other traces are not passed on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{}-{}-01", hex::encode(self.trace_id), hex::encode(self.span_id))
    }
}

impl From<TraceParent> for String {
    fn from(parent: TraceParent) -> Self {
        parent.to_string()
    }
}

impl TryFrom<String> for TraceParent {
    type Error = NotATraceParent;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// A text is no valid `traceparent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a traceparent")]
pub struct NotATraceParent;

impl FromStr for TraceParent {
    type Err = NotATraceParent;

    /// Reads every version; of a newer one, what it has in common with version 0 (section 4.3). The flags are read
    /// and dropped: what is recorded, the service decides.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        read(text).ok_or(NotATraceParent)
    }
}

fn read(text: &str) -> Option<TraceParent> {
    let mut parts = text.splitn(5, '-');
    let (version, trace_id, span_id, flags) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let version: [u8; 1] = lowercase_hex(version)?;
    let _flags: [u8; 1] = lowercase_hex(flags)?;
    let is_whole = version != [0] || parts.next().is_none();
    let (trace_id, span_id): (TraceId, SpanId) =
        (lowercase_hex(trace_id)?, lowercase_hex(span_id)?);
    let are_ids = trace_id != TraceId::default() && span_id != SpanId::default();
    (version != [0xff] && is_whole && are_ids).then_some(TraceParent { trace_id, span_id })
}

fn lowercase_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let is_lowercase = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    let mut bytes = [0; N];
    (is_lowercase && hex::decode_to_slice(text, &mut bytes).is_ok()).then_some(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EXAMPLE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn the_example_of_the_standard_is_read_as_it_is_written() {
        let parent: TraceParent = EXAMPLE.parse().unwrap();
        assert_eq!(hex::encode(parent.trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(hex::encode(parent.span_id), "00f067aa0ba902b7");
        assert_eq!(parent.to_string(), EXAMPLE);
    }

    #[test]
    fn a_newer_version_is_read_as_far_as_it_is_known() {
        let tail = EXAMPLE.strip_prefix("00").unwrap();
        for (text, is_read) in [
            (format!("01{tail}"), true),
            (format!("cc{tail}-what-the-future-will-be-like"), true),
            (format!("cc{tail}.what"), false),
            (format!("ff{tail}"), false),
            (format!("00{tail}-"), false),
            (format!("00{tail}-what"), false),
        ] {
            assert_eq!(text.parse::<TraceParent>().is_ok(), is_read, "{text}");
        }
    }

    #[test]
    fn what_the_standard_forbids_is_refused() {
        for text in [
            "",
            "00",
            "00---",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e47366-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473x-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
            "0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,",
        ] {
            assert_eq!(text.parse::<TraceParent>(), Err(NotATraceParent), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_text_is_read_or_refused(text in "\\PC{0,80}") {
            let _ = text.parse::<TraceParent>();
        }

        #[test]
        fn what_is_written_is_read(trace_id in any::<[u8; 16]>(), span_id in any::<[u8; 8]>()) {
            prop_assume!(trace_id != [0; 16] && span_id != [0; 8]);
            let parent = TraceParent { trace_id, span_id };
            prop_assert_eq!(parent.to_string().parse(), Ok(parent));
            let row = serde_json::to_string(&parent).unwrap();
            prop_assert_eq!(serde_json::from_str::<TraceParent>(&row).unwrap(), parent);
        }
    }
}
