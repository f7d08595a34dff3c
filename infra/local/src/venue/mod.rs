//! The perpetuals venue: a stand-in of its info API, whose wallets can be set, and a local EVM with
//! test contracts at the addresses that the settings name. Each can be slow, down, or wrong.

mod chain;
mod info;
pub mod levers;

use std::{path::Path, sync::Arc};

use alloy::primitives::{Address, U256};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;
use shared::{models::usdc::Usdc, perp_venue::PerpVenueConfig};

pub use info::Account;

use crate::{
    evm::Evm,
    failure::{Context, Result},
    mood::{Mood, SharedMood},
    server::Server,
};
use chain::{Chain, Proxy, SharedChain};
use info::Info;

/// An address in JSON: 20 bytes in hex, of any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonAddress(pub(crate) Address);

impl<'de> Deserialize<'de> for JsonAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// The venue. Clones are the same one.
#[derive(Clone)]
pub struct Venue(Arc<Parts>);

struct Parts {
    info: Arc<Info>,
    info_mood: SharedMood,
    info_server: Server,
    proxy: Arc<Proxy>,
    proxy_mood: SharedMood,
    proxy_server: Server,
    chain: SharedChain,
}

impl Venue {
    /// Starts both faces on free ports. Nobody has an account yet, and behind the RPC is no EVM.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start() -> Result<Self> {
        let chain = SharedChain::default();
        let (info, info_mood) = (Arc::new(Info::new(chain.clone())), SharedMood::default());
        let (proxy, proxy_mood) = (Arc::new(Proxy::new(chain.clone())), SharedMood::default());
        let info_router = info::router(info.clone(), &info_mood);
        let proxy_router = chain::router(proxy.clone(), &proxy_mood);
        Ok(Self(Arc::new(Parts {
            info_server: Server::closing(info_router, &info_mood).await?,
            proxy_server: Server::closing(proxy_router, &proxy_mood).await?,
            info,
            info_mood,
            proxy,
            proxy_mood,
            chain,
        })))
    }

    /// From now on it knows whose builder fee wallets approve.
    pub fn know_builder(&self, builder: Address) {
        self.0.info.know_builder(builder);
    }

    /// Starts the EVM, and puts the contracts where the settings say that they are. A second call changes
    /// nothing.
    ///
    /// # Errors
    /// It does not start.
    pub async fn bring_up(&self, config: &PerpVenueConfig, state: Option<&Path>) -> Result<()> {
        let evm = Evm::start(config.chain_id, state).await?;
        let chain = Chain::prepare(evm, config).await?;
        let _ = self.0.chain.set(chain);
        Ok(())
    }

    /// Address of the info API.
    pub fn info_url(&self) -> String {
        format!("{}/info", self.0.info_server.url())
    }

    /// Address of the EVM's JSON-RPC.
    pub fn rpc_url(&self) -> &str {
        self.0.proxy_server.url()
    }

    /// The EVM with the contracts, where it was brought up.
    ///
    /// # Errors
    /// It was not.
    fn chain(&self) -> Result<&Chain> {
        self.0.chain.get().context("this world has no EVM")
    }

    /// The EVM.
    ///
    /// # Panics
    /// This world has none.
    // For tests, which know what they have built.
    #[allow(clippy::expect_used)]
    pub fn evm(&self) -> &Evm {
        self.chain().expect("a world with an EVM").evm()
    }

    /// Whether there is one.
    pub fn has_evm(&self) -> bool {
        self.0.chain.get().is_some()
    }

    /// Changes what the venue knows of a wallet.
    pub fn set(&self, wallet: Address, change: impl FnOnce(&mut Account)) {
        self.0.info.set(wallet, change);
    }

    /// Gives a wallet this much USDC on the EVM chain.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_usdc(&self, wallet: Address, amount: Usdc) -> Result<()> {
        self.chain()?.set_usdc(wallet, amount).await
    }

    /// Gives a wallet this much of the chain's own coin, in wei.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_gas(&self, wallet: Address, wei: U256) -> Result<()> {
        self.chain()?.set_gas(wallet, wei).await
    }

    /// Whether a wallet has an account at the venue, as its chain says.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_exists(&self, wallet: Address, exists: bool) -> Result<()> {
        self.chain()?.set_exists(wallet, exists).await
    }

    /// Stops deposits, or lets them go on.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn pause(&self, paused: bool) -> Result<()> {
        self.chain()?.pause(paused).await
    }

    /// What the deposit contract keeps of a first deposit, in hundred-millionths of a USDC.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_activation_fee(&self, fee: u64) -> Result<()> {
        self.chain()?.set_activation_fee(fee).await
    }

    /// Whether deposits are credited to the spot balance from now on.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn forward_nothing(&self, off: bool) -> Result<()> {
        self.chain()?.forward_nothing(off).await
    }

    /// Gives a wallet code, 0x and hex, such as that of a contract wallet.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_code(&self, wallet: Address, code: &str) -> Result<()> {
        self.chain()?.set_code(wallet, code).await
    }

    /// From now on the info API is like this.
    pub fn info_is(&self, mood: Mood) {
        self.0.info_mood.set(mood);
    }

    /// From now on the EVM's JSON-RPC is like this.
    pub fn rpc_is(&self, mood: Mood) {
        self.0.proxy_mood.set(mood);
    }

    /// From now on the info API answers questions of this type so, whoever they are about; `null` ends
    /// that.
    pub fn info_says(&self, question: &str, answer: Value) {
        self.0.info.lie(question, answer);
    }

    /// From now on the answer to each JSON-RPC request that has `part` in it has these members in
    /// place of its own; `null` ends that.
    pub fn rpc_says(&self, part: &str, members: Value) {
        self.0.proxy.lie(part, members);
    }

    /// Whether it answers every batch of JSON-RPC requests by one error from now on.
    pub fn rpc_refuses_batches(&self, refuses: bool) {
        self.0.proxy.refuse_batches(refuses);
    }

    /// What the info API was asked: the types of the questions.
    pub fn questions(&self) -> Vec<String> {
        self.0.info.questions()
    }

    /// How often the JSON-RPC was called, by one request or a batch.
    pub fn rpc_calls(&self) -> usize {
        self.0.proxy.calls()
    }

    /// Ends the EVM; it writes its state, if that is kept.
    pub fn stop(&self) {
        if let Some(chain) = self.0.chain.get() {
            chain.evm().stop();
        }
    }
}
