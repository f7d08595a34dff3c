//! The data folder of a local world that survives restarts: the database, the buckets, the chain, and one
//! file for state that is only in memory otherwise (the key of access tokens, the keys of KMS, the clock).

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use aws_smithy_types::Blob;
use base::{
    aws::{self, Parameters},
    clock::SystemClock,
    outbound::Outbound,
    random::SystemSource,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::{crypto::vault::WrappedKey, keys};
use store::{Entity, Store};

use crate::{
    app::Config,
    aws::{
        kms_keys::{self, KeptKeys},
        provision::{self, secrets_manager},
        template::KmsKey,
    },
    base::{
        clock::LocalClock,
        failure::{Context, Failure, Result},
    },
};

/// The data folder. Only one world at a time can use it.
#[derive(Debug)]
pub struct DataDir {
    folder: PathBuf,
    kept: Option<Kept>,
    /// Signing keys, under the ids that KMS currently gives them.
    signing_keys: KeptKeys,
    _lock: File,
}

/// State that is only in memory otherwise.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    stack: String,
    clock_offset_ms: i64,
    signing_key: String,
    public_keys: String,
    /// Plain data keys in base64 by id, because the KMS key that wrapped them is lost at a restart.
    #[serde(default)]
    data_keys: BTreeMap<String, String>,
    /// Signing keys of KMS.
    #[serde(default)]
    signing_keys: KeptKeys,
}

impl DataDir {
    /// Opens a folder, and creates it if it is missing.
    ///
    /// # Errors
    /// The folder cannot be read or created, or is in use.
    pub fn open(folder: &Path) -> Result<Self> {
        let doing = || format!("data folder {}", folder.display());
        fs::create_dir_all(folder).context(doing())?;
        let folder = folder.canonicalize().context(doing())?;
        let lock = File::create(folder.join("lock")).context(doing())?;
        if lock.try_lock().is_err() {
            return Err(Failure::new(format!("{} is in use by another process", doing())));
        }
        let kept: Option<Kept> = match fs::read(folder.join("world.json")) {
            Ok(bytes) => Some(serde_json::from_slice(&bytes).context(doing())?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).context(doing()),
        };
        let signing_keys = kept.as_ref().map(|kept| kept.signing_keys.clone()).unwrap_or_default();
        Ok(Self { folder, kept, signing_keys, _lock: lock })
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// File of the database.
    pub fn database(&self) -> PathBuf {
        self.folder.join("dynamodb.sqlite")
    }

    /// Folder of the buckets.
    pub fn storage(&self) -> PathBuf {
        self.folder.join("s3")
    }

    /// Folder of the Bitcoin world.
    pub fn bitcoin(&self) -> PathBuf {
        self.folder.join("bitcoin")
    }

    /// File of the venue's EVM chain.
    pub fn evm(&self) -> PathBuf {
        self.folder.join("evm.json")
    }

    /// Name of the stack at an earlier start, which is part of its table names.
    pub fn stack(&self) -> Option<&str> {
        self.kept.as_ref().map(|kept| kept.stack.as_str())
    }

    /// Whether the folder has keys from an earlier start.
    pub fn has_keys(&self) -> bool {
        self.kept.is_some()
    }

    /// Imports the signing keys into KMS: those of an earlier start, or new ones.
    pub async fn import_keys(&mut self, config: &Config, keys: &[KmsKey]) -> Result<()> {
        self.signing_keys = kms_keys::import(&kms(config), keys, &self.signing_keys).await?;
        Ok(())
    }

    /// The stored clock, or the machine's.
    pub fn clock(&self) -> LocalClock {
        LocalClock::ahead_by(self.kept.as_ref().map_or(0, |kept| kept.clock_offset_ms))
    }

    /// Puts the keys of an earlier start where the functions read them. `rows` are the rows of all tables.
    ///
    /// # Errors
    /// Secrets Manager, SSM, KMS or DynamoDB refuses.
    pub async fn restore(&self, config: &Config, rows: &[Value]) -> Result<()> {
        let Some(kept) = &self.kept else {
            return Ok(());
        };
        let (secrets, parameters) = key_stores(config);
        secrets
            .put_secret_value()
            .secret_id(&config.keys.secret_id)
            .secret_string(&kept.signing_key)
            .send()
            .await
            .map_err(|error| aws_sdk_secretsmanager::error::DisplayErrorContext(error).to_string())
            .context("signing key")?;
        parameters
            .put(&config.keys.public.jwks_parameter, &kept.public_keys)
            .await
            .context("public keys")?;
        let (kms, store) = (kms(config), store(config));
        for (kid, plaintext) in &kept.data_keys {
            let plaintext = BASE64_STANDARD.decode(plaintext).context("data key")?;
            let encrypt = kms.encrypt().key_id(&config.data_key.id).plaintext(Blob::new(plaintext));
            let answer = encrypt.encryption_context("kid", kid).send().await;
            let answer = answer.map_err(aws::failure).context("data key")?;
            let wrapped = BASE64_STANDARD.encode(answer.ciphertext_blob.context("data key")?);
            let row = WrappedKey { kid: kid.clone(), wrapped };
            store.put(&keys::data_key(kid), &row).await.context("data key")?;
        }
        kms_keys::rename(&store, rows, &kept.signing_keys, &self.signing_keys).await
    }

    /// Writes the current keys and clock. `rows` are the rows of all tables.
    ///
    /// # Errors
    /// The files cannot be read or written.
    pub async fn save(
        &self,
        stack: &str,
        config: &Config,
        clock: &LocalClock,
        rows: &[Value],
    ) -> Result<()> {
        let (secrets, parameters) = key_stores(config);
        let secret = secrets
            .get_secret_value()
            .secret_id(&config.keys.secret_id)
            .send()
            .await
            .map_err(|error| aws_sdk_secretsmanager::error::DisplayErrorContext(error).to_string())
            .context("signing key")?;
        let kept = Kept {
            stack: stack.to_owned(),
            clock_offset_ms: clock.offset_ms(),
            signing_key: secret.secret_string.context("the signing key has no text")?,
            public_keys: parameters
                .get(&config.keys.public.jwks_parameter)
                .await
                .context("public keys")?,
            data_keys: data_keys(config, rows).await?,
            signing_keys: self.signing_keys.clone(),
        };
        let text = serde_json::to_vec_pretty(&kept).context("keys and clock")?;
        self.write(&text).context(format_args!("data folder {}", self.folder.display()))
    }

    /// Writes the file atomically, readable by its owner only.
    fn write(&self, text: &[u8]) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(text)?;
        file.persist(self.folder.join("world.json"))?;
        Ok(())
    }
}

/// The unwrapped data keys of the rows.
async fn data_keys(config: &Config, rows: &[Value]) -> Result<BTreeMap<String, String>> {
    let kms = kms(config);
    let mut keys = BTreeMap::new();
    for WrappedKey { kid, wrapped } in wrapped_keys(rows) {
        let wrapped = BASE64_STANDARD.decode(wrapped).context("data key")?;
        let decrypt = kms.decrypt().key_id(&config.data_key.id);
        let decrypt = decrypt.ciphertext_blob(Blob::new(wrapped)).encryption_context("kid", &kid);
        let answer = decrypt.send().await.map_err(aws::failure).context("data key")?;
        keys.insert(kid, BASE64_STANDARD.encode(answer.plaintext.context("data key")?));
    }
    Ok(keys)
}

fn wrapped_keys(rows: &[Value]) -> Vec<WrappedKey> {
    let text = |item: &Value, name: &str| Some(item.get(name)?.get("S")?.as_str()?.to_owned());
    let items = rows.iter().filter_map(|table| table.get("Items")?.as_array()).flatten();
    items
        .filter(|item| text(item, "entity").as_deref() == Some(WrappedKey::ENTITY))
        .filter_map(|item| {
            Some(WrappedKey { kid: text(item, "kid")?, wrapped: text(item, "wrapped")? })
        })
        .collect()
}

fn kms(config: &Config) -> aws_sdk_kms::Client {
    let endpoint = config.aws.kms_endpoint.as_deref().unwrap_or_default();
    provision::kms(&config.aws, endpoint, &Outbound::new())
}

fn store(config: &Config) -> Store {
    let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemSource));
    shared::core::store(&config.aws, config.tables.clone(), Outbound::new(), (clock, random))
}

/// Clients of the two places where functions read the token keys.
fn key_stores(config: &Config) -> (aws_sdk_secretsmanager::Client, Parameters) {
    let outbound = Outbound::new();
    let endpoint = config.aws.secrets_endpoint.as_deref().unwrap_or_default();
    let secrets = secrets_manager(&config.aws, endpoint, &outbound);
    (secrets, Parameters::new(config.aws.clone(), outbound, Arc::new(SystemClock)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use shared::{accounts, crypto::signing::KeyStore};

    use super::*;
    use crate::{
        aws::ministack::Ministack,
        functions,
        stack::{LocalStack, trading_wallets::cosigning_key},
        users::wallets::{Wallet, register, sign_in},
    };

    #[tokio::test]
    async fn accounts_sessions_and_the_clock_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let first = LocalStack::builder().data_dir(folder.path()).build().await;
        let in_use = LocalStack::builder().data_dir(folder.path()).try_build().await;
        assert!(in_use.err().unwrap().to_string().contains("in use"));
        first.clock().advance(Duration::from_secs(1_000));
        first.save().await.unwrap();
        let client = first.serve(functions::routes()).await;
        let signed_in = sign_in(&client, &Wallet::p2tr(5)).await;
        let before = first.app().clock.now();
        drop(first);

        let second = LocalStack::builder().data_dir(folder.path()).build().await;
        assert!(second.app().clock.now() >= before);
        let client = second.serve(functions::routes()).await;
        let me =
            client.get("/api/account/me").bearer(&signed_in.access_token).send().await.expect(200);
        assert_eq!(me.text_of("id"), signed_in.account);
        let account =
            accounts::get(&second.app().store, signed_in.account.parse().unwrap()).await.unwrap();
        assert!(account.is_some());
        let config = &second.app().config;
        let (aws, keys) = (config.aws.clone(), config.keys.clone());
        let keys = KeyStore::new(aws, keys, Outbound::new(), second.app().clock.clone());
        assert_eq!(keys.public().await.unwrap().keys.len(), 1);
    }

    /// The KMS of the second start has no keys of the first.
    #[tokio::test]
    async fn keys_of_kms_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let first = LocalStack::builder().data_dir(folder.path()).build().await;
        let client = first.serve(functions::routes()).await;
        let old = sign_in(&client, &Wallet::p2wpkh(5)).await;
        let evm = register(&client, &Wallet::evm(5), &json!({ "encryptedBlob": "AAAA" })).await;
        let (id, key) = cosigning_key(&first).await;
        first.save().await.unwrap();
        drop(first);

        let ministack = Box::leak(Box::new(Ministack::start().await.unwrap()));
        let world = || LocalStack::builder().data_dir(folder.path()).ministack(ministack);
        for _start in 0..2 {
            let second = world().build().await;
            let client = second.serve(functions::routes()).await;
            let (now_id, now_key) = cosigning_key(&second).await;
            assert_ne!(now_id, id);
            assert_eq!(now_key, key);
            let again = sign_in(&client, &Wallet::p2wpkh(5)).await;
            assert_eq!(again.data["tradingAddress"], old.data["tradingAddress"]);
            assert_eq!(sign_in(&client, &Wallet::evm(5)).await.data["encryptedBlob"], "AAAA");
            let store = &second.app().store;
            let account = accounts::get(store, old.account.parse().unwrap()).await.unwrap();
            let wallet = account.unwrap().trading_wallet.unwrap();
            assert_eq!(wallet.descriptor.platform().to_string(), key);
            assert_eq!(wallet.key_id, now_id);
            // The signer checks its signature against the platform's public key.
            second.app().signer.sign(&wallet.key_id, [7; 32]).await.unwrap();
            assert_eq!(evm.data["tradingAddress"], Value::Null);
        }
        ministack.stop();
    }
}
