//! Histories: which rows of an account's lists go into a file, and what its columns contain.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::Txid;
use chain::{
    keys,
    mints::{Mint, SentIn, SentPayouts, VmTransaction},
    models::{
        transaction::Work,
        vm_transaction::VmTransactionKey,
        xchain::{XchainKey, XchainRecord, XchainType},
    },
    transactions::{ChainError, IssuedTransaction},
};
use shared::{
    clock::Timestamp,
    exports::{Export, list_of},
    models::{
        account::AccountId,
        export::{HistoryChain, HistoryFilter, HistoryType},
    },
    store::{
        StoreError,
        keys::List,
        lists::{self, Member},
    },
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
    "networkFeeSats",
    "blockHeight",
    "distributableRequests",
    "distributableAmount",
    "distributeRuneTxId",
    "distributeRuneAt",
    "refundableSats",
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
    "refundedSats",
    "networkFeeSats",
    "receivedSats",
    "blockHeight",
    "replaceTxId",
];

/// The part of a history that an export covers.
pub(crate) struct History<'a> {
    app: &'a App,
    filter: HistoryFilter,
    account: AccountId,
    list: Option<List>,
    up_to: u64,
}

/// A row of a history.
pub(crate) enum Row {
    /// A cross-chain transaction.
    Xchain(Box<XchainRecord>),
    /// A VM transaction.
    VirtualMint {
        vm: Box<VmTransaction>,
        /// Value of its commitment output, in sats.
        fee: Option<u64>,
        /// Tokens per request of its mint, in the rune's smallest unit.
        tokens_per_request: Option<u128>,
        /// The transaction that sent its runes.
        distribution: Option<SentIn>,
    },
    /// A refund.
    Refund {
        issued: Box<IssuedTransaction>,
        /// When it was signed, and so entered the history.
        at: Timestamp,
    },
}

impl<'a> History<'a> {
    pub(crate) fn of(app: &'a App, export: &Export) -> Self {
        let list = list_of(export.account_id, &export.filter);
        let (filter, account, up_to) = (export.filter, export.account_id, export.up_to);
        Self { app, filter, account, list, up_to }
    }

    pub(crate) fn columns(&self) -> &'static [&'static str] {
        match self.filter.kind {
            HistoryType::Swap | HistoryType::Withdraw => XCHAIN,
            HistoryType::VirtualMint => VIRTUAL_MINT,
            HistoryType::Refund => REFUND,
        }
    }

    /// The numbers of the first and last list member in the time range. If there is none, the last number is
    /// lower than the first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn range(&self) -> Result<(u64, u64), StoreError> {
        let Some(list) = &self.list else { return Ok((1, 0)) };
        let (store, up_to) = (&self.app.store, self.up_to);
        let HistoryFilter { from, to, .. } = self.filter;
        let after = to.plus(std::time::Duration::from_millis(1));
        let (first, after) = tokio::try_join!(
            lists::first_from(store, list, up_to, from),
            lists::first_from(store, list, up_to, after)
        )?;
        Ok((first, after.saturating_sub(1)))
    }

    /// Reads the rows of the members `low` to `high`, inclusive, that match the filter, each with its number.
    /// Deleted rows are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn read(&self, low: u64, high: u64) -> Result<Vec<(u64, Row)>, StoreError> {
        let store = &self.app.store;
        match self.filter.kind {
            HistoryType::Swap | HistoryType::Withdraw => {
                let members = self.members::<XchainKey>(low, high).await?;
                let keys: Vec<_> =
                    members.iter().map(|member| keys::xchain(member.value)).collect();
                let rows = present(&members, store.get_many::<XchainRecord>(&keys).await?);
                let rows = rows.filter(|(n, record)| {
                    self.is_own(*n, Some(record.account_id)) && self.has(record)
                });
                Ok(rows.map(|(n, record)| (n, Row::Xchain(Box::new(record)))).collect())
            }
            HistoryType::VirtualMint => {
                let members = self.members::<VmTransactionKey>(low, high).await?;
                self.virtual_mint(&members).await
            }
            HistoryType::Refund => {
                let members = self.members::<Txid>(low, high).await?;
                let keys = members.iter().map(|member| keys::transaction(member.value));
                let keys: Vec<_> = keys.collect();
                let found = store.get_many::<IssuedTransaction>(&keys).await?;
                let rows = members.iter().zip(found).filter_map(|(member, issued)| {
                    let (n, at) = (member.n, member.created_at);
                    let issued = issued.filter(|issued| self.is_own(n, issued.account_id))?;
                    Some((n, Row::Refund { issued: Box::new(issued), at }))
                });
                Ok(rows.collect())
            }
        }
    }

    async fn members<T>(&self, low: u64, high: u64) -> Result<Vec<Member<T>>, StoreError>
    where
        T: serde::Serialize + serde::de::DeserializeOwned,
    {
        match &self.list {
            Some(list) => lists::between(&self.app.store, list, (low, high)).await,
            None => Ok(Vec::new()),
        }
    }

    async fn virtual_mint(
        &self,
        members: &[Member<VmTransactionKey>],
    ) -> Result<Vec<(u64, Row)>, StoreError> {
        let store = &self.app.store;
        let keys = members.iter().map(|member| keys::vm_transaction(member.value));
        let keys: Vec<_> = keys.collect();
        let commitments = members.iter().map(|member| keys::transaction(member.value.txid));
        let commitments: Vec<_> = commitments.collect();
        let mints: BTreeSet<_> = members.iter().map(|member| member.value.mint_id).collect();
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
        let rows = members.iter().zip(rows).zip(issued).filter_map(|((member, vm), issued)| {
            let tokens_per_request = tokens.get(&member.value.mint_id).copied();
            let fee = issued.map(|issued| issued.fee);
            let vm = vm.filter(|vm| self.is_own(member.n, Some(vm.account_id)))?;
            let distribution = sent.distribution(&vm);
            let vm = Box::new(vm);
            Some((member.n, Row::VirtualMint { vm, fee, tokens_per_request, distribution }))
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
    fn has(&self, record: &XchainRecord) -> bool {
        let withdrawal = record.kind == XchainType::XchainWithdraw;
        match (self.filter.kind, self.filter.chain) {
            (HistoryType::Withdraw, _) | (_, Some(HistoryChain::Bitcoin)) => withdrawal,
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
    /// [`WorkError`]: the row is damaged.
    pub(crate) fn write(&self, sheet: &mut Sheet) -> Result<(), WorkError> {
        match self {
            Self::Xchain(record) => Ok(write_xchain(sheet, record)?),
            Self::VirtualMint { vm, fee, tokens_per_request, distribution } => {
                Ok(write_virtual_mint(sheet, vm, *fee, *tokens_per_request, *distribution)?)
            }
            Self::Refund { issued, at } => write_refund(sheet, issued, *at),
        }
    }
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
    let amount = tokens_per_request
        .zip(distributable)
        .map(|(tokens, requests)| tokens.saturating_mul(u128::from(requests)));
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
    let refunded = issued.platform_sats;
    let list = |ids: Vec<String>| ids.join(" ");
    sheet.show(issued.txid)?;
    sheet.time(at)?;
    sheet.word(issued.state)?;
    sheet.text(&work.user_address)?;
    sheet.text(&list(work.rune_ids.iter().map(ToString::to_string).collect()))?;
    sheet.text(&list(work.transactions.iter().map(|key| key.txid.to_string()).collect()))?;
    sheet.show(refunded)?;
    sheet.show(issued.fee)?;
    sheet.show(refunded.saturating_sub(issued.fee))?;
    sheet.maybe(issued.block_height)?;
    sheet.maybe(issued.replaces)?;
    Ok(sheet.end_row()?)
}
