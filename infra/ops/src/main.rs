//! `runeport-ops`: see [`ops::cli::USAGE`].

use std::{io::Write, process::ExitCode};

use ops::{CommandError, cli::Command, commands};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report(&error),
        },
        Err(error) => report(&error),
    }
}

async fn run() -> Result<String, CommandError> {
    commands::run(Command::parse(std::env::args().skip(1))?).await
}

fn report(error: &dyn std::fmt::Display) -> ExitCode {
    // If stderr is closed, there is nowhere to report it.
    let _ = writeln!(std::io::stderr(), "runeport-ops: {error}");
    ExitCode::FAILURE
}
