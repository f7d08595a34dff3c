//! SQS, Secrets Manager, SSM and SES: ministack, a child process that dies with this one.

use std::{
    env,
    io::Read,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Mutex,
    time::{Duration, Instant},
};

use base::outbound::{Call, Outbound, Party};
use tokio::sync::OnceCell;

use crate::base::{
    failure::{Context, Failure, Result},
    names::{ACCESS_KEY_ID, REGION, SECRET_ACCESS_KEY},
    patience::HANG_LIMIT,
    ports::Port,
    workspace,
};

/// Variable that names a running ministack to use instead of starting one.
pub const SHARED: &str = "RUNEPORT_MINISTACK";

/// Runs ministack until its standard input ends, which happens when the parent ends for any reason. No
/// process and no file is left behind.
const PROGRAM: &str = r#"
import os, shutil, sys, tempfile, threading

folder = tempfile.mkdtemp(prefix="runeport-ministack-")
os.environ["TMPDIR"] = tempfile.tempdir = folder

def end():
    while os.read(0, 1):
        pass
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)

threading.Thread(target=end, daemon=True).start()
sys.argv = ["ministack"]
from ministack.app import main
main()
"#;

/// A running ministack.
#[derive(Debug)]
pub struct Ministack {
    url: String,
    child: Option<Mutex<Child>>,
    _port: Option<Port>,
}

impl Ministack {
    /// The ministack of this process: started at the first call, or named by the environment.
    ///
    /// # Errors
    /// ministack does not start.
    pub async fn shared() -> Result<&'static Self> {
        static ONE: OnceCell<Ministack> = OnceCell::const_new();
        ONE.get_or_try_init(|| async {
            match env::var(SHARED) {
                Ok(url) if !url.is_empty() => {
                    let url = url.trim_end_matches('/').to_owned();
                    Ok(Self { url, child: None, _port: None })
                }
                _ => Self::start().await,
            }
        })
        .await
    }

    /// Starts a ministack on a reserved port. It ends when it is dropped, or when this process ends.
    ///
    /// # Errors
    /// ministack is not installed, or does not start.
    pub async fn start() -> Result<Self> {
        // Another program that reserves no ports may take the port in the meantime.
        let python = python()?;
        let mut last = Failure::new("ministack did not start");
        for _attempt in 0..3 {
            match Self::try_start(&python).await {
                Ok(started) => return Ok(started),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn try_start(python: &Path) -> Result<Self> {
        let port = Port::reserve()?;
        let child = Command::new(python)
            .args(["-c", PROGRAM])
            .envs([("AUTH", "true"), ("BIND_HOST", "127.0.0.1"), ("IOT_MTLS_ENABLED", "0")])
            .envs([("SFTP_ENABLED", "0"), ("LOG_LEVEL", "ERROR"), ("MINISTACK_REGION", REGION)])
            .envs([
                ("AWS_ACCESS_KEY_ID", ACCESS_KEY_ID),
                ("AWS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY),
            ])
            .env("GATEWAY_PORT", port.number().to_string())
            .env_remove("AWS_SESSION_TOKEN")
            .env_remove("PERSIST_STATE")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Ctrl-C reaches all foreground processes of the terminal, but ministack must only end with its
            // parent.
            .process_group(0)
            .spawn()
            .context("ministack")?;
        let url = format!("http://127.0.0.1:{}", port.number());
        let started = Self { url, child: Some(Mutex::new(child)), _port: Some(port) };
        started.wait().await?;
        started.drain();
        Ok(started)
    }

    async fn wait(&self) -> Result<()> {
        let outbound = Outbound::new();
        let call = Call::new(Party::ANOTHER, "GET /_ministack/health");
        let health = format!("{}/_ministack/health", self.url);
        let started = Instant::now();
        while started.elapsed() < HANG_LIMIT {
            if let Some(text) = self.ended() {
                return Err(Failure::new(format!("ministack did not start: {}", text.trim())));
            }
            let answer =
                outbound.get_json::<serde_json::Value>(call, &health, Duration::from_secs(2)).await;
            if matches!(answer, Ok(Some(_))) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err(Failure::new("ministack did not start in time"))
    }

    /// Its output, if it has ended.
    fn ended(&self) -> Option<String> {
        let mut child = self.child.as_ref()?.lock().ok()?;
        child.try_wait().ok()??;
        let mut text = String::new();
        let _ = child.stderr.take()?.read_to_string(&mut text);
        Some(text)
    }

    /// Keeps reading its output, so that it never blocks on a full pipe.
    fn drain(&self) {
        let pipe = self.child.as_ref().and_then(|child| child.lock().ok()?.stderr.take());
        if let Some(mut pipe) = pipe {
            std::thread::spawn(move || std::io::copy(&mut pipe, &mut std::io::sink()));
        }
    }

    /// Endpoint of all its services for the SDK.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops it if this process has started it.
    pub fn stop(&self) {
        let Some(mut child) = self.child.as_ref().and_then(|child| child.lock().ok()) else {
            return;
        };
        drop(child.stdin.take());
        let _ = child.wait();
    }
}

impl Drop for Ministack {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Python with the packages of the emulator.
pub(crate) fn python() -> Result<PathBuf> {
    let python = workspace::local_dir().join("venv/bin/python");
    if python.exists() {
        Ok(python)
    } else {
        Err(Failure::new(format!("{} is missing: run `make setup`", python.display())))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn stop_ends_it() {
        let ministack = Ministack::start().await.unwrap();
        let address = ministack.url().trim_start_matches("http://").to_owned();
        assert!(std::net::TcpStream::connect(&address).is_ok());
        drop(ministack);
        assert!(std::net::TcpStream::connect(&address).is_err());
    }
}
