//! The routes of a function, who may call them, and the layers around all of them.

use std::borrow::Cow;

use axum::{
    Router,
    extract::{DefaultBodyLimit, MatchedPath, Request, State},
    handler::Handler,
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{MethodRouter, any_service, delete, get, patch, post},
};
use base::span::Span;
use futures_util::future::{Either, Ready, ready};
use http::{HeaderValue, Method, header};
use tokio::time::Instant;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use super::{
    Error, Ingress, Problem, RequestContext,
    cors::{self, REQUEST_ID},
    dry_run, edge,
    extract::LONGEST_BODY,
    rate_limit,
    single::Condition,
};
use crate::auth::limits;

/// The methods that spans report by name (RFC 9110, section 9.3; RFC 5789).
const KNOWN_METHODS: [&str; 9] =
    ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"];

/// Who may call a route. The handler's arguments enforce it, and a test checks every route against this
/// declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone.
    Public,
    /// Callers with an access token.
    Bearer,
    /// Admins.
    Admin,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path with variable segments in braces.
    pub path: Cow<'static, str>,
    /// Who may call it.
    pub access: Access,
}

/// The routes of a function whose handlers take the state `S`; without `S`, the routes of one or more
/// functions that are ready to serve.
pub struct Routes<S = ()> {
    table: Vec<Route>,
    router: Router<S>,
}

impl<S: Clone + Send + Sync + 'static> Default for Routes<S> {
    fn default() -> Self {
        Self { table: Vec::new(), router: Router::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// No routes.
    pub fn new() -> Self {
        Self::default()
    }

    fn add(
        mut self,
        method: Method,
        access: Access,
        path: &'static str,
        handler: MethodRouter<S>,
    ) -> Self {
        self.table.push(Route { method, path: path.into(), access });
        self.router = self.router.route(path, handler);
        self
    }

    /// Adds a route for GET, which also serves HEAD.
    #[must_use]
    pub fn get<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(Method::GET, access, path, get(RecordRoute(handler)))
    }

    /// Adds a route for POST.
    #[must_use]
    pub fn post<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(Method::POST, access, path, post(RecordRoute(NotTried(handler))))
    }

    /// Adds a route for POST whose handler takes [`DryRun`](super::DryRun).
    #[must_use]
    pub fn post_or_try<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(Method::POST, access, path, post(RecordRoute(handler)))
    }

    /// Adds a route for PATCH.
    #[must_use]
    pub fn patch<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(Method::PATCH, access, path, patch(RecordRoute(NotTried(handler))))
    }

    /// Adds a route for DELETE.
    #[must_use]
    pub fn delete<T: 'static>(
        self,
        access: Access,
        path: &'static str,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(Method::DELETE, access, path, delete(RecordRoute(NotTried(handler))))
    }

    /// Adds a copy of every route below `prefix`.
    #[must_use]
    pub fn also_under(mut self, prefix: &str) -> Self {
        let below = |route: &Route| Route {
            path: format!("{prefix}{}", route.path).into(),
            ..route.clone()
        };
        let more: Vec<_> = self.table.iter().map(below).collect();
        self.table.extend(more);
        self.router = self.router.clone().nest(prefix, self.router);
        self
    }

    /// Every route, in the order they were added.
    pub fn table(&self) -> &[Route] {
        &self.table
    }

    /// The same routes with the state of their handlers.
    #[must_use]
    pub fn with(self, app: S) -> Routes {
        Routes { table: self.table, router: self.router.with_state(app) }
    }
}

impl Routes {
    /// Adds the routes of another function.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.table.extend(other.table);
        self.router = self.router.merge(other.router);
        self
    }

    /// Builds the service: these routes, surrounded by request id, log line, time budget, CORS, body limit
    /// and the error shape. Layers around it see no `MatchedPath`.
    pub fn into_service(self, gate: Ingress) -> Router {
        let cors = cors::layer(gate.cors_origins.clone());
        let cors = middleware::from_fn_with_state(cors, cors::around);
        let through_edge = middleware::from_fn_with_state(gate.edge.clone(), edge::through);
        // Outermost first.
        let around = (
            middleware::from_fn_with_state(gate, surround),
            cors,
            through_edge,
            middleware::from_fn(limit_body),
            CatchPanicLayer::custom(|panic: Box<dyn std::any::Any + Send>| {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text =
                    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
                Error::new(Problem::Internal).caused_by(text).into_response()
            }),
            DefaultBodyLimit::max(LONGEST_BODY),
        );
        let routes: Router = self
            .router
            .fallback(|| async { Error::new(Problem::NotFound) })
            .method_not_allowed_fallback(RecordRoute(|| async {
                Error::new(Problem::MethodNotAllowed)
            }))
            .with_state(());
        // Wrap all routes in one service: as layers of a router, they would be built again at every start for
        // each route and for each method that is not allowed. Unlike `fallback_service`, `any_service` drops
        // the body of a response to HEAD, including errors written by `surround`. `with_state` turns the
        // fallback into a service now and not for each request.
        let service = any_service(ServiceBuilder::new().layer(around).service(routes));
        Router::new().fallback(service).with_state(())
    }
}

/// Adds the matched route to the request's log line. axum sets it inside the router, where [`surround`] does
/// not see it.
#[derive(Clone)]
struct RecordRoute<H>(H);

impl<T, S, H: Handler<T, S>> Handler<T, S> for RecordRoute<H> {
    type Future = H::Future;

    fn call(self, request: Request, state: S) -> Self::Future {
        let extensions = request.extensions();
        if let (Some(context), Some(route)) =
            (extensions.get::<RequestContext>(), extensions.get::<MatchedPath>())
        {
            context.set_route(route.clone());
        }
        self.0.call(request, state)
    }
}

/// Refuses a request that is meant as a dry run, since the handler would do what it asks for.
#[derive(Clone)]
struct NotTried<H>(H);

impl<T, S, H: Handler<T, S>> Handler<T, S> for NotTried<H> {
    type Future = Either<Ready<Response>, H::Future>;

    fn call(self, request: Request, state: S) -> Self::Future {
        match dry_run::refusal(&request) {
            Some(refusal) => Either::Left(ready(refusal)),
            None => Either::Right(self.0.call(request, state)),
        }
    }
}

/// Refuses a request whose declared body length is over the limit, even if no handler would read the body.
async fn limit_body(request: Request, next: Next) -> Response {
    if axum::body::HttpBody::size_hint(request.body()).lower() > LONGEST_BODY as u64 {
        Error::new(Problem::PayloadTooLarge).into_response()
    } else {
        next.run(request).await
    }
}

/// Wraps every request: context, log line, time budget and error shape.
async fn surround(State(gate): State<Ingress>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let context = RequestContext::from_gateway(request.extensions(), request.headers(), || {
        gate.random.id(gate.clock.now()).to_string()
    });
    request.extensions_mut().insert(context.clone());
    let recording = gate.tracer.as_ref().and_then(|tracer| tracer.request(request.headers()));
    let method = request.method().clone();
    let condition = Condition::of(&method, request.headers());
    let work = limits::told(gate.outbound.within_budget(next.run(request)));
    let (answer, left) = match &recording {
        None => work.await,
        Some(recording) => Box::pin(recording.within(work)).await,
    };
    let mut response = condition.answer(answer);
    let error = response.extensions_mut().remove::<Error>();
    if let Some(error) = &error {
        // Keep the response's headers: errors need the CORS headers too.
        let mut headers = std::mem::take(response.headers_mut());
        response = error.answer(&context.request_id);
        headers.extend(std::mem::take(response.headers_mut()));
        headers.remove(header::CONTENT_LENGTH);
        *response.headers_mut() = headers;
    }
    rate_limit::tell(&left, response.headers_mut());
    if let Ok(id) = HeaderValue::from_str(&context.request_id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    let status = response.status().as_u16();
    let cause = error.as_ref().and_then(Error::internal).unwrap_or_default();
    let code = error.as_ref().map_or("", |error| error.problem().code());
    let (request_id, route, account) = (&*context.request_id, context.route(), context.account());
    let duration_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    if status >= 500 {
        tracing::error!(request_id, %method, route, status, code, duration_us, %account, cause, "request");
    } else {
        tracing::info!(request_id, %method, route, status, code, duration_us, %account, cause, "request");
    }
    if let (Some(tracer), Some(mut recording)) = (&gate.tracer, recording) {
        describe(recording.span(), &context, &method, (status, code));
        tracer.end(recording).await;
    }
    response
}

/// Records in a request's span what its log line contains, except the account and the cause.
fn describe(
    span: &mut Span,
    context: &RequestContext,
    method: &Method,
    (status, code): (u16, &'static str),
) {
    let (method, route) = (method.as_str(), context.route());
    // A client can send any word as the method.
    let method = if KNOWN_METHODS.contains(&method) { method } else { "_OTHER" };
    span.rename(format!("{method} {route}").trim_end().to_owned());
    span.set("http.request.method", method.to_owned());
    if !route.is_empty() {
        span.set("http.route", route.to_owned());
    }
    span.set("http.response.status_code", status);
    if !code.is_empty() {
        span.set("error.type", code);
    }
    span.set("runeport.request_id", context.request_id.to_string());
    if status >= 500 {
        span.fail();
    }
}
