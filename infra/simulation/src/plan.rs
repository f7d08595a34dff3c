//! What a run is to do: its seed decides the rest.

use std::{fmt, str::FromStr, time::Duration};

use crate::{
    choice::{Allowed, hash},
    faults::{ChainMenu, Fault, Menu},
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
    /// Deposits to the perpetuals venue, and withdrawals from it, while its terms change.
    Venue,
    /// Virtual mints, withdrawals and refunds, with faults of every kind.
    Mints,
    /// The same while parents of transactions vanish from the chain.
    Parents,
    /// The same while servers are behind or on a fork.
    Replicas,
    /// The same while fee rates jump, and mempools forget.
    Rates,
    /// The same with two watchers at once, which are killed at any call.
    Watchers,
    /// The same while blocks are replaced.
    Reorganisations,
    /// The same while requests are sent twice, and old versions are mined.
    Versions,
    /// The same while answers are lost.
    Answers,
    /// The same while the database throttles.
    Throttling,
    /// Mints of a crowd, while strangers send dust and miners pay users, and whatever holds payouts up happens during them.
    Payouts,
}

impl Scenario {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Accounts,
        Self::Swaps,
        Self::Exports,
        Self::Late,
        Self::Venue,
        Self::Mints,
        Self::Parents,
        Self::Replicas,
        Self::Rates,
        Self::Watchers,
        Self::Reorganisations,
        Self::Versions,
        Self::Answers,
        Self::Throttling,
        Self::Payouts,
    ];

    /// The scenario of a seed that names none.
    pub fn of(seed: u64) -> Self {
        let count = u64::try_from(Self::ALL.len()).unwrap_or(1);
        let place = usize::try_from(hash(seed, "scenario") % count).unwrap_or(0);
        Self::ALL[place]
    }

    /// Whether blocks are found, and people bid.
    pub fn has_mints(self) -> bool {
        !matches!(self, Self::Accounts | Self::Swaps | Self::Exports | Self::Late | Self::Venue)
    }

    /// The menu of this scenario: that of the seed, with its own faults made likely.
    fn tilt(self, menu: Menu) -> Menu {
        let chain = menu.chain;
        let with = |fault: Fault, weight: u64| {
            let mut faults = menu.faults.clone();
            faults.retain(|(other, _)| *other != fault);
            faults.push((fault, weight));
            faults
        };
        match self {
            Self::Late => Menu {
                faults: vec![
                    (Fault::Late, 3_000),
                    (Fault::Twice, 3_000),
                    (Fault::AnswerLost, 1_500),
                    (Fault::SilentDone, 500),
                    (Fault::Error, 1_500),
                ],
                ..menu
            },
            Self::Parents => {
                Menu { chain: ChainMenu { reorganised: 15_000, vanishing: 600, ..chain }, ..menu }
            }
            Self::Replicas => Menu { chain: ChainMenu { stays_behind: 45_000, ..chain }, ..menu },
            Self::Rates => {
                Menu { chain: ChainMenu { rates: 25_000, evicted: 20_000, ..chain }, ..menu }
            }
            Self::Watchers => {
                Menu { faults: with(Fault::KillAfter, 2_000), doubled_runs: 500, ..menu }
            }
            Self::Reorganisations => {
                Menu { chain: ChainMenu { reorganised: 35_000, ..chain }, ..menu }
            }
            Self::Versions => Menu {
                doubled_requests: 400,
                chain: ChainMenu {
                    old_versions: 30_000,
                    forgotten: 15_000,
                    refused: 15_000,
                    ..chain
                },
                ..menu
            },
            Self::Answers => Menu { faults: with(Fault::AnswerLost, 12_000), ..menu },
            Self::Throttling => Menu { faults: with(Fault::Throttled, 15_000), ..menu },
            Self::Payouts => Menu {
                chain: ChainMenu {
                    coinbases: 30_000,
                    dust: 12_000,
                    behind_divisions: 100_000,
                    spikes: 25_000,
                    ..chain
                },
                ..menu
            },
            _ => menu,
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
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
    /// The call before which the run stops.
    pub until: Option<u64>,
    /// Whether the database keeps what it was asked and what it answered, for a comparison with another one. It then
    /// makes nothing harder than it must be, since the other one does not either.
    pub keeps_exchanges: bool,
}

impl Plan {
    /// The whole run of a seed.
    pub fn of(seed: u64, scenario: Option<Scenario>) -> Self {
        let scenario = scenario.unwrap_or_else(|| Scenario::of(seed));
        let (minutes, people) = match scenario {
            // What is told of the venue is exact only where nothing has changed for a while.
            Scenario::Venue => (60, 3),
            // So many that no runestone has room for all of them.
            Scenario::Payouts => (90, 10),
            _ if scenario.has_mints() => (60, 3),
            _ => (12, 2),
        };
        let storm = Duration::from_secs(minutes * 60);
        let allowed = Allowed::default();
        Self {
            seed,
            scenario,
            allowed,
            storm,
            people,
            mistake: None,
            until: None,
            keeps_exchanges: false,
        }
    }

    pub(crate) fn menu(&self) -> Menu {
        self.scenario.tilt(Menu::of(self.seed))
    }
}
