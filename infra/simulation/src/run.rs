//! One run: a seed, a scenario, a storm, healing, rest, and the checks.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use futures_util::future::join_all;
use local::{
    stack::treasury,
    template::{self, Deployment, Resources, TEMPLATE},
};
use serde_json::json;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, timeout},
};
use tracing_subscriber::layer::SubscriberExt;

use crate::{
    aws::{
        dynamodb::DynamoDb,
        files::Files,
        keys::{Kms, Texts},
        mail::Mails,
        queues::Queues,
    },
    choice::{Choice, Choices, hash},
    faults::Menu,
    hub::{FeeRates, Hub},
    instances::Lambda,
    invariants::{self, Alarms, View},
    people::{Client, PasswordUser, Swapper, WalletUser},
    plan::{Plan, Scenario},
    wire::Net,
    workers::{self, Urls},
};

/// The longest that people need to come to an end, limits of a day included.
const LONGEST_PHASE: Duration = Duration::from_secs(48 * 60 * 60);

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was run.
    pub plan: Plan,
    /// What does not hold; empty: everything does.
    pub broken: Vec<String>,
    /// Number of calls to the world.
    pub calls: u64,
    /// The faults that happened.
    pub faults: Vec<Choice>,
    /// A hash of all that happened.
    pub trace_hash: u64,
    /// A hash of the database at the end.
    pub rows_hash: u64,
    /// All that happened, line by line.
    pub trace: Vec<String>,
}

/// Runs a plan.
///
/// # Panics
/// The world cannot be built.
pub fn run(plan: &Plan) -> Report {
    // The SDK's jitter and client tokens come from here.
    fastrand::seed(plan.seed);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let alarms = Alarms::default();
    let subscriber = tracing_subscriber::registry().with(alarms.clone());
    let _logged = tracing::subscriber::set_default(subscriber);
    let mut report = runtime.block_on(simulate(plan));
    report.broken.extend(alarms.take());
    report
}

fn resources() -> Resources {
    let parameters = [
        ("TokenIssuer", "runeport-simulation"),
        ("SignInDomain", "localhost"),
        ("SignInUri", "http://localhost:5173"),
        ("SignInMessage", "Sign in to Runeport: {timestamp}"),
        ("CorsOrigins", "http://localhost:5173"),
        ("PasskeyRpId", "localhost"),
        ("PasskeyOrigins", "http://localhost:5173"),
        ("BitcoinNetwork", "regtest"),
        ("EsploraUrl", "http://esplora"),
        ("OrdUrl", "http://ord"),
        ("HubUrl", "http://hub"),
        ("AffiliateAddress", "0x00000000000000000000000000000000000000aa"),
        ("AffiliateFeeBps", "25"),
        ("PerpVenueChain", "Testnet"),
        ("PerpVenueReferralCode", "RUNEPORT"),
        ("PerpVenueBuilder", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"),
        ("MailFrom", "runeport@localhost"),
        ("AppUrl", "http://localhost:5173"),
    ];
    let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut parameters = BTreeMap::from(parameters);
    parameters.insert("TreasuryAddress".to_owned(), treasury().address().to_owned());
    let stack = "simulation".to_owned();
    let deployment = Deployment { stack, parameters, queue_url: "http://sqs".to_owned() };
    template::read(TEMPLATE, &deployment).unwrap_or_else(|failure| panic!("{failure}"))
}

fn settings(resources: &Resources) -> BTreeMap<String, String> {
    let mut settings = resources.settings();
    for (name, value) in [
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_ENDPOINT_URL_DYNAMODB", "http://dynamodb"),
        ("AWS_ENDPOINT_URL_S3", "http://s3"),
        ("AWS_ENDPOINT_URL_KMS", "http://kms"),
        ("AWS_ENDPOINT_URL_SECRETS_MANAGER", "http://secrets"),
        ("AWS_ENDPOINT_URL_SESV2", "http://ses"),
        ("AWS_ENDPOINT_URL_SQS", "http://sqs"),
        ("AWS_ENDPOINT_URL_SSM", "http://ssm"),
        ("MEDIA_URL", "http://media"),
    ] {
        settings.insert(name.to_owned(), value.to_owned());
    }
    settings
}

/// The key that signs access tokens, as it is stored: the secret and the published keys.
fn token_keys() -> (String, String) {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a seed is a key");
    let x = BASE64_URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
    let pkcs8 = pair.to_pkcs8v1().expect("a key has a form");
    let private_key = BASE64_STANDARD.encode(pkcs8.as_ref());
    let kid = x[..16].to_owned();
    let secret = json!({ "kid": kid, "privateKey": private_key });
    let public =
        json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": kid, "x": x });
    (secret.to_string(), json!({ "keys": [public] }).to_string())
}

/// Builds the world of a plan: every host that the service can reach is registered here.
fn build(plan: &Plan, net: &Net, resources: &Resources, settings: &BTreeMap<String, String>) {
    let menu = net.world().menu.clone();
    let expires = hash(plan.seed, "rows expire").is_multiple_of(2);
    let dynamodb = DynamoDb::new(plan.seed, &resources.tables, menu.difficulty, expires);
    let (secret, jwks) = token_keys();
    let named = |setting: &str| settings.get(setting).cloned().unwrap_or_default();
    let secrets = Texts(BTreeMap::from([(named("TOKEN_SECRET_ID"), secret)]));
    let parameters = Texts(BTreeMap::from([(named("TOKEN_JWKS_PARAMETER"), jwks)]));
    let fickle = if hash(plan.seed, "fickle hub").is_multiple_of(2) { 150 } else { 0 };
    net.register("dynamodb", dynamodb);
    net.register("kms", Kms::default());
    net.register("secrets", secrets);
    net.register("ssm", parameters);
    net.register("sqs", Queues::new(&resources.queues));
    net.register("s3", Files::default());
    net.register("ses", Mails::default());
    net.register("hub", Hub::new(fickle));
    net.register("esplora", FeeRates);
}

async fn simulate(plan: &Plan) -> Report {
    let net = Net::new(Choices::new(plan.seed, plan.allowed.clone()), plan.menu());
    let resources = resources();
    let settings = settings(&resources);
    build(plan, &net, &resources, &settings);
    net.world().mistake = plan.mistake;
    let urls = Urls {
        mails: settings.get("MAIL_QUEUE_URL").cloned().unwrap_or_default(),
        exports: settings.get("EXPORT_QUEUE_URL").cloned().unwrap_or_default(),
    };
    let lambda = Lambda::new(net.clone(), plan.seed, settings);
    let mut workers = JoinSet::new();
    workers.spawn(workers::deliver_mails(lambda.clone(), urls.clone()));
    workers.spawn(workers::deliver_exports(lambda.clone(), urls.clone()));
    workers.spawn(workers::sweep_exports(lambda.clone(), urls.clone()));
    if plan.scenario == Scenario::Swaps {
        workers.spawn(workers::watch_chain(lambda.clone()));
    }

    let (mut wallets, mut passwords, mut swappers) = (Vec::new(), Vec::new(), Vec::new());
    let until = Instant::now() + plan.storm;
    for n in 0..plan.people {
        let client =
            |kind: &str, first: u8| Client::new(&lambda, &format!("{kind}{n}"), first + n, until);
        let number = u64::from(n);
        if plan.scenario != Scenario::Swaps {
            wallets.push(WalletUser::new(client("wallet", 0), number).live());
        }
        if matches!(plan.scenario, Scenario::Accounts | Scenario::Late) {
            passwords.push(PasswordUser::new(client("password", 50)).live());
        }
        if matches!(plan.scenario, Scenario::Swaps | Scenario::Exports | Scenario::Late) {
            swappers.push(Swapper::new(client("swapper", 100), number).live());
        }
    }
    let people = async { tokio::join!(join_all(wallets), join_all(passwords), join_all(swappers)) };
    let Ok((wallets, passwords, swappers)) = timeout(plan.storm + LONGEST_PHASE, people).await
    else {
        let text = "L5: a request of the storm never ends".to_owned();
        net.world().alarms.push(text);
        return report(plan, &net, &urls, workers);
    };

    net.note("healed");
    {
        let mut world = net.world();
        world.choices.heal();
        world.menu = Menu { faults: Vec::new(), ..Menu::default() };
        world.host::<DynamoDb>("dynamodb").heal();
        world.host::<Hub>("hub").fickle = 0;
    }
    // What was sent in the storm has arrived, and calls that wait for nothing have ended.
    sleep(Duration::from_secs(150)).await;
    let ends = async {
        tokio::join!(
            join_all(wallets.into_iter().map(WalletUser::end)),
            join_all(passwords.into_iter().map(PasswordUser::end)),
            join_all(swappers.into_iter().map(Swapper::end)),
        )
    };
    if timeout(LONGEST_PHASE, ends).await.is_err() {
        let text = "L5: a request after healing never ends".to_owned();
        net.world().alarms.push(text);
        return report(plan, &net, &urls, workers);
    }
    // Longer than the queue of exports hides a message.
    let rest = if plan.scenario == Scenario::Swaps { 15 } else { 100 };
    sleep(Duration::from_secs(rest * 60)).await;
    net.note("rested");
    report(plan, &net, &urls, workers)
}

fn report(plan: &Plan, net: &Net, urls: &Urls, mut workers: JoinSet<()>) -> Report {
    workers.abort_all();
    let view = View::of(net, urls, plan);
    let mut broken = invariants::check(&view);
    let mut world = net.world();
    let mut alarms = std::mem::take(&mut world.alarms);
    alarms.append(&mut broken);
    let rows = world.host::<DynamoDb>("dynamodb").rows();
    let rows = rows.map(|(table, key, row)| {
        format!("{table} {key:?} {}", serde_json::to_string(row).unwrap_or_default())
    });
    let rows_hash = rows.fold(0, |state, row| hash(state, &row));
    Report {
        plan: plan.clone(),
        broken: alarms,
        calls: world.calls,
        faults: world.choices.made().to_vec(),
        trace_hash: world.trace_hash(),
        rows_hash,
        trace: world.trace().to_vec(),
    }
}

/// Runs seeds on as many threads as there are processors, in any order, and hands each report over as it comes.
/// Ends early where `report` says so.
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
