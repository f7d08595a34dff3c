//! Bitcoin Core on regtest: a child process that dies with this one.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use bitcoin::BlockHash;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::rpc::Rpc;
use crate::base::{
    failure::{Context, Failure, Result},
    patience::{HANG_LIMIT, PROBE},
    ports::Port,
    process::Companion,
};

/// A running node, without a wallet and without peers.
#[derive(Debug)]
pub struct Node {
    companion: Companion,
    folder: PathBuf,
    port: Port,
    rpc: Rpc,
}

impl Node {
    /// Starts a node on a reserved port, with its files in `folder`. If this process dies, the folder
    /// `temporary` is deleted too.
    ///
    /// # Errors
    /// The node does not start.
    pub async fn start(program: &Path, folder: &Path, temporary: Option<&Path>) -> Result<Self> {
        // Another program that reserves no ports may take the port in the meantime.
        let mut last = Failure::new("bitcoind did not start");
        for _attempt in 0..3 {
            match Self::try_start(program, folder, temporary).await {
                Ok(node) => return Ok(node),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn try_start(program: &Path, folder: &Path, temporary: Option<&Path>) -> Result<Self> {
        fs::create_dir_all(folder).context("bitcoind")?;
        let (port, cookie) = (Port::reserve()?, folder.join("regtest/.cookie"));
        if cookie.exists() {
            // Left over by a killed node.
            fs::remove_file(&cookie).context("bitcoind")?;
        }
        let log = folder.join("bitcoind.log");
        let arguments = [
            format!("-datadir={}", folder.display()),
            format!("-rpcport={}", port.number()),
            "-regtest".to_owned(),
            // By default a regtest node checks its whole state at every block.
            "-checkblockindex=0".to_owned(),
            "-checkmempool=0".to_owned(),
            // Each start clears this cache, by default 32 MiB.
            "-maxsigcachesize=1".to_owned(),
            // ord requests transactions by id.
            "-txindex".to_owned(),
            "-server".to_owned(),
            "-listen=0".to_owned(),
            "-connect=0".to_owned(),
            "-dnsseed=0".to_owned(),
            "-rpcbind=127.0.0.1".to_owned(),
            "-rpcallowip=127.0.0.1".to_owned(),
            // Idle connections stay open, so that a connection pool never meets a closed one.
            "-rpcservertimeout=86400".to_owned(),
            "-printtoconsole=0".to_owned(),
        ];
        let companion = Companion::start("bitcoind", program, arguments, &log, temporary)?;
        let started = Instant::now();
        while started.elapsed() < HANG_LIMIT {
            if companion.has_ended() {
                let text = fs::read_to_string(&log).unwrap_or_default();
                return Err(Failure::new(format!("bitcoind did not start: {}", text.trim())));
            }
            if let Ok(rpc) = Rpc::new(port.number(), &cookie)
                && let Ok(Ok(_)) =
                    timeout(PROBE, rpc.call::<Value>("getblockcount", json!([]))).await
            {
                return Ok(Self { companion, folder: folder.to_owned(), port, rpc });
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Err(Failure::new("bitcoind did not start in time"))
    }

    /// Client of its JSON-RPC.
    pub fn rpc(&self) -> &Rpc {
        &self.rpc
    }

    /// Address of its JSON-RPC.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port.number())
    }

    /// Folder of its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Hash of the newest block.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn tip(&self) -> Result<BlockHash> {
        Ok(self.rpc.call("getbestblockhash", json!([])).await?)
    }

    /// Height of the newest block.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn height(&self) -> Result<u32> {
        Ok(self.rpc.call("getblockcount", json!([])).await?)
    }

    /// Shuts the node down; it saves its state first.
    pub fn stop(&self) {
        self.companion.stop();
    }

    /// Kills the node immediately.
    pub fn kill(&self) {
        self.companion.kill();
    }
}
