//! A user with a trading wallet: bids in mints, replaces bids, withdraws, asks for refunds, and sends signed
//! transactions again.

use bitcoin::{Address, ScriptBuf, Txid, address::NetworkUnchecked};
use local::wallets::{NETWORK, Wallet};
use serde_json::{Value, json};

use super::{Answer, Call, Client, Session, usable, wallet::sign_in};
use crate::{books::Bid, network::Shared};

/// The coins that a bidder receives, in sats.
const GIFTS: [u64; 9] = [40_000, 25_000, 60_000, 15_000, 30_000, 50_000, 20_000, 45_000, 35_000];
/// Lowest and highest price of a request, in sats.
const PRICES: (u64, u64) = (1_000, 3_000);

/// A user with a trading wallet.
pub struct Bidder {
    client: Client,
    chain: Shared,
    wallet: Wallet,
    number: u64,
    session: Option<(Session, i64)>,
    trading: Option<Address>,
    gifts: usize,
    /// Signed PSBTs that were sent: the path and the body.
    signed: Vec<(&'static str, Value)>,
    withdrawals: Vec<(Txid, Value)>,
}

impl Bidder {
    /// The bidder with this number.
    pub fn new(client: Client, chain: Shared, number: u64) -> Self {
        let wallet = match number % 2 {
            0 => Wallet::p2wpkh(3_000 + number),
            _ => Wallet::p2tr(3_000 + number),
        };
        Self {
            client,
            chain,
            wallet,
            number,
            session: None,
            trading: None,
            gifts: 0,
            signed: Vec::new(),
            withdrawals: Vec::new(),
        }
    }

    /// Lives until the storm ends.
    pub async fn live(mut self) -> Self {
        while self.client.goes_on() {
            self.client.rest(100_000).await;
            let Some(token) = self.token().await else { continue };
            if self.gifts < GIFTS.len() && self.client.below(2) == 0 {
                self.receive();
            }
            match self.client.below(24) {
                0..=11 => self.bid(&token).await,
                12 | 13 => self.repeat(&token).await,
                14..=17 => self.withdraw(&token).await,
                18 | 19 => self.replace_withdrawal(&token).await,
                20 | 21 => drop(self.refund(&token).await),
                22 => self.read().await,
                _ => self.export().await,
            }
        }
        self
    }

    /// After healing: the refund that is owed arrives with the first request that the limits allow.
    pub async fn end(mut self) -> Self {
        self.session = None;
        for _round in 0..12 {
            let Some(token) = self.token().await else { continue };
            match self.refund(&token).await {
                Refunded::Nothing => break,
                Refunded::Sent => {}
                Refunded::Refused(answer) if answer.status == 429 => {
                    self.client.outlast_limits().await;
                }
                Refunded::Refused(answer) => {
                    let (name, body) = (&self.client.name, answer.body);
                    self.client
                        .alarm(format!("L3: {name} is owed a refund, and gets none: {body}"));
                    break;
                }
            }
        }
        self
    }

    async fn export(&mut self) {
        if let Some((session, _)) = &self.session {
            super::exporter::export(&mut self.client, session).await;
        }
    }

    /// An access token, after a sign-in if necessary.
    pub async fn token(&mut self) -> Option<String> {
        let now = self.client.now();
        if let Some(token) = usable(self.session.as_ref(), now) {
            return Some(token);
        }
        let call = sign_in(&mut self.client, &self.wallet, None).await?;
        let answer = self.client.send(&call).await;
        let session = Session::of(&answer)?;
        let access = session.access.clone();
        let trading = answer.body["data"]["tradingAddress"].as_str()?;
        let trading: Address<NetworkUnchecked> = trading.parse().ok()?;
        let trading = trading.require_network(NETWORK).ok()?;
        if self.trading.as_ref().is_some_and(|before| *before != trading) {
            self.client.alarm(format!("S14: {} has another trading address", self.client.name));
        }
        self.client.lambda().net().world().books.trading.insert(trading.clone());
        (self.session, self.trading) = (Some((session, now)), Some(trading));
        Some(access)
    }

    /// Somebody sends the bidder a coin or an inscription.
    pub fn receive(&mut self) {
        let Some(trading) = &self.trading else { return };
        let (script, now) = (trading.script_pubkey(), self.client.now());
        let mut chain = self.chain.lock();
        if self.gifts == 2 && self.number < 2 {
            chain.give_inscription(&script, now);
        }
        chain.give(&script, GIFTS[self.gifts], now);
        self.gifts += 1;
    }

    async fn bid(&mut self, token: &str) {
        let requests = 1 + self.client.below(4);
        let price = PRICES.0 + self.client.below(5) * ((PRICES.1 - PRICES.0) / 4);
        let Some(psbt) = self.create_batch(token, requests, price).await else { return };
        // Some transactions are never signed.
        if self.client.below(8) == 0 {
            return;
        }
        self.client.rest(20_000).await;
        self.sign_batch(token, &psbt).await;
    }

    /// Asks for a batch of `requests` requests at `price` sats each; returns the PSBT to sign.
    pub async fn create_batch(&mut self, token: &str, requests: u64, price: u64) -> Option<String> {
        let rune = self.chain.lock().rune().to_string();
        let body = json!({
            "userAddress": self.wallet.address(),
            "runeId": rune,
            "requestCount": requests,
            "satsNewRequests": requests * price,
        });
        let key = self.client.fresh();
        let call = Call::post("/api/vm-transactions", body).bearer(token).idempotent(&key);
        let answer = self.client.insist(&call).await;
        let (Some(psbt), Some(txid)) = issued(&answer) else { return None };
        if let Some(trading) = self.trading.clone() {
            let bid = Bid { trading, requests, price };
            self.client.lambda().net().world().books.bids.insert(txid, bid);
        }
        Some(psbt)
    }

    /// Signs a batch.
    pub async fn sign_batch(&mut self, token: &str, psbt: &str) -> Answer {
        let Some(signed) = self.sign(psbt) else { return Answer::NONE };
        let body = json!({ "userAddress": self.wallet.address(), "signedBase64Tx": signed });
        self.send_signed("/api/vm-transactions/sign", body, token).await
    }

    /// The script of the trading address, once there is one.
    pub fn script(&self) -> Option<ScriptBuf> {
        Some(self.trading.as_ref()?.script_pubkey())
    }

    fn sign(&self, psbt: &str) -> Option<String> {
        Some(self.wallet.sign_psbt(self.trading.as_ref()?, psbt))
    }

    async fn send_signed(&mut self, path: &'static str, body: Value, token: &str) -> Answer {
        let answer = self.client.send(&Call::post(path, body.clone()).bearer(token)).await;
        self.signed.push((path, body));
        answer
    }

    /// Sends something again that was signed earlier.
    async fn repeat(&mut self, token: &str) {
        let count = u64::try_from(self.signed.len()).unwrap_or(0);
        let place = usize::try_from(self.client.below(count)).unwrap_or(0);
        let Some((path, body)) = self.signed.get(place).cloned() else { return };
        self.client.send(&Call::post(path, body).bearer(token)).await;
    }

    async fn withdraw(&mut self, token: &str) {
        let amount = 1_000 + self.client.below(12) * 1_000;
        match amount % 3_000 {
            0 => self.withdraw_plainly(token, amount).await,
            _ => self.withdraw_sats(token, amount).await,
        }
    }

    /// Withdraws to an address without involving the hub.
    async fn withdraw_plainly(&mut self, token: &str, amount: u64) {
        let params = json!({
            "amount": amount.to_string(),
            "tokenId": "0:0",
            "withdrawTo": self.wallet.address(),
        });
        let body = json!({ "type": "withdraw", "params": params });
        let key = self.client.fresh();
        let call = Call::post("/api/xchain/transaction", body).bearer(token).idempotent(&key);
        let answer = self.client.insist(&call).await;
        let Some(psbt) = issued(&answer).0 else { return };
        let Some(signed) = self.sign(&psbt) else { return };
        let body = json!({ "type": "withdraw", "params": { "signedBase64Tx": signed } });
        self.send_signed("/api/xchain/transaction/sign", body, token).await;
    }

    /// Withdraws `amount` sats through the hub.
    pub async fn withdraw_sats(&mut self, token: &str, amount: u64) {
        let params = json!({
            "amount": amount.to_string(),
            "tokenId": "0:0",
            "withdrawTo": self.wallet.address(),
            "xchainData": "0x0102",
        });
        self.withdraw_as(params, token).await;
    }

    async fn replace_withdrawal(&mut self, token: &str) {
        let Some((txid, params)) = self.withdrawals.last().cloned() else { return };
        let params = local::wallets::with(params, &json!({ "replaceTxId": txid.to_string() }));
        self.withdraw_as(params, token).await;
    }

    async fn withdraw_as(&mut self, params: Value, token: &str) {
        let body = json!({ "type": "xchain-withdraw", "params": params });
        let key = self.client.fresh();
        let call = Call::post("/api/xchain/transaction", body).bearer(token).idempotent(&key);
        let answer = self.client.insist(&call).await;
        let (Some(psbt), Some(txid)) = issued(&answer) else { return };
        let Some(signed) = self.sign(&psbt) else { return };
        let body = json!({
            "type": "xchain-withdraw",
            "params": { "signedBase64Tx": signed },
        });
        let answer = self.send_signed("/api/xchain/transaction/sign", body, token).await;
        if answer.status == 201 {
            self.withdrawals.push((txid, params));
        }
    }

    /// Asks for the refund that is owed, and signs it.
    pub async fn refund(&mut self, token: &str) -> Refunded {
        let (rune, address) =
            (self.chain.lock().rune().to_string(), self.wallet.address().to_owned());
        let path =
            format!("/api/refund/calculate?type=virtual_mint&runeIds={rune}&userAddress={address}");
        let calculated = self.client.insist(&Call::get(path)).await;
        if calculated.status != 200 {
            return Refunded::Refused(calculated);
        }
        if calculated.body["data"]["refundableSats"].as_u64().unwrap_or(0) == 0 {
            return Refunded::Nothing;
        }
        let body = json!({ "type": "virtual_mint", "runeIds": [rune], "userAddress": address });
        let answer = self.client.insist(&Call::post("/api/refund", body).bearer(token)).await;
        let (Some(psbt), Some(_)) = issued(&answer) else {
            return Refunded::Refused(answer);
        };
        let Some(signed) = self.sign(&psbt) else { return Refunded::Refused(answer) };
        let body = json!({ "userAddress": address, "base64Psbt": signed });
        let answer = self.send_signed("/api/refund/sign", body, token).await;
        if answer.status == 201 { Refunded::Sent } else { Refunded::Refused(answer) }
    }

    async fn read(&mut self) {
        for path in [
            "/api/vm-transactions?pageSize=100".to_owned(),
            "/api/vm-transactions/mints".to_owned(),
            "/api/vm-transactions/count-unconfirmed-requests".to_owned(),
            format!("/api/vm-transactions?userAddress_eq={}", self.wallet.address()),
        ] {
            self.client.send(&Call::get(path)).await;
        }
    }
}

/// The result of asking for a refund.
#[derive(Debug)]
pub enum Refunded {
    /// Nothing is owed now.
    Nothing,
    /// The refund was sent.
    Sent,
    /// The service refused, or failed.
    Refused(Answer),
}

/// The PSBT and the txid of a transaction to sign.
fn issued(answer: &Answer) -> (Option<String>, Option<Txid>) {
    let data = &answer.body["data"];
    let created = answer.status == 201;
    let psbt = data["base64Psbt"].as_str().filter(|_| created).map(str::to_owned);
    (psbt, data["txId"].as_str().filter(|_| created).and_then(|txid| txid.parse().ok()))
}
