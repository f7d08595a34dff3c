//! A whole local world: the services that the functions need, and the application on top of them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::Router;
use base::{
    aws::Parameters,
    clock::SystemClock,
    outbound::{Outbound, OutboundError, Wire},
    random::{Random, SystemSource},
    settings,
};
use ops::{SigningKeys, accounts::set_role, tokens};
use outbox::webhooks::Webhook;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shared::{
    core::Machine,
    crypto::vault::SealScope,
    keys,
    models::{
        account::{Account, Role},
        token::Token,
    },
};
use store::{Entity, Key, Store, Update, Writes, fields};
use tokio::{task::JoinSet, time::Instant};

use super::{
    parameters::{NOWHERE, deployment},
    watching::watch_until_quiet,
};
use crate::{
    app::{App, Config, Served},
    aws::{
        data_dir::DataDir,
        distribution::Distribution,
        dynamodb::DynamoDb,
        kms_keys,
        mailbox::{self, ReceivedMail},
        ministack::Ministack,
        paths::behind_gateway,
        provision,
        pump::Pump,
        sockets::{SocketLimits, Sockets},
        storage::Storage,
        template::{self, Resources},
    },
    base::{
        client::Client,
        clock::LocalClock,
        effects::Effects,
        failure::{Context, Failure, Result},
        names::{ACCESS_KEY_ID, REGION, SECRET_ACCESS_KEY},
        patience,
        server::Server,
    },
    bitcoin::{self, BitcoinWorld, State, programs::Programs},
    doubles::{collector::Collector, hub::HubDouble, ord_double::OrdDouble, venue::Venue},
    users::wallets::Wallet,
};

/// Pause between two runs of the chain watcher; on AWS one minute.
const WATCHER_PAUSE: Duration = Duration::from_secs(5);
/// Runs of the chain watcher per minute.
const RUNS_A_MINUTE: u32 = 12;
/// Pause between two sweeps over exports; on AWS five minutes.
const SWEEP_PAUSE: Duration = Duration::from_secs(30);
/// Pause between two checks for new events, as on AWS.
const EVENTS_PAUSE: Duration = Duration::from_secs(1);
/// Timeout of the worker of webhooks, as in the template.
const WEBHOOKS_TIMEOUT: Duration = Duration::from_secs(80);
/// How many messages the socket worker receives per batch, as in the template.
const SOCKETS_BATCH: i32 = 5;
/// Timeout of the export worker per message, as in the template.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(300);
/// How many times a parameter is written to SSM before giving up.
const PARAMETER_ATTEMPTS: u8 = 5;
/// Settings with the address of an outside party, and the names of the SSM parameters that may hold it.
const PROVIDERS: [(&str, &str); 6] = [
    ("ESPLORA_URL", "esplora-url"),
    ("ORD_URL", "ord-url"),
    ("HUB_URL", "hub-url"),
    ("EVM_RPC_URL", "evm-rpc-url"),
    ("PERP_VENUE_OWN_RPC_URL", "perp-venue-own-rpc-url"),
    ("PERP_VENUE_INFO_URL", "perp-venue-info-url"),
];

/// Options of a world.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    settings: BTreeMap<String, String>,
    data: Option<PathBuf>,
    bitcoin: Option<BitcoinStart>,
    evm: bool,
    ministack: Option<&'static Ministack>,
    port: Option<u16>,
    stores_addresses: bool,
    traces: bool,
    serves_pages: bool,
    socket_limits: SocketLimits,
    impatient: bool,
}

/// When a world's Bitcoin programs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitcoinStart {
    /// Before `build` returns.
    Now,
    /// When [`LocalStack::bring_bitcoin_up`] is called.
    Later,
}

/// Source of the service's chain data.
enum ChainSource {
    /// A stand-in for ord only.
    Double(OrdDouble),
    /// A node and ord.
    World(BitcoinWorld),
}

impl Builder {
    /// Overrides a setting (an environment variable of the functions).
    #[must_use]
    pub fn setting(mut self, name: &str, value: impl Into<String>) -> Self {
        self.settings.insert(name.to_owned(), value.into());
        self
    }

    /// Names an Ethereum JSON-RPC that verifies the signatures of contract wallets.
    #[must_use]
    pub fn evm_rpc(self, url: &str) -> Self {
        self.setting("EVM_RPC_URL", url)
    }

    /// Keeps everything in a folder, so that it survives restarts.
    #[must_use]
    pub fn data_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = Some(folder.into());
        self
    }

    /// Adds a private Bitcoin world: a node and ord on regtest, ready to use.
    #[must_use]
    pub fn bitcoin(self) -> Self {
        Self { bitcoin: Some(BitcoinStart::Now), ..self }
    }

    /// Adds a private Bitcoin world whose faces answer 503 until [`LocalStack::bring_bitcoin_up`].
    #[must_use]
    pub fn bitcoin_later(self) -> Self {
        Self { bitcoin: Some(BitcoinStart::Later), ..self }
    }

    /// Adds the venue's EVM chain; without it, its RPC answers 503.
    #[must_use]
    pub fn evm(self) -> Self {
        Self { evm: true, ..self }
    }

    /// Uses another ministack instead of the shared one of this process. It has no data of the shared one.
    #[must_use]
    pub fn ministack(mut self, ministack: &'static Ministack) -> Self {
        self.ministack = Some(ministack);
        self
    }

    /// Allows cross-origin calls from pages of a server at this loopback port.
    #[must_use]
    pub fn pages_at(self, port: u16) -> Self {
        Self { port: Some(port), ..self }
    }

    /// Makes the addresses of sockets and the links in mails lead to the port of the pages, whose server has
    /// the routes of [`LocalStack::sockets`] and of `front_page`.
    #[must_use]
    pub fn serves_pages(self) -> Self {
        Self { serves_pages: true, ..self }
    }

    /// Limits how long sockets last.
    #[must_use]
    pub fn socket_limits(self, socket_limits: SocketLimits) -> Self {
        Self { socket_limits, ..self }
    }

    /// Stores the addresses of outside parties in SSM, as a deployment does if its addresses contain keys.
    #[must_use]
    pub fn stores_addresses(self) -> Self {
        Self { stores_addresses: true, ..self }
    }

    /// Waits for its partners only as long as a deployment, for tests of partners that do not answer.
    #[must_use]
    pub fn impatient(self) -> Self {
        Self { impatient: true, ..self }
    }

    /// Adds a collector of traces, and records every request and every run of a worker.
    #[must_use]
    pub fn traces(self) -> Self {
        Self { traces: true, ..self }
    }

    /// Starts the world.
    ///
    /// # Panics
    /// It does not start; the text says why.
    pub async fn build(self) -> LocalStack {
        self.try_build()
            .await
            .unwrap_or_else(|failure| panic!("the local stack did not start: {failure}"))
    }

    /// Starts the world.
    ///
    /// # Errors
    /// A part of it does not start.
    pub async fn try_build(self) -> Result<LocalStack> {
        LocalStack::build(self).await
    }
}

/// A private world: no other one sees its tables, buckets, queues, keys or clock.
pub struct LocalStack {
    name: String,
    app: App,
    clock: Arc<LocalClock>,
    effects: Effects,
    source: ChainSource,
    hub: HubDouble,
    venue: Venue,
    collector: Option<Collector>,
    dynamodb: DynamoDb,
    storage: Storage,
    media: Distribution,
    sockets: Sockets,
    ministack: &'static Ministack,
    data: Option<DataDir>,
    servers: Mutex<Vec<Server>>,
}

/// The window of a limit.
#[derive(Debug, Serialize, Deserialize)]
struct LimitWindow {
    hits: u32,
}

impl Entity for LimitWindow {
    const ENTITY: &'static str = "window";
}

fields!(LimitWindow { HITS: u32 = hits });

impl LocalStack {
    /// Starts a fresh world in memory.
    ///
    /// # Panics
    /// It does not start; the text says why.
    pub async fn start() -> Self {
        Self::builder().build().await
    }

    /// Options for a world.
    pub fn builder() -> Builder {
        Builder::default()
    }

    async fn build(builder: Builder) -> Result<Self> {
        let mut data = builder.data.as_deref().map(DataDir::open).transpose()?;
        let ministack = match builder.ministack {
            Some(ministack) => ministack,
            None => Ministack::shared().await?,
        };
        let source = match builder.bitcoin {
            None => ChainSource::Double(OrdDouble::start().await?),
            Some(_) => ChainSource::World(BitcoinWorld::idle().await?),
        };
        let name = data.as_ref().and_then(DataDir::stack).map_or_else(fresh_name, str::to_owned);
        let served_at = builder.port.filter(|_| builder.serves_pages);
        let resources =
            template::resources(&deployment(&name, ministack, builder.port, served_at))?;
        let dynamodb =
            DynamoDb::start(data.as_ref().map(DataDir::database).as_deref(), &resources.tables)
                .await?;
        let storage =
            Storage::start(data.as_ref().map(DataDir::storage).as_deref(), &resources.buckets)
                .await?;
        let clock = Arc::new(data.as_ref().map(DataDir::clock).unwrap_or_default());
        let hub = HubDouble::start(clock.clone()).await?;
        let venue = Venue::start().await?;
        let [media] = resources.distributions.as_slice() else {
            return Err(Failure::new("template.yaml has another distribution than that of media"));
        };
        let media = Distribution::start(storage.root(), media).await?;
        let (sockets, socket_server) = Sockets::start(builder.socket_limits).await?;
        let collector = match builder.traces {
            true => Some(Collector::start().await?),
            false => None,
        };
        let mut settings = settings(
            &resources,
            &source,
            &builder.settings,
            [dynamodb.url(), storage.url(), media.url(), ministack.url(), hub.url()],
            &venue,
        );
        let own = socket_server.url().trim_start_matches("http://");
        let host = match served_at {
            Some(port) => format!("127.0.0.1:{port}"),
            None => own.to_owned(),
        };
        for (name, value) in [
            (
                "API_URL",
                builder.port.map(|it| format!("http://127.0.0.1:{it}")).unwrap_or_default(),
            ),
            ("SOCKET_URL", format!("ws://{host}/socket")),
            ("AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI", format!("http://{own}")),
            // One process does here the work of all concurrent runs of a deployment.
            ("SOCKET_PUSHES_PER_SECOND", "2000".to_owned()),
        ] {
            if !builder.settings.contains_key(name) {
                settings.insert(name.to_owned(), value);
            }
        }
        if let Some(collector) = &collector {
            let own = [("TRACES_ENDPOINT", collector.url()), ("TRACES_ONE_IN", "1")];
            let own = own.into_iter().filter(|(name, _)| !builder.settings.contains_key(*name));
            settings.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        if builder.stores_addresses {
            store_addresses(&name, &mut settings).await?;
        }
        let effects = Effects::default();
        let outbound = effects.outbound();
        let outbound = if builder.impatient { outbound.patient(1) } else { outbound };
        let machine = Machine::over(clock.clone(), Arc::new(SystemSource), outbound);
        let app = App::over(&settings, machine).map_err(|error| Failure::new(error.to_string()))?;
        sockets.serve(app.socket.clone());
        let config: &Config = &app.config;
        venue.know_builder(config.perp_venue.builder);
        if builder.evm {
            let state = data.as_ref().map(DataDir::evm);
            venue.bring_up(&config.perp_venue, state.as_deref()).await?;
        }
        if let Some(data) = &mut data {
            data.import_keys(config, &resources.keys).await?;
        }
        provision::create(&config.aws, ministack.url(), &resources, data.is_none()).await?;
        if let Some(data) = &data {
            data.restore(config, &dynamodb.contents()?).await?;
        }
        if data.as_ref().is_none_or(|data| !data.has_keys()) {
            let (aws, keys) = (config.aws.clone(), config.keys.clone());
            let keys = SigningKeys::new(aws, keys, Outbound::new(), clock.clone());
            keys.rotate().await.context("keys")?;
        }
        hub.agree_with(app.store.clone());
        mailbox::verify_sender(ministack.url(), &app).await?;
        if data.is_some() {
            // Create the keys now, so that the folder has them before anything is encrypted with them.
            let anybody = SealScope { what: "nothing", whose: app.random.id(app.clock.now()) };
            for vault in [&*app.identity.vault, &app.identity.webhook_vault] {
                vault.seal(anybody, &[]).await.context("data keys")?;
            }
            app.identity.vault.keyed_hash("nothing", "").await.context("data keys")?;
        }
        let servers = Mutex::new(vec![socket_server]);
        let stack = Self {
            name,
            app,
            clock,
            effects,
            source,
            hub,
            venue,
            collector,
            dynamodb,
            storage,
            media,
            sockets,
            ministack,
            data,
            servers,
        };
        stack.save().await?;
        if builder.bitcoin == Some(BitcoinStart::Now) {
            stack.bring_bitcoin_up(&Programs::expect()?).await?;
            stack.bitcoin().set_state(bitcoin::State::Ready);
        }
        Ok(stack)
    }

    /// The application, built as the functions build it.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The world's clock.
    pub fn clock(&self) -> &LocalClock {
        &self.clock
    }

    /// The stand-in for ord.
    ///
    /// # Panics
    /// This world has a real ord.
    // For tests, which know their world.
    #[allow(clippy::expect_used)]
    pub fn ord(&self) -> &OrdDouble {
        self.try_ord().expect("a world without a Bitcoin node")
    }

    /// The stand-in for ord, if this world has one.
    pub fn try_ord(&self) -> Option<&OrdDouble> {
        match &self.source {
            ChainSource::Double(double) => Some(double),
            ChainSource::World(_) => None,
        }
    }

    /// The stand-in for the hub.
    pub fn hub(&self) -> &HubDouble {
        &self.hub
    }

    /// The WebSocket API.
    pub fn sockets(&self) -> &Sockets {
        &self.sockets
    }

    /// The perpetuals venue.
    pub fn venue(&self) -> &Venue {
        &self.venue
    }

    /// The collector of traces.
    ///
    /// # Panics
    /// This world was built without one.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub fn collector(&self) -> &Collector {
        self.try_collector().expect("a world with a collector")
    }

    /// The collector of traces, if this world has one.
    pub fn try_collector(&self) -> Option<&Collector> {
        self.collector.as_ref()
    }

    /// The Bitcoin world.
    ///
    /// # Panics
    /// This world was built without one.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub fn bitcoin(&self) -> &BitcoinWorld {
        self.try_bitcoin().expect("a world with a Bitcoin node")
    }

    /// The Bitcoin world, if this world has one.
    pub fn try_bitcoin(&self) -> Option<&BitcoinWorld> {
        match &self.source {
            ChainSource::Double(_) => None,
            ChainSource::World(world) => Some(world),
        }
    }

    /// Starts the Bitcoin programs; their files go into the data folder, if there is one.
    ///
    /// # Errors
    /// This world has no Bitcoin world, or a program does not start.
    pub async fn bring_bitcoin_up(&self, programs: &Programs) -> Result<()> {
        let world = self.try_bitcoin().context("a world without a Bitcoin node")?;
        world.bring_up(programs, self.data.as_ref().map(DataDir::bitcoin).as_deref()).await
    }

    /// Environment variables of the functions.
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.app.environment
    }

    /// Runs the workers of queues and schedules until the returned value is dropped.
    pub fn workers(&self) -> JoinSet<()> {
        let mut workers = JoinSet::new();
        for pump in self.mail_pumps() {
            let app = self.app.mail_worker.clone();
            workers.spawn(pump.run(move |event| mail_worker::handle(app.clone(), event)));
        }
        let app = self.app.export_worker.clone();
        let work = move |event| export_worker::handle(app.clone(), event, export_deadline());
        workers.spawn(self.export_pump().run(work));
        let app = self.app.export_worker.clone();
        workers.spawn(async move {
            loop {
                tokio::time::sleep(SWEEP_PAUSE).await;
                if let Err(error) = export_worker::sweep(&app, export_deadline()).await {
                    tracing::warn!(%error, "the sweep of exports failed");
                }
            }
        });
        for pump in self.webhook_pumps() {
            let app = self.app.webhook_worker.clone();
            let work = move |event| webhook_worker::handle(app.clone(), event, webhook_deadline());
            workers.spawn(pump.run(work));
        }
        let app = self.app.event_worker.clone();
        workers.spawn(async move {
            loop {
                tokio::time::sleep(EVENTS_PAUSE).await;
                if let Err(error) = event_worker::look(&app).await {
                    tracing::warn!(%error, "the sweep of events failed");
                }
            }
        });
        let app = self.app.socket_worker.clone();
        workers
            .spawn(self.socket_pump().run(move |event| socket_worker::handle(app.clone(), event)));
        let (app, bitcoin) = (self.app.chain_watcher.clone(), self.try_bitcoin().cloned());
        workers.spawn(async move {
            for run in 1_u32.. {
                tokio::time::sleep(WATCHER_PAUSE).await;
                // While the Bitcoin programs are being built, most of a run fails, so once a minute is
                // enough.
                let has_chain = bitcoin.as_ref().is_none_or(|world| world.state() == State::Ready);
                if !has_chain && !run.is_multiple_of(RUNS_A_MINUTE) {
                    continue;
                }
                if let Err(error) = chain_watcher::run(app.clone()).await {
                    tracing::warn!(%error, "the chain watcher failed");
                }
            }
        });
        workers
    }

    /// Runs a scheduled worker now; returns the number of rows it checked.
    ///
    /// # Errors
    /// The worker does not exist, or its run fails.
    pub async fn tick(&self, worker: &str) -> Result<usize> {
        match worker {
            "chain-watcher" => {
                chain_watcher::run(self.app.chain_watcher.clone()).await.context(worker)
            }
            "event-worker" => event_worker::look(&self.app.event_worker).await.context(worker),
            "export-worker" => export_worker::sweep(&self.app.export_worker, export_deadline())
                .await
                .context(worker),
            _ => Err(Failure::new(format!("unknown scheduled worker {worker}"))),
        }
    }

    /// Looks once for new events as `app` does, which may have other settings or another network; returns the
    /// number of rows that it handled.
    ///
    /// # Errors
    /// A row or a message failed.
    pub async fn look_for_events_by(&self, app: &event_worker::App) -> Result<usize> {
        event_worker::look(app).await.context("event-worker")
    }

    /// What the service changes outside of itself.
    pub fn effects(&self) -> &Effects {
        &self.effects
    }

    /// Runs the chain watcher until a run has no effect.
    ///
    /// # Errors
    /// The error of the first run that fails.
    pub async fn watch_until_quiet(&self) -> Result<()> {
        watch_until_quiet(&self.app.chain_watcher, &self.effects).await
    }

    /// The same service with an unreachable address in this setting, which names another party.
    ///
    /// # Panics
    /// The setting does not exist.
    pub fn app_without(&self, setting: &str) -> App {
        self.app.changed(&[(setting, NOWHERE)])
    }

    /// Runs the chain watcher of that service; returns the number of rows it checked.
    ///
    /// # Errors
    /// The error of the run.
    pub async fn watch_without(&self, setting: &str) -> Result<usize> {
        chain_watcher::run(self.app_without(setting).chain_watcher.clone())
            .await
            .context("chain-watcher")
    }

    /// Delivers the queued mails to their worker; returns the number of deliveries.
    ///
    /// # Panics
    /// SQS refuses.
    pub async fn deliver_mail(&self) -> usize {
        let work = |event| mail_worker::handle(self.app.mail_worker.clone(), event);
        let mut all: usize = 0;
        for pump in self.mail_pumps() {
            let delivered = pump.drain(work).await;
            all = all.saturating_add(delivered.unwrap_or_else(|failure| panic!("{failure}")));
        }
        all
    }

    /// The pumps of mails with links, and of all other mails.
    fn mail_pumps(&self) -> [Pump; 2] {
        let config = &self.app.config;
        let pump = |queue: &str| {
            Pump::new(&config.aws, self.ministack.url(), queue, 10, &self.app.outbound)
        };
        [pump(&config.mail.links_url()), pump(&config.mail.url)]
    }

    /// An SQS client.
    pub fn sqs(&self) -> aws_sdk_sqs::Client {
        provision::sqs(&self.app.config.aws, self.ministack.url(), &self.app.outbound)
    }

    /// Delivers the queued exports to their worker; returns the number of deliveries.
    ///
    /// # Panics
    /// SQS refuses.
    pub async fn make_exports(&self) -> usize {
        let work =
            |event| export_worker::handle(self.app.export_worker.clone(), event, export_deadline());
        let made = self.export_pump().drain(work).await;
        made.unwrap_or_else(|failure| panic!("{failure}"))
    }

    fn export_pump(&self) -> Pump {
        let config = &self.app.config;
        let queue = &config.exports.queue_url;
        Pump::new(&config.aws, self.ministack.url(), queue, 1, &self.app.outbound)
    }

    /// Confirms the URL of a webhook of an account, as its receiver would.
    ///
    /// # Panics
    /// The ids are wrong, or the webhook does not exist.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub async fn confirm_webhook(&self, account: &str, id: &str) {
        let key = keys::webhook(
            account.parse().expect("an account's id"),
            id.parse().expect("a webhook's id"),
        );
        let confirmed = Update::<Webhook>::new().remove(Webhook::CHALLENGE);
        let written = self.app.store.commit(Writes::new().update(&key, confirmed, ())).await;
        written.expect("a webhook");
    }

    /// Sends everything that webhooks have to send; returns the number of rows and messages that were
    /// handled.
    ///
    /// # Panics
    /// DynamoDB or SQS refuses.
    pub async fn tell_webhooks(&self) -> usize {
        self.tell_webhooks_by(&self.app.webhook_worker).await
    }

    /// Like [`Self::tell_webhooks`], by a worker with other settings.
    ///
    /// # Panics
    /// DynamoDB or SQS refuses.
    pub async fn tell_webhooks_by(&self, app: &webhook_worker::App) -> usize {
        let mut all: usize = 0;
        loop {
            let looked = event_worker::look(&self.app.event_worker).await;
            let looked = looked.unwrap_or_else(|error| panic!("{error}"));
            let work = |event| webhook_worker::handle(app.clone(), event, webhook_deadline());
            let mut done = looked;
            for pump in self.webhook_pumps() {
                let handled = pump.drain(work).await;
                done = done.saturating_add(handled.unwrap_or_else(|failure| panic!("{failure}")));
            }
            match done {
                0 => return all,
                some => all = all.saturating_add(some),
            }
        }
    }

    /// Notifies webhooks and sockets of all events so far; returns the number of rows and messages that were
    /// handled.
    ///
    /// # Panics
    /// DynamoDB or SQS refuses.
    pub async fn tell_sockets(&self) -> usize {
        let told = self.tell_webhooks().await;
        let work = |event| socket_worker::handle(self.app.socket_worker.clone(), event);
        let pushed = self.socket_pump().drain(work).await;
        told.saturating_add(pushed.unwrap_or_else(|failure| panic!("{failure}")))
    }

    fn socket_pump(&self) -> Pump {
        let config = &self.app.config;
        let queue = &config.sockets.url;
        Pump::new(&config.aws, self.ministack.url(), queue, SOCKETS_BATCH, &self.app.outbound)
    }

    /// The pumps of webhooks with prompt receivers, and of those with slow ones.
    fn webhook_pumps(&self) -> [Pump; 2] {
        let config = &self.app.config;
        let pump = |queue: &str| {
            Pump::new(&config.aws, self.ministack.url(), queue, 10, &self.app.outbound)
        };
        [pump(&config.webhooks.url), pump(&config.webhooks.slow_url())]
    }

    /// The mails sent to an address, newest last.
    ///
    /// # Panics
    /// ministack does not answer.
    pub async fn mailbox(&self, to: &str) -> Vec<ReceivedMail> {
        self.try_mailbox(Some(to)).await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// The mails sent to an address, or to all, newest last.
    ///
    /// # Errors
    /// ministack does not answer.
    pub async fn try_mailbox(&self, to: Option<&str>) -> Result<Vec<ReceivedMail>> {
        mailbox::read(self.ministack.url(), &self.app.config.sender.from, to).await
    }

    /// Every row of every table, to assert that nothing was written.
    ///
    /// # Panics
    /// The database cannot be read.
    // For tests, which only need the panic's text.
    #[allow(clippy::expect_used)]
    pub fn contents(&self) -> Vec<serde_json::Value> {
        self.dynamodb.contents().expect("the database can be read")
    }

    /// Every row except the hits of limits, to assert that a read wrote nothing else.
    ///
    /// # Panics
    /// As [`Self::contents`].
    // For tests, as above.
    #[allow(clippy::indexing_slicing)]
    pub fn rows_but_limits(&self) -> Vec<serde_json::Value> {
        let tables = self.contents();
        let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
        let is_limit = |row: &serde_json::Value| {
            row["pk"]["S"].as_str().is_some_and(|pk| pk.starts_with("limit#"))
        };
        rows.filter(|row| !is_limit(row)).cloned().collect()
    }

    /// Uses up every limit that a request has hit.
    ///
    /// # Panics
    /// The rows of limits cannot be read or written.
    // For tests, as above.
    #[allow(clippy::expect_used, clippy::indexing_slicing)]
    pub async fn use_up_limits(&self) {
        let tables = self.contents();
        let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
        for row in rows {
            let pk = row["pk"]["S"].as_str().unwrap_or_default();
            let limit = pk.strip_prefix("limit#").and_then(|limit| limit.split_once('#'));
            let Some((name, subject)) = limit else { continue };
            let full = Update::new().set(LimitWindow::HITS, u32::MAX);
            let used_up = self.app.store.update(&keys::limit(name, subject), full).await;
            used_up.expect("the row of a limit");
        }
    }

    /// The keys of all objects in a bucket.
    ///
    /// # Panics
    /// The bucket does not exist.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub fn stored(&self, bucket: &str) -> Vec<String> {
        self.storage.keys(bucket).expect("the bucket can be read")
    }

    /// Writes a few thousand rows of the activity table at a time directly, because DynamoDB's own operations
    /// would take minutes. Each row is a key, a kind and its fields.
    ///
    /// # Errors
    /// The database refuses a row.
    pub fn import(&self, rows: &[(Key, &str, serde_json::Value)]) -> Result<()> {
        self.dynamodb.import(&self.app.config.tables.activity, rows)
    }

    /// Changes an account's row in a way that no endpoint offers.
    ///
    /// # Panics
    /// The account does not exist.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub async fn change_account(&self, account: &str, update: Update<Account>) {
        let key = keys::account(account.parse().expect("an account id"));
        let row = Writes::new().update(&key, update, ());
        self.app.store.commit(row).await.expect("the account changes");
    }

    /// Sets an account's role, as operators do.
    ///
    /// # Panics
    /// The account does not exist.
    pub async fn set_role(&self, account: &str, role: Role) {
        self.try_set_role(account, role).await.unwrap_or_else(|failure| panic!("{failure}"));
    }

    /// Sets an account's role, as operators do.
    ///
    /// # Errors
    /// The account does not exist, or the store fails.
    pub async fn try_set_role(&self, account: &str, role: Role) -> Result<()> {
        let set = set_role(&self.app.store, self.app.config.network, account, role).await;
        set.map(drop).context("role")
    }

    /// Adds a token to the catalogue or replaces its entry, as operators do; returns whether it was new.
    ///
    /// # Panics
    /// The store fails.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub async fn enter_token(&self, token: &Token) -> bool {
        tokens::enter(&self.app.store, token).await.expect("the token is entered")
    }

    /// Imports the key of a Bitcoin wallet into KMS as a co-signing key; returns its id.
    ///
    /// # Panics
    /// KMS refuses.
    pub async fn import_cosigning_key(&self, wallet: &Wallet) -> String {
        let kms = provision::kms(&self.app.config.aws, self.ministack.url(), &self.app.outbound);
        let create = json!({ "KeySpec": "ECC_SECG_P256K1", "KeyUsage": "SIGN_VERIFY" });
        let private_key = wallet.private_key();
        let imported = kms_keys::import_key(&kms, &create, &private_key);
        imported.await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Names and addresses of the parts of this world.
    pub fn addresses(&self) -> Vec<(&'static str, &str)> {
        let mut addresses = vec![
            ("DynamoDB", self.dynamodb.url()),
            ("S3", self.storage.url()),
            ("media", self.media.url()),
            ("SQS, SES, KMS, Secrets Manager, SSM", self.ministack.url()),
            ("hub (stand-in)", self.hub.url()),
        ];
        if let Some(url) = self.settings().get("SOCKET_URL") {
            addresses.push(("sockets", url.as_str()));
        }
        if self.venue.has_evm() {
            addresses.push(("the venue's EVM chain", self.venue.rpc_url()));
        }
        match &self.source {
            ChainSource::Double(double) => addresses.push(("ord (stand-in)", double.url())),
            ChainSource::World(world) => {
                addresses.extend([("Esplora", world.esplora_url()), ("ord", world.ord_url())]);
            }
        }
        addresses
    }

    /// The data folder, if there is one.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_ref().map(DataDir::path)
    }

    /// The routes as a service without a port.
    pub fn service(&self, routes: impl Served) -> Router {
        behind_gateway(self.app.service(routes))
    }

    /// Serves routes on a free port until this world is dropped.
    ///
    /// # Panics
    /// No port is free.
    pub async fn serve(&self, routes: impl Served) -> Client {
        self.try_serve(routes).await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Serves routes on a free port until this world is dropped.
    ///
    /// # Errors
    /// No port is free.
    pub async fn try_serve(&self, routes: impl Served) -> Result<Client> {
        self.try_serve_app(self.app.clone(), routes).await
    }

    /// Serves routes over another application of this world, such as one with a faulty network.
    ///
    /// # Panics
    /// No port is free.
    pub async fn serve_app(&self, app: App, routes: impl Served) -> Client {
        self.try_serve_app(app, routes).await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    async fn try_serve_app(&self, app: App, routes: impl Served) -> Result<Client> {
        let server = Server::start(behind_gateway(app.service(routes))).await?;
        let client = self.client(server.url());
        self.servers.lock().unwrap_or_else(PoisonError::into_inner).push(server);
        Ok(client)
    }

    /// A client with this world's clock.
    pub fn client(&self, base: &str) -> Client {
        Client::with_clock(base, self.clock.clone())
    }

    /// A store on this world's tables, over another wire.
    pub fn store_over(&self, wire: impl Wire) -> Store {
        let config = &self.app.config;
        let (clock, random) = (self.clock.clone(), Arc::new(SystemSource));
        let outbound = patience::patient_over(wire);
        shared::core::store(&config.aws, config.tables.clone(), outbound, (clock, random))
    }

    /// Stops the processes that this world has started; their data in memory is lost.
    pub fn stop(&self) {
        if let Some(bitcoin) = self.try_bitcoin() {
            bitcoin.stop();
        }
        self.venue.stop();
        self.ministack.stop();
    }

    /// Writes the state that is only in memory (keys, clock) into the data folder, if there is one.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub async fn save(&self) -> Result<()> {
        match &self.data {
            Some(data) => {
                let rows = self.dynamodb.contents()?;
                data.save(&self.name, &self.app.config, &self.clock, &rows).await
            }
            None => Ok(()),
        }
    }
}

/// Deadline of a run of the webhook worker that begins now.
fn webhook_deadline() -> Instant {
    let now = Instant::now();
    now.checked_add(WEBHOOKS_TIMEOUT).unwrap_or(now)
}

/// Deadline of an export worker's run that begins now.
fn export_deadline() -> Instant {
    let now = Instant::now();
    now.checked_add(EXPORT_TIMEOUT).unwrap_or(now)
}

/// A unique name for a world.
fn fresh_name() -> String {
    let random: &dyn Random = &SystemSource;
    format!("runeport-{}", hex::encode(random.bytes::<8>()))
}

/// Moves the addresses of outside parties into SSM.
async fn store_addresses(stack: &str, addresses: &mut BTreeMap<String, String>) -> Result<()> {
    let aws = settings::read(|name| addresses.get(name).cloned());
    let aws = aws.map_err(|error: settings::ConfigError| Failure::new(error.to_string()))?;
    let parameters = Parameters::new(Arc::new(aws), Outbound::new(), Arc::new(SystemClock));
    for (setting, parameter) in PROVIDERS {
        if let Some(address) = addresses.get_mut(setting) {
            let name = format!("/runeport/{stack}/{parameter}");
            // The calls have the time limit of a worker, which a machine that also compiles may exceed.
            let mut repeats = 1..PARAMETER_ATTEMPTS;
            let put = loop {
                match parameters.put_secret(&name, &address.as_str().into()).await {
                    Err(OutboundError::Timeout | OutboundError::Unreachable(_))
                        if repeats.next().is_some() => {}
                    put => break put,
                }
            };
            put.context(format_args!("parameter {name}"))?;
            *address = format!("ssm:{name}");
        }
    }
    Ok(())
}

fn settings(
    resources: &Resources,
    source: &ChainSource,
    own: &BTreeMap<String, String>,
    [dynamodb, s3, media, ministack, hub]: [&str; 5],
    venue: &Venue,
) -> BTreeMap<String, String> {
    let aws = [
        ("AWS_REGION", REGION),
        ("AWS_ACCESS_KEY_ID", ACCESS_KEY_ID),
        ("AWS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY),
        ("AWS_ENDPOINT_URL_DYNAMODB", dynamodb),
        ("AWS_ENDPOINT_URL_S3", s3),
        ("AWS_ENDPOINT_URL_KMS", ministack),
        ("AWS_ENDPOINT_URL_SECRETS_MANAGER", ministack),
        ("AWS_ENDPOINT_URL_SESV2", ministack),
        ("AWS_ENDPOINT_URL_SQS", ministack),
        ("AWS_ENDPOINT_URL_SSM", ministack),
        ("MEDIA_URL", media),
    ];
    let chain = match source {
        ChainSource::Double(double) => [("ORD_URL", double.url()), ("ESPLORA_URL", NOWHERE)],
        ChainSource::World(world) => {
            [("ORD_URL", world.ord_url()), ("ESPLORA_URL", world.esplora_url())]
        }
    };
    let mut settings = resources.settings();
    settings.extend(chain.map(|(name, value)| (name.to_owned(), value.to_owned())));
    settings.extend(aws.map(|(name, value)| (name.to_owned(), value.to_owned())));
    // Receivers of the local world are on this machine.
    settings.insert("WEBHOOKS_TO_LOOPBACK".to_owned(), "yes".to_owned());
    settings.insert("HUB_URL".to_owned(), hub.to_owned());
    settings.insert("PERP_VENUE_INFO_URL".to_owned(), venue.info_url());
    for name in ["PERP_VENUE_RPC_URL", "PERP_VENUE_OWN_RPC_URL"] {
        settings.insert(name.to_owned(), venue.rpc_url().to_owned());
    }
    settings.extend(own.clone());
    settings
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shared::crypto::signing::KeyStore;

    use super::*;

    #[tokio::test]
    async fn keys_of_worlds_are_separate() {
        let (one, other) = (LocalStack::start().await, LocalStack::start().await);
        let public = |stack: &LocalStack| {
            KeyStore::new(
                stack.app.config.aws.clone(),
                stack.app.config.keys.clone(),
                Outbound::new(),
                stack.clock.clone(),
            )
        };
        let (one, other) = (public(&one), public(&other));
        let (a, b) = (one.public().await.unwrap(), other.public().await.unwrap());
        assert_eq!((a.keys.len(), b.keys.len()), (1, 1));
        assert_ne!(a, b);
        assert!(a.keys.iter().all(|key| !b.keys.contains(key)));
        assert_eq!(one.private().await.unwrap().kid, a.keys.first().unwrap().kid);
    }
}
