//! Kills the watcher as a process, before and after each of its effects on the outside world.

use std::{
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base::{
    outbound::{Call, Outbound, Party, within},
    random::SystemSource,
    settings::from_env,
};
use local::{
    LocalStack,
    clock::LocalClock,
    effects::{Effects, effect},
    patience::HANG_LIMIT,
    server::Server,
    stack::watching::watch_until_quiet,
};
use shared::core::{Application, Machine};

use super::*;

/// How far a child's clock is ahead.
const AHEAD: &str = "RUNEPORT_TEST_CLOCK_AHEAD_MS";

/// The watcher as a separate process, started by [`Gate::run`].
#[tokio::test]
#[ignore = "a child of the other tests"]
async fn watcher_in_a_separate_process() {
    let Ok(ahead) = std::env::var(AHEAD) else { return };
    let clock = Arc::new(LocalClock::ahead_by(ahead.parse().unwrap()));
    let effects = Effects::default();
    let machine = Machine::over(clock, Arc::new(SystemSource), effects.outbound());
    let app = chain_watcher::App::new(from_env().unwrap(), &machine);
    watch_until_quiet(&app, &effects).await.unwrap();
}

/// When a child is killed, at one of its effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kill {
    /// Before the effect reaches the outside world.
    Before,
    /// After the effect, before the child receives the answer.
    After,
    /// Never.
    Never,
}

/// The effect of a signature.
const SIGNATURE: &str = "Sign";

/// A proxy between a child and the outside world: DynamoDB, KMS and Esplora.
struct Gate {
    servers: Vec<Server>,
    shared: Arc<Shared>,
}

struct Shared {
    outbound: Outbound,
    kill: Mutex<Kill>,
    /// Signatures to let pass before the kill.
    passing: Mutex<usize>,
    child: Mutex<Option<Child>>,
    /// Effects are serialised, so that none slips past the one at which a child is killed.
    turn: tokio::sync::Mutex<()>,
    /// Number of children so far, and whether the newest is dead.
    children: AtomicUsize,
    dead: AtomicBool,
    /// The effects at which children were killed.
    seen: Mutex<Vec<String>>,
}

#[derive(Clone)]
struct Door {
    target: String,
    shared: Arc<Shared>,
}

const DOORS: [&str; 3] = ["AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_KMS", "ESPLORA_URL"];

async fn pass(State(door): State<Door>, request: Request) -> Response {
    let effect = effect(&request).map(str::to_owned);
    let sender = door.shared.children.load(Ordering::SeqCst);
    let _turn = match effect {
        Some(_) => Some(door.shared.turn.lock().await),
        None => None,
    };
    let newest = door.shared.children.load(Ordering::SeqCst);
    if effect.is_some() && (sender != newest || door.shared.dead.load(Ordering::SeqCst)) {
        return gone();
    }
    let (parts, body) = request.into_parts();
    let body: Bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let kill = match &effect {
        Some(effect) => door.shared.next_kill(effect),
        None => Kill::Never,
    };
    if kill == Kill::Before {
        door.shared.kill_child(&effect.unwrap());
        return gone();
    }
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let mut forwarded = http::Request::new(body);
    *forwarded.method_mut() = parts.method;
    *forwarded.uri_mut() = format!("{}{path}", door.target).parse().unwrap();
    *forwarded.headers_mut() = parts.headers;
    forwarded.headers_mut().remove("host");
    let call = Call::new(Party::ANOTHER, "forwarded");
    let sent = door.shared.outbound.send(call, forwarded, HANG_LIMIT);
    let sent = within(HANG_LIMIT, sent).await;
    if kill == Kill::After {
        door.shared.kill_child(&effect.unwrap());
        return gone();
    }
    sent.unwrap().map(axum::body::Body::from).into_response()
}

/// An answer to a dead child.
fn gone() -> Response {
    http::StatusCode::GONE.into_response()
}

impl Shared {
    /// The decision for the next effect.
    fn next_kill(&self, effect: &str) -> Kill {
        let mut passing = self.passing.lock().unwrap();
        if *passing > 0 && effect == SIGNATURE {
            *passing -= 1;
            return Kill::Never;
        }
        std::mem::replace(&mut *self.kill.lock().unwrap(), Kill::Never)
    }

    fn start_child(&self, child: &mut Command) {
        // A kill waits until the child is here.
        let mut newest = self.child.lock().unwrap();
        *newest = Some(child.spawn().unwrap());
    }

    fn kill_child(&self, effect: &str) {
        self.dead.store(true, Ordering::SeqCst);
        self.child.lock().unwrap().as_mut().unwrap().kill().unwrap();
        self.seen.lock().unwrap().push(effect.to_owned());
    }
}

impl Gate {
    async fn in_front_of(stack: &LocalStack) -> Self {
        let shared = Arc::new(Shared {
            outbound: Outbound::new(),
            kill: Mutex::new(Kill::Never),
            passing: Mutex::default(),
            child: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            children: AtomicUsize::default(),
            dead: AtomicBool::default(),
            seen: Mutex::default(),
        });
        let mut servers = Vec::new();
        for name in DOORS {
            let target = stack.settings()[name].trim_end_matches('/').to_owned();
            let door = Door { target, shared: shared.clone() };
            let router = Router::new().fallback(pass).with_state(door);
            servers.push(Server::start(router).await.unwrap());
        }
        Self { servers, shared }
    }

    /// Runs a watcher as a process until it ends or is killed; returns whether it was killed.
    async fn run(&self, stack: &LocalStack, kill: Kill, passing: usize) -> bool {
        *self.shared.kill.lock().unwrap() = kill;
        *self.shared.passing.lock().unwrap() = passing;
        self.shared.children.fetch_add(1, Ordering::SeqCst);
        self.shared.dead.store(false, Ordering::SeqCst);
        let doors = DOORS.iter().zip(&self.servers).map(|(name, server)| (*name, server.url()));
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "crash::watcher_in_a_separate_process", "--ignored"])
            .envs(stack.settings())
            .envs(doors)
            .env(AHEAD, stack.clock().offset_ms().to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.shared.start_child(&mut child);
        loop {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let mut child = self.shared.child.lock().unwrap();
            if let Some(status) = child.as_mut().unwrap().try_wait().unwrap() {
                let killed =
                    *self.shared.kill.lock().unwrap() == Kill::Never && kill != Kill::Never;
                assert!(killed || status.success(), "the watcher failed without being killed");
                return killed;
            }
        }
    }

    /// Kills a watcher before and after each of its effects, until none is left.
    async fn kill_at_each_effect(&self, world: &MintWorld) {
        world.stack.clock().advance(Duration::from_secs(61));
        let mut passing = 0;
        while self.run(&world.stack, Kill::Before, passing).await {
            self.assert_at_most_one_of_each(world).await;
            assert!(self.run(&world.stack, Kill::After, passing).await);
            self.assert_at_most_one_of_each(world).await;
            // A signature leaves no trace: the next watcher repeats it and continues.
            let last = self.shared.seen.lock().unwrap().last().cloned();
            passing = if last.as_deref() == Some(SIGNATURE) { passing + 1 } else { 0 };
        }
    }

    /// A single payout has at most one transfer and one distribution.
    async fn assert_at_most_one_of_each(&self, world: &MintWorld) {
        let sent = sent(world);
        assert!(sent.iter().all(|count| *count <= 1), "{sent:?}");
    }
}

/// Number of transfers and of distributions made.
fn sent(world: &MintWorld) -> [usize; 2] {
    let rows = json!(world.stack.contents()).to_string();
    let count = |work: &str| rows.matches(&format!("{{\"S\":\"{work}\"}}")).count();
    ["vm-transfer", "vm-distribution"].map(count)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_07_a_watcher_killed_at_every_effect_sends_nothing_twice_and_forgets_nothing() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 10, "requestsPerBlock": 10 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    let a = world.bid(&alice, 6, 2_000).await;
    let b = world.bid(&bob, 6, 1_500).await;
    world.mine(1).await;
    assert_eq!(world.requests_in_blocks(mint).await, 10);
    let gate = Gate::in_front_of(&world.stack).await;

    // The block that makes the mint's end final: settlement, payout, transfer, distribution.
    world.stack.bitcoin().mine(6).await.unwrap();
    gate.kill_at_each_effect(&world).await;
    world.recount(mint).await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.payouts_planned), (MintState::MintedOut, true));
    // The next blocks, including the one that makes both transactions final.
    for blocks in [1, 1, 1, 1, 1, 6] {
        world.stack.bitcoin().mine(blocks).await.unwrap();
        gate.kill_at_each_effect(&world).await;
        world.recount(mint).await;
    }
    for _block in 0..10 {
        world.mine(1).await;
    }
    world.recount(mint).await;

    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    assert_eq!(sent(&world), [1, 1]);
    assert_eq!(runes_of(&world, &alice.trading).await, 6_000);
    assert_eq!(runes_of(&world, &bob.trading).await, 4_000);
    assert_eq!(runes_of(&world, &world.pool.address(local::wallets::NETWORK)).await, 90_000);
    assert_eq!(sats_of(&world, &world.proceeds).await, 6 * 2_000 + 4 * 1_500);
    let treasury = world.treasury.address(local::wallets::NETWORK);
    assert_eq!(sats_of(&world, &treasury).await, 2 * 1_500);
    assert!(!world.listed(a).await["isRefundable"].as_bool().unwrap());
    assert!(world.listed(b).await["isRefundable"].as_bool().unwrap());

    let seen = gate.shared.seen.lock().unwrap().clone();
    // Two transactions are sent, each with at least one of the two kinds of kill.
    for (effect, least) in [("TransactWriteItems", 30), (SIGNATURE, 4), ("broadcast", 2)] {
        let kills = seen.iter().filter(|seen| *seen == effect).count();
        assert!(kills >= least, "{kills} kills at {effect}: {seen:?}");
    }
    assert!(seen.len() >= 40, "{} kills: {seen:?}", seen.len());
}
