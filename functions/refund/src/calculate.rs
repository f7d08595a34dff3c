//! `GET /api/refund/calculate`.

use axum::{Extension, extract::State};
use bitcoin::Txid;
use ordinals::RuneId;
use serde::Serialize;
use shared::{
    auth::limits::{self, REFUND_BY_SOURCE},
    http::{Envelope, Fields, Input, Query, RequestContext, Result},
    models::{bitcoin::EtchedRune, wallet::AddressText},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    quote::quote,
    request::{MOST_RUNES, RefundType, read_type},
};

/// Query of the calculation.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct CalculateQuery {
    /// The kind of payment to refund.
    r#type: RefundType,
    /// Rune ids, separated by commas.
    #[param(value_type = String, example = "840000:3,840000:4")]
    rune_ids: Vec<RuneId>,
    /// The address that created the VM transactions, or the trading address that paid for them.
    #[param(value_type = String)]
    user_address: AddressText,
}

impl Input for CalculateQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let r#type = read_type(fields);
        let rune_ids = fields.text("runeIds", 32 * MOST_RUNES).and_then(|text| {
            let runes = text.split(',').map(|text| text.trim().parse::<EtchedRune>());
            match runes.collect::<Result<Vec<_>, _>>() {
                Ok(runes) if runes.len() > MOST_RUNES => {
                    fields.wrong("runeIds", format!("must have 1 to {MOST_RUNES} rune ids"))
                }
                Ok(runes) => Some(distinct(runes.into_iter().map(|rune| rune.0).collect())),
                Err(error) => fields.wrong("runeIds", error),
            }
        });
        let user_address = fields.parsed("userAddress", 128);
        Some(Self { r#type: r#type?, rune_ids: rune_ids?, user_address: user_address? })
    }
}

/// Sorts the runes and removes duplicates.
pub(crate) fn distinct(mut runes: Vec<RuneId>) -> Vec<RuneId> {
    runes.sort_unstable();
    runes.dedup();
    runes
}

/// The refundable VM transactions of one rune.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundItem {
    rune_id: EtchedRune,
    /// The refundable VM transactions.
    #[schema(value_type = Vec<String>)]
    tx_ids: Vec<Txid>,
    /// Amount paid for them, in sats.
    sats: u64,
}

/// The refund that could be created now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Calculation {
    r#type: RefundType,
    /// The address of the query.
    user_address: String,
    /// One item per rune.
    items: Vec<RefundItem>,
    /// Total amount paid, in sats.
    total_sats: u64,
    /// Network fee of the refund, in sats.
    network_fee: u64,
    /// Amount that would arrive, in sats; 0 if the refund is not worth its fee.
    refundable_sats: u64,
    /// Whether more VM transactions are refundable than fit into one refund.
    more: bool,
}

/// Calculates what a refund created now would pay. The fee rate used is cached for ten minutes.
#[utoipa::path(
    get,
    path = "/api/refund/calculate",
    tag = "refund",
    params(CalculateQuery),
    responses((status = 200, description = "The refund", body = Envelope<Calculation>))
)]
pub async fn calculate_refund(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    Query(query): Query<CalculateQuery>,
) -> Result<Envelope<Calculation>> {
    limits::hit_source(&app, REFUND_BY_SOURCE, context.source_ip).await?;
    let user_address = query.user_address.as_str();
    let quote = quote(&app, user_address, &query.rune_ids, None).await?;
    let mut items: Vec<RefundItem> = Vec::new();
    for row in &quote.transactions {
        let rune_id = EtchedRune(row.rune_id);
        let sats = row.refundable_sats();
        match items.last_mut().filter(|item| item.rune_id == rune_id) {
            Some(item) => {
                item.tx_ids.push(row.txid);
                item.sats = item.sats.saturating_add(sats);
            }
            None => items.push(RefundItem { rune_id, tx_ids: vec![row.txid], sats }),
        }
    }
    let (network_fee, refundable_sats) = match quote.transactions.as_slice() {
        [] => (0, 0),
        _ => (quote.fee, quote.refunded().unwrap_or_default()),
    };
    Ok(Envelope::ok(Calculation {
        r#type: query.r#type,
        user_address: user_address.to_owned(),
        items,
        total_sats: quote.total,
        network_fee,
        refundable_sats,
        more: quote.more,
    }))
}
