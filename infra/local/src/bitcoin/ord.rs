//! ord on regtest: a child process that dies with this one, and its API.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use bitcoin::{BlockHash, OutPoint};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use super::node::Node;
use crate::base::{
    client::Client,
    failure::{Context, Failure, Result},
    patience::{HANG_LIMIT, PROBE},
    ports::Port,
    process::Companion,
};

const ATTEMPTS: usize = 3;
/// How much of the end of ord's log a failure shows, in bytes.
const LOG_SHOWN: usize = 2_000;

/// A running ord.
#[derive(Debug)]
pub struct OrdServer {
    companion: Companion,
    client: Client,
    log: PathBuf,
    _port: Port,
}

/// Runes in an output, by spaced name, in smallest units.
pub type Runes = BTreeMap<String, u128>;

#[derive(Deserialize)]
struct OutputAnswer {
    indexed: bool,
    runes: Option<BTreeMap<String, Pile>>,
}

#[derive(Deserialize)]
struct Pile {
    amount: u128,
}

impl OrdServer {
    /// Starts ord on a reserved port, over a node, with its index in `folder`. Without `follow` it stays at the
    /// block of the index.
    ///
    /// # Errors
    /// ord does not start.
    pub async fn start(program: &Path, folder: &Path, node: &Node, follow: bool) -> Result<Self> {
        let mut last = Failure::new("ord did not start");
        for _attempt in 0..ATTEMPTS {
            match Self::try_start(program, folder, node, follow).await {
                Ok(ord) => return Ok(ord),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Starts ord with a new index, and waits until it has indexed the node's newest block. An ord that
    /// indexes nothing for as long as `patience` is replaced by a new one: another program may have taken its
    /// port.
    ///
    /// # Errors
    /// ord does not start, or none catches up.
    pub async fn start_with_new_index(
        program: &Path,
        folder: &Path,
        node: &Node,
        patience: Duration,
    ) -> Result<Self> {
        let mut last = Failure::new("ord did not start");
        for _attempt in 0..ATTEMPTS {
            // An index that was not closed properly may be unusable, and a new one is quick to build.
            if folder.exists() {
                fs::remove_dir_all(folder).context("ord")?;
            }
            let ord = Self::start(program, folder, node, true).await?;
            match ord.catch_up(node, patience).await {
                Ok(()) => return Ok(ord),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn try_start(program: &Path, folder: &Path, node: &Node, follow: bool) -> Result<Self> {
        fs::create_dir_all(folder).context("ord")?;
        let (port, log) = (Port::reserve()?, folder.join("ord.log"));
        let number = port.number().to_string();
        let (data, node_data) = (folder.to_string_lossy(), node.folder().to_string_lossy());
        let url = node.url();
        let mut arguments =
            vec!["--regtest", "--data-dir", &data, "--bitcoin-data-dir", &node_data];
        arguments.extend(["--bitcoin-rpc-url", &url, "--index-cache-size", "16777216"]);
        arguments.extend(["--index-runes", "--index-addresses", "--index-sats"]);
        // Lets it follow a reorganisation of 20 blocks and more.
        arguments.extend(["--savepoint-interval", "10", "--max-savepoints", "4"]);
        arguments.extend(["server", "--http", "--http-port", &number, "--address", "127.0.0.1"]);
        arguments.extend(["--polling-interval", "100ms"]);
        arguments.extend((!follow).then_some("--no-sync"));
        let companion = Companion::start("ord", program, arguments, &log, None)?;
        let client = Client::new(format!("http://127.0.0.1:{number}"));
        let started = Instant::now();
        while started.elapsed() < HANG_LIMIT {
            if companion.has_ended() {
                return Err(Failure::new(format!("ord did not start: {}", end_of(&log))));
            }
            let up = timeout(PROBE, client.get("/blockheight").try_send()).await;
            if up.is_ok_and(|up| up.is_ok_and(|answer| answer.status == 200)) {
                return Ok(Self { companion, client, log, _port: port });
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Err(Failure::new("ord did not start in time"))
    }

    /// Its base address.
    pub fn url(&self) -> &str {
        self.client.base()
    }

    /// Height of the newest block that it has indexed.
    ///
    /// # Errors
    /// ord does not answer.
    pub async fn tip(&self) -> Result<BlockHash> {
        let answer = self.client.get("/blockhash").try_send().await?.check(200)?;
        answer.text.trim().parse().context("ord's block hash")
    }

    /// Waits until it has indexed the node's newest block.
    ///
    /// # Errors
    /// ord has ended, or indexes nothing for as long as `patience`; the text shows the end of its log.
    pub async fn catch_up(&self, node: &Node, patience: Duration) -> Result<()> {
        let mut seen = (None, Instant::now());
        loop {
            let tip = node.tip().await?;
            // Once it has ended, another program may answer at its port.
            let ended = self.companion.has_ended();
            let indexed = self.tip().await.ok();
            if !ended && indexed == Some(tip) {
                return Ok(());
            }
            if seen.0 != indexed {
                seen = (indexed, Instant::now());
            }
            if ended || seen.1.elapsed() >= patience {
                let log = end_of(&self.log);
                return Err(Failure::new(format!("ord does not catch up with the node: {log}")));
            }
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }

    /// The JSON answer at a path; `None` if it is 404.
    ///
    /// # Errors
    /// ord does not answer, or answers something else.
    pub async fn get(&self, path: &str) -> Result<Option<Value>> {
        let answer = self.client.get(path).try_send().await?;
        if answer.status == 404 {
            return Ok(None);
        }
        Ok(Some(answer.check(200)?.body))
    }

    /// The runes in an output; `None` if ord has not indexed it.
    ///
    /// # Errors
    /// ord does not answer.
    pub async fn runes(&self, outpoint: OutPoint) -> Result<Option<Runes>> {
        let answer = self.client.get(format!("/output/{outpoint}")).try_send().await?;
        if answer.status == 404 {
            return Ok(None);
        }
        // Parsed from the text, because a `Value` would round amounts beyond 64 bits.
        let output: OutputAnswer =
            serde_json::from_str(&answer.check(200)?.text).context("ord's output")?;
        let piles = output.runes.unwrap_or_default().into_iter();
        Ok(output.indexed.then(|| piles.map(|(name, pile)| (name, pile.amount)).collect()))
    }

    /// Shuts ord down; it saves its index first.
    pub fn stop(&self) {
        self.companion.stop();
    }

    /// Kills ord immediately.
    pub fn kill(&self) {
        self.companion.kill();
    }
}

fn end_of(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let start = text.ceil_char_boundary(text.len().saturating_sub(LOG_SHOWN));
    text.get(start..).unwrap_or_default().trim().to_owned()
}
