//! The perpetuals venue: its info API at `/info`, JSON-RPC of its EVM chain at `/evm`, and direct access to
//! both for clients, who sign and send by themselves. Amounts are in millionths of a USDC.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    choice::Choices,
    faults::Whim,
    wire::{Arrived, Host, Reply},
};

/// USDC on the test network's EVM chain.
const USDC: &str = "0x2b3370ee501b4a559b57d449569354196457d8ab";
/// The contract there that receives deposits.
const DEPOSIT_CONTRACT: &str = "0x0b80659a4076e9e93c7dbe0f10675a16a3e5c206";
/// Tells whether an address has an account at the venue.
const ACCOUNT_EXISTS: &str = "0x0000000000000000000000000000000000000810";
const SYSTEM_ADDRESS: &str = "0x2000000000000000000000000000000000000000";
const USDC_TOKEN: &str = "USDC:0xeb62eee3685fc4c43992febcd9e75443";
const CHAIN_ID: &str = "0x3e6";
/// The address that earns the platform's builder fee, as the settings have it.
pub const BUILDER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
/// The platform's referral code, as the settings have it.
pub const CODE: &str = "RUNEPORT";
/// One USDC.
pub const ONE: u64 = 1_000_000;
const GAS_PRICE: u128 = 1_000_000_000;
/// Gas that each of a deposit's transactions uses.
const GAS: u128 = 120_000;
/// How far a server of the venue lags at most, in ms.
const BEHIND: u64 = 10_000;

/// A wallet, on the EVM chain and at the venue.
#[derive(Clone, Debug, Default)]
pub struct Holder {
    /// For gas, in wei.
    pub coins: u128,
    /// USDC on the EVM chain.
    pub usdc: u64,
    /// How much of it the deposit contract may take.
    pub allowance: u64,
    /// Whether it has an account at the venue.
    pub exists: bool,
    /// The perpetuals balance there.
    pub perps: u64,
    /// The spot balance there.
    pub spot: u64,
    /// Whether the spot balance is the only one.
    pub is_unified: bool,
    /// Whether it has a referrer.
    pub is_referred: bool,
    /// Traded volume.
    pub volume: u64,
    /// The builder fee that it has approved, in tenths of a basis point.
    pub builder_fee: u64,
}

impl Holder {
    /// The most that one withdrawal can take.
    pub fn most(&self) -> u64 {
        if self.is_unified { self.spot } else { self.perps.max(self.spot) }
    }
}

/// The terms on which the venue accepts and returns USDC.
#[derive(Clone, Debug)]
struct Terms {
    paused: bool,
    forwards: bool,
    activation_fee: u64,
    transfer_fee: u64,
}

#[derive(Clone, Debug)]
struct State {
    holders: BTreeMap<String, Holder>,
    terms: Terms,
}

/// The venue.
#[derive(Clone, Debug)]
pub struct Venue {
    state: State,
    /// Earlier states, each with the time at which it ended, the newest last.
    earlier: Vec<(i64, State)>,
    /// When each wallet last changed; `""` stands for the terms.
    changed: BTreeMap<String, i64>,
    /// When the terms change again; `None` for never.
    next_terms: Option<i64>,
    /// USDC that was lost.
    lost: u64,
    whims: Vec<(Whim, u64)>,
}

/// Why the venue refuses something.
type Refusal = &'static str;

fn check(holds: bool, refusal: Refusal) -> Result<(), Refusal> {
    holds.then_some(()).ok_or(refusal)
}

fn take(from: &mut u64, amount: u64, refusal: Refusal) -> Result<(), Refusal> {
    *from = from.checked_sub(amount).ok_or(refusal)?;
    Ok(())
}

/// An amount as the venue writes it.
pub fn decimal(micros: u64) -> String {
    format!("{}.{:06}", micros / ONE, micros % ONE)
}

/// Reads an amount of the venue's actions.
pub fn micros(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let decimals = format!("{decimals:0<6}").parse::<u64>().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(ONE)?.checked_add(decimals)
}

/// The words of call data: the function's selector, and its arguments.
fn call_data(data: &str) -> (&str, Vec<&str>) {
    let data = data.trim_start_matches("0x");
    let (selector, rest) = data.split_at_checked(8).unwrap_or((data, ""));
    (selector, (0..rest.len() / 64).map(|n| &rest[n * 64..(n + 1) * 64]).collect())
}

fn number(word: Option<&&str>) -> Option<u64> {
    u64::from_str_radix(word?, 16).ok()
}

fn address(word: Option<&&str>) -> String {
    word.map(|word| format!("0x{}", &word[24..])).unwrap_or_default()
}

fn word(value: u128) -> Value {
    format!("0x{value:064x}").into()
}

impl Venue {
    /// A venue without wallets. Its servers have these whims, by weight in 100,000 calls.
    pub fn new(whims: Vec<(Whim, u64)>, now: i64) -> Self {
        let terms = Terms { paused: false, forwards: true, activation_fee: ONE, transfer_fee: 0 };
        let state = State { holders: BTreeMap::new(), terms };
        let (earlier, changed) = (Vec::new(), BTreeMap::new());
        Self { state, earlier, changed, next_terms: Some(now + 60_000), lost: 0, whims }
    }

    /// From now on the venue accepts and returns USDC, on terms that do not change.
    pub fn heal(&mut self, now: i64) {
        self.change("", now, |state| state.terms.paused = false);
        self.next_terms = None;
    }

    /// A wallet in its present state.
    pub fn holder(&self, wallet: &str) -> Holder {
        self.state.holders.get(wallet).cloned().unwrap_or_default()
    }

    /// The fee for a transfer out of the venue.
    pub fn transfer_fee(&self) -> u64 {
        self.state.terms.transfer_fee
    }

    /// When anything that concerns a wallet last changed.
    pub fn changed(&self, wallet: &str) -> i64 {
        let at = |who: &str| self.changed.get(who).copied().unwrap_or(0);
        at(wallet).max(at(""))
    }

    /// Changes what concerns one wallet, or the terms.
    fn change(&mut self, who: &str, now: i64, change: impl FnOnce(&mut State)) {
        self.earlier.push((now, self.state.clone()));
        self.earlier.retain(|(until, _)| now - until <= i64::try_from(BEHIND).unwrap_or(0));
        self.changed.insert(who.to_owned(), now);
        change(&mut self.state);
    }

    /// Changes a wallet in a way that the service has no part in.
    pub fn set(&mut self, wallet: &str, now: i64, change: impl FnOnce(&mut Holder)) {
        self.change(wallet, now, |state| {
            change(state.holders.entry(wallet.to_owned()).or_default());
        });
    }

    /// Changes the terms from time to time.
    pub fn turn(&mut self, now: i64, choices: &mut Choices) {
        while let Some(at) = self.next_terms.filter(|at| *at <= now) {
            let wait = choices.between("venue/terms", 40_000, 240_000);
            self.next_terms = Some(at + i64::try_from(wait).unwrap_or(0));
            let drawn = choices.below("venue/terms", 6);
            self.change("", now, |State { terms, .. }| match drawn {
                _ if terms.paused => terms.paused = false,
                0 => terms.paused = true,
                1 => terms.forwards = !terms.forwards,
                2 => terms.activation_fee = 2 * ONE - terms.activation_fee,
                3 => terms.activation_fee = ONE,
                4 => terms.transfer_fee = 0,
                _ => terms.transfer_fee = 250_001,
            });
        }
    }

    /// Executes what a wallet has signed and sent, in this order. A refused item changes nothing.
    ///
    /// # Errors
    /// The reason why an item is refused, or why it loses its amount.
    pub fn execute(&mut self, wallet: &str, now: i64, signed: &[Value]) -> Result<(), Refusal> {
        for one in signed {
            let mut after = self.state.clone();
            let holder = after.holders.entry(wallet.to_owned()).or_default();
            let lost = if one.get("data").is_some() {
                transaction(holder, &after.terms, one)
            } else {
                action(holder, &after.terms, one)
            }?;
            self.change(wallet, now, |state| *state = after);
            self.lost += lost;
            check(lost == 0, "it is executed, and the amount is lost")?;
        }
        Ok(())
    }

    /// Whether a wallet could sign and send this now without a loss.
    ///
    /// # Errors
    /// As [`Self::execute`].
    pub fn would_take(&self, wallet: &str, now: i64, signed: &[Value]) -> Result<(), Refusal> {
        self.clone().execute(wallet, now, signed)
    }

    /// The state that a server knows, which may lag.
    fn known(&self, at: i64, whim: Option<Whim>, choices: &mut Choices) -> &State {
        if whim != Some(Whim::Behind) {
            return &self.state;
        }
        let then = at - i64::try_from(choices.below("venue/behind", BEHIND)).unwrap_or(0);
        let earlier = self.earlier.iter().find(|(until, _)| *until > then);
        earlier.map_or(&self.state, |(_, state)| state)
    }

    fn info(&self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        let asked: Value = serde_json::from_slice(&arrived.body).expect("a question is JSON");
        let whim = choices.fault("venue/info", &self.whims);
        if whim == Some(Whim::Odd) {
            return Reply::json(StatusCode::OK, &json!({ "unexpected": [] }));
        }
        let state = self.known(arrived.at, whim, choices);
        let text = |name: &str| asked[name].as_str().unwrap_or_default().to_owned();
        let of = |wallet: &str| state.holders.get(wallet).cloned().unwrap_or_default();
        let holder = of(&text("user"));
        let answer = match asked["type"].as_str().unwrap_or_default() {
            "referral" => json!({
                "referredBy": holder.is_referred.then(|| json!({
                    "referrer": "0x00000000000000000000000000000000000000ff", "code": CODE,
                })),
                "cumVlm": decimal(holder.volume),
            }),
            "maxBuilderFee" if text("builder") == BUILDER.to_lowercase() => {
                json!(holder.builder_fee)
            }
            "userAbstraction" => {
                json!(if holder.is_unified { "unifiedAccount" } else { "default" })
            }
            "clearinghouseState" => json!({
                "withdrawable": decimal(if holder.is_unified { 0 } else { holder.perps }),
            }),
            "spotClearinghouseState" => json!({ "balances": [
                { "coin": "USDC", "token": 0, "total": decimal(holder.spot), "hold": "0.0" },
            ]}),
            "preTransferCheck" => {
                let leaves = text("user") == SYSTEM_ADDRESS;
                let fee = if leaves { state.terms.transfer_fee } else { 0 };
                json!({ "fee": decimal(fee), "isSanctioned": false })
            }
            other => panic!("the model of the venue does not know {other}"),
        };
        Reply::json(StatusCode::OK, &answer)
    }

    fn evm(&self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        let batch: Vec<Value> = serde_json::from_slice(&arrived.body).expect("a batch is JSON");
        let whim = choices.fault("venue/evm", &self.whims);
        if whim == Some(Whim::NoBatch) {
            let error = json!({ "code": -32005, "message": "batch limit exceeded" });
            let body = json!({ "jsonrpc": "2.0", "id": null, "error": error });
            return Reply::json(StatusCode::OK, &body);
        }
        let state = self.known(arrived.at, whim, choices);
        let mut answers: Vec<_> = batch
            .iter()
            .map(|one| json!({ "jsonrpc": "2.0", "id": one["id"], "result": read(state, one) }))
            .collect();
        let count = u64::try_from(answers.len()).unwrap_or(1);
        let place = usize::try_from(choices.below("venue/place", count)).unwrap_or(0);
        match whim {
            Some(Whim::Missing) => drop(answers.remove(place)),
            Some(Whim::Odd) => answers[place]["result"] = "0x".into(),
            _ => {}
        }
        Reply::json(StatusCode::OK, &Value::Array(answers))
    }
}

/// The answer to one read of the EVM chain.
fn read(State { holders, terms }: &State, asked: &Value) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |wallet: &str| holders.get(wallet).cloned().unwrap_or_default();
    let first = text(&asked["params"][0]);
    let is_contract = first == USDC || first == DEPOSIT_CONTRACT;
    match asked["method"].as_str().unwrap_or_default() {
        "eth_chainId" => return CHAIN_ID.into(),
        "eth_gasPrice" => return format!("{GAS_PRICE:#x}").into(),
        "eth_getBalance" => return format!("{:#x}", of(&first).coins).into(),
        "eth_getCode" => return if is_contract { "0x6001".into() } else { "0x".into() },
        "eth_call" => {}
        other => panic!("the model of the venue's chain does not know {other}"),
    }
    let call = &asked["params"][0];
    let (to, data) = (text(&call["to"]), text(&call["data"]));
    if to == ACCOUNT_EXISTS {
        let wallet = format!("0x{}", &data[data.len() - 40..]);
        return word(of(&wallet).exists.into());
    }
    let (selector, arguments) = call_data(&data);
    match (to.as_str(), selector) {
        (USDC, "70a08231") => word(of(&address(arguments.first())).usdc.into()),
        (USDC, "dd62ed3e") if address(arguments.get(1)) == DEPOSIT_CONTRACT => {
            word(of(&address(arguments.first())).allowance.into())
        }
        (DEPOSIT_CONTRACT, "5c975abb") => word(terms.paused.into()),
        // The fee is in hundredths of a millionth.
        (DEPOSIT_CONTRACT, "820b3e1e") => word(u128::from(terms.activation_fee) * 100),
        (DEPOSIT_CONTRACT, "a7917af3") => word((!terms.forwards).into()),
        (DEPOSIT_CONTRACT, "0e721e6e") => word(1),
        (DEPOSIT_CONTRACT, "fc0c546a") => format!("0x{:0>64}", &USDC[2..]).into(),
        other => panic!("the model of the venue's chain does not know {other:?}"),
    }
}

/// Executes a transaction of the EVM chain. Returns what it loses.
fn transaction(holder: &mut Holder, terms: &Terms, signed: &Value) -> Result<u64, Refusal> {
    let text = |name: &str| signed[name].as_str().unwrap_or_default().to_lowercase();
    check(signed["chainId"] == 998, "it is for another chain")?;
    holder.coins =
        holder.coins.checked_sub(GAS * GAS_PRICE).ok_or("there is not enough for gas")?;
    let (to, data) = (text("to"), text("data"));
    let (selector, arguments) = call_data(&data);
    let amount = |n: usize| number(arguments.get(n)).ok_or("it has no amount");
    match (to.as_str(), selector) {
        (USDC, "095ea7b3") => {
            check(address(arguments.first()) == DEPOSIT_CONTRACT, "it lets a stranger take USDC")?;
            holder.allowance = amount(1)?;
            Ok(0)
        }
        (DEPOSIT_CONTRACT, "2b2dfd2c") => {
            let amount = amount(0)?;
            check(!terms.paused, "deposits are paused")?;
            check(number(arguments.get(1)) == Some(0), "it goes to another exchange")?;
            take(&mut holder.allowance, amount, "more than the allowance")?;
            take(&mut holder.usdc, amount, "more than the balance")?;
            let fee = match (holder.exists, terms.forwards) {
                (true, _) => 0,
                (false, true) => {
                    check(amount > terms.activation_fee, "less than the activation fee")?;
                    terms.activation_fee
                }
                (false, false) => terms.activation_fee.max(ONE),
            };
            // Without forwarding, the venue itself takes the fee, and credits nothing if the amount does not
            // exceed it.
            let Some(credited) = amount.checked_sub(fee).filter(|left| *left > 0) else {
                return Ok(amount);
            };
            holder.exists = true;
            if terms.forwards && !holder.is_unified {
                holder.perps += credited;
            } else {
                holder.spot += credited;
            }
            Ok(0)
        }
        _ => Err("no contract of the venue has this function"),
    }
}

/// Executes an action of the venue. Returns what it loses.
fn action(holder: &mut Holder, terms: &Terms, signed: &Value) -> Result<u64, Refusal> {
    let text = |name: &str| signed[name].as_str().unwrap_or_default().to_owned();
    let is_ours = text("venueChain") == "Testnet" && text("signatureChainId") == CHAIN_ID;
    match text("type").as_str() {
        "setReferrer" => {
            check(!holder.is_referred, "there is a referrer")?;
            check(holder.volume < 10_000 * ONE, "too much was traded")?;
            check(text("code") == CODE, "an unknown code")?;
            holder.is_referred = true;
            Ok(0)
        }
        "approveBuilderFee" => {
            check(is_ours, "it is for another chain")?;
            check(text("builder") == BUILDER.to_lowercase(), "another builder")?;
            let rate = text("maxFeeRate").trim_end_matches('%').to_owned();
            holder.builder_fee = micros(&rate).ok_or("no fee")? / 1_000;
            Ok(0)
        }
        "sendAsset" => {
            let fits = text("destination") == SYSTEM_ADDRESS
                && text("destinationDex") == "spot"
                && text("token") == USDC_TOKEN
                && text("fromSubAccount").is_empty();
            check(is_ours && fits, "it goes elsewhere")?;
            let amount = micros(&text("amount")).ok_or("it has no amount")?;
            let from = match text("sourceDex").as_str() {
                "" if !holder.is_unified => &mut holder.perps,
                "spot" => &mut holder.spot,
                _ => return Err("an unknown exchange"),
            };
            take(from, amount + terms.transfer_fee, "more than the balance")?;
            if terms.paused {
                return Ok(amount);
            }
            holder.usdc += amount;
            Ok(0)
        }
        _ => Err("an unknown action"),
    }
}

impl Host for Venue {
    fn handle(&mut self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        self.turn(arrived.at, choices);
        match arrived.path.as_str() {
            "/info" => self.info(arrived, choices),
            "/evm" => self.evm(arrived, choices),
            other => panic!("the model of the venue does not know {other}"),
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
