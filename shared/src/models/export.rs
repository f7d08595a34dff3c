//! Exports of histories.

super::id!(
    /// The id of an export.
    ExportId,
    "must be an export's id, a UUID",
    "0197d3f0-0000-7000-8000-000000000000"
);
