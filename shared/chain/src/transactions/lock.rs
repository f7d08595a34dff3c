//! How the coins of a wallet are locked.

use bitcoin::{ScriptBuf, Weight};
use miniscript::descriptor::Wpkh;
use shared::models::trading_wallet::{self, TradingWallet};

use super::ChainError;
use crate::models::platform_wallet::PlatformWallet;

/// How coins of a wallet are locked.
#[derive(Clone, Debug)]
pub(super) struct CoinLock {
    pub(super) script_pubkey: ScriptBuf,
    pub(super) satisfaction_weight: Weight,
    /// Blocks until the user alone can spend a coin, if the lock has a delay.
    pub(super) delay: Option<u16>,
}

impl CoinLock {
    pub(super) fn trading(wallet: &TradingWallet) -> Result<Self, ChainError> {
        let weight = wallet.descriptor.satisfaction_weight();
        Ok(Self {
            script_pubkey: wallet.descriptor.script_pubkey(),
            satisfaction_weight: weight.map_err(|_| ChainError::Damaged("invalid descriptor"))?,
            delay: Some(trading_wallet::DELAY),
        })
    }

    pub(super) fn platform(wallet: &PlatformWallet) -> Result<Self, ChainError> {
        let key = Wpkh::new(wallet.public_key).map_err(|_| ChainError::Damaged("invalid key"))?;
        Ok(Self {
            script_pubkey: wallet.script_pubkey(),
            satisfaction_weight: key.max_weight_to_satisfy(),
            delay: None,
        })
    }
}
