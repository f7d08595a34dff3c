//! `POST /api/perp-venue/deposit`.

use alloy::primitives::{Address, Bytes, U256, uint};
use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    http::{AreaError, Error, LiveCaller, OkWith, Problem, Result, extract::Valid},
    models::usdc::Usdc,
    perp_venue::{ChainState, Misconfigured, Question, approve, deposit as deposit_data},
};
use utoipa::ToSchema;

use crate::{
    VenueMetaData, VenueWarning, VenueWarningKind,
    transfer::{PAUSE, VenueTransfer},
    wallet,
};

/// Gas that both transactions use together, rounded up well.
const GAS: U256 = uint!(300_000_U256);
/// What deposits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    /// The contract of USDC, on the venue's EVM chain.
    #[schema(example = "0xb88339CB7199b77E23DB6E890353E22632Ba630f")]
    usdc_token: String,
    /// The contract that takes deposits. Call it, never transfer to it: USDC that is transferred to it is
    /// lost.
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
    #[schema(min_items = 2, max_items = 2)]
    txs: [EvmTransaction; 2],
}

/// A transaction without nonce, gas and signature, which are its sender's to add.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvmTransaction {
    /// The chain that it is good on (EIP-155).
    #[schema(example = 999)]
    chain_id: u64,
    /// The contract that it calls, with the checksum of EIP-55.
    to: String,
    /// What it is called with, 0x and hex.
    #[schema(pattern = "^0x([0-9a-f]{2})+$")]
    data: String,
    /// Wei that it pays: `0x0`.
    #[schema(value_type = String, example = "0x0")]
    value: &'static str,
}

impl EvmTransaction {
    fn new(chain_id: u64, to: Address, data: &Bytes) -> Self {
        Self { chain_id, to: to.to_checksum(None), data: data.to_string(), value: "0x0" }
    }
}

/// Why a deposit would fail, or be lost.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DepositError {
    /// The settings are wrong.
    #[error(transparent)]
    Misconfigured(#[from] Misconfigured),
    /// The contract takes none.
    #[error("USDC does not move to the venue now.")]
    Paused,
    /// What it owns at the venue it could not move.
    #[error("The wallet is a contract: it cannot sign what the venue wants signed.")]
    ContractWallet,
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
            Self::Misconfigured(_) => Problem::Unavailable,
            Self::Paused => Problem::PerpVenuePaused,
            Self::ContractWallet => Problem::PerpVenueContractWallet,
            Self::InsufficientUsdc(_) => Problem::PerpVenueInsufficientUsdc,
            Self::BelowActivationFee(_) => Problem::PerpVenueAmountBelowActivationFee,
        }
    }

    fn retry_after(&self) -> Option<u64> {
        matches!(self, Self::Paused).then_some(PAUSE)
    }
}

impl DepositError {
    /// For a client, and the field that it is about.
    fn named(self) -> Error {
        let field = match self {
            Self::Misconfigured(_) | Self::Paused => None,
            Self::ContractWallet => Some("userAddress"),
            Self::InsufficientUsdc(_) | Self::BelowActivationFee(_) => Some("amount"),
        };
        let error = Error::from(self);
        match field {
            Some(field) => error.naming(field),
            None => error,
        }
    }
}

/// The two transactions that deposit USDC from a wallet's address on the venue's EVM chain into its
/// account at the venue.
///
/// The client signs both, and broadcasts them by `eth_sendRawTransaction` to `rpcUrl`: the approval,
/// then the deposit. What would fail is refused, as far as the chain can be asked; where it cannot,
/// `metaData.checks` is `unavailable` and the transactions are answered all the same. Where the chain
/// contradicts the settings of the service there are none: 503. The gas of the deposit cannot be
/// estimated before the approval is mined: 300,000 is enough. Nothing is kept: `Idempotency-Key` is
/// ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/deposit",
    operation_id = "perp_venue_deposit",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = VenueTransfer,
    responses((
        status = 200,
        description = "The transactions, in the order in which they are sent",
        body = OkWith<Deposit, VenueMetaData>
    ))
)]
pub async fn deposit(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<VenueTransfer>,
) -> Result<OkWith<Deposit, VenueMetaData>> {
    let wallet = request.user_address.owned_by(&app, &caller)?;
    let amount = request.amount.get();
    wallet::count(&app, &caller).await?;
    let (state, facts) = tokio::join!(
        app.perp_venue.chain_state(wallet),
        app.perp_venue.facts(wallet, &[Question::BuilderFee]),
    );
    let state = state.map_err(DepositError::from)?;
    let warnings = check(&state, amount).map_err(DepositError::named)?;
    let venue = &app.config.perp_venue;
    let transaction = |to, data: Bytes| EvmTransaction::new(venue.chain_id, to, &data);
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
    let known = everything_known(&state);
    Ok(OkWith::new(deposit, VenueMetaData::of(&facts, venue.builder_fee, known, warnings)))
}

/// Whether everything is known that a deposit is checked by.
fn everything_known(state: &ChainState) -> bool {
    let activation = state.account_exists == Some(true) || state.activation_fee.is_some();
    state.usdc_balance.is_some()
        && state.paused.is_some()
        && state.is_contract.is_some()
        && state.account_exists.is_some()
        && state.arrives_in_perps.is_some()
        && activation
        && state.native_balance.is_some()
        && state.gas_price.is_some()
}

/// Refuses what would fail, as far as is known; else answers what is to be known before.
fn check(state: &ChainState, amount: Usdc) -> Result<Vec<VenueWarning>, DepositError> {
    if state.paused == Some(true) {
        return Err(DepositError::Paused);
    }
    if state.is_contract == Some(true) {
        return Err(DepositError::ContractWallet);
    }
    if let Some(balance) = state.usdc_balance.filter(|balance| *balance < amount) {
        return Err(DepositError::InsufficientUsdc(balance));
    }
    let mut warnings = Vec::new();
    if let Some((balance, price)) = state.native_balance.zip(state.gas_price)
        && balance < price.saturating_mul(GAS)
    {
        let message = "The wallet may not have enough of the chain's own coin to pay for both \
                       transactions.";
        warnings.push(VenueWarning::new(VenueWarningKind::LowGas, message, None));
    }
    if state.arrives_in_perps == Some(false) {
        let message = "The venue credits the spot balance, not that of perpetuals.";
        warnings.push(VenueWarning::new(VenueWarningKind::CreditedToSpot, message, None));
    }
    if state.account_exists != Some(false) {
        return Ok(warnings);
    }
    // The contract keeps its fee of what it forwards; of anything else the venue takes its own.
    let fee = match state.arrives_in_perps {
        Some(false) => state.activation_fee.map(|fee| fee.max(Usdc::ONE)),
        _ => state.activation_fee,
    };
    let Some(fee) = fee else {
        let message = "The first deposit pays for the activation of the account, 1 USDC as a rule.";
        warnings.push(VenueWarning::new(VenueWarningKind::ActivationFee, message, None));
        return Ok(warnings);
    };
    if fee > Usdc::default() {
        if amount <= fee {
            return Err(DepositError::BelowActivationFee(fee));
        }
        let net = amount.saturating_sub(fee);
        let message =
            format!("The first deposit pays {fee} USDC for the activation of the account.");
        warnings.push(VenueWarning::new(VenueWarningKind::ActivationFee, message, Some(fee)));
        let message = format!("The account is credited with {net} USDC.");
        warnings.push(VenueWarning::new(VenueWarningKind::NetCredited, message, Some(net)));
    }
    Ok(warnings)
}
