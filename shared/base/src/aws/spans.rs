//! Spans of calls of the AWS SDKs. They are part of a client only where traces are on.

use std::{
    fmt,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::{
        interceptors::{
            Intercept, SharedInterceptor,
            context::{
                BeforeSerializationInterceptorContextMut, BeforeSerializationInterceptorContextRef,
                BeforeTransmitInterceptorContextRef, FinalizerInterceptorContextRef, Input, Output,
            },
        },
        orchestrator::{HttpResponse, Metadata},
        runtime_components::RuntimeComponents,
    },
};
use aws_smithy_types::config_bag::{ConfigBag, Storable, StoreReplace};
use serde::Deserialize;

use crate::{
    outbound::Outbound,
    span::{Kind, Span},
};

/// The longest name of an error, in characters.
const LONGEST_NAME: usize = 64;

/// What the spans of one service say beyond its name and the operation's.
pub trait Details: fmt::Debug + Send + Sync + 'static {
    /// Asks the service for what the span is to say.
    fn ask(&self, _input: &mut Input) {}

    /// Reads what is asked for.
    fn read_input(&self, _input: &Input, _span: &mut Span) {}

    /// Reads the answer.
    fn read_output(&self, _output: &Output, _span: &mut Span) {}
}

/// No more than the names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names;

impl Details for Names {}

/// What a client needs so that its calls have spans: nothing where traces are off.
pub fn interceptors(outbound: &Outbound) -> Option<SharedInterceptor> {
    interceptors_with(outbound, || Names)
}

/// The same, with more about each call.
pub fn interceptors_with<D: Details>(
    outbound: &Outbound,
    details: impl FnOnce() -> D,
) -> Option<SharedInterceptor> {
    outbound.is_traced().then(|| SharedInterceptor::new(Spans(details())))
}

#[derive(Debug)]
struct Spans<D>(D);

/// The span of a call that is under way.
#[derive(Debug)]
struct Open {
    span: Mutex<Option<Span>>,
    attempts: AtomicU32,
}

impl Open {
    fn span(&self) -> MutexGuard<'_, Option<Span>> {
        self.span.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storable for Open {
    type Storer = StoreReplace<Self>;
}

impl<D: Details> Intercept for Spans<D> {
    fn name(&self) -> &'static str {
        "spans"
    }

    fn read_before_execution(
        &self,
        context: &BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let Some(mut span) = Span::start("AWS", Kind::Client) else { return Ok(()) };
        self.0.read_input(context.input(), &mut span);
        let open = Open { span: Mutex::new(Some(span)), attempts: AtomicU32::new(0) };
        config.interceptor_state().store_put(open);
        Ok(())
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let Some(open) = config.load::<Open>() else { return Ok(()) };
        self.0.ask(context.input_mut());
        // What is called is not known before.
        if let (Some(called), Some(span)) = (config.load::<Metadata>(), &mut *open.span()) {
            span.rename(format!("{} {}", called.service(), called.name()));
            span.set("peer.service", called.service().to_owned());
        }
        Ok(())
    }

    fn read_before_attempt(
        &self,
        _context: &BeforeTransmitInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(open) = config.load::<Open>() {
            open.attempts.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn read_after_execution(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let Some(open) = config.load::<Open>() else { return Ok(()) };
        let span = open.span().take();
        let Some(mut span) = span else { return Ok(()) };
        let repetitions = open.attempts.load(Ordering::Relaxed).saturating_sub(1);
        if repetitions > 0 {
            span.set("http.request.resend_count", repetitions);
        }
        let status = context.response().map(|response| response.status().as_u16());
        if let Some(status) = status {
            span.set("http.response.status_code", status);
        }
        match context.output_or_error() {
            Some(Ok(output)) => self.0.read_output(output, &mut span),
            Some(Err(error)) if error.is_timeout_error() => span.set("error.type", "timeout"),
            _ => match context.response().and_then(error_name) {
                Some(name) => span.set("error.type", name),
                None => span.set("error.type", "no answer"),
            },
        }
        if status.is_none_or(|status| status >= 500) {
            span.fail();
        }
        Ok(())
    }
}

/// The name of the error that a service answers with; not its text, which may quote the request.
fn error_name(response: &HttpResponse) -> Option<String> {
    #[derive(Deserialize)]
    struct Refusal {
        #[serde(rename = "__type")]
        name: String,
    }
    let name = match response.headers().get("x-amzn-errortype") {
        Some(name) => name.to_owned(),
        None => serde_json::from_slice::<Refusal>(response.body().bytes()?).ok()?.name,
    };
    // `com.amazonaws.dynamodb.v20120810#ThrottlingException`, or `ThrottlingException:http://...`.
    let name = name.rsplit('#').next()?.split(':').next()?;
    let is_name =
        name.len() <= LONGEST_NAME && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use aws_smithy_types::body::SdkBody;

    use super::*;

    #[test]
    fn an_error_is_named_and_not_quoted() {
        for (header, body, expected) in [
            (
                None,
                r#"{"__type":"a.b#ThrottlingException","message":"x"}"#,
                Some("ThrottlingException"),
            ),
            (None, r#"{"__type":"ThrottlingException"}"#, Some("ThrottlingException")),
            (Some("NotFoundException:http://aws/"), "{}", Some("NotFoundException")),
            (None, r#"{"__type":"no name at all"}"#, None),
            (None, "<html>", None),
        ] {
            let mut response = HttpResponse::new(400.try_into().unwrap(), SdkBody::from(body));
            if let Some(header) = header {
                response.headers_mut().insert("x-amzn-errortype", header);
            }
            assert_eq!(error_name(&response).as_deref(), expected, "{body}");
        }
    }
}
