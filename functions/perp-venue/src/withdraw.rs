//! `POST /api/perp-venue/withdraw`.

use alloy::primitives::{U256, uint};
use axum::extract::State;
use serde::Serialize;
use shared::http::{AsProblem, Error, LiveCaller, OkWith, Params, Problem, Result, extract::Valid};
use utoipa::ToSchema;

use crate::{
    VenueMetaData, VenueWarning, VenueWarningKind,
    app::App,
    transfer::{PAUSE, VenueTransfer},
    venue::{
        Facts, Question, SYSTEM_ADDRESS, Signing, Source, TypedValue::Text, UsdcToken, VenueChain,
        usdc::Usdc,
    },
    wallet,
};

/// Gas of a transfer to the venue's EVM chain. The venue charges it in the coin for gas, or in USDC if the
/// wallet has none, and refuses a transfer that leaves nothing for it.
const TRANSFER_GAS: U256 = uint!(200_000_U256);
/// USDC that certainly pay for that gas: more than ten times the most seen so far.
const GAS_IN_USDC: Usdc = Usdc::from_micros(uint!(10_000_U256));

/// A withdrawal to sign.
#[derive(Debug, Serialize, ToSchema)]
pub struct Withdraw {
    /// Always `withdraw`.
    #[schema(value_type = String, example = "withdraw")]
    kind: &'static str,
    /// The action that the wallet signs.
    action: SendAssetAction,
    /// What the wallet signs for the action.
    signing: Signing,
}

/// A user-signed action of the venue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendAssetAction {
    /// Always `sendAsset`.
    #[schema(value_type = String, example = "sendAsset")]
    r#type: &'static str,
    /// The network. The venue calls this key `hyperliquidChain`.
    venue_chain: VenueChain,
    /// The chain id that the signature covers, 0x and hex.
    #[schema(example = "0x3e7")]
    signature_chain_id: String,
    /// The venue's system address of USDC: the venue credits the sender of such a transfer, and only the
    /// sender, on its EVM chain.
    #[schema(value_type = String, example = "0x2000000000000000000000000000000000000000")]
    destination: &'static str,
    /// The balance that pays. Empty means the perpetuals balance. `spot` is used for an account with a single
    /// unified balance, and for any other account if only its spot balance holds enough. If the venue does
    /// not answer, it is empty.
    #[schema(value_type = String, example = "")]
    source_dex: &'static str,
    /// Always `spot`.
    #[schema(value_type = String, example = "spot")]
    destination_dex: &'static str,
    /// The venue's name of USDC.
    token: UsdcToken,
    /// In USDC, without trailing zeros.
    amount: Usdc,
    /// Always empty: no sub-account.
    #[schema(value_type = String, example = "")]
    from_sub_account: &'static str,
}

/// Why a withdrawal would fail.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawError {
    /// The balance does not cover the amount and the fee.
    #[error("At most {most} USDC can be withdrawn: {balance}, less a transfer fee of {fee}.")]
    InsufficientBalance {
        /// The most that can be withdrawn.
        most: Usdc,
        /// The balance.
        balance: Usdc,
        /// The venue's transfer fee.
        fee: Usdc,
    },
    /// The balance does not cover the amount; the venue did not report the fee.
    #[error("At most {0} USDC can be withdrawn, less the transfer fee.")]
    InsufficientBeforeFee(Usdc),
    /// The deposit contract is paused: the venue would debit the balance and the contract would not pay out.
    #[error("Withdrawals from the venue are paused. Try again later.")]
    Paused,
}

impl AsProblem for WithdrawError {
    fn problem(&self) -> Problem {
        match self {
            Self::InsufficientBalance { .. } | Self::InsufficientBeforeFee(_) => {
                Problem::PerpVenueInsufficientBalance
            }
            Self::Paused => Problem::PerpVenuePaused,
        }
    }

    fn params(&self) -> Params {
        match self {
            Self::InsufficientBalance { most, balance, fee } => {
                Params::new().text("maximum", most).text("available", balance).text("fee", fee)
            }
            Self::InsufficientBeforeFee(most) => Params::new().text("maximum", most),
            _ => Params::new(),
        }
    }

    fn retry_after(&self) -> Option<u64> {
        matches!(self, Self::Paused).then_some(PAUSE)
    }
}

/// Builds the action that moves USDC from a wallet's account at the venue to its own address on the venue's
/// EVM chain.
///
/// The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs with the venue's
/// user-signed-action scheme (EIP-712, send-asset types) and posts it to the venue itself. `signing` contains
/// the typed data and the digest to compare with. The service refuses a withdrawal that the venue would reject.
/// If the venue cannot be reached to check, `metaData.checks` is `unavailable` and the action is returned
/// anyway. The service stores nothing, so `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/withdraw",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = VenueTransfer,
    responses((
        status = 200,
        description = "The action",
        body = OkWith<Withdraw, VenueMetaData>
    ))
)]
pub async fn build_venue_withdrawal(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<VenueTransfer>,
) -> Result<OkWith<Withdraw, VenueMetaData>> {
    const QUESTIONS: [Question; 6] = [
        Question::Mode,
        Question::Perps,
        Question::Spot,
        Question::TransferFee,
        Question::Sanctions,
        Question::BuilderFee,
    ];
    let wallet = request.user_address.get();
    let amount = request.amount.get();
    wallet::count_request(&app, &caller).await?;
    let (state, facts) =
        tokio::join!(app.perp_venue.chain_state(wallet), app.perp_venue.facts(wallet, &QUESTIONS));
    // The action contains nothing from the chain, so wrong settings cannot lose funds here.
    let state = state.unwrap_or_default();
    if state.paused == Some(true) {
        return Err(WithdrawError::Paused.into());
    }
    let source = source(&facts, amount).map_err(|error| Error::from(error).naming("amount"))?;
    let venue = &app.venue;
    let action = SendAssetAction {
        r#type: "sendAsset",
        venue_chain: venue.chain,
        signature_chain_id: venue.signature_chain_id(),
        destination: SYSTEM_ADDRESS,
        source_dex: source.unwrap_or(Source::Perps).dex(),
        destination_dex: "spot",
        token: venue.usdc_token.clone(),
        amount,
        from_sub_account: "",
    };
    let (token, paid) = (action.token.to_string(), action.amount.to_string());
    let fields = vec![
        ("destination", Text(action.destination)),
        ("sourceDex", Text(action.source_dex)),
        ("destinationDex", Text(action.destination_dex)),
        ("token", Text(&token)),
        ("amount", Text(&paid)),
        ("fromSubAccount", Text(action.from_sub_account)),
    ];
    let now = app.clock.now();
    let signing = Signing::user_action(venue, "HyperliquidTransaction:SendAsset", fields, now);
    let fee = facts.transfer_fee;
    let takes_fee = fee.filter(|fee| *fee > Usdc::default()).map(|fee| {
        let message = format!("The venue takes {fee} USDC for the transfer, on top of the amount.");
        VenueWarning::new(VenueWarningKind::TransferFee, message, Some(fee))
    });
    let lacks_gas = source.and_then(|source| gas_warning(&facts, source, amount, state.gas_price));
    let (sanctioned, escrowed) = (VenueWarning::sanctioned(&facts), VenueWarning::escrowed(&facts));
    let warnings = [takes_fee, lacks_gas, sanctioned, escrowed].into_iter().flatten().collect();
    let known = source.is_some()
        && facts.mode.is_some()
        && fee.is_some()
        && facts.is_sanctioned.is_some()
        && state.paused.is_some();
    let meta_data = VenueMetaData::for_wallet(&facts, venue.builder_fee, known, warnings);
    Ok(OkWith::new(Withdraw { kind: "withdraw", action, signing }, meta_data))
}

/// A warning if a transfer from this source leaves too little for its gas, with the amount that leaves enough.
fn gas_warning(
    facts: &Facts,
    source: Source,
    amount: Usdc,
    gas_price: Option<U256>,
) -> Option<VenueWarning> {
    let price = gas_price?.saturating_mul(TRANSFER_GAS);
    if facts.spot.as_ref().is_some_and(|spot| spot.gas >= price) {
        return None;
    }
    let most = facts
        .held(source)?
        .saturating_sub(facts.transfer_fee.unwrap_or_default())
        .saturating_sub(GAS_IN_USDC);
    (amount > most).then(|| {
        let message = format!(
            "The wallet has no coins for gas at the venue, and too little USDC is left to pay the gas of the \
             transfer: {most} USDC would arrive."
        );
        VenueWarning::new(VenueWarningKind::TransferGas, message, Some(most))
    })
}

/// The balance to withdraw from: the first one known to cover the amount and the fee. `None` if no known
/// balance covers them and another balance is unknown.
fn source(facts: &Facts, amount: Usdc) -> Result<Option<Source>, WithdrawError> {
    let needed = amount.checked_add(facts.transfer_fee.unwrap_or_default());
    let holds = |source: &&Source| {
        facts.held(**source).zip(needed).is_some_and(|(held, needed)| held >= needed)
    };
    if let Some(source) = facts.sources().iter().find(holds) {
        return Ok(Some(*source));
    }
    let Some(balance) = facts.largest() else { return Ok(None) };
    Err(match facts.transfer_fee {
        Some(fee) => {
            let most = balance.saturating_sub(fee);
            WithdrawError::InsufficientBalance { most, balance, fee }
        }
        None => WithdrawError::InsufficientBeforeFee(balance),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::venue::{Mode, SpotBalances};

    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().unwrap()
    }

    /// A spot balance of USDC alone.
    fn only(withdrawable: Usdc) -> SpotBalances {
        SpotBalances { withdrawable, gas: U256::ZERO, escrowed: Usdc::default() }
    }

    #[test]
    fn a_transfer_without_coins_for_gas_leaves_a_cent() {
        let facts = |gas: u64, fee: &str| Facts {
            spot: Some(SpotBalances { gas: U256::from(gas), ..only(usdc("12")) }),
            transfer_fee: Some(usdc(fee)),
            ..Facts::default()
        };
        let price = Some(U256::from(100_000_000_u64));
        for (gas, fee, amount, price, most) in [
            (0, "0", "12", price, Some("11.99")),
            (0, "0", "11.990001", price, Some("11.99")),
            (0, "0", "11.99", price, None),
            (0, "1", "11", price, Some("10.99")),
            (0, "12", "0.000001", price, Some("0")),
            (19_999_999_999_999, "0", "12", price, Some("11.99")),
            (20_000_000_000_000, "0", "12", price, None),
            (0, "0", "12", None, None),
        ] {
            let warning = gas_warning(&facts(gas, fee), Source::Spot, usdc(amount), price);
            let warned =
                warning.map(|it| serde_json::to_value(it).unwrap().get("amount").cloned().unwrap());
            assert_eq!(warned, most.map(Into::into), "{gas} {fee} {amount}");
        }
    }

    #[test]
    fn the_balance_that_suffices_pays() {
        use Source::{Perps, Spot};
        let all = [Some(Mode::Separate), Some(Mode::Unified), None];
        // Perps, spot, amount; then the source in each mode, or the most that can be withdrawn.
        for (perps, spot, amount, expected) in [
            ("10", "0", "5", [Ok(Some(Perps)), Err("0"), Ok(Some(Perps))]),
            ("0", "10", "5", [Ok(Some(Spot)), Ok(Some(Spot)), Ok(Some(Spot))]),
            ("10", "10", "5", [Ok(Some(Perps)), Ok(Some(Spot)), Ok(Some(Perps))]),
            // A withdrawal never takes a part from each balance.
            ("4", "4", "5", [Err("4"), Err("4"), Err("4")]),
            ("4.5", "5", "5", [Ok(Some(Spot)), Ok(Some(Spot)), Ok(Some(Spot))]),
            ("?", "10", "5", [Ok(Some(Spot)), Ok(Some(Spot)), Ok(Some(Spot))]),
            ("10", "?", "5", [Ok(Some(Perps)), Ok(None), Ok(Some(Perps))]),
            ("4", "?", "5", [Ok(None), Ok(None), Ok(None)]),
            ("?", "4", "5", [Ok(None), Err("4"), Ok(None)]),
            ("?", "?", "5", [Ok(None), Ok(None), Ok(None)]),
        ] {
            for (mode, expected) in all.into_iter().zip(expected) {
                let told = |text: &str| (text != "?").then(|| usdc(text));
                let fee = Some(Usdc::default());
                let facts = Facts {
                    mode,
                    perps: told(perps),
                    spot: told(spot).map(only),
                    transfer_fee: fee,
                    ..Facts::default()
                };
                let found = source(&facts, usdc(amount)).map_err(|error| match error {
                    WithdrawError::InsufficientBalance { balance, .. } => balance.to_string(),
                    other => other.to_string(),
                });
                let what = format!("{mode:?}: {perps}, {spot}");
                assert_eq!(found, expected.map_err(str::to_owned), "{what}");
            }
        }
    }
}
