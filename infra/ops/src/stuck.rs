//! Rows that the chain watcher cannot take further, as a table.

use std::iter;

use base::clock::Timestamp;
use shared::stuck::StuckRow;

const HEAD: [&str; 6] = ["kind", "key", "state", "since", "failures", "cause"];

/// The rows under a header, in aligned columns.
pub fn table(rows: &[StuckRow], now: Timestamp) -> String {
    if rows.is_empty() {
        return "No row is stuck.\n".to_owned();
    }
    let cells: Vec<_> = iter::once(HEAD.map(str::to_owned))
        .chain(rows.iter().map(|row| {
            let StuckRow { kind, key, state, failing, account: _ } = row;
            let minutes = now.0.saturating_sub(failing.since.0).div_euclid(60_000);
            [
                kind.name().to_owned(),
                format!("{} {}", key.pk(), key.sk()),
                state.clone(),
                format!("{minutes} min ago"),
                failing.times.to_string(),
                // Keeps texts of other parties on one line.
                failing.cause.split_whitespace().collect::<Vec<_>>().join(" "),
            ]
        }))
        .collect();
    let widths: Vec<_> = (0..HEAD.len())
        .map(|column| {
            cells.iter().filter_map(move |row| row.get(column)).map(|cell| cell.chars().count())
        })
        .map(|widths| widths.max().unwrap_or_default())
        .collect();
    let lines = cells.iter().map(|row| {
        let padded = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        let line = padded.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use shared::{
        models::watch::{Failing, Watch},
        tables,
    };
    use store::Key;

    use super::*;

    #[test]
    fn stuck_rows_are_listed_in_columns() {
        let row = |kind, times, cause: &str| StuckRow {
            kind,
            key: Key::new(tables::ACTIVITY, "feeRate", "feeRate"),
            account: None,
            state: "broadcasting".to_owned(),
            failing: Failing {
                times,
                since: Timestamp(60_000),
                stuck_at: Some(Timestamp(180_000)),
                cause: cause.to_owned(),
            },
        };
        let rows = [row(Watch::Payout, 12, "esplora:\n no answer"), row(Watch::NewSwap, 3, "hub")];
        assert_eq!(
            table(&rows, Timestamp(600_000)),
            "\
kind      key              state         since      failures  cause
payout    feeRate feeRate  broadcasting  9 min ago  12        esplora: no answer
new swap  feeRate feeRate  broadcasting  9 min ago  3         hub
"
        );
        assert_eq!(table(&[], Timestamp(0)), "No row is stuck.\n");
    }
}
