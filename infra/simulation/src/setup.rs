//! The start of a run: settings as the template gives them, and every host that the service can reach.

use std::collections::BTreeMap;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use bitcoin::{CompressedPublicKey, ScriptBuf, secp256k1::Secp256k1};
use local::{
    stack::treasury,
    template::{self, Deployment, Resources},
};
use serde_json::json;
use shared::mail::MailQueueConfig;
use tokio::task::JoinSet;

use crate::{
    aws::{
        capacity::Bill,
        dynamodb::{DynamoDb, text},
        expression::Row,
        files::Files,
        keys::{Kms, Texts, private_key},
        mail::Mails,
        queues::Queues,
        sockets::Sockets,
    },
    choice::{Choices, hash},
    faults::Menu,
    hub::Hub,
    instances::Lambda,
    network::{self, EsploraServers, OrdServer, Shared, genesis},
    plan::{Plan, Scenario},
    venue::{self, Venue},
    wire::Net,
    workers::{self, Urls},
};

/// The resources of the template.
///
/// # Panics
/// The template cannot be read.
pub fn resources() -> Resources {
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
        ("PerpVenueReferralCode", venue::CODE),
        ("PerpVenueBuilder", venue::BUILDER),
        ("PerpVenueInfoUrl", "https://venue/info"),
        ("PerpVenueOwnRpcUrl", "https://venue/evm"),
        ("MailFrom", "runeport@localhost"),
        ("AppUrl", "http://localhost:5173"),
    ];
    let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut parameters = BTreeMap::from(parameters);
    parameters.insert("TreasuryAddress".to_owned(), treasury().address().to_owned());
    let stack = "simulation".to_owned();
    let deployment = Deployment { stack, parameters, queue_url: "http://sqs".to_owned() };
    template::resources(&deployment).unwrap_or_else(|failure| panic!("{failure}"))
}

pub(crate) fn settings(resources: &Resources) -> BTreeMap<String, String> {
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
        ("SOCKET_URL", "ws://sockets/live"),
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

/// A world with the service in it.
pub struct Stage {
    /// The network.
    pub net: Net,
    /// The service.
    pub lambda: Lambda,
    /// Bitcoin and ord.
    pub chain: Shared,
    pub(crate) urls: Urls,
}

impl Stage {
    /// The world of a plan.
    pub(crate) fn set(plan: &Plan, net: Net) -> Self {
        let resources = resources();
        let settings = settings(&resources);
        let chain = build(plan, &net, &resources, &settings);
        let url = |setting: &str| settings.get(setting).cloned().unwrap_or_default();
        let mails = MailQueueConfig { url: url("MAIL_QUEUE_URL") };
        let links = mails.links_url();
        let urls = Urls {
            mails: mails.url,
            links,
            exports: url("EXPORT_QUEUE_URL"),
            sockets: url("SOCKET_QUEUE_URL"),
        };
        let lambda = Lambda::new(net.clone(), plan.seed, settings);
        Self { net, lambda, chain, urls }
    }

    /// A world without faults, with its workers. Only [`Self::find_block`] mines blocks.
    pub fn calm() -> (Self, JoinSet<()>) {
        let stage = Self::quiet(Menu::default());
        let mut workers = stage.deliveries();
        workers.spawn(workers::watch_chain(stage.lambda.clone()));
        (stage, workers)
    }

    /// Starts passing messages to the workers of both queues.
    pub(crate) fn deliveries(&self) -> JoinSet<()> {
        let Self { lambda, urls, .. } = self;
        let mut workers = JoinSet::new();
        workers.spawn(workers::deliver_mails(lambda.clone(), urls.clone()));
        workers.spawn(workers::deliver_exports(lambda.clone(), urls.clone()));
        workers
    }

    /// Starts everything that runs next to requests: the chain watcher and the sweep of events each minute, and the
    /// workers of mails, exports and sockets. Only [`Self::find_block`] mines blocks.
    pub fn work(&self) -> JoinSet<()> {
        let mut workers = self.deliveries();
        workers.spawn(workers::watch_chain(self.lambda.clone()));
        workers.spawn(workers::sweep_events(self.lambda.clone()));
        workers.spawn(workers::deliver_pushes(self.lambda.clone(), self.urls.clone()));
        workers
    }

    /// A world without faults except those of hosts in the menu, in which nothing happens by itself.
    pub fn quiet(menu: Menu) -> Self {
        let plan = Plan::of(1, Some(Scenario::Mints));
        let mut choices = Choices::new(plan.seed, plan.allowed.clone());
        choices.heal();
        let stage = Self::set(&plan, Net::new(choices, menu));
        stage.net.world().host::<Hub>("hub").fickle = 0;
        stage
    }

    /// Runs the chain watcher once.
    pub async fn run_watcher(&self) {
        workers::run_watcher(&self.lambda).await;
    }

    /// Mines a block.
    pub fn find_block(&self) {
        let now = self.net.now();
        self.chain.lock().mine(now, &mut self.net.world().choices);
    }

    /// Mines a block without payments.
    pub fn find_empty_block(&self) {
        self.chain.lock().mine_empty(self.net.now());
    }

    /// The bills of one kind of invocation, beginning with the `from`-th call of all, if calls are counted.
    pub fn bills_of(&self, kind: &str, from: usize) -> Vec<Bill> {
        let mut world = self.net.world();
        let all = world.host::<DynamoDb>("dynamodb").bills();
        let mut bills = all.get(from..).unwrap_or_default().to_vec();
        bills.retain(|bill| world.invocations[&bill.invocation].what == kind);
        bills
    }

    /// Whether there is a matching row.
    pub fn any_row(&self, is_meant: impl Fn(&Row) -> bool) -> bool {
        self.net.world().host::<DynamoDb>("dynamodb").any(is_meant)
    }

    /// Whether a row waits for the chain or the hub. Reminders do not count: they wait for thousands of
    /// blocks.
    pub fn waits_for_chain(&self) -> bool {
        let is_other = |watch: &str| matches!(watch, "export" | "renewal");
        self.any_row(|row| text(row, "watch").is_some_and(|watch| !is_other(watch)))
    }
}

/// Builds the world of a plan and registers every host that the service can reach.
pub(crate) fn build(
    plan: &Plan,
    net: &Net,
    resources: &Resources,
    settings: &BTreeMap<String, String>,
) -> Shared {
    let menu = net.world().menu.clone();
    let expires = hash(plan.seed, "rows expire").is_multiple_of(2);
    let dynamodb = match plan.keeps_exchanges {
        true => DynamoDb::compared(plan.seed, &resources.tables),
        false => DynamoDb::new(plan.seed, &resources.tables, menu.difficulty, expires),
    };
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
    net.register("sockets", Sockets::default());
    net.register("hub", Hub::new(fickle));
    net.register("venue", Venue::new(menu.venue, net.now()));
    let pool = private_key(&named("DISTRIBUTION_KEY_ID")).public_key(&Secp256k1::new());
    let pool = ScriptBuf::new_p2wpkh(&CompressedPublicKey(pool).wpubkey_hash());
    net.world().pool.clone_from(&pool);
    let world = network::World::new(plan.seed, (genesis(&pool), pool), menu.chain, net.now());
    let chain = Shared::new(world);
    net.register("esplora", EsploraServers(chain.clone()));
    net.register("ord", OrdServer(chain.clone()));
    chain
}
