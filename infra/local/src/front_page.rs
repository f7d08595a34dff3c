//! The front page of the local world, and the pages to which the links in mails lead; in a deployment, the
//! frontend has those.

use std::sync::Arc;

use askama::Template;
use axum::{
    Router,
    extract::{Query, State},
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use crate::{playground, stack::LocalStack};

/// A page of the local world.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name in the announcement and on the front page.
    pub name: &'static str,
    /// Where it is.
    pub url: String,
    /// What it shows, in a few words.
    pub shows: &'static str,
}

/// The pages of a world that is served at `url`.
pub fn places(url: &str) -> Vec<Place> {
    let place = |name, path: &str, shows| Place { name, url: format!("{url}{path}"), shows };
    vec![
        Place {
            name: "playground",
            url: playground::url(url),
            shows: "every endpoint, tried out with wallets",
        },
        place("reference", "/api/docs", "every endpoint, described"),
        place("OpenAPI 3.1", "/api/openapi.json", "the document of the reference"),
        place("OpenAPI 3.0", "/api/openapi-3.0.json", "the same for older tools"),
        place("mailbox", "/_local/mail", "the mails that were sent"),
        place("webhooks", "/_local/hooks", "the webhooks that were received"),
        place("levers", "/_local", "what moves the clock, pays coins and breaks partners"),
    ]
}

#[derive(Template)]
#[template(path = "front_page.html")]
struct Page<'a> {
    places: &'a [Place],
    addresses: &'a [(&'static str, &'a str)],
}

/// What the page shows.
#[derive(Clone)]
struct Shown {
    world: Arc<LocalStack>,
    places: Arc<[Place]>,
}

/// The front page of a world that is served at `url`, and the pages of its mails.
pub fn router(world: Arc<LocalStack>, url: &str) -> Router {
    let places = places(url).into();
    Router::new()
        .route("/", get(front))
        .route("/verify-email", get(verify_email))
        .route("/change-email", get(change_email))
        .with_state(Shown { world, places })
}

/// The parameters of the link in a mail.
#[derive(Deserialize)]
struct Mailed {
    token: String,
    email: Option<String>,
}

async fn verify_email(Query(Mailed { token, .. }): Query<Mailed>) -> Redirect {
    in_playground(&[("verify", &token)])
}

async fn change_email(Query(Mailed { token, email }): Query<Mailed>) -> Redirect {
    in_playground(&[("token", &token), ("email", email.as_deref().unwrap_or_default())])
}

/// Redirects to the section of the playground that uses the parameters of a link.
fn in_playground(values: &[(&str, &str)]) -> Redirect {
    let values = values.iter().map(|(name, value)| {
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
        format!("{name}={value}")
    });
    let values: Vec<_> = values.collect();
    Redirect::to(&format!("/playground/#/security/e-mail?{}", values.join("&")))
}

async fn front(State(Shown { world, places }): State<Shown>) -> Response {
    match (Page { places: &places, addresses: &world.addresses() }).render() {
        Ok(page) => Html(page).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
