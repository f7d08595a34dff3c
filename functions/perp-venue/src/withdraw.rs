//! `POST /api/perp-venue/withdraw`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    http::{AreaError, Fields, Input, LiveCaller, OkWith, Problem, Result, extract::Valid},
    models::usdc::Usdc,
    perp_venue::{Facts, Mode, Question, SYSTEM_ADDRESS, UsdcToken, VenueChain},
};
use utoipa::ToSchema;

use crate::{EvmWallet, VenueMetaData, Warning, WarningKind, deposit::LONGEST_AMOUNT};

/// How much is to be withdrawn.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RequestWithdrawal {
    /// The wallet that owns the position, signs, and is paid: one of the account's own.
    #[schema(value_type = String, example = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")]
    user_address: EvmWallet,
    /// In USDC: digits, and at most 6 decimals; more than 0.
    amount: Usdc,
}

impl Input for RequestWithdrawal {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let user_address = fields.parsed("userAddress", 128);
        let amount = fields.parsed("amount", LONGEST_AMOUNT);
        Some(Self { user_address: user_address?, amount: amount? })
    }
}

/// What withdraws.
#[derive(Debug, Serialize, ToSchema)]
pub struct Withdraw {
    /// `withdraw`.
    #[schema(value_type = String, example = "withdraw")]
    kind: &'static str,
    /// What is signed.
    action: SendAssetAction,
}

/// A user-signed action of the venue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendAssetAction {
    /// `sendAsset`.
    #[schema(value_type = String, example = "sendAsset")]
    r#type: &'static str,
    /// The network. The venue's own name of this key is `hyperliquidChain`.
    venue_chain: VenueChain,
    /// The chain id that it is signed for, 0x and hex.
    #[schema(example = "0x3e7")]
    signature_chain_id: String,
    /// The address of USDC's own at the venue: what is sent there is credited to its sender on the
    /// venue's EVM chain, and to nobody else.
    #[schema(value_type = String, example = "0x2000000000000000000000000000000000000000")]
    destination: &'static str,
    /// The balance that it leaves from: empty is that of perpetuals, `spot` that of an account that has
    /// one balance for all.
    #[schema(value_type = String, example = "")]
    source_dex: &'static str,
    /// `spot`.
    #[schema(value_type = String, example = "spot")]
    destination_dex: &'static str,
    /// USDC, as the venue names it.
    token: UsdcToken,
    /// In USDC, without needless zeros.
    amount: Usdc,
    /// Empty: no sub-account.
    #[schema(value_type = String, example = "")]
    from_sub_account: &'static str,
}

/// Why a withdrawal would fail.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawError {
    /// There is less, with the fee.
    #[error(
        "At most {most} USDC can be withdrawn: the balance is {balance}, and the transfer costs {fee}."
    )]
    InsufficientBalance {
        /// The most that goes.
        most: Usdc,
        /// What there is.
        balance: Usdc,
        /// What the venue takes for the transfer; 0 where it did not say.
        fee: Usdc,
    },
}

impl AreaError for WithdrawError {
    fn problem(&self) -> Problem {
        match self {
            Self::InsufficientBalance { .. } => Problem::PerpVenueInsufficientBalance,
        }
    }
}

/// The action that moves USDC from a wallet's account at the venue to its own address on the venue's
/// EVM chain.
///
/// The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs by the venue's
/// user-signed-action signing (EIP-712, send-asset types), and posts it to the venue itself. What would
/// bounce is refused, as far as the venue can be asked; where it cannot, `metaData.checks` is
/// `unavailable` and the action is answered all the same. Nothing is kept: `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/withdraw",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = RequestWithdrawal,
    responses((
        status = 200,
        description = "The action",
        body = OkWith<Withdraw, VenueMetaData>
    ))
)]
pub async fn withdraw(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<RequestWithdrawal>,
) -> Result<OkWith<Withdraw, VenueMetaData>> {
    const QUESTIONS: [Question; 5] = [
        Question::Mode,
        Question::Perps,
        Question::Spot,
        Question::TransferFee,
        Question::BuilderFee,
    ];
    let (wallet, amount) = (request.user_address.of(&app, &caller).await?, request.amount);
    let facts = app.perp_venue.facts(wallet, &QUESTIONS).await;
    let warnings = check(&facts, amount)?;
    let venue = &app.config.perp_venue;
    let action = SendAssetAction {
        r#type: "sendAsset",
        venue_chain: venue.chain,
        signature_chain_id: format!("{:#x}", venue.chain_id),
        destination: SYSTEM_ADDRESS,
        source_dex: facts.mode.unwrap_or(Mode::Separate).source_dex(),
        destination_dex: "spot",
        token: venue.usdc_token.clone(),
        amount,
        from_sub_account: "",
    };
    let is_told = facts.balance().is_some() && facts.transfer_fee.is_some();
    let meta_data = VenueMetaData::of(&facts, venue.builder_fee, is_told, warnings);
    Ok(OkWith::new(Withdraw { kind: "withdraw", action }, meta_data))
}

/// Refuses what would bounce, as far as is known; else answers what is to be known before.
fn check(facts: &Facts, amount: Usdc) -> Result<Vec<Warning>, WithdrawError> {
    let fee = facts.transfer_fee.unwrap_or_default();
    if let Some(balance) = facts.balance()
        && amount.checked_add(fee).is_none_or(|needed| needed > balance)
    {
        let most = balance.saturating_sub(fee);
        return Err(WithdrawError::InsufficientBalance { most, balance, fee });
    }
    let warning = (fee > Usdc::default()).then(|| {
        let message = format!("The venue takes {fee} USDC for the transfer, beside the amount.");
        Warning::new(WarningKind::TransferFee, message, Some(fee))
    });
    Ok(warning.into_iter().collect())
}
