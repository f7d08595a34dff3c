//! The folder of a local world that survives a restart: the database, the buckets, and one file
//! for what lives in memory elsewhere (the signing key, the clock).

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use shared::{aws::Parameters, config::Config, outbound::Outbound};

use crate::{
    clock::LocalClock,
    failure::{Context, Result},
    provision::secrets_manager,
};

/// The folder.
#[derive(Clone, Debug)]
pub struct DataDir {
    folder: PathBuf,
    kept: Option<Kept>,
}

/// What lives in memory elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    clock_offset_ms: i64,
    signing_key: String,
    public_keys: String,
}

impl DataDir {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// It cannot be read or made.
    pub fn open(folder: &Path) -> Result<Self> {
        let doing = || format!("data folder {}", folder.display());
        fs::create_dir_all(folder).context(doing())?;
        let folder = folder.canonicalize().context(doing())?;
        let kept = match fs::read(folder.join("world.json")) {
            Ok(bytes) => Some(serde_json::from_slice(&bytes).context(doing())?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).context(doing()),
        };
        Ok(Self { folder, kept })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The database's file.
    pub fn database(&self) -> PathBuf {
        self.folder.join("dynamodb.sqlite")
    }

    /// The folder of the buckets.
    pub fn storage(&self) -> PathBuf {
        self.folder.join("s3")
    }

    /// Whether there are keys of an earlier start.
    pub fn has_keys(&self) -> bool {
        self.kept.is_some()
    }

    /// Puts the keys of an earlier start where the functions look for them; answers the clock.
    ///
    /// # Errors
    /// Secrets Manager or SSM says no.
    pub async fn restore(&self, config: &Config) -> Result<LocalClock> {
        let Some(kept) = &self.kept else { return Ok(LocalClock::default()) };
        let secrets = config.aws.secrets_endpoint.as_deref().unwrap_or_default();
        secrets_manager(&config.aws, secrets, &Outbound::new())
            .put_secret_value()
            .secret_id(&config.tokens.keys.secret_id)
            .secret_string(&kept.signing_key)
            .send()
            .await
            .map_err(|error| aws_sdk_secretsmanager::error::DisplayErrorContext(error).to_string())
            .context("signing key")?;
        let parameters = Parameters::new(config.aws.clone(), Outbound::new());
        parameters.put(&config.tokens.keys.jwks_parameter, &kept.public_keys).await.context("public keys")?;
        Ok(LocalClock::ahead_by(kept.clock_offset_ms))
    }

    /// Writes keys and clock as they are now.
    ///
    /// # Errors
    /// They cannot be read or written.
    pub async fn save(&self, config: &Config, clock: &LocalClock) -> Result<()> {
        let secrets = config.aws.secrets_endpoint.as_deref().unwrap_or_default();
        let secret = secrets_manager(&config.aws, secrets, &Outbound::new())
            .get_secret_value()
            .secret_id(&config.tokens.keys.secret_id)
            .send()
            .await
            .map_err(|error| aws_sdk_secretsmanager::error::DisplayErrorContext(error).to_string())
            .context("signing key")?;
        let parameters = Parameters::new(config.aws.clone(), Outbound::new());
        let kept = Kept {
            clock_offset_ms: clock.offset_ms(),
            signing_key: secret.secret_string.context("the signing key has no text")?,
            public_keys: parameters.get(&config.tokens.keys.jwks_parameter).await.context("public keys")?,
        };
        let text = serde_json::to_vec_pretty(&kept).context("keys and clock")?;
        self.write(&text).context(format_args!("data folder {}", self.folder.display()))
    }

    /// All of it or nothing, readable by its owner alone.
    fn write(&self, text: &[u8]) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(text)?;
        file.persist(self.folder.join("world.json"))?;
        Ok(())
    }
}
