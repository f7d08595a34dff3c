//! Replaces an unconfirmed transaction of a trading wallet: a withdrawal or renewal by one with a higher fee,
//! a batch by its cancellation.

use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use shared::{
    auth::limits::{self, TRANSACTION_BY_ACCOUNT},
    fees::{FeeRates, in_sat_per_vb, parse_rate},
    http::{CreatedWith, Error, Fields, Input, LiveCaller, Params, Problem, Result},
};
use utoipa::ToSchema;

use super::{
    create::{answer, nothing_else, paid, payment, wallet_of},
    notes::{Notes, Paid, TransactionWarningKind},
};
use crate::{
    BitcoinContext,
    bitcoin::{
        address,
        plan::{Payment, Plan, PlanError},
    },
    mints,
    models::{
        amount::Units,
        fee::{FeeChoice, FeeTarget},
        mint::MintState,
        transaction::{Commitment, TransactionState, Work},
        vm_transaction::{VmState, VmTransactionKey},
    },
    transactions::{
        self, ChainError, FullTransaction, Goal, IssueRequest, IssuedTransaction, Remarks,
        RequestDigest, UnsignedTransaction,
    },
};

/// The kind of a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Replacement {
    /// The same transaction at a higher fee.
    Bump,
    /// A transaction that returns its coins to the trading address.
    Cancel,
}

/// Request body of a replacement.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ReplaceTransaction {
    action: Replacement,
    /// How fast the replacement should confirm; `normal` by default. It always pays more than the transaction
    /// that it replaces.
    fee_target: Option<FeeTarget>,
    /// Instead of `feeTarget`: the fee rate in sat/vB, within `fees.range` of `GET /api/config`. If the network
    /// requires a higher fee of a replacement (BIP 125), the replacement pays what the network requires.
    #[schema(value_type = Option<f64>, exclusive_minimum = 0, example = 12.5)]
    fee_rate: Option<Number>,
}

impl Input for ReplaceTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (action, fee_target) =
            (fields.required("action"), fields.optional_parsed("feeTarget", 16));
        let fee_rate = match (&fee_target, fields.optional("feeRate")) {
            (Some(Some(_)), Some(Some(_))) => fields.wrong("feeRate", "goes without feeTarget"),
            (_, fee_rate) => fee_rate,
        };
        Some(Self { action: action?, fee_target: fee_target?, fee_rate: fee_rate? })
    }
}

/// Creates the replacement of the caller's withdrawal or renewal, or the cancellation of a batch whose mint has
/// ended without it. The caller has ten minutes to sign it. The same request returns the same replacement; a
/// different one ends an earlier replacement that was not signed.
///
/// # Errors
/// [`ChainError::NotFound`] if the account has no such transaction; [`Problem::NotReplaceable`] if it cannot
/// be replaced now; the [`ChainError`] of the new version if that cannot be issued.
pub async fn replace(
    app: &BitcoinContext,
    caller: &LiveCaller,
    txid: Txid,
    body: ReplaceTransaction,
) -> Result<CreatedWith<UnsignedTransaction, Value>> {
    let wallet = wallet_of(caller)?;
    let fee = fee_of(&body, &app.fees.rates)?;
    limits::hit(app, TRANSACTION_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let issued = transactions::load_own(app, caller.account.id, txid).await?;
    let newest = transactions::newest_version(app, issued).await?;
    if !waits(&newest) {
        return Err(Error::new(Problem::NotReplaceable));
    }
    let (work, goal, paid) = match (body.action, &newest.work) {
        (Replacement::Bump, Work::Withdraw(withdrawal)) => {
            let to = address::parse_recipient(&withdrawal.withdraw_to, app.network)
                .map_err(|_| ChainError::Damaged("a withdrawal has no recipient"))?;
            let (token, amount) = (withdrawal.token_id, withdrawal.amount);
            let payment = payment(app, token, amount, to.script_pubkey()).await?;
            (newest.work.clone(), Goal::Pay(vec![payment]), paid(token, amount))
        }
        (Replacement::Bump, Work::RenewUtxo) => {
            let coins = transactions::body(app, newest.txid).await?.inputs;
            (Work::RenewUtxo, Goal::Renew(Some(coins)), Paid::Nobody)
        }
        (Replacement::Cancel, Work::Withdraw(_) | Work::RenewUtxo) => {
            (Work::RenewUtxo, Goal::Renew(None), Paid::Nobody)
        }
        (Replacement::Cancel, Work::VmCommitment(commitment))
            if is_left_over(app, newest.txid, commitment).await? =>
        {
            (Work::RenewUtxo, Goal::Renew(None), Paid::Nobody)
        }
        _ => return Err(Error::new(Problem::NotReplaceable)),
    };
    let content = (newest.txid, body.action, body.fee_target.unwrap_or_default(), &body.fee_rate);
    let wanted = IssueRequest {
        account: caller.account.id,
        request: RequestDigest::of("replace", &content)?,
        wallet,
        work,
        goal,
        fee,
        commitment: None,
        replaces: Some(newest.clone()),
        anchor: None,
        least_blocks_left: 0,
    };
    let notes = |plan: &Plan, remarks: Remarks| Notes::of(plan, remarks, paid).kept();
    let issued = match transactions::issue(app, wanted.clone(), notes, nothing_else).await {
        Ok(issued) => issued,
        Err(error) => match lowered(app, &newest, wanted, &error).await? {
            Some(lowered) => lowered,
            None => return Err(short_of(body.action, error)),
        },
    };
    answer(issued)
}

/// Whether a batch waits for a block although its mint has ended: if a block has it after all, it is refunded.
/// Before that, a further batch replaces it.
async fn is_left_over(app: &BitcoinContext, txid: Txid, commitment: &Commitment) -> Result<bool> {
    let key = VmTransactionKey { mint_id: commitment.mint_id, txid };
    let (mint, batch) = tokio::try_join!(
        mints::mint(&app.store, commitment.mint_id),
        mints::vm_transaction(&app.store, key)
    )?;
    let has_ended = mint.is_some_and(|mint| mint.state != MintState::Open);
    Ok(has_ended
        && batch.is_some_and(|batch| {
            let waits = matches!(
                batch.state,
                VmState::Broadcasting | VmState::AllInMempool | VmState::NotTaken
            );
            waits && batch.confirmation.is_none()
        }))
}

/// A bump that lowers the amount, if no coin pays the higher fee of a withdrawal of BTC that has no change. The
/// owner signs it, so nothing is lost. `None` where a lower amount does not help.
async fn lowered(
    app: &BitcoinContext,
    replaced: &IssuedTransaction,
    wanted: IssueRequest<'_>,
    error: &ChainError,
) -> Result<Option<FullTransaction>> {
    if !is_short(error) {
        return Ok(None);
    }
    let Goal::Pay(payments) = &wanted.goal else { return Ok(None) };
    let [Payment::Btc { to, .. }] = payments.as_slice() else { return Ok(None) };
    let body = transactions::body(app, replaced.txid).await?;
    if !body.unsigned()?.output.iter().all(|output| output.script_pubkey == *to) {
        return Ok(None);
    }
    let goal = Goal::PayRest { to: to.clone(), coins: body.inputs };
    let notes = |plan: &Plan, remarks: Remarks| {
        Notes::of(plan, remarks, Paid::Sats(Units(0)))
            .warning(TransactionWarningKind::AmountLowered)
            .kept()
    };
    let wanted = IssueRequest { goal, ..wanted };
    match transactions::issue(app, wanted, notes, nothing_else).await {
        Ok(issued) => Ok(Some(issued)),
        Err(error) if is_short(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether further sats would help.
fn is_short(error: &ChainError) -> bool {
    matches!(error, ChainError::CoinsReserved { .. })
        || matches!(failed_plan(error), Some(PlanError::InsufficientBtc { .. }))
}

/// The planning error, if planning failed.
fn failed_plan(error: &ChainError) -> Option<&PlanError> {
    match error {
        ChainError::Plan(PlanError::Short { error, .. }) => Some(error.as_ref()),
        ChainError::Plan(error) => Some(error),
        _ => None,
    }
}

/// The error of a bump whose higher fee no coin can pay.
fn short_of(action: Replacement, error: ChainError) -> Error {
    match (action, failed_plan(&error)) {
        (Replacement::Bump, Some(PlanError::InsufficientBtc { needed, available })) => {
            let missing = needed.checked_sub(*available).unwrap_or_default().to_sat();
            let details = format!(
                "The higher fee takes {missing} sats more than its coins and the free ones hold. Send sats to the \
                 trading address and wait for a block, or cancel the transaction."
            );
            let params = Params::new().number("missing", missing);
            Error::with_details(Problem::InsufficientBtc, details).with_params(params)
        }
        _ => error.into(),
    }
}

/// How the fee rate of a replacement is chosen.
fn fee_of(body: &ReplaceTransaction, allowed: &FeeRates) -> Result<FeeChoice> {
    let Some(rate) = &body.fee_rate else { return Ok(body.fee_target.into()) };
    let rate = parse_rate(&rate.to_string());
    match rate.filter(|rate| (allowed.lowest..=allowed.highest).contains(rate)) {
        Some(rate) => Ok(FeeChoice::Rate(rate)),
        None => {
            let [lowest, highest] = [allowed.lowest, allowed.highest].map(in_sat_per_vb);
            let message = format!("must be a decimal number of {lowest} to {highest} sat/vB");
            Err(Error::field("feeRate", message))
        }
    }
}

/// Whether it waits in the mempool, or the network has refused it for half an hour.
fn waits(issued: &IssuedTransaction) -> bool {
    match issued.state {
        TransactionState::InMempool => true,
        TransactionState::Broadcasting => issued.can_be_replaced(),
        _ => false,
    }
}
