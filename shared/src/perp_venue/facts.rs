//! What the venue and its EVM chain say of a wallet, as far as they say it.

use alloy::primitives::{Address, U256, uint};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::models::usdc::{Rounding, Usdc};

/// Where the venue's chain keeps USDC that leaves the venue: funds sent there are credited to their
/// sender on the EVM chain. The first byte, and the token's index, which is 0.
pub const SYSTEM_ADDRESS: &str = "0x2000000000000000000000000000000000000000";
/// The cumulative volume from which on the venue takes no referrer, in USD.
const REFERRABLE_BELOW: Usdc = Usdc::from_micros(uint!(10_000_000_000_U256));
/// USDC, among the venue's tokens.
const USDC_INDEX: u64 = 0;
/// The longest referral code of another party that is shown.
const LONGEST_CODE: usize = 64;

/// What can be asked of the info API, each about one wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Who referred it, and what it has traded.
    Referral,
    /// The builder fee that it has approved for our builder.
    BuilderFee,
    /// How its balances are kept.
    Mode,
    /// What it can withdraw of its perpetuals balance.
    Perps,
    /// What it can withdraw of its spot balance.
    Spot,
    /// What the venue takes for a transfer to its EVM chain.
    TransferFee,
}

/// How the balances of an account are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each exchange has its own: collateral of perpetuals is in the perpetuals balance.
    Separate,
    /// One for all, which is reported as the spot balance: the perpetuals balance reads 0.
    Unified,
}

/// A balance that funds can leave from.
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

/// Who brought a wallet to the venue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VenueReferrer {
    /// The referrer's address, in lowercase.
    pub address: String,
    /// The code that was set.
    pub code: String,
}

/// A wallet's referral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Referral {
    /// Who brought it.
    pub referrer: Option<VenueReferrer>,
    /// What it has traded, in USD, to the millionth.
    pub volume: Usdc,
}

impl Referral {
    /// Whether the venue would take a referrer.
    pub fn is_open(&self) -> bool {
        self.referrer.is_none() && self.volume < REFERRABLE_BELOW
    }
}

/// An answer of the info API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Referral(Referral),
    BuilderFee(u64),
    Mode(Mode),
    Perps(Usdc),
    Spot(Usdc),
    TransferFee(Usdc),
}

/// What the info API says of a wallet: `None` where it was not asked, or did not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Who brought it.
    pub referral: Option<Referral>,
    /// The builder fee that it has approved for our builder, in tenths of a basis point.
    pub builder_fee: Option<u64>,
    /// How its balances are kept.
    pub mode: Option<Mode>,
    /// What it can withdraw of its perpetuals balance.
    pub perps: Option<Usdc>,
    /// What it can withdraw of its spot balance.
    pub spot: Option<Usdc>,
    /// What the venue takes for a transfer to its EVM chain, beside what is sent.
    pub transfer_fee: Option<Usdc>,
}

impl Fact {
    /// What it answers.
    pub(super) const fn question(&self) -> Question {
        match self {
            Self::Referral(_) => Question::Referral,
            Self::BuilderFee(_) => Question::BuilderFee,
            Self::Mode(_) => Question::Mode,
            Self::Perps(_) => Question::Perps,
            Self::Spot(_) => Question::Spot,
            Self::TransferFee(_) => Question::TransferFee,
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
            Fact::Spot(balance) => self.spot = Some(balance),
            Fact::TransferFee(fee) => self.transfer_fee = Some(fee),
        }
    }

    /// The balances that it can withdraw from, the one first that is taken first. An account of separate
    /// balances has two, since what was deposited can have ended up in either. Of one whose mode is not
    /// known, both may be.
    pub fn sources(&self) -> &'static [Source] {
        match self.mode {
            Some(Mode::Unified) => &[Source::Spot],
            Some(Mode::Separate) | None => &[Source::Perps, Source::Spot],
        }
    }

    /// What a source holds.
    pub const fn held(&self, source: Source) -> Option<Usdc> {
        match source {
            Source::Perps => self.perps,
            Source::Spot => self.spot,
        }
    }

    /// What the source holds that holds most; `None` where one of them was not told.
    pub fn largest(&self) -> Option<Usdc> {
        let held: Option<Vec<_>> = self.sources().iter().map(|source| self.held(*source)).collect();
        held?.into_iter().max()
    }

    /// The most that can be withdrawn at once, fees aside; `None` where not everything was told.
    pub fn most(&self) -> Option<Usdc> {
        self.mode.and_then(|_| self.largest())
    }
}

/// What the venue's EVM chain says of a wallet and of the deposit contract: `None` where it did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainState {
    /// USDC that it has there.
    pub usdc_balance: Option<Usdc>,
    /// USDC of it that the deposit contract may take.
    pub allowance: Option<Usdc>,
    /// What it can pay gas with, in wei.
    pub native_balance: Option<U256>,
    /// The price of gas, in wei.
    pub gas_price: Option<U256>,
    /// Whether it is a contract, which cannot sign what the venue wants signed. An account whose code is
    /// delegated (EIP-7702) has a key, and is none.
    pub is_contract: Option<bool>,
    /// Whether it has an account at the venue.
    pub account_exists: Option<bool>,
    /// Whether deposits are stopped.
    pub paused: Option<bool>,
    /// Whether deposits for perpetuals arrive there: else they are credited to the spot balance.
    pub arrives_in_perps: Option<bool>,
    /// What the deposit contract keeps of the first deposit of a new account.
    pub activation_fee: Option<Usdc>,
    /// Whether the deposit contract has said that it takes the USDC of the settings.
    pub takes_usdc: bool,
}

impl ChainState {
    /// Whether enough was told to know that the settings are right.
    pub(super) fn is_agreed(&self) -> bool {
        self.usdc_balance.is_some() && self.paused.is_some() && self.takes_usdc
    }
}

/// Why what the settings say of the venue's EVM chain is wrong: a deposit made by them could be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misconfigured {
    /// The RPC is that of another chain.
    #[error("the RPC is not that of PERP_VENUE_CHAIN_ID")]
    Chain,
    /// There is no contract at an address that should be one.
    #[error("PERP_VENUE_USDC or PERP_VENUE_DEPOSIT_CONTRACT is no contract")]
    NoContract,
    /// The deposit contract takes another token.
    #[error("PERP_VENUE_DEPOSIT_CONTRACT takes another token than PERP_VENUE_USDC")]
    AnotherToken,
}

impl Question {
    /// The body of a request to the info API.
    pub(super) fn body(self, wallet: Address, builder: Address) -> Value {
        let (wallet, builder) = (format!("{wallet:#x}"), format!("{builder:#x}"));
        match self {
            Self::Referral => json!({ "type": "referral", "user": wallet }),
            Self::BuilderFee => {
                json!({ "type": "maxBuilderFee", "user": wallet, "builder": builder })
            }
            Self::Mode => json!({ "type": "userAbstraction", "user": wallet }),
            Self::Perps => json!({ "type": "clearinghouseState", "user": wallet }),
            Self::Spot => json!({ "type": "spotClearinghouseState", "user": wallet }),
            Self::TransferFee => {
                json!({ "type": "preTransferCheck", "user": SYSTEM_ADDRESS, "source": wallet })
            }
        }
    }

    /// What an answer says; `None` where it is not of the shape that is documented.
    pub(super) fn read(self, answer: Value) -> Option<Fact> {
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
                Some(Fact::Referral(Referral { referrer, volume }))
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
                // Rows of other things than tokens have no number, or what they like.
                let is_usdc = |row: &&Value| row.get("token") == Some(&Value::from(USDC_INDEX));
                let Some(usdc) = answer.balances.iter().find(is_usdc) else {
                    return Some(Fact::Spot(Usdc::default()));
                };
                let usdc: SpotBalance = of(usdc.clone())?;
                let total = Usdc::read(&usdc.total, Rounding::Down)?;
                let hold = Usdc::read(&usdc.hold, Rounding::Up)?;
                Some(Fact::Spot(total.saturating_sub(hold)))
            }
            Self::TransferFee => {
                let answer: TransferAnswer = of(answer)?;
                Usdc::read(&answer.fee, Rounding::Up).map(Fact::TransferFee)
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReferralAnswer {
    referred_by: Option<ReferredBy>,
    cum_vlm: String,
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
struct SpotAnswer {
    balances: Vec<Value>,
}

#[derive(Deserialize)]
struct SpotBalance {
    total: String,
    hold: String,
}

#[derive(Deserialize)]
struct TransferAnswer {
    fee: String,
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
        ] {
            assert_eq!(question.body(wallet, builder), expected);
        }
    }

    #[test]
    fn answers_as_they_are_documented() {
        let referrer = VenueReferrer {
            address: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed".to_owned(),
            code: "A".to_owned(),
        };
        for (question, answer, fact) in [
            (
                Question::Referral,
                json!({ "referredBy": null, "cumVlm": "9999.999999", "referrerState": {} }),
                Fact::Referral(Referral { referrer: None, volume: usdc("9999.999999") }),
            ),
            (
                Question::Referral,
                json!({
                    "referredBy": {
                        "referrer": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "code": "A",
                    },
                    "cumVlm": "0.0",
                }),
                Fact::Referral(Referral { referrer: Some(referrer), volume: usdc("0") }),
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
                    { "coin": "HYPE", "token": 150, "total": "1", "hold": "0" },
                    { "coin": "+14720", "total": 3 },
                    { "coin": "USDC", "token": 0, "total": "10.12345699", "hold": "0.00000001" },
                ]}),
                Fact::Spot(usdc("10.123455")),
            ),
            (Question::Spot, json!({ "balances": [] }), Fact::Spot(usdc("0"))),
            (
                Question::TransferFee,
                json!({ "fee": "0.0000011", "isSanctioned": false }),
                Fact::TransferFee(usdc("0.000002")),
            ),
        ] {
            assert_eq!(question.read(answer.clone()), Some(fact), "{answer}");
        }
    }

    #[test]
    fn an_answer_of_another_shape_says_nothing() {
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
            (Question::TransferFee, json!({ "fee": "" })),
        ] {
            assert_eq!(question.read(answer.clone()), None, "{answer}");
        }
    }

    #[test]
    fn a_referrer_can_be_set_once_and_below_10000_usd() {
        let referral = |volume| Referral { referrer: None, volume: usdc(volume) };
        assert!(referral("9999.999999").is_open());
        assert!(!referral("10000").is_open());
        let referrer = Some(VenueReferrer { address: String::new(), code: String::new() });
        assert!(!Referral { referrer, ..referral("0") }.is_open());
    }

    #[test]
    fn what_can_be_withdrawn_at_once_is_the_larger_balance() {
        let facts = Facts { perps: Some(usdc("1")), spot: Some(usdc("2")), ..Facts::default() };
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
