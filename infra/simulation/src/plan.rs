//! The plan of a run; its seed decides the rest.

use std::{fmt, str::FromStr, time::Duration};

use crate::{
    choice::{Allowed, hash},
    faults::{ChainMenu, Fault, Menu},
    mistakes::Mistake,
};

/// What a run exercises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Sign-ins, sessions, credentials, mails.
    Accounts,
    /// Swaps between chains, and their hub.
    Swaps,
    /// Exports, and repeated requests.
    Exports,
    /// Everything, while calls arrive twice, or long after their callers gave up.
    Late,
    /// Deposits to and withdrawals from the perpetuals venue while its terms change.
    Venue,
    /// Virtual mints, withdrawals and refunds, with faults of every kind.
    Mints,
    /// As `Mints`, while parents of transactions vanish from the chain.
    Parents,
    /// As `Mints`, while servers lag or are on a fork.
    Replicas,
    /// As `Mints`, while fee rates jump and mempools forget transactions.
    Rates,
    /// As `Mints`, with two watchers running concurrently that are killed at any call.
    Watchers,
    /// As `Mints`, while blocks are replaced.
    Reorganisations,
    /// As `Mints`, while requests are sent twice and old versions are mined.
    Versions,
    /// As `Mints`, while answers are lost.
    Answers,
    /// As `Mints`, while the database throttles.
    Throttling,
    /// Mints with many bidders, while everything happens that can delay payouts: strangers send dust, miners
    /// pay users, fees rise.
    Payouts,
}

impl Scenario {
    /// All scenarios.
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

    /// The scenario that a seed chooses, for plans that name none.
    pub fn of(seed: u64) -> Self {
        let count = u64::try_from(Self::ALL.len()).unwrap_or(1);
        let place = usize::try_from(hash(seed, "scenario") % count).unwrap_or(0);
        Self::ALL[place]
    }

    /// Whether blocks are mined and people bid.
    pub fn has_mints(self) -> bool {
        !matches!(self, Self::Accounts | Self::Swaps | Self::Exports | Self::Late | Self::Venue)
    }

    /// The seed's menu, with the scenario's own faults made likely.
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
    /// Which faults may happen.
    pub allowed: Allowed,
    /// How long the storm lasts.
    pub storm: Duration,
    /// Number of people of each kind.
    pub people: u8,
    /// A deliberate mistake.
    pub mistake: Option<Mistake>,
    /// The call before which the run stops.
    pub until: Option<u64>,
    /// Whether the database keeps its requests and answers, to compare them with those of the emulator. It
    /// then causes no difficulties, because the emulator causes none.
    pub keeps_exchanges: bool,
}

impl Plan {
    /// The whole run of a seed.
    pub fn of(seed: u64, scenario: Option<Scenario>) -> Self {
        let scenario = scenario.unwrap_or_else(|| Scenario::of(seed));
        let (minutes, people) = match scenario {
            // Answers about the venue can be judged only after nothing has changed for a while.
            Scenario::Venue => (60, 3),
            // So many people that no runestone has room for all of them.
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
