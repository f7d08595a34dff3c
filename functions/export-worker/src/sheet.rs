//! CSV rows (RFC 4180) without anything that a spreadsheet would execute.

use std::{borrow::Cow, fmt::Display};

use aws_smithy_types::{DateTime, date_time::Format};
use base::clock::Timestamp;
use csv::{Terminator, Writer, WriterBuilder};
use serde::Serialize;
use serde_json::Value;

/// Rows buffered for the next part.
pub(crate) struct Sheet {
    writer: Writer<Vec<u8>>,
}

impl Sheet {
    /// An empty sheet.
    pub(crate) fn new() -> Self {
        Self::behind(Vec::new())
    }

    /// A sheet that continues after rows written earlier.
    pub(crate) fn behind(rows: Vec<u8>) -> Self {
        Self { writer: WriterBuilder::new().terminator(Terminator::CRLF).from_writer(rows) }
    }

    /// Writes the header row.
    pub(crate) fn head(&mut self, columns: &[&str]) -> Result<(), csv::Error> {
        self.writer.write_record(columns)
    }

    /// Adds a text cell. If a spreadsheet would read the text as a formula, it gets a leading apostrophe.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), csv::Error> {
        self.writer.write_field(inert(text).as_bytes())
    }

    /// Adds a value by its `Display` text.
    pub(crate) fn show(&mut self, value: impl Display) -> Result<(), csv::Error> {
        self.text(&value.to_string())
    }

    /// Adds an optional value; an empty cell if it is `None`.
    pub(crate) fn maybe(&mut self, value: Option<impl Display>) -> Result<(), csv::Error> {
        match value {
            Some(value) => self.show(value),
            None => self.text(""),
        }
    }

    /// Adds a value that serializes to a string, spelled as in JSON.
    pub(crate) fn word(&mut self, word: impl Serialize) -> Result<(), csv::Error> {
        match serde_json::to_value(word) {
            Ok(Value::String(text)) => self.text(&text),
            _ => self.text(""),
        }
    }

    /// Adds a time: RFC 3339, UTC, milliseconds.
    pub(crate) fn time(&mut self, at: Timestamp) -> Result<(), csv::Error> {
        self.text(&in_utc(at))
    }

    /// Ends the row.
    ///
    /// # Errors
    /// [`csv::Error`] if the row has another number of cells than the one before.
    pub(crate) fn end_row(&mut self) -> Result<(), csv::Error> {
        self.writer.write_record(None::<&[u8]>)
    }

    /// Size of the finished rows in bytes.
    pub(crate) fn len(&mut self) -> Result<usize, csv::Error> {
        self.writer.flush()?;
        Ok(self.writer.get_ref().len())
    }

    /// Takes the buffered bytes and leaves the buffer empty.
    pub(crate) fn take(&mut self) -> Result<Vec<u8>, csv::Error> {
        let full = std::mem::replace(self, Self::new());
        full.writer.into_inner().map_err(|error| error.into_error().into())
    }
}

/// A time such as `2026-11-21T07:15:00.000Z`.
fn in_utc(at: Timestamp) -> String {
    let second = DateTime::from_secs(at.past_seconds()).fmt(Format::DateTime).unwrap_or_default();
    let millis = at.0.rem_euclid(1000);
    format!("{}.{millis:03}Z", second.trim_end_matches('Z'))
}

/// The characters that begin a formula, also in full-width form, which some spreadsheets read the same way.
const BEGINS_FORMULA: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// Escapes text that a spreadsheet would read as a formula (OWASP, "CSV Injection").
fn inert(text: &str) -> Cow<'_, str> {
    if text.starts_with(BEGINS_FORMULA) && !is_number(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether the text is digits with an optional sign and fraction.
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
    fn formulas_become_text_and_numbers_stay_numbers() {
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
            "\u{ff1d}1+1",
            "\u{ff0b}1+1",
            "\u{ff0d}1",
            "\u{ff20}SUM(A1)",
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
    fn a_row_has_as_many_cells_as_its_header() {
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
