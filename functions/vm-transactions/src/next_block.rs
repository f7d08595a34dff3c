//! `GET /api/vm-transactions/mints/{id}/next-block`.

use axum::extract::State;
use bitcoin::BlockHash;
use chain::{
    blocks::{self, Tip},
    mints::{self, Mint, MintOutlook},
    models::mint::MintId,
};
use http::HeaderValue;
use serde::Serialize;
use shared::http::{Fields, Input, Query, Result, Segment, Single, Tagged, WaitsFor};
use utoipa::{IntoParams, ToSchema};

use crate::{app::App, error::VmError, place};

/// How long caches may keep the answer.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=5");
/// Prices of an answer.
const MOST_PRICES: usize = 200;
/// The most requests that a mint has.
const MOST_REQUESTS: u64 = 1_000_000;

/// Query of the next virtual block.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct NextBlockQuery {
    /// The number of requests that `priceToEnter` applies to; 1 by default.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 1_000_000)]
    request_count: u64,
}

impl Input for NextBlockQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let count = fields.optional_parsed("requestCount", 7);
        let count = fields.in_range("requestCount", count, 1..=MOST_REQUESTS)?;
        Some(Self { request_count: count.unwrap_or(1) })
    }
}

/// The next virtual block of a mint, if everything in the mempool confirms in its Bitcoin block.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NextVirtualBlock {
    /// The height of its Bitcoin block; null if the mint has no further block, or if the worker has not
    /// processed the mint yet.
    #[schema(required = true)]
    height: Option<u32>,
    /// The maximum number of requests that it can take.
    room: u64,
    /// Number of requests that it takes.
    requests: u64,
    /// Their lowest price, in sats; null if there are none.
    #[schema(required = true)]
    lowest_price: Option<u64>,
    /// Their average price, in sats, rounded down; null if there are none.
    #[schema(required = true)]
    average_price: Option<u64>,
    /// Their highest price, in sats; null if there are none.
    #[schema(required = true)]
    highest_price: Option<u64>,
    /// The lowest price at which it also takes `requestCount` further requests, in sats each; null if it has no
    /// room for them. If the mint has more than half of the bids that it can have, at least the price that a further
    /// bid must offer.
    #[schema(required = true)]
    price_to_enter: Option<u64>,
    /// All waiting requests.
    waiting: WaitingRequests,
    /// The waiting requests of the 200 highest prices, highest first.
    by_price: Vec<RequestsAtPrice>,
    /// The newest block that was applied; null if the worker has not processed the mint yet. For a second or
    /// two after a block, the waiting requests are still those of the previous block. Virtual blocks are a
    /// function of the chain, so anyone can recompute them.
    #[schema(required = true)]
    revision: Option<OutlookRevision>,
}

/// Requests that wait for a virtual block.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct WaitingRequests {
    /// Number of requests.
    requests: u64,
    /// Their total price, in sats.
    sats: u64,
}

/// Requests that wait at one price.
#[derive(Debug, Serialize, ToSchema)]
pub struct RequestsAtPrice {
    /// The price of each request, in sats.
    price: u64,
    /// Number of requests.
    requests: u64,
    /// Number of these requests whose commitment is in a Bitcoin block.
    confirmed: u64,
}

/// The newest Bitcoin block that was applied.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutlookRevision {
    /// Its height.
    height: u32,
    /// Its hash.
    #[schema(value_type = String)]
    hash: BlockHash,
}

/// Returns the next virtual block of a mint: the requests that it would take now, and the price to enter it.
/// The worker computes it every minute and after each block, with the 1,000 batches in the mempool whose new
/// requests have the highest prices.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/mints/{id}/next-block",
    tag = "vm-transactions",
    params(("id" = MintId, Path, description = "The mint"), NextBlockQuery),
    responses((
        status = 200,
        description = "The next virtual block",
        body = Single<NextVirtualBlock>
    ))
)]
pub async fn get_next_virtual_block(
    State(app): State<App>,
    Segment(id): Segment<MintId>,
    Query(query): Query<NextBlockQuery>,
) -> Result<Tagged<Single<NextVirtualBlock>>> {
    let store = &app.store;
    let (mint, outlook, tip) =
        tokio::try_join!(mints::mint(store, id), mints::outlook(store, id), blocks::tip(store))?;
    let mint = mint.ok_or(VmError::MintNotFound)?;
    let place = place::price(&app, &mint, outlook.as_ref()).await?;
    let mut answer = match outlook.zip(tip) {
        Some((outlook, tip)) => NextVirtualBlock::of(outlook, &tip, (&mint, query.request_count)),
        None => NextVirtualBlock {
            height: None,
            room: mint.requests_per_block.min(mint.total_requests),
            requests: 0,
            lowest_price: None,
            average_price: None,
            highest_price: None,
            price_to_enter: (query.request_count <= mint.requests_per_block)
                .then_some(mint.min_sats_per_request),
            waiting: WaitingRequests::default(),
            by_price: Vec::new(),
            revision: None,
        },
    };
    answer.price_to_enter = answer.price_to_enter.zip(place).map(|(price, place)| price.max(place));
    // A mint without a further block that has been looked at stays as it is.
    let may_change = answer.height.is_some() || answer.revision.is_none();
    Ok(Single::waiting(answer, may_change.then_some(WaitsFor::Block)).kept(KEPT))
}

impl NextVirtualBlock {
    fn of(mut outlook: MintOutlook, tip: &Tip, (mint, count): (&Mint, u64)) -> Self {
        let height = tip.next_for(mint).filter(|_| outlook.room > 0);
        if height.is_none() {
            outlook.room = 0;
        }
        let next = outlook.next_block();
        let by_price = outlook.by_price.iter().take(MOST_PRICES).map(|level| RequestsAtPrice {
            price: level.sats_per_request,
            requests: level.requests,
            confirmed: level.confirmed,
        });
        Self {
            height,
            room: outlook.room,
            requests: next.requests,
            lowest_price: next.lowest,
            average_price: next.sats.checked_div(next.requests),
            highest_price: next.highest,
            price_to_enter: outlook.price_to_enter(count, mint.min_sats_per_request),
            waiting: WaitingRequests { requests: outlook.requests, sats: outlook.sats },
            by_price: by_price.collect(),
            revision: Some(OutlookRevision { height: tip.height, hash: tip.hash }),
        }
    }
}
