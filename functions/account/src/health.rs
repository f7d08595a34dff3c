//! `GET /api/health`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    http::{Envelope, Error, Fields, Input, Problem, Query, Result},
    tables,
};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;

/// What to check.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HealthQuery {
    /// `1`: also check the dependencies of the service.
    #[param(value_type = Option<String>, example = "1")]
    deep: bool,
}

impl Input for HealthQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        match fields.optional::<String>("deep")?.as_deref() {
            Some("1" | "true" | "") => Some(Self { deep: true }),
            None | Some("0" | "false") => Some(Self { deep: false }),
            Some(_) => fields.wrong("deep", "must be 1 or 0"),
        }
    }
}

/// The state of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`; a failed check is an error instead.
    #[schema(value_type = String, example = "ok")]
    status: &'static str,
    /// The dependencies that were checked.
    #[schema(value_type = Vec<String>, example = json!(["database", "token keys"]), max_items = 2)]
    asked: Vec<&'static str>,
}

/// Reports whether the service is up and, with `deep=1`, whether its dependencies are too.
#[utoipa::path(
    get,
    path = "/api/health",
    tag = "service",
    params(HealthQuery),
    responses((status = 200, description = "The service is up", body = Envelope<Health>))
)]
pub async fn get_health(
    State(app): State<App>,
    Query(query): Query<HealthQuery>,
) -> Result<Envelope<Health>> {
    let mut asked = Vec::new();
    if query.deep {
        let (database, keys) = tokio::join!(database(&app), token_keys(&app));
        for (name, answer) in [("database", database), ("token keys", keys)] {
            answer.map_err(|reason| {
                let details = format!("No proper answer from: {name}.");
                Error::with_details(Problem::Unavailable, details).caused_by(reason)
            })?;
            asked.push(name);
        }
    }
    Ok(Envelope::ok(Health { status: "ok", asked }))
}

async fn database(app: &App) -> Result<(), String> {
    let ping = async |table| {
        let answer = app.store.ping(table).await;
        answer.map_err(|error| format!("{table:?}: {error}"))
    };
    tokio::try_join!(ping(tables::ACCOUNTS), ping(tables::ACTIVITY), ping(tables::EPHEMERAL))?;
    Ok(())
}

async fn token_keys(app: &App) -> Result<(), String> {
    match app.gate.tokens.jwks().await {
        Ok(jwks) if jwks.keys.is_empty() => Err("there are no keys yet".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
