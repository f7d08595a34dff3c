//! A whole local world: the services that the functions stand on, and the application on them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aws_smithy_runtime_api::client::http::HttpClient;
use axum::Router;
use serde_json::json;
use shared::{
    app::App,
    config::Config,
    http::Routes,
    keys::{signing::KeyStore, vault::Purpose},
    outbound::Outbound,
    random::{Random, SystemSource},
    store::{Key, Store, Update, Writes},
};
use tokio::{task::JoinSet, time::Instant};

use crate::{
    bitcoin::{self, BitcoinWorld, State, programs::Programs},
    client::Client,
    clock::LocalClock,
    data_dir::DataDir,
    distribution::Distribution,
    dynamodb::DynamoDb,
    failure::{Context, Failure, Result},
    hub::HubDouble,
    mailbox::{self, ReceivedMail},
    ministack::Ministack,
    ord_double::OrdDouble,
    provision,
    pump::Pump,
    server::Server,
    signing_keys,
    storage::Storage,
    template::{self, Deployment, Resources, TEMPLATE},
    venue::Venue,
    wallets::Wallet,
};

/// The region of the local world.
pub const REGION: &str = "us-east-1";
/// The AWS account of the local world.
pub const ACCOUNT: &str = "000000000000";
/// The credentials of the local world.
pub const ACCESS_KEY_ID: &str = "test";
/// The credentials of the local world.
pub const SECRET_ACCESS_KEY: &str = "test";

/// Between two runs of the chain watcher: on AWS a minute.
const WATCHER_PAUSE: Duration = Duration::from_secs(5);
/// Runs of the chain watcher in a minute.
const RUNS_A_MINUTE: u32 = 12;
/// Between two sweeps of exports: on AWS five minutes.
const SWEEP_PAUSE: Duration = Duration::from_secs(30);
/// How long the worker of exports may work on one message: its timeout in the template.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(300);
/// An address where nobody answers.
const NOWHERE: &str = "http://127.0.0.1:1";

/// The wallet that holds the prizes.
pub fn treasury() -> Wallet {
    Wallet::p2tr(u64::MAX)
}

/// Values of the template's parameters, here.
pub(crate) fn local_parameters() -> BTreeMap<String, String> {
    [
        ("TokenIssuer", "runeport-local"),
        ("SignInDomain", "localhost"),
        ("SignInUri", "http://localhost:5173"),
        // Any text that ends in the time: here alone (custody rule 17).
        ("SignInMessage", "*"),
        ("CorsOrigins", "http://localhost:5173,http://127.0.0.1:5173,http://localhost:3000"),
        ("PasskeyRpId", "localhost"),
        ("PasskeyOrigins", "http://localhost:5173"),
        ("BitcoinNetwork", "regtest"),
        ("EsploraUrl", NOWHERE),
        ("OrdUrl", NOWHERE),
        ("HubUrl", NOWHERE),
        ("AffiliateAddress", "0x00000000000000000000000000000000000000aa"),
        ("AffiliateFeeBps", "25"),
        // What is signed here is worth nothing where money is.
        ("PerpVenueChain", "Testnet"),
        ("PerpVenueReferralCode", "RUNEPORT"),
        ("PerpVenueBuilder", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"),
        ("TreasuryAddress", treasury().address()),
        ("MailFrom", "runeport@localhost"),
        ("AppUrl", "http://localhost:5173"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

/// How a world differs from the usual one.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    settings: BTreeMap<String, String>,
    data: Option<PathBuf>,
    bitcoin: Option<BitcoinStart>,
    evm: bool,
    ministack: Option<&'static Ministack>,
    port: Option<u16>,
}

/// When a world's Bitcoin programs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitcoinStart {
    /// Before the world is there.
    Now,
    /// When [`LocalStack::bring_bitcoin_up`] says so.
    Later,
}

/// Where the service reads the chain.
enum ChainSource {
    /// A stand-in of ord alone.
    Double(OrdDouble),
    /// A node and ord.
    World(BitcoinWorld),
}

impl Builder {
    /// Gives a setting (an environment variable of the functions) another value.
    #[must_use]
    pub fn setting(mut self, name: &str, value: impl Into<String>) -> Self {
        self.settings.insert(name.to_owned(), value.into());
        self
    }

    /// Names an Ethereum JSON-RPC, which checks the signatures of contract wallets.
    #[must_use]
    pub fn evm_rpc(self, url: &str) -> Self {
        self.setting("EVM_RPC_URL", url)
    }

    /// Keeps everything in a folder, so that it survives a restart.
    #[must_use]
    pub fn data_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = Some(folder.into());
        self
    }

    /// Gives it a Bitcoin world of its own: a node and ord on regtest, ready.
    #[must_use]
    pub fn bitcoin(self) -> Self {
        Self { bitcoin: Some(BitcoinStart::Now), ..self }
    }

    /// The same, but its faces answer 503 until [`LocalStack::bring_bitcoin_up`].
    #[must_use]
    pub fn bitcoin_later(self) -> Self {
        Self { bitcoin: Some(BitcoinStart::Later), ..self }
    }

    /// Gives it the venue's EVM chain; without, its RPC answers 503.
    #[must_use]
    pub fn evm(self) -> Self {
        Self { evm: true, ..self }
    }

    /// Stands on another ministack than the one that this process shares: what was in the memory
    /// of that one is unknown to it.
    #[must_use]
    pub fn ministack(mut self, ministack: &'static Ministack) -> Self {
        self.ministack = Some(ministack);
        self
    }

    /// Lets pages call that a server at this port of the loopback interface serves itself.
    #[must_use]
    pub fn pages_at(self, port: u16) -> Self {
        Self { port: Some(port), ..self }
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
    /// Something that it consists of does not start.
    pub async fn try_build(self) -> Result<LocalStack> {
        LocalStack::build(self).await
    }
}

/// A world of its own: no other sees its tables, buckets, queues, keys or clock.
pub struct LocalStack {
    name: String,
    app: App,
    clock: Arc<LocalClock>,
    source: ChainSource,
    hub: HubDouble,
    venue: Venue,
    settings: BTreeMap<String, String>,
    dynamodb: DynamoDb,
    storage: Storage,
    media: Distribution,
    ministack: &'static Ministack,
    data: Option<DataDir>,
    servers: Mutex<Vec<Server>>,
}

impl LocalStack {
    /// Starts a fresh world, in memory.
    ///
    /// # Panics
    /// It does not start; the text says why.
    pub async fn start() -> Self {
        Self::builder().build().await
    }

    /// A world that differs from the usual one.
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
        let resources = template::read(TEMPLATE, &deployment(&name, ministack, builder.port))?;
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
        let settings = settings(
            &resources,
            &source,
            &builder.settings,
            [dynamodb.url(), storage.url(), media.url(), ministack.url(), hub.url()],
            &venue,
        );
        let config = Config::read(|name| settings.get(name).cloned())
            .map_err(|error| Failure::new(error.to_string()))?;
        venue.know_builder(config.perp_venue.builder);
        if builder.evm {
            let state = data.as_ref().map(DataDir::evm);
            venue.bring_up(&config.perp_venue, state.as_deref()).await?;
        }
        if let Some(data) = &mut data {
            data.import_keys(&config, &resources.keys).await?;
        }
        provision::create(&config.aws, ministack.url(), &resources).await?;
        if let Some(data) = &data {
            data.restore(&config, &dynamodb.contents()?).await?;
        }
        if data.as_ref().is_none_or(|data| !data.has_keys()) {
            let keys =
                KeyStore::new(config.aws.clone(), config.tokens.keys.clone(), Outbound::new());
            keys.rotate().await.context("keys")?;
        }
        let app = App::with(config, clock.clone(), Arc::new(SystemSource));
        hub.agree_with(app.store.clone());
        mailbox::verify_sender(ministack.url(), &app).await?;
        if data.is_some() {
            // Made now, so that they are in the folder before anything is encrypted by them.
            let anybody = Purpose { what: "nothing", whose: app.random.id(app.clock.now()) };
            app.vault.seal(anybody, &[]).await.context("data keys")?;
            app.vault.keyed_hash("nothing", "").await.context("data keys")?;
        }
        let servers = Mutex::default();
        let stack = Self {
            name,
            app,
            clock,
            source,
            hub,
            venue,
            settings,
            dynamodb,
            storage,
            media,
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

    /// The application, as the functions make it.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The world's clock.
    pub fn clock(&self) -> &LocalClock {
        &self.clock
    }

    /// The stand-in of ord.
    ///
    /// # Panics
    /// This world has a real one.
    // For tests, which know what they have built.
    #[allow(clippy::expect_used)]
    pub fn ord(&self) -> &OrdDouble {
        self.try_ord().expect("a world without a Bitcoin node")
    }

    /// The stand-in of ord, where there is one.
    pub fn try_ord(&self) -> Option<&OrdDouble> {
        match &self.source {
            ChainSource::Double(double) => Some(double),
            ChainSource::World(_) => None,
        }
    }

    /// The stand-in of the hub.
    pub fn hub(&self) -> &HubDouble {
        &self.hub
    }

    /// The perpetuals venue.
    pub fn venue(&self) -> &Venue {
        &self.venue
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

    /// The Bitcoin world, where there is one.
    pub fn try_bitcoin(&self) -> Option<&BitcoinWorld> {
        match &self.source {
            ChainSource::Double(_) => None,
            ChainSource::World(world) => Some(world),
        }
    }

    /// Starts the Bitcoin programs, with their files where the other ones are kept.
    ///
    /// # Errors
    /// There is no Bitcoin world, or a program does not start.
    pub async fn bring_bitcoin_up(&self, programs: &Programs) -> Result<()> {
        let world = self.try_bitcoin().context("a world without a Bitcoin node")?;
        world.bring_up(programs, self.data.as_ref().map(DataDir::bitcoin).as_deref()).await
    }

    /// The environment of the functions.
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    /// Runs the workers of queues and schedules for as long as the answer is not dropped.
    pub fn workers(&self) -> JoinSet<()> {
        let mut workers = JoinSet::new();
        let app = self.app.clone();
        workers.spawn(self.mail_pump().run(move |event| mail_worker::handle(app.clone(), event)));
        let app = self.app.clone();
        let work = move |event| export_worker::handle(app.clone(), event, export_deadline());
        workers.spawn(self.export_pump().run(work));
        let app = self.app.clone();
        workers.spawn(async move {
            loop {
                tokio::time::sleep(SWEEP_PAUSE).await;
                if let Err(error) = export_worker::sweep(&app, export_deadline()).await {
                    tracing::warn!(%error, "the sweep of exports failed");
                }
            }
        });
        let (app, bitcoin) = (self.app.clone(), self.try_bitcoin().cloned());
        workers.spawn(async move {
            for run in 1_u32.. {
                tokio::time::sleep(WATCHER_PAUSE).await;
                // While its programs are built, most of a run fails: once a minute is enough.
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

    /// Runs the worker of a schedule now; answers how many rows it looked at.
    ///
    /// # Errors
    /// There is no such worker, or it failed.
    pub async fn tick(&self, worker: &str) -> Result<usize> {
        match worker {
            "chain-watcher" => chain_watcher::run(self.app.clone()).await.context(worker),
            "export-worker" => {
                export_worker::sweep(&self.app, export_deadline()).await.context(worker)
            }
            _ => Err(Failure::new(format!("there is no scheduled worker {worker}"))),
        }
    }

    /// The same service where this setting, the address of another party, leads nowhere.
    ///
    /// # Panics
    /// There is no such setting.
    pub fn app_without(&self, setting: &str) -> App {
        let config = Config::read(|name| match name {
            name if name == setting => Some("http://127.0.0.1:1".to_owned()),
            name => self.settings().get(name).cloned(),
        });
        let config = config.unwrap_or_else(|error| panic!("{error}"));
        App::with(config, self.app.clock.clone(), Arc::new(SystemSource))
    }

    /// Runs the chain watcher of that service; answers how many rows it looked at.
    ///
    /// # Errors
    /// It failed.
    pub async fn watch_without(&self, setting: &str) -> Result<usize> {
        chain_watcher::run(self.app_without(setting)).await.context("chain-watcher")
    }

    /// Gives the mails of the queue to their worker; answers how many messages it worked on.
    ///
    /// # Panics
    /// SQS says no.
    pub async fn deliver_mail(&self) -> usize {
        let work = |event| mail_worker::handle(self.app.clone(), event);
        let delivered = self.mail_pump().drain(work).await;
        delivered.unwrap_or_else(|failure| panic!("{failure}"))
    }

    fn mail_pump(&self) -> Pump {
        let config = &self.app.config;
        let queue = &config.mail.queue_url;
        Pump::new(&config.aws, self.ministack.url(), queue, 10, &self.app.outbound)
    }

    /// A client of SQS.
    pub fn sqs(&self) -> aws_sdk_sqs::Client {
        provision::sqs(&self.app.config.aws, self.ministack.url(), &self.app.outbound)
    }

    /// Gives the exports of the queue to their worker; answers how many messages it worked on.
    ///
    /// # Panics
    /// SQS says no.
    pub async fn make_exports(&self) -> usize {
        let work = |event| export_worker::handle(self.app.clone(), event, export_deadline());
        let made = self.export_pump().drain(work).await;
        made.unwrap_or_else(|failure| panic!("{failure}"))
    }

    fn export_pump(&self) -> Pump {
        let config = &self.app.config;
        let queue = &config.exports.queue_url;
        Pump::new(&config.aws, self.ministack.url(), queue, 1, &self.app.outbound)
    }

    /// The mails that were sent to an address, the newest last.
    ///
    /// # Panics
    /// ministack does not answer.
    pub async fn mailbox(&self, to: &str) -> Vec<ReceivedMail> {
        self.try_mailbox(Some(to)).await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// The mails that were sent to an address, or to all, the newest last.
    ///
    /// # Errors
    /// ministack does not answer.
    pub async fn try_mailbox(&self, to: Option<&str>) -> Result<Vec<ReceivedMail>> {
        mailbox::read(self.ministack.url(), &self.app.config.mail.from, to).await
    }

    /// Every row of every table: equal before and after, nothing was written.
    ///
    /// # Panics
    /// The database cannot be read.
    // For tests, as the text of a panic is all they want of a failure.
    #[allow(clippy::expect_used)]
    pub fn contents(&self) -> Vec<serde_json::Value> {
        self.dynamodb.contents().expect("the database can be read")
    }

    /// The keys of everything that a bucket holds.
    ///
    /// # Panics
    /// There is no such bucket.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub fn stored(&self, bucket: &str) -> Vec<String> {
        self.storage.keys(bucket).expect("the bucket can be read")
    }

    /// Writes rows of the activity table as they are, a few thousand at once, past DynamoDB's own
    /// operations: for as many as would take minutes through them. Each is a key, a kind, and the
    /// fields.
    ///
    /// # Errors
    /// The database takes no such row.
    pub fn import(&self, rows: &[(Key, &str, serde_json::Value)]) -> Result<()> {
        self.dynamodb.import(&self.app.config.tables.activity, rows)
    }

    /// Changes an account's row, as no endpoint can yet.
    ///
    /// # Panics
    /// There is no such account.
    // For tests, as above.
    #[allow(clippy::expect_used)]
    pub async fn change_account(&self, account: &str, update: Update) {
        let key = Key::account(account.parse().expect("an account id"));
        let row = Writes::new().update(&key, update, ());
        self.app.store.commit(row).await.expect("the account changes");
    }

    /// Gives KMS a key that co-signs: that of a Bitcoin wallet. Answers its ARN.
    ///
    /// # Panics
    /// KMS says no.
    pub async fn import_cosigning_key(&self, wallet: &Wallet) -> String {
        let kms = provision::kms(&self.app.config.aws, self.ministack.url(), &self.app.outbound);
        let create = json!({ "KeySpec": "ECC_SECG_P256K1", "KeyUsage": "SIGN_VERIFY" });
        let private_key = wallet.private_key();
        let imported = signing_keys::import_key(&kms, &create, &private_key);
        imported.await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Where things are: name and address.
    pub fn addresses(&self) -> Vec<(&'static str, &str)> {
        let mut addresses = vec![
            ("DynamoDB", self.dynamodb.url()),
            ("S3", self.storage.url()),
            ("media", self.media.url()),
            ("SQS, SES, KMS, Secrets Manager, SSM", self.ministack.url()),
            ("hub (stand-in)", self.hub.url()),
        ];
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

    /// Where the files are, if they are kept.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_ref().map(DataDir::path)
    }

    /// The routes as a service, without a port.
    pub fn service(&self, routes: Routes) -> Router {
        routes.into_service(self.app.clone())
    }

    /// Serves routes on a free port for as long as this world exists.
    ///
    /// # Panics
    /// No port is free.
    pub async fn serve(&self, routes: Routes) -> Client {
        self.try_serve(routes).await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Serves routes on a free port for as long as this world exists.
    ///
    /// # Errors
    /// No port is free.
    pub async fn try_serve(&self, routes: Routes) -> Result<Client> {
        self.try_serve_app(self.app.clone(), routes).await
    }

    /// Serves routes as another application of this world does, such as one whose network fails.
    ///
    /// # Panics
    /// No port is free.
    pub async fn serve_app(&self, app: App, routes: Routes) -> Client {
        self.try_serve_app(app, routes).await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    async fn try_serve_app(&self, app: App, routes: Routes) -> Result<Client> {
        let server = Server::start(routes.into_service(app)).await?;
        let client = self.client(server.url());
        self.servers.lock().unwrap_or_else(PoisonError::into_inner).push(server);
        Ok(client)
    }

    /// A client on this world's clock.
    pub fn client(&self, base: &str) -> Client {
        Client::with_clock(base, self.clock.clone())
    }

    /// A store on this world's tables, over another network.
    pub fn store_over(&self, http: impl HttpClient + 'static) -> Store {
        let config = &self.app.config;
        Store::new(
            &config.aws,
            config.tables.clone(),
            http,
            self.clock.clone(),
            Arc::new(SystemSource),
        )
    }

    /// Ends what this process started beside itself. What is in it ends with it.
    pub fn stop(&self) {
        if let Some(bitcoin) = self.try_bitcoin() {
            bitcoin.stop();
        }
        self.venue.stop();
        self.ministack.stop();
    }

    /// Writes what does not keep itself (keys, clock) into the data folder, if there is one.
    ///
    /// # Errors
    /// It cannot be read or written.
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

/// When a run of the worker of exports that begins now has to end.
fn export_deadline() -> Instant {
    let now = Instant::now();
    now.checked_add(EXPORT_TIMEOUT).unwrap_or(now)
}

/// A name that no other world has.
fn fresh_name() -> String {
    let random: &dyn Random = &SystemSource;
    format!("runeport-{}", hex::encode(random.bytes::<8>()))
}

fn deployment(stack: &str, ministack: &Ministack, port: Option<u16>) -> Deployment {
    let mut parameters = local_parameters();
    if let Some(port) = port {
        // Passkeys belong to `localhost`; no address can be their domain.
        for (name, hosts) in [
            ("CorsOrigins", ["localhost", "127.0.0.1"].as_slice()),
            ("PasskeyOrigins", &["localhost"]),
        ] {
            let origins = parameters.entry(name.to_owned()).or_default();
            for host in hosts {
                let origin = format!(",http://{host}:{port}");
                origins.push_str(&origin);
            }
        }
    }
    // A sender of its own: ministack has one mailbox for all worlds.
    parameters.insert("MailFrom".to_owned(), format!("{stack}@localhost"));
    Deployment { stack: stack.to_owned(), parameters, queue_url: ministack.url().to_owned() }
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
    use super::*;

    #[tokio::test]
    async fn worlds_do_not_share_keys() {
        let (one, other) = (LocalStack::start().await, LocalStack::start().await);
        let public = |stack: &LocalStack| {
            KeyStore::new(
                stack.app.config.aws.clone(),
                stack.app.config.tokens.keys.clone(),
                Outbound::new(),
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
