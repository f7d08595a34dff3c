//! The functions in a local world: all of them read the same environment.

use std::{collections::BTreeMap, ops::Deref, sync::Arc};

use base::{
    aws::AwsConfig,
    clock::Clock,
    outbound::Outbound,
    random::Random,
    settings::{self, ConfigError, Section},
};
use chain::{
    BitcoinContext, ChainConfig,
    hub::{HubClient, HubConfig},
};
use identity::{Identity, IdentityConfig};
use outbox::{exports::ExportConfig, sockets::SocketQueueConfig, webhooks::WebhookQueueConfig};
use perp_venue::venue::PerpVenueConfig;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    crypto::{signing::KeyConfig, token::TokenConfig, vault::DataKeyConfig},
    deployment::{AffiliateConfig, MediaConfig, ServedMediaConfig},
    fees::FeeConfig,
    http::{Ingress, Routes, ingress::IngressConfig, routes::Route},
    mail::MailQueueConfig,
    network::{CosigningConfig, Network, NetworkConfig, TreasuryConfig},
    tables::TableNames,
};

/// The settings that tests and the local world itself read from an environment, for all functions.
#[derive(Clone, Debug)]
pub struct Config {
    /// How AWS is reached.
    pub aws: Arc<AwsConfig>,
    /// Table names.
    pub tables: TableNames,
    /// The settings of access tokens.
    pub tokens: TokenConfig,
    /// Where the keys of access tokens are.
    pub keys: KeyConfig,
    /// The key that wraps the data keys.
    pub data_key: DataKeyConfig,
    /// The Bitcoin network.
    pub network: Network,
    /// Fees of Bitcoin transactions.
    pub fees: FeeConfig,
    /// The treasury that holds the prizes.
    pub treasury: TreasuryConfig,
    /// The keys that co-sign.
    pub cosigning: CosigningConfig,
    /// The keys of mints.
    pub mint_keys: vm_transactions::settings::MintKeyConfig,
    /// The affiliate fee of cross-chain swaps.
    pub affiliate: AffiliateConfig,
    /// Where the hub is.
    pub hub: HubConfig,
    /// The perpetuals venue.
    pub perp_venue: PerpVenueConfig,
    /// Where mails are queued.
    pub mail: MailQueueConfig,
    /// The sender of mails.
    pub sender: mail_worker::settings::SenderConfig,
    /// Exports of histories.
    pub exports: ExportConfig,
    /// Where media are uploaded to.
    pub media: MediaConfig,
    /// Where media are served.
    pub served_media: ServedMediaConfig,
    /// Where webhooks are queued.
    pub webhooks: WebhookQueueConfig,
    /// The queue of events to push to sockets.
    pub sockets: SocketQueueConfig,
}

impl Config {
    /// Reads an environment.
    ///
    /// # Errors
    /// [`ConfigError`] naming every setting that is missing or wrong.
    pub fn read(environment: &BTreeMap<String, String>) -> Result<Self, ConfigError> {
        let (
            (aws, tables, tokens, keys, data_key),
            (network, fees, treasury, cosigning, mint_keys),
            (affiliate, hub, perp_venue),
            (mail, sender, exports, media, served_media, webhooks, sockets),
        ) = read(environment)?;
        let (aws, NetworkConfig { network }) = (Arc::new(aws), network);
        Ok(Self {
            aws,
            tables,
            tokens,
            keys,
            data_key,
            network,
            fees,
            treasury,
            cosigning,
            mint_keys,
            affiliate,
            hub,
            perp_venue,
            mail,
            sender,
            exports,
            media,
            served_media,
            webhooks,
            sockets,
        })
    }
}

fn read<S: Section>(environment: &BTreeMap<String, String>) -> Result<S, ConfigError> {
    settings::read(|name| environment.get(name).cloned())
}

/// All functions with one environment and one machine, and what they depend on. Cloning is cheap.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
pub struct Parts {
    /// The environment of the functions.
    pub environment: BTreeMap<String, String>,
    /// The settings read from it.
    pub config: Config,
    /// Time, randomness and network of the functions.
    pub machine: Machine,
    /// Everything that a request passes before its handler.
    pub gate: Ingress,
    /// Verifies and stores credentials.
    pub identity: Identity,
    /// The hub.
    pub hub: HubClient,
    /// The worker of the chain.
    pub chain_watcher: chain_watcher::App,
    /// The worker that finds new events for webhooks and sockets.
    pub event_worker: event_worker::App,
    /// The worker of exports.
    pub export_worker: export_worker::App,
    /// The worker of mails.
    pub mail_worker: mail_worker::App,
    /// The worker of webhooks.
    pub webhook_worker: webhook_worker::App,
    /// The function behind sockets.
    pub socket: socket::App,
    /// The worker of sockets.
    pub socket_worker: socket_worker::App,
    chain: BitcoinContext,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Deref for Parts {
    type Target = BitcoinContext;

    fn deref(&self) -> &BitcoinContext {
        &self.chain
    }
}

impl App {
    /// All functions with this environment and another clock or randomness.
    ///
    /// # Errors
    /// As [`Self::over`].
    pub fn with(
        environment: &BTreeMap<String, String>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Self, ConfigError> {
        Self::over(environment, Machine::with(clock, random))
    }

    /// All functions with this environment on another machine.
    ///
    /// # Errors
    /// [`ConfigError`] naming every setting that is missing or wrong.
    pub fn over(
        environment: &BTreeMap<String, String>,
        machine: Machine,
    ) -> Result<Self, ConfigError> {
        let (core, gate, identity, chain): (
            CoreConfig,
            IngressConfig,
            IdentityConfig,
            ChainConfig,
        ) = read(environment)?;
        let config = Config::read(environment)?;
        let machine = machine.recording(read(environment)?);
        let core = Core::new(core, &machine);
        let hub = HubClient::new(config.hub.clone(), &core);
        Ok(Self(Arc::new(Parts {
            environment: environment.clone(),
            config,
            gate: Ingress::new(core.clone(), gate),
            identity: Identity::new(core.clone(), identity),
            hub,
            chain_watcher: made(environment, &machine)?,
            event_worker: made(environment, &machine)?,
            export_worker: made(environment, &machine)?,
            mail_worker: made(environment, &machine)?,
            webhook_worker: made(environment, &machine)?,
            socket: made(environment, &machine)?,
            socket_worker: made(environment, &machine)?,
            chain: BitcoinContext::new(core, chain),
            machine,
        })))
    }

    /// All functions with other values of some settings, on the same machine.
    ///
    /// # Panics
    /// A value is wrong.
    #[must_use]
    pub fn changed(&self, settings: &[(&str, &str)]) -> Self {
        let mut environment = self.environment.clone();
        environment
            .extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Self::over(&environment, self.machine.clone()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Another instance of all functions, over another network.
    ///
    /// # Panics
    /// Never: the environment was read before.
    #[must_use]
    pub fn through(&self, outbound: Outbound) -> Self {
        let Machine { clock, random, .. } = self.machine.clone();
        let machine = Machine::over(clock, random, outbound);
        Self::over(&self.environment, machine).unwrap_or_else(|error| panic!("{error}"))
    }

    /// One function, created as on Lambda.
    ///
    /// # Panics
    /// The function has a setting that no other function has, and its value is missing or wrong.
    pub fn function<A: Application>(&self) -> A {
        made(&self.environment, &self.machine).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Routes as a service without a port.
    pub fn service(&self, routes: impl Served) -> axum::Router {
        routes.over(self).into_service(self.gate.clone())
    }
}

fn made<A: Application>(
    environment: &BTreeMap<String, String>,
    machine: &Machine,
) -> Result<A, ConfigError> {
    Ok(A::new(read(environment)?, machine))
}

/// Routes of one or more functions.
pub trait Served {
    /// The routes with the functions that serve them.
    fn over(self, app: &App) -> Routes;

    /// Every route.
    fn list(&self) -> Vec<Route>;
}

impl<A: Application> Served for Routes<A> {
    fn over(self, app: &App) -> Routes {
        self.with(app.function())
    }

    fn list(&self) -> Vec<Route> {
        self.table().to_vec()
    }
}

impl<A: Served, B: Served> Served for (A, B) {
    fn over(self, app: &App) -> Routes {
        self.0.over(app).merge(self.1.over(app))
    }

    fn list(&self) -> Vec<Route> {
        [self.0.list(), self.1.list()].concat()
    }
}
