//! Why there is no plan.

use bitcoin::{Amount, OutPoint, Weight};

use crate::bitcoin::{
    coins::{LeftAside, MOST_RUNES, RuneName},
    runes::FlowError,
};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The plain coins do not suffice.
    #[error("{needed} are needed and {available} are there")]
    InsufficientBtc {
        /// Payments, rune outputs and the fee of spending all that is available.
        needed: Amount,
        /// What all coins hold that may be spent and are worth the fee of their input.
        available: Amount,
    },
    /// The coins do not hold enough of a rune. Amounts in its smallest unit.
    #[error("{needed} of {rune} are needed and {available} are there")]
    InsufficientRune {
        /// The rune.
        rune: RuneName,
        /// The sum of its payments.
        needed: u128,
        /// What the coins hold that may be spent.
        available: u128,
    },
    /// The coins hold enough of a rune, but spent together they would leave more other runes than one
    /// coin may hold. Amounts in its smallest unit.
    #[error(
        "{needed} of {rune} are needed, and {at_once} can be spent in one transaction: its coins \
         hold more than {MOST_RUNES} different runes"
    )]
    RuneScattered {
        /// The rune.
        rune: RuneName,
        /// The sum of its payments.
        needed: u128,
        /// What one transaction can spend.
        at_once: u128,
    },
    /// The coins do not suffice, and some were left aside.
    #[error("{error}; left aside are coins: {left_aside}")]
    Short {
        /// What is missing.
        error: Box<PlanError>,
        /// Coins that are not among those that are there.
        left_aside: LeftAside,
    },
    /// A payment is less than its script's dust limit, or no rune at all.
    #[error("payment {payment} is less than {least}")]
    AmountBelowDust {
        /// Its index.
        payment: usize,
        /// Sats, or the rune's smallest unit.
        least: u64,
    },
    /// A payment's script, or for `None` the change script, burns what it receives.
    #[error("nobody can spend what {payment:?} pays to")]
    Unpayable {
        /// Its index.
        payment: Option<usize>,
    },
    /// The least fee found is above the cap.
    #[error("the fee would be {fee}, above {cap}")]
    FeeTooHigh {
        /// The fee.
        fee: Amount,
        /// The cap.
        cap: Amount,
    },
    /// The coins suffice, but not as few as allowed.
    #[error("more than {most} inputs would be needed")]
    TooManyInputs {
        /// How many are allowed.
        most: usize,
    },
    /// The runestone is longer than allowed.
    #[error("the runestone has {bytes} bytes, more than {most}")]
    RunestoneTooLong {
        /// Its script's length.
        bytes: usize,
        /// How many are allowed.
        most: usize,
    },
    /// The transaction is too heavy for nodes to relay.
    #[error("the transaction would weigh {weight}")]
    TooHeavy {
        /// Signed.
        weight: Weight,
    },
    /// Two of the runes share an id or a name, or an id is not one of an etched rune.
    #[error("{0} is not one rune")]
    BadRune(RuneName),
    /// A coin that must be spent is not among the coins, or may not be spent: unconfirmed, of
    /// unknown contents, inscribed, with runes none of which moves, or about to expire.
    #[error("{0} has to be spent and cannot be")]
    CannotSpend(OutPoint),
    /// The transaction built does not do what it should: a bug, and nothing was lost.
    #[error("the plan does not keep its promise")]
    Broken(#[source] FlowError),
    /// The transaction built breaks a rule of this module: a bug, and nothing was lost.
    #[error("the plan is wrong: {0}")]
    Wrong(&'static str),
}

impl PlanError {
    /// The error, with the coins that were left aside where these could have helped.
    #[must_use]
    pub fn explained(self, left_aside: LeftAside) -> Self {
        let is_short = matches!(
            self,
            Self::InsufficientBtc { .. }
                | Self::InsufficientRune { .. }
                | Self::TooManyInputs { .. }
        );
        if is_short && left_aside.count() > 0 {
            Self::Short { error: Box::new(self), left_aside }
        } else {
            self
        }
    }
}
