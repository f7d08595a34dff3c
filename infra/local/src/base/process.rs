//! Child processes of the command line, and the signals that end this process.

use std::{
    ffi::OsStr,
    fs::File,
    path::Path,
    process::{self, ExitStatus, Stdio},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::{
    process::{Child, Command},
    signal::unix::{self, SignalKind},
};

use crate::base::failure::{Context, Failure, Result};

/// How long a child may take to end.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a companion that has to save its state may take: a node that is killed earlier loses its chain.
const WRITING: Duration = Duration::from_mins(3);

/// Runs the command in its arguments until the command or the guard's standard input ends, and then ends the
/// whole process group. The input ends with the parent, for any reason, so no process is left behind, nor is
/// the folder `RUNEPORT_TEMPORARY`.
const GUARD: &str = r#"
trap : TERM
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read -r _ <&3; kill -TERM 0; } >/dev/null 2>&1 &
exec 3<&-
while wait "$child"; code=$?; kill -0 "$child" 2>/dev/null; do :; done
[ -z "$RUNEPORT_TEMPORARY" ] || rm -rf -- "$RUNEPORT_TEMPORARY" 2>/dev/null ||
    { sleep 1; rm -rf -- "$RUNEPORT_TEMPORARY"; }
exit "$code"
"#;

/// A command that runs a program under a guard in its own process group, so that Ctrl-C in a terminal does
/// not reach it.
pub fn guarded(program: &OsStr) -> process::Command {
    let mut command = process::Command::new("sh");
    command.args(["-c", GUARD, "sh"]).arg(program).stdin(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// A program that runs alongside this process and ends with it.
#[derive(Debug)]
pub struct Companion {
    guard: Mutex<process::Child>,
    group: Pid,
}

impl Companion {
    /// Starts a program whose output goes to `log`. The folder `temporary` is deleted when it ends.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start<S: AsRef<OsStr>>(
        name: &str,
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
        log: &Path,
        temporary: Option<&Path>,
    ) -> Result<Self> {
        let output = File::create(log).context(name)?;
        let guard = guarded(program.as_os_str())
            .args(arguments)
            .env("RUNEPORT_TEMPORARY", temporary.unwrap_or(Path::new("")))
            .stderr(output.try_clone().context(name)?)
            .stdout(output)
            .spawn()
            .context(name)?;
        let group = Pid::from_child(&guard);
        Ok(Self { guard: Mutex::new(guard), group })
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(guard.try_wait(), Ok(None))
    }

    /// Ends it and gives it some time to save its state.
    pub fn stop(&self) {
        self.end(WRITING);
    }

    /// Kills it immediately.
    pub fn kill(&self) {
        self.end(Duration::ZERO);
    }

    fn end(&self, patience: Duration) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        drop(guard.stdin.take());
        let started = Instant::now();
        while started.elapsed() < patience {
            if !matches!(guard.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        if matches!(guard.try_wait(), Ok(None)) {
            // It may have ended in the meantime.
            let _ = kill_process_group(self.group, Signal::KILL);
            let _ = guard.wait();
        }
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ctrl-C and SIGTERM, from the moment this is created.
#[derive(Debug)]
pub struct Stop {
    interrupt: unix::Signal,
    terminate: unix::Signal,
}

impl Stop {
    /// Starts to listen.
    ///
    /// # Errors
    /// The handlers of the signals cannot be installed.
    pub fn listen() -> Result<Self> {
        Ok(Self {
            interrupt: unix::signal(SignalKind::interrupt()).context("signals")?,
            terminate: unix::signal(SignalKind::terminate()).context("signals")?,
        })
    }

    /// Waits for either signal.
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits only for SIGTERM.
    pub async fn terminated(&mut self) {
        self.terminate.recv().await;
    }
}

/// Runs a command in the foreground until it ends: signals of the terminal reach it too, and SIGTERM is
/// passed on.
///
/// # Errors
/// The program cannot be started.
pub async fn run(command: &mut Command) -> Result<u8> {
    let mut stop = Stop::listen()?;
    let mut child = spawn(command)?;
    loop {
        tokio::select! {
            status = child.wait() => return Ok(code(status.context("command")?)),
            () = stop.terminated() => {
                if let Some(pid) = pid(&child) {
                    // It may have ended in the meantime.
                    let _ = kill_process(pid, Signal::TERM);
                }
            }
        }
    }
}

/// Runs a command in its own process group until it ends or this process has to stop, and then stops
/// everything it has started. Returns the exit code if the command ended by itself.
///
/// # Errors
/// The program cannot be started.
pub async fn run_until(command: &mut Command, stop: &mut Stop) -> Result<Option<u8>> {
    let mut child = spawn(command.process_group(0))?;
    let group = pid(&child);
    let ended = tokio::select! {
        status = child.wait() => Some(code(status.context("command")?)),
        () = stop.wait() => None,
    };
    if let Some(group) = group {
        for signal in [Signal::TERM, Signal::KILL] {
            // The process group may be empty by now.
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

/// The exit code as a shell reports it: 128 plus the signal's number if a signal ended it.
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
    use crate::base::patience::{HANG_LIMIT, block_until};

    #[tokio::test]
    async fn the_code_of_a_command_is_passed_on() {
        assert_eq!(run(Command::new("sh").args(["-c", "exit 7"])).await.unwrap(), 7);
        assert_eq!(run(Command::new("sh").args(["-c", "kill -KILL $$"])).await.unwrap(), 137);
        let error = run(&mut Command::new("no-such-program")).await.unwrap_err();
        assert!(error.to_string().contains("no-such-program is not installed"));
    }

    fn companion(script: &str, folder: &Path) -> Companion {
        let temporary = folder.join("temporary");
        std::fs::create_dir(&temporary).unwrap();
        let log = folder.join("log");
        Companion::start("sh", Path::new("sh"), ["-c", script], &log, Some(&temporary)).unwrap()
    }

    #[test]
    fn stop_ends_a_companion_and_deletes_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let one =
            companion("trap 'echo written; exit' TERM; echo up; sleep 60 & wait", folder.path());
        let said = || std::fs::read_to_string(folder.path().join("log")).unwrap();
        block_until("up", || said().contains("up"));
        assert!(!one.has_ended());
        one.stop();
        assert!(one.has_ended() && said().contains("written"));
        assert!(!folder.path().join("temporary").exists());
    }

    #[test]
    fn a_companion_that_ignores_signals_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let one = companion("trap '' TERM; echo up; sleep 60", folder.path());
        block_until("up", || folder.path().join("log").metadata().unwrap().len() > 0);
        let group = one.group;
        drop(one);
        block_until("gone", || kill_process_group(group, Signal::CONT).is_err());
    }

    /// Reading its output ends when the command ends.
    #[test]
    fn the_output_of_a_guarded_command_ends_with_it() {
        let mut guard = guarded("echo".as_ref())
            .arg("done")
            .env("RUNEPORT_TEMPORARY", "")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, mut output) = (guard.stdin.take(), guard.stdout.take().unwrap());
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut text = String::new();
            std::io::Read::read_to_string(&mut output, &mut text).unwrap();
            sender.send(text).unwrap();
        });
        assert_eq!(receiver.recv_timeout(HANG_LIMIT).unwrap(), "done\n");
        assert!(guard.wait().unwrap().success());
        drop(input);
    }

    #[test]
    fn a_companion_that_ends_by_itself_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let one = companion("exit 3", folder.path());
        block_until("ended", || one.has_ended());
    }
}
