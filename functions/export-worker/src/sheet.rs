//! Rows of a file: RFC 4180, with nothing that a spreadsheet would run.

use std::{borrow::Cow, fmt::Display};

use aws_smithy_types::{DateTime, date_time::Format};
use csv::{Terminator, Writer, WriterBuilder};
use serde::Serialize;
use serde_json::Value;
use shared::clock::Timestamp;

/// Rows on their way into a part.
pub(crate) struct Sheet {
    writer: Writer<Vec<u8>>,
}

impl Sheet {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self::behind(Vec::new())
    }

    /// Rows that were written before.
    pub(crate) fn behind(rows: Vec<u8>) -> Self {
        Self { writer: WriterBuilder::new().terminator(Terminator::CRLF).from_writer(rows) }
    }

    /// Writes the row of these names.
    ///
    /// # Errors
    /// None that names can cause.
    pub(crate) fn head(&mut self, columns: &[&str]) -> Result<(), csv::Error> {
        self.writer.write_record(columns)
    }

    /// Adds a text to the row; one that a spreadsheet would take for a formula gets an apostrophe in
    /// front of it.
    ///
    /// # Errors
    /// None that a text can cause.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), csv::Error> {
        self.writer.write_field(inert(text).as_bytes())
    }

    /// Adds what has a text.
    ///
    /// # Errors
    /// As [`Self::text`].
    pub(crate) fn show(&mut self, value: impl Display) -> Result<(), csv::Error> {
        self.text(&value.to_string())
    }

    /// Adds what may be there; an empty cell where it is not.
    ///
    /// # Errors
    /// As [`Self::text`].
    pub(crate) fn maybe(&mut self, value: Option<impl Display>) -> Result<(), csv::Error> {
        match value {
            Some(value) => self.show(value),
            None => self.text(""),
        }
    }

    /// Adds one of a few words, as it is in JSON.
    ///
    /// # Errors
    /// As [`Self::text`].
    pub(crate) fn word(&mut self, word: impl Serialize) -> Result<(), csv::Error> {
        match serde_json::to_value(word) {
            Ok(Value::String(text)) => self.text(&text),
            _ => self.text(""),
        }
    }

    /// Adds a moment: RFC 3339, UTC, milliseconds.
    ///
    /// # Errors
    /// As [`Self::text`].
    pub(crate) fn time(&mut self, at: Timestamp) -> Result<(), csv::Error> {
        self.text(&in_utc(at))
    }

    /// Ends the row.
    ///
    /// # Errors
    /// The row has another number of cells than the one before.
    pub(crate) fn end_row(&mut self) -> Result<(), csv::Error> {
        self.writer.write_record(None::<&[u8]>)
    }

    /// How many bytes the rows have that were ended.
    ///
    /// # Errors
    /// None: memory takes everything.
    pub(crate) fn len(&mut self) -> Result<usize, csv::Error> {
        self.writer.flush()?;
        Ok(self.writer.get_ref().len())
    }

    /// Takes what was written, and leaves nothing.
    ///
    /// # Errors
    /// None: memory takes everything.
    pub(crate) fn take(&mut self) -> Result<Vec<u8>, csv::Error> {
        let full = std::mem::replace(self, Self::new());
        full.writer.into_inner().map_err(|error| error.into_error().into())
    }
}

/// A moment, such as `2026-11-21T07:15:00.000Z`.
fn in_utc(at: Timestamp) -> String {
    let second = DateTime::from_secs(at.past_seconds()).fmt(Format::DateTime).unwrap_or_default();
    let millis = at.0.rem_euclid(1000);
    format!("{}.{millis:03}Z", second.trim_end_matches('Z'))
}

/// A text that no spreadsheet takes for a formula (OWASP, "CSV Injection").
fn inert(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && !is_number(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a text is digits, with a sign and a fraction at most.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(unsigned),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_run_is_text_and_numbers_stay_numbers() {
        for text in [
            "=HYPERLINK(\"http://x\")",
            "=1+1",
            "+1+1",
            "-1-1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "+",
            "-",
            "-1.",
            "-.5",
            "+1e5",
            "-1.5.5",
            "+49 30 1",
            "-١",
        ] {
            assert_eq!(inert(text), format!("'{text}"));
        }
        for text in ["", "0", "-1", "+1", "-12.50", "1=1", "a@b", "'=1", " =1", "é", "1-1"] {
            assert_eq!(inert(text), text);
        }
    }

    #[test]
    fn rows_are_rfc_4180() {
        let mut sheet = Sheet::new();
        sheet.head(&["a", "b"]).unwrap();
        for (one, other) in
            [("plain", "with,comma"), ("\"quoted\"", "two\r\nlines"), ("", "=1,2"), ("🙂", "x\ny")]
        {
            sheet.text(one).unwrap();
            sheet.text(other).unwrap();
            sheet.end_row().unwrap();
        }
        let expected = "a,b\r\nplain,\"with,comma\"\r\n\"\"\"quoted\"\"\",\"two\r\nlines\"\r\n\
                        ,\"'=1,2\"\r\n🙂,\"x\ny\"\r\n";
        assert_eq!(sheet.len().unwrap(), expected.len());
        assert_eq!(String::from_utf8(sheet.take().unwrap()).unwrap(), expected);
        assert_eq!(sheet.len().unwrap(), 0);
    }

    #[test]
    fn a_row_has_as_many_cells_as_its_head() {
        let mut sheet = Sheet::new();
        sheet.head(&["a", "b"]).unwrap();
        sheet.text("one").unwrap();
        assert!(sheet.end_row().is_err());
    }

    #[test]
    fn times_are_utc_with_milliseconds() {
        for (at, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_767_225_600_007, "2026-01-01T00:00:00.007Z"),
            (1_767_225_599_999, "2025-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(in_utc(Timestamp(at)), text);
        }
    }
}
