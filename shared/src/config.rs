//! Settings, from environment variables: every one that the code reads is in [`SETTINGS`].

use std::{str::FromStr, sync::Arc, time::Duration};

use bitcoin::{Address, Amount, FeeRate, Network};
use secrecy::SecretString;
use tracing_subscriber::filter::{LevelFilter, Targets};

use crate::{
    models::{passkey::RelyingParty, sign_in_message::SignInMessage},
    outbound::is_loopback,
    perp_venue::{BuilderFee, PerpVenueConfig, ReferralCode, VenueChain, checksummed, endpoint},
};

/// One environment variable.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is, for the table of settings.
    pub meaning: &'static str,
    /// What holds when it is not set; `None`: it must be set.
    pub default: Option<&'static str>,
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident $(= $default:literal)?;)+) => {
        $(const $name: Setting = Setting {
            name: stringify!($name),
            meaning: concat!($($doc),+),
            default: { let _default: Option<&'static str> = None; $(let _default = Some($default);)? _default },
        };)+
        /// Every setting that the code reads, in the order of the table of settings.
        pub const SETTINGS: &[Setting] = &[$($name),+];
    };
}

settings! {
    /// DynamoDB table of accounts, uniqueness records, sessions
    ACCOUNTS_TABLE;
    /// DynamoDB table of what accounts do, and of the lists
    ACTIVITY_TABLE;
    /// DynamoDB table of rows that expire: challenges, spent tokens, idempotency answers
    EPHEMERAL_TABLE;
    /// Secrets Manager id of the key that signs access tokens; read by auth alone
    TOKEN_SECRET_ID;
    /// SSM parameter with the public keys (JWKS) that check access tokens
    TOKEN_JWKS_PARAMETER;
    /// `iss` of access tokens
    TOKEN_ISSUER;
    /// `aud` of access tokens
    TOKEN_AUDIENCE;
    /// Origins that browsers may call from, comma separated
    CORS_ORIGINS = "";
    /// Domain that sign-in messages are bound to
    SIGN_IN_DOMAIN;
    /// URI that sign-in messages name
    SIGN_IN_URI;
    /// Text of the sign-in message without a challenge; ends in `{timestamp}`, may hold `{address}`
    SIGN_IN_MESSAGE;
    /// Domain that passkeys belong to (WebAuthn's RP ID)
    PASSKEY_RP_ID;
    /// Origins whose pages may use passkeys, comma separated
    PASSKEY_ORIGINS;
    /// How long after a sign-in its session may change credentials, in seconds
    REAUTH_WINDOW = "900";
    /// `bitcoin`, `testnet`, `testnet4`, `signet` or `regtest`
    BITCOIN_NETWORK = "bitcoin";
    /// Base address of the Esplora server, API path included
    ESPLORA_URL;
    /// Base address of the ord server
    ORD_URL;
    /// KMS keys that co-sign trading wallets, comma separated: ids, ARNs or aliases; new accounts are spread over them
    COSIGNING_KEY_IDS;
    /// KMS key of the treasury that commitments of mints pay to: id, ARN or alias
    MINT_TREASURY_KEY_ID;
    /// KMS key of the pool that mints distribute runes from and that pays their fees: id, ARN or alias
    DISTRIBUTION_KEY_ID;
    /// Blocks within which a transaction should confirm; chooses the fee estimate
    FEE_TARGET_BLOCKS = "3";
    /// Lowest and highest fee rate that the service uses, regardless of the estimate, in sat/vB
    FEE_RATE_RANGE = "1-500";
    /// The most that one transaction may cost in fees, in sats
    FEE_CAP = "100000";
    /// Whether withdrawals of runes commit to their data in a second OP_RETURN, which nodes before Bitcoin Core 30 do not relay: `yes` or `no`
    SECOND_OP_RETURN = "no";
    /// Base address of the hub that cross-chain swaps are settled by
    HUB_URL;
    /// Address that earns the affiliate fee of cross-chain swaps
    AFFILIATE_ADDRESS;
    /// Affiliate fee of cross-chain swaps, in hundredths of a percent
    AFFILIATE_FEE_BPS = "0";
    /// Bitcoin address of the treasury that holds the prizes
    TREASURY_ADDRESS;
    /// Ethereum JSON-RPC that checks signatures of contract wallets; empty: those cannot sign in
    EVM_RPC_URL = "";
    /// Chain id that EVM sign-in messages name, and on which contract wallets prove their addresses
    EVM_CHAIN_ID = "1";
    /// Network of the perpetuals venue: `Mainnet` or `Testnet`
    PERP_VENUE_CHAIN = "Mainnet";
    /// Chain id of the venue's EVM chain; empty: the network's own, 999 or 998
    PERP_VENUE_CHAIN_ID = "";
    /// JSON-RPC of the venue's EVM chain that clients receive, so without a secret; empty: the network's own
    PERP_VENUE_RPC_URL = "";
    /// JSON-RPC of the same chain for the service's own calls, may hold a provider's key; empty: the one that clients receive
    PERP_VENUE_OWN_RPC_URL = "";
    /// Info API of the venue; empty: the network's own
    PERP_VENUE_INFO_URL = "";
    /// Contract of USDC on the venue's EVM chain, with its EIP-55 checksum; empty: the network's own
    PERP_VENUE_USDC = "";
    /// Contract that takes deposits for the venue, with its EIP-55 checksum; empty: the network's own
    PERP_VENUE_DEPOSIT_CONTRACT = "";
    /// USDC as the venue's actions name it; empty: the network's own
    PERP_VENUE_USDC_TOKEN = "";
    /// Referral code that wallets are asked to set at the venue, 1 to 20 characters; empty: none
    PERP_VENUE_REFERRAL_CODE = "";
    /// EVM address that earns the builder fee at the venue, with its EIP-55 checksum
    PERP_VENUE_BUILDER;
    /// Builder fee that wallets are asked to approve, more than 0% and at most 0.1%
    PERP_VENUE_BUILDER_FEE = "0.05%";
    /// KMS key that wraps the data keys of what is encrypted at rest; id or ARN
    DATA_KEY_ID;
    /// URL of the queue of mails to send
    MAIL_QUEUE_URL;
    /// Sender address of mails
    MAIL_FROM;
    /// Base address of the frontend, for links in mails
    APP_URL;
    /// Bucket of export files
    EXPORT_BUCKET;
    /// URL of the queue of exports to make
    EXPORT_QUEUE_URL;
    /// Bucket that media are uploaded to
    MEDIA_BUCKET;
    /// Base address that media are served at
    MEDIA_URL;
    /// How much is logged: `info` is a line a request; also `<target>=<level>`, comma separated, for a crate or module such as `shared::http`
    RUST_LOG = "error";
    /// Name of the function, for its metrics; set by Lambda, empty elsewhere
    AWS_LAMBDA_FUNCTION_NAME = "";
    /// Region of the AWS services; set by Lambda
    AWS_REGION;
    /// Credentials; set by Lambda
    AWS_ACCESS_KEY_ID;
    /// Credentials; set by Lambda
    AWS_SECRET_ACCESS_KEY;
    /// Credentials; set by Lambda, empty where they are not temporary
    AWS_SESSION_TOKEN = "";
    /// Another address for DynamoDB
    AWS_ENDPOINT_URL_DYNAMODB = "";
    /// Another address for S3; buckets are in the path then
    AWS_ENDPOINT_URL_S3 = "";
    /// Another address for Secrets Manager
    AWS_ENDPOINT_URL_SECRETS_MANAGER = "";
    /// Another address for SSM
    AWS_ENDPOINT_URL_SSM = "";
    /// Another address for KMS
    AWS_ENDPOINT_URL_KMS = "";
    /// Another address for SQS
    AWS_ENDPOINT_URL_SQS = "";
    /// Another address for SES
    AWS_ENDPOINT_URL_SESV2 = "";
}

/// The settings, parsed.
#[derive(Clone, Debug)]
pub struct Config {
    /// Table names.
    pub tables: Tables,
    /// Access tokens.
    pub tokens: TokenConfig,
    /// Origins that browsers may call from.
    pub cors_origins: Vec<http::HeaderValue>,
    /// Sign-in by wallet.
    pub sign_in: SignInConfig,
    /// The deployment, as passkeys know it.
    pub relying_party: RelyingParty,
    /// How long after a sign-in its session may change credentials (custody rule 18).
    pub reauth_window: Duration,
    /// The Bitcoin network that addresses must belong to.
    pub network: Network,
    /// Bitcoin: sources and keys.
    pub chain: ChainConfig,
    /// Fees of Bitcoin transactions.
    pub fees: FeeConfig,
    /// Whether a withdrawal of runes has a second OP_RETURN, the hash of its data.
    pub second_op_return: bool,
    /// The affiliate fee of cross-chain swaps.
    pub affiliate: AffiliateConfig,
    /// The treasury that holds the prizes.
    pub treasury: Address,
    /// Ethereum JSON-RPC for contract wallets.
    pub evm_rpc_url: Option<SecretString>,
    /// The perpetuals venue.
    pub perp_venue: PerpVenueConfig,
    /// KMS key that wraps the data keys.
    pub data_key_id: String,
    /// Base address of the hub, without a trailing slash.
    pub hub_url: String,
    /// Mails.
    pub mail: MailConfig,
    /// Exports of histories.
    pub exports: ExportConfig,
    /// Media.
    pub media: MediaConfig,
    /// What is logged.
    pub log: Targets,
    /// Name of the function on Lambda.
    pub function_name: Option<String>,
    /// How AWS is reached.
    pub aws: Arc<AwsConfig>,
}

/// Mails: the queue, and what they say.
#[derive(Clone, Debug)]
pub struct MailConfig {
    /// URL of the queue.
    pub queue_url: String,
    /// The address that they come from.
    pub from: String,
    /// Base address of the frontend that links lead to, without a trailing slash.
    pub app_url: String,
}

/// Exports of histories: where they are asked for, and where they end up.
#[derive(Clone, Debug)]
pub struct ExportConfig {
    /// Name of the bucket.
    pub bucket: String,
    /// URL of the queue.
    pub queue_url: String,
}

/// Media: where they are uploaded to, and where they are served.
#[derive(Clone, Debug)]
pub struct MediaConfig {
    /// Name of the bucket.
    pub bucket: String,
    /// Base address that they are served at, without a trailing slash.
    pub url: String,
}

/// Bitcoin: where the chain is read, and which keys co-sign.
#[derive(Clone, Debug)]
pub struct ChainConfig {
    /// Base address of the Esplora server, without a trailing slash.
    pub esplora_url: String,
    /// Base address of the ord server, without a trailing slash.
    pub ord_url: String,
    /// KMS keys that co-sign trading wallets: at least one.
    pub cosigning_keys: Vec<String>,
    /// KMS key of the treasury that commitments of mints pay to.
    pub mint_treasury_key: String,
    /// KMS key of the pool that mints distribute runes from.
    pub distribution_key: String,
}

/// Fees of Bitcoin transactions.
#[derive(Clone, Copy, Debug)]
pub struct FeeConfig {
    /// Blocks within which a transaction should confirm.
    pub target_blocks: u16,
    /// The lowest rate.
    pub lowest: FeeRate,
    /// The highest rate.
    pub highest: FeeRate,
    /// The most that one transaction may cost.
    pub cap: Amount,
}

/// The affiliate fee of cross-chain swaps.
#[derive(Clone, Debug)]
pub struct AffiliateConfig {
    /// Who earns it.
    pub address: String,
    /// Hundredths of a percent, at most 10,000.
    pub fee_bps: u16,
}

/// Names of the three tables.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Accounts, credentials, sessions.
    pub accounts: String,
    /// What accounts do, and the lists.
    pub activity: String,
    /// What ends by itself.
    pub ephemeral: String,
}

/// Where the keys of access tokens are.
#[derive(Clone, Debug)]
pub struct KeyConfig {
    /// Secrets Manager id of the signing key.
    pub secret_id: String,
    /// SSM parameter of the public keys.
    pub jwks_parameter: String,
}

/// Access tokens: where the keys are and what the claims say.
#[derive(Clone, Debug)]
pub struct TokenConfig {
    /// Where the keys are.
    pub keys: KeyConfig,
    /// `iss`.
    pub issuer: String,
    /// `aud`.
    pub audience: String,
}

/// What sign-in messages say.
#[derive(Clone, Debug)]
pub struct SignInConfig {
    /// Domain that the message is bound to (EIP-4361 `domain`).
    pub domain: String,
    /// URI that the message names (EIP-4361 `uri`).
    pub uri: String,
    /// The message without a challenge.
    pub message: SignInMessage,
    /// Chain id that EVM messages name (EIP-155).
    pub evm_chain_id: u64,
}

/// How AWS is reached.
#[derive(Clone, Debug)]
pub struct AwsConfig {
    /// Region name.
    pub region: String,
    /// Access key id.
    pub access_key_id: String,
    /// Secret access key.
    pub secret_access_key: SecretString,
    /// Session token of temporary credentials.
    pub session_token: Option<SecretString>,
    /// Another address for DynamoDB.
    pub dynamodb_endpoint: Option<String>,
    /// Another address for S3.
    pub s3_endpoint: Option<String>,
    /// Another address for Secrets Manager.
    pub secrets_endpoint: Option<String>,
    /// Another address for SSM.
    pub ssm_endpoint: Option<String>,
    /// Another address for KMS.
    pub kms_endpoint: Option<String>,
    /// Another address for SQS.
    pub sqs_endpoint: Option<String>,
    /// Another address for SES.
    pub ses_endpoint: Option<String>,
}

/// Every setting that is missing or wrong, in one line.
#[derive(Debug, thiserror::Error)]
#[error("configuration: {}", .0.join("; "))]
pub struct ConfigError(Vec<String>);

impl Config {
    /// Reads the process's environment.
    ///
    /// # Errors
    /// [`ConfigError`] naming every setting that is missing or wrong.
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Reads settings from `lookup`.
    ///
    /// # Errors
    /// [`ConfigError`] naming every setting that is missing or wrong.
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let mut reader = Reader { lookup, problems: Vec::new() };
        let network = reader.parsed(BITCOIN_NETWORK, Network::from_str);
        let treasury = reader.parsed(TREASURY_ADDRESS, |text| {
            let address = Address::from_str(text)?;
            address.require_network(network.unwrap_or(Network::Bitcoin))
        });
        let cors_origins = reader.parsed(CORS_ORIGINS, origins);
        let message = reader.parsed(SIGN_IN_MESSAGE, SignInMessage::from_str);
        let evm_chain_id = reader.parsed(EVM_CHAIN_ID, u64::from_str);
        let reauth_window = reader.parsed(REAUTH_WINDOW, u64::from_str);
        let passkey_origins = reader.parsed(PASSKEY_ORIGINS, origins).unwrap_or_default();
        let relying_party = RelyingParty {
            id: reader.text(PASSKEY_RP_ID),
            name: "Runeport".to_owned(),
            origins: passkey_origins
                .iter()
                .filter_map(|origin| origin.to_str().ok().map(str::to_owned))
                .collect(),
        };
        let tables = Tables::read(&mut reader);
        let tokens = TokenConfig {
            keys: KeyConfig::read(&mut reader),
            issuer: reader.text(TOKEN_ISSUER),
            audience: reader.text(TOKEN_AUDIENCE),
        };
        let domain = reader.text(SIGN_IN_DOMAIN);
        let uri = reader.text(SIGN_IN_URI);
        let chain = ChainConfig::read(&mut reader);
        let fees = FeeConfig::read(&mut reader);
        let second_op_return = reader.parsed(SECOND_OP_RETURN, yes_or_no);
        let affiliate = AffiliateConfig::read(&mut reader);
        let evm_rpc_url = reader.optional(EVM_RPC_URL).map(SecretString::from);
        let perp_venue = PerpVenueConfig::read(&mut reader);
        let data_key_id = reader.text(DATA_KEY_ID);
        let mail = MailConfig {
            queue_url: reader.text(MAIL_QUEUE_URL),
            from: reader.text(MAIL_FROM),
            app_url: reader.text(APP_URL).trim_end_matches('/').to_owned(),
        };
        let hub_url = reader.text(HUB_URL).trim_end_matches('/').to_owned();
        let exports = ExportConfig {
            bucket: reader.text(EXPORT_BUCKET),
            queue_url: reader.text(EXPORT_QUEUE_URL),
        };
        let media = MediaConfig {
            bucket: reader.text(MEDIA_BUCKET),
            url: reader.text(MEDIA_URL).trim_end_matches('/').to_owned(),
        };
        let log = reader.parsed(RUST_LOG, log_filter);
        let function_name = reader.optional(AWS_LAMBDA_FUNCTION_NAME);
        let aws = Arc::new(AwsConfig::read(&mut reader));
        // Custody rule 17: signatures that other sites ask for would sign in here.
        let emulated = aws.dynamodb_endpoint.as_deref().is_some_and(is_loopback);
        if message == Some(SignInMessage::AnyText) && !emulated {
            let problem = format!("{}: * is for a local world alone", SIGN_IN_MESSAGE.name);
            reader.problems.push(problem);
        }
        match (
            network,
            treasury,
            cors_origins,
            message,
            evm_chain_id,
            reauth_window,
            fees,
            second_op_return,
            affiliate,
            perp_venue,
            log,
        ) {
            (
                Some(network),
                Some(treasury),
                Some(cors_origins),
                Some(message),
                Some(evm_chain_id),
                Some(reauth_window),
                Some(fees),
                Some(second_op_return),
                Some(affiliate),
                Some(perp_venue),
                Some(log),
            ) if reader.problems.is_empty() => {
                let sign_in = SignInConfig { domain, uri, message, evm_chain_id };
                Ok(Self {
                    tables,
                    tokens,
                    cors_origins,
                    sign_in,
                    relying_party,
                    reauth_window: Duration::from_secs(reauth_window),
                    network,
                    chain,
                    fees,
                    second_op_return,
                    affiliate,
                    treasury,
                    evm_rpc_url,
                    perp_venue,
                    data_key_id,
                    hub_url,
                    mail,
                    exports,
                    media,
                    log,
                    function_name,
                    aws,
                })
            }
            _ => Err(ConfigError(reader.problems)),
        }
    }
}

impl ChainConfig {
    fn read(reader: &mut Reader<impl Fn(&str) -> Option<String>>) -> Self {
        let mut base = |setting| reader.text(setting).trim_end_matches('/').to_owned();
        let (esplora_url, ord_url) = (base(ESPLORA_URL), base(ORD_URL));
        let keys = reader.parsed(COSIGNING_KEY_IDS, |text| {
            let keys = text.split(',').map(|key| key.trim().to_owned());
            let keys: Vec<_> = keys.filter(|key| !key.is_empty()).collect();
            if keys.is_empty() { Err("names no key") } else { Ok(keys) }
        });
        Self {
            esplora_url,
            ord_url,
            cosigning_keys: keys.unwrap_or_default(),
            mint_treasury_key: reader.text(MINT_TREASURY_KEY_ID),
            distribution_key: reader.text(DISTRIBUTION_KEY_ID),
        }
    }
}

impl FeeConfig {
    fn read(reader: &mut Reader<impl Fn(&str) -> Option<String>>) -> Option<Self> {
        let target_blocks = reader.parsed(FEE_TARGET_BLOCKS, u16::from_str);
        let range = reader.parsed(FEE_RATE_RANGE, |text| {
            let rate = |text: &str| FeeRate::from_sat_per_vb(text.parse().ok()?);
            text.split_once('-')
                .and_then(|(lowest, highest)| Some((rate(lowest)?, rate(highest)?)))
                .filter(|(lowest, highest)| lowest <= highest && *lowest > FeeRate::ZERO)
                .ok_or("must be two rates in sat/vB, such as 1-500")
        });
        let cap = reader.parsed(FEE_CAP, u64::from_str).map(Amount::from_sat);
        let (lowest, highest) = range?;
        Some(Self { target_blocks: target_blocks?, lowest, highest, cap: cap? })
    }
}

impl AffiliateConfig {
    fn read(reader: &mut Reader<impl Fn(&str) -> Option<String>>) -> Option<Self> {
        let address = reader.text(AFFILIATE_ADDRESS);
        let fee_bps = reader.parsed(AFFILIATE_FEE_BPS, |text| {
            let bps = text.parse().ok().filter(|bps| *bps <= 10_000);
            bps.ok_or("must be 0 to 10000, in hundredths of a percent")
        });
        Some(Self { address, fee_bps: fee_bps? })
    }
}

impl PerpVenueConfig {
    fn read(reader: &mut Reader<impl Fn(&str) -> Option<String>>) -> Option<Self> {
        let chain = reader.parsed(PERP_VENUE_CHAIN, VenueChain::from_str);
        // Of any network, so that what is wrong beside it is named too.
        let own = chain.unwrap_or(VenueChain::Mainnet).deployment();
        let chain_id = reader.parsed_or(PERP_VENUE_CHAIN_ID, own.chain_id, u64::from_str);
        let rpc_url = reader.parsed_or(PERP_VENUE_RPC_URL, own.rpc_url.to_owned(), endpoint);
        let own_rpc_url = reader
            .parsed_or(PERP_VENUE_OWN_RPC_URL, rpc_url.clone(), |text| endpoint(text).map(Some));
        let info_url = reader.parsed_or(PERP_VENUE_INFO_URL, own.info_url.to_owned(), endpoint);
        let usdc = reader.parsed_or(PERP_VENUE_USDC, own.usdc, checksummed);
        let deposit_contract =
            reader.parsed_or(PERP_VENUE_DEPOSIT_CONTRACT, own.deposit_contract, checksummed);
        let usdc_token = reader.optional(PERP_VENUE_USDC_TOKEN);
        let usdc_token = usdc_token.as_deref().unwrap_or(own.usdc_token);
        let usdc_token = reader.checked(PERP_VENUE_USDC_TOKEN, usdc_token.parse());
        let referral_code = reader.parsed_or(PERP_VENUE_REFERRAL_CODE, None, |text| {
            text.parse::<ReferralCode>().map(Some)
        });
        let builder = reader.parsed(PERP_VENUE_BUILDER, checksummed);
        let builder_fee = reader.parsed(PERP_VENUE_BUILDER_FEE, BuilderFee::from_str);
        let (own_rpc_url, info_url) = (own_rpc_url??, info_url?);
        let config = Self {
            chain: chain?,
            chain_id: chain_id?,
            rpc_url: rpc_url?,
            own_rpc_url: own_rpc_url.as_str().into(),
            info_url: info_url.as_str().into(),
            usdc: usdc?,
            deposit_contract: deposit_contract?,
            usdc_token: usdc_token?,
            referral_code: referral_code?,
            builder: builder?,
            builder_fee: builder_fee?,
        };
        let checked = config.check([&own_rpc_url, &info_url]);
        reader.checked(PERP_VENUE_CHAIN, checked.map(|()| config))
    }
}

impl Tables {
    fn read(reader: &mut Reader<impl Fn(&str) -> Option<String>>) -> Self {
        Self {
            accounts: reader.text(ACCOUNTS_TABLE),
            activity: reader.text(ACTIVITY_TABLE),
            ephemeral: reader.text(EPHEMERAL_TABLE),
        }
    }
}

impl KeyConfig {
    fn read(reader: &mut Reader<impl Fn(&str) -> Option<String>>) -> Self {
        Self {
            secret_id: reader.text(TOKEN_SECRET_ID),
            jwks_parameter: reader.text(TOKEN_JWKS_PARAMETER),
        }
    }
}

impl AwsConfig {
    fn read(reader: &mut Reader<impl Fn(&str) -> Option<String>>) -> Self {
        Self {
            region: reader.text(AWS_REGION),
            access_key_id: reader.text(AWS_ACCESS_KEY_ID),
            secret_access_key: reader.text(AWS_SECRET_ACCESS_KEY).into(),
            session_token: reader.optional(AWS_SESSION_TOKEN).map(SecretString::from),
            dynamodb_endpoint: reader.optional(AWS_ENDPOINT_URL_DYNAMODB),
            s3_endpoint: reader.optional(AWS_ENDPOINT_URL_S3),
            secrets_endpoint: reader.optional(AWS_ENDPOINT_URL_SECRETS_MANAGER),
            ssm_endpoint: reader.optional(AWS_ENDPOINT_URL_SSM),
            kms_endpoint: reader.optional(AWS_ENDPOINT_URL_KMS),
            sqs_endpoint: reader.optional(AWS_ENDPOINT_URL_SQS),
            ses_endpoint: reader.optional(AWS_ENDPOINT_URL_SESV2),
        }
    }
}

/// What the operator's command needs that rotates the keys of access tokens.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing.
pub fn for_key_rotation() -> Result<(AwsConfig, KeyConfig), ConfigError> {
    let mut reader = Reader::of_env();
    let config = (AwsConfig::read(&mut reader), KeyConfig::read(&mut reader));
    reader.finish(config)
}

/// What the operator's commands need that change accounts.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing or wrong.
pub fn for_accounts() -> Result<(AwsConfig, Tables, Network), ConfigError> {
    let mut reader = Reader::of_env();
    let network = reader.parsed(BITCOIN_NETWORK, Network::from_str).unwrap_or(Network::Bitcoin);
    let config = (AwsConfig::read(&mut reader), Tables::read(&mut reader), network);
    reader.finish(config)
}

/// What the operator's command needs that makes data keys: with the id of the KMS key.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing.
pub fn for_data_keys() -> Result<(AwsConfig, Tables, String), ConfigError> {
    let mut reader = Reader::of_env();
    let config =
        (AwsConfig::read(&mut reader), Tables::read(&mut reader), reader.text(DATA_KEY_ID));
    reader.finish(config)
}

/// What operators' commands need that work on the tables alone.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing.
pub fn for_tables() -> Result<(AwsConfig, Tables), ConfigError> {
    let mut reader = Reader::of_env();
    let config = (AwsConfig::read(&mut reader), Tables::read(&mut reader));
    reader.finish(config)
}

struct Reader<L> {
    lookup: L,
    problems: Vec<String>,
}

impl Reader<fn(&str) -> Option<String>> {
    fn of_env() -> Self {
        Self { lookup: |name| std::env::var(name).ok(), problems: Vec::new() }
    }
}

impl<L: Fn(&str) -> Option<String>> Reader<L> {
    fn finish<T>(self, config: T) -> Result<T, ConfigError> {
        if self.problems.is_empty() { Ok(config) } else { Err(ConfigError(self.problems)) }
    }

    fn text(&mut self, setting: Setting) -> String {
        let value = (self.lookup)(setting.name).filter(|value| !value.is_empty());
        value.or(setting.default.map(str::to_owned)).unwrap_or_else(|| {
            self.problems.push(format!("{} is not set", setting.name));
            String::new()
        })
    }

    fn optional(&mut self, setting: Setting) -> Option<String> {
        Some(self.text(setting)).filter(|value| !value.is_empty())
    }

    fn parsed<T, E: std::fmt::Display>(
        &mut self,
        setting: Setting,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let problems = self.problems.len();
        let text = self.text(setting);
        if self.problems.len() > problems {
            return None;
        }
        self.checked(setting, parse(&text))
    }

    /// The same, and `empty` where it is empty.
    fn parsed_or<T, E: std::fmt::Display>(
        &mut self,
        setting: Setting,
        empty: T,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        match self.optional(setting) {
            Some(text) => self.checked(setting, parse(&text)),
            None => Some(empty),
        }
    }

    fn checked<T, E: std::fmt::Display>(
        &mut self,
        setting: Setting,
        value: Result<T, E>,
    ) -> Option<T> {
        value.map_err(|error| self.problems.push(format!("{}: {error}", setting.name))).ok()
    }
}

/// Reads what is to be logged: one level of everything, `error` where none is said, and levels of single
/// targets (`<target>=<level>`), comma separated. Nothing turns errors off: alarms count them. Targets
/// whose errors a client causes log nothing.
///
/// # Errors
/// A part that is neither, or a second level of everything.
pub fn log_filter(text: &str) -> Result<Targets, String> {
    let mut all = None;
    let mut filter = Targets::new();
    for part in text.split(',').map(str::trim) {
        let (target, level) = match part.split_once('=') {
            Some((target, level)) => (Some(target.trim()), level.trim()),
            None => (None, part),
        };
        let level = match level {
            "error" => LevelFilter::ERROR,
            "warn" => LevelFilter::WARN,
            "info" => LevelFilter::INFO,
            "debug" => LevelFilter::DEBUG,
            "trace" => LevelFilter::TRACE,
            _ => return Err(format!("{part:?} has no level (error, warn, info, debug or trace)")),
        };
        match target {
            Some("") => return Err(format!("{part:?} names no target")),
            // As crates are called, and the targets are that are made of them.
            Some(target) => filter = filter.with_target(target.replace('-', "_"), level),
            None if all.replace(level).is_some() => {
                return Err(format!("{part:?} is a second level of everything"));
            }
            None => {}
        }
    }
    let filter = filter.with_default(all.unwrap_or(LevelFilter::ERROR));
    Ok(MUTE.iter().fold(filter, |filter, target| filter.with_target(*target, LevelFilter::OFF)))
}

/// Targets that log what clients send as errors of their own: anybody could raise an alarm, and read
/// his bytes in the log. What the library finds wrong with a passkey is an answer, not a fault.
const MUTE: [&str; 1] = ["webauthn_rs_core"];

fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("must be yes or no"),
    }
}

fn origins(text: &str) -> Result<Vec<http::HeaderValue>, String> {
    text.split(',')
        .map(str::trim)
        .filter(|origin| !origin.is_empty())
        .map(|origin| {
            let parsed = origin.parse::<http::Uri>().ok().filter(|uri| {
                uri.scheme().is_some() && uri.authority().is_some() && !origin.ends_with('/')
            });
            parsed
                .and_then(|_| http::HeaderValue::from_str(origin).ok())
                .ok_or_else(|| format!("{origin} is not an origin such as https://app.example"))
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn complete(name: &str) -> Option<String> {
        let value = match name {
            "TREASURY_ADDRESS" => "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
            "BITCOIN_NETWORK" => "regtest",
            "SIGN_IN_MESSAGE" => "Sign in to Runeport: {timestamp}",
            "CORS_ORIGINS" => "https://app.example, http://localhost:5173",
            "PASSKEY_ORIGINS" => "https://app.example",
            "PERP_VENUE_BUILDER" => "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            name => {
                return SETTINGS
                    .iter()
                    .find(|s| s.name == name)?
                    .default
                    .map_or(Some("x".into()), |_| None);
            }
        };
        Some(value.to_owned())
    }

    #[test]
    fn a_complete_environment_is_read() {
        let config = Config::read(complete).unwrap();
        assert_eq!(config.cors_origins.len(), 2);
        assert_eq!(config.sign_in.evm_chain_id, 1);
        assert!(config.evm_rpc_url.is_none());
    }

    #[test]
    fn every_missing_setting_is_named_at_once() {
        let error = Config::read(|_| None).unwrap_err().to_string();
        for setting in SETTINGS.iter().filter(|setting| setting.default.is_none()) {
            assert!(error.contains(setting.name), "{} in {error}", setting.name);
        }
    }

    #[test]
    fn what_is_logged_is_said_by_levels() {
        use tracing::Level;
        for (text, shared, others) in [
            ("error", Level::ERROR, Level::ERROR),
            ("info", Level::INFO, Level::INFO),
            ("warn, shared=debug", Level::DEBUG, Level::WARN),
            ("shared = info", Level::INFO, Level::ERROR),
            ("shared::http=trace,mail-worker=warn", Level::TRACE, Level::ERROR),
        ] {
            let filter = log_filter(text).unwrap();
            for (target, most) in [("shared::http", shared), ("hyper", others)] {
                let levels = [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE];
                for level in levels {
                    let logs = filter.would_enable(target, &level);
                    assert_eq!(logs, level <= most, "{text}: {target} {level}");
                }
            }
        }
        let worker = log_filter("mail-worker=info").unwrap();
        assert!(worker.would_enable("mail_worker::delivery", &Level::INFO));
    }

    #[test]
    fn what_a_client_sends_is_logged_as_no_error() {
        for text in ["error", "trace", "webauthn_rs_core=trace"] {
            let filter = log_filter(text).unwrap();
            for target in ["webauthn_rs_core::core", "webauthn_rs_core::internals"] {
                assert!(!filter.would_enable(target, &tracing::Level::ERROR), "{text}: {target}");
            }
        }
    }

    #[test]
    fn wrong_values_stop_the_start() {
        for (name, value) in [
            ("BITCOIN_NETWORK", "mainnnet"),
            ("TREASURY_ADDRESS", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
            ("SIGN_IN_MESSAGE", "no placeholder"),
            ("SIGN_IN_MESSAGE", "*"),
            ("CORS_ORIGINS", "*"),
            ("CORS_ORIGINS", "https://app.example/"),
            ("EVM_CHAIN_ID", "one"),
            ("REAUTH_WINDOW", "-1"),
            ("COSIGNING_KEY_IDS", " , "),
            ("FEE_RATE_RANGE", "5"),
            ("FEE_RATE_RANGE", "0-5"),
            ("FEE_RATE_RANGE", "6-5"),
            ("FEE_CAP", "1.5"),
            ("SECOND_OP_RETURN", "true"),
            ("AFFILIATE_FEE_BPS", "10001"),
            ("PASSKEY_ORIGINS", "app.example"),
            ("RUST_LOG", "verbose"),
            ("RUST_LOG", "info,"),
            ("RUST_LOG", "shared=all"),
            ("RUST_LOG", "off"),
            ("RUST_LOG", "=debug"),
            ("RUST_LOG", "info,warn"),
            ("PERP_VENUE_CHAIN", "mainnet"),
            ("PERP_VENUE_CHAIN_ID", "0x3e7"),
            ("PERP_VENUE_RPC_URL", "http://rpc.example"),
            ("PERP_VENUE_RPC_URL", "https://key@rpc.example"),
            ("PERP_VENUE_OWN_RPC_URL", "rpc.example"),
            ("PERP_VENUE_INFO_URL", "info.example"),
            ("PERP_VENUE_USDC", "0xB88339CB7199b77E23DB6E890353E22632Ba630f"),
            ("PERP_VENUE_DEPOSIT_CONTRACT", "0x0000000000000000000000000000000000000000"),
            ("PERP_VENUE_USDC_TOKEN", "USDC"),
            ("PERP_VENUE_REFERRAL_CODE", "TWENTYONE-CHARACTERS-"),
            ("PERP_VENUE_BUILDER", "runeport.eth"),
            ("PERP_VENUE_BUILDER", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"),
            ("PERP_VENUE_BUILDER_FEE", "0.11%"),
        ] {
            let error =
                Config::read(
                    |asked| {
                        if asked == name { Some(value.to_owned()) } else { complete(asked) }
                    },
                );
            assert!(error.unwrap_err().to_string().contains(name), "{name}={value}");
        }
    }

    #[test]
    fn the_venue_is_that_of_its_network() {
        let read = |own: &[(&str, &str)]| {
            Config::read(|name| {
                let own = own.iter().find(|(of, _)| *of == name);
                own.map(|(_, value)| (*value).to_owned()).or_else(|| complete(name))
            })
        };
        for chain in [VenueChain::Mainnet, VenueChain::Testnet] {
            let name = format!("{chain:?}");
            let config = read(&[("PERP_VENUE_CHAIN", &name)]).unwrap().perp_venue;
            let published = chain.deployment();
            assert_eq!(config.chain_id, published.chain_id);
            assert_eq!(config.usdc, published.usdc);
            assert_eq!(config.deposit_contract, published.deposit_contract);
            assert_eq!(config.usdc_token.to_string(), published.usdc_token);
            assert_eq!(config.referral_code, None);
        }
        let own = VenueChain::Mainnet.deployment();
        let (usdc, deposit) = (own.usdc.to_string(), own.deposit_contract.to_string());
        let swapped = [("PERP_VENUE_USDC", &*deposit), ("PERP_VENUE_DEPOSIT_CONTRACT", &*usdc)];
        assert!(read(&swapped).unwrap_err().to_string().contains("mixed up"));
        // Another chain can be on this very machine alone.
        let local =
            [("PERP_VENUE_CHAIN_ID", "31337"), ("PERP_VENUE_RPC_URL", "http://127.0.0.1:1")];
        assert_eq!(read(&local).unwrap().perp_venue.chain_id, 31_337);
        let other = VenueChain::Testnet.deployment();
        let (usdc, deposit) = (other.usdc.to_string(), other.deposit_contract.to_string());
        for (name, value) in [
            ("PERP_VENUE_CHAIN_ID", "998"),
            ("PERP_VENUE_CHAIN_ID", "1"),
            ("PERP_VENUE_RPC_URL", other.rpc_url),
            ("PERP_VENUE_OWN_RPC_URL", other.rpc_url),
            ("PERP_VENUE_INFO_URL", other.info_url),
            ("PERP_VENUE_INFO_URL", "https://API.hyperliquid-testnet.xyz:443/info/"),
            ("PERP_VENUE_INFO_URL", "https://api.hyperliquid-testnet.xyz./info?x"),
            ("PERP_VENUE_USDC", &usdc),
            ("PERP_VENUE_USDC", "0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24"),
            ("PERP_VENUE_DEPOSIT_CONTRACT", &deposit),
            ("PERP_VENUE_USDC_TOKEN", other.usdc_token),
            ("PERP_VENUE_BUILDER", "0xb88339CB7199b77E23DB6E890353E22632Ba630f"),
            ("PERP_VENUE_BUILDER", &usdc),
        ] {
            let error = read(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains("PERP_VENUE_CHAIN:"), "{name}={value}: {error}");
            assert!(!error.contains('\n'), "one line: {error}");
        }
    }

    #[test]
    fn custody_17_any_text_signs_in_on_a_local_world_alone() {
        let read = |endpoint: &str| {
            Config::read(|name| match name {
                "SIGN_IN_MESSAGE" => Some("*".to_owned()),
                "AWS_ENDPOINT_URL_DYNAMODB" => Some(endpoint.to_owned()),
                name => complete(name),
            })
        };
        assert!(read("http://127.0.0.1:8000").is_ok());
        for endpoint in
            ["", "https://dynamodb.us-east-1.amazonaws.com", "http://127.0.0.1.evil.example"]
        {
            assert!(read(endpoint).is_err(), "{endpoint}");
        }
    }

    #[test]
    fn secrets_do_not_print() {
        let config = Config::read(|name| match name {
            "AWS_SECRET_ACCESS_KEY"
            | "EVM_RPC_URL"
            | "PERP_VENUE_OWN_RPC_URL"
            | "PERP_VENUE_INFO_URL" => Some("https://hush-hush".to_owned()),
            name => complete(name),
        });
        assert!(!format!("{:?}", config.unwrap()).contains("hush-hush"));
    }
}
