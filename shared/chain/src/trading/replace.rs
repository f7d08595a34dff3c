//! Replaces an unconfirmed withdrawal or renewal of a trading wallet: at a higher fee, or by nothing.

use bitcoin::Txid;
use serde::Deserialize;
use shared::{
    auth::limits::{self, TRANSACTION_BY_ACCOUNT},
    http::{CreatedWith, Error, Fields, Input, LiveCaller, Problem, Result},
};
use utoipa::ToSchema;

use super::{
    create::{nothing_else, paid, payment, wallet_of},
    notes::{Notes, Paid},
};
use crate::{
    Chain,
    bitcoin::address,
    models::{
        fee::FeeTarget,
        transaction::{TransactionState, Work},
    },
    transactions::{self, ChainError, Goal, IssueRequest, IssuedTransaction, UnsignedTransaction},
};

/// What replaces a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Replacement {
    /// The same at a higher fee.
    Bump,
    /// A transaction that returns its coins to the trading address.
    Cancel,
}

/// Request body of a replacement.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ReplaceTransaction {
    action: Replacement,
    /// How fast the replacement should confirm; `normal` by default. It pays more than what it replaces in any
    /// case.
    fee_target: Option<FeeTarget>,
}

impl Input for ReplaceTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (action, fee_target) =
            (fields.required("action"), fields.optional_parsed("feeTarget", 16));
        Some(Self { action: action?, fee_target: fee_target? })
    }
}

/// Creates the replacement of the caller's withdrawal or renewal. The caller has ten minutes to sign it.
///
/// # Errors
/// [`ChainError::NotFound`]; [`Problem::NotReplaceable`]; [`ChainError`] if it cannot be issued.
pub async fn replace(
    app: &Chain,
    caller: &LiveCaller,
    txid: Txid,
    body: ReplaceTransaction,
) -> Result<CreatedWith<UnsignedTransaction, Notes>> {
    let wallet = wallet_of(caller)?;
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
        _ => return Err(Error::new(Problem::NotReplaceable)),
    };
    let wanted = IssueRequest {
        account: caller.account.id,
        wallet,
        work,
        goal,
        fee_target: body.fee_target.unwrap_or_default(),
        commitment: None,
        replaces: Some(&newest),
        anchor: None,
        least_blocks_left: 0,
    };
    let (issued, plan, remarks) = transactions::issue(app, wanted, nothing_else).await?;
    let notes = Notes::of(&plan, remarks, paid);
    Ok(CreatedWith::new(UnsignedTransaction::from_issued(issued)?, notes))
}

/// Whether it waits in the mempool, or the network has refused it for half an hour.
fn waits(issued: &IssuedTransaction) -> bool {
    match issued.state {
        TransactionState::InMempool => true,
        TransactionState::Broadcasting => issued.can_be_replaced(),
        _ => false,
    }
}
