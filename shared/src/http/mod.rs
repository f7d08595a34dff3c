//! HTTP in this service: envelope, errors, extractors, lists, idempotency, routes.

pub mod context;
pub mod envelope;
pub mod error;
pub mod extract;
pub mod idempotency;
pub mod list;
pub mod query;
pub mod relations;
pub mod routes;
pub mod schema;
pub mod secret;

pub use context::RequestContext;
pub use envelope::{Created, CreatedWith, Envelope, MetaData, NoMetaData, Nothing, OkWith};
pub use error::{AreaError, Error, FieldError, Problem};
pub use extract::{
    Admin, Caller, Fields, Input, LiveCaller, MaybeCaller, Owner, RecentOwner, Segment, Valid,
};
pub use idempotency::{IdempotencyHeader, Idempotent};
pub use list::ListQuery;
pub use query::Query;
pub use routes::{Access, Routes};
pub use schema::all_of;
pub use secret::{reveal, reveal_optional};

/// The result of a handler.
pub type Result<T, E = Error> = std::result::Result<T, E>;
