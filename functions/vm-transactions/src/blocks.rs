//! `GET /api/vm-transactions/mints/{id}/blocks`.

use axum::extract::State;
use chain::{
    blocks,
    mints::{self, VirtualBlock},
    models::{mint::MintId, transaction::FINAL},
};
use http::HeaderValue;
use serde::Serialize;
use serde_json::Value;
use shared::http::{
    Envelope, ListQuery, Result, Segment, Tagged,
    list::{Field, ListPage, ListParameters, MOST_SORTED, Resource},
};
use store::lists::Order;
use utoipa::ToSchema;

use crate::{app::App, error::VmError};

/// Caches may keep the answer, and ask each time whether it is still the same.
const KEPT: HeaderValue = HeaderValue::from_static("public, no-cache");

/// A virtual block that has taken requests.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VirtualBlockRow {
    /// Its height, as text.
    id: String,
    /// The height of its Bitcoin block.
    height: u32,
    /// Number of requests that it took.
    requests: u64,
    /// Batches that have requests in it.
    batches: u64,
    /// The lowest price of a request in it, in sats.
    lowest_price: u64,
    /// The average price of its requests, in sats, rounded down.
    average_price: u64,
    /// The highest price of a request in it, in sats.
    highest_price: u64,
    /// Whether it is seven blocks deep: a reorganisation of six blocks cannot change it.
    r#final: bool,
}

impl Resource for VirtualBlockRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("height"),
        Field::visible("requests"),
        Field::visible("batches"),
        Field::visible("lowestPrice"),
        Field::visible("averagePrice"),
        Field::visible("highestPrice"),
        Field::visible("final"),
    ];
    const SEQUENCE: &'static [&'static str] = &["height"];
}

impl VirtualBlockRow {
    fn of(block: VirtualBlock, tip: u32) -> Self {
        Self {
            id: block.height.to_string(),
            height: block.height,
            requests: block.requests,
            batches: block.batches,
            lowest_price: block.lowest,
            average_price: block.sats.checked_div(block.requests).unwrap_or_default(),
            highest_price: block.highest,
            r#final: tip.saturating_add(1).saturating_sub(block.height) >= FINAL,
        }
    }
}

/// Lists the virtual blocks of a mint that have taken requests, newest first. A reorganisation can change
/// virtual blocks that are not final.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/mints/{id}/blocks",
    tag = "vm-transactions",
    params(("id" = MintId, Path, description = "The mint"), ListParameters),
    responses((
        status = 200,
        description = "A page of virtual blocks",
        body = Envelope<Vec<VirtualBlockRow>>
    ))
)]
pub async fn list_virtual_blocks(
    State(app): State<App>,
    Segment(id): Segment<MintId>,
    query: ListQuery<VirtualBlockRow>,
) -> Result<Tagged<Envelope<Vec<Value>>>> {
    query.refuse_as_of()?;
    let store = &app.store;
    let (mint, outlook, tip) =
        tokio::try_join!(mints::mint(store, id), mints::outlook(store, id), blocks::tip(store))?;
    mint.ok_or(VmError::MintNotFound)?;
    let total = outlook.map_or(0, |outlook| outlook.blocks);
    let tip = tip.map_or(0, |tip| tip.height);
    let read = async |low: u64, high: u64| {
        let blocks = mints::virtual_blocks(&app.store, id, (low, high)).await?;
        let rows = blocks.into_iter().map(|block| VirtualBlockRow::of(block, tip));
        Ok::<_, store::StoreError>(rows.collect::<Vec<_>>())
    };
    let found = match query.walk() {
        Some((window, order)) => {
            let mut rows = match window.range(total, order) {
                Some((first, last)) => read(first.saturating_sub(1), last).await?,
                None => Vec::new(),
            };
            if order == Order::NewestFirst {
                rows.reverse();
            }
            ListPage { rows, total, as_of: None }
        }
        None if total > MOST_SORTED => return Err(query.too_long(&[])),
        None => query.sorted_page(read(0, total).await?)?,
    };
    Ok(Tagged::new(query.answer(&found, |_, _| Value::Null)?, KEPT))
}
