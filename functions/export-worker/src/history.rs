//! Histories: which rows of an account's lists go into a file, and what its columns contain.

use std::collections::{BTreeMap, BTreeSet};

use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    deposits::{Deposit, DepositMember},
    keys,
    mints::{Mint, SentIn, SentPayouts, VmTransaction},
    models::{
        transaction::{AccountTransaction, Work},
        vm_transaction::VmTransactionKey,
        xchain::{XchainKey, XchainRecord, XchainType},
    },
    transactions::{ChainError, IssuedTransaction},
};
use outbox::exports::{Export, HistoryPart, parts_of};
use serde::Serialize;
use serde_json::Value;
use shared::models::{
    account::AccountId,
    bitcoin::BitcoinToken,
    export::{HistoryChain, HistoryFilter, HistoryType},
};
use store::{
    StoreError,
    lists::{self, List, Member},
};

use crate::{app::App, error::WorkError, sheet::Sheet};

const XCHAIN: &[&str] = &[
    "id",
    "type",
    "createdAt",
    "updatedAt",
    "status",
    "txId",
    "intentTxHash",
    "spokeTxHash",
    "srcChain",
    "dstChain",
    "userAddress",
    "tradingAddress",
    "withdrawTo",
    "inputToken",
    "outputToken",
    "inputAmount",
    "minOutputAmount",
    "fillTxHash",
    "failedAtStep",
    "failureReason",
];

const VIRTUAL_MINT: &[&str] = &[
    "txId",
    "createdAt",
    "state",
    "mintId",
    "runeId",
    "userAddress",
    "tradingAddress",
    "replaceTxId",
    "replacedByTxId",
    "requests",
    "requestsInBlocks",
    "requestedSats",
    "paidSats",
    "feeSats",
    "blockHeight",
    "distributableRequests",
    "distributableAmount",
    "distributeRuneTxId",
    "distributeRuneAt",
    "notTakenSats",
    "refundState",
    "refundTxId",
];

const REFUND: &[&str] = &[
    "txId",
    "createdAt",
    "state",
    "userAddress",
    "runeIds",
    "refundedTxIds",
    "totalSats",
    "feeSats",
    "refundedSats",
    "blockHeight",
    "replaceTxId",
];

/// The columns of movements of every kind.
const MOVEMENTS: &[&str] = &[
    "id",
    "type",
    "createdAt",
    "state",
    "txId",
    "blockHeight",
    "tokenId",
    "amount",
    "withdrawTo",
    "feeSats",
    "receivedTokenId",
    "receivedAmount",
    "receivedTxId",
    "srcChain",
    "dstChain",
    "replaceTxId",
    "replacedByTxId",
];

/// The part of a history that an export covers. Its members are numbered from 1, list by list.
pub(crate) struct History<'a> {
    app: &'a App,
    filter: HistoryFilter,
    account: AccountId,
    parts: Vec<Part>,
}

/// The members of one list in the time range.
struct Part {
    kind: HistoryPart,
    list: List,
    /// The number of the first one in its list.
    first: u64,
    /// How many there are.
    count: u64,
    /// How many members the earlier parts have.
    before: u64,
}

impl Part {
    /// The numbers in the list of the members that the history numbers `low` to `high`.
    fn range(&self, low: u64, high: u64) -> Option<(u64, u64)> {
        let end = self.before.saturating_add(self.count);
        let (low, high) = (low.max(self.before.saturating_add(1)), high.min(end));
        let in_list =
            |n: u64| n.saturating_sub(self.before).saturating_add(self.first).saturating_sub(1);
        (low <= high).then(|| (in_list(low), in_list(high)))
    }

    /// The history's number of a member of the list.
    fn number(&self, n: u64) -> u64 {
        n.saturating_sub(self.first).saturating_add(1).saturating_add(self.before)
    }
}

/// A row of a history.
pub(crate) enum Row {
    /// A cross-chain transaction.
    Xchain(Box<XchainRecord>),
    /// A VM transaction.
    VirtualMint {
        vm: Box<VmTransaction>,
        /// Network fee of its Bitcoin transaction, in sats; `None` if there is no row of that transaction.
        fee: Option<u64>,
        /// Tokens per request of its mint, in the rune's smallest unit.
        tokens_per_request: Option<u128>,
        /// The transaction that sent its runes.
        distribution: Option<SentIn>,
    },
    /// A Bitcoin transaction other than a batch. A history of refunds has refunds only, with columns of their
    /// own.
    Issued {
        issued: Box<IssuedTransaction>,
        /// When it was signed, and so entered the history.
        at: Timestamp,
    },
    /// A deposit.
    Deposit(Box<Deposit>),
}

impl<'a> History<'a> {
    /// Finds the members of the time range.
    pub(crate) async fn open(app: &'a App, export: &Export) -> Result<Self, StoreError> {
        let (filter, account) = (export.filter, export.account_id);
        let after = filter.to.plus(std::time::Duration::from_millis(1));
        let (mut parts, mut before) = (Vec::new(), 0_u64);
        for (kind, up_to) in parts_of(&filter).iter().zip(&export.up_to) {
            let list = kind.list(account);
            let (first, after) = tokio::try_join!(
                lists::first_from(&app.store, &list, *up_to, filter.from),
                lists::first_from(&app.store, &list, *up_to, after)
            )?;
            let count = after.saturating_sub(first);
            parts.push(Part { kind: *kind, list, first, count, before });
            before = before.saturating_add(count);
        }
        Ok(Self { app, filter, account, parts })
    }

    /// How many members it has.
    pub(crate) fn len(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.before.saturating_add(part.count))
    }

    pub(crate) fn columns(&self) -> &'static [&'static str] {
        match self.filter.kind {
            HistoryType::Swap => XCHAIN,
            HistoryType::VirtualMint => VIRTUAL_MINT,
            HistoryType::Refund => REFUND,
            HistoryType::Withdraw | HistoryType::All => MOVEMENTS,
        }
    }

    /// Whether its rows have the columns of movements.
    pub(crate) fn has_movements(&self) -> bool {
        matches!(self.filter.kind, HistoryType::Withdraw | HistoryType::All)
    }

    /// Reads the rows of the members `low` to `high`, inclusive, that match the filter, each with its number.
    /// Deleted rows are left out.
    pub(crate) async fn read(&self, low: u64, high: u64) -> Result<Vec<(u64, Row)>, StoreError> {
        let mut rows = Vec::new();
        for part in &self.parts {
            if let Some(range) = part.range(low, high) {
                let found = self.read_part(part, range).await?;
                rows.extend(found.into_iter().map(|(n, row)| (part.number(n), row)));
            }
        }
        Ok(rows)
    }

    /// Reads the rows of these members of a list, each with its number in the list.
    async fn read_part(
        &self,
        part: &Part,
        range: (u64, u64),
    ) -> Result<Vec<(u64, Row)>, StoreError> {
        let store = &self.app.store;
        match part.kind {
            HistoryPart::Xchain | HistoryPart::Swaps => {
                let members = self.members::<XchainKey>(part, range).await?;
                let keys: Vec<_> =
                    members.iter().map(|member| keys::xchain(member.value)).collect();
                let rows = present(&members, store.get_many::<XchainRecord>(&keys).await?);
                let rows = rows.filter(|(n, record)| {
                    self.is_own(*n, Some(record.account_id)) && self.has(part.kind, record)
                });
                Ok(rows.map(|(n, record)| (n, Row::Xchain(Box::new(record)))).collect())
            }
            HistoryPart::VirtualMint => {
                let members = self.members::<VmTransactionKey>(part, range).await?;
                let members = members.iter().map(|member| (member.n, member.value));
                self.virtual_mint(members.collect()).await
            }
            HistoryPart::Refund => {
                let members = self.members::<Txid>(part, range).await?;
                let members = members.iter().map(|it| (it.n, it.created_at, it.value));
                self.issued(members.collect(), |_| true).await
            }
            HistoryPart::Withdrawals | HistoryPart::Transactions => {
                let members = self.members::<AccountTransaction>(part, range).await?;
                self.transactions(part.kind, &members).await
            }
            HistoryPart::Deposits => {
                let members = self.members::<DepositMember>(part, range).await?;
                let key = |it: &Member<DepositMember>| {
                    keys::deposit(self.account, it.value.txid, it.value.n)
                };
                let keys: Vec<_> = members.iter().map(key).collect();
                let rows = present(&members, store.get_many::<Deposit>(&keys).await?);
                let rows = rows.filter(|(n, row)| self.is_own(*n, Some(row.account_id)));
                Ok(rows.map(|(n, row)| (n, Row::Deposit(Box::new(row)))).collect())
            }
        }
    }

    /// Bitcoin transactions in the order of their list.
    async fn transactions(
        &self,
        part: HistoryPart,
        members: &[Member<AccountTransaction>],
    ) -> Result<Vec<(u64, Row)>, StoreError> {
        let (mut batches, mut others) = (Vec::new(), Vec::new());
        for member in members {
            match (part, member.value) {
                (HistoryPart::Transactions, AccountTransaction::Batch(key)) => {
                    batches.push((member.n, key));
                }
                (_, AccountTransaction::Batch(_)) => {}
                (_, other) => {
                    let txid = other.txid();
                    others.extend(txid.map(|txid| (member.n, member.created_at, txid)));
                }
            }
        }
        let is_withdrawal =
            |work: &Work| matches!(work, Work::Withdraw(_) | Work::XchainWithdraw(_));
        let is_meant = |work: &Work| part == HistoryPart::Transactions || is_withdrawal(work);
        let (batches, others) =
            tokio::try_join!(self.virtual_mint(batches), self.issued(others, is_meant))?;
        let mut rows: Vec<_> = batches.into_iter().chain(others).collect();
        rows.sort_by_key(|(n, _)| *n);
        Ok(rows)
    }

    async fn issued(
        &self,
        members: Vec<(u64, Timestamp, Txid)>,
        is_meant: impl Fn(&Work) -> bool,
    ) -> Result<Vec<(u64, Row)>, StoreError> {
        let keys: Vec<_> = members.iter().map(|(_, _, txid)| keys::transaction(*txid)).collect();
        let found = self.app.store.get_many::<IssuedTransaction>(&keys).await?;
        let rows = members.into_iter().zip(found).filter_map(|((n, at, _), issued)| {
            let issued = issued.filter(|issued| self.is_own(n, issued.account_id))?;
            is_meant(&issued.work).then(|| (n, Row::Issued { issued: Box::new(issued), at }))
        });
        Ok(rows.collect())
    }

    async fn members<T>(&self, part: &Part, range: (u64, u64)) -> Result<Vec<Member<T>>, StoreError>
    where
        T: serde::Serialize + serde::de::DeserializeOwned,
    {
        lists::between(&self.app.store, &part.list, range).await
    }

    async fn virtual_mint(
        &self,
        members: Vec<(u64, VmTransactionKey)>,
    ) -> Result<Vec<(u64, Row)>, StoreError> {
        let store = &self.app.store;
        let keys = members.iter().map(|(_, key)| keys::vm_transaction(*key));
        let keys: Vec<_> = keys.collect();
        let commitments = members.iter().map(|(_, key)| keys::transaction(key.txid));
        let commitments: Vec<_> = commitments.collect();
        let mints: BTreeSet<_> = members.iter().map(|(_, key)| key.mint_id).collect();
        let mints: Vec<_> = mints.into_iter().map(keys::mint).collect();
        let (rows, issued, mints) = tokio::try_join!(
            store.get_many::<VmTransaction>(&keys),
            store.get_many::<IssuedTransaction>(&commitments),
            store.get_many::<Mint>(&mints)
        )?;
        let sent = SentPayouts::read(store, rows.iter().flatten()).await?;
        let mints = mints.into_iter().flatten();
        let tokens: BTreeMap<_, _> =
            mints.map(|mint| (mint.id, mint.tokens_per_request.0)).collect();
        let rows = members.into_iter().zip(rows).zip(issued);
        let rows = rows.filter_map(|(((n, key), vm), issued)| {
            let tokens_per_request = tokens.get(&key.mint_id).copied();
            let fee = issued.map(|issued| issued.fee);
            let vm = vm.filter(|vm| self.is_own(n, Some(vm.account_id)))?;
            let distribution = sent.distribution(&vm);
            let vm = Box::new(vm);
            Some((n, Row::VirtualMint { vm, fee, tokens_per_request, distribution }))
        });
        Ok(rows.collect())
    }

    /// Whether the row belongs to the account (custody rule 13). A list should never contain another row.
    fn is_own(&self, n: u64, of: Option<AccountId>) -> bool {
        let own = of == Some(self.account);
        if !own {
            tracing::error!(account = %self.account, n, "a history lists a row of another account");
        }
        own
    }

    /// Whether the filter includes this cross-chain transaction.
    fn has(&self, part: HistoryPart, record: &XchainRecord) -> bool {
        let withdrawal = record.kind == XchainType::XchainWithdraw;
        if part == HistoryPart::Swaps && withdrawal {
            return false;
        }
        match (self.filter.kind, self.filter.chain) {
            (_, Some(HistoryChain::Bitcoin)) => withdrawal,
            (_, None) => true,
            (_, Some(HistoryChain::Id(id))) => {
                record.src_chain == Some(id) || record.dst_chain == Some(id)
            }
        }
    }
}

impl Row {
    /// Writes the row's cells.
    ///
    /// # Errors
    /// [`WorkError::Row`] if the row is a deposit, which has no columns of its own; [`WorkError::Csv`] if the
    /// sheet refuses it.
    pub(crate) fn write(&self, sheet: &mut Sheet) -> Result<(), WorkError> {
        match self {
            Self::Xchain(record) => Ok(write_xchain(sheet, record)?),
            Self::VirtualMint { vm, fee, tokens_per_request, distribution } => {
                Ok(write_virtual_mint(sheet, vm, *fee, *tokens_per_request, *distribution)?)
            }
            Self::Issued { issued, at } => write_refund(sheet, issued, *at),
            Self::Deposit(_) => Err(ChainError::Damaged("deposits have no columns alone").into()),
        }
    }

    /// Writes the row's cells in the columns of movements.
    ///
    /// # Errors
    /// [`WorkError::Row`] if the row of a transaction is damaged; [`WorkError::Csv`] if the sheet refuses it.
    pub(crate) fn write_movement(&self, sheet: &mut Sheet) -> Result<(), WorkError> {
        let movement = match self {
            Self::Xchain(record) => Movement::of_swap(record),
            Self::VirtualMint { vm, fee, tokens_per_request, distribution } => {
                Movement::of_batch(vm, *fee, *tokens_per_request, *distribution)
            }
            Self::Issued { issued, at } => Movement::of_transaction(issued, *at)?,
            Self::Deposit(deposit) => Movement::of_deposit(deposit),
        };
        Ok(movement.write(sheet)?)
    }
}

/// The cells of a movement: something that left an account, or that the account received.
struct Movement {
    id: String,
    kind: &'static str,
    created_at: Timestamp,
    state: Value,
    txid: String,
    block_height: Option<u32>,
    /// The token that left, and its amount.
    left: Option<(String, String)>,
    withdraw_to: Option<String>,
    fee_sats: Option<u64>,
    /// The token that was received, and its amount.
    received: Option<(String, String)>,
    received_txid: Option<Txid>,
    chains: (Option<u64>, Option<u64>),
    replaces: Option<Txid>,
    replaced_by: Option<Txid>,
}

/// Sats as a token and an amount.
fn btc(sats: u64) -> (String, String) {
    (BitcoinToken::Btc.to_string(), sats.to_string())
}

impl Movement {
    fn new(id: String, kind: &'static str, created_at: Timestamp, state: impl Serialize) -> Self {
        Self {
            txid: id.clone(),
            id,
            kind,
            created_at,
            state: serde_json::to_value(state).unwrap_or_default(),
            block_height: None,
            left: None,
            withdraw_to: None,
            fee_sats: None,
            received: None,
            received_txid: None,
            chains: (None, None),
            replaces: None,
            replaced_by: None,
        }
    }

    fn of_swap(record: &XchainRecord) -> Self {
        let intent = &record.intent;
        let output = intent.output_token.as_ref().zip(intent.min_output_amount);
        let spoke = record.spoke_tx_hash.as_ref().map(ToString::to_string);
        let txid = spoke.unwrap_or_else(|| record.tx_id.clone());
        Self {
            txid,
            left: Some((intent.input_token.to_string(), intent.input_amount.to_string())),
            withdraw_to: Some(record.withdraw_to.clone()),
            received: output.map(|(token, amount)| (token.to_string(), amount.to_string())),
            chains: (record.src_chain, record.dst_chain),
            ..Self::new(record.id.clone(), "swap", record.created_at, record.status)
        }
    }

    fn of_batch(
        vm: &VmTransaction,
        fee: Option<u64>,
        tokens_per_request: Option<u128>,
        distribution: Option<SentIn>,
    ) -> Self {
        let amount = distributed(vm, tokens_per_request).filter(|amount| *amount > 0);
        let rune = |amount: u128| (vm.rune_id.to_string(), amount.to_string());
        Self {
            block_height: vm.confirmation.map(|confirmation| confirmation.height),
            left: Some(btc(vm.paid_sats())),
            fee_sats: fee,
            received: amount.filter(|_| distribution.is_some()).map(rune),
            received_txid: distribution.map(|sent| sent.txid),
            replaces: vm.replaces,
            replaced_by: vm.replaced_by,
            ..Self::new(vm.txid.to_string(), "virtual_mint", vm.created_at, vm.state)
        }
    }

    fn of_transaction(issued: &IssuedTransaction, at: Timestamp) -> Result<Self, WorkError> {
        let refunded = issued.platform_sats.saturating_sub(issued.fee);
        let (kind, left, withdraw_to, received) = match &issued.work {
            Work::Withdraw(it) => {
                let left = (it.token_id.to_string(), it.amount.to_string());
                ("withdraw", Some(left), Some(it.withdraw_to.clone()), None)
            }
            Work::XchainWithdraw(it) => {
                let left = (it.token_id.to_string(), it.amount.to_string());
                ("xchain-withdraw", Some(left), Some(it.withdraw_to.clone()), None)
            }
            Work::RenewUtxo => ("renew-utxo", None, None, None),
            Work::Refund(_) => ("refund", None, None, Some(btc(refunded))),
            Work::VmCommitment(_)
            | Work::VmTransfer(_)
            | Work::VmDistribution(_)
            | Work::PoolSplit(_)
            | Work::PoolCleanup(_) => {
                return Err(ChainError::Damaged("not a transaction of an account").into());
            }
        };
        Ok(Self {
            block_height: issued.block_height,
            left,
            withdraw_to,
            fee_sats: Some(issued.fee),
            received,
            replaces: issued.replaces,
            replaced_by: issued.replaced_by,
            ..Self::new(issued.txid.to_string(), kind, at, issued.state)
        })
    }

    fn of_deposit(deposit: &Deposit) -> Self {
        Self {
            txid: deposit.txid.to_string(),
            block_height: deposit.block_height,
            received: deposit.sats.map(btc),
            ..Self::new(deposit.id(), "deposit", deposit.created_at, deposit.state)
        }
    }

    fn write(self, sheet: &mut Sheet) -> Result<(), csv::Error> {
        let (left, received) = (self.left.unzip(), self.received.unzip());
        sheet.text(&self.id)?;
        sheet.text(self.kind)?;
        sheet.time(self.created_at)?;
        sheet.word(self.state)?;
        sheet.text(&self.txid)?;
        sheet.maybe(self.block_height)?;
        sheet.maybe(left.0)?;
        sheet.maybe(left.1)?;
        sheet.maybe(self.withdraw_to)?;
        sheet.maybe(self.fee_sats)?;
        sheet.maybe(received.0)?;
        sheet.maybe(received.1)?;
        sheet.maybe(self.received_txid)?;
        sheet.maybe(self.chains.0)?;
        sheet.maybe(self.chains.1)?;
        sheet.maybe(self.replaces)?;
        sheet.maybe(self.replaced_by)?;
        sheet.end_row()
    }
}

/// The runes that a batch receives, once their amount is final.
fn distributed(vm: &VmTransaction, tokens_per_request: Option<u128>) -> Option<u128> {
    let requests = vm.settlement.map(|settlement| settlement.distributable_requests)?;
    Some(tokens_per_request?.saturating_mul(u128::from(requests)))
}

fn present<M, T>(members: &[Member<M>], rows: Vec<Option<T>>) -> impl Iterator<Item = (u64, T)> {
    members.iter().zip(rows).filter_map(|(member, row)| Some((member.n, row?)))
}

fn write_xchain(sheet: &mut Sheet, record: &XchainRecord) -> Result<(), csv::Error> {
    sheet.text(&record.id)?;
    sheet.word(record.kind)?;
    sheet.time(record.created_at)?;
    sheet.time(record.updated_at)?;
    sheet.word(record.status)?;
    sheet.text(&record.tx_id)?;
    sheet.maybe(record.intent_tx_hash)?;
    sheet.maybe(record.spoke_tx_hash.as_ref())?;
    sheet.maybe(record.src_chain)?;
    sheet.maybe(record.dst_chain)?;
    sheet.text(&record.user_address)?;
    sheet.text(&record.trading_address)?;
    sheet.text(&record.withdraw_to)?;
    sheet.text(record.intent.input_token.as_str())?;
    sheet.maybe(record.intent.output_token.as_ref())?;
    sheet.show(record.intent.input_amount)?;
    sheet.maybe(record.intent.min_output_amount)?;
    sheet.maybe(record.fill_tx_hash.as_ref())?;
    sheet.maybe(record.failed_at_step.as_ref())?;
    sheet.maybe(record.failure_reason.as_ref())?;
    sheet.end_row()
}

fn write_virtual_mint(
    sheet: &mut Sheet,
    vm: &VmTransaction,
    fee: Option<u64>,
    tokens_per_request: Option<u128>,
    distribution: Option<SentIn>,
) -> Result<(), csv::Error> {
    let distributable = vm.settlement.map(|settlement| settlement.distributable_requests);
    let amount = distributed(vm, tokens_per_request);
    sheet.show(vm.txid)?;
    sheet.time(vm.created_at)?;
    sheet.word(vm.state)?;
    sheet.show(vm.mint_id)?;
    sheet.show(vm.rune_id)?;
    sheet.text(&vm.user_address)?;
    sheet.text(&vm.trading_address)?;
    sheet.maybe(vm.replaces)?;
    sheet.maybe(vm.replaced_by)?;
    sheet.show(vm.requests())?;
    sheet.show(vm.requests_in_blocks())?;
    sheet.show(vm.sats())?;
    sheet.show(vm.paid_sats())?;
    sheet.maybe(fee)?;
    sheet.maybe(vm.confirmation.map(|confirmation| confirmation.height))?;
    sheet.maybe(distributable)?;
    sheet.maybe(amount)?;
    sheet.maybe(distribution.map(|sent| sent.txid))?;
    match distribution {
        Some(sent) => sheet.time(sent.at)?,
        None => sheet.text("")?,
    }
    sheet.show(vm.refundable_sats())?;
    sheet.word(vm.refund_state)?;
    sheet.maybe(vm.refund_txid)?;
    sheet.end_row()
}

fn write_refund(
    sheet: &mut Sheet,
    issued: &IssuedTransaction,
    at: Timestamp,
) -> Result<(), WorkError> {
    let Work::Refund(work) = &issued.work else {
        return Err(ChainError::Damaged("the row has no refund").into());
    };
    let total = issued.platform_sats;
    let list = |ids: Vec<String>| ids.join(" ");
    sheet.show(issued.txid)?;
    sheet.time(at)?;
    sheet.word(issued.state)?;
    sheet.text(&work.user_address)?;
    sheet.text(&list(work.rune_ids.iter().map(ToString::to_string).collect()))?;
    sheet.text(&list(work.transactions.iter().map(|key| key.txid.to_string()).collect()))?;
    sheet.show(total)?;
    sheet.show(issued.fee)?;
    sheet.show(total.saturating_sub(issued.fee))?;
    sheet.maybe(issued.block_height)?;
    sheet.maybe(issued.replaces)?;
    Ok(sheet.end_row()?)
}
