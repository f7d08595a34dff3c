//! What every function works with: clock, randomness, the HTTPS client and the store.

use std::{ops::Deref, sync::Arc};

use base::{
    aws::{AwsConfig, Parameters},
    clock::{Clock, SystemClock},
    metrics::Metric,
    outbound::Outbound,
    provider::{Check, ParameterName, Provider, ProviderUrl, Stored},
    random::{Random, SystemSource},
    section,
    settings::{Section, optional},
    traces::{Tracer, TracesConfig},
};
use secrecy::ExposeSecret;
use store::{Announcer, Store};

use crate::{events::EventAnnouncer, tables::TableNames};

section! {
    /// The function, as Lambda calls it.
    pub struct FunctionConfig {
        /// Name of the function, for its metrics and traces; set by Lambda, empty elsewhere
        pub name: Option<String> = "AWS_LAMBDA_FUNCTION_NAME" or "" via optional,
    }
}

/// The settings of a [`Core`].
pub type CoreConfig = (AwsConfig, TableNames, FunctionConfig);

/// What is not a setting: time, randomness, and the way out. Clones share them.
#[derive(Clone)]
pub struct Machine {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// The HTTPS client.
    pub outbound: Outbound,
    /// What records traces, where a collector is configured.
    pub tracer: Option<Tracer>,
}

impl Machine {
    /// The machine with its own clock and randomness.
    pub fn new() -> Self {
        Self::with(Arc::new(SystemClock), Arc::new(SystemSource))
    }

    /// The machine with another clock or randomness.
    pub fn with(clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self::over(clock, random, Outbound::new())
    }

    /// The machine with another clock, randomness or network.
    pub fn over(clock: Arc<dyn Clock>, random: Arc<dyn Random>, outbound: Outbound) -> Self {
        Self { clock, random, outbound, tracer: None }
    }

    /// The machine that records traces, if these settings name a collector.
    #[must_use]
    pub fn recording(mut self, traces: TracesConfig) -> Self {
        let (clock, random) = (self.clock.clone(), self.random.clone());
        self.tracer = Tracer::new(traces, clock, random, self.outbound.clone());
        if self.tracer.is_some() {
            self.outbound = self.outbound.traced();
        }
        self
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

/// A function: the context of its handlers, and the settings that the context is made from. Cloning is cheap,
/// and making one does no I/O.
pub trait Application: Clone + Send + Sync + 'static {
    /// Its sections. It reads and requires no other setting.
    type Config: Section;

    /// The function with these settings on this machine.
    fn new(config: Self::Config, machine: &Machine) -> Self;
}

/// What every function works with. Cloning is cheap.
#[derive(Clone)]
pub struct Core(Arc<Parts>);

/// The parts of a [`Core`].
pub struct Parts {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// The HTTPS client.
    pub outbound: Outbound,
    /// How AWS is reached.
    pub aws: Arc<AwsConfig>,
    /// What records traces, where a collector is configured.
    pub tracer: Option<Tracer>,
    /// DynamoDB.
    pub store: Store,
    /// Name of the function on Lambda.
    pub function_name: Option<String>,
}

impl Deref for Core {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Core {
    /// The core with these settings on this machine.
    pub fn new((aws, tables, function): CoreConfig, machine: &Machine) -> Self {
        let Machine { clock, random, outbound, tracer } = machine.clone();
        let store = store(&aws, tables, outbound.clone(), (clock.clone(), random.clone()));
        let aws = Arc::new(aws);
        let function_name = function.name;
        Self(Arc::new(Parts { clock, random, outbound, aws, tracer, store, function_name }))
    }

    /// Writes values of this moment to the log; nothing where Lambda has not named the function.
    pub fn emit(&self, metrics: &[Metric]) {
        if let Some(function) = &self.function_name {
            base::metrics::emit(function, self.clock.now(), metrics);
        }
    }

    /// A text that is kept in SSM and must pass `check`; `what` is for the log.
    pub fn stored(&self, name: ParameterName, what: &'static str, check: Check) -> Stored {
        let (clock, random) = (self.clock.clone(), self.random.clone());
        let parameters = Parameters::new(self.aws.clone(), self.outbound.clone(), clock.clone());
        Stored::new(name, what, check, parameters, (clock, random))
    }

    /// A party outside, at the address of a setting. An address that is stored in SSM must pass `check`.
    pub fn provider(&self, url: ProviderUrl, check: Check) -> Provider {
        match url {
            ProviderUrl::Given(address) => address.expose_secret().into(),
            ProviderUrl::Stored(name) => {
                self.stored(name, "the address of a provider", check).into()
            }
        }
    }
}

/// A store of these tables, whose commits append the events of their writes.
pub fn store(
    aws: &AwsConfig,
    tables: TableNames,
    outbound: Outbound,
    (clock, random): (Arc<dyn Clock>, Arc<dyn Random>),
) -> Store {
    let announcer: Arc<dyn Announcer> = Arc::new(EventAnnouncer::default());
    Store::new(aws, (tables.into(), announcer), outbound, clock, random)
}
