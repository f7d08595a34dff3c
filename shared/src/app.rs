//! What every handler works with: settings, clock, randomness, and one of each client.

use std::{ops::Deref, sync::Arc};

use crate::{
    bitcoin::{
        esplora::EsploraClient,
        ord::OrdClient,
        signer::{KmsSigner, Signer},
    },
    blob::Bucket,
    clock::{Clock, SystemClock},
    config::Config,
    evm_rpc::EvmRpc,
    exports::ExportQueue,
    hub::HubClient,
    keys::{signing::KeyStore, token::Tokens, vault::Vault},
    mail::MailQueue,
    outbound::Outbound,
    perp_venue::PerpVenueClient,
    random::{Random, SystemSource},
    store::Store,
};

/// The application. Cloning is cheap; making one does no I/O.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
pub struct Parts {
    /// Settings.
    pub config: Config,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// The HTTPS client.
    pub outbound: Outbound,
    /// DynamoDB.
    pub store: Store,
    /// Encryption at rest.
    pub vault: Vault,
    /// Access tokens.
    pub tokens: Tokens,
    /// What is in the Bitcoin chain.
    pub esplora: EsploraClient,
    /// What Bitcoin outputs hold.
    pub ord: OrdClient,
    /// Keys that sign Bitcoin transactions for the platform.
    pub signer: Arc<dyn Signer>,
    /// The partner that settles cross-chain swaps.
    pub hub: HubClient,
    /// The perpetuals venue.
    pub perp_venue: PerpVenueClient,
    /// Mails that are to be sent.
    pub mail: MailQueue,
    /// Exports that are to be made.
    pub export_queue: ExportQueue,
    /// Files of exports.
    pub export_files: Bucket,
    /// Signatures of contract wallets, where an RPC is configured.
    pub evm: Option<EvmRpc>,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// The application of the machine's own clock and randomness.
    pub fn new(config: Config) -> Self {
        Self::with(config, Arc::new(SystemClock), Arc::new(SystemSource))
    }

    /// The application of another clock or randomness.
    pub fn with(config: Config, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self::over(config, clock, random, Outbound::new())
    }

    /// The application that reaches AWS and all other parties through `outbound`.
    pub fn over(
        config: Config,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        outbound: Outbound,
    ) -> Self {
        let aws = &config.aws;
        let key_config = config.tokens.keys.clone();
        let keys = KeyStore::new(aws.clone(), key_config, outbound.clone(), clock.clone());
        let (tables, http) = (config.tables.clone(), outbound.clone());
        let store = Store::new(aws, tables, http, clock.clone(), random.clone());
        let key_id = config.data_key_id.clone();
        let vault =
            Vault::over_kms(aws.clone(), key_id, store.clone(), outbound.clone(), random.clone());
        let (mails, exports) = (config.mail.queue_url.clone(), config.exports.queue_url.clone());
        let files = config.exports.bucket.clone();
        Self(Arc::new(Parts {
            vault,
            store,
            tokens: Tokens::new(config.tokens.clone(), keys, clock.clone(), random.clone()),
            esplora: EsploraClient::new(config.chain.esplora_url.clone(), outbound.clone()),
            ord: OrdClient::new(config.chain.ord_url.clone(), outbound.clone()),
            signer: Arc::new(KmsSigner::new(aws.clone(), outbound.clone())),
            hub: HubClient::new(config.hub_url.clone(), outbound.clone(), clock.clone()),
            perp_venue: PerpVenueClient::new(
                config.perp_venue.clone(),
                outbound.clone(),
                clock.clone(),
            ),
            mail: MailQueue::new(aws.clone(), mails, outbound.clone()),
            export_queue: ExportQueue::new(aws.clone(), exports, outbound.clone()),
            export_files: Bucket::new(aws.clone(), files, outbound.clone(), clock.clone()),
            evm: config
                .evm_rpc_url
                .clone()
                .map(|url| EvmRpc::new(url, config.sign_in.evm_chain_id, outbound.clone())),
            outbound,
            clock,
            random,
            config,
        }))
    }
}
