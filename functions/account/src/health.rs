//! `GET /api/health`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Serialize;
use shared::{
    app::App,
    http::{Envelope, Error, Fields, Input, Problem, Query, Result},
    store::Table,
};
use utoipa::{IntoParams, ToSchema};

/// What a health check shall ask.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HealthQuery {
    /// `1`: also ask what the service depends on.
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

/// How the service is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Always `ok`: whoever cannot answer says nothing.
    #[schema(value_type = String, example = "ok")]
    status: &'static str,
    /// What was asked, where `deep` was.
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<Dependencies>,
}

/// Whether each thing that the service depends on answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Dependencies {
    accounts_table: bool,
    activity_table: bool,
    ephemeral_table: bool,
    token_keys: bool,
}

/// Whether the service is up; with `deep=1`, whether what it depends on is too.
#[utoipa::path(
    get,
    path = "/api/health",
    tag = "health",
    params(HealthQuery),
    responses(
        (status = 200, description = "Up", body = Envelope<Health>),
        (status = 503, description = "A dependency does not answer"),
    )
)]
pub async fn health(State(app): State<App>, Query(query): Query<HealthQuery>) -> Result<Response> {
    if !query.deep {
        return Ok(Envelope::ok(Health {
            status: "ok",
            dependencies: None,
        })
        .into_response());
    }
    let (accounts, activity, ephemeral, keys) = tokio::join!(
        app.store.ping(Table::Accounts),
        app.store.ping(Table::Activity),
        app.store.ping(Table::Ephemeral),
        app.tokens.jwks(),
    );
    let token_keys = keys.as_ref().is_ok_and(|jwks| !jwks.keys.is_empty());
    let failed: Vec<_> = [
        (
            "accounts table",
            accounts.err().map(|error| error.to_string()),
        ),
        (
            "activity table",
            activity.err().map(|error| error.to_string()),
        ),
        (
            "ephemeral table",
            ephemeral.err().map(|error| error.to_string()),
        ),
        (
            "token keys",
            keys.err()
                .map(|error| error.to_string())
                .or((!token_keys).then(|| "there are none".to_owned())),
        ),
    ]
    .into_iter()
    .filter_map(|(name, error)| Some((name, error?)))
    .collect();
    if failed.is_empty() {
        let dependencies = Dependencies {
            accounts_table: true,
            activity_table: true,
            ephemeral_table: true,
            token_keys,
        };
        return Ok((
            StatusCode::OK,
            Envelope::ok(Health {
                status: "ok",
                dependencies: Some(dependencies),
            }),
        )
            .into_response());
    }
    let names: Vec<_> = failed.iter().map(|(name, _)| *name).collect();
    Err(Error::with_details(
        Problem::Unavailable,
        format!("No answer from: {}.", names.join(", ")),
    )
    .caused_by(format!("{failed:?}")))
}
