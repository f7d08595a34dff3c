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

/// What is logged where RUST_LOG says nothing.
const LOG: &str = "info,dynoxide=warn,s3s=warn,s3s_fs=warn";

#[tokio::main]
async fn main() -> ExitCode {
    let wanted = std::env::var("RUST_LOG").ok();
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let wanted = wanted.as_deref().and_then(|wanted| log_filter(wanted).ok());
    // What is none of ours may be meant for another program.
    if let Some(filter) = wanted.or_else(|| log_filter(LOG).ok()) {
        tracing_subscriber::registry().with(lines).with(filter).init();
    }
    match run().await {
        Ok(code) => code,
        Err(failure) => {
            // Nowhere is left to complain.
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
                "The role of account {id} is set. Its next access token carries it.\n"
            ))?;
        }
        Command::Account { account, order } => {
            let Obeyed { account, changed } = operate::change_account(&account, order).await?;
            dev::print(&if changed {
                format!("Account {account} is changed.\n")
            } else {
                format!("Account {account} was so already; nothing is changed.\n")
            })?;
        }
        Command::RotateKeys { revoke } => {
            let kid = operate::rotate_keys(revoke.as_deref()).await?;
            dev::print(&format!("Access tokens are signed by key {kid} from now on.\n"))?;
            if let Some(revoked) = revoke {
                dev::print(&format!(
                    "Tokens signed by key {revoked} are refused everywhere in 5 minutes.\n"
                ))?;
            }
        }
        Command::RotateDataKey => {
            let kid = operate::rotate_data_key().await?;
            dev::print(&format!(
                "Data key {kid} encrypts from now on; the others still decrypt.\n"
            ))?;
        }
        Command::Tokens { file } => {
            let (entered, changed) = operate::enter_tokens(&file).await?;
            dev::print(&format!("{entered} tokens entered, {changed} changed.\n"))?;
        }
        Command::Stuck => dev::print(&stuck::list().await?)?,
        Command::Help => dev::print(USAGE)?,
    }
    Ok(ExitCode::SUCCESS)
}
