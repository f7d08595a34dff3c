//! The client of the venue: its info API, and JSON-RPC of its EVM chain.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use alloy::{
    primitives::{Address, U256, hex},
    sol_types::{SolCall, SolValue},
};
use base::{
    breaker::Breaker,
    clock::{Clock, Timestamp},
    outbound::{Call, Outbound, OutboundError},
    provider::{Provider, ProviderUrl},
};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::{core::Core, party};

use super::{
    ChainState, Facts, Misconfigured, PerpVenueConfig, Question,
    contracts::{ACCOUNT_EXISTS, DepositContract, PERPS, UsdcContract},
    facts::Fact,
    usdc::Usdc,
};

/// Timeout of one attempt.
const ATTEMPT: Duration = Duration::from_secs(2);
/// How long an answer of the info API is cached.
const FRESH: Duration = Duration::from_secs(5);
/// The most answers in the cache.
const MOST_KEPT: usize = 10_000;

/// A client of the venue. Facts that it could not obtain are `None`, for any reason. Cloning is cheap;
/// clones share the cache.
#[derive(Clone)]
pub struct PerpVenueClient {
    config: Arc<PerpVenueConfig>,
    outbound: Outbound,
    clock: Arc<dyn Clock>,
    info_api: Provider,
    node: Provider,
    info: Breaker,
    rpc: Breaker,
    kept: Arc<Mutex<Kept>>,
    contradiction: Arc<Mutex<Option<Misconfigured>>>,
}

impl fmt::Debug for PerpVenueClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PerpVenueClient").field(&self.config).finish()
    }
}

type Kept = BTreeMap<(Address, Question), (Timestamp, Fact)>;

impl PerpVenueClient {
    /// Creates a client of the venue; does not connect yet.
    pub fn new(config: Arc<PerpVenueConfig>, core: &Core) -> Self {
        let provider = |url: &ProviderUrl| {
            let config = config.clone();
            core.provider(
                url.clone(),
                Arc::new(move |url| config.check_stored(url).map_err(|no| no.0)),
            )
        };
        let (outbound, clock) = (core.outbound.clone(), core.clock.clone());
        Self {
            info_api: provider(&config.info_url),
            node: provider(&config.own_rpc_url),
            config,
            outbound,
            info: Breaker::new(clock.clone()),
            rpc: Breaker::new(clock.clone()),
            clock,
            kept: Arc::default(),
            contradiction: Arc::default(),
        }
    }

    /// Facts about a wallet from the info API. Asks all questions concurrently, except those answered within
    /// the last 5 seconds.
    pub async fn facts(&self, wallet: Address, questions: &[Question]) -> Facts {
        let mut facts = Facts::default();
        let open = self.recall(wallet, questions, &mut facts);
        if open.is_empty() {
            return facts;
        }
        let permit = match self.info.permit() {
            Ok(permit) => permit,
            Err(error) => {
                tracing::warn!(%error, "a request to the venue's info API failed");
                return facts;
            }
        };
        let asked_at = self.clock.now();
        let answers = join_all(open.iter().map(|question| self.ask(*question, wallet))).await;
        permit.note(!answers.iter().any(|answer| answer.as_ref().is_err_and(is_fault_of_venue)));
        let failed = open.iter().zip(&answers).filter_map(|(question, answer)| {
            answer.as_ref().err().map(|error| format!("{question:?}: {error}"))
        });
        let failed = failed.collect::<Vec<_>>().join("; ");
        if !failed.is_empty() {
            tracing::warn!(failed, "requests to the venue's info API failed");
        }
        let told: Vec<_> = answers.into_iter().flatten().collect();
        self.keep(wallet, asked_at, &told);
        told.into_iter().for_each(|fact| facts.note(fact));
        facts
    }

    async fn ask(&self, question: Question, wallet: Address) -> Result<Fact, OutboundError> {
        let body = question.body(wallet, self.config.builder);
        let call = Call::new(party::VENUE_INFO, question.name());
        let answer = self.post(call, &self.info_api, &body).await?;
        let fact = question.parse(answer);
        fact.ok_or_else(|| OutboundError::Malformed("undocumented shape of the answer".to_owned()))
    }

    async fn post(
        &self,
        call: Call,
        party: &Provider,
        body: &Value,
    ) -> Result<Value, OutboundError> {
        let answer = self.outbound.post_json(call, &party.at("").await?, body, ATTEMPT).await?;
        answer.ok_or(OutboundError::Status(404))
    }

    /// Fills in cached facts; returns the questions without one.
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

    /// Caches answers to questions asked at this moment, unless the cache has answers to later questions.
    fn keep(&self, wallet: Address, asked_at: Timestamp, told: &[Fact]) {
        let now = self.clock.now();
        let mut kept = self.kept();
        let is_full = |kept: &Kept| kept.len().saturating_add(told.len()) > MOST_KEPT;
        if is_full(&kept) {
            kept.retain(|_, (at, _)| at.plus(FRESH) > now);
        }
        if is_full(&kept) {
            kept.clear();
        }
        for fact in told {
            let key = (wallet, fact.question());
            if kept.get(&key).is_none_or(|(at, _)| *at <= asked_at) {
                kept.insert(key, (asked_at, fact.clone()));
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state of a wallet and of the contracts on the EVM chain, read in one batch.
    ///
    /// # Errors
    /// [`Misconfigured`] if the chain contradicts the settings, or did so when it last answered enough to
    /// tell.
    pub async fn chain_state(&self, wallet: Address) -> Result<ChainState, Misconfigured> {
        let state = match self.read_chain(wallet).await {
            Some(answers) => self.state_of(&answers),
            None => Ok(ChainState::default()),
        };
        let mut contradiction = self.contradiction.lock().unwrap_or_else(PoisonError::into_inner);
        match &state {
            Err(error) => {
                tracing::error!(%error, "the venue's EVM chain contradicts the settings");
                *contradiction = Some(*error);
            }
            Ok(state) if state.is_agreed() => *contradiction = None,
            Ok(_) => {}
        }
        match *contradiction {
            Some(error) => Err(error),
            None => state,
        }
    }

    /// The answers of one batch; `None` if there are none.
    async fn read_chain(&self, wallet: Address) -> Option<Vec<Value>> {
        let permit = self.rpc.permit().inspect_err(|error| {
            tracing::warn!(%error, "a request to the venue's EVM chain failed");
        });
        let permit = permit.ok()?;
        let call = Call::new(party::EVM_NODE, "batch");
        let answers = self.post(call, &self.node, &self.batch(wallet)).await;
        // A provider that answers a batch with anything else, or only with errors, has refused it as a whole.
        let is_told = |answer: &Value| answer.get("result").is_some_and(|told| !told.is_null());
        let answers = answers.and_then(|answers| match answers {
            Value::Array(answers) if answers.iter().any(is_told) => Ok(answers),
            _ => Err(OutboundError::Status(503)),
        });
        permit.note(!answers.as_ref().is_err_and(is_fault_of_venue));
        answers
            .inspect_err(
                |error| tracing::warn!(%error, "a request to the venue's EVM chain failed"),
            )
            .ok()
    }

    /// One JSON-RPC batch (JSON-RPC 2.0, section 6). The ids are indexes into [`ChainRead::ALL`].
    fn batch(&self, wallet: Address) -> Value {
        fn eth_call(to: Address, data: &[u8]) -> (&'static str, Value) {
            let call = json!({ "to": format!("{to:#x}"), "data": hex::encode_prefixed(data) });
            ("eth_call", json!([call, "latest"]))
        }
        fn read_of(contract: Address, call: &impl SolCall) -> (&'static str, Value) {
            eth_call(contract, &call.abi_encode())
        }
        let PerpVenueConfig { usdc, deposit_contract, .. } = *self.config;
        let code_of = |of: Address| ("eth_getCode", json!([format!("{of:#x}"), "latest"]));
        let request = |(id, read): (usize, &ChainRead)| {
            let (method, params) = match read {
                ChainRead::ChainId => ("eth_chainId", json!([])),
                ChainRead::NativeBalance => {
                    ("eth_getBalance", json!([format!("{wallet:#x}"), "latest"]))
                }
                ChainRead::GasPrice => ("eth_gasPrice", json!([])),
                ChainRead::Code => code_of(wallet),
                ChainRead::UsdcBalance => {
                    read_of(usdc, &UsdcContract::balanceOfCall { account: wallet })
                }
                ChainRead::Allowance => {
                    let (owner, spender) = (wallet, deposit_contract);
                    read_of(usdc, &UsdcContract::allowanceCall { owner, spender })
                }
                ChainRead::AccountExists => eth_call(ACCOUNT_EXISTS, &wallet.abi_encode()),
                ChainRead::Paused => read_of(deposit_contract, &DepositContract::pausedCall {}),
                ChainRead::ForwardingOff => {
                    read_of(deposit_contract, &DepositContract::isDexForwardingDisabledCall {})
                }
                ChainRead::PerpsOn => {
                    let call = DepositContract::enabledDestinationDexesCall { dex: PERPS };
                    read_of(deposit_contract, &call)
                }
                ChainRead::ActivationFee => {
                    read_of(deposit_contract, &DepositContract::newCoreAccountFeeCall {})
                }
                ChainRead::Token => read_of(deposit_contract, &DepositContract::tokenCall {}),
                ChainRead::UsdcCode => code_of(usdc),
                ChainRead::DepositCode => code_of(deposit_contract),
            };
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
        };
        ChainRead::ALL.iter().enumerate().map(request).collect()
    }

    fn state_of(&self, answers: &[Value]) -> Result<ChainState, Misconfigured> {
        let text = |read: ChainRead| {
            let id = ChainRead::ALL.iter().position(|each| *each == read)?;
            let is_meant = |answer: &&Value| match answer.get("id") {
                Some(Value::String(text)) => *text == id.to_string(),
                given => given.and_then(Value::as_u64) == u64::try_from(id).ok(),
            };
            answers.iter().find(is_meant)?.get("result")?.as_str()
        };
        let quantity = |read| {
            let digits = text(read)?.strip_prefix("0x")?;
            // The parser itself accepts an empty text and underscores.
            let hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            U256::from_str_radix(digits, 16).ok().filter(|_| hex)
        };
        let word = |read| {
            let bytes: [u8; 32] = hex::decode(text(read)?).ok()?.try_into().ok()?;
            Some(U256::from_be_bytes(bytes))
        };
        let flag = |read| match word(read)? {
            U256::ZERO => Some(false),
            U256::ONE => Some(true),
            _ => None,
        };
        match quantity(ChainRead::ChainId) {
            Some(id) if id == U256::from(self.config.chain_id) => {}
            Some(_) => return Err(Misconfigured::Chain),
            None => return Ok(ChainState::default()),
        }
        // A call to an address without a contract succeeds and returns nothing. A node that lacks the newest
        // block may do the same, so both answers are required.
        for (code, call) in [
            (ChainRead::UsdcCode, ChainRead::UsdcBalance),
            (ChainRead::DepositCode, ChainRead::Paused),
        ] {
            if text(code) == Some("0x") && text(call) == Some("0x") {
                return Err(Misconfigured::NoContract);
            }
        }
        let token = word(ChainRead::Token);
        let usdc = U256::from_be_bytes(self.config.usdc.into_word().0);
        if token.is_some_and(|token| token != usdc) {
            return Err(Misconfigured::AnotherToken);
        }
        let perps_on = flag(ChainRead::PerpsOn);
        let forwards = flag(ChainRead::ForwardingOff).map(|off| !off);
        Ok(ChainState {
            takes_usdc: token.is_some(),
            usdc_balance: word(ChainRead::UsdcBalance).map(Usdc::from_micros),
            allowance: word(ChainRead::Allowance).map(Usdc::from_micros),
            native_balance: quantity(ChainRead::NativeBalance),
            gas_price: quantity(ChainRead::GasPrice),
            is_contract: text(ChainRead::Code).and_then(is_contract),
            account_exists: flag(ChainRead::AccountExists),
            paused: flag(ChainRead::Paused),
            arrives_in_perps: perps_on.zip(forwards).map(|(on, forwards)| on && forwards),
            activation_fee: word(ChainRead::ActivationFee).and_then(activation_fee),
        })
    }
}

/// A value read from the EVM chain; all are read in one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChainRead {
    ChainId,
    NativeBalance,
    GasPrice,
    Code,
    UsdcBalance,
    Allowance,
    AccountExists,
    Paused,
    ForwardingOff,
    PerpsOn,
    ActivationFee,
    Token,
    UsdcCode,
    DepositCode,
}

impl ChainRead {
    const ALL: [Self; 14] = [
        Self::ChainId,
        Self::NativeBalance,
        Self::GasPrice,
        Self::Code,
        Self::UsdcBalance,
        Self::Allowance,
        Self::AccountExists,
        Self::Paused,
        Self::ForwardingOff,
        Self::PerpsOn,
        Self::ActivationFee,
        Self::Token,
        Self::UsdcCode,
        Self::DepositCode,
    ];
}

/// Whether code is a contract's, and not a delegation: `0xef0100` and an address (EIP-7702).
fn is_contract(code: &str) -> Option<bool> {
    let code = hex::decode(code).ok()?;
    let delegated = code.len() == 23 && code.starts_with(&[0xef, 0x01, 0x00]);
    Some(!code.is_empty() && !delegated)
}

/// The fee of the deposit contract, which has 8 decimals.
fn activation_fee(fee: U256) -> Option<Usdc> {
    let (whole, rest) = fee.div_rem(U256::from(100));
    whole.checked_add(U256::from(!rest.is_zero())).map(Usdc::from_micros)
}

/// Whether a failure is a problem of the party itself. A refusal of this one question is not.
fn is_fault_of_venue(error: &OutboundError) -> bool {
    match error {
        OutboundError::Status(status) | OutboundError::Refused { status, .. } => {
            *status == 429 || *status >= 500
        }
        // A malformed answer about one wallet says nothing about the venue's health, nor does an address that
        // this deployment cannot read.
        OutboundError::Malformed(_) | OutboundError::TooLong | OutboundError::NotStored { .. } => {
            false
        }
        OutboundError::Unreachable(_) | OutboundError::Timeout | OutboundError::Busy { .. } => true,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::{clock::Hand, random::SystemSource, settings::read};
    use shared::core::Machine;

    use super::*;
    use crate::venue::{BuilderFee, VenueChain, deployment::Deployment};

    fn client(clock: Arc<Hand>) -> PerpVenueClient {
        let (chain, venue) = (VenueChain::Testnet, Deployment::of(VenueChain::Testnet));
        let config = PerpVenueConfig {
            chain,
            chain_id: chain.chain_id(),
            rpc_url: chain.rpc_url().to_owned(),
            own_rpc_url: chain.rpc_url().into(),
            info_url: chain.info_url().into(),
            usdc: venue.usdc,
            deposit_contract: venue.deposit_contract,
            usdc_token: venue.usdc_token.parse().unwrap(),
            referral_code: None,
            builder: Address::repeat_byte(7),
            builder_fee: "0.05%".parse::<BuilderFee>().unwrap(),
        };
        let machine = Machine::with(clock, Arc::new(SystemSource));
        let core = Core::new(read(|_| Some("x".to_owned())).unwrap(), &machine);
        PerpVenueClient::new(Arc::new(config), &core)
    }

    #[test]
    fn answers_are_cached_for_5_seconds_by_wallet_and_question() {
        let clock = Arc::new(Hand::default());
        let client = client(clock.clone());
        let (one, other) = (Address::repeat_byte(1), Address::repeat_byte(2));
        client.keep(one, Timestamp(0), &[Fact::BuilderFee(50)]);
        let recall = |wallet, question| {
            let mut facts = Facts::default();
            let open = client.recall(wallet, &[question], &mut facts);
            open.is_empty().then_some(facts.builder_fee)
        };
        clock.set(4_999);
        assert_eq!(recall(one, Question::BuilderFee), Some(Some(50)));
        assert_eq!(recall(one, Question::Mode), None);
        assert_eq!(recall(other, Question::BuilderFee), None);
        // An answer to an earlier question does not replace it.
        client.keep(one, Timestamp(-1), &[Fact::BuilderFee(0)]);
        assert_eq!(recall(one, Question::BuilderFee), Some(Some(50)));
        clock.set(5_000);
        assert_eq!(recall(one, Question::BuilderFee), None);
        // Its age counts from the question, not from the answer.
        client.keep(one, Timestamp(1_000), &[Fact::BuilderFee(60)]);
        assert_eq!(recall(one, Question::BuilderFee), Some(Some(60)));
        clock.set(6_000);
        assert_eq!(recall(one, Question::BuilderFee), None);
    }

    #[test]
    fn the_cache_does_not_exceed_its_limit() {
        let clock = Arc::new(Hand::default());
        let client = client(clock.clone());
        let wallet = |n: usize| Address::left_padding_from(&n.to_be_bytes());
        for n in 0..25_000 {
            client.keep(wallet(n), clock.now(), &[Fact::BuilderFee(50)]);
            assert!(client.kept().len() <= MOST_KEPT);
        }
        let fresh = client.kept().len();
        assert!(fresh > 0);
        // Old answers are removed first.
        clock.set(5_000);
        for n in 0..MOST_KEPT {
            client.keep(wallet(n), clock.now(), &[Fact::TransferFee(Usdc::ONE)]);
        }
        assert_eq!(client.kept().values().filter(|(at, _)| at.0 == 5_000).count(), MOST_KEPT);
    }

    /// The state that follows from the usual answers of a chain, some of them replaced by `own`.
    fn answered(own: &[(ChainRead, Value)]) -> Result<ChainState, Misconfigured> {
        let all = ChainRead::ALL.iter().enumerate().map(|(id, read)| {
            let usual = match read {
                ChainRead::ChainId => json!("0x3e6"),
                ChainRead::NativeBalance | ChainRead::GasPrice => json!("0x10"),
                ChainRead::Code => json!("0x"),
                ChainRead::UsdcCode | ChainRead::DepositCode => json!("0x60"),
                ChainRead::Token => {
                    let usdc = Deployment::of(VenueChain::Testnet).usdc;
                    json!(format!("{:#x}", usdc.into_word()))
                }
                _ => json!(format!("0x{:064x}", 1)),
            };
            let own = own.iter().find(|(of, _)| of == read).map(|(_, result)| result.clone());
            json!({ "jsonrpc": "2.0", "id": id, "result": own.unwrap_or(usual) })
        });
        // The order of answers does not matter.
        client(Arc::default()).state_of(&all.rev().collect::<Vec<_>>())
    }

    #[test]
    fn only_valid_quantities_and_words_are_parsed() {
        let all = answered(&[]).unwrap();
        assert_eq!(all.native_balance, Some(U256::from(16)));
        assert_eq!(
            (all.paused, all.account_exists, all.is_contract),
            (Some(true), Some(true), Some(false))
        );
        // Forwarding is off.
        assert_eq!(all.arrives_in_perps, Some(false));
        // Fees round up, even a hundredth of a millionth.
        assert_eq!(all.activation_fee, Some(Usdc::from_micros(U256::ONE)));
        for quantity in ["0x", "", "10", "0xg", "0x_1", "-0x1", &format!("0x1{}", "0".repeat(64))] {
            let state = answered(&[(ChainRead::NativeBalance, json!(quantity))]).unwrap();
            assert_eq!(state.native_balance, None, "{quantity}");
            let state = answered(&[(ChainRead::ChainId, json!(quantity))]);
            assert_eq!(state, Ok(ChainState::default()));
        }
        let long = format!("0x{:066x}", 1);
        for word in ["", "0x1", &long, &format!("0x{}", "g".repeat(64))] {
            let state = answered(&[(ChainRead::UsdcBalance, json!(word))]).unwrap();
            assert_eq!(state.usdc_balance, None, "{word}");
        }
    }

    #[test]
    fn a_chain_that_contradicts_the_settings_is_an_error() {
        use ChainRead::{
            AccountExists, ChainId, DepositCode, Paused, Token, UsdcBalance, UsdcCode,
        };
        let (none, other) = (json!("0x"), json!(format!("0x{:064x}", 7)));
        for (own, error) in [
            (vec![(ChainId, json!("0x3e7"))], Misconfigured::Chain),
            (
                vec![(UsdcCode, none.clone()), (UsdcBalance, none.clone())],
                Misconfigured::NoContract,
            ),
            (vec![(DepositCode, none.clone()), (Paused, none.clone())], Misconfigured::NoContract),
            (vec![(Token, other)], Misconfigured::AnotherToken),
        ] {
            assert_eq!(answered(&own), Err(error));
        }
        // If only one of the two is missing, the node lags.
        for read in [UsdcCode, UsdcBalance, DepositCode, Paused, Token] {
            assert!(answered(&[(read, none.clone())]).is_ok(), "{read:?}");
        }
        // A later answer that leaves it open does not clear a contradiction.
        assert!(answered(&[]).unwrap().is_agreed());
        for read in [UsdcBalance, Paused, Token] {
            assert!(!answered(&[(read, none.clone())]).unwrap().is_agreed(), "{read:?}");
        }
        // Chains other than the venue's own lack this precompile.
        let state = answered(&[(AccountExists, none)]).unwrap();
        assert_eq!(state.account_exists, None);
    }

    #[test]
    fn a_delegation_is_not_a_contract() {
        let delegated = format!("0xef0100{}", "ab".repeat(20));
        for (code, expected) in [
            ("0x", Some(false)),
            (delegated.as_str(), Some(false)),
            ("0xef0100", Some(true)),
            (&format!("{delegated}00"), Some(true)),
            ("0x6000", Some(true)),
            ("0x600", None),
            ("x", None),
        ] {
            let state = answered(&[(ChainRead::Code, json!(code))]).unwrap();
            assert_eq!(state.is_contract, expected, "{code}");
        }
    }

    /// Providers number answers in their own way, and omit some.
    #[test]
    fn odd_answers_do_not_affect_the_others() {
        let client = client(Arc::default());
        let answers = [
            json!({ "id": "0", "result": "0x3e6" }),
            json!({ "id": null, "error": { "code": -32600, "message": "no" } }),
            json!("nonsense"),
            json!({ "id": 1.5, "result": "0x1" }),
            json!({ "id": 2, "result": "0x7" }),
            json!({ "id": 3, "error": { "code": -32005, "message": "limit" } }),
        ];
        let state = client.state_of(&answers).unwrap();
        let expected = ChainState { gas_price: Some(U256::from(7)), ..ChainState::default() };
        assert_eq!(state, expected);
    }
}
