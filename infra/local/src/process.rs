//! Child processes of the command line, and the signals that end this one.

use std::{process::ExitStatus, time::Duration};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::{
    process::{Child, Command},
    signal::unix::{self, SignalKind},
};

use crate::failure::{Context, Failure, Result};

/// How long a child may take to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ctrl-C and SIGTERM, from the moment that this is made.
#[derive(Debug)]
pub struct Stop {
    interrupt: unix::Signal,
    terminate: unix::Signal,
}

impl Stop {
    /// Listens from now on.
    ///
    /// # Errors
    /// The system does not let it.
    pub fn listen() -> Result<Self> {
        Ok(Self {
            interrupt: unix::signal(SignalKind::interrupt()).context("signals")?,
            terminate: unix::signal(SignalKind::terminate()).context("signals")?,
        })
    }

    /// Waits for one of them.
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits for SIGTERM alone.
    pub async fn terminated(&mut self) {
        self.terminate.recv().await;
    }
}

/// Runs a command to its end, in the foreground: what the terminal sends reaches it too. SIGTERM
/// is passed on.
///
/// # Errors
/// It cannot be run.
pub async fn run(command: &mut Command) -> Result<u8> {
    let mut stop = Stop::listen()?;
    let mut child = spawn(command)?;
    loop {
        tokio::select! {
            status = child.wait() => return Ok(code(status.context("command")?)),
            () = stop.terminated() => {
                if let Some(pid) = pid(&child) {
                    // It may have ended in between.
                    let _ = kill_process(pid, Signal::TERM);
                }
            }
        }
    }
}

/// Runs a command, in a process group of its own, until it ends or this process shall stop; then
/// stops it and all that it started. The code where it ended by itself.
///
/// # Errors
/// It cannot be run.
pub async fn run_until(command: &mut Command, stop: &mut Stop) -> Result<Option<u8>> {
    let mut child = spawn(command.process_group(0))?;
    let group = pid(&child);
    let ended = tokio::select! {
        status = child.wait() => Some(code(status.context("command")?)),
        () = stop.wait() => None,
    };
    if let Some(group) = group {
        for signal in [Signal::TERM, Signal::KILL] {
            // There may be nobody left to signal.
            let _ = kill_process_group(group, signal);
            let _ = tokio::time::timeout(PATIENCE, child.wait()).await;
        }
    }
    Ok(ended)
}

fn spawn(command: &mut Command) -> Result<Child> {
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    command.kill_on_drop(true).spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::new(format!("{name} is not installed, or not on PATH"))
        }
        _ => Failure::new(format!("{name}: {error}")),
    })
}

fn pid(child: &Child) -> Option<Pid> {
    child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)
}

/// The exit code as a shell tells it: 128 and the signal's number where a signal ended it.
fn code(status: ExitStatus) -> u8 {
    let signal = || {
        std::os::unix::process::ExitStatusExt::signal(&status)
            .map(|number| number.saturating_add(128))
    };
    status.code().or_else(signal).and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_code_of_a_command_is_passed_on() {
        assert_eq!(run(Command::new("sh").args(["-c", "exit 7"])).await.unwrap(), 7);
        assert_eq!(run(Command::new("sh").args(["-c", "kill -KILL $$"])).await.unwrap(), 137);
        let error = run(&mut Command::new("no-such-program")).await.unwrap_err();
        assert!(error.to_string().contains("no-such-program is not installed"));
    }
}
