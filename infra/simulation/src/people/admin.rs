//! An admin, promoted by an operator, who creates mints and closes some of them early.

use std::{collections::BTreeSet, time::Duration};

use bitcoin::FeeRate;
use local::{app::App, wallets::Wallet};
use ops::cli::PoolCommand;
use serde_json::json;
use shared::{http::Routes, models::account::Role};

use super::{Call, Client, Session, wallet::sign_in};
use crate::{instances::Function, network::Shared, wire::Invocation};

const OPERATOR: Function =
    Function { name: "operator", routes: |_| Routes::new(), limit: Duration::from_secs(60) };

/// An admin.
pub struct Admin {
    client: Client,
    chain: Shared,
    wallet: Wallet,
    is_admin: bool,
    mint: Option<String>,
    /// Whether new mints have room for a crowd.
    pub crowds: bool,
}

impl Admin {
    /// A user who will be an admin.
    pub fn new(client: Client, chain: Shared) -> Self {
        Self {
            client,
            chain,
            wallet: Wallet::evm(9_000),
            is_admin: false,
            mint: None,
            crowds: false,
        }
    }

    /// Lives until the storm ends.
    pub async fn live(mut self) -> Self {
        while self.client.goes_on() {
            self.client.rest(60_000).await;
            let Some(session) = self.sign_in().await else { continue };
            if !self.is_admin {
                self.promote(&session).await;
                continue;
            }
            match (&self.mint, self.client.below(24)) {
                (None, _) | (_, 1..8) => self.create(&session).await,
                (Some(mint), 0) => {
                    let path = format!("/api/vm-transactions/mints/{mint}/close");
                    self.client.send(&Call::post(path, json!({})).bearer(&session.access)).await;
                }
                (_, 8..14) if self.crowds => self.clean_up().await,
                _ => self.client.rest(200_000).await,
            }
        }
        self
    }

    /// Signs in.
    pub async fn sign_in(&mut self) -> Option<Session> {
        let call = sign_in(&mut self.client, &self.wallet, None).await?;
        Session::of(&self.client.send(&call).await)
    }

    /// The operator gives the account the role of an admin.
    pub async fn promote(&mut self, session: &Session) {
        let lambda = self.client.lambda().clone();
        let what = "operator role".to_owned();
        let number = lambda.net().begin(Invocation { what, ..Invocation::default() });
        let account = session.account.clone();
        let work = |app: App, _| async move {
            let network = app.config.network;
            ops::accounts::set_role(&app.store, network, &account, Role::Admin).await.is_ok()
        };
        let done = lambda.invoke(OPERATOR, number, work).await;
        lambda.net().end(number, done.map(|done| if done { 200 } else { 500 }), "");
        self.is_admin = done == Some(true);
    }

    /// The operator orders clean-ups of the pool.
    async fn clean_up(&mut self) {
        let lambda = self.client.lambda().clone();
        let what = "operator pool".to_owned();
        let number = lambda.net().begin(Invocation { what, ..Invocation::default() });
        let command = PoolCommand {
            to: Some(Wallet::p2tr(78).address().to_owned()),
            keep: BTreeSet::new(),
            also: BTreeSet::new(),
            highest_rate: FeeRate::from_sat_per_vb_u32(20),
            most: 4,
            orders: true,
        };
        let work = |app: App, _| async move {
            ops::pool::clean_up(&app.chain_watcher, &command).await.is_ok()
        };
        let done = lambda.invoke(OPERATOR, number, work).await;
        lambda.net().end(number, done.map(|done| if done { 200 } else { 500 }), "");
    }

    async fn create(&mut self, session: &Session) {
        let minutes = 15 + self.client.below(40);
        let (per_block, blocks) = match self.crowds {
            true => (30 + self.client.below(60), 1 + self.client.below(2)),
            false => (2 + self.client.below(4), 1 + self.client.below(4)),
        };
        self.create_mint(session, minutes, per_block, blocks).await;
    }

    /// Creates a mint that is open for `minutes`, with this many virtual blocks.
    pub async fn create_mint(
        &mut self,
        session: &Session,
        minutes: u64,
        requests_per_block: u64,
        blocks: u64,
    ) {
        let open_for = i64::try_from(minutes * 60_000).unwrap_or(i64::MAX);
        let body = json!({
            "runeId": self.chain.lock().rune().to_string(),
            "proceedsAddress": Wallet::p2tr(77).address(),
            "tokensPerRequest": "1000",
            "totalRequests": requests_per_block * blocks,
            "requestsPerBlock": requests_per_block,
            "minSatsPerRequest": 1_000,
            "closesAt": self.client.now() + open_for,
        });
        let call = Call::post("/api/vm-transactions/mints", body).bearer(&session.access);
        let answer = self.client.send(&call).await;
        if let Some(id) = answer.body["data"]["id"].as_str().filter(|_| answer.status == 201) {
            self.mint = Some(id.to_owned());
        }
    }
}
