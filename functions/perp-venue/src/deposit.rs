//! `POST /api/perp-venue/deposit`.

use alloy::primitives::{Address, Bytes, U256, uint};
use axum::extract::State;
use serde::Serialize;
use shared::http::{AsProblem, Error, LiveCaller, OkWith, Params, Problem, Result, extract::Valid};
use utoipa::ToSchema;

use crate::{
    VenueMetaData, VenueWarning, VenueWarningKind,
    app::App,
    transfer::{PAUSE, VenueTransfer},
    venue::{ChainState, Misconfigured, Question, approve, deposit as deposit_data, usdc::Usdc},
    wallet,
};

/// Gas that both transactions use together, with a generous margin.
const GAS: U256 = uint!(300_000_U256);
/// A deposit to sign and send.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    /// The USDC contract on the venue's EVM chain, with its EIP-55 checksum.
    #[schema(example = "0xb88339CB7199b77E23DB6E890353E22632Ba630f")]
    usdc_token: String,
    /// The contract that accepts deposits, with its EIP-55 checksum. Call it and never transfer to it: USDC
    /// sent by a plain transfer is lost.
    #[schema(example = "0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24")]
    deposit_contract: String,
    /// JSON-RPC endpoint of the venue's EVM chain.
    rpc_url: String,
    /// The wallet that deposits, with its EIP-55 checksum.
    #[schema(example = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")]
    from: String,
    /// In USDC, without trailing zeros.
    amount: Usdc,
    /// The approval of exactly the amount, then the deposit that uses it up. Every deposit sends both in this
    /// order, with consecutive nonces.
    #[schema(min_items = 2, max_items = 2)]
    txs: [EvmTransaction; 2],
}

/// A transaction without nonce, gas and signature; the sender adds them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvmTransaction {
    /// The chain on which it is valid (EIP-155).
    #[schema(example = 999)]
    chain_id: u64,
    /// The contract to call, with its EIP-55 checksum.
    to: String,
    /// Call data, 0x and hex.
    #[schema(pattern = "^0x([0-9a-f]{2})+$")]
    data: String,
    /// Wei sent along: always `0x0`.
    #[schema(value_type = String, example = "0x0")]
    value: &'static str,
}

impl EvmTransaction {
    fn new(chain_id: u64, to: Address, data: &Bytes) -> Self {
        Self { chain_id, to: to.to_checksum(None), data: data.to_string(), value: "0x0" }
    }
}

/// Why a deposit would fail or be lost.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DepositError {
    /// The settings contradict the chain.
    #[error(transparent)]
    Misconfigured(#[from] Misconfigured),
    /// The deposit contract is paused.
    #[error("Deposits to the venue are paused. Try again later.")]
    Paused,
    /// A contract could not sign for its balance at the venue.
    #[error(
        "The wallet is a contract and cannot sign the venue's actions. Use a wallet with a private key."
    )]
    ContractWallet,
    /// The wallet holds less than the amount.
    #[error("The wallet has only {0} USDC on the venue's EVM chain.")]
    InsufficientUsdc(Usdc),
    /// The first deposit of an account must exceed the activation fee.
    #[error("The first deposit must be more than the {0} USDC activation fee.")]
    BelowActivationFee(Usdc),
}

impl AsProblem for DepositError {
    fn problem(&self) -> Problem {
        match self {
            Self::Misconfigured(_) => Problem::Unavailable,
            Self::Paused => Problem::PerpVenuePaused,
            Self::ContractWallet => Problem::PerpVenueContractWallet,
            Self::InsufficientUsdc(_) => Problem::PerpVenueInsufficientUsdc,
            Self::BelowActivationFee(_) => Problem::PerpVenueAmountBelowActivationFee,
        }
    }

    fn params(&self) -> Params {
        match self {
            Self::InsufficientUsdc(held) => Params::new().text("available", held),
            Self::BelowActivationFee(fee) => Params::new().text("fee", fee),
            _ => Params::new(),
        }
    }

    fn retry_after(&self) -> Option<u64> {
        matches!(self, Self::Paused).then_some(PAUSE)
    }
}

impl DepositError {
    /// The client's error, with the field that caused it.
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

/// Builds the two transactions that move USDC from a wallet's address into its account at the venue. The
/// address is on the venue's EVM chain.
///
/// The client signs both and broadcasts them with `eth_sendRawTransaction` to `rpcUrl`: first the approval,
/// then the deposit. The service refuses a deposit that would fail. If it cannot reach the chain to check,
/// `metaData.checks` is `unavailable` and the transactions are returned anyway. If the chain contradicts the
/// settings of the service, the answer is 503 without transactions. The gas of the deposit cannot be
/// estimated before the approval is mined; 300,000 is enough. The service stores nothing, so
/// `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/deposit",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = VenueTransfer,
    responses((
        status = 200,
        description = "The transactions, in the order to send them",
        body = OkWith<Deposit, VenueMetaData>
    ))
)]
pub async fn build_venue_deposit(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<VenueTransfer>,
) -> Result<OkWith<Deposit, VenueMetaData>> {
    let wallet = request.user_address.get();
    let amount = request.amount.get();
    wallet::count_request(&app, &caller).await?;
    let (state, facts) = tokio::join!(
        app.perp_venue.chain_state(wallet),
        app.perp_venue.facts(wallet, &[Question::Sanctions, Question::BuilderFee]),
    );
    let state = state.map_err(DepositError::from)?;
    let mut warnings = check(&state, amount).map_err(DepositError::named)?;
    warnings.extend(VenueWarning::sanctioned(&facts));
    let venue = &app.venue;
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
    let known = everything_known(&state) && facts.is_sanctioned.is_some();
    Ok(OkWith::new(deposit, VenueMetaData::for_wallet(&facts, venue.builder_fee, known, warnings)))
}

/// Whether every fact that the checks need is known.
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

/// Refuses a deposit that would fail by the facts that are known; otherwise returns the warnings to show.
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
        let message = "The venue credits the spot balance, not the perpetuals balance.";
        warnings.push(VenueWarning::new(VenueWarningKind::CreditedToSpot, message, None));
    }
    if state.account_exists != Some(false) {
        return Ok(warnings);
    }
    // The contract deducts its own fee if it forwards the deposit; otherwise the venue deducts one.
    let fee = match state.arrives_in_perps {
        Some(false) => state.activation_fee.map(|fee| fee.max(Usdc::ONE)),
        _ => state.activation_fee,
    };
    let Some(fee) = fee else {
        let message = "The first deposit pays for the activation of the account, usually 1 USDC.";
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
