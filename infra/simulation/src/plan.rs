//! What a run is to do: its seed decides the rest.

use std::{fmt, str::FromStr, time::Duration};

use crate::{
    choice::{Allowed, hash},
    faults::{Fault, Menu},
    mistakes::Mistake,
};

/// What a run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Sign-ins, sessions, credentials, mails.
    Accounts,
    /// Swaps between chains, and their hub.
    Swaps,
    /// Exports, and requests that are repeated.
    Exports,
    /// Everybody, while calls arrive long after they were given up, or twice.
    Late,
}

impl Scenario {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Accounts, Self::Swaps, Self::Exports, Self::Late];

    /// The scenario of a seed that names none.
    pub fn of(seed: u64) -> Self {
        let place = hash(seed, "scenario") % 4;
        Self::ALL[usize::try_from(place).unwrap_or(0)]
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accounts => "accounts",
            Self::Swaps => "swaps",
            Self::Exports => "exports",
            Self::Late => "late",
        })
    }
}

impl FromStr for Scenario {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|scenario| scenario.to_string() == text)
            .ok_or(format!("the scenarios are {}", Self::ALL.map(|one| one.to_string()).join(", ")))
    }
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed.
    pub seed: u64,
    /// The scenario.
    pub scenario: Scenario,
    /// Which faults there may be.
    pub allowed: Allowed,
    /// How long the storm lasts.
    pub storm: Duration,
    /// Number of people of each kind.
    pub people: u8,
    /// A mistake that is made on purpose.
    pub mistake: Option<Mistake>,
}

impl Plan {
    /// The whole run of a seed.
    pub fn of(seed: u64, scenario: Option<Scenario>) -> Self {
        let scenario = scenario.unwrap_or_else(|| Scenario::of(seed));
        let storm = Duration::from_secs(12 * 60);
        Self { seed, scenario, allowed: Allowed::default(), storm, people: 2, mistake: None }
    }

    pub(crate) fn menu(&self) -> Menu {
        let menu = Menu::of(self.seed);
        match self.scenario {
            Scenario::Late => Menu {
                faults: vec![
                    (Fault::Late, 3_000),
                    (Fault::Twice, 3_000),
                    (Fault::AnswerLost, 1_500),
                    (Fault::SilentDone, 500),
                    (Fault::Error, 1_500),
                ],
                ..menu
            },
            _ => menu,
        }
    }
}
