use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    components(schemas(
        crate::authenticate::SignedChallenge,
        crate::authenticate::SignedMessage,
        crate::challenge::Purpose,
    )),
    paths(
        crate::authenticate::authenticate,
        crate::challenge::wallet_challenge,
        crate::refresh_token::refresh_token,
        crate::logout::logout,
        crate::sessions::list_sessions,
        crate::sessions::revoke_session,
        crate::jwks::jwks,
    )
)]
struct Document;

/// This function's part of the OpenAPI document: what is under `/auth` is under `/api/auth` too.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let aliases: Vec<_> = document
        .paths
        .paths
        .iter()
        .filter(|(path, _)| path.starts_with("/auth/"))
        .map(|(path, item)| (format!("/api{path}"), item.clone()))
        .collect();
    document.paths.paths.extend(aliases);
    document
}
