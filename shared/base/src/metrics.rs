//! Metrics: lines of the log that CloudWatch makes metrics of, by the Embedded Metric Format
//! (<https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html>).

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::clock::Timestamp;

/// The namespace of all of them. Their one dimension is `FunctionName`.
const NAMESPACE: &str = "Runeport";

/// What a value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// Time.
    Seconds,
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::Count => "Count",
            Self::Seconds => "Seconds",
        }
    }
}

/// One value of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name, as alarms have it.
    pub name: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// How many, or how long.
    pub value: u64,
}

/// Writes values of the moment `now`, as those of the function of this name on Lambda.
pub fn emit(function: &str, now: Timestamp, metrics: &[Metric]) {
    let line = format!("{}\n", document(function, now, metrics));
    // If the log cannot be written, there is no other place to report it.
    let _ = io::stdout().lock().write_all(line.as_bytes());
}

/// What CloudWatch reads.
fn document(function: &str, now: Timestamp, metrics: &[Metric]) -> Value {
    let named = metrics.iter().map(|metric| {
        let Metric { name, unit, .. } = metric;
        json!({ "Name": name, "Unit": unit.name() })
    });
    let directive = json!({
        "Namespace": NAMESPACE,
        "Dimensions": [["FunctionName"]],
        "Metrics": named.collect::<Vec<_>>(),
    });
    let mut document = Map::new();
    document
        .insert("_aws".to_owned(), json!({ "Timestamp": now, "CloudWatchMetrics": [directive] }));
    document.insert("FunctionName".to_owned(), function.into());
    document.extend(metrics.iter().map(|metric| (metric.name.to_owned(), metric.value.into())));
    document.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_shape_of_the_format() {
        let metrics = [
            Metric { name: "WatcherLag", unit: Unit::Seconds, value: 12 },
            Metric { name: "OpenReservations", unit: Unit::Count, value: 3 },
        ];
        let expected = json!({
            "_aws": {
                "Timestamp": 1_700_000_000_000_i64,
                "CloudWatchMetrics": [{
                    "Namespace": "Runeport",
                    "Dimensions": [["FunctionName"]],
                    "Metrics": [
                        { "Name": "WatcherLag", "Unit": "Seconds" },
                        { "Name": "OpenReservations", "Unit": "Count" },
                    ],
                }],
            },
            "FunctionName": "stack-ChainWatcher",
            "WatcherLag": 12,
            "OpenReservations": 3,
        });
        let document = document("stack-ChainWatcher", Timestamp(1_700_000_000_000), &metrics);
        assert_eq!(document, expected);
        assert!(!document.to_string().contains('\n'));
    }
}
