//! Why a plan is impossible.

use bitcoin::{Amount, OutPoint, Weight};
use shared::models::bitcoin::RuneName;

use crate::bitcoin::{
    coins::{LeftAside, MOST_RUNES},
    runes::FlowError,
};

/// Why a plan is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The plain coins do not suffice.
    #[error("{needed} needed, but only {available} available")]
    InsufficientBtc {
        /// Payments, rune outputs, and the fee of spending every available coin.
        needed: Amount,
        /// Total of all spendable coins that are worth the fee of their input.
        available: Amount,
    },
    /// The coins do not hold enough of a rune. Amounts in its smallest unit.
    #[error("{needed} of {rune} needed, but only {available} available")]
    InsufficientRune {
        /// The rune.
        rune: RuneName,
        /// Total of its payments.
        needed: u128,
        /// Amount in spendable coins.
        available: u128,
    },
    /// The coins hold enough of a rune, but spent together they would leave more other runes than one coin
    /// may hold. Amounts in its smallest unit.
    #[error(
        "{needed} of {rune} needed, but one transaction can spend only {at_once}: its coins \
         hold more than {MOST_RUNES} different runes"
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
    #[error("{error}; coins left aside: {left_aside}")]
    Short {
        /// The shortage.
        error: Box<PlanError>,
        /// The unavailable coins.
        left_aside: LeftAside,
    },
    /// A payment is below its script's dust limit, or of zero runes.
    #[error("payment {payment} is less than {least}")]
    AmountBelowDust {
        /// Index of the payment.
        payment: usize,
        /// In sats, or in the rune's smallest unit.
        least: u64,
    },
    /// A payment's script, or the change script if `None`, burns what it receives.
    #[error("the script of payment {payment:?} is unspendable")]
    Unpayable {
        /// Index of the payment.
        payment: Option<usize>,
    },
    /// The least possible fee is above the cap.
    #[error("the fee would be {fee}, above {cap}")]
    FeeTooHigh {
        /// The fee.
        fee: Amount,
        /// The cap.
        cap: Amount,
    },
    /// The coins suffice, but only with too many inputs.
    #[error("the transaction would need more than {most} inputs")]
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
    #[error("the transaction would weigh {weight}")]
    TooHeavy {
        /// Weight once signed.
        weight: Weight,
    },
    /// Two runes share an id or a name, or an id is not an etched rune's.
    #[error("{0} does not identify a single rune")]
    BadRune(RuneName),
    /// A coin that must be spent is missing or cannot be spent: unconfirmed, with unknown contents,
    /// inscribed, with runes none of which moves, or about to expire.
    #[error("{0} must be spent but cannot be")]
    CannotSpend(OutPoint),
    /// The built transaction does not do what it should: a bug. Nothing was lost.
    #[error("the plan does not keep its promise")]
    Broken(#[source] FlowError),
    /// The built transaction breaks a rule of this module: a bug. Nothing was lost.
    #[error("the plan is wrong: {0}")]
    Wrong(&'static str),
}

impl PlanError {
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
