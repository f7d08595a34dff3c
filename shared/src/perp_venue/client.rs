//! The client of the venue: its info API, and JSON-RPC of its EVM chain.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use alloy::{
    primitives::{Address, U256, hex},
    sol_types::{SolCall, SolValue},
};
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ChainState, Facts, PerpVenueConfig, Question,
    contracts::{ACCOUNT_EXISTS, DepositContract, UsdcContract},
    facts::Fact,
};
use crate::{
    breaker::Breaker,
    clock::{Clock, Timestamp},
    models::usdc::Usdc,
    outbound::{Outbound, OutboundError},
};

/// Limit of one attempt.
const ATTEMPT: Duration = Duration::from_secs(2);
/// How long an answer of the info API is good.
const FRESH: Duration = Duration::from_secs(5);
/// Answers that are kept at once.
const MOST_KEPT: usize = 10_000;

/// A client of the venue. It fails nobody: what was not told is missing in what it answers. Cloning is
/// cheap; clones share what they know.
#[derive(Clone)]
pub struct PerpVenueClient {
    config: Arc<PerpVenueConfig>,
    outbound: Outbound,
    clock: Arc<dyn Clock>,
    info: Breaker,
    rpc: Breaker,
    kept: Arc<Mutex<Kept>>,
}

impl fmt::Debug for PerpVenueClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PerpVenueClient").field(&self.config).finish()
    }
}

type Kept = HashMap<(Address, Question), (Timestamp, Fact)>;

impl PerpVenueClient {
    /// The venue that the settings name; connects nowhere yet.
    pub fn new(config: PerpVenueConfig, outbound: Outbound, clock: Arc<dyn Clock>) -> Self {
        Self {
            config: Arc::new(config),
            outbound,
            info: Breaker::new(clock.clone()),
            rpc: Breaker::new(clock.clone()),
            clock,
            kept: Arc::default(),
        }
    }

    /// What the info API says of a wallet: all questions at once, those but not again that were
    /// answered in the last 5 seconds.
    pub async fn facts(&self, wallet: Address, questions: &[Question]) -> Facts {
        let mut facts = Facts::default();
        let open = self.recall(wallet, questions, &mut facts);
        if open.is_empty() {
            return facts;
        }
        let permit = match self.info.permit() {
            Ok(permit) => permit,
            Err(error) => {
                tracing::warn!(%error, "the venue's info API");
                return facts;
            }
        };
        let answers = join_all(open.iter().map(|question| self.ask(*question, wallet))).await;
        permit.note(!answers.iter().any(|answer| answer.as_ref().is_err_and(is_the_venues_fault)));
        let mut told = Vec::with_capacity(open.len());
        for (question, answer) in open.into_iter().zip(answers) {
            match answer {
                Ok(fact) => told.push((question, fact)),
                Err(error) => tracing::warn!(%error, ?question, "the venue's info API"),
            }
        }
        self.keep(wallet, &told);
        told.into_iter().for_each(|(_, fact)| facts.note(fact));
        facts
    }

    async fn ask(&self, question: Question, wallet: Address) -> Result<Fact, OutboundError> {
        let body = question.body(wallet, self.config.builder);
        let answer = self.outbound.post_json(&self.config.info_url, &body, ATTEMPT).await?;
        let answer = answer.ok_or(OutboundError::Status(404))?;
        let fact = question.read(answer);
        fact.ok_or_else(|| OutboundError::Malformed("not what is documented".to_owned()))
    }

    /// Notes what is known already; answers what is not.
    fn recall(&self, wallet: Address, questions: &[Question], facts: &mut Facts) -> Vec<Question> {
        let now = self.clock.now();
        let kept = self.kept();
        let mut open = Vec::new();
        for question in questions {
            match kept.get(&(wallet, *question)).filter(|(at, _)| at.plus(FRESH) > now) {
                Some((_, fact)) => facts.note(fact.clone()),
                None => open.push(*question),
            }
        }
        open
    }

    fn keep(&self, wallet: Address, told: &[(Question, Fact)]) {
        let now = self.clock.now();
        let mut kept = self.kept();
        if kept.len() >= MOST_KEPT {
            kept.retain(|_, (at, _)| at.plus(FRESH) > now);
        }
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        let told = told.iter().cloned();
        kept.extend(told.map(|(question, fact)| ((wallet, question), (now, fact))));
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the EVM chain says of a wallet: one batch.
    pub async fn chain_state(&self, wallet: Address) -> ChainState {
        let permit = match self.rpc.permit() {
            Ok(permit) => permit,
            Err(error) => {
                tracing::warn!(%error, "the venue's EVM chain");
                return ChainState::default();
            }
        };
        let batch = self.batch(wallet);
        let answers: Result<Option<Vec<Answer>>, _> =
            self.outbound.post_json(&self.config.rpc_url, &batch, ATTEMPT).await;
        permit.note(!answers.as_ref().is_err_and(is_the_venues_fault));
        match answers {
            Ok(Some(answers)) => self.state_of(&answers),
            Ok(None) => {
                tracing::warn!("the venue's EVM chain: status 404");
                ChainState::default()
            }
            Err(error) => {
                tracing::warn!(%error, "the venue's EVM chain");
                ChainState::default()
            }
        }
    }

    /// One JSON-RPC request of many (JSON-RPC 2.0, section 6). The ids are places in [`Ask::ALL`].
    fn batch(&self, wallet: Address) -> Value {
        let PerpVenueConfig { usdc, deposit_contract, .. } = *self.config;
        let call = |to: Address, data: Vec<u8>| {
            let call = json!({ "to": format!("{to:#x}"), "data": hex::encode_prefixed(data) });
            ("eth_call", json!([call, "latest"]))
        };
        let request = |(id, ask): (usize, &Ask)| {
            let (method, params) = match ask {
                Ask::ChainId => ("eth_chainId", json!([])),
                Ask::Usdc => {
                    call(usdc, UsdcContract::balanceOfCall { account: wallet }.abi_encode())
                }
                Ask::Allowance => {
                    let ask =
                        UsdcContract::allowanceCall { owner: wallet, spender: deposit_contract };
                    call(usdc, ask.abi_encode())
                }
                Ask::Gas => ("eth_getBalance", json!([format!("{wallet:#x}"), "latest"])),
                Ask::GasPrice => ("eth_gasPrice", json!([])),
                Ask::Paused => call(deposit_contract, DepositContract::pausedCall {}.abi_encode()),
                Ask::Exists => call(ACCOUNT_EXISTS, wallet.abi_encode()),
                Ask::ActivationFee => {
                    call(deposit_contract, DepositContract::newCoreAccountFeeCall {}.abi_encode())
                }
            };
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
        };
        Ask::ALL.iter().enumerate().map(request).collect()
    }

    fn state_of(&self, answers: &[Answer]) -> ChainState {
        let text = |ask: Ask| {
            let id = Ask::ALL.iter().position(|each| *each == ask);
            answers.iter().find(|answer| answer.id == id)?.result.as_ref()?.as_str()
        };
        let quantity = |ask| {
            let digits = text(ask)?.strip_prefix("0x")?;
            // The parser alone would take none at all, and underscores.
            let hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            U256::from_str_radix(digits, 16).ok().filter(|_| hex)
        };
        // A contract answers a word; an address without a contract answers nothing.
        let word = |ask| {
            let bytes: [u8; 32] = hex::decode(text(ask)?).ok()?.try_into().ok()?;
            Some(U256::from_be_bytes(bytes))
        };
        let yes_or_no = |word: U256| match word {
            U256::ZERO => Some(false),
            U256::ONE => Some(true),
            _ => None,
        };
        if quantity(Ask::ChainId) != Some(U256::from(self.config.chain_id)) {
            tracing::error!("the venue's EVM chain: the RPC is that of another chain, or says not");
            return ChainState::default();
        }
        ChainState {
            usdc: word(Ask::Usdc).map(Usdc::from_micros),
            allowance: word(Ask::Allowance).map(Usdc::from_micros),
            gas: quantity(Ask::Gas),
            gas_price: quantity(Ask::GasPrice),
            paused: word(Ask::Paused).and_then(yes_or_no),
            exists: word(Ask::Exists).and_then(yes_or_no),
            activation_fee: word(Ask::ActivationFee).and_then(activation_fee),
        }
    }
}

/// What is asked of the EVM chain, in one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    ChainId,
    Usdc,
    Allowance,
    Gas,
    GasPrice,
    Paused,
    Exists,
    ActivationFee,
}

impl Ask {
    const ALL: [Self; 8] = [
        Self::ChainId,
        Self::Usdc,
        Self::Allowance,
        Self::Gas,
        Self::GasPrice,
        Self::Paused,
        Self::Exists,
        Self::ActivationFee,
    ];
}

/// An answer of a batch: one without a result is an error, whatever it says.
#[derive(Debug, Deserialize)]
struct Answer {
    #[serde(default)]
    id: Option<usize>,
    #[serde(default)]
    result: Option<Value>,
}

/// The deposit contract counts its fee with 8 decimals.
fn activation_fee(fee: U256) -> Option<Usdc> {
    let (whole, rest) = fee.div_rem(U256::from(100));
    whole.checked_add(U256::from(!rest.is_zero())).map(Usdc::from_micros)
}

/// Whether a failure says that the party is not well, rather than that it says no to this question.
fn is_the_venues_fault(error: &OutboundError) -> bool {
    match error {
        OutboundError::Status(status) => *status == 429 || *status >= 500,
        // What one wallet's answer holds says nothing of the venue.
        OutboundError::Malformed(_) => false,
        OutboundError::Unreachable(_) | OutboundError::Timeout | OutboundError::Busy { .. } => true,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;
    use crate::perp_venue::{BuilderFee, VenueChain};

    #[derive(Debug, Default)]
    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now(&self) -> Timestamp {
            Timestamp(self.0.load(Ordering::Relaxed))
        }
    }

    fn client(clock: Arc<Hand>) -> PerpVenueClient {
        let venue = VenueChain::Testnet.deployment();
        let config = PerpVenueConfig {
            chain: VenueChain::Testnet,
            chain_id: venue.chain_id,
            rpc_url: venue.rpc_url.to_owned(),
            info_url: venue.info_url.to_owned(),
            usdc: venue.usdc,
            deposit_contract: venue.deposit_contract,
            usdc_token: venue.usdc_token.parse().unwrap(),
            referral_code: None,
            builder: Address::repeat_byte(7),
            builder_fee: "0.05%".parse::<BuilderFee>().unwrap(),
        };
        PerpVenueClient::new(config, Outbound::new(), clock)
    }

    #[test]
    fn answers_are_kept_for_5_seconds_by_wallet_and_question() {
        let clock = Arc::new(Hand::default());
        let client = client(clock.clone());
        let (one, other) = (Address::repeat_byte(1), Address::repeat_byte(2));
        client.keep(one, &[(Question::BuilderFee, Fact::BuilderFee(50))]);
        let recall = |wallet, question| {
            let mut facts = Facts::default();
            let open = client.recall(wallet, &[question], &mut facts);
            open.is_empty().then_some(facts.builder_fee)
        };
        clock.0.store(4_999, Ordering::Relaxed);
        assert_eq!(recall(one, Question::BuilderFee), Some(Some(50)));
        assert_eq!(recall(one, Question::Mode), None);
        assert_eq!(recall(other, Question::BuilderFee), None);
        clock.0.store(5_000, Ordering::Relaxed);
        assert_eq!(recall(one, Question::BuilderFee), None);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let clock = Arc::new(Hand::default());
        let client = client(clock.clone());
        let wallet = |n: usize| Address::left_padding_from(&n.to_be_bytes());
        for n in 0..25_000 {
            client.keep(wallet(n), &[(Question::BuilderFee, Fact::BuilderFee(50))]);
            assert!(client.kept().len() <= MOST_KEPT);
        }
        let fresh = client.kept().len();
        assert!(fresh > 0);
        // What is old goes first.
        clock.0.store(5_000, Ordering::Relaxed);
        for n in 0..MOST_KEPT {
            client.keep(wallet(n), &[(Question::Mode, Fact::BuilderFee(50))]);
        }
        assert_eq!(client.kept().values().filter(|(at, _)| at.0 == 5_000).count(), MOST_KEPT);
    }

    #[test]
    fn quantities_and_words_are_told_from_what_is_neither() {
        let client = client(Arc::default());
        let answers = |own: Vec<(Ask, &str)>| -> ChainState {
            let all = Ask::ALL.iter().enumerate().map(|(id, ask)| {
                let usual = match ask {
                    Ask::ChainId => "0x3e6".to_owned(),
                    Ask::Gas | Ask::GasPrice => "0x10".to_owned(),
                    _ => format!("0x{:064x}", 1),
                };
                let own = own.iter().find(|(of, _)| of == ask).map(|(_, text)| (*text).to_owned());
                Answer { id: Some(id), result: Some(own.unwrap_or(usual).into()) }
            });
            client.state_of(&all.collect::<Vec<_>>())
        };
        let all = answers(vec![]);
        assert_eq!(
            (all.gas, all.paused, all.exists),
            (Some(U256::from(16)), Some(true), Some(true))
        );
        // A hundredth of a millionth is rounded up: it is a fee.
        assert_eq!(all.activation_fee, Some(Usdc::from_micros(U256::ONE)));
        for quantity in ["0x", "", "10", "0xg", "0x_1", "-0x1", &format!("0x1{}", "0".repeat(64))] {
            assert_eq!(answers(vec![(Ask::Gas, quantity)]).gas, None, "{quantity}");
            assert_eq!(answers(vec![(Ask::ChainId, quantity)]), ChainState::default());
        }
        let long = format!("0x{:066x}", 1);
        for word in ["0x", "", "0x1", &long, &format!("0x{}", "g".repeat(64))] {
            assert_eq!(answers(vec![(Ask::Usdc, word)]).usdc, None, "{word}");
        }
    }
}
