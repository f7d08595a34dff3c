//! A JSON array read element by element, in bounded memory.

use super::error::OutboundError;

/// Where the reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Before,
    Within,
    After,
}

/// Cuts the bytes of a JSON array into its elements. Whether an element is valid JSON is for its
/// reader to say.
#[derive(Debug)]
pub(super) struct Elements {
    longest: usize,
    place: Place,
    depth: usize,
    in_string: bool,
    escaped: bool,
    element: Vec<u8>,
    is_too_long: bool,
    is_after_comma: bool,
}

impl Elements {
    /// A reader that keeps elements of up to `longest` bytes.
    pub(super) fn new(longest: usize) -> Self {
        Self {
            longest,
            place: Place::Before,
            depth: 0,
            in_string: false,
            escaped: false,
            element: Vec::new(),
            is_too_long: false,
            is_after_comma: false,
        }
    }

    /// Reads more bytes. `take` receives each element as it is complete; `None` for one that is too
    /// long.
    ///
    /// # Errors
    /// [`OutboundError::Malformed`] if the bytes are not an array; the error of `take`.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        take: &mut impl FnMut(Option<&[u8]>) -> Result<(), OutboundError>,
    ) -> Result<(), OutboundError> {
        for &byte in bytes {
            match self.place {
                _ if self.depth == 0 && !self.in_string && byte.is_ascii_whitespace() => {}
                Place::Before if byte == b'[' => self.place = Place::Within,
                Place::Before | Place::After => return Err(not_an_array()),
                Place::Within => self.step(byte, take)?,
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        byte: u8,
        take: &mut impl FnMut(Option<&[u8]>) -> Result<(), OutboundError>,
    ) -> Result<(), OutboundError> {
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
        } else {
            match byte {
                b',' | b']' if self.depth == 0 => {
                    if byte == b']' {
                        self.place = Place::After;
                    }
                    return self.hand_over(byte == b']', take);
                }
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                b'}' | b']' => {
                    self.depth = self.depth.checked_sub(1).ok_or_else(not_an_array)?;
                }
                _ => {}
            }
        }
        if self.element.len() < self.longest {
            self.element.push(byte);
        } else {
            self.is_too_long = true;
        }
        Ok(())
    }

    fn hand_over(
        &mut self,
        is_last: bool,
        take: &mut impl FnMut(Option<&[u8]>) -> Result<(), OutboundError>,
    ) -> Result<(), OutboundError> {
        let taken = match (self.is_too_long, self.element.is_empty()) {
            (true, _) => take(None),
            // Only an empty array ends without an element.
            (false, true) if is_last && !self.is_after_comma => Ok(()),
            (false, _) => take(Some(&self.element)),
        };
        self.element.clear();
        self.is_too_long = false;
        self.is_after_comma = !is_last;
        taken
    }

    /// Checks that the array has ended.
    ///
    /// # Errors
    /// [`OutboundError::Malformed`] if the body ended inside the array.
    pub(super) fn finish(&self) -> Result<(), OutboundError> {
        if self.place == Place::After { Ok(()) } else { Err(not_an_array()) }
    }
}

fn not_an_array() -> OutboundError {
    OutboundError::Malformed("not a JSON array".to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// The elements of a text that arrives in pieces of this many bytes.
    fn read(text: &str, piece: usize, longest: usize) -> Option<Vec<Option<Value>>> {
        let mut elements = Elements::new(longest);
        let mut found = Vec::new();
        let mut take = |element: Option<&[u8]>| {
            found.push(match element {
                Some(bytes) => Some(
                    serde_json::from_slice(bytes)
                        .map_err(|error| OutboundError::Malformed(error.to_string()))?,
                ),
                None => None,
            });
            Ok(())
        };
        for bytes in text.as_bytes().chunks(piece) {
            elements.feed(bytes, &mut take).ok()?;
        }
        elements.finish().ok()?;
        Some(found)
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
            r#"["\\\[\]{},]{0,9}"#.prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,6}", inner, 0..4).prop_map(|fields| json!(fields)),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_array_is_cut_into_its_elements(
            array in prop::collection::vec(any_json(), 0..6),
            piece in 1usize..40,
            pretty in any::<bool>(),
        ) {
            let json = json!(array);
            let text = if pretty { format!("{json:#}") } else { json.to_string() };
            let whole: Vec<_> = array.into_iter().map(Some).collect();
            prop_assert_eq!(read(&text, piece, usize::MAX), Some(whole));
        }
    }

    #[test]
    fn an_element_that_is_too_long_is_skipped_alone() {
        let text = json!([1, "x".repeat(50), 2]).to_string();
        assert_eq!(read(&text, 7, 10), Some(vec![Some(json!(1)), None, Some(json!(2))]));
    }

    #[test]
    fn what_is_no_array_is_malformed() {
        for text in ["", "[", "[1", "{}", "[1]]", "[1}", "[1,]", "[,1]", "1", "[1] 2", "<html>"] {
            assert_eq!(read(text, 3, 100), None, "{text}");
        }
    }
}
