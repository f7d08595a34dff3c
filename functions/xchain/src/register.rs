//! `POST /api/xchain/transactions/register`.

use std::time::Duration;

use axum::extract::State;
use bitcoin::Network;
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
        account::{Account, AccountId},
        wallet::{AddressError, AddressText, MAX_ADDRESS_LEN, WalletAddress},
    },
    span::Context,
    store::{CommitError, Key, Update, Writes, lists},
};
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::app::App;

/// How long a request waits for the hub's answer.
const HUB_TIME: Duration = Duration::from_secs(2);
/// Most characters of a hash: `0x` and 32 bytes in hex, or 64 bytes in base58.
const LONGEST_HASH: usize = 88;
/// The highest chain id: the largest integer that every JSON client reads exactly.
pub(crate) const LAST_CHAIN: u64 = (1 << 53) - 1;

/// A swap to register: hashes, tokens and addresses in their canonical spelling.
#[derive(Debug)]
pub struct RegisterSwap {
    swap: Swap,
    /// As the client wrote it, so that the checksum can be verified.
    wallet_address: String,
    src_address: String,
}

impl Input for RegisterSwap {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let intent_tx_hash = fields.parsed("intentTxHash", LONGEST_HASH);
        let spoke_tx_hash = fields.parsed("spokeTxHash", LONGEST_HASH);
        let (wallet_text, wallet_address) = address(fields, "walletAddress");
        let input_token = fields.parsed("inputToken", MAX_ADDRESS_LEN);
        let output_token = fields.parsed("outputToken", MAX_ADDRESS_LEN);
        let input_amount = match fields.parsed("inputAmount", 39) {
            Some(Units(0)) => fields.wrong("inputAmount", "must be at least 1"),
            amount => amount,
        };
        let min_output_amount = fields.parsed("minOutputAmount", 39);
        let src_chain = chain(fields, "srcChain");
        let dst_chain = chain(fields, "dstChain");
        let (src_text, src_address) = address(fields, "srcAddress");
        let dst_address = fields.parsed("dstAddress", MAX_ADDRESS_LEN);
        let swap = Swap {
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
        };
        Some(Self { swap, wallet_address: wallet_text?, src_address: src_text? })
    }
}

/// An address as the client wrote it, and in its canonical spelling.
fn address(fields: &mut Fields<'_>, name: &str) -> (Option<String>, Option<AddressText>) {
    let text = fields.text(name, MAX_ADDRESS_LEN);
    let address = text
        .as_deref()
        .and_then(|text| text.parse().map_err(|error| fields.wrong::<()>(name, error)).ok());
    (text, address)
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
    /// False if the identical swap was already registered.
    registered: bool,
}

/// Registers a swap that the caller has begun between chains other than Bitcoin.
///
/// If `walletAddress` and `srcAddress` are EVM, Solana or Bitcoin addresses, they must be linked to the
/// account, and they stay linked until the swap ends. An address proved by a contract wallet counts only on
/// that wallet's chain, which must be `srcChain`. Addresses of chains whose signatures the service cannot
/// verify need no proof. A repeated registration with the same content returns `registered: false`. A swap
/// that contradicts the hub's record is refused; one that the hub does not know yet is listed with `verified:
/// false` until it does. A swap that failed because the hub did not know it within a day can be registered
/// again.
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
    Valid(body): Valid<RegisterSwap>,
) -> Result<Envelope<Registration>> {
    let swap = owned(&app, &caller, body)?;
    let account = caller.account.id;
    limits::hit(&app, SWAP_BY_ACCOUNT, &account.to_string()).await?;
    let mut record = match known(&app, account, &swap).await? {
        EarlierRegistration::Same => return Ok(Envelope::ok(Registration { registered: false })),
        EarlierRegistration::Failed(failed) => failed.reopened(app.clock.now()),
        EarlierRegistration::Not => {
            XchainRecord::of_swap(account, app.random.id(app.clock.now()), &swap)
        }
    };
    record.trace_parent = Context::current_parent();
    if is_confirmed(&app, &swap).await? {
        record.mark_verified();
    }
    let is_new = record.history.is_empty();
    let written = if is_new {
        append(&app, &caller, &record).await
    } else {
        reopen(&app, &caller, &record).await
    };
    match written {
        Ok(()) => Ok(Envelope::ok(Registration { registered: true })),
        // Another request registered it concurrently (of this or another account), or an address was
        // unlinked.
        Err(CommitError::Condition(())) => match known(&app, account, &swap).await? {
            EarlierRegistration::Same => Ok(Envelope::ok(Registration { registered: false })),
            EarlierRegistration::Failed(_) | EarlierRegistration::Not => {
                Err(Error::new(Problem::Changed))
            }
        },
        Err(CommitError::Contended) => Err(Error::new(Problem::Unavailable)),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

/// The swap, if the caller owns its wallet and its source address (custody rule 15), as far as the service
/// can verify their chains' signatures. For other chains only the hub's record decides.
fn owned(app: &App, caller: &LiveCaller, body: RegisterSwap) -> Result<Swap> {
    let RegisterSwap { swap, wallet_address, src_address } = body;
    let network = app.network;
    let provable = |field: &str, text: &str, address: &AddressText| {
        is_provable(text, address, network).map_err(|error| Error::field(field, error))
    };
    if provable("walletAddress", &wallet_address, &swap.wallet_address)? {
        caller.own_or_earlier_address_on(
            app.network,
            swap.wallet_address.as_str(),
            swap.src_chain,
        )?;
    }
    if provable("srcAddress", &src_address, &swap.src_address)? {
        caller.own_or_earlier_address_on(app.network, swap.src_address.as_str(), swap.src_chain)?;
    }
    Ok(swap)
}

/// Whether the address belongs to a chain whose wallets can prove ownership here.
fn is_provable(text: &str, address: &AddressText, network: Network) -> Result<bool, AddressError> {
    if let Err(error @ AddressError::BadChecksum) = WalletAddress::infer(text, network) {
        return Err(error);
    }
    match WalletAddress::infer(address.as_str(), network) {
        Ok(_) | Err(AddressError::WrongNetwork | AddressError::UnsupportedType) => Ok(true),
        Err(error @ AddressError::ZeroAddress) => Err(error),
        Err(_) => Ok(false),
    }
}

/// The existing registration of a swap.
enum EarlierRegistration {
    /// Not registered.
    Not,
    /// The identical swap is registered.
    Same,
    /// The caller's own registration failed before the hub knew the swap.
    Failed(Box<XchainRecord>),
}

/// Looks up the registration of a swap: the caller's own, or the one that the hub has confirmed.
///
/// # Errors
/// [`Problem::SwapRegistered`] if one of them has other content.
async fn known(app: &App, account: AccountId, swap: &Swap) -> Result<EarlierRegistration> {
    let intent = swap.intent_tx_hash;
    let (own, verified) = (keys::xchain_swap(intent, account), keys::xchain_verified(intent));
    let (own, verified) = tokio::try_join!(
        app.store.get::<XchainRecord>(&own),
        app.store.get::<XchainPointer>(&verified),
    )?;
    let there = match (own, verified) {
        (Some(own), _) => own,
        (None, Some(pointer)) => match app.store.get(&keys::xchain(pointer.key)).await? {
            Some(there) => there,
            None => return Ok(EarlierRegistration::Not),
        },
        (None, None) => return Ok(EarlierRegistration::Not),
    };
    let differences = there.swap().map(|registered| registered.differences(swap));
    match differences.unwrap_or_default().as_slice() {
        [] if there.status == XchainStatus::Failed && !there.verified => {
            Ok(EarlierRegistration::Failed(Box::new(there)))
        }
        [] => Ok(EarlierRegistration::Same),
        different => {
            let details = format!(
                "The swap is already registered with different content: {}.",
                different.join(", ")
            );
            Err(Error::with_details(Problem::SwapRegistered, details))
        }
    }
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
        // No valid swap could have this record.
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

/// Writes the record, its lookup rows by hash, and its list entries.
async fn append(
    app: &App,
    caller: &LiveCaller,
    record: &XchainRecord,
) -> Result<(), CommitError<()>> {
    let Ok(member) = record.key() else { return Err(CommitError::Condition(())) };
    let lists = lists_of(record);
    let draft = |at| {
        let record = record.clone().begun(at);
        let row = Writes::new().insert(&keys::xchain(member), &record, ());
        let row = row.and(record.tell(None));
        (rests_on(row, caller, &record), member)
    };
    lists::append(&app.store, &lists, draft).await.map(drop)
}

/// Overwrites the failed record, whose list entries exist already.
async fn reopen(
    app: &App,
    caller: &LiveCaller,
    record: &XchainRecord,
) -> Result<(), CommitError<()>> {
    let Ok(key) = record.key().map(keys::xchain) else { return Err(CommitError::Condition(())) };
    let row = XchainRecord { version: record.version.saturating_add(1), ..record.clone() };
    let as_read = Update::new().if_equal(XchainRecord::VERSION, record.version);
    let rows = Writes::new().replace(&key, &row, as_read, ());
    let rows = rows.and(row.tell(Some(XchainStatus::Failed)));
    app.store.commit(rests_on(rows, caller, &row)).await
}

/// Adds the conditions of a new swap and its lookup rows: its addresses must still be the caller's, and
/// cannot be unlinked until the swap ends.
fn rests_on(rows: Writes<()>, caller: &LiveCaller, record: &XchainRecord) -> Writes<()> {
    let as_read = Update::new().if_equal(Account::VERSION, caller.account.version);
    let rows = rows.check(&Key::account(caller.account.id), as_read, ());
    let rows = counted(rows, record, 1, ());
    let rows = match (&record.spoke_tx_hash, record.src_chain, record.key()) {
        (Some(spoke), Some(chain), Ok(key)) => {
            let own = keys::xchain_spoke(spoke, Some(record.account_id), chain);
            rows.put(&own, &XchainPointer { key }, ())
        }
        _ => rows,
    };
    if record.verified { confirmed(rows, record, ()) } else { rows }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn custody_15_no_spelling_of_a_provable_address_passes_for_another_chains() {
        let provable = |text: &str| is_provable(text, &text.parse().unwrap(), Network::Bitcoin);
        for text in [
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
            "0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED",
            "So11111111111111111111111111111111111111112",
            "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l",
            "BC1Q9VZA2E8X573NCZRLZMS0WVX3GSQJX7VAVGKX0L",
            "bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9",
            "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
            "14vV3aCHBeStb5bkenkNHbe2YAFinYdXgc",
        ] {
            assert_eq!(provable(text), Ok(true), "{text}");
        }
        for text in [
            "GDQP2KPQGKIHYJGXNUIYOMHARUARCA7DJT5FO2FFOOKY3B2WSQHG4W37",
            "0xb6b12ada59a8ac44ded72e03693dd14614224349d36c51fc0a4b2a5c3b9d1f7c",
            "hx0123456789abcdef0123456789abcdef01234567",
        ] {
            assert_eq!(provable(text), Ok(false), "{text}");
        }
        assert!(provable("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed").is_err(), "a checksum");
        assert!(provable("0x0000000000000000000000000000000000000000").is_err(), "no owner");
    }
}
