//! `GET /api/support/stuck` and `GET /api/support/payouts`.

use std::collections::BTreeSet;

use axum::extract::State;
use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    keys,
    mints::{Mint, Payout},
    models::{
        mint::{MintId, MintState},
        vm_transaction::Leg,
    },
};
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Envelope, ListQuery, OkWith, Result,
        list::{Field, ListParameters, Resource},
    },
    models::{account::AccountId, watch::Watch},
    stuck::{self, StuckRow},
};
use store::{Store, StoreError};
use utoipa::ToSchema;

use crate::{
    app::App,
    dead_letters::DeadLetterCount,
    reader::{Reader, SupportReadKind},
};

/// The most mints whose payouts are listed.
const MOST_MINTS: i32 = 100;
/// The most open payouts of a mint that are listed.
const MOST_PAYOUTS: usize = 1_000;

/// A row that the chain watcher cannot take further.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StuckItem {
    /// The key of the row: partition key, `/`, sort key.
    id: String,
    /// The kind of work.
    #[schema(value_type = String, example = "payout")]
    kind: &'static str,
    /// Whose row it is; null for rows of the platform.
    #[schema(required = true)]
    account_id: Option<AccountId>,
    /// Its state or status.
    state: String,
    /// When the failures began, ms since the epoch.
    since: Timestamp,
    /// When the row became stuck, ms since the epoch.
    #[schema(required = true)]
    stuck_at: Option<Timestamp>,
    /// Failed attempts in a row; 0 for a row that has only waited too long.
    failures: u32,
    /// The cause of the last failure.
    cause: String,
}

impl Resource for StuckItem {
    const FIELDS: &'static [Field] = &[
        Field::visible("kind"),
        Field::visible("accountId"),
        Field::visible("state"),
        Field::visible("since"),
        Field::visible("stuckAt"),
        Field::visible("failures"),
        Field::visible("cause"),
    ];
    const SEQUENCE: &'static [&'static str] = &["since"];
}

impl From<StuckRow> for StuckItem {
    fn from(row: StuckRow) -> Self {
        let StuckRow { kind, key, account, state, failing } = row;
        Self {
            id: format!("{}/{}", key.pk(), key.sk()),
            kind: kind.name(),
            account_id: account,
            state,
            since: failing.since,
            stuck_at: failing.stuck_at,
            failures: failing.times,
            // Keeps texts of other parties on one line.
            cause: failing.cause.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }
}

/// How many rows of a kind wait for the chain watcher.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingRows {
    /// The kind of work.
    #[schema(value_type = String, example = "payout")]
    kind: &'static str,
    /// Rows that wait, apart from stuck ones; if there are more than about 5,000, only so many are counted.
    waiting: u64,
    /// Stuck rows.
    stuck: u64,
}

/// The queues of the chain watcher, and the messages that other workers have given up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueuesMeta {
    /// One for each kind of work.
    queues: Vec<WaitingRows>,
    /// Messages that a worker has given up after five attempts. They wait for an operator.
    dead_letters: Vec<DeadLetterCount>,
}

/// Lists the rows that the chain watcher cannot take further, latest first. Admins only.
///
/// A row is stuck after three failures in a row, or if it waits for an overdue event. `sort=since` begins with those
/// that have failed longest. If more than 1,000 rows of a kind are stuck, those with the earliest next look are
/// listed.
#[utoipa::path(
    get,
    path = "/api/support/stuck",
    tag = "support",
    security(("bearer" = [])),
    params(ListParameters),
    responses((status = 200, description = "A page of stuck rows", body = OkWith<Vec<StuckItem>, QueuesMeta>))
)]
pub async fn list_stuck_rows(
    State(app): State<App>,
    reader: Reader,
    query: ListQuery<StuckItem>,
) -> Result<OkWith<Vec<Value>, QueuesMeta>> {
    query.refuse_as_of()?;
    let store = &app.store;
    let rows = async {
        tokio::try_join!(stuck::list(store), stuck::count_waiting(store), stuck::count(store))
    };
    let (rows, dead_letters) = tokio::join!(rows, app.dead_letters.count());
    let ((rows, waiting, stuck), dead_letters) = (rows?, dead_letters?);
    let rows = rows.into_iter().map(StuckItem::from).collect();
    let found = query.sorted_page(rows)?;
    let (rows, page) = query.answer(&found, |_, _| Value::Null)?.into_parts();
    let queues = waiting.into_iter().zip(stuck).map(|((kind, waiting), (_, stuck))| WaitingRows {
        kind: kind.name(),
        waiting,
        stuck,
    });
    // The rows name their accounts, but show nothing else of them.
    reader.record_with(&app, SupportReadKind::Stuck, BTreeSet::new(), None).await?;
    Ok(OkWith::at(rows, page, QueuesMeta { queues: queues.collect(), dead_letters }))
}

/// How far a payout is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PayoutState {
    /// It has no transaction yet.
    Planned,
    /// Its transaction is neither in the mempool nor in a block.
    Issued,
    /// Its transaction is in the mempool or a block.
    Sent,
    /// Its transaction can no longer change.
    Final,
}

/// The state of a payout.
pub(crate) fn payout_state(payout: &Payout) -> PayoutState {
    match payout {
        Payout { is_final: true, .. } => PayoutState::Final,
        Payout { sent: Some(_), .. } => PayoutState::Sent,
        Payout { transaction: Some(_), .. } => PayoutState::Issued,
        _ => PayoutState::Planned,
    }
}

/// What a payout moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PayoutLeg {
    /// Payments out of the treasury.
    Transfer,
    /// Runes to the owners of batches.
    Distribution,
}

/// A payout that is not final.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenPayout {
    /// The id: that of the mint, `-` and the number.
    id: String,
    mint_id: MintId,
    /// Its number within the mint, from 1.
    number: u64,
    leg: PayoutLeg,
    state: PayoutState,
    /// How many batches it has.
    batches: usize,
    /// The sum of their requests.
    requests: u64,
    /// Its newest transaction; null until there is one.
    #[schema(required = true, value_type = Option<String>)]
    tx_id: Option<Txid>,
    /// When it was sent, ms since the epoch; null until it was.
    #[schema(required = true)]
    sent_at: Option<Timestamp>,
    /// When it was planned, ms since the epoch.
    created_at: Timestamp,
}

impl From<Payout> for OpenPayout {
    fn from(payout: Payout) -> Self {
        Self {
            id: format!("{}-{}", payout.mint_id, payout.number),
            mint_id: payout.mint_id,
            number: payout.number,
            leg: match payout.leg {
                Leg::Transfer => PayoutLeg::Transfer,
                Leg::Distribution => PayoutLeg::Distribution,
            },
            state: payout_state(&payout),
            batches: payout.size,
            requests: payout.requests,
            tx_id: payout.sent.map(|sent| sent.txid).or(payout.transaction),
            sent_at: payout.sent.map(|sent| sent.at),
            created_at: payout.created_at,
        }
    }
}

/// Lists the payouts that are not final, by mint and number. Admins only.
///
/// At most 1,000 of each mint are listed.
#[utoipa::path(
    get,
    path = "/api/support/payouts",
    tag = "support",
    security(("bearer" = [])),
    responses((status = 200, description = "The open payouts", body = Envelope<Vec<OpenPayout>>))
)]
pub async fn list_open_payouts(
    State(app): State<App>,
    reader: Reader,
) -> Result<Envelope<Vec<OpenPayout>>> {
    let mut open = Vec::new();
    for mint in paying_mints(&app.store).await? {
        let (low, high) = keys::payouts(mint);
        let is_open = |payout: &Payout| !payout.is_final;
        let (found, unreadable) =
            app.store.range_where((&low, &high), is_open, MOST_PAYOUTS).await?;
        if let Some(error) = unreadable {
            tracing::warn!(%mint, %error, "a payout cannot be read");
        }
        open.extend(found);
    }
    reader.record_with(&app, SupportReadKind::Payouts, BTreeSet::new(), None).await?;
    Ok(Envelope::ok(open.into_iter().map(OpenPayout::from).collect()))
}

/// The mints that pay out.
async fn paying_mints(store: &Store) -> Result<Vec<MintId>, StoreError> {
    let (waiting, stuck) = tokio::try_join!(
        store.waiting(Watch::Mint, MOST_MINTS),
        store.waiting(Watch::StuckMint, MOST_MINTS)
    )?;
    let mut keys: Vec<_> = waiting.into_iter().chain(stuck).collect();
    keys.sort();
    keys.dedup();
    let mints = store.get_many::<Mint>(&keys).await?.into_iter().flatten();
    let paying = mints.filter(|mint| mint.state == MintState::MintedOut);
    Ok(paying.map(|mint| mint.id).collect())
}
