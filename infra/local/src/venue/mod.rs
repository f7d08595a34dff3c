//! The perpetuals venue: a stand-in of its info API, whose wallets can be set, and a local EVM with
//! test contracts at the addresses that the settings name. Each can be slow, down, or wrong.

mod chain;
mod info;
pub mod levers;

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

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
use chain::{Chain, Face};
use info::Info;

/// An address in JSON: 20 bytes in hex, of any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wallet(pub(crate) Address);

impl<'de> Deserialize<'de> for Wallet {
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
    face: Arc<Face>,
    face_mood: SharedMood,
    face_server: Server,
    chain: OnceLock<Arc<Chain>>,
}

impl Venue {
    /// Starts both faces on free ports. Nobody has an account yet, and behind the RPC is no EVM.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start() -> Result<Self> {
        let (info, info_mood) = (Arc::new(Info::default()), SharedMood::default());
        let (face, face_mood) = (Arc::new(Face::default()), SharedMood::default());
        Ok(Self(Arc::new(Parts {
            info_server: Server::closing(info::router(info.clone(), &info_mood), &info_mood)
                .await?,
            face_server: Server::closing(chain::router(face.clone(), &face_mood), &face_mood)
                .await?,
            info,
            info_mood,
            face,
            face_mood,
            chain: OnceLock::new(),
        })))
    }

    /// From now on it knows whose builder fee wallets approve.
    pub fn know_builder(&self, builder: Address) {
        self.0.info.know_builder(builder);
    }

    /// Starts the EVM, and puts the contracts where the settings say that they are.
    ///
    /// # Errors
    /// It does not start.
    pub async fn bring_up(&self, config: &PerpVenueConfig, state: Option<&Path>) -> Result<()> {
        let evm = Evm::start(config.chain_id, state).await?;
        let chain = Arc::new(Chain::prepare(evm, config).await?);
        self.0.face.stand_before(chain.evm().url());
        self.0.info.watch(chain.clone());
        // There is one already, at the most.
        let _ = self.0.chain.set(chain);
        Ok(())
    }

    /// Address of the info API.
    pub fn info_url(&self) -> String {
        format!("{}/info", self.0.info_server.url())
    }

    /// Address of the EVM's JSON-RPC.
    pub fn rpc_url(&self) -> &str {
        self.0.face_server.url()
    }

    /// The EVM with the contracts, where it was brought up.
    ///
    /// # Errors
    /// It was not.
    fn chain(&self) -> Result<&Chain> {
        self.0.chain.get().map(Arc::as_ref).context("this world has no EVM")
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

    /// From now on the info API is like this.
    pub fn info_is(&self, mood: Mood) {
        self.0.info_mood.set(mood);
    }

    /// From now on the EVM's JSON-RPC is like this.
    pub fn rpc_is(&self, mood: Mood) {
        self.0.face_mood.set(mood);
    }

    /// From now on the info API answers questions of this type so, whoever they are about; `null` ends
    /// that.
    pub fn info_says(&self, question: &str, answer: Value) {
        self.0.info.lie(question, answer);
    }

    /// From now on the answer to each JSON-RPC request that has `part` in it has these members in
    /// place of its own; `null` ends that.
    pub fn rpc_says(&self, part: &str, members: Value) {
        self.0.face.lie(part, members);
    }

    /// What the info API was asked: the types of the questions.
    pub fn questions(&self) -> Vec<String> {
        self.0.info.questions()
    }

    /// How often the JSON-RPC was called, by one request or a batch.
    pub fn rpc_calls(&self) -> usize {
        self.0.face.calls()
    }

    /// Ends the EVM; it writes its state, if that is kept.
    pub fn stop(&self) {
        if let Some(chain) = self.0.chain.get() {
            chain.evm().stop();
        }
    }
}
