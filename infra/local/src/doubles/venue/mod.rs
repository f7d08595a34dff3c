//! The perpetuals venue: a stand-in for its info API, whose wallets can be set, and a local EVM with test
//! contracts at the addresses in the settings. Each can be slow, down, or wrong.

mod chain;
mod exchange;
mod info;
mod json_address;

use std::{path::Path, sync::Arc};

use alloy::primitives::{Address, U256};
use axum::routing::post;
use perp_venue::venue::{PerpVenueConfig, usdc::Usdc};
use serde_json::Value;

pub use info::Account;
pub(crate) use json_address::JsonAddress;

use crate::{
    base::{
        failure::{Context, Result},
        mood::{Mood, SharedMood},
        server::Server,
    },
    doubles::evm::Evm,
};
use chain::{Chain, Proxy, SharedChain};
use exchange::exchange;
use info::Info;

/// The venue. Clones share it.
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
    /// Starts both faces on free ports. No wallet has an account yet, and the RPC has no EVM behind it.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start() -> Result<Self> {
        let chain = SharedChain::default();
        let (info, info_mood) = (Arc::new(Info::new(chain.clone())), SharedMood::default());
        let (proxy, proxy_mood) = (Arc::new(Proxy::new(chain.clone())), SharedMood::default());
        let info_router = info::router(info.clone(), post(exchange), &info_mood);
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

    /// Sets the address whose builder fee wallets approve.
    pub fn know_builder(&self, builder: Address) {
        self.0.info.know_builder(builder);
    }

    /// Starts the EVM and installs the contracts at the addresses in the settings. A second call changes
    /// nothing.
    ///
    /// # Errors
    /// The EVM does not start.
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

    /// Address of the exchange endpoint, which takes signed actions.
    pub fn exchange_url(&self) -> String {
        format!("{}/exchange", self.0.info_server.url())
    }

    /// Address of the EVM's JSON-RPC.
    pub fn rpc_url(&self) -> &str {
        self.0.proxy_server.url()
    }

    /// The EVM with the contracts, once it is started.
    ///
    /// # Errors
    /// The EVM is not started.
    fn chain(&self) -> Result<&Chain> {
        self.0.chain.get().context("this world has no EVM")
    }

    /// The EVM.
    ///
    /// # Panics
    /// This world has none.
    // For tests, which know their world.
    #[allow(clippy::expect_used)]
    pub fn evm(&self) -> &Evm {
        self.chain().expect("a world with an EVM").evm()
    }

    /// Whether this world has an EVM.
    pub fn has_evm(&self) -> bool {
        self.0.chain.get().is_some()
    }

    /// Changes the venue's state of a wallet.
    pub fn set(&self, wallet: Address, change: impl FnOnce(&mut Account)) {
        self.0.info.set(wallet, change);
    }

    /// Sets a wallet's USDC on the EVM chain.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_usdc(&self, wallet: Address, amount: Usdc) -> Result<()> {
        self.chain()?.set_usdc(wallet, amount).await
    }

    /// Sets a wallet's native coins on the EVM chain, in wei.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_gas(&self, wallet: Address, wei: U256) -> Result<()> {
        self.chain()?.set_gas(wallet, wei).await
    }

    /// Sets whether a wallet has an account at the venue, according to its chain.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_exists(&self, wallet: Address, exists: bool) -> Result<()> {
        self.chain()?.set_exists(wallet, exists).await
    }

    /// Pauses or resumes deposits.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn pause(&self, paused: bool) -> Result<()> {
        self.chain()?.pause(paused).await
    }

    /// Sets the fee withheld from a first deposit, in 10^-8 USDC.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_activation_fee(&self, fee: u64) -> Result<()> {
        self.chain()?.set_activation_fee(fee).await
    }

    /// Sets whether deposits are credited to the spot balance from now on.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn forward_nothing(&self, off: bool) -> Result<()> {
        self.chain()?.forward_nothing(off).await
    }

    /// Sets the code of a wallet (hex with 0x), such as that of a contract wallet.
    ///
    /// # Errors
    /// There is no EVM.
    pub async fn set_code(&self, wallet: Address, code: &str) -> Result<()> {
        self.chain()?.set_code(wallet, code).await
    }

    /// Sets the mood of the info API.
    pub fn info_is(&self, mood: Mood) {
        self.0.info_mood.set(mood);
    }

    /// Sets the mood of the EVM's JSON-RPC.
    pub fn rpc_is(&self, mood: Mood) {
        self.0.proxy_mood.set(mood);
    }

    /// Waits until the info API keeps `queries` queries waiting, and the JSON-RPC `calls` calls, all at the
    /// same time.
    pub async fn delays(&self, queries: usize, calls: usize) {
        tokio::join!(self.0.info_mood.delays(queries), self.0.proxy_mood.delays(calls));
    }

    /// Makes the info API answer all queries of this type with this value; `null` ends that.
    pub fn info_says(&self, question: &str, answer: Value) {
        self.0.info.lie(question, answer);
    }

    /// Puts these members into the answer to each JSON-RPC request that contains `part`; `null` ends that.
    pub fn rpc_says(&self, part: &str, members: Value) {
        self.0.proxy.lie(part, members);
    }

    /// Sets whether the JSON-RPC answers every batch with a single error.
    pub fn rpc_refuses_batches(&self, refuses: bool) {
        self.0.proxy.refuse_batches(refuses);
    }

    /// Types of the queries that the info API has received.
    pub fn questions(&self) -> Vec<String> {
        self.0.info.questions()
    }

    /// Number of JSON-RPC calls; a batch counts as one.
    pub fn rpc_calls(&self) -> usize {
        self.0.proxy.calls()
    }

    /// Stops the EVM; a persistent one saves its state first.
    pub fn stop(&self) {
        if let Some(chain) = self.0.chain.get() {
            chain.evm().stop();
        }
    }
}
