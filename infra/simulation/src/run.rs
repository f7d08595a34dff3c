//! One run: a seed, a scenario, a storm, healing, rest, and the checks.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use futures_util::future::join_all;
use serde_json::Value;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, timeout},
};
use tracing_subscriber::layer::SubscriberExt;

use crate::{
    aws::dynamodb::DynamoDb,
    choice::{Choice, Choices, hash},
    faults::Menu,
    hub::Hub,
    invariants::{self, Alarms, View},
    people::{Admin, Bidder, Client, PasswordUser, Swapper, Trader, WalletUser},
    plan::{Plan, Scenario},
    setup::Stage,
    venue::Venue,
    wire::Net,
    workers,
};

/// The longest that people need to finish, including limits of a day.
const LONGEST_PHASE: Duration = Duration::from_secs(48 * 60 * 60);

/// Longer than a call of the storm can travel, and than the service uses a fee rate from the storm.
const CALM: Duration = Duration::from_secs(12 * 60);
/// How long a mint of the storm takes to end and to pay out, in minutes, at about a block per 90 s.
const HEALING: u64 = 90;
/// How long refunds take to become final, in minutes.
const RESTING: u64 = 30;
/// How many transactions in a row may each wait for a lost coin for a day of blocks.
const MOST_DAYS: u8 = 4;

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    /// The plan that was run.
    pub plan: Plan,
    /// The violations; empty if there are none.
    pub broken: Vec<String>,
    /// Number of calls to the world.
    pub calls: u64,
    /// How many transactions, batches and mints reached each state.
    pub reached: BTreeMap<String, u64>,
    /// Number of blocks.
    pub blocks: usize,
    /// The faults that happened.
    pub faults: Vec<Choice>,
    /// A hash of everything that happened.
    pub trace_hash: u64,
    /// A hash of the database at the end.
    pub rows_hash: u64,
    /// Everything that happened, line by line.
    pub trace: Vec<String>,
    /// The database at the end.
    pub database: DynamoDb,
}

/// Runs a plan.
///
/// # Panics
/// The world cannot be built.
pub fn run(plan: &Plan) -> Report {
    let alarms = Alarms::default();
    let subscriber = tracing_subscriber::registry().with(alarms.clone());
    let _logged = tracing::subscriber::set_default(subscriber);
    let mut report = in_simulated_time(plan.seed, simulate(plan));
    report.broken.extend(alarms.take());
    report
}

/// Runs `work` on this thread, on a clock that jumps to the next timer.
///
/// # Panics
/// The runtime cannot be created.
pub fn in_simulated_time<T>(seed: u64, work: impl Future<Output = T>) -> T {
    // The source of the SDK's jitter and client tokens.
    fastrand::seed(seed);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    runtime.block_on(work)
}

/// A run in progress.
struct Run<'a> {
    plan: &'a Plan,
    stage: Stage,
    workers: JoinSet<()>,
}

/// All people who use the service.
#[derive(Default)]
struct People {
    wallets: Vec<WalletUser>,
    passwords: Vec<PasswordUser>,
    swappers: Vec<Swapper>,
    traders: Vec<Trader>,
    bidders: Vec<Bidder>,
    admins: Vec<Admin>,
}

/// Waits for everything that people do after healing.
async fn all_end<T>(ends: impl Future<Output = T>) -> Result<T, &'static str> {
    timeout(LONGEST_PHASE, ends).await.map_err(|_elapsed| "L5: a request after healing never ends")
}

async fn simulate(plan: &Plan) -> Report {
    let mut run = Run::begin(plan);
    let net = run.stage.net.clone();
    let lived = async {
        let people = run.storm().await?;
        run.heal().await;
        run.end(people).await
    };
    let ended = tokio::select! {
        biased;
        () = net.stopped() => Err("stopped before the call that UNTIL names"),
        ended = lived => ended,
    };
    if let Err(text) = ended {
        net.world().alarms.push(text.to_owned());
    }
    net.note("rested");
    run.report()
}

impl<'a> Run<'a> {
    fn begin(plan: &'a Plan) -> Self {
        let net = Net::new(Choices::new(plan.seed, plan.allowed.clone()), plan.menu());
        let stage = Stage::set(plan, net);
        {
            let mut world = stage.net.world();
            (world.mistake, world.until) = (plan.mistake, plan.until);
        }
        let Stage { lambda, chain, urls, .. } = &stage;
        let mut workers = stage.deliveries();
        workers.spawn(workers::sweep_exports(lambda.clone(), urls.clone()));
        workers.spawn(workers::watch_chain(lambda.clone()));
        if plan.scenario.has_mints() {
            workers.spawn(workers::mine_blocks(lambda.clone(), chain.clone()));
        }
        Self { plan, stage, workers }
    }

    /// The people who take part in the scenario.
    fn people(&self) -> People {
        let until = Instant::now() + self.plan.storm;
        let scenario = self.plan.scenario;
        let mut people = People::default();
        if scenario.has_mints() {
            let client = Client::new(&self.stage.lambda, "admin", 200, until);
            let mut admin = Admin::new(client, self.stage.chain.clone());
            admin.crowds = scenario == Scenario::Payouts;
            people.admins.push(admin);
        }
        for n in 0..self.plan.people {
            let client = |kind: &str, first: u8| {
                Client::new(&self.stage.lambda, &format!("{kind}{n}"), first + n, until)
            };
            let number = u64::from(n);
            if scenario.has_mints() {
                let bidder = Bidder::new(client("bidder", 150), self.stage.chain.clone(), number);
                people.bidders.push(bidder);
                continue;
            }
            if scenario == Scenario::Venue {
                people.traders.push(Trader::new(client("trader", 120), number));
                continue;
            }
            if scenario != Scenario::Swaps {
                people.wallets.push(WalletUser::new(client("wallet", 0), number));
            }
            if matches!(scenario, Scenario::Accounts | Scenario::Late) {
                people.passwords.push(PasswordUser::new(client("password", 50)));
            }
            if matches!(scenario, Scenario::Swaps | Scenario::Exports | Scenario::Late) {
                people.swappers.push(Swapper::new(client("swapper", 100), number));
            }
        }
        people
    }

    /// People live through a storm of faults.
    async fn storm(&self) -> Result<People, &'static str> {
        let People { wallets, passwords, swappers, traders, bidders, admins } = self.people();
        let lives = async {
            tokio::join!(
                join_all(wallets.into_iter().map(WalletUser::live)),
                join_all(passwords.into_iter().map(PasswordUser::live)),
                join_all(swappers.into_iter().map(Swapper::live)),
                join_all(traders.into_iter().map(Trader::live)),
                join_all(bidders.into_iter().map(Bidder::live)),
                join_all(admins.into_iter().map(Admin::live)),
            )
        };
        let lived = timeout(self.plan.storm + LONGEST_PHASE, lives).await;
        let (wallets, passwords, swappers, traders, bidders, admins) =
            lived.map_err(|_elapsed| "L5: a request of the storm never ends")?;
        Ok(People { wallets, passwords, swappers, traders, bidders, admins })
    }

    /// From now on no fault happens. Calls of the storm arrive; mints end and pay out.
    async fn heal(&self) {
        self.stage.net.note("healed");
        {
            let mut world = self.stage.net.world();
            world.choices.heal();
            world.menu = Menu::default();
            world.host::<DynamoDb>("dynamodb").heal();
            world.host::<Hub>("hub").fickle = 0;
            world.host::<Venue>("venue").heal(self.stage.net.now());
            self.stage.chain.lock().heal(self.stage.net.now());
        }
        sleep(CALM).await;
        // Instances that start from now on have the right time.
        self.stage.lambda.retire();
        if self.plan.scenario.has_mints() {
            self.settle(HEALING).await;
        }
    }

    /// People receive what is theirs, and the service comes to rest.
    async fn end(&self, people: People) -> Result<(), &'static str> {
        let People { wallets, passwords, swappers, traders, bidders, .. } = people;
        let ends = async {
            tokio::join!(
                join_all(wallets.into_iter().map(WalletUser::end)),
                join_all(passwords.into_iter().map(PasswordUser::end)),
                join_all(swappers.into_iter().map(Swapper::end)),
                join_all(traders.into_iter().map(Trader::end)),
                join_all(bidders.into_iter().map(Bidder::end)),
            )
        };
        let (_, _, _, _, mut bidders) = all_end(ends).await?;
        if !self.plan.scenario.has_mints() {
            // Longer than the queue of exports hides a message.
            let minutes = match self.plan.scenario {
                Scenario::Swaps | Scenario::Venue => 15,
                _ => 100,
            };
            sleep(Duration::from_secs(minutes * 60)).await;
            return Ok(());
        }
        self.settle(RESTING).await;
        for _day in 0..MOST_DAYS {
            if !self.stage.any_row(|row| row.contains_key("orphaned") && row.contains_key("watch"))
            {
                break;
            }
            // A coin that the chain has lost is decided after a day of blocks.
            self.stage.chain.lock().hurry();
            sleep(Duration::from_secs(60 * 60)).await;
            // A transaction that this coin delayed may have confirmed since then, so a refund may be owed.
            bidders = all_end(join_all(bidders.into_iter().map(Bidder::end))).await?;
            self.settle(RESTING).await;
        }
        Ok(())
    }

    /// Lets time pass until no row waits for the chain, at most `minutes`.
    async fn settle(&self, minutes: u64) {
        for _pause in 0..minutes.div_ceil(3) {
            sleep(Duration::from_secs(3 * 60)).await;
            if !self.stage.waits_for_chain() {
                break;
            }
        }
    }

    fn report(&mut self) -> Report {
        self.workers.abort_all();
        let view = View::of(&self.stage.net, &self.stage.urls, self.plan);
        let mut broken = invariants::check(&view);
        let reached = invariants::reached(&view);
        self.stage.net.note(&format!("reached: {reached:?}"));
        let mut world = self.stage.net.world();
        let mut alarms = std::mem::take(&mut world.alarms);
        alarms.append(&mut broken);
        let rows = world.host::<DynamoDb>("dynamodb").rows();
        let rows = rows.map(|(table, key, row)| {
            // The members of nested maps have no fixed order.
            let members: BTreeMap<_, _> = row.iter().map(|(name, it)| (name, sorted(it))).collect();
            format!("{table} {key:?} {members:?}")
        });
        let rows_hash = rows.fold(0, |state, row| hash(state, &row));
        Report {
            plan: self.plan.clone(),
            broken: alarms,
            calls: world.calls,
            reached,
            blocks: self.stage.chain.lock().blocks(),
            faults: world.choices.made().to_vec(),
            trace_hash: world.trace_hash(),
            rows_hash,
            trace: world.trace().to_vec(),
            database: std::mem::take(world.host::<DynamoDb>("dynamodb")),
        }
    }
}

/// A value as text, with the members of each map in the order of their names.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<_, _> =
                members.iter().map(|(name, it)| (name, sorted(it))).collect();
            format!("{members:?}")
        }
        Value::Array(items) => format!("{:?}", items.iter().map(sorted).collect::<Vec<_>>()),
        other => other.to_string(),
    }
}

/// Runs seeds on as many threads as there are processors, in any order, and passes on each report when it is
/// ready. Ends early if `report` says so.
pub fn run_all(
    plans: impl Fn(u64) -> Option<Plan> + Sync,
    report: impl FnMut(Report) -> bool + Send,
) {
    let (next, report) = (AtomicU64::new(0), std::sync::Mutex::new((report, true)));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(plan) = plans(next.fetch_add(1, Ordering::Relaxed)) {
                    let done = run(&plan);
                    let mut report =
                        report.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    if !report.1 {
                        return;
                    }
                    report.1 = (report.0)(done);
                    if !report.1 {
                        return;
                    }
                }
            });
        }
    });
}
