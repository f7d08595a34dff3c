//! Facts about a wallet from the venue and its EVM chain, as far as they answer.

use alloy::primitives::{Address, U256, uint};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    decimal,
    usdc::{Rounding, Usdc},
};

/// The venue's system address of USDC: transfers to it are credited to their sender on the EVM chain. It
/// consists of a first byte and the token's index, which is 0.
pub const SYSTEM_ADDRESS: &str = "0x2000000000000000000000000000000000000000";
/// The cumulative volume in USD from which the venue accepts no referrer any more.
const REFERRABLE_BELOW: Usdc = Usdc::from_micros(uint!(10_000_000_000_U256));
/// Index of USDC among the venue's tokens.
const USDC_INDEX: u64 = 0;
/// The coin that pays the venue's gas, by the venue's name.
const GAS_COIN: &str = "HYPE";
/// Decimal places of that coin at the venue.
const GAS_COIN_DECIMALS: usize = 8;
/// Wei in the smallest unit of that coin at the venue: it has 18 decimals on the EVM chain.
const WEI_IN_UNIT: U256 = uint!(10_000_000_000_U256);
/// The most characters of another party's referral code that are shown.
const LONGEST_CODE: usize = 64;

/// A question to the info API about one wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Its referrer and traded volume.
    Referral,
    /// The builder fee that it has approved for the platform's builder.
    BuilderFee,
    /// How its balances are organised.
    Mode,
    /// The withdrawable part of its perpetuals balance.
    Perps,
    /// Its spot balances.
    Spot,
    /// The venue's fee for a transfer to its EVM chain.
    TransferFee,
    /// Whether the venue serves it at all.
    Sanctions,
}

/// How the balances of an account are organised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each exchange has its own balance: collateral of perpetuals is in the perpetuals balance.
    Separate,
    /// A single balance, reported as the spot balance; the perpetuals balance is 0.
    Unified,
}

/// A balance from which funds can be withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Collateral of perpetuals.
    Perps,
    /// The spot balance.
    Spot,
}

impl Source {
    /// The name of its exchange in the venue's actions.
    pub const fn dex(self) -> &'static str {
        match self {
            Self::Perps => "",
            Self::Spot => "spot",
        }
    }
}

/// The referrer of a wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VenueReferrer {
    /// The referrer's address, in lowercase.
    pub address: String,
    /// The referral code that was set.
    pub code: String,
}

/// A wallet's referral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Referral {
    /// Its referrer.
    pub referrer: Option<VenueReferrer>,
    /// Its traded volume in USD, with up to 6 decimals.
    pub volume: Usdc,
    /// The code by which it refers others.
    pub own_code: Option<String>,
}

impl Referral {
    /// Whether the venue would accept a referrer.
    pub fn is_open(&self) -> bool {
        self.referrer.is_none() && self.volume < REFERRABLE_BELOW
    }
}

/// A wallet's balances in the spot exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpotBalances {
    /// USDC that it owns and that no order or loan needs.
    pub withdrawable: Usdc,
    /// Its coins for gas, in wei.
    pub gas: U256,
    /// USDC that waits at the venue for its EVM chain.
    pub escrowed: Usdc,
}

/// An answer of the info API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Referral(Referral),
    BuilderFee(u64),
    Mode(Mode),
    Perps(Usdc),
    Spot(SpotBalances),
    TransferFee(Usdc),
    Sanctions(bool),
}

/// Facts about a wallet from the info API; `None` if not asked or not answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its referrer and volume.
    pub referral: Option<Referral>,
    /// The builder fee that it has approved for the platform's builder, in tenths of a basis point.
    pub builder_fee: Option<u64>,
    /// How its balances are organised.
    pub mode: Option<Mode>,
    /// The withdrawable part of its perpetuals balance.
    pub perps: Option<Usdc>,
    /// Its spot balances.
    pub spot: Option<SpotBalances>,
    /// The venue's fee for a transfer to its EVM chain, on top of the amount.
    pub transfer_fee: Option<Usdc>,
    /// Whether the venue refuses transfers that concern it.
    pub is_sanctioned: Option<bool>,
}

impl Fact {
    /// The question that it answers.
    pub(super) const fn question(&self) -> Question {
        match self {
            Self::Referral(_) => Question::Referral,
            Self::BuilderFee(_) => Question::BuilderFee,
            Self::Mode(_) => Question::Mode,
            Self::Perps(_) => Question::Perps,
            Self::Spot(_) => Question::Spot,
            Self::TransferFee(_) => Question::TransferFee,
            Self::Sanctions(_) => Question::Sanctions,
        }
    }
}

impl Facts {
    pub(super) fn note(&mut self, fact: Fact) {
        match fact {
            Fact::Referral(referral) => self.referral = Some(referral),
            Fact::BuilderFee(units) => self.builder_fee = Some(units),
            Fact::Mode(mode) => self.mode = Some(mode),
            Fact::Perps(balance) => self.perps = Some(balance),
            Fact::Spot(balances) => self.spot = Some(balances),
            Fact::TransferFee(fee) => self.transfer_fee = Some(fee),
            Fact::Sanctions(is_sanctioned) => self.is_sanctioned = Some(is_sanctioned),
        }
    }

    /// The balances that can pay a withdrawal, in order of preference. An account with separate balances has
    /// two, since a deposit may have reached either. With an unknown mode, both are possible.
    pub fn sources(&self) -> &'static [Source] {
        match self.mode {
            Some(Mode::Unified) => &[Source::Spot],
            Some(Mode::Separate) | None => &[Source::Perps, Source::Spot],
        }
    }

    /// The balance of a source.
    pub fn held(&self, source: Source) -> Option<Usdc> {
        match source {
            Source::Perps => self.perps,
            Source::Spot => self.spot.as_ref().map(|spot| spot.withdrawable),
        }
    }

    /// The largest balance of the sources; `None` if one of them is unknown.
    pub fn largest(&self) -> Option<Usdc> {
        let held: Option<Vec<_>> = self.sources().iter().map(|source| self.held(*source)).collect();
        held?.into_iter().max()
    }

    /// The most that one withdrawal can move, before fees; `None` if a balance is unknown.
    pub fn most(&self) -> Option<Usdc> {
        self.mode.and_then(|_| self.largest())
    }
}

/// State of a wallet and of the deposit contract on the venue's EVM chain; `None` if not answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainState {
    /// The wallet's USDC there.
    pub usdc_balance: Option<Usdc>,
    /// USDC of the wallet that the deposit contract may take.
    pub allowance: Option<Usdc>,
    /// The wallet's balance for gas, in wei.
    pub native_balance: Option<U256>,
    /// The price of gas, in wei.
    pub gas_price: Option<U256>,
    /// Whether the wallet is a contract, which cannot sign the venue's actions. An account with delegated
    /// code (EIP-7702) has a key and does not count.
    pub is_contract: Option<bool>,
    /// Whether the wallet has an account at the venue.
    pub account_exists: Option<bool>,
    /// Whether deposits are paused.
    pub paused: Option<bool>,
    /// Whether deposits reach the perpetuals balance; otherwise they are credited to the spot balance.
    pub arrives_in_perps: Option<bool>,
    /// The amount that the deposit contract deducts from a new account's first deposit.
    pub activation_fee: Option<Usdc>,
    /// Whether the deposit contract has confirmed that it takes the configured USDC.
    pub takes_usdc: bool,
}

impl ChainState {
    /// Whether the answers suffice to confirm the settings.
    pub(super) fn is_agreed(&self) -> bool {
        self.usdc_balance.is_some() && self.paused.is_some() && self.takes_usdc
    }
}

/// How the settings contradict the venue's EVM chain. A deposit with them could be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misconfigured {
    /// The RPC belongs to another chain.
    #[error("the RPC serves another chain than PERP_VENUE_CHAIN_ID")]
    Chain,
    /// An address that should be a contract has no code.
    #[error("PERP_VENUE_USDC or PERP_VENUE_DEPOSIT_CONTRACT is not a contract")]
    NoContract,
    /// The deposit contract takes another token.
    #[error("PERP_VENUE_DEPOSIT_CONTRACT takes another token than PERP_VENUE_USDC")]
    AnotherToken,
}

impl Question {
    /// Its name in the info API.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Referral => "referral",
            Self::BuilderFee => "maxBuilderFee",
            Self::Mode => "userAbstraction",
            Self::Perps => "clearinghouseState",
            Self::Spot => "spotClearinghouseState",
            Self::TransferFee | Self::Sanctions => "preTransferCheck",
        }
    }

    /// Body of the request to the info API.
    pub(super) fn body(self, wallet: Address, builder: Address) -> Value {
        let (name, wallet) = (self.name(), format!("{wallet:#x}"));
        match self {
            Self::Referral | Self::Mode | Self::Perps | Self::Spot => {
                json!({ "type": name, "user": wallet })
            }
            Self::BuilderFee => {
                json!({ "type": name, "user": wallet, "builder": format!("{builder:#x}") })
            }
            Self::TransferFee => {
                json!({ "type": name, "user": SYSTEM_ADDRESS, "source": wallet })
            }
            // The answer concerns the receiver, which is the wallet itself for a withdrawal and for a
            // deposit.
            Self::Sanctions => json!({ "type": name, "user": wallet, "source": wallet }),
        }
    }

    /// Parses an answer; `None` if its shape is not the documented one.
    pub(super) fn parse(self, answer: Value) -> Option<Fact> {
        fn of<T: for<'de> Deserialize<'de>>(answer: Value) -> Option<T> {
            serde_json::from_value(answer).ok()
        }
        match self {
            Self::Referral => {
                let answer: ReferralAnswer = of(answer)?;
                let volume = Usdc::read(&answer.cum_vlm, Rounding::Down)?;
                let referrer = match answer.referred_by {
                    Some(by) => Some(VenueReferrer {
                        address: format!("{:#x}", by.referrer.parse::<Address>().ok()?),
                        code: by.code.chars().take(LONGEST_CODE).collect(),
                    }),
                    None => None,
                };
                // Its contents depend on the wallet's stage as a referrer.
                let own_code = answer.referrer_state.pointer("/data/code");
                let own_code = own_code.and_then(Value::as_str).map(str::to_owned);
                Some(Fact::Referral(Referral { referrer, volume, own_code }))
            }
            Self::BuilderFee => of(answer).map(Fact::BuilderFee),
            Self::Mode => match of::<String>(answer)?.as_str() {
                "unifiedAccount" | "portfolioMargin" => Some(Fact::Mode(Mode::Unified)),
                "default" | "disabled" | "dexAbstraction" => Some(Fact::Mode(Mode::Separate)),
                _ => None,
            },
            Self::Perps => {
                let answer: PerpsAnswer = of(answer)?;
                Usdc::read(&answer.withdrawable, Rounding::Down).map(Fact::Perps)
            }
            Self::Spot => {
                let answer: SpotAnswer = of(answer)?;
                // Entries other than tokens may have any value here, or none.
                let is_usdc = |row: &&Value| row.get("token") == Some(&Value::from(USDC_INDEX));
                let is_gas = |row: &&Value| row.get("coin") == Some(&Value::from(GAS_COIN));
                let withdrawable = match answer.balances.iter().find(is_usdc) {
                    Some(usdc) => of::<SpotBalance>(usdc.clone())?.withdrawable()?,
                    None => Usdc::default(),
                };
                let gas = match answer.balances.iter().find(is_gas) {
                    Some(coins) => of::<SpotBalance>(coins.clone())?.wei()?,
                    None => U256::ZERO,
                };
                let escrowed = match answer.evm_escrows.iter().find(is_usdc) {
                    Some(usdc) => Usdc::read(&of::<Escrow>(usdc.clone())?.total, Rounding::Down)?,
                    None => Usdc::default(),
                };
                Some(Fact::Spot(SpotBalances { withdrawable, gas, escrowed }))
            }
            Self::TransferFee => {
                let answer: TransferAnswer = of(answer)?;
                Usdc::read(&answer.fee, Rounding::Up).map(Fact::TransferFee)
            }
            Self::Sanctions => {
                of(answer).map(|SanctionsAnswer { is_sanctioned }| Fact::Sanctions(is_sanctioned))
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReferralAnswer {
    referred_by: Option<ReferredBy>,
    cum_vlm: String,
    #[serde(default)]
    referrer_state: Value,
}

#[derive(Deserialize)]
struct ReferredBy {
    referrer: String,
    code: String,
}

#[derive(Deserialize)]
struct PerpsAnswer {
    withdrawable: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpotAnswer {
    balances: Vec<Value>,
    #[serde(default)]
    evm_escrows: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpotBalance {
    total: String,
    hold: String,
    /// With portfolio margin, the amount held before loans are counted; `hold` is lower by the amount that
    /// could be borrowed.
    spot_hold: Option<String>,
}

impl SpotBalance {
    /// The USDC that the wallet owns and that no order or loan holds.
    fn withdrawable(&self) -> Option<Usdc> {
        let total = Usdc::read(&self.total, Rounding::Down)?;
        let hold = Usdc::read(self.spot_hold.as_ref().unwrap_or(&self.hold), Rounding::Up)?;
        Some(total.saturating_sub(hold))
    }

    /// The coins for gas that the wallet owns and that no order or loan holds, in wei.
    fn wei(&self) -> Option<U256> {
        let (total, _) = decimal::parse(&self.total, GAS_COIN_DECIMALS)?;
        let hold = self.spot_hold.as_ref().unwrap_or(&self.hold);
        let (hold, _) = decimal::parse(hold, GAS_COIN_DECIMALS)?;
        total.saturating_sub(hold).checked_mul(WEI_IN_UNIT)
    }
}

#[derive(Deserialize)]
struct Escrow {
    total: String,
}

#[derive(Deserialize)]
struct TransferAnswer {
    fee: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SanctionsAnswer {
    is_sanctioned: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloy::primitives::address;

    use super::*;

    fn usdc(text: &str) -> Usdc {
        Usdc::read(text, Rounding::Down).unwrap()
    }

    #[test]
    fn questions_are_asked_in_lowercase() {
        let wallet = address!("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
        let builder = address!("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359");
        for (question, expected) in [
            (
                Question::BuilderFee,
                json!({
                    "type": "maxBuilderFee", "user": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
                    "builder": "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359",
                }),
            ),
            (
                Question::TransferFee,
                json!({
                    "type": "preTransferCheck", "user": "0x2000000000000000000000000000000000000000",
                    "source": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
                }),
            ),
            (
                Question::Sanctions,
                json!({
                    "type": "preTransferCheck", "user": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
                    "source": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
                }),
            ),
        ] {
            assert_eq!(question.body(wallet, builder), expected);
        }
    }

    #[test]
    fn documented_answers_are_parsed() {
        let referrer = VenueReferrer {
            address: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed".to_owned(),
            code: "A".to_owned(),
        };
        let spot = |withdrawable, gas: u128, escrowed| {
            let (withdrawable, escrowed) = (usdc(withdrawable), usdc(escrowed));
            Fact::Spot(SpotBalances { withdrawable, gas: U256::from(gas), escrowed })
        };
        for (question, answer, fact) in [
            (
                Question::Referral,
                json!({ "referredBy": null, "cumVlm": "9999.999999", "referrerState": {} }),
                Fact::Referral(Referral {
                    referrer: None,
                    volume: usdc("9999.999999"),
                    own_code: None,
                }),
            ),
            (
                Question::Referral,
                json!({
                    "referredBy": null, "cumVlm": "0",
                    "referrerState": { "stage": "ready", "data": { "code": "MINE", "nReferrals": 1 } },
                }),
                Fact::Referral(Referral {
                    referrer: None,
                    volume: usdc("0"),
                    own_code: Some("MINE".to_owned()),
                }),
            ),
            (
                Question::Referral,
                json!({
                    "referredBy": {
                        "referrer": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "code": "A",
                    },
                    "cumVlm": "0.0",
                }),
                Fact::Referral(Referral {
                    referrer: Some(referrer),
                    volume: usdc("0"),
                    own_code: None,
                }),
            ),
            (Question::BuilderFee, json!(50), Fact::BuilderFee(50)),
            (Question::Mode, json!("default"), Fact::Mode(Mode::Separate)),
            (Question::Mode, json!("disabled"), Fact::Mode(Mode::Separate)),
            (Question::Mode, json!("dexAbstraction"), Fact::Mode(Mode::Separate)),
            (Question::Mode, json!("unifiedAccount"), Fact::Mode(Mode::Unified)),
            (Question::Mode, json!("portfolioMargin"), Fact::Mode(Mode::Unified)),
            (
                Question::Perps,
                json!({ "withdrawable": "12.5", "assetPositions": [] }),
                Fact::Perps(usdc("12.5")),
            ),
            (
                Question::Spot,
                json!({ "balances": [
                    { "coin": "HYPE", "token": 150, "total": "1", "hold": "0.5" },
                    { "coin": "+14720", "total": 3 },
                    { "coin": "USDC", "token": 0, "total": "10.12345699", "hold": "0.00000001" },
                ]}),
                spot("10.123455", 500_000_000_000_000_000, "0"),
            ),
            // With portfolio margin, what can be borrowed cannot be withdrawn.
            (
                Question::Spot,
                json!({
                    "balances": [
                        { "coin": "USDC", "token": 0, "total": "100", "hold": "30", "spotHold": "80" },
                        { "coin": "HYPE", "token": 150, "total": "0.00000003", "hold": "0", "spotHold": "0.00000001" },
                    ],
                    "evmEscrows": [
                        { "coin": "HYPE", "token": 150, "total": "3" },
                        { "coin": "USDC", "token": 0, "total": "2.5" },
                    ],
                }),
                spot("20", 20_000_000_000, "2.5"),
            ),
            (Question::Spot, json!({ "balances": [] }), spot("0", 0, "0")),
            (
                Question::Sanctions,
                json!({ "fee": "1", "isSanctioned": true }),
                Fact::Sanctions(true),
            ),
            (
                Question::TransferFee,
                json!({ "fee": "0.0000011", "isSanctioned": false }),
                Fact::TransferFee(usdc("0.000002")),
            ),
        ] {
            assert_eq!(question.parse(answer.clone()), Some(fact), "{answer}");
        }
    }

    #[test]
    fn malformed_answers_are_ignored() {
        for (question, answer) in [
            (Question::Referral, json!({ "cumVlm": 1 })),
            (Question::Referral, json!({ "referredBy": null, "cumVlm": "-1" })),
            (Question::Referral, json!({ "referredBy": "A", "cumVlm": "1" })),
            (
                Question::Referral,
                json!({ "referredBy": { "referrer": "0x1", "code": "A" }, "cumVlm": "1" }),
            ),
            (Question::BuilderFee, json!("50")),
            (Question::BuilderFee, json!(-1)),
            (Question::BuilderFee, json!(0.5)),
            (Question::BuilderFee, json!(null)),
            (Question::Mode, json!("anotherOne")),
            (Question::Perps, json!({ "withdrawable": 12.5 })),
            (Question::Perps, json!([])),
            (Question::Spot, json!({ "balances": [{ "token": 0, "total": "1e3", "hold": "0" }] })),
            (Question::Spot, json!({ "balances": [{ "coin": "HYPE", "total": 1, "hold": "0" }] })),
            (Question::Spot, json!({ "balances": [], "evmEscrows": [{ "token": 0 }] })),
            (Question::TransferFee, json!({ "fee": "" })),
            (Question::Sanctions, json!({ "fee": "0", "isSanctioned": "no" })),
        ] {
            assert_eq!(question.parse(answer.clone()), None, "{answer}");
        }
    }

    #[test]
    fn a_referrer_can_be_set_once_and_below_10000_usd() {
        let referral = |volume| Referral { referrer: None, volume: usdc(volume), own_code: None };
        assert!(referral("9999.999999").is_open());
        assert!(!referral("10000").is_open());
        let referrer = Some(VenueReferrer { address: String::new(), code: String::new() });
        assert!(!Referral { referrer, ..referral("0") }.is_open());
    }

    #[test]
    fn one_withdrawal_moves_at_most_the_larger_balance() {
        let (withdrawable, none) = (usdc("2"), usdc("0"));
        let spot = Some(SpotBalances { withdrawable, gas: U256::ZERO, escrowed: none });
        let facts = Facts { perps: Some(usdc("1")), spot, ..Facts::default() };
        assert_eq!(facts.most(), None);
        let of = |mode, facts: &Facts| Facts { mode: Some(mode), ..facts.clone() }.most();
        assert_eq!(of(Mode::Separate, &facts), Some(usdc("2")));
        assert_eq!(of(Mode::Unified, &facts), Some(usdc("2")));
        let facts = Facts { perps: Some(usdc("3")), ..facts };
        assert_eq!(of(Mode::Separate, &facts), Some(usdc("3")));
        assert_eq!(of(Mode::Unified, &facts), Some(usdc("2")));
        let facts = Facts { spot: None, ..facts };
        assert_eq!(of(Mode::Separate, &facts), None);
    }
}
