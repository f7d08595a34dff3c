//! Start of a function on Lambda.

use crate::{app::App, config::Config, http::Routes};

/// Serves `routes` on Lambda's runtime, with settings from the environment.
///
/// # Errors
/// Settings that are missing or wrong; failures of the runtime.
pub async fn serve(routes: Routes) -> Result<(), lambda_http::Error> {
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    let app = App::new(Config::from_env()?);
    lambda_http::run(routes.into_service(app)).await
}
