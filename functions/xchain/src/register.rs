//! `POST /api/xchain/transactions/register`.

use std::time::Duration;

use axum::extract::State;
use base::span::Context;
use chain::{
    hub::HubError,
    keys,
    models::{
        amount::Units,
        xchain::{Swap, XchainRecord, XchainStatus},
    },
    xchain::{XchainPointer, confirmed, counted, lists_of},
};
use serde::Serialize;
use shared::{
    auth::limits::{self, SWAP_BY_ACCOUNT},
    http::{Envelope, Error, FieldError, Fields, Input, LiveCaller, Problem, Result, Valid},
    models::{
        account::AccountId,
        wallet::{AddressError, AddressText, MAX_ADDRESS_LEN, evm_address},
    },
};
use store::{CommitError, Update, Writes, lists};
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::app::App;

/// How long a request waits for the hub's answer.
const HUB_TIME: Duration = Duration::from_secs(2);
/// The most characters of a hash: `0x` and 32 bytes in hex, or 64 bytes in base58.
const LONGEST_HASH: usize = 88;
/// The most registrations of other accounts that a new one is compared with.
const MOST_COMPARED: usize = 25;
/// The highest chain id: the largest integer that every JSON client reads exactly.
pub(crate) const LAST_CHAIN: u64 = (1 << 53) - 1;

/// A swap to register: hashes, tokens and addresses in their canonical spelling.
#[derive(Debug)]
pub struct RegisterSwap(Swap);

impl Input for RegisterSwap {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let intent_tx_hash = fields.parsed("intentTxHash", LONGEST_HASH);
        let spoke_tx_hash = fields.parsed("spokeTxHash", LONGEST_HASH);
        let wallet_address = owner(fields, "walletAddress");
        let input_token = fields.parsed("inputToken", MAX_ADDRESS_LEN);
        let output_token = fields.parsed("outputToken", MAX_ADDRESS_LEN);
        let input_amount = match fields.parsed("inputAmount", 39) {
            Some(Units(0)) => fields.wrong("inputAmount", "must be at least 1"),
            amount => amount,
        };
        let min_output_amount = fields.parsed("minOutputAmount", 39);
        let src_chain = chain(fields, "srcChain");
        let dst_chain = chain(fields, "dstChain");
        let src_address = owner(fields, "srcAddress");
        let dst_address = fields.parsed("dstAddress", MAX_ADDRESS_LEN);
        Some(Self(Swap {
            intent_tx_hash: intent_tx_hash?,
            spoke_tx_hash: spoke_tx_hash?,
            wallet_address: wallet_address?,
            input_token: input_token?,
            output_token: output_token?,
            input_amount: input_amount?,
            min_output_amount: min_output_amount?,
            src_chain: src_chain?,
            dst_chain: dst_chain?,
            src_address: src_address?,
            dst_address: dst_address?,
        }))
    }
}

/// Reads the address of a wallet that began the swap. The checksum of an EVM address must match.
fn owner(fields: &mut Fields<'_>, name: &str) -> Option<AddressText> {
    let text = fields.text(name, MAX_ADDRESS_LEN)?;
    match evm_address(&text) {
        Err(error @ (AddressError::BadChecksum | AddressError::ZeroAddress)) => {
            fields.wrong(name, error)
        }
        _ => text.parse().map_err(|error| fields.wrong::<()>(name, error)).ok(),
    }
}

fn chain(fields: &mut Fields<'_>, name: &str) -> Option<u64> {
    match fields.required::<u64>(name)? {
        id @ 1..=LAST_CHAIN => Some(id),
        _ => fields.wrong(name, format!("must be 1 to {LAST_CHAIN}")),
    }
}

/// Outcome of a registration.
#[derive(Debug, Serialize, ToSchema)]
pub struct Registration {
    /// False if the account has already registered the identical swap.
    registered: bool,
}

/// Registers a swap between chains other than Bitcoin. Addresses and tokens are compared by the rules of their
/// chains and need no proof: a registration counts only if the hub's record confirms it.
///
/// Each account that registers a swap follows it in its own history; the public list shows the swap once. A
/// repeated registration with the same content returns `registered: false`. A swap that contradicts the hub's
/// record is refused; a swap that the hub does not know yet is listed with `verified: false` until the hub
/// knows it. A swap that failed because the hub did not know it within a day can be registered again.
#[utoipa::path(
    post,
    path = "/api/xchain/transactions/register",
    tag = "xchain",
    security(("bearer" = [])),
    request_body = Swap,
    responses((status = 200, description = "The swap is registered", body = Envelope<Registration>))
)]
pub async fn register_swap(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(RegisterSwap(swap)): Valid<RegisterSwap>,
) -> Result<Envelope<Registration>> {
    let account = caller.account.id;
    limits::hit(&app, SWAP_BY_ACCOUNT, &account.to_string()).await?;
    let (mut record, others) = match known(&app, account, &swap).await? {
        EarlierRegistration::Same => return Ok(Envelope::ok(Registration { registered: false })),
        EarlierRegistration::Failed(failed, others) => (failed.reopened(app.clock.now()), others),
        EarlierRegistration::Not(others) => {
            let id = app.random.id(app.clock.now());
            (XchainRecord::of_swap(account, id, &swap), others)
        }
    };
    record.trace_parent = Context::current_parent();
    if others == OthersRegistration::Confirmed || is_confirmed(&app, &swap).await? {
        record.mark_verified();
    }
    let is_new = record.history.is_empty();
    let written = match is_new {
        true => append(&app, &record, others).await,
        false => reopen(&app, &record, others).await,
    };
    match written {
        Ok(()) => Ok(Envelope::ok(Registration { registered: true })),
        // A concurrent request registered it, for this or another account.
        Err(CommitError::Condition(())) => match known(&app, account, &swap).await? {
            EarlierRegistration::Same => Ok(Envelope::ok(Registration { registered: false })),
            EarlierRegistration::Failed(..) | EarlierRegistration::Not(_) => {
                Err(Error::new(Problem::Changed))
            }
        },
        Err(CommitError::Contended) => Err(Error::new(Problem::Unavailable)),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

/// The existing registration of a swap.
enum EarlierRegistration {
    /// The caller has not registered it.
    Not(OthersRegistration),
    /// The caller has registered the identical swap.
    Same,
    /// The caller's own registration failed before the hub knew the swap.
    Failed(Box<XchainRecord>, OthersRegistration),
}

/// The identical registration of another account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OthersRegistration {
    /// There is none.
    Not,
    /// There is one, which the hub has not confirmed.
    Unconfirmed,
    /// There is one, which the hub has confirmed.
    Confirmed,
}

impl OthersRegistration {
    /// Whether the swap's hashes are to lead to this registration: the first one that the hub confirms.
    fn lets_lead(self, record: &XchainRecord) -> bool {
        record.verified && self != Self::Confirmed
    }
}

/// Looks up the registrations of a swap: the caller's own, the one that the hub has confirmed, and others.
///
/// # Errors
/// [`Problem::SwapRegistered`] if one of the first two has other content.
async fn known(app: &App, account: AccountId, swap: &Swap) -> Result<EarlierRegistration> {
    let intent = swap.intent_tx_hash;
    let (own, verified) = (keys::xchain_swap(intent, account), keys::xchain_verified(intent));
    let (low, high) = keys::xchain_swaps(intent);
    let (own, verified, all) = tokio::try_join!(
        app.store.get::<XchainRecord>(&own),
        app.store.get::<XchainPointer>(&verified),
        app.store.range::<XchainRecord>((&low, &high), true, Some(MOST_COMPARED)),
    )?;
    if let Some(own) = &own {
        refuse_different(own, swap)?;
        if own.verified || own.status != XchainStatus::Failed {
            return Ok(EarlierRegistration::Same);
        }
    }
    let verified = match verified {
        Some(pointer) => app.store.get::<XchainRecord>(&keys::xchain(pointer.key)).await?,
        None => None,
    };
    let is_same = |other: &XchainRecord| {
        !other.status.is_final() && other.swap().is_some_and(|it| it.differences(swap).is_empty())
    };
    let others = match &verified {
        Some(verified) => {
            refuse_different(verified, swap)?;
            OthersRegistration::Confirmed
        }
        None if all.iter().any(is_same) => OthersRegistration::Unconfirmed,
        None => OthersRegistration::Not,
    };
    Ok(match own {
        Some(failed) => EarlierRegistration::Failed(Box::new(failed), others),
        None => EarlierRegistration::Not(others),
    })
}

/// Refuses a swap whose intent is registered with other content, or is that of a withdrawal.
fn refuse_different(registered: &XchainRecord, swap: &Swap) -> Result<()> {
    let details = match registered.swap().map(|registered| registered.differences(swap)) {
        Some(different) if different.is_empty() => return Ok(()),
        Some(different) => format!(
            "The swap is already registered with different content: {}.",
            different.join(", ")
        ),
        None => "The intent is not that of a swap.".to_owned(),
    };
    Err(Error::with_details(Problem::SwapRegistered, details))
}

/// Whether the hub knows the swap as registered. If the hub does not answer in time, the worker asks again
/// later.
///
/// # Errors
/// [`Problem::SwapContradicted`] with the fields that differ in the hub's record.
async fn is_confirmed(app: &App, swap: &Swap) -> Result<bool> {
    let hub = match timeout(HUB_TIME, app.hub.swap(swap.intent_tx_hash)).await {
        Ok(Ok(Some(hub))) => hub,
        Ok(Ok(None)) | Err(_) => return Ok(false),
        // A valid swap cannot have such a record.
        Ok(Err(HubError::Unreadable(_))) => return Err(Error::new(Problem::SwapContradicted)),
        Ok(Err(error)) => {
            tracing::warn!(%error, "swap registered without the hub's confirmation");
            return Ok(false);
        }
    };
    let differences = swap.differences(&hub);
    if differences.is_empty() {
        return Ok(true);
    }
    let wrong = |field: &&str| FieldError {
        field: (*field).to_owned(),
        message: "is not what the hub's record of the intent says".to_owned(),
    };
    let fields = differences.iter().map(wrong).collect();
    Err(Error::new(Problem::SwapContradicted).with_fields(fields))
}

/// Writes the record, its lookup rows by hash, and its list entries: in the account's history and, unless
/// another account has already registered the same swap, in the public lists.
async fn append(
    app: &App,
    record: &XchainRecord,
    others: OthersRegistration,
) -> Result<(), CommitError<()>> {
    let Ok(member) = record.key() else { return Err(CommitError::Condition(())) };
    let lists = match others {
        OthersRegistration::Not => lists_of(record),
        _ => vec![keys::lists::xchain_by_account(record.account_id)],
    };
    let draft = |at| {
        let record = record.clone().begun(at);
        let row = Writes::new().insert(&keys::xchain(member), &record, ());
        let row = row.and(record.tell(None));
        (with_lookups(row, &record, others.lets_lead(&record)), member)
    };
    lists::append(&app.store, &lists, draft).await.map(drop)
}

/// Overwrites the failed record, whose list entries exist already.
async fn reopen(
    app: &App,
    record: &XchainRecord,
    others: OthersRegistration,
) -> Result<(), CommitError<()>> {
    let Ok(key) = record.key().map(keys::xchain) else { return Err(CommitError::Condition(())) };
    let row = XchainRecord { version: record.version.saturating_add(1), ..record.clone() };
    let as_read = Update::new().if_equal(XchainRecord::VERSION, record.version);
    let rows = Writes::new().replace(&key, &row, as_read, ());
    let rows = rows.and(row.tell(Some(XchainStatus::Failed)));
    app.store.commit(with_lookups(rows, &row, others.lets_lead(&row))).await
}

/// Adds the lookup rows of a new swap, and counts it as open. If `leads`, all accounts find this registration
/// by the swap's hashes.
fn with_lookups(rows: Writes<()>, record: &XchainRecord, leads: bool) -> Writes<()> {
    let rows = counted(rows, record, 1, ());
    let rows = match (&record.spoke_tx_hash, record.src_chain, record.key()) {
        (Some(spoke), Some(chain), Ok(key)) => {
            let own = keys::xchain_spoke(spoke, Some(record.account_id), chain);
            rows.put(&own, &XchainPointer { key }, ())
        }
        _ => rows,
    };
    if leads { confirmed(rows, record, ()) } else { rows }
}
