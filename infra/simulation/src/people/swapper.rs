//! A user who registers swaps, some of them while another user tries to register the same ones.

use futures_util::future::join_all;
use local::{
    hub::swap,
    wallets::{Wallet, with},
};
use serde_json::json;

use super::{Answer, Call, Client, Session, wallet::sign_in};
use crate::{aws::expression::Row, hub::Hub};

/// How many swaps are registered concurrently.
const AT_ONCE: u64 = 4;

/// A user who registers swaps.
pub struct Swapper {
    client: Client,
    wallet: Wallet,
    /// Determines whose swaps another user tries to register.
    number: u64,
    session: Option<Session>,
    registered: Vec<String>,
}

impl Swapper {
    /// The user with this number.
    pub fn new(client: Client, number: u64) -> Self {
        let wallet = Wallet::evm(2_000 + number);
        Self { client, wallet, number, session: None, registered: Vec::new() }
    }

    /// Lives until the storm ends.
    pub async fn live(mut self) -> Self {
        let mut n = 0;
        while self.client.goes_on() {
            self.client.rest(15_000).await;
            let Some(session) = self.session.clone() else {
                self.sign_in().await;
                continue;
            };
            match self.client.below(6) {
                0..=2 => {
                    n += 1;
                    self.register(&session, n).await;
                }
                3 => {
                    self.register_several(&session, n + 1).await;
                    n += AT_ONCE;
                }
                4 => {
                    if let Some(intent) = self.registered.last() {
                        let path = format!("/api/xchain/transactions/{intent}/status");
                        let call = Call::get(path).bearer(&session.access);
                        self.client.send(&call).await;
                    }
                }
                _ => super::exporter::export(&mut self.client, &session).await,
            }
        }
        self
    }

    /// After healing: signs in and registers one more swap. An access token expires sooner than a limit ends,
    /// so each try signs in.
    pub async fn end(mut self) {
        let wallet = self.wallet.clone();
        let body = serde_json::to_value(swap(&self.wallet, 900_000 + self.number));
        let body = body.expect("a swap is JSON");
        self.client
            .must_succeed(async |client: &mut Client| {
                let Some(call) = sign_in(client, &wallet, None).await else {
                    return Answer::NONE;
                };
                let answer = client.send(&call).await;
                let Some(session) = Session::of(&answer) else { return answer };
                let call = Call::post("/api/xchain/transactions/register", body.clone());
                client.send(&call.bearer(&session.access)).await
            })
            .await;
    }

    async fn sign_in(&mut self) {
        let Some(call) = sign_in(&mut self.client, &self.wallet, None).await else { return };
        let answer = self.client.send(&call).await;
        self.session = Session::of(&answer);
    }

    /// Registers several swaps concurrently, so that they contend for their lists.
    async fn register_several(&mut self, session: &Session, first: u64) {
        let several = (first..first + AT_ONCE).map(|n| {
            let body = serde_json::to_value(swap(&self.wallet, self.number * 20_000 + n));
            let body = body.expect("a swap is JSON");
            let call = Call::post("/api/xchain/transactions/register", body);
            let (mut client, call) = (self.client.clone(), call.bearer(&session.access));
            async move { client.send(&call).await }
        });
        if join_all(several).await.iter().any(|answer| answer.status == 401) {
            self.session = None;
        }
    }

    async fn register(&mut self, session: &Session, n: u64) {
        // Two users share the numbers of intents, so they try to register the same swaps.
        let n = (self.number / 2) * 10_000 + n;
        let body = serde_json::to_value(swap(&self.wallet, n)).expect("a swap is JSON");
        if self.number.is_multiple_of(2) && self.client.below(4) > 0 {
            let late = i64::try_from(self.client.below(300_000)).unwrap_or(0);
            let pace = i64::try_from(self.client.below(60_000)).unwrap_or(0);
            let known_at = self.client.now() + late;
            self.client.lambda().net().world().host::<Hub>("hub").begin(&body, known_at, pace);
        }
        let body = match self.client.below(8) {
            0 => with(body, &json!({ "inputAmount": "7" })),
            _ => body,
        };
        let call = Call::post("/api/xchain/transactions/register", body.clone());
        let call = call.bearer(&session.access);
        let answer = self.client.insist(&call).await;
        match answer.status {
            200 => {
                let intent = body["intentTxHash"].as_str().unwrap_or_default().to_owned();
                let (pk, sk) =
                    (format!("xchain#intent#{intent}"), format!("account#{}", session.account));
                self.client.expect_row("a registration", &pk, &sk, |_: &Row| true);
                self.registered.push(intent);
            }
            401 | 403 => self.session = None,
            _ => {}
        }
    }
}
