//! `runeport-local`: see [`local::cli::USAGE`].

use std::{io::Write, process::ExitCode};

use local::{
    cli::{Command, USAGE},
    dev, openapi, operate, reference, stuck,
};
use shared::{
    auth::operator::{Obeyed, Order},
    config::log_filter,
};
use tracing_subscriber::{layer::SubscriberExt, util::SubscriberInitExt};

/// Log filter if `RUST_LOG` is not set.
const LOG: &str = "info,dynoxide=warn,s3s=warn,s3s_fs=warn";

#[tokio::main]
async fn main() -> ExitCode {
    let wanted = std::env::var("RUST_LOG").ok();
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let wanted = wanted.as_deref().and_then(|wanted| log_filter(wanted).ok());
    // Arguments of another shape may be meant for another program.
    if let Some(filter) = wanted.or_else(|| log_filter(LOG).ok()) {
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
        Command::WithServices { program, arguments } => {
            return dev::with_services(&program, &arguments).await.map(ExitCode::from);
        }
        Command::OpenApi => dev::print(&openapi::text()?)?,
        Command::Reference => dev::print(&reference::write()?)?,
        Command::Role { account, role } => {
            let id = operate::change_account(&account, Order::Role(role)).await?.account;
            dev::print(&format!(
                "Set the role of account {id}. Its next access token carries it.\n"
            ))?;
        }
        Command::Account { account, order } => {
            let Obeyed { account, changed } = operate::change_account(&account, order).await?;
            dev::print(&if changed {
                format!("Account {account} is changed.\n")
            } else {
                format!("Account {account} already has this state; nothing is changed.\n")
            })?;
        }
        Command::RotateKeys { revoke } => {
            let kid = operate::rotate_keys(revoke.as_deref()).await?;
            dev::print(&format!("Key {kid} now signs access tokens.\n"))?;
            if let Some(revoked) = revoke {
                dev::print(&format!(
                    "Within 5 minutes, all tokens signed by key {revoked} are refused.\n"
                ))?;
            }
        }
        Command::RotateDataKey => {
            let kid = operate::rotate_data_key().await?;
            dev::print(&format!("Data key {kid} now encrypts; the others still decrypt.\n"))?;
        }
        Command::Tokens { file } => {
            let (entered, changed) = operate::enter_tokens(&file).await?;
            dev::print(&format!("{entered} tokens added, {changed} changed.\n"))?;
        }
        Command::Stuck => dev::print(&stuck::list().await?)?,
        Command::Help => dev::print(USAGE)?,
    }
    Ok(ExitCode::SUCCESS)
}
