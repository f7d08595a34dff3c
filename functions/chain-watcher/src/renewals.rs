//! Reminds users to renew their coins before the users alone can spend them.
//!
//! An account with coins has one row, however many coins arrive: it holds the day on which the next coin may
//! be due. On that day the worker asks Esplora which coins exist. So no reminder mentions a coin that was
//! spent or renewed in the meantime, and dust adds no row.

use std::{collections::BTreeSet, time::Duration};

use base::clock::Timestamp;
use bitcoin::{Address, BlockHash};
use chain::{blocks, keys, transactions::ChainError};
use serde::{Deserialize, Serialize};
use shared::{
    events::EventWrites,
    keys::EventList,
    mail::{Letter, Mail, Recipient},
    models::{
        account::AccountId,
        event::{EventState, EventType, StateChange},
        trading_wallet::{DELAY, RENEWAL_ADVISED_BELOW, RENEWAL_NEEDED_BELOW},
        watch::{Failing, Watch},
    },
};
use store::{CommitError, Entity, Key, Update, Writes, fields};
use uuid::Uuid;

use crate::{app::App, row_outcome::RowOutcome};

/// The shortest time in which a block is expected: the worker checks a little early rather than late.
const BLOCK: Duration = Duration::from_secs(9 * 60);
/// The shortest pause between two checks of an account.
const SHORTEST: Duration = Duration::from_secs(10 * 60);
/// The shortest time between two mails to an account.
const BETWEEN_MAILS: Duration = Duration::from_secs(24 * 60 * 60);
/// The most heights for which one check appends events; the next check continues.
const MOST_HEIGHTS: usize = 20;

/// When the coins of an account are due.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Renewals {
    account_id: AccountId,
    /// The trading address.
    address: String,
    /// Optimistic lock.
    version: u64,
    /// The last block that paid it.
    block: BlockHash,
    /// Coins in blocks up to this height were reported as `advised` or `needed`.
    #[serde(default)]
    advised_up_to: u32,
    /// Coins in blocks up to this height were reported as `needed`.
    #[serde(default)]
    needed_up_to: u32,
    /// How many mails were sent.
    #[serde(default)]
    mails: u64,
    /// When the last mail was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mailed_at: Option<Timestamp>,
    /// Whether something was reported that no mail mentions yet.
    #[serde(default)]
    is_unmailed: bool,
    /// The worker's queue, while there are coins to report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    watch: Option<Watch>,
    /// When the worker checks them next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<Timestamp>,
    /// The worker's note while it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing: Option<Failing>,
}

impl Entity for Renewals {
    const ENTITY: &'static str = "renewals";
}

fields!(Renewals {
    ACCOUNT_ID: AccountId = account_id,
    ADDRESS: String = address,
    BLOCK: BlockHash = block,
    ADVISED_UP_TO: u32 = advised_up_to,
    NEEDED_UP_TO: u32 = needed_up_to,
    MAILS: u64 = mails,
    MAILED_AT: Option<Timestamp> = mailed_at,
    IS_UNMAILED: bool = is_unmailed,
    WATCH: Option<Watch> = watch,
    DUE_AT: Option<Timestamp> = due_at,
});

/// A confirmed coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Coin {
    height: u32,
    sats: u64,
}

impl Coin {
    /// The number of blocks until its user alone can spend it.
    fn left(self, tip: u32) -> u32 {
        let confirmations = tip.saturating_add(1).saturating_sub(self.height);
        u32::from(DELAY).saturating_sub(confirmations)
    }
}

/// The coins of an account to report now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reminder {
    /// Heights of blocks whose coins should be renewed.
    advised: Vec<u32>,
    /// Heights of blocks whose coins must be renewed.
    needed: Vec<u32>,
    /// The number of blocks until there is something else to report, if there will be.
    next: Option<u32>,
}

impl Reminder {
    fn of(row: &Renewals, coins: &[Coin], tip: u32) -> Self {
        let heights: BTreeSet<_> = coins.iter().map(|coin| (coin.height, coin.left(tip))).collect();
        let is_needed = |(height, left): &&(u32, u32)| {
            *left < RENEWAL_NEEDED_BELOW && *height > row.needed_up_to
        };
        let is_advised = |(height, left): &&(u32, u32)| {
            (RENEWAL_NEEDED_BELOW..RENEWAL_ADVISED_BELOW).contains(left)
                && *height > row.advised_up_to
        };
        let first = |(height, _): &(u32, u32)| *height;
        let needed: Vec<_> = heights.iter().filter(is_needed).map(first).collect();
        let advised: Vec<_> = heights.iter().filter(is_advised).map(first).collect();
        let is_cut = needed.len().max(advised.len()) > MOST_HEIGHTS;
        let next = heights.iter().filter_map(|(_, left)| {
            let until = |below: u32| left.saturating_add(1).checked_sub(below).filter(|it| *it > 0);
            until(RENEWAL_ADVISED_BELOW).or(until(RENEWAL_NEEDED_BELOW))
        });
        Self {
            next: if is_cut { Some(0) } else { next.min() },
            needed: needed.into_iter().take(MOST_HEIGHTS).collect(),
            advised: advised.into_iter().take(MOST_HEIGHTS).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.advised.is_empty() && self.needed.is_empty()
    }
}

/// Records that a block has paid an account. Its coins are due at the earliest four weeks before the end of
/// their delay. An entry that exists is not written again, so a worker that is killed at every write still
/// makes progress.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub(crate) async fn arrived(
    app: &App,
    (account, address): (AccountId, &str),
    block: BlockHash,
) -> Result<(), ChainError> {
    let key = keys::renewals(account);
    let noted = app.store.get::<Renewals>(&key).await?;
    if noted.is_some_and(|row| row.block == block) {
        return Ok(());
    }
    let until_advised = u32::from(DELAY).saturating_sub(RENEWAL_ADVISED_BELOW);
    let due_at = app.clock.now().plus(BLOCK.saturating_mul(until_advised));
    let noted = Update::new()
        .create_or_change()
        .set(Renewals::ACCOUNT_ID, account)
        .set(Renewals::ADDRESS, address)
        .set(Renewals::BLOCK, block)
        .next_version()
        .set_if_absent(Renewals::WATCH, Watch::Renewal)
        .set_if_absent(Renewals::DUE_AT, due_at);
    Ok(app.store.update(&key, noted).await?)
}

/// Checks the coins of an account, and reports those that are due.
pub(crate) async fn process_row(app: App, key: Key) -> Result<RowOutcome, ChainError> {
    let now = app.clock.now();
    let row = app.store.get::<Renewals>(&key).await?;
    // The index lags behind the rows.
    let is_due = |row: &Renewals| row.watch.is_some() && row.due_at.is_some_and(|at| at <= now);
    let Some(row) = row.filter(is_due) else { return Ok(RowOutcome::default()) };
    let Some(tip) = blocks::tip(&app.store).await? else { return Ok(RowOutcome::default()) };
    let address = row.address.parse::<Address<_>>().map(Address::assume_checked);
    let address = address.map_err(|_| ChainError::Damaged("an account has no trading address"))?;
    let unspent = app.esplora.unspent(&address, &BTreeSet::new()).await?;
    let coins = unspent.confirmed.iter().filter_map(|utxo| {
        let height = utxo.status.block_height?;
        Some(Coin { height, sats: utxo.value })
    });
    let coins: Vec<_> = coins.collect();
    let reminder = Reminder::of(&row, &coins, tip.height);
    let may_mail = row.mailed_at.is_none_or(|at| at.plus(BETWEEN_MAILS) <= now);
    let letter = letter(&coins, tip.height);
    let wants_mail = letter.is_some() && (row.is_unmailed || !reminder.is_empty());
    if let Some(letter) = letter.filter(|_| wants_mail && may_mail) {
        // Mail before the write: however often the write is retried, the owner gets one mail.
        mail(&app, &row, letter).await?;
    }
    let writes = writes(&row, &reminder, (wants_mail, may_mail), now);
    match app.store.commit(writes).await {
        // Another block has paid the account: the next run checks again.
        Ok(()) | Err(CommitError::Condition(())) => {}
        Err(CommitError::Contended) => return Err(ChainError::Contended),
        Err(CommitError::Store(error)) => return Err(error.into()),
    }
    Ok(RowOutcome { failing: row.failing, waits: None })
}

/// The mail about the coins that should be renewed; `None` if there are none.
fn letter(coins: &[Coin], tip: u32) -> Option<Letter> {
    let due = coins.iter().filter(|coin| coin.left(tip) < RENEWAL_ADVISED_BELOW);
    let blocks = due.clone().map(|coin| coin.left(tip)).min()?;
    let number = u64::try_from(due.clone().count()).unwrap_or(u64::MAX);
    let sats = due.fold(0_u64, |sum, coin| sum.saturating_add(coin.sats));
    Some(Letter::Renewal { coins: number, sats, blocks })
}

async fn mail(app: &App, row: &Renewals, letter: Letter) -> Result<(), ChainError> {
    let mail = Mail {
        id: Uuid::from_u128(row.account_id.0.as_u128() ^ u128::from(row.mails)),
        to: Recipient::Owner { account: row.account_id },
        letter,
        at: app.clock.now(),
    };
    app.mail.send(&mail).await.map_err(ChainError::Queue)
}

/// The writes of a check; they fail if a block has paid the account in the meantime.
fn writes(
    row: &Renewals,
    reminder: &Reminder,
    (wants_mail, may_mail): (bool, bool),
    now: Timestamp,
) -> Writes<()> {
    let needed_up_to = reminder.needed.last().copied().unwrap_or(row.needed_up_to);
    let advised_up_to = reminder.advised.last().copied().unwrap_or(row.advised_up_to);
    let is_unmailed = wants_mail && !may_mail;
    let next = reminder.next.map(|blocks| now.plus(BLOCK.saturating_mul(blocks).max(SHORTEST)));
    let next_mail = row.mailed_at.filter(|_| is_unmailed).map(|at| at.plus(BETWEEN_MAILS));
    let due_at = next.into_iter().chain(next_mail).min();
    let update = Update::new()
        .set(Renewals::NEEDED_UP_TO, needed_up_to.max(row.needed_up_to))
        .set(Renewals::ADVISED_UP_TO, advised_up_to.max(needed_up_to).max(row.advised_up_to))
        .set(Renewals::IS_UNMAILED, is_unmailed)
        .if_version(row.version);
    let update = match wants_mail && may_mail {
        true => {
            update.set(Renewals::MAILS, row.mails.saturating_add(1)).set(Renewals::MAILED_AT, now)
        }
        false => update,
    };
    let update = match due_at {
        Some(due_at) => update.set(Renewals::DUE_AT, due_at),
        None => update.remove(Renewals::WATCH).remove(Renewals::DUE_AT),
    };
    let writes = Writes::new().update(&keys::renewals(row.account_id), update, ());
    let list = || EventList::of_account(row.account_id);
    let named = |state: &str| EventState::Name(state.to_owned());
    let advised = reminder.advised.iter().map(|height| StateChange {
        kind: EventType::RenewalAdvised,
        subject: height.to_string(),
        before: None,
        after: named("advised"),
    });
    let needed = reminder.needed.iter().map(|height| StateChange {
        kind: EventType::RenewalNeeded,
        subject: height.to_string(),
        before: (*height <= row.advised_up_to).then(|| named("advised")),
        after: named("needed"),
    });
    advised.chain(needed).fold(writes, |writes, change| writes.tell(list(), change))
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use bitcoin::hashes::Hash;

    use super::*;

    fn row(advised_up_to: u32, needed_up_to: u32) -> Renewals {
        Renewals {
            account_id: AccountId(Uuid::nil()),
            address: String::new(),
            version: 1,
            block: BlockHash::all_zeros(),
            advised_up_to,
            needed_up_to,
            mails: 0,
            mailed_at: None,
            is_unmailed: false,
            watch: Some(Watch::Renewal),
            due_at: None,
            failing: None,
        }
    }

    fn coins(heights: &[u32]) -> Vec<Coin> {
        heights.iter().map(|height| Coin { height: *height, sats: 330 }).collect()
    }

    #[test]
    fn coins_are_told_once_at_each_of_both_heights() {
        let (advised_at, needed_at) = (1_000 + 12_960 - 4_032, 1_000 + 12_960 - 1_152);
        let told = |row: &Renewals, tip| Reminder::of(row, &coins(&[1_000, 1_000]), tip);
        assert_eq!(
            told(&row(0, 0), advised_at - 1),
            Reminder { next: Some(1), ..Reminder::default() }
        );
        let first = told(&row(0, 0), advised_at);
        assert_eq!(first, Reminder { advised: vec![1_000], needed: vec![], next: Some(2_880) });
        assert!(told(&row(1_000, 0), advised_at).is_empty());
        assert_eq!(told(&row(1_000, 0), needed_at - 1).next, Some(1));
        let second = told(&row(1_000, 0), needed_at);
        assert_eq!(second, Reminder { advised: vec![], needed: vec![1_000], next: None });
        assert_eq!(told(&row(1_000, 1_000), needed_at), Reminder::default());
        // Coins that are noticed late, even after the delay.
        assert_eq!(told(&row(0, 0), needed_at).needed, [1_000]);
        assert_eq!(told(&row(0, 0), needed_at + 5_000).needed, [1_000]);
    }

    #[test]
    fn custody_24_many_heights_are_told_a_few_at_a_time() {
        let heights: Vec<_> = (1_000..1_050).collect();
        let tip = 1_050 + 12_960 - 4_032;
        let mut row = row(0, 0);
        let mut all = Vec::new();
        for _look in 0..3 {
            let told = Reminder::of(&row, &coins(&heights), tip);
            assert!(told.advised.len() <= MOST_HEIGHTS && told.next.is_some());
            row.advised_up_to = told.advised.last().copied().unwrap_or_default();
            all.extend(told.advised);
        }
        assert_eq!(all, heights);
    }
}
