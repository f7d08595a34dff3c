//! `GET /api/support/search`.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    keys,
    mints::{Mint, Payout},
    models::{
        mint::MintId,
        transaction::Work,
        vm_transaction::PayoutKey,
        xchain::{IntentHash, TxHash, XchainKey, XchainRecord},
    },
    transactions::IssuedTransaction,
    xchain::XchainPointer,
};
use outbox::exports::Export;
use serde::Serialize;
use shared::{
    accounts::{self, AddressUse, UniqueOwner},
    auth::limits,
    http::{Fields, Input, OkWith, Query, Result},
    models::{
        account::{Account, AccountId},
        email::EmailAddress,
        export::ExportId,
        wallet::{AddressText, WalletAddress},
    },
};
use store::{
    Store, StoreError,
    lists::{self, Order, PageWindow},
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    reader::{Reader, SupportReadKind},
    secrets::secret_in,
    stuck::payout_state,
    text::name_of,
};

/// The longest text to search for, in characters.
const LONGEST: usize = 200;
/// The shortest address of a chain whose addresses have no known form.
const SHORTEST: usize = 20;
/// The most cross-chain transactions of an address, or registrations of a swap, in the answer.
const MOST_OF_KIND: usize = 10;
/// The registrations of a swap among which those that the hub has confirmed come first. Anyone may register
/// any swap.
const MOST_COMPARED: u64 = 100;

/// Query of a search.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// An e-mail address; the id of an account, a mint, an export, a distribution or a request; a wallet address of
    /// any chain; the hash of a transaction or an intent.
    #[param(min_length = 1, max_length = 200, example = "ann@example.com")]
    q: String,
}

impl Input for SearchQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let q = fields.text("q", LONGEST)?;
        match q.trim() {
            "" => fields.wrong("q", "must not be empty"),
            q => match secret_in(q) {
                Some(secret) => fields.wrong(
                    "q",
                    format!(
                        "looks like {secret}. It was neither searched for nor kept. Its owner should replace it, because others have seen it"
                    ),
                ),
                None => Some(Self { q: q.to_owned() }),
            },
        }
    }
}

/// A form that a text can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SearchForm {
    /// An e-mail address.
    Email,
    /// The id of an account, a mint or an export.
    Uuid,
    /// A wallet address.
    Address,
    /// The hash of a transaction or an intent.
    Hash,
    /// The id of a distribution or of another payout: that of its mint, `-` and its number.
    PayoutId,
    /// The id of a request. Only the logs know it.
    RequestId,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FoundKind {
    /// An account.
    Account,
    /// A withdrawal or a renewal.
    Transaction,
    /// A batch of requests of a mint.
    Batch,
    /// A refund.
    Refund,
    /// A transaction of the platform: of payouts, or of the pool.
    Payout,
    /// A swap, or a withdrawal through the hub.
    CrossChain,
    /// A mint.
    Mint,
    /// An export.
    Export,
}

/// By what it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FoundBy {
    /// The e-mail address of the account.
    Email,
    /// The id of the account.
    AccountId,
    /// The sign-in wallet of the account.
    SignInWallet,
    /// An address that the account has linked.
    LinkedAddress,
    /// The sign-in wallet of the account before a rotation.
    RetiredAddress,
    /// The trading address of the account.
    TradingAddress,
    /// The address that pays, is paid or started it.
    RelatedAddress,
    /// The id of the Bitcoin transaction.
    TxId,
    /// The hash of the intent.
    IntentHash,
    /// The transaction on the source chain.
    SourceTx,
    /// The id of the mint.
    MintId,
    /// The id of the export.
    ExportId,
    /// The id of the payout.
    PayoutId,
}

/// Something that a search has found.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportHit {
    kind: FoundKind,
    /// Its id, as other endpoints take it.
    id: String,
    /// The account that it belongs to; null for what belongs to the platform.
    #[schema(required = true)]
    account_id: Option<AccountId>,
    /// The e-mail address of that account.
    #[schema(required = true)]
    email: Option<EmailAddress>,
    found_by: FoundBy,
    /// Whether the hub's record of a cross-chain transaction says the same; null for everything else. Anyone may
    /// register a swap under any hash, so one that is not verified proves nothing.
    #[schema(required = true)]
    verified: Option<bool>,
    /// Its state or status.
    state: String,
    /// When it was created, ms since the epoch.
    created_at: Timestamp,
}

/// How the text was understood.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchMeta {
    /// The forms that the text has.
    forms: Vec<SearchForm>,
    /// The query for CloudWatch Logs Insights that finds the text as the id of a request, in all log groups of the
    /// stack; null if it is no such id.
    #[schema(required = true)]
    logs_query: Option<String>,
}

/// Finds accounts, transactions and other things by a text. Admins only.
///
/// The answer is empty if nothing has this address, id or hash. Of cross-chain transactions, those that the hub has
/// confirmed come first. A text that is clearly a private key, a seed phrase or a token is refused. Nothing indexes the ids of requests, except for the
/// entries in audit trails; the answer then contains the query that finds them in the logs. Deposits are in the
/// list of their account.
#[utoipa::path(
    get,
    path = "/api/support/search",
    tag = "support",
    security(("bearer" = [])),
    params(SearchQuery),
    responses((status = 200, description = "What was found", body = OkWith<Vec<SupportHit>, SearchMeta>))
)]
pub async fn search_support(
    State(app): State<App>,
    reader: Reader,
    Query(SearchQuery { q }): Query<SearchQuery>,
) -> Result<OkWith<Vec<SupportHit>, SearchMeta>> {
    let store = &app.store;
    let terms = Terms::of(&q, &app);
    let mut hits = Vec::new();
    if let Some(email) = &terms.email {
        hits.extend(by_email(store, email).await?);
    }
    if let Some(id) = terms.id {
        hits.extend(by_id(store, id).await?);
    }
    if let Some(payout) = terms.payout {
        hits.extend(by_payout(store, payout).await?);
    }
    if terms.wallet.is_some() || terms.address.is_some() {
        hits.extend(by_address(store, terms.wallet.as_ref(), terms.address.as_ref()).await?);
    }
    if let Some(hash) = &terms.hash {
        hits.extend(by_hash(store, hash).await?);
    }
    let owners: BTreeSet<_> = hits.iter().filter_map(|hit| hit.account_id).collect();
    add_emails(store, &owners, &mut hits).await?;
    let (forms, logs_query) = (terms.forms(), terms.logs_query());
    let query = terms.recorded(q, !hits.is_empty());
    reader.record_with(&app, SupportReadKind::Search, owners, query).await?;
    Ok(OkWith::all(hits, SearchMeta { forms, logs_query }))
}

/// What a text can be.
#[derive(Debug, Default)]
struct Terms {
    email: Option<EmailAddress>,
    id: Option<Uuid>,
    payout: Option<PayoutKey>,
    wallet: Option<WalletAddress>,
    address: Option<AddressText>,
    hash: Option<TxHash>,
    request: Option<String>,
    /// Whether no form is certain: what consists of letters and digits may be an address.
    is_guess: bool,
}

impl Terms {
    fn of(text: &str, app: &App) -> Self {
        let email = text.parse::<EmailAddress>().ok();
        let id = text.parse::<AccountId>().ok().map(|id| id.0);
        let payout = payout_key(text);
        if email.is_some() || payout.is_some() {
            return Self { email, payout, ..Self::default() };
        }
        if id.is_some() {
            // Without a gateway, as in the local world, the ids of requests are UUIDs too.
            return Self { id, request: Some(text.to_owned()), ..Self::default() };
        }
        let hash = text.parse::<TxHash>().ok();
        let wallet = WalletAddress::infer(text, app.network).ok();
        let is_bitcoin = text
            .parse::<bitcoin::Address<_>>()
            .is_ok_and(|address| address.is_valid_for_network(app.network));
        // Addresses of some chains have the form of a hash with `0x`, and those of others no form that is known
        // here, such as `cx` and 40 digits.
        let is_certain = wallet.is_some() || is_bitcoin;
        let is_plain = text.len() >= SHORTEST && text.bytes().all(|it| it.is_ascii_alphanumeric());
        let is_address = is_certain || (is_plain && text.parse::<Txid>().is_err());
        let address = text.parse::<AddressText>().ok().filter(|_| is_address);
        let request = is_request_id(text).then(|| text.to_owned());
        let is_guess = !is_certain && hash.is_none() && request.is_none();
        Self { wallet, address, hash, request, is_guess, ..Self::default() }
    }

    fn forms(&self) -> Vec<SearchForm> {
        let forms = [
            (self.email.is_some(), SearchForm::Email),
            (self.id.is_some(), SearchForm::Uuid),
            (self.address.is_some(), SearchForm::Address),
            (self.hash.is_some(), SearchForm::Hash),
            (self.payout.is_some(), SearchForm::PayoutId),
            (self.request.is_some(), SearchForm::RequestId),
        ];
        forms.into_iter().filter_map(|(is_so, form)| is_so.then_some(form)).collect()
    }

    /// The text as the record of reads keeps it. A text that finds something is not a secret. Otherwise an
    /// unrecognised text may be a password that was pasted by mistake, so it is not kept. A hash may be a
    /// private key, so the record has only its digest, which still shows whether a given hash was searched
    /// for.
    fn recorded(&self, text: String, is_found: bool) -> Option<String> {
        if is_found {
            return Some(text);
        }
        if self.is_guess || self.forms().is_empty() {
            return None;
        }
        match &self.hash {
            Some(_) => Some(format!("sha256:{}", limits::subject_of_name(&text))),
            None => Some(text),
        }
    }

    /// The saved query `request` of the stack, with the id filled in.
    fn logs_query(&self) -> Option<String> {
        let id = self.request.as_ref()?;
        Some(format!(
            "filter request_id = \"{id}\"\n\
             | fields @timestamp, @log, method, route, status, code, cause, duration_us, account, error, \
             integration_status, integration_error, ms\n\
             | sort @timestamp asc"
        ))
    }
}

/// The id of a distribution as answers show it, `vmDistributionId`.
fn payout_key(text: &str) -> Option<PayoutKey> {
    let (mint, number) = text.rsplit_once('-')?;
    Some(PayoutKey { mint_id: mint.parse().ok()?, number: number.parse().ok()? })
}

/// Whether a text can be the id that the gateway gives to a request: 11 bytes in base64. A key is longer.
fn is_request_id(text: &str) -> bool {
    let is_letter =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    let letters = text.strip_suffix('=');
    letters.is_some_and(|it| (8..=19).contains(&it.len()) && it.bytes().all(is_letter))
}

impl SupportHit {
    fn of_account(account: &Account, found_by: FoundBy) -> Self {
        Self {
            kind: FoundKind::Account,
            id: account.id.to_string(),
            account_id: Some(account.id),
            email: None,
            found_by,
            verified: None,
            state: name_of(account.status),
            created_at: account.created_at,
        }
    }

    fn of_transaction(issued: &IssuedTransaction) -> Self {
        let kind = match &issued.work {
            Work::Withdraw(_) | Work::XchainWithdraw(_) | Work::RenewUtxo => FoundKind::Transaction,
            Work::VmCommitment(_) => FoundKind::Batch,
            Work::Refund(_) => FoundKind::Refund,
            Work::VmTransfer(_)
            | Work::VmDistribution(_)
            | Work::PoolSplit(_)
            | Work::PoolCleanup(_) => FoundKind::Payout,
        };
        Self {
            kind,
            id: issued.txid.to_string(),
            account_id: issued.account_id,
            email: None,
            found_by: FoundBy::TxId,
            verified: None,
            state: name_of(issued.state),
            created_at: issued.created_at,
        }
    }

    fn of_xchain(record: &XchainRecord, found_by: FoundBy) -> Self {
        Self {
            kind: FoundKind::CrossChain,
            id: record.tx_id.clone(),
            account_id: Some(record.account_id),
            email: None,
            found_by,
            verified: Some(record.verified),
            state: name_of(record.status),
            created_at: record.created_at,
        }
    }

    /// The first registrations, without repetitions: those that the hub has confirmed, then the others.
    fn of_registrations(records: Vec<XchainRecord>, found_by: FoundBy) -> Vec<Self> {
        let mut seen = BTreeSet::new();
        let (verified, others): (Vec<_>, Vec<_>) = records
            .into_iter()
            .filter(|record| seen.insert((record.account_id, record.tx_id.clone())))
            .partition(|record| record.verified);
        let first = verified.iter().chain(&others).take(MOST_OF_KIND);
        first.map(|record| Self::of_xchain(record, found_by)).collect()
    }
}

async fn by_email(store: &Store, email: &EmailAddress) -> Result<Vec<SupportHit>, StoreError> {
    let owner = accounts::email_owner(store, email).await?;
    account_hit(store, owner.map(|owner| (owner.account_id, FoundBy::Email))).await
}

async fn account_hit(
    store: &Store,
    found: Option<(AccountId, FoundBy)>,
) -> Result<Vec<SupportHit>, StoreError> {
    let Some((id, by)) = found else { return Ok(Vec::new()) };
    let account = accounts::get(store, id).await?;
    Ok(account.iter().map(|account| SupportHit::of_account(account, by)).collect())
}

async fn by_id(store: &Store, id: Uuid) -> Result<Vec<SupportHit>, StoreError> {
    let (export, mint) = (keys::export(ExportId(id)), keys::mint(MintId(id)));
    let (account, mint, export) = tokio::try_join!(
        accounts::get(store, AccountId(id)),
        store.get::<Mint>(&mint),
        store.get::<Export>(&export),
    )?;
    let account = account.iter().map(|it| SupportHit::of_account(it, FoundBy::AccountId));
    let mint = mint.map(|mint| SupportHit {
        kind: FoundKind::Mint,
        id: mint.id.to_string(),
        account_id: None,
        email: None,
        found_by: FoundBy::MintId,
        verified: None,
        state: name_of(mint.state),
        created_at: mint.created_at,
    });
    let export = export.map(|export| SupportHit {
        kind: FoundKind::Export,
        id: export.id.to_string(),
        account_id: Some(export.account_id),
        email: None,
        found_by: FoundBy::ExportId,
        verified: None,
        state: name_of(export.status_at(store.now())),
        created_at: export.created_at,
    });
    Ok(account.chain(mint).chain(export).collect())
}

async fn by_payout(store: &Store, key: PayoutKey) -> Result<Option<SupportHit>, StoreError> {
    let payout = store.get::<Payout>(&keys::payout(key)).await?;
    Ok(payout.map(|payout| SupportHit {
        kind: FoundKind::Payout,
        id: format!("{}-{}", payout.mint_id, payout.number),
        account_id: None,
        email: None,
        found_by: FoundBy::PayoutId,
        verified: None,
        state: name_of(payout_state(&payout)),
        created_at: payout.created_at,
    }))
}

/// The account that has an address, and cross-chain transactions that name it: of the newest, those that the hub has
/// confirmed first.
async fn by_address(
    store: &Store,
    wallet: Option<&WalletAddress>,
    address: Option<&AddressText>,
) -> Result<Vec<SupportHit>, StoreError> {
    let owner = async {
        let Some(wallet) = wallet else { return Ok(Vec::new()) };
        let found = accounts::owner(store, wallet).await?.map(|owner| {
            let by = match owner.usage {
                AddressUse::SignIn => FoundBy::SignInWallet,
                AddressUse::Linked => FoundBy::LinkedAddress,
                AddressUse::Retired => FoundBy::RetiredAddress,
            };
            (owner.account_id, by)
        });
        account_hit(store, found).await
    };
    let trading = async {
        let Some(address) = address else { return Ok(Vec::new()) };
        // Trading addresses are bech32, in lowercase.
        let key = keys::trading_address(&address.as_str().to_ascii_lowercase());
        let owner = store.get::<UniqueOwner>(&key).await?;
        account_hit(store, owner.map(|it| (it.account_id, FoundBy::TradingAddress))).await
    };
    let related = async {
        let Some(address) = address else { return Ok(Vec::new()) };
        let list = keys::lists::xchain_by_address(address.as_str());
        let window = PageWindow { page: 1, size: MOST_COMPARED };
        let newest = lists::page::<XchainKey>(store, &list, window, Order::NewestFirst, None);
        let keys: Vec<_> =
            newest.await?.members.into_iter().map(|member| keys::xchain(member.value)).collect();
        let records = store.get_many::<XchainRecord>(&keys).await?.into_iter().flatten();
        let hits = SupportHit::of_registrations(records.collect(), FoundBy::RelatedAddress);
        Ok::<Vec<_>, StoreError>(hits)
    };
    let (owner, trading, related) = tokio::try_join!(owner, trading, related)?;
    Ok(owner.into_iter().chain(trading).chain(related).collect())
}

/// The transaction with a hash, on whatever chain. Several accounts may have registered a swap: the first of them is
/// the one that the hub has confirmed first, to which the hashes lead.
async fn by_hash(store: &Store, hash: &TxHash) -> Result<Vec<SupportHit>, StoreError> {
    let own = async {
        let (Ok(txid), Ok(intent)) =
            (hash.digits().parse::<Txid>(), hash.digits().parse::<IntentHash>())
        else {
            return Ok(Vec::new());
        };
        let (transaction, withdrawal) = (keys::transaction(txid), keys::xchain_withdrawal(txid));
        let (low, high) = keys::xchain_swaps(intent);
        let (issued, withdrawal, confirmed, others) = tokio::try_join!(
            store.get::<IssuedTransaction>(&transaction),
            store.get::<XchainRecord>(&withdrawal),
            async {
                let pointer = store.get(&keys::xchain_verified(intent)).await?;
                registrations(store, pointer.into_iter().collect()).await
            },
            store.range::<XchainRecord>((&low, &high), true, Some(MOST_OF_KIND)),
        )?;
        let issued = issued.iter().map(SupportHit::of_transaction);
        let withdrawal = withdrawal.iter().map(|it| SupportHit::of_xchain(it, FoundBy::TxId));
        let swaps = confirmed.into_iter().chain(others).collect();
        let swaps = SupportHit::of_registrations(swaps, FoundBy::IntentHash);
        Ok::<Vec<_>, StoreError>(issued.chain(withdrawal).chain(swaps).collect())
    };
    let by_source = async {
        let (low, high) = keys::xchain_spokes(hash, None);
        let (first, last) = keys::xchain_spokes_of_all(hash);
        let (confirmed, others) = tokio::try_join!(
            store.range::<XchainPointer>((&low, &high), true, Some(MOST_OF_KIND)),
            store.range::<XchainPointer>((&first, &last), true, Some(MOST_OF_KIND)),
        )?;
        let pointers = confirmed.into_iter().chain(others).collect();
        let swaps = registrations(store, pointers).await?;
        Ok::<Vec<_>, StoreError>(SupportHit::of_registrations(swaps, FoundBy::SourceTx))
    };
    let (own, by_source) = tokio::try_join!(own, by_source)?;
    Ok(own.into_iter().chain(by_source).collect())
}

/// The registrations that pointers lead to, in the same order and once each.
async fn registrations(
    store: &Store,
    pointers: Vec<XchainPointer>,
) -> Result<Vec<XchainRecord>, StoreError> {
    let mut wanted = Vec::with_capacity(pointers.len());
    for pointer in pointers {
        let key = keys::xchain(pointer.key);
        if !wanted.contains(&key) {
            wanted.push(key);
        }
    }
    Ok(store.get_many::<XchainRecord>(&wanted).await?.into_iter().flatten().collect())
}

/// Adds to each hit the e-mail address of its account.
async fn add_emails(
    store: &Store,
    owners: &BTreeSet<AccountId>,
    hits: &mut [SupportHit],
) -> Result<(), StoreError> {
    let keys: Vec<_> = owners.iter().map(|owner| keys::account(*owner)).collect();
    let accounts = store.get_many::<Account>(&keys).await?.into_iter().flatten();
    let emails: BTreeMap<_, _> = accounts.map(|account| (account.id, account.email)).collect();
    for hit in hits {
        let email = hit.account_id.and_then(|owner| emails.get(&owner));
        hit.email = email.cloned().flatten();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_of_the_gateway_are_ids_of_requests() {
        for (text, is_id) in [
            ("JKJaXmPLvHcESHA=", true),
            ("e7Nb-hZ_oAMEPxA=", true),
            ("JKJaXmPLvHcESHA", false),
            ("bm90IGFuIGlkLCBhIGtleQ==", false),
            ("bm90IGFuIGlkLCBhIGxvbmcga2V5IQ=", false),
            ("ann@example.com=", false),
            ("a=", false),
            ("filter x | y =", false),
            ("JKJaXm\"PLvHcESHA=", false),
            ("", false),
        ] {
            assert_eq!(is_request_id(text), is_id, "{text}");
        }
    }

    #[test]
    fn a_distribution_is_named_by_its_mint_and_its_number() {
        let mint = "018bcfe5-6800-7000-8000-000000000002";
        assert_eq!(payout_key(&format!("{mint}-12")).map(|key| key.number), Some(12));
        for text in [mint, "", "-", "x-1", &format!("{mint}-"), &format!("{mint}-x")] {
            assert_eq!(payout_key(text), None, "{text}");
        }
    }
}
