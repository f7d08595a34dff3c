//! New transactions of trading wallets.

use std::collections::BTreeSet;

use bitcoin::{Address, Amount, ScriptBuf, Txid};
use serde_json::Value;
use shared::{
    auth::limits::{self, Limit, TRANSACTION_BY_ACCOUNT, WALLET_BY_ACCOUNT},
    deployment::HubVaultConfig,
    http::{CreatedWith, Error, LiveCaller, OkWith, Problem, Result},
    models::{bitcoin::BitcoinToken, trading_wallet::TradingWallet},
};
use store::Writes;

use super::{
    notes::{Notes, Paid},
    request::{
        CreateTransaction, RenewUtxoParams, WantedAmount, WithdrawParams, XchainWithdrawParams,
    },
};
use crate::{
    BitcoinContext,
    bitcoin::{
        address,
        plan::{Largest, Payment, Plan},
        runes::Rune,
    },
    models::{
        amount::Units,
        fee::{FeeChoice, FeeTarget},
        transaction::{PlainWithdrawal, Work},
        xchain::Withdrawal,
    },
    transactions::{
        self, ChainError, FullTransaction, Goal, IssueRequest, IssuedTransaction, Preview, Remarks,
        RequestDigest, TransactionPreview, UnsignedTransaction,
    },
};

/// Creates a transaction of the caller's trading wallet. The caller has ten minutes to sign it. A withdrawal through the hub
/// that names no recipient pays the vault of the settings, which may be the only recipient.
///
/// # Errors
/// The problem of the request, such as an invalid field; the problem of the [`ChainError`] if the transaction
/// cannot be issued.
pub async fn create(
    app: &BitcoinContext,
    caller: &LiveCaller,
    body: CreateTransaction,
    vault: &HubVaultConfig,
) -> Result<CreatedWith<UnsignedTransaction, Value>> {
    let (wanted, paid) = checked(app, caller, body, vault, TRANSACTION_BY_ACCOUNT).await?;
    let notes = |plan: &Plan, remarks: Remarks| Notes::of(plan, remarks, paid).kept();
    answer(transactions::issue(app, wanted, notes, nothing_else).await?)
}

/// Shows the transaction that [`create`] would create now. It writes nothing but the hit of its limit, which
/// is that of other reads of the wallet: an account that tries many amounts can still sign.
///
/// # Errors
/// As [`create`].
pub async fn preview(
    app: &BitcoinContext,
    caller: &LiveCaller,
    body: CreateTransaction,
    vault: &HubVaultConfig,
) -> Result<OkWith<TransactionPreview, Value>> {
    let (wanted, paid) = checked(app, caller, body, vault, WALLET_BY_ACCOUNT).await?;
    let notes = |plan: &Plan, remarks: Remarks| Notes::of(plan, remarks, paid).kept();
    let Preview { transaction, notes } = transactions::preview(app, wanted, &[], notes).await?;
    Ok(OkWith::new(transaction, notes.ok_or(NO_NOTES)?))
}

const NO_NOTES: ChainError = ChainError::Damaged("a transaction has no notes");

/// Checks a request, counts it against `limit`, and returns what it asks for.
async fn checked<'a>(
    app: &BitcoinContext,
    caller: &'a LiveCaller,
    body: CreateTransaction,
    vault: &HubVaultConfig,
    limit: Limit,
) -> Result<(IssueRequest<'a>, Paid)> {
    match body {
        CreateTransaction::XchainWithdraw(params) => {
            xchain_withdraw(app, caller, params, vault, limit).await
        }
        CreateTransaction::Withdraw(params) => withdraw(app, caller, params, limit).await,
        CreateTransaction::RenewUtxo(params) => renew(app, caller, params, limit).await,
    }
}

/// The refusal of any recipient except the vault, if the operator allows only the vault.
const NOT_THE_VAULT: &str = "must be the hub's vault, hubVault of GET /api/config, or missing";

/// The caller's trading wallet.
pub(super) fn wallet_of(caller: &LiveCaller) -> Result<&TradingWallet> {
    caller.account.trading_wallet.as_ref().ok_or(Error::new(Problem::NoTradingWallet))
}

/// A recipient's address: any but the trading address itself.
fn recipient(app: &BitcoinContext, wallet: &TradingWallet, text: &str) -> Result<Address> {
    address::parse_recipient(text, app.network)
        .and_then(|to| match to.script_pubkey() == wallet.descriptor.script_pubkey() {
            true => Err("is the trading address itself"),
            false => Ok(to),
        })
        .map_err(|error| Error::field("params.withdrawTo", error))
}

/// The rune with this id.
async fn rune(app: &BitcoinContext, id: ordinals::RuneId) -> Result<Rune, ChainError> {
    let rune = app.ord.rune(id).await?.ok_or(ChainError::RuneUnknown)?;
    Ok(Rune { id, name: rune.entry.spaced_rune })
}

/// The payment of an amount of a token.
pub(super) async fn payment(
    app: &BitcoinContext,
    token: BitcoinToken,
    amount: Units,
    to: ScriptBuf,
) -> Result<Payment, ChainError> {
    match token {
        BitcoinToken::Btc => {
            let sats = u64::try_from(amount.0).map_or(Amount::MAX_MONEY, Amount::from_sat);
            Ok(Payment::Btc { sats: sats.min(Amount::MAX_MONEY), to })
        }
        BitcoinToken::Rune(id) => {
            Ok(Payment::Rune { rune: rune(app, id).await?, amount: amount.0, to })
        }
    }
}

pub(super) fn paid(token: BitcoinToken, amount: Units) -> Paid {
    match token {
        BitcoinToken::Btc => Paid::Sats(amount),
        BitcoinToken::Rune(_) => Paid::Rune(amount),
    }
}

async fn withdraw<'a>(
    app: &BitcoinContext,
    caller: &'a LiveCaller,
    params: WithdrawParams,
    limit: Limit,
) -> Result<(IssueRequest<'a>, Paid)> {
    let wallet = wallet_of(caller)?;
    let to = recipient(app, wallet, &params.withdraw_to)?;
    if let Some(address) = &params.user_address {
        caller.own_or_earlier_address(app.network, address)?;
    }
    limits::hit(app, limit, &caller.account.id.to_string()).await?;

    let (token_id, script) = (params.token_id, to.script_pubkey());
    let (goal, amount) = match (params.amount, token_id) {
        (WantedAmount::Exactly(amount), _) => {
            (Goal::Pay(vec![payment(app, token_id, amount, script).await?]), amount)
        }
        (WantedAmount::Max, BitcoinToken::Btc) => {
            (Goal::PayMost(Largest::Btc { to: script }), Units(0))
        }
        (WantedAmount::Max, BitcoinToken::Rune(id)) => {
            let rune = rune(app, id).await?;
            (Goal::PayMost(Largest::Rune { rune, to: script }), Units(0))
        }
    };
    let work = Work::Withdraw(PlainWithdrawal { token_id, amount, withdraw_to: to.to_string() });
    let fee_target = params.fee_target.unwrap_or_default();
    let is_max = params.amount == WantedAmount::Max;
    let wanted = IssueRequest {
        account: caller.account.id,
        request: RequestDigest::of("withdraw", &(&work, is_max, fee_target))?,
        wallet,
        work,
        goal,
        fee: FeeChoice::Target(fee_target),
        commitment: None,
        replaces: None,
        anchor: None,
        least_blocks_left: 0,
    };
    Ok((wanted, paid(token_id, amount)))
}

/// The answer with a transaction to sign, and the notes that were kept with it.
pub(super) fn answer(issued: FullTransaction) -> Result<CreatedWith<UnsignedTransaction, Value>> {
    let notes = issued.body.notes.clone();
    let notes = notes.ok_or(NO_NOTES)?;
    Ok(CreatedWith::new(UnsignedTransaction::from_issued(issued)?, notes))
}

async fn renew<'a>(
    app: &BitcoinContext,
    caller: &'a LiveCaller,
    params: RenewUtxoParams,
    limit: Limit,
) -> Result<(IssueRequest<'a>, Paid)> {
    let wallet = wallet_of(caller)?;
    limits::hit(app, limit, &caller.account.id.to_string()).await?;
    let fee_target = params.fee_target.unwrap_or_default();
    // The order of the coins makes no difference.
    let coins = params.tx_id_vouts.as_ref().map(|coins| coins.iter().collect::<BTreeSet<_>>());
    let request = RequestDigest::of("renew-utxo", &(coins, fee_target))?;
    let wanted = IssueRequest {
        account: caller.account.id,
        request,
        wallet,
        work: Work::RenewUtxo,
        goal: Goal::Renew(params.tx_id_vouts),
        fee: FeeChoice::Target(fee_target),
        commitment: None,
        replaces: None,
        anchor: None,
        least_blocks_left: 0,
    };
    Ok((wanted, Paid::Nobody))
}

/// No rows in addition to those of the transaction.
pub(super) fn nothing_else(
    _: &IssuedTransaction,
    _: &Plan,
) -> Result<Writes<transactions::Refusal>, ChainError> {
    Ok(Writes::new())
}

async fn xchain_withdraw<'a>(
    app: &BitcoinContext,
    caller: &'a LiveCaller,
    params: XchainWithdrawParams,
    vault: &HubVaultConfig,
    limit: Limit,
) -> Result<(IssueRequest<'a>, Paid)> {
    let wallet = wallet_of(caller)?;
    let named = params.withdraw_to.or_else(|| vault.vault.as_ref().map(ToString::to_string));
    let named = named.ok_or_else(|| Error::field("params.withdrawTo", "is required"))?;
    let to = recipient(app, wallet, &named)?;
    if !vault.allows(&to) {
        return Err(Error::field("params.withdrawTo", NOT_THE_VAULT));
    }
    limits::hit(app, limit, &caller.account.id.to_string()).await?;

    let (token_id, amount) = (params.token_id, params.amount);
    let payment = payment(app, token_id, amount, to.script_pubkey()).await?;
    let commitment = params.xchain_data.commitment();
    let sign_in_wallet = caller.account.wallet.as_ref();
    let withdrawal = Withdrawal {
        token_id,
        amount,
        withdraw_to: to.to_string(),
        xchain_data: params.xchain_data,
        user_address: sign_in_wallet.map_or(&wallet.address, |wallet| &wallet.address).clone(),
    };
    let replaced = match params.replace_tx_id {
        Some(txid) => Some(replaceable(app, caller, txid, &withdrawal).await?),
        None => None,
    };
    let least_blocks_left = match &replaced {
        Some(replaced) => transactions::blocks_left_to_replace(app, replaced).await?,
        None => 0,
    };
    let has_commitment = token_id == BitcoinToken::Btc || app.second_op_return;
    let work = Work::XchainWithdraw(withdrawal);
    let wanted = IssueRequest {
        account: caller.account.id,
        request: RequestDigest::of("xchain-withdraw", &(&work, params.replace_tx_id))?,
        wallet,
        work,
        goal: Goal::Pay(vec![payment]),
        fee: FeeChoice::Target(FeeTarget::Normal),
        commitment: has_commitment.then_some(commitment),
        replaces: replaced,
        anchor: None,
        least_blocks_left,
    };
    Ok((wanted, paid(token_id, amount)))
}

/// The caller's withdrawal to replace: the newest version of the one named.
async fn replaceable(
    app: &BitcoinContext,
    caller: &LiveCaller,
    txid: Txid,
    by: &Withdrawal,
) -> Result<IssuedTransaction> {
    let is_own = |issued: &IssuedTransaction| {
        issued.account_id == Some(caller.account.id)
            && matches!(issued.work, Work::XchainWithdraw(_))
    };
    let issued = transactions::load(app, txid).await?.filter(is_own);
    let newest = transactions::newest_version(app, issued.ok_or(ChainError::NotIssued)?).await?;
    if transactions::may_replace_withdrawal(app, &newest, by).await? {
        Ok(newest)
    } else {
        Err(Error::new(Problem::NotReplaceable))
    }
}
