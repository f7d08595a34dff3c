//! `dryRun`: a request that only shows what it would do.

use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use http::Method;
use utoipa::IntoParams;

use super::{Error, Fields, Input, query::pairs};
use crate::input::{DRY_RUN as NAME, is_spelling_of};

/// Whether a request only shows what it would do. A route whose handler takes it is added with
/// [`Routes::post_or_try`](super::Routes::post_or_try): all others refuse the parameter.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct DryRun {
    /// With `true`, the request is checked and planned as usual, and the response with status 200 shows the
    /// transaction that it would create. Nothing is created, no coin is reserved, no draft ends, and
    /// `Idempotency-Key` is ignored. It counts against the limit of wallet reads, not against that of
    /// transactions.
    #[param(value_type = bool, required = false, default = false)]
    dry_run: bool,
}

impl DryRun {
    /// Whether nothing may be written.
    pub fn is_wanted(self) -> bool {
        self.dry_run
    }
}

impl Input for DryRun {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        // An empty value is refused: it could mean either.
        let dry_run = match fields.optional_any(NAME, 5)?.as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return fields.wrong(NAME, "must be true or false"),
        };
        Some(Self { dry_run })
    }
}

/// The refusal of a request with `dryRun`, spelled in any way, to a route that does not have it: the request
/// would do what its sender only wants to try. Reads may ignore it.
pub(super) fn refusal(request: &Request) -> Option<Response> {
    if [Method::GET, Method::HEAD].contains(request.method()) {
        return None;
    }
    let mut names = pairs(request.uri().query().unwrap_or_default()).filter_map(|(name, _)| name);
    let is_there = names.any(|name| is_spelling_of(&name, NAME));
    is_there.then(|| Error::field(NAME, "is not a parameter of this endpoint").into_response())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn other_spellings_are_meant_too() {
        let refused = |method: Method, query: &str| {
            let request = Request::builder().method(method).uri(format!("/a?{query}"));
            refusal(&request.body(Body::empty()).unwrap()).is_some()
        };
        for query in [
            "dryRun=true",
            "dryrun",
            "a=1&dry_run=1",
            "DRY-RUN=false",
            "dry%52un=true",
            "_dryRun=true",
            "dryRun[]=true",
            "dry.run=true",
            "dry+run=true",
        ] {
            assert!(refused(Method::POST, query), "{query}");
            assert!(refused(Method::DELETE, query), "{query}");
            assert!(!refused(Method::GET, query), "{query}");
        }
        for query in ["", "dry=true", "run=true", "a=dryRun", "dryRuns=true"] {
            assert!(!refused(Method::POST, query), "{query}");
        }
    }
}
