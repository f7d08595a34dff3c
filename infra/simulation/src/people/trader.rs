//! A user who moves USDC to the perpetuals venue and back, and signs and sends the service's instructions
//! unchanged.

use http::Method;
use local::wallets::Wallet;
use serde_json::{Value, json};

use super::{Answer, Call, Client, Session, usable, wallet::sign_in};
use crate::{
    books::{Advice, Answered},
    venue::{CODE, Holder, ONE, Venue, decimal, micros},
};

/// If nothing has changed at the venue for this long, its answers are exact, in ms. It is longer than an
/// answer is cached and than a server lags.
const STEADY: i64 = 30_000;
/// The code of a refusal while the venue has paused deposits.
pub const PAUSED: &str = "9001";
/// Enough for the gas of many transactions, in wei.
const PLENTY: u128 = 1_000_000_000_000_000_000;

/// A user of the venue.
pub struct Trader {
    client: Client,
    wallet: Wallet,
    stranger: Wallet,
    session: Option<(Session, i64)>,
    /// Transactions of deposits that were handed out earlier and can be sent again.
    old: Vec<Value>,
}

impl Trader {
    /// The user with this number.
    pub fn new(client: Client, number: u64) -> Self {
        let wallet = Wallet::evm(4_000 + number);
        let stranger = Wallet::evm(4_000 + (number ^ 1));
        Self { client, wallet, stranger, session: None, old: Vec::new() }
    }

    /// Lives until the storm ends.
    pub async fn live(mut self) -> Self {
        while self.client.goes_on() {
            // The venue's answers are exact only after a while.
            self.client.rest(60_000).await;
            let Some(token) = self.token().await else { continue };
            match self.client.below(16) {
                0 | 1 => self.receive(),
                2..=6 => self.deposit(&token).await,
                7..=9 => self.withdraw(&token).await,
                10 => self.refer(&token).await,
                11 => self.approve(&token).await,
                12 => self.look(&token).await,
                13 => self.trade(),
                14 => self.send_again(),
                _ => self.ask_for_a_stranger(&token).await,
            }
        }
        self
    }

    /// After healing: every check runs, and all funds come back from the venue.
    pub async fn end(mut self) {
        for _balance in 0..2 {
            let holder = self.holder();
            let fee = self.at_venue(|venue, _, _| venue.transfer_fee());
            let Some(amount) = holder.most().checked_sub(fee).filter(|amount| *amount > 0) else {
                return;
            };
            let mut client = self.client.clone();
            let given = client
                .must_succeed(async |_: &mut Client| {
                    self.session = None;
                    let Some(token) = self.token().await else { return Answer::NONE };
                    let answer = self.ask(&token, "withdraw", Some(amount)).await;
                    let is_checked = answer.body["metaData"]["checks"] == "complete";
                    if answer.status == 200 && !is_checked { Answer::NONE } else { answer }
                })
                .await;
            let Some(given) = given else { return };
            self.judge("a last withdrawal", &given, 0, &[given.body["data"]["action"].clone()]);
            self.send(&[given.body["data"]["action"].clone()]);
        }
    }

    async fn token(&mut self) -> Option<String> {
        let now = self.client.now();
        if let Some(token) = usable(self.session.as_ref(), now) {
            return Some(token);
        }
        let call = sign_in(&mut self.client, &self.wallet, None).await?;
        let session = Session::of(&self.client.send(&call).await)?;
        let access = session.access.clone();
        self.session = Some((session, now));
        Some(access)
    }

    /// The wallet's address, as the venue knows it.
    fn address(&self) -> String {
        self.wallet.address().to_lowercase()
    }

    /// Acts at the venue now, as this wallet.
    fn at_venue<T>(&self, act: impl FnOnce(&mut Venue, &str, i64) -> T) -> T {
        let now = self.client.now();
        let mut world = self.client.lambda().net().world();
        let (venue, choices) = world.host_and_choices::<Venue>("venue");
        venue.turn(now, choices);
        act(venue, &self.address(), now)
    }

    fn holder(&self) -> Holder {
        self.at_venue(|venue, wallet, _| venue.holder(wallet))
    }

    /// Somebody sends the wallet USDC, and perhaps coins for gas.
    fn receive(&self) {
        let usdc = (self.client.below(200) + 1) * ONE / 10;
        let coins = if self.client.below(4) == 0 { 0 } else { PLENTY };
        self.at_venue(|venue, wallet, now| {
            venue.set(wallet, now, |holder| {
                holder.usdc += usdc;
                holder.coins += coins;
            });
        });
    }

    /// Opens and closes positions, so that balances change.
    fn trade(&self) {
        let (drawn, volume) = (self.client.below(4), self.client.below(4_000) * ONE);
        self.at_venue(|venue, wallet, now| {
            venue.set(wallet, now, |holder| {
                match drawn {
                    0 => (holder.perps, holder.spot) = (holder.spot, holder.perps),
                    1 if holder.exists => {
                        holder.is_unified = !holder.is_unified;
                        (holder.perps, holder.spot) = (0, holder.perps + holder.spot);
                    }
                    _ => {}
                }
                holder.volume += volume;
            });
        });
    }

    /// Sends what was signed; the venue decides whether it accepts it.
    fn send(&mut self, signed: &[Value]) {
        self.old.extend(signed.iter().filter(|one| one.get("data").is_some()).cloned());
        // A refusal was already judged.
        let _ = self.at_venue(|venue, wallet, now| venue.execute(wallet, now, signed));
    }

    /// Signs and sends one of the earlier transactions again.
    fn send_again(&mut self) {
        if let Some(one) = self.old.pop() {
            let _ = self.at_venue(|venue, wallet, now| venue.execute(wallet, now, &[one]));
        }
    }

    /// A request to the service about the wallet.
    async fn ask(&mut self, token: &str, what: &str, amount: Option<u64>) -> Answer {
        let mut body = json!({ "userAddress": self.wallet.address() });
        if let Some(amount) = amount {
            body["amount"] = decimal(amount).into();
        }
        let call = Call::post(format!("/api/perp-venue/{what}"), body).bearer(token);
        self.client.send(&call).await
    }

    /// Records what the service answered to a request made now, and whether the venue would accept `wanted`.
    fn judge(&self, what: &str, answer: &Answer, since: i64, wanted: &[Value]) {
        let (is_steady, verdict) = self.at_venue(|venue, wallet, now| {
            let verdict = venue.would_take(wallet, now, wanted).map_err(str::to_owned);
            (venue.changed(wallet) + STEADY <= since, verdict)
        });
        let meta_data = &answer.body["metaData"];
        let is_checked = meta_data["checks"] == "complete";
        let may_lack_gas = meta_data["warnings"].to_string().contains("lowGas");
        let answered = match answer.status {
            200 if is_checked && !may_lack_gas => Answered::Checked,
            200 => Answered::Unchecked,
            400 => Answered::Refused,
            503 if answer.body["code"] == PAUSED => Answered::Refused,
            _ => return,
        };
        let what = format!("{what} of {} at {}", self.client.name, self.client.now());
        let advice = Advice { what, answered, is_steady, verdict };
        self.client.lambda().net().world().books.advice.push(advice);
    }

    /// An amount to move: a round one, or everything.
    fn amount(&self, all: u64) -> u64 {
        match self.client.below(3) {
            0 => all.max(1),
            _ => (self.client.below(150) + 1) * ONE / 10,
        }
    }

    async fn deposit(&mut self, token: &str) {
        let amount = self.amount(self.holder().usdc);
        let since = self.client.now();
        let answer = self.ask(token, "deposit", Some(amount)).await;
        let data = &answer.body["data"];
        let wanted = wanted_deposit(amount);
        self.judge(&format!("a deposit of {}", decimal(amount)), &answer, since, &wanted);
        if answer.status != 200 {
            return;
        }
        let given = data["txs"].as_array().cloned().unwrap_or_default();
        if given != wanted {
            self.client.alarm(format!("S17: a deposit of {amount} is {data}, not {wanted:?}"));
        }
        // Some users forget the second transaction, or take a while.
        match self.client.below(5) {
            0 => self.send(&given[..1]),
            1 => {
                self.send(&given[..1]);
                self.client.rest(40_000).await;
                self.send(&given[1..]);
            }
            _ => self.send(&given),
        }
    }

    async fn withdraw(&mut self, token: &str) {
        let holder = self.holder();
        let fee = self.at_venue(|venue, _, _| venue.transfer_fee());
        let all = match self.client.below(2) {
            0 => holder.most(),
            _ => holder.most().saturating_sub(fee),
        };
        let amount = self.amount(all);
        let since = self.client.now();
        let answer = self.ask(token, "withdraw", Some(amount)).await;
        let what = format!("a withdrawal of {}", decimal(amount));
        let action = answer.body["data"]["action"].clone();
        if answer.status == 200 {
            let said = action["amount"].as_str().and_then(micros);
            if said != Some(amount) || action["type"] != "sendAsset" {
                self.client.alarm(format!("S17: {what} is {action}"));
            }
            self.judge(&what, &answer, since, std::slice::from_ref(&action));
            return self.send(&[action]);
        }
        // The refusal is right only if neither balance can pay.
        let by = |source: &str| wanted_withdrawal(source, amount);
        let pays = |source: &str| {
            self.at_venue(|venue, wallet, now| venue.would_take(wallet, now, &[by(source)]).is_ok())
        };
        let source = if pays("") { "" } else { "spot" };
        self.judge(&what, &answer, since, &[by(source)]);
    }

    async fn refer(&mut self, token: &str) {
        let since = self.client.now();
        let answer = self.ask(token, "referral", None).await;
        let set = json!({ "type": "setReferrer", "code": CODE });
        if answer.status != 200 {
            return;
        }
        let action = answer.body["data"]["action"].clone();
        if action.is_null() {
            // An answer without an action is a refusal.
            let refused = Answer { status: 400, body: Value::Null };
            return self.judge("a referral", &refused, since, &[set]);
        }
        if action != set {
            self.client.alarm(format!("S17: a referral is {action}"));
        }
        self.judge("a referral", &answer, since, std::slice::from_ref(&action));
        self.send(&[action]);
    }

    async fn approve(&mut self, token: &str) {
        let answer = self.ask(token, "builder-fee-approval", None).await;
        if answer.status == 200 {
            let action = answer.body["data"]["action"].clone();
            self.send(&[action]);
            if self.holder().builder_fee != 50 {
                self.client.alarm(format!("S17: an approval is {}", answer.body));
            }
        }
    }

    /// Reads the state, which must agree with the venue's.
    async fn look(&mut self, token: &str) {
        let since = self.client.now();
        let path = format!("/api/perp-venue/status?userAddress={}", self.wallet.address());
        let call = Call::new(Method::GET, path, None).bearer(token);
        let answer = self.client.send(&call).await;
        let is_checked = answer.body["metaData"]["checks"] == "complete";
        let is_steady = self.at_venue(|venue, wallet, _| venue.changed(wallet) + STEADY <= since);
        if answer.status != 200 || !is_checked || !is_steady {
            return;
        }
        let (data, holder) = (&answer.body["data"], self.holder());
        let said = |name: &str| data[name].as_str().and_then(micros);
        let gates = data["gates"].as_array().map_or(0, Vec::len);
        // Half of a number is still a number.
        let fee = data["maxBuilderFee"].as_u64().unwrap_or(u64::MAX);
        let agrees = said("usdcBalance") == Some(holder.usdc)
            && said("allowance") == Some(holder.allowance)
            && said("venueBalance") == Some(holder.most())
            && said("cumulativeVolumeUsd") == Some(holder.volume)
            && holder.builder_fee.to_string().starts_with(&fee.to_string())
            && data["referrer"].is_null() != holder.is_referred
            && (gates == 0) == (fee >= 50);
        if !agrees {
            self.client.alarm(format!("S17: the state of {holder:?} is told as {data}"));
        }
    }

    /// Asks what somebody else's wallet could send. Every user may ask, since nothing moves without that
    /// wallet's signature.
    async fn ask_for_a_stranger(&mut self, token: &str) {
        let body = json!({ "userAddress": self.stranger.address(), "amount": "1" });
        let call = Call::post("/api/perp-venue/deposit", body).bearer(token);
        let answer = self.client.send(&call).await;
        let given = answer.body["data"]["txs"].as_array().cloned().unwrap_or_default();
        if answer.status == 200 && given != wanted_deposit(1_000_000) {
            let name = &self.client.name;
            self.client.alarm(format!("S17: {name} got {given:?} for a wallet of another"));
        }
    }
}

/// The transactions of a deposit.
fn wanted_deposit(amount: u64) -> Vec<Value> {
    let transaction =
        |to: &str, data: String| json!({ "chainId": 998, "to": to, "data": data, "value": "0x0" });
    let contract = "0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206";
    let spender = contract.trim_start_matches("0x").to_lowercase();
    let approval = format!("0x095ea7b3{spender:0>64}{amount:064x}");
    let deposit = format!("0x2b2dfd2c{amount:064x}{:064x}", 0);
    let usdc = "0x2B3370eE501B4a559b57D449569354196457D8Ab";
    vec![transaction(usdc, approval), transaction(contract, deposit)]
}

/// The action of a withdrawal.
fn wanted_withdrawal(source: &str, amount: u64) -> Value {
    json!({
        "type": "sendAsset",
        "venueChain": "Testnet",
        "signatureChainId": "0x3e6",
        "destination": "0x2000000000000000000000000000000000000000",
        "sourceDex": source,
        "destinationDex": "spot",
        "token": "USDC:0xeb62eee3685fc4c43992febcd9e75443",
        "amount": decimal(amount),
        "fromSubAccount": "",
    })
}
