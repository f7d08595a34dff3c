//! The front page of the local world.

use std::sync::Arc;

use askama::Template;
use axum::{
    Router,
    extract::State,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use http::StatusCode;

use crate::{playground, stack::LocalStack};

/// A page of the local world.
#[derive(Clone, Debug)]
pub struct Place {
    /// What the announcement and the front page call it.
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

/// The front page of a world that is served at `url`.
pub fn router(world: Arc<LocalStack>, url: &str) -> Router {
    let places = places(url).into();
    Router::new().route("/", get(front)).with_state(Shown { world, places })
}

async fn front(State(Shown { world, places }): State<Shown>) -> Response {
    match (Page { places: &places, addresses: &world.addresses() }).render() {
        Ok(page) => Html(page).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
