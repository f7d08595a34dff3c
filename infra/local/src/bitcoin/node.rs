//! Bitcoin Core on regtest: a child process that dies with this one.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use bitcoin::BlockHash;
use serde_json::{Value, json};

use super::rpc::Rpc;
use crate::{
    failure::{Context, Failure, Result},
    process::{Companion, free_port},
};

const PATIENCE: Duration = Duration::from_secs(60);

/// A running node, without a wallet and without peers.
#[derive(Debug)]
pub struct Node {
    companion: Companion,
    folder: PathBuf,
    port: u16,
    rpc: Rpc,
}

impl Node {
    /// Starts one on a free port, with its files in `folder`. The folder `temporary` goes with it,
    /// should this process end before.
    ///
    /// # Errors
    /// It does not start.
    pub async fn start(program: &Path, folder: &Path, temporary: Option<&Path>) -> Result<Self> {
        // Another process may take the port in between.
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
        let (port, cookie) = (free_port()?, folder.join("regtest/.cookie"));
        if cookie.exists() {
            // Of one that was killed.
            fs::remove_file(&cookie).context("bitcoind")?;
        }
        let log = folder.join("bitcoind.log");
        let arguments = [
            format!("-datadir={}", folder.display()),
            format!("-rpcport={port}"),
            "-regtest".to_owned(),
            // On regtest the node checks all that it knows at every block, unless it is told not to.
            "-checkblockindex=0".to_owned(),
            "-checkmempool=0".to_owned(),
            // ord asks for transactions by their id.
            "-txindex".to_owned(),
            "-server".to_owned(),
            "-listen=0".to_owned(),
            "-connect=0".to_owned(),
            "-dnsseed=0".to_owned(),
            "-rpcbind=127.0.0.1".to_owned(),
            "-rpcallowip=127.0.0.1".to_owned(),
            // Connections that nobody used for a while stay open: a pool never meets a closed one.
            "-rpcservertimeout=86400".to_owned(),
            "-printtoconsole=0".to_owned(),
        ];
        let companion = Companion::start("bitcoind", program, arguments, &log, temporary)?;
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if companion.has_ended() {
                let text = fs::read_to_string(&log).unwrap_or_default();
                return Err(Failure::new(format!("bitcoind did not start: {}", text.trim())));
            }
            if let Ok(rpc) = Rpc::new(port, &cookie)
                && rpc.call::<Value>("getblockcount", json!([])).await.is_ok()
            {
                return Ok(Self { companion, folder: folder.to_owned(), port, rpc });
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Err(Failure::new("bitcoind did not start in time"))
    }

    /// Its JSON-RPC.
    pub fn rpc(&self) -> &Rpc {
        &self.rpc
    }

    /// Its JSON-RPC's address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The folder of its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The hash of the newest block.
    ///
    /// # Errors
    /// It does not answer.
    pub async fn tip(&self) -> Result<BlockHash> {
        Ok(self.rpc.call("getbestblockhash", json!([])).await?)
    }

    /// The height of the newest block.
    ///
    /// # Errors
    /// It does not answer.
    pub async fn height(&self) -> Result<u32> {
        Ok(self.rpc.call("getblockcount", json!([])).await?)
    }

    /// Ends it; it writes what it has not written.
    pub fn stop(&self) {
        self.companion.stop();
    }

    /// Ends it at once.
    pub fn kill(&self) {
        self.companion.kill();
    }
}
