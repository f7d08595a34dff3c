//! A local EVM: anvil, a child process that ends with this one.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::base::{
    client::Client,
    failure::{Context, Failure, Result},
    patience::HANG_LIMIT,
    process::Companion,
    workspace,
};

/// A running EVM. It mines each transaction immediately.
#[derive(Debug)]
pub struct Evm {
    companion: Companion,
    client: Client,
    _folder: TempDir,
}

impl Evm {
    /// Path of the program; `None` if the Node packages, or their binary for this platform, are missing.
    pub fn program() -> Option<PathBuf> {
        let packages = workspace::node_modules().join("@foundry-rs");
        let packages = fs::read_dir(packages).ok()?.flatten();
        packages.map(|package| package.path().join("bin/anvil")).find(|path| path.is_file())
    }

    /// Starts an EVM on a free port; `state`, if given, is the file that keeps its state.
    ///
    /// # Errors
    /// anvil is not installed, or does not start.
    pub async fn start(chain_id: u64, state: Option<&Path>) -> Result<Self> {
        let program = Self::program().context("anvil is missing: run `make setup`")?;
        let folder = tempfile::tempdir().context("a folder")?;
        let log = folder.path().join("log");
        let mut arguments: Vec<String> =
            ["--host", "127.0.0.1", "--port", "0", "--accounts", "1", "--chain-id"]
                .map(str::to_owned)
                .into();
        arguments.push(chain_id.to_string());
        if let Some(state) = state {
            arguments.extend(["--state".to_owned(), state.display().to_string()]);
        }
        let companion = Companion::start("anvil", &program, arguments, &log, None)?;
        let started = Instant::now();
        while started.elapsed() < HANG_LIMIT {
            let said = fs::read_to_string(&log).unwrap_or_default();
            let address = said.lines().find_map(|line| line.strip_prefix("Listening on "));
            if let Some(address) = address {
                let client = Client::new(format!("http://{}", address.trim()));
                return Ok(Self { companion, client, _folder: folder });
            }
            if companion.has_ended() {
                return Err(Failure::new(format!("anvil did not start: {}", said.trim())));
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Err(Failure::new("anvil did not start in time"))
    }

    /// Address of its JSON-RPC.
    pub fn url(&self) -> &str {
        self.client.base()
    }

    /// An HTTP client for its JSON-RPC.
    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// Calls a JSON-RPC method.
    ///
    /// # Errors
    /// The EVM does not answer, or refuses.
    pub async fn call(&self, method: &str, params: Value) -> Result<Value> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut answer = self.client.post("/").json(&body).try_send().await?.body;
        match answer.get("error") {
            Some(error) => Err(Failure::new(format!("{method}: {error}"))),
            None => Ok(answer.get_mut("result").map(Value::take).unwrap_or_default()),
        }
    }

    /// Stops the EVM; a persistent one saves its state first.
    pub fn stop(&self) {
        self.companion.stop();
    }
}
