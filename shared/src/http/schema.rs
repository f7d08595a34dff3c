//! Schemas of bodies that combine others.

use utoipa::openapi::{AllOfBuilder, Ref, RefOr, Schema};

/// The schema of a body that has the fields of all these schemas, given by name.
pub fn all_of(names: &[&str]) -> RefOr<Schema> {
    let add = |all: AllOfBuilder, name: &&str| all.item(Ref::from_schema_name(*name));
    names.iter().fold(AllOfBuilder::new(), add).into()
}
