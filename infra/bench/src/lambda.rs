//! Runs functions as Lambda does: each in its own process, on a runtime API. Measures the time and CPU of a
//! start, and of each request in a warm process. Compares the release binaries with implementations of the
//! same endpoints in other frameworks; the requests of all contenders alternate in one run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use local::{
    Client, LocalStack,
    lambda::{Function, Gateway, Invocation, Start},
    mints::MintWorld,
    server::Server,
    workspace,
};
use tokio::process::Command;

use crate::{
    counting::{Count, CountingServer},
    endpoints::{Endpoint, Request, Requests},
};

/// Number of processes started to measure a start.
const STARTS: usize = 9;
/// How long to wait after a process has ended, so that it does not slow the next one down.
const SETTLING: Duration = Duration::from_millis(20);
/// Number of requests to one process before the next process's turn.
const TURN: usize = 20;

/// Number of requests per process.
#[derive(Clone, Copy)]
struct Load {
    /// Requests before a process counts as warm.
    warming: usize,
    /// Requests measured in the warm process.
    warm: usize,
}

const USUAL: Load = Load { warming: 200, warm: 300 };
/// The load for endpoints of chains, where most requests need a user with coins.
const COSTLY: Load = Load { warming: 40, warm: 200 };
/// Name of the setting with DynamoDB's address.
const DYNAMODB: &str = "AWS_ENDPOINT_URL_DYNAMODB";

/// An implementation of the functions.
struct Contender {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    /// Size of the deployed code in bytes: a binary, or all files that the runtime image does not include.
    size: u64,
}

/// A running process, and measurements of its invocations.
struct Running {
    function: Arc<Function>,
    gateway: Gateway,
    client: Client,
    _server: Server,
}

/// Measurements of one endpoint in one contender.
struct Measured {
    start: Start,
    first: Duration,
    p50: Duration,
    p99: Duration,
    cpu: Duration,
    peak_kib: u64,
    count: Count,
}

/// Measures the starts of each function and of a bare one, which alternate, and prints them as multiples of
/// the bare one's.
pub(crate) async fn functions(stack: &LocalStack) {
    println!(
        "### Functions\n\n| Function | Exec to ready | Page cache without it | CPU until then | Memory | Size |\n\
         |---|---|---|---|---|---|"
    );
    let folder = fs::read_dir(workspace::root().join("functions")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: Vec<_> =
        ["bare".to_owned()].into_iter().chain(names.collect::<BTreeSet<_>>()).collect();
    let contenders: Vec<_> = names.iter().map(|name| Contender::own(name)).collect();
    let (mut warm, mut cold) = (vec![Vec::new(); names.len()], vec![Vec::new(); names.len()]);
    for _ in 0..STARTS {
        for (contender, (warm, cold)) in contenders.iter().zip(warm.iter_mut().zip(&mut cold)) {
            contender.forget();
            for starts in [cold, warm] {
                starts.push(contender.run(stack, stack.settings()).await.function.started());
                tokio::time::sleep(SETTLING).await;
            }
        }
    }
    let median = |starts: &[Start]| percentile(starts.iter().map(|start| start.took), 50);
    let beside = |took: Duration, bare: Duration| {
        let ratio = took.as_secs_f64() / bare.as_secs_f64();
        format!("{}, {ratio:.2}x", milliseconds(took))
    };
    let (bare_warm, bare_cold) = (median(&warm[0]), median(&cold[0]));
    for ((name, contender), (warm, cold)) in
        names.iter().zip(&contenders).zip(warm.iter().zip(&cold))
    {
        let (took, read) = (beside(median(warm), bare_warm), beside(median(cold), bare_cold));
        let cpu = milliseconds(percentile(warm.iter().map(|start| start.cpu), 50));
        let memory = warm.iter().map(|start| start.peak_kib).max().unwrap_or_default() * 1024;
        let [memory, size] = [memory, contender.size].map(mebibytes);
        println!("| {name} | {took} | {read} | {cpu} | {memory} | {size} |");
    }
    println!();
}

/// Measures the endpoints of the release binaries, and prints the results.
pub(crate) async fn endpoints(stack: &LocalStack) {
    println!(
        "### Endpoints\n\n| Request | First answer | Warm p50 | Warm p99 | CPU a request | DynamoDB \
         | Capacity units |\n|---|---|---|---|---|---|---|"
    );
    let mut requests = Requests::of(stack).await;
    for endpoint in Endpoint::PLAIN {
        print_row(&mut requests, *endpoint, USUAL).await;
    }
    let world = LocalStack::builder().bitcoin().evm().build().await;
    let world = MintWorld::of(world, 10_000_000).await;
    let mut requests = Requests::on_chains(&world).await;
    for endpoint in Endpoint::ON_CHAINS {
        print_row(&mut requests, *endpoint, COSTLY).await;
    }
    println!();
}

async fn print_row(requests: &mut Requests<'_>, endpoint: Endpoint, load: Load) {
    requests.renew().await;
    let own = Contender::own(endpoint.function());
    for Measured { first, p50, p99, cpu, count, .. } in
        measure(requests, endpoint, &[own], load).await
    {
        let [first, p50, p99, cpu] = [first, p50, p99, cpu].map(milliseconds);
        let (name, operations) = (endpoint.name(), operations(&count.operations));
        let capacity = count.capacity;
        println!("| {name} | {first} | {p50} | {p99} | {cpu} | {operations} | {capacity} |");
    }
}

/// Measures three endpoints of the release binaries and of a bare one, and prints the results.
pub(crate) async fn compare_with_bare(stack: &LocalStack) {
    compare(stack, |endpoint| vec![Contender::own(endpoint.function()), Contender::bare()]).await;
}

/// Measures the same endpoints, and those of the peers.
pub(crate) async fn peers(stack: &LocalStack) {
    compare(stack, Contender::all).await;
}

async fn compare(stack: &LocalStack, contenders: impl Fn(Endpoint) -> Vec<Contender>) {
    let mut requests = Requests::of(stack).await;
    println!(
        "### Functions compared with others\n\n| Endpoint, written with | Exec to ready | CPU until then | \
         First answer | Warm p50 | Warm p99 | CPU a request | Peak memory | Size | Round trips | \
         Bytes sent |\n|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for endpoint in [Endpoint::Me, Endpoint::Prizes, Endpoint::RegisterSrp] {
        requests.renew().await;
        let contenders = contenders(endpoint);
        let measured = measure(&mut requests, endpoint, &contenders, USUAL).await;
        let Some((own, others)) = measured.split_first() else { continue };
        let Some((first, rest)) = contenders.split_first() else { continue };
        row(endpoint, first, own, &own.absolutes(first.size));
        for (contender, measured) in rest.iter().zip(others) {
            row(endpoint, contender, measured, &measured.ratios(contender.size, own, first.size));
        }
    }
    println!();
}

fn row(endpoint: Endpoint, contender: &Contender, measured: &Measured, cells: &[String]) {
    let Count { operations, sent, .. } = &measured.count;
    let (name, cells, trips) = (endpoint.name(), cells.join(" | "), operations.len());
    println!("| {name}: {} | {cells} | {trips} | {sent} |", contender.name);
}

impl Contender {
    /// A release binary built by `make bench`; `BENCH_BINARIES` names another folder.
    fn own(function: &str) -> Self {
        let folder = std::env::var_os("BENCH_BINARIES").map(PathBuf::from);
        let folder = folder.unwrap_or_else(|| workspace::root().join("target/bench-lambda"));
        Self::program("Runeport", folder.join(function).join("bootstrap"))
    }

    fn program(name: &'static str, program: PathBuf) -> Self {
        let size = size_of(&program);
        Self { name, program, arguments: Vec::new(), size }
    }

    fn bare() -> Self {
        Self { name: "lambda_http alone", ..Self::own("bare") }
    }

    /// The release binary first, then a bare one, then those of other frameworks.
    fn all(endpoint: Endpoint) -> Vec<Self> {
        let bundle = workspace::local_dir().join("bench-node/fastify.mjs");
        let fastify = Self {
            name: "Fastify",
            program: find_in_path("node"),
            arguments: vec![bundle.display().to_string()],
            size: size_of(&bundle),
        };
        let python = workspace::local_dir().join("bench-venv");
        let packages = fs::read_dir(python.join("lib")).unwrap().next().unwrap().unwrap().path();
        let fastapi = Self {
            name: "FastAPI",
            program: python.join("bin/python"),
            arguments: ["-m", "awslambdaric", "fastapi_peer.app.handler"].map(str::to_owned).into(),
            size: size_of(&packages.join("site-packages")),
        };
        vec![Self::own(endpoint.function()), Self::bare(), fastify, fastapi]
    }

    /// Removes its file from the page cache, as on a machine that has never run it.
    fn forget(&self) {
        let file = fs::File::open(&self.program).unwrap();
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
    }

    async fn run(&self, stack: &LocalStack, settings: &BTreeMap<String, String>) -> Running {
        let mut program = Command::new(&self.program);
        // A log line per request would hide the results.
        program.args(&self.arguments).stdout(Stdio::null());
        let function = Function::start_program(program, settings).await.unwrap();
        let (function, gateway) = (Arc::new(function), Gateway::default());
        let server = gateway.serve(function.clone()).await.unwrap();
        let client = stack.client(server.url());
        Running { function, gateway, client, _server: server }
    }
}

impl Running {
    async fn send(&self, requests: &[Request]) -> Vec<Invocation> {
        for request in requests {
            request.send(&self.client).await;
        }
        self.gateway.take()
    }
}

impl Measured {
    fn absolutes(&self, size: u64) -> Vec<String> {
        let times = [self.start.took, self.start.cpu, self.first, self.p50, self.p99, self.cpu];
        let sizes = [self.peak_kib * 1024, size];
        times.map(milliseconds).into_iter().chain(sizes.map(mebibytes)).collect()
    }

    fn ratios(&self, size: u64, own: &Self, own_size: u64) -> Vec<String> {
        let times = |measured: &Self| {
            let Self { start, first, p50, p99, cpu, .. } = measured;
            [start.took, start.cpu, *first, *p50, *p99, *cpu].map(|time| time.as_secs_f64())
        };
        let sizes = [(self.peak_kib, own.peak_kib), (size, own_size)];
        let sizes = sizes.map(|(other, own)| other as f64 / own as f64);
        let times = times(self).into_iter().zip(times(own)).map(|(other, own)| other / own);
        times.chain(sizes).map(|ratio| format!("{ratio:.2}x")).collect()
    }
}

/// Measures one endpoint in all contenders, which alternate.
async fn measure(
    requests: &mut Requests<'_>,
    endpoint: Endpoint,
    contenders: &[Contender],
    load: Load,
) -> Vec<Measured> {
    let mut counts = Vec::new();
    for contender in contenders {
        counts.push(count_calls(requests, endpoint, contender).await);
    }

    let (mut starts, mut firsts) =
        (vec![Vec::new(); contenders.len()], vec![Vec::new(); contenders.len()]);
    let mut running = Vec::new();
    for round in 0..STARTS {
        running.clear();
        // The order rotates, because the end of a large process slows the next start down.
        for turn in 0..contenders.len() {
            tokio::time::sleep(SETTLING).await;
            let place = (round + turn) % contenders.len();
            let contender = &contenders[place];
            let process = contender.run(requests.stack, &requests.settings).await;
            starts[place].push(process.function.started());
            let first = process.send(&requests.make(endpoint, 1).await).await;
            firsts[place].push(first[0].took);
            running.push((place, process));
        }
    }
    running.sort_by_key(|(place, _)| *place);

    let mut warm = vec![Vec::new(); contenders.len()];
    for (_, process) in &running {
        process.send(&requests.make(endpoint, load.warming).await).await;
    }
    for _ in 0..load.warm / TURN {
        for ((_, process), warm) in running.iter().zip(&mut warm) {
            warm.extend(process.send(&requests.make(endpoint, TURN).await).await);
        }
    }

    let each = counts.into_iter().zip(starts).zip(firsts).zip(warm);
    each.map(|(((count, starts), firsts), warm)| {
        let took = |invocation: &Invocation| invocation.took;
        let cpu: Duration = warm.iter().map(|invocation| invocation.cpu).sum();
        Measured {
            start: Start {
                took: percentile(starts.iter().map(|start| start.took), 50),
                cpu: percentile(starts.iter().map(|start| start.cpu), 50),
                peak_kib: starts[0].peak_kib,
            },
            first: percentile(firsts, 50),
            p50: percentile(warm.iter().map(took), 50),
            p99: percentile(warm.iter().map(took), 99),
            cpu: cpu / u32::try_from(warm.len()).unwrap(),
            peak_kib: warm.iter().map(|invocation| invocation.peak_kib).max().unwrap(),
            count,
        }
    })
    .collect()
}

/// Counts the DynamoDB calls of a warm process for one request.
async fn count_calls(
    requests: &mut Requests<'_>,
    endpoint: Endpoint,
    contender: &Contender,
) -> Count {
    let mut settings = requests.settings.clone();
    let dynamodb = CountingServer::start(&settings[DYNAMODB]).await;
    settings.insert(DYNAMODB.to_owned(), dynamodb.url().to_owned());
    let process = contender.run(requests.stack, &settings).await;
    process.send(&requests.make(endpoint, 1).await).await;
    dynamodb.take();
    process.send(&requests.make(endpoint, 1).await).await;
    dynamodb.take()
}

/// Size of a file, or of a folder without its package installers.
fn size_of(path: &Path) -> u64 {
    let metadata = fs::metadata(path).unwrap_or_else(|_| panic!("{} is missing", path.display()));
    if !metadata.is_dir() {
        return metadata.len();
    }
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let installs = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("pip") || name.starts_with("setuptools")
    };
    entries.filter(|path| !installs(path)).map(|path| size_of(&path)).sum()
}

/// The process is started with an empty `PATH`, so programs need absolute paths.
fn find_in_path(program: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(program));
    found.find(|path| path.is_file()).unwrap_or_else(|| panic!("{program} is missing"))
}

fn percentile(times: impl IntoIterator<Item = Duration>, wanted: usize) -> Duration {
    let mut times: Vec<_> = times.into_iter().collect();
    times.sort();
    times[(times.len() * wanted / 100).min(times.len() - 1)]
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / 1024.0 / 1024.0)
}

fn operations(operations: &[String]) -> String {
    if operations.is_empty() { "none".to_owned() } else { operations.join(" + ") }
}
