//! `POST /api/perp-venue/deposit`.

use alloy::primitives::{Address, Bytes, U256};
use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    http::{AreaError, Fields, Input, LiveCaller, OkWith, Problem, Result, extract::Valid},
    models::usdc::Usdc,
    perp_venue::{ChainState, Question, approve, deposit as deposit_data},
};
use utoipa::ToSchema;

use crate::{EvmWallet, VenueMetaData, Warning, WarningKind};

/// Gas that both transactions use together, rounded up well.
const GAS: U256 = alloy::primitives::uint!(300_000_U256);

/// The longest text of an amount that is looked at.
pub(crate) const LONGEST_AMOUNT: usize = 40;

/// How much is to be deposited.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RequestDeposit {
    /// The wallet that pays, signs, and owns the position: one of the account's own.
    #[schema(value_type = String, example = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")]
    user_address: EvmWallet,
    /// In USDC: digits, and at most 6 decimals; more than 0.
    amount: Usdc,
}

impl Input for RequestDeposit {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let user_address = fields.parsed("userAddress", 128);
        let amount = fields.parsed("amount", LONGEST_AMOUNT);
        Some(Self { user_address: user_address?, amount: amount? })
    }
}

/// What deposits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    /// The contract of USDC, on the venue's EVM chain.
    #[schema(example = "0xb88339CB7199b77E23DB6E890353E22632Ba630f")]
    usdc_token: String,
    /// The contract that takes deposits. USDC that is transferred to it is lost: it is called.
    #[schema(example = "0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24")]
    deposit_contract: String,
    /// JSON-RPC of the venue's EVM chain.
    rpc_url: String,
    /// The wallet.
    #[schema(example = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")]
    from: String,
    /// In USDC, without needless zeros.
    amount: Usdc,
    /// The approval of exactly the amount, and the deposit, which uses it up. Both are sent, in this
    /// order, with consecutive nonces, at every deposit.
    txs: [UnsignedTransaction; 2],
}

/// A transaction without nonce, gas and signature, which are its sender's to add.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsignedTransaction {
    /// The chain that it is good on (EIP-155).
    #[schema(example = 999)]
    chain_id: u64,
    /// The contract that it calls, with the checksum of EIP-55.
    to: String,
    /// What it is called with, 0x and hex.
    data: String,
    /// Wei that it pays: `0x0`.
    #[schema(value_type = String, example = "0x0")]
    value: &'static str,
}

impl UnsignedTransaction {
    fn new(chain_id: u64, to: Address, data: &Bytes) -> Self {
        Self { chain_id, to: to.to_checksum(None), data: data.to_string(), value: "0x0" }
    }
}

/// Why a deposit would fail.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DepositError {
    /// The contract takes none.
    #[error("The venue takes no deposits now.")]
    Paused,
    /// The wallet has less.
    #[error("The wallet has {0} USDC on the venue's EVM chain.")]
    InsufficientUsdc(Usdc),
    /// It is the first one of an account, and not more than the fee.
    #[error("The first deposit has to be more than the {0} USDC that activate the account.")]
    BelowActivationFee(Usdc),
}

impl AreaError for DepositError {
    fn problem(&self) -> Problem {
        match self {
            Self::Paused => Problem::PerpVenuePaused,
            Self::InsufficientUsdc(_) => Problem::PerpVenueInsufficientUsdc,
            Self::BelowActivationFee(_) => Problem::PerpVenueAmountBelowActivationFee,
        }
    }
}

/// The two transactions that deposit USDC from a wallet's address on the venue's EVM chain into its
/// account at the venue.
///
/// The client signs both, and broadcasts them by `eth_sendRawTransaction` to `rpcUrl`: the approval,
/// then the deposit. What would fail is refused, as far as the chain can be asked; where it cannot,
/// `metaData.checks` is `unavailable` and the transactions are answered all the same. Nothing is
/// kept: `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/deposit",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = RequestDeposit,
    responses((
        status = 200,
        description = "The transactions, in the order in which they are sent",
        body = OkWith<Deposit, VenueMetaData>
    ))
)]
pub async fn deposit(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<RequestDeposit>,
) -> Result<OkWith<Deposit, VenueMetaData>> {
    let (wallet, amount) = (request.user_address.of(&app, &caller).await?, request.amount);
    let (state, facts) = tokio::join!(
        app.perp_venue.chain_state(wallet),
        app.perp_venue.facts(wallet, &[Question::BuilderFee]),
    );
    let warnings = check(&state, amount)?;
    let venue = &app.config.perp_venue;
    let transaction = |to, data: Bytes| UnsignedTransaction::new(venue.chain_id, to, &data);
    let deposit = Deposit {
        usdc_token: venue.usdc.to_checksum(None),
        deposit_contract: venue.deposit_contract.to_checksum(None),
        rpc_url: venue.rpc_url.clone(),
        from: wallet.to_checksum(None),
        amount,
        txs: [
            transaction(venue.usdc, approve(venue.deposit_contract, amount)),
            transaction(venue.deposit_contract, deposit_data(amount)),
        ],
    };
    let meta_data = VenueMetaData::of(&facts, venue.builder_fee, is_told(&state), warnings);
    Ok(OkWith::new(deposit, meta_data))
}

/// Whether everything is known that a deposit is checked by.
fn is_told(state: &ChainState) -> bool {
    state.usdc.is_some()
        && state.paused.is_some()
        && state.exists.is_some()
        && state.gas.is_some()
        && state.gas_price.is_some()
}

/// Refuses what would fail, as far as is known; else answers what is to be known before.
fn check(state: &ChainState, amount: Usdc) -> Result<Vec<Warning>, DepositError> {
    if state.paused == Some(true) {
        return Err(DepositError::Paused);
    }
    if let Some(balance) = state.usdc.filter(|balance| *balance < amount) {
        return Err(DepositError::InsufficientUsdc(balance));
    }
    let mut warnings = Vec::new();
    if let Some((gas, price)) = state.gas.zip(state.gas_price)
        && gas < price.saturating_mul(GAS)
    {
        let message = "The wallet may not have enough of the chain's own coin to pay for both \
                       transactions.";
        warnings.push(Warning::new(WarningKind::LowGas, message, None));
    }
    // What the contract has always taken, where it does not say.
    let fee = state.activation_fee.unwrap_or(Usdc::ONE);
    if state.exists == Some(false) && fee > Usdc::default() {
        if amount <= fee {
            return Err(DepositError::BelowActivationFee(fee));
        }
        let net = amount.saturating_sub(fee);
        let message =
            format!("The first deposit pays {fee} USDC for the activation of the account.");
        warnings.push(Warning::new(WarningKind::ActivationFee, message, Some(fee)));
        let message = format!("The account is credited with {net} USDC.");
        warnings.push(Warning::new(WarningKind::NetCredited, message, Some(net)));
    }
    Ok(warnings)
}
