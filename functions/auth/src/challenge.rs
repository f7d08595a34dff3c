//! `GET /auth/wallet/challenge`: issues a text for a wallet to sign.

use axum::{Extension, extract::State};
use http::{HeaderMap, header};
use identity::challenge::{self, ChallengePurpose, IssuedChallenge};
use shared::{
    accounts,
    auth::limits::{self, CHALLENGE_BY_ACCOUNT, CHALLENGE_BY_SOURCE},
    http::{Envelope, Error, Fields, Input, MaybeCaller, Problem, Query, RequestContext, Result},
    models::wallet::{Chain, WalletAddress},
};
use utoipa::IntoParams;

use crate::app::App;

/// The wallet that will sign, and the purpose.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ChallengeQuery {
    /// The wallet's address.
    address: String,
    /// The chain of the address. Required only if the address is ambiguous.
    chain: Option<Chain>,
    /// The use of the signature. By default, it serves both `signIn` and `rotate`; with a token, it serves
    /// `signIn` if the address belongs to the account, and otherwise `rotate`.
    purpose: Option<ChallengePurpose>,
}

impl Input for ChallengeQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let address = fields.text("address", 128);
        let (chain, purpose) = (fields.optional("chain"), fields.optional("purpose"));
        Some(Self { address: address?, chain: chain?, purpose: purpose? })
    }
}

/// Issues a challenge bound to this service, the address and a purpose. The challenge can be used once, within
/// 5 minutes. With a token, the text also names the account; `link` requires a token.
#[utoipa::path(
    get,
    path = "/auth/wallet/challenge",
    tag = "auth",
    security((), ("bearer" = [])),
    params(ChallengeQuery),
    responses((status = 200, description = "The challenge", body = Envelope<IssuedChallenge>))
)]
pub async fn get_wallet_challenge(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    caller: MaybeCaller,
    headers: HeaderMap,
    Query(query): Query<ChallengeQuery>,
) -> Result<Envelope<IssuedChallenge>> {
    let address = match query.chain {
        Some(chain) => WalletAddress::parse(chain, &query.address, app.network),
        None => WalletAddress::infer(&query.address, app.network),
    }
    .map_err(|error| Error::field("address", error))?;
    let account = caller.if_any().map(|caller| caller.account);
    let purpose = match (query.purpose, account) {
        (None, Some(account)) => {
            let owner = accounts::owner(&app.store, &address).await?;
            let own = owner.is_some_and(|owner| owner.account_id == account);
            Some(if own { ChallengePurpose::SignIn } else { ChallengePurpose::Rotate })
        }
        (purpose, _) => purpose,
    };
    if purpose.is_some_and(ChallengePurpose::needs_account) && caller.or_refused()?.is_none() {
        return Err(Error::new(Problem::NoAuthorization));
    }
    limits::hit_source(&app, CHALLENGE_BY_SOURCE, context.source_ip).await?;
    if let Some(account) = account {
        limits::hit(&app, CHALLENGE_BY_ACCOUNT, &account.to_string()).await?;
    }
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    Ok(Envelope::ok(challenge::issue(&app, &address, purpose, account, origin).await?))
}
