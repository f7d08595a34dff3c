//! Where the two programs are, and how they get installed.

use std::{env, io::ErrorKind, path::PathBuf, process::Stdio};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
};

use crate::base::{
    failure::{Context, Failure, Result},
    process, workspace,
};

/// Variable that names the bitcoind to use.
const BITCOIND: &str = "BITCOIND_EXE";
/// Variable that names the ord to use.
const ORD: &str = "ORD_EXE";

/// The programs of a Bitcoin world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// Bitcoin Core's node.
    pub bitcoind: PathBuf,
    /// The indexer of inscriptions and runes.
    pub ord: PathBuf,
}

impl Programs {
    /// The programs that the environment names, otherwise those that `make bitcoin` has put into the tools
    /// folder; `None` if one is missing there.
    ///
    /// # Errors
    /// The environment names a program that does not exist.
    pub fn find() -> Result<Option<Self>> {
        let (bitcoind, ord) = (find(BITCOIND, "bitcoind")?, find(ORD, "ord")?);
        Ok(bitcoind.zip(ord).map(|(bitcoind, ord)| Self { bitcoind, ord }))
    }

    /// The installed programs.
    ///
    /// # Errors
    /// One is missing; the text says how to install it.
    pub fn expect() -> Result<Self> {
        Self::find()?.context("bitcoind or ord is missing: run `make bitcoin`")
    }

    /// Runs `make bitcoin` to install what is missing; each line of its output goes to `progress`. Dropping
    /// the future ends it.
    ///
    /// # Errors
    /// `make bitcoin` fails.
    pub async fn build(progress: impl Fn(&str)) -> Result<Self> {
        let mut make = Command::from(process::guarded("make".as_ref()))
            .args(["--no-print-directory", "bitcoin"])
            .env("RUNEPORT_TEMPORARY", "")
            .current_dir(workspace::root())
            .stdout(Stdio::piped())
            .spawn()
            .context("make bitcoin")?;
        let lines = make.stdout.take().context("make bitcoin")?;
        // Closing its input ends the guard, and with it everything that make has started.
        let input = make.stdin.take();
        let mut lines = BufReader::new(lines).lines();
        while let Some(line) = lines.next_line().await.context("make bitcoin")? {
            progress(&line);
        }
        let status = make.wait().await.context("make bitcoin")?;
        drop(input);
        if status.success() { Self::expect() } else { Err(Failure::new("`make bitcoin` failed")) }
    }
}

fn find(variable: &str, name: &str) -> Result<Option<PathBuf>> {
    let named = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let path = named.clone().unwrap_or_else(|| workspace::local_dir().join(name));
    match path.metadata() {
        Ok(_) => Ok(Some(path)),
        Err(error) if named.is_none() && error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context(format_args!("{} ({variable})", path.display())),
    }
}
