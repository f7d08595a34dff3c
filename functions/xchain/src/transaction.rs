//! `POST /api/xchain/transaction`.

use axum::{extract::State, response::Response};
use bitcoin::{Amount, Txid};
use chain::{
    bitcoin::{
        address,
        coins::LeftAside,
        plan::{Payment, Plan},
        runes::Rune,
    },
    models::{
        amount::Units,
        transaction::Work,
        xchain::{LONGEST_DATA, Withdrawal, XchainData},
    },
    transactions::{
        self, ChainError, IssueRequest, IssuedTransaction, Remarks, UnsignedTransaction,
    },
};
use serde::{Deserialize, Serialize};
use shared::{
    auth::limits::{self, TRANSACTION_BY_ACCOUNT},
    http::{
        CreatedWith, Error, Fields, IdempotencyHeader, Idempotent, Input, LiveCaller, Problem,
        Result,
    },
    models::bitcoin::BitcoinToken,
    store::Writes,
};
use utoipa::ToSchema;

use crate::app::App;

/// The kind of transaction.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TransactionType {
    /// A withdrawal from the trading address.
    XchainWithdraw,
}

/// Request body for a new transaction.
#[derive(Debug, ToSchema)]
pub struct CreateTransaction {
    r#type: TransactionType,
    params: WithdrawParams,
}

/// Parameters of a withdrawal.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct WithdrawParams {
    /// In the smallest unit; at least 1.
    amount: Units,
    /// The token: a rune id, or `0:0` for BTC.
    token_id: BitcoinToken,
    /// The recipient: a Bitcoin address, not the caller's trading address.
    #[schema(max_length = 128)]
    withdraw_to: String,
    /// Instructions for the hub, hex, at most 8 KiB.
    xchain_data: XchainData,
    /// The caller's unconfirmed withdrawal that this one replaces at the current fee rate. Once the hub may
    /// know that withdrawal, all other parameters must be identical.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    replace_tx_id: Option<Txid>,
}

impl Input for CreateTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (r#type, params) = (fields.required("type"), fields.object("params"));
        Some(Self { r#type: r#type?, params: params? })
    }
}

impl Input for WithdrawParams {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        const LONGEST_HEX: usize = LONGEST_DATA * 2 + "0x".len();
        let amount = match fields.parsed("amount", 39) {
            Some(Units(0)) => fields.wrong("amount", "must be at least 1"),
            amount => amount,
        };
        let token_id = fields.parsed("tokenId", 31);
        let withdraw_to = fields.text("withdrawTo", 128);
        let xchain_data = fields.parsed("xchainData", LONGEST_HEX);
        let replace_tx_id = fields.optional_parsed("replaceTxId", 64);
        Some(Self {
            amount: amount?,
            token_id: token_id?,
            withdraw_to: withdraw_to?,
            xchain_data: xchain_data?,
            replace_tx_id: replace_tx_id?,
        })
    }
}

/// A reason to review the transaction before signing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Warning {
    /// The fee is more than a tenth of the amount.
    FeeShareHigh,
    /// Coins of the transaction will soon be spendable by the user alone; they are spent first.
    CoinsExpireSoon,
    /// No current fee estimate is available; the rate is the last one, at most six hours old.
    FeeRateStale,
}

/// Information that accompanies a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notes {
    /// Reasons to review the transaction before signing.
    warnings: Vec<Warning>,
    /// Blocks until the user alone can spend the first of the coins.
    expires_in_blocks: u32,
    /// Coins of the trading address that the transaction could not spend.
    coins_left_aside: LeftAside,
}

/// Creates a withdrawal from the caller's trading address. The caller has ten minutes to sign it.
///
/// It spends no inscription and no rune other than the one withdrawn; other runes of the same coins return to
/// the trading address. An OP_RETURN holds the SHA-256 of `xchainData`; for runes only if the deployment
/// enables it.
///
/// With `replaceTxId` it replaces a withdrawal that waits in the mempool or that the network has refused for
/// half an hour (BIP 125). It spends a coin of that withdrawal, so only one of the two can confirm.
#[utoipa::path(
    post,
    path = "/api/xchain/transaction",
    tag = "xchain",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = CreateTransaction,
    responses((
        status = 201,
        description = "The transaction to sign",
        body = CreatedWith<UnsignedTransaction, Notes>
    ))
)]
pub async fn create_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<CreateTransaction>,
) -> Result<Response> {
    let work = async |body| create(&app, &caller, body).await;
    request.once(&app, caller.account.id, work).await
}

async fn create(
    app: &App,
    caller: &LiveCaller,
    body: CreateTransaction,
) -> Result<CreatedWith<UnsignedTransaction, Notes>> {
    let CreateTransaction { r#type: TransactionType::XchainWithdraw, params } = body;
    let wallet = caller.account.trading_wallet.as_ref();
    let wallet = wallet.ok_or(Error::new(Problem::NoTradingWallet))?;
    let to = address::parse_recipient(&params.withdraw_to, app.network)
        .and_then(|to| match to.to_string() == wallet.address {
            true => Err("is the trading address itself"),
            false => Ok(to),
        })
        .map_err(|error| Error::field("params.withdrawTo", error))?;
    limits::hit(app, TRANSACTION_BY_ACCOUNT, &caller.account.id.to_string()).await?;

    let script = to.script_pubkey();
    let (payment, plain) = match params.token_id {
        BitcoinToken::Btc => {
            let sats = u64::try_from(params.amount.0).map_or(Amount::MAX_MONEY, Amount::from_sat);
            let sats = sats.min(Amount::MAX_MONEY);
            (Payment::Btc { sats, to: script }, true)
        }
        BitcoinToken::Rune(id) => {
            let rune = app.ord.rune(id).await.map_err(ChainError::from)?;
            let name = rune.ok_or(ChainError::RuneUnknown)?.entry.spaced_rune;
            let rune = Rune { id, name };
            (Payment::Rune { rune, amount: params.amount.0, to: script }, false)
        }
    };
    let commitment = params.xchain_data.commitment();
    let withdrawal = Withdrawal {
        token_id: params.token_id,
        amount: params.amount,
        withdraw_to: to.to_string(),
        xchain_data: params.xchain_data,
    };
    let replaced = match params.replace_tx_id {
        Some(txid) => Some(replaceable(app, caller, txid, &withdrawal).await?),
        None => None,
    };
    let least_blocks_left = match &replaced {
        Some(replaced) => transactions::blocks_left_to_replace(app, replaced).await?,
        None => 0,
    };
    let wanted = IssueRequest {
        account: caller.account.id,
        wallet,
        work: Work::XchainWithdraw(withdrawal),
        payments: vec![payment],
        commitment: (plain || app.second_op_return).then_some(commitment),
        replaces: replaced.as_ref(),
        anchor: None,
        least_blocks_left,
    };
    let nothing_else = |_: &_, _: &_| Ok(Writes::new());
    let (issued, plan, remarks) = transactions::issue(app, wanted, nothing_else).await?;
    let notes = notes(&plan, remarks, plain.then_some(params.amount));
    Ok(CreatedWith::new(UnsignedTransaction::from_issued(issued)?, notes))
}

/// The caller's withdrawal to replace: the newest version of the one named.
async fn replaceable(
    app: &App,
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

fn notes(plan: &Plan, remarks: Remarks, sats: Option<Units>) -> Notes {
    let fee = u128::from(plan.fee.to_sat());
    let high = sats.is_some_and(|sats| fee.saturating_mul(10) > sats.0);
    let expiring = plan.inputs.iter().any(|coin| coin.is_expiring());
    let warnings = [
        (high, Warning::FeeShareHigh),
        (expiring, Warning::CoinsExpireSoon),
        (remarks.is_fee_rate_stale, Warning::FeeRateStale),
    ];
    Notes {
        warnings: warnings
            .into_iter()
            .filter_map(|(holds, warning)| holds.then_some(warning))
            .collect(),
        expires_in_blocks: plan
            .inputs
            .iter()
            .filter_map(|coin| coin.expires_in)
            .min()
            .unwrap_or_default(),
        coins_left_aside: remarks.left_aside,
    }
}
