//! HTTP in this service: envelope, errors, extractors, lists, idempotency, routes.

pub mod cors;
pub mod dry_run;
pub mod edge;
pub mod envelope;
pub mod extract;
pub mod idempotency;
pub mod ingress;
pub mod list;
pub mod query;
pub mod rate_limit;
pub mod relations;
pub mod routes;
pub mod schema;
pub mod single;

pub use crate::{
    auth::{Caller, LiveCaller, NotLive, RequestContext},
    input::{Fields, Input},
    problem::{AsProblem, Error, FieldError, Params, Problem},
};
pub use dry_run::DryRun;
pub use envelope::{Created, CreatedWith, Envelope, MetaData, NoMetaData, Nothing, OkWith};
pub use extract::{
    Admin, FreshCaller, MaybeCaller, ReauthConfig, ReauthenticatedCaller, Segment, Segments, Valid,
};
pub use idempotency::{IdempotencyHeader, Idempotent};
pub use ingress::Ingress;
pub use list::ListQuery;
pub use query::Query;
pub use routes::{Access, Routes};
pub use schema::all_of;
pub use single::{Single, Tagged, WaitsFor};

/// The result of a handler.
pub type Result<T, E = Error> = std::result::Result<T, E>;
