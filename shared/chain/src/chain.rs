//! The context of functions that build, sign or follow Bitcoin transactions.

use std::{ops::Deref, sync::Arc};

use base::signer::{KmsSigner, Signer};
use bitcoin::Network;
use shared::{
    core::Core,
    fees::FeeConfig,
    network::NetworkConfig,
    ord::{OrdClient, OrdConfig},
};

use crate::{
    bitcoin::esplora::EsploraClient,
    settings::{EsploraConfig, FormConfig},
};

/// The settings of a [`BitcoinContext`] in addition to those of its core.
pub type ChainConfig = (NetworkConfig, EsploraConfig, OrdConfig, FeeConfig, FormConfig);

/// The Bitcoin chain, and the keys that sign for the platform. Cloning is cheap.
#[derive(Clone)]
pub struct BitcoinContext(Arc<Parts>);

/// The parts of a [`BitcoinContext`].
pub struct Parts {
    core: Core,
    /// The network that addresses must belong to.
    pub network: Network,
    /// What is in the chain.
    pub esplora: EsploraClient,
    /// What outputs hold.
    pub ord: OrdClient,
    /// Keys that sign transactions for the platform.
    pub signer: Arc<dyn Signer>,
    /// Fees of transactions.
    pub fees: FeeConfig,
    /// Whether a withdrawal of runes has a second OP_RETURN, the hash of its data.
    pub second_op_return: bool,
}

impl Deref for BitcoinContext {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Deref for Parts {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl BitcoinContext {
    /// The chain of these settings.
    pub fn new(core: Core, (network, esplora, ord, fees, form): ChainConfig) -> Self {
        Self(Arc::new(Parts {
            network: network.network,
            esplora: EsploraClient::over(&core, esplora),
            ord: OrdClient::over(&core, ord),
            signer: Arc::new(KmsSigner::new(core.aws.clone(), core.outbound.clone())),
            fees,
            second_op_return: form.second_op_return,
            core,
        }))
    }
}
