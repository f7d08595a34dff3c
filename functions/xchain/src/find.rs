//! Cross-chain transactions by any of their hashes.

use bitcoin::Txid;
use chain::{
    keys,
    models::xchain::{IntentHash, TxHash, XchainKey, XchainRecord},
    xchain::XchainPointer,
};
use shared::{
    http::{Fields, Input},
    models::account::AccountId,
};
use store::{Key, Store, StoreError};
use utoipa::IntoParams;

use crate::register::LAST_CHAIN;

/// Selects one of several transactions with the same hash.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfChain {
    /// The hub's id of the source chain, if `txId` is a transaction on it.
    #[param(rename = "srcChain", minimum = 1, maximum = 9007199254740991_u64)]
    pub(crate) src_chain: Option<u64>,
}

impl Input for OfChain {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let src_chain = fields.optional_parsed("srcChain", 16);
        let src_chain = fields.in_range("srcChain", src_chain, 1..=LAST_CHAIN)?;
        Some(Self { src_chain })
    }
}

/// Finds a cross-chain transaction. If several registrations share a hash, it is the one that the hub has
/// confirmed, otherwise the account's own.
pub(crate) async fn find(
    store: &Store,
    hash: &TxHash,
    account: Option<AccountId>,
    chain: Option<u64>,
) -> Result<Option<XchainRecord>, StoreError> {
    match by_own_hash(store, hash, account).await? {
        Some(found) => Ok(Some(found)),
        None => by_spoke(store, hash, account, chain).await,
    }
}

/// Finds a swap by its intent, or a withdrawal by its Bitcoin transaction.
async fn by_own_hash(
    store: &Store,
    hash: &TxHash,
    account: Option<AccountId>,
) -> Result<Option<XchainRecord>, StoreError> {
    let (Ok(intent), Ok(txid)) =
        (hash.digits().parse::<IntentHash>(), hash.digits().parse::<Txid>())
    else {
        return Ok(None);
    };
    let (verified, withdrawal) = (keys::xchain_verified(intent), keys::xchain_withdrawal(txid));
    let own = async {
        match account {
            Some(account) => store.get::<XchainRecord>(&keys::xchain_swap(intent, account)).await,
            None => Ok(None),
        }
    };
    let (verified, own, withdrawal) = tokio::try_join!(
        store.get::<XchainPointer>(&verified),
        own,
        store.get::<XchainRecord>(&withdrawal),
    )?;
    let own_key = account.map(|account| XchainKey::Swap { intent, account });
    match verified.filter(|verified| Some(verified.key) != own_key) {
        Some(verified) => store.get(&keys::xchain(verified.key)).await,
        None => Ok(own.or(withdrawal)),
    }
}

/// Finds a swap by its transaction on the source chain.
async fn by_spoke(
    store: &Store,
    hash: &TxHash,
    account: Option<AccountId>,
    chain: Option<u64>,
) -> Result<Option<XchainRecord>, StoreError> {
    let keys = |account| match chain {
        Some(chain) => {
            let key = keys::xchain_spoke(hash, account, chain);
            (key.clone(), key)
        }
        None => keys::xchain_spokes(hash, account),
    };
    let first = async |(low, high): (Key, Key)| {
        store.range::<XchainPointer>((&low, &high), true, Some(1)).await
    };
    let own = async {
        match account {
            Some(_) => first(keys(account)).await,
            None => Ok(Vec::new()),
        }
    };
    let (verified, own) = tokio::try_join!(first(keys(None)), own)?;
    match verified.into_iter().chain(own).next() {
        Some(pointer) => store.get(&keys::xchain(pointer.key)).await,
        None => Ok(None),
    }
}
