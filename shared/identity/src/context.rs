//! What functions need that create accounts and change their credentials.

use std::{ops::Deref, sync::Arc};

use base::{
    provider::{ProviderUrl, encrypted},
    section,
    settings::{optional, origins},
    signer::{KmsSigner, Signer},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use bitcoin::{Address, Network};
use http::HeaderValue;
use shared::{
    core::Core,
    crypto::vault::{DataKeyConfig, KeyRing, Vault},
    evm_rpc::EvmRpc,
    mail::{MailQueue, MailQueueConfig},
    network::{CosigningConfig, NetworkConfig, TreasuryConfig},
};

use crate::passkey::RelyingParty;

section! {
    /// What sign-in messages say.
    pub struct SignInConfig {
        /// Domain that sign-in messages are bound to
        pub domain: String = "SIGN_IN_DOMAIN",
        /// URI that sign-in messages name
        pub uri: String = "SIGN_IN_URI",
        /// Chain id that EVM sign-in messages name, and on which contract wallets prove their addresses
        pub evm_chain_id: u64 = "EVM_CHAIN_ID" or "1",
    }
}

section! {
    /// Where contract wallets are asked.
    pub struct EvmConfig {
        /// Ethereum JSON-RPC that checks signatures of contract wallets, or `ssm:` and the name of the SSM
        /// parameter that holds its address; empty: contract wallets cannot sign in
        pub rpc_url: Option<ProviderUrl> = "EVM_RPC_URL" or "" via optional,
    }
}

section! {
    /// The deployment, as passkeys know it.
    pub struct PasskeyConfig {
        /// Domain that passkeys belong to (WebAuthn's RP ID)
        pub id: String = "PASSKEY_RP_ID",
        /// Origins whose pages and Android apps may use passkeys, comma separated; for an app,
        /// `android:apk-key-hash:` and the SHA-256 of its certificate in base64url
        pub origins: Vec<HeaderValue> = "PASSKEY_ORIGINS" via passkey_origins,
    }
}

/// The prefix of an Android app's origin; the hash of its certificate follows.
const ANDROID: &str = "android:apk-key-hash:";

fn passkey_origins(text: &str) -> Result<Vec<HeaderValue>, String> {
    let mut all = Vec::new();
    for origin in text.split(',').map(str::trim).filter(|origin| !origin.is_empty()) {
        match origin.strip_prefix(ANDROID) {
            None => all.extend(origins(origin)?),
            Some(hash) => {
                let bytes = BASE64_URL_SAFE_NO_PAD.decode(hash).ok();
                let hash = bytes.filter(|bytes| bytes.len() == 32);
                let origin = hash.and_then(|_| HeaderValue::from_str(origin).ok());
                all.push(origin.ok_or_else(|| {
                    format!("{ANDROID} must be followed by 32 bytes in base64url, without padding")
                })?);
            }
        }
    }
    Ok(all)
}

/// The settings of an [`Identity`], in addition to those of its core.
pub type IdentityConfig = (
    SignInConfig,
    EvmConfig,
    PasskeyConfig,
    CosigningConfig,
    NetworkConfig,
    TreasuryConfig,
    DataKeyConfig,
    MailQueueConfig,
);

/// What is needed to verify credentials and to store them. Cloning is cheap.
#[derive(Clone)]
pub struct Identity(Arc<Parts>);

/// What an [`Identity`] is made of.
pub struct Parts {
    core: Core,
    /// What sign-in messages say.
    pub sign_in: SignInConfig,
    /// Checks signatures of contract wallets, if an RPC endpoint is configured.
    pub evm: Option<EvmRpc>,
    /// The deployment, as passkeys know it.
    pub relying_party: RelyingParty,
    /// KMS keys that co-sign trading wallets: at least one.
    pub cosigning_keys: Vec<String>,
    /// Their public halves.
    pub signer: Arc<dyn Signer>,
    /// The Bitcoin network that addresses must belong to.
    pub network: Network,
    /// The treasury that holds the prizes. No trading wallet may use its key.
    pub treasury: Address,
    /// Encryption at rest.
    pub vault: Arc<Vault>,
    /// Encryption of the secrets of webhooks, with data keys of their own.
    pub webhook_vault: Vault,
    /// The queue of mails to send.
    pub mail: MailQueue,
}

impl Deref for Identity {
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

impl Identity {
    /// The identity with these settings.
    pub fn new(core: Core, config: IdentityConfig) -> Self {
        let (sign_in, evm, passkeys, cosigning, network, treasury, data_key, mail) = config;
        let (aws, outbound) = (&core.aws, &core.outbound);
        // The server behind this URL decides which contract wallets can sign in.
        let node = evm.rpc_url.map(|url| core.provider(url, Arc::new(encrypted)));
        let evm = node.map(|node| {
            EvmRpc::new(node, sign_in.evm_chain_id, outbound.clone(), core.clock.clone())
        });
        let origins = passkeys.origins.iter();
        let origins = origins.filter_map(|origin| origin.to_str().ok().map(str::to_owned));
        let relying_party = RelyingParty {
            id: passkeys.id,
            name: "Runeport".to_owned(),
            origins: origins.collect(),
        };
        let [vault, webhook_vault] = [KeyRing::Accounts, KeyRing::Webhooks].map(|ring| {
            let (key_id, store) = (data_key.id.clone(), core.store.clone());
            Vault::over_kms(ring, aws.clone(), key_id, store, outbound.clone(), core.random.clone())
        });
        Self(Arc::new(Parts {
            sign_in,
            evm,
            relying_party,
            cosigning_keys: cosigning.keys,
            signer: Arc::new(KmsSigner::new(aws.clone(), outbound.clone())),
            network: network.network,
            treasury: treasury.address,
            vault: Arc::new(vault),
            webhook_vault,
            mail: MailQueue::new(aws.clone(), mail, outbound.clone()),
            core,
        }))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_for_pages_and_android_apps() {
        let app = format!("{ANDROID}{}", BASE64_URL_SAFE_NO_PAD.encode([7; 32]));
        let read = passkey_origins(&format!("https://app.example, {app}")).unwrap();
        assert_eq!(read, ["https://app.example", app.as_str()]);
        for bad in [
            ANDROID.to_owned(),
            format!("{app}A"),
            format!("{app}="),
            format!("{ANDROID}{}", BASE64_URL_SAFE_NO_PAD.encode([7; 31])),
            app.replace("apk-key-hash", "apk-key"),
            "app.example".to_owned(),
        ] {
            assert!(passkey_origins(&bad).is_err(), "{bad}");
        }
    }
}
