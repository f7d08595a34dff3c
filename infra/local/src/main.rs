//! `runeport-local`: see [`local::cli::USAGE`].

use std::{fs, io::Write, process::ExitCode};

use base::log;
use local::{
    answers,
    cli::{Command, USAGE},
    dev, examples,
    failure::Context,
    functions, openapi, reference, refusals, suite,
};
use tracing_subscriber::{layer::SubscriberExt, util::SubscriberInitExt};

/// Log filter if `RUST_LOG` is not set.
const LOG: &str = "info,chain_watcher::looks=warn,dynoxide=warn,s3s=warn,s3s_fs=warn";

#[tokio::main]
async fn main() -> ExitCode {
    let wanted = std::env::var("RUST_LOG").ok();
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let wanted = wanted.as_deref().and_then(|wanted| log::filter(wanted).ok());
    // A value with another syntax may be meant for another program.
    if let Some(filter) = wanted.or_else(|| log::filter(LOG).ok()) {
        tracing_subscriber::registry().with(lines).with(filter).init();
    }
    match run().await {
        Ok(code) => code,
        Err(failure) => {
            // Stderr is closed, so there is nowhere to report it.
            let _ = writeln!(std::io::stderr(), "runeport-local: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> local::Result<ExitCode> {
    match Command::parse(std::env::args().skip(1))? {
        Command::Dev { port, data } => dev::serve(port, data).await?,
        Command::Watch { port } => return dev::watch(port).await.map(ExitCode::from),
        Command::Test => return suite::run().await.map(ExitCode::from),
        Command::WithServices { program, arguments } => {
            return dev::with_services(&program, &arguments).await.map(ExitCode::from);
        }
        Command::OpenApi => dev::print(&openapi::text()?)?,
        Command::Answers(folder) => {
            let added = answers::add(&folder, functions::table())?;
            let unseen = answers::unseen(&folder)?;
            let examples = examples::add(&folder, functions::table())?;
            let refusals = refusals::add(&folder, functions::table())?;
            dev::print(&format!(
                "{added} errors, and {examples} examples of successes and {refusals} of errors are new\n"
            ))?;
            // If only the tests of one crate recorded, these are most errors.
            let list = folder.join("unseen");
            fs::write(&list, unseen.join("\n")).context(list.display())?;
            let (count, list) = (unseen.len(), list.display());
            dev::print(&format!("{count} listed errors were not seen: {list}\n"))?;
        }
        Command::Reference => dev::print(&reference::write()?)?,
        Command::Help => dev::print(USAGE)?,
    }
    Ok(ExitCode::SUCCESS)
}
