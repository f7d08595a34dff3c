//! Why a plan is impossible.

use bitcoin::{Amount, OutPoint, Weight};
use shared::{models::bitcoin::RuneName, problem::Params};

use crate::bitcoin::{
    coins::{LeftAside, MOST_RUNES},
    runes::FlowError,
};

/// Why a plan is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The plain coins do not suffice.
    #[error("This needs {} sats, but only {} sats are available.", .needed.to_sat(), .available.to_sat())]
    InsufficientBtc {
        /// Payments, rune outputs, and the fee of spending every available coin.
        needed: Amount,
        /// Total of all spendable coins that are worth the fee of their input.
        available: Amount,
    },
    /// The coins do not hold enough of a rune. Amounts in its smallest unit.
    #[error(
        "This needs {needed} of the smallest unit of {rune}, but only {available} are available."
    )]
    InsufficientRune {
        /// The rune.
        rune: RuneName,
        /// Total of its payments.
        needed: u128,
        /// Amount in spendable coins.
        available: u128,
    },
    /// The coins hold enough of a rune, but if they were spent together, one output would have to hold more
    /// other runes than it may. Amounts in the rune's smallest unit.
    #[error(
        "This needs {needed} of the smallest unit of {rune}, but one transaction can spend only {at_once}, because \
         their coins hold more than {MOST_RUNES} different runes."
    )]
    RuneScattered {
        /// The rune.
        rune: RuneName,
        /// Total of its payments.
        needed: u128,
        /// The most that one transaction can spend.
        at_once: u128,
    },
    /// The coins do not suffice, and some were left aside.
    #[error("{error} Coins left aside: {left_aside}.")]
    Short {
        /// The shortage.
        error: Box<PlanError>,
        /// The unavailable coins.
        left_aside: LeftAside,
    },
    /// A payment is below its script's dust limit, or of zero runes.
    #[error("{}", smallest(*.least, *.is_rune))]
    AmountBelowDust {
        /// Index of the payment.
        payment: usize,
        /// In sats, or in the rune's smallest unit.
        least: u64,
        /// Whether it pays a rune.
        is_rune: bool,
    },
    /// A payment's script, or the change script if `None`, burns what it receives.
    #[error("the script of payment {payment:?} is unspendable")]
    Unpayable {
        /// Index of the payment.
        payment: Option<usize>,
    },
    /// The least possible fee is above the cap.
    #[error("The network fee would be {} sats, above the maximum of {} sats.", .fee.to_sat(), .cap.to_sat())]
    FeeTooHigh {
        /// The fee.
        fee: Amount,
        /// The cap.
        cap: Amount,
    },
    /// The coins suffice, but only with too many inputs.
    #[error(
        "The amount is spread over more than {most} coins, the most that one transaction can spend. Split it."
    )]
    TooManyInputs {
        /// Most inputs allowed.
        most: usize,
    },
    /// The runestone is longer than allowed.
    #[error("the runestone has {bytes} bytes, more than {most}")]
    RunestoneTooLong {
        /// Length of its script in bytes.
        bytes: usize,
        /// Most bytes allowed.
        most: usize,
    },
    /// The transaction is too heavy for nodes to relay.
    #[error("The transaction would weigh {} weight units, more than nodes relay. Split it.", .weight.to_wu())]
    TooHeavy {
        /// Weight once signed.
        weight: Weight,
    },
    /// Two runes share an id or a name, or an id is not an etched rune's.
    #[error("{0} does not identify a single rune")]
    BadRune(RuneName),
    /// A coin that must be spent is missing or cannot be spent: it is unconfirmed, inscribed or about to
    /// expire, its contents are unknown, or none of its runes moves.
    #[error("The coin {0} must be spent but cannot be any more.")]
    CannotSpend(OutPoint),
    /// The built transaction does not do what it should: a bug. Nothing was lost.
    #[error("the plan does not keep its promise")]
    Broken(#[source] FlowError),
    /// The built transaction breaks a rule of this module: a bug. Nothing was lost.
    #[error("the plan is wrong: {0}")]
    Wrong(&'static str),
}

/// The sentence about a payment that is too small.
fn smallest(least: u64, is_rune: bool) -> String {
    match is_rune {
        true => format!("The smallest payment of a rune is {least} of its smallest unit."),
        false => format!("The smallest payment to this address is {least} sats."),
    }
}

impl PlanError {
    /// The numbers and ids that the sentence mentions.
    pub fn params(&self) -> Params {
        let none = Params::new();
        match self {
            Self::InsufficientBtc { needed, available } => {
                none.number("needed", needed.to_sat()).number("available", available.to_sat())
            }
            Self::InsufficientRune { rune, needed, available } => {
                none.text("rune", rune).text("needed", needed).text("available", available)
            }
            Self::RuneScattered { rune, needed, at_once } => {
                none.text("rune", rune).text("needed", needed).text("maximum", at_once)
            }
            Self::Short { error, left_aside } => {
                let count = u64::try_from(left_aside.count()).unwrap_or(u64::MAX);
                error.params().number("leftAside", count)
            }
            Self::AmountBelowDust { least, .. } => none.number("minimum", *least),
            Self::FeeTooHigh { fee, cap } => {
                none.number("fee", fee.to_sat()).number("cap", cap.to_sat())
            }
            Self::TooManyInputs { most } => {
                none.number("maximum", u64::try_from(*most).unwrap_or(u64::MAX))
            }
            Self::TooHeavy { weight } => none.number("weight", weight.to_wu()),
            Self::CannotSpend(coin) => none.text("coin", coin),
            Self::Unpayable { .. }
            | Self::RunestoneTooLong { .. }
            | Self::BadRune(_)
            | Self::Broken(_)
            | Self::Wrong(_) => none,
        }
    }

    /// Whether further coins could help.
    pub fn is_short(&self) -> bool {
        matches!(
            self,
            Self::InsufficientBtc { .. }
                | Self::InsufficientRune { .. }
                | Self::TooManyInputs { .. }
        )
    }

    /// Adds the coins that were left aside, if they could have helped.
    #[must_use]
    pub fn explained(self, left_aside: LeftAside) -> Self {
        if self.is_short() && left_aside.count() > 0 {
            Self::Short { error: Box::new(self), left_aside }
        } else {
            self
        }
    }
}
