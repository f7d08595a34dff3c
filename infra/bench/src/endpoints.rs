//! Requests for the measured endpoints, in a prepared world. Each request succeeds once.

use std::{
    collections::BTreeMap,
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use alloy::primitives::utils::parse_ether;
use chain::{
    mints::Confirmation,
    models::{mint::MintId, xchain::Swap},
};
use local::{
    Answer, Client, LocalStack, SignedIn, SrpAccount, Wallet,
    client::Call,
    functions, hub,
    mints::{MintWorld, Paid, Trader},
    ord_double::Output,
    passkeys, wallets,
};
use perp_venue::venue::usdc::{Rounding, Usdc};
use serde_json::{Value, json};

/// A measured endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Health,
    Me,
    Keystore,
    Addresses,
    TradingWallet,
    Passkeys,
    Activity,
    Referral,
    Tokens,
    Accounts,
    Challenge,
    SignInNew,
    SignIn,
    SrpInit,
    SignInSrp,
    RegisterSrp,
    RegisterWallet,
    Sessions,
    EndSession,
    Refresh,
    Logout,
    Jwks,
    Config,
    Events,
    Webhooks,
    Prizes,
    RegisterSwap,
    SwapStatus,
    Swaps,
    Exports,
    CreateExport,
    PresignedUrl,
    CreateWithdrawal,
    SignWithdrawal,
    FeeRates,
    Balance,
    Coins,
    Utxos,
    LargestAmount,
    Withdraw,
    SignOwn,
    Release,
    OwnTransactions,
    VmTransactions,
    CountUnconfirmed,
    Mints,
    NextBlock,
    Blocks,
    CreateVmTransaction,
    SignVmTransaction,
    CalculateRefund,
    CreateRefund,
    SignRefund,
    VenueStatus,
    VenueDeposit,
    VenueReferral,
    VenueApproval,
    VenueWithdraw,
}

impl Endpoint {
    /// Endpoints that need no chain, in the order of the table: later endpoints list rows of earlier ones.
    pub(crate) const PLAIN: &[Self] = &[
        Self::Health,
        Self::Challenge,
        Self::SignInNew,
        Self::SignIn,
        Self::SrpInit,
        Self::SignInSrp,
        Self::RegisterSrp,
        Self::RegisterWallet,
        Self::Refresh,
        Self::Logout,
        Self::Sessions,
        Self::EndSession,
        Self::Jwks,
        Self::Config,
        Self::Me,
        Self::Keystore,
        Self::Addresses,
        Self::TradingWallet,
        Self::Passkeys,
        Self::Activity,
        Self::Referral,
        Self::Events,
        Self::Webhooks,
        Self::Tokens,
        Self::Accounts,
        Self::Prizes,
        Self::RegisterSwap,
        Self::SwapStatus,
        Self::Swaps,
        Self::Exports,
        Self::CreateExport,
        Self::PresignedUrl,
    ];

    /// Endpoints of Bitcoin transactions and of the venue, in the order of the table.
    pub(crate) const ON_CHAINS: &[Self] = &[
        Self::CreateWithdrawal,
        Self::SignWithdrawal,
        Self::FeeRates,
        Self::Balance,
        Self::Coins,
        Self::Utxos,
        Self::LargestAmount,
        Self::Withdraw,
        Self::SignOwn,
        Self::Release,
        Self::OwnTransactions,
        Self::CreateVmTransaction,
        Self::SignVmTransaction,
        Self::VmTransactions,
        Self::CountUnconfirmed,
        Self::Mints,
        Self::NextBlock,
        Self::Blocks,
        Self::CalculateRefund,
        Self::CreateRefund,
        Self::SignRefund,
        Self::VenueStatus,
        Self::VenueDeposit,
        Self::VenueReferral,
        Self::VenueApproval,
        Self::VenueWithdraw,
    ];

    /// Name of the endpoint in the tables.
    pub(crate) fn name(self) -> &'static str {
        self.function_and_name().1
    }

    /// Function that serves the endpoint.
    pub(crate) fn function(self) -> &'static str {
        self.function_and_name().0
    }

    /// Whether each request needs a user with coins or with a possible refund.
    fn takes_coins(self) -> bool {
        matches!(
            self,
            Self::CreateWithdrawal
                | Self::SignWithdrawal
                | Self::Balance
                | Self::Coins
                | Self::Utxos
                | Self::LargestAmount
                | Self::Withdraw
                | Self::SignOwn
                | Self::Release
                | Self::OwnTransactions
                | Self::CreateVmTransaction
                | Self::SignVmTransaction
                | Self::CalculateRefund
                | Self::CreateRefund
                | Self::SignRefund
        )
    }

    /// Function and name of the endpoint.
    fn function_and_name(self) -> (&'static str, &'static str) {
        match self {
            Self::Health => ("account", "GET /api/health"),
            Self::Me => ("account", "GET /api/account/me"),
            Self::Keystore => ("account", "GET /api/account/keystore"),
            Self::Addresses => ("account", "GET /api/account/addresses"),
            Self::TradingWallet => ("account", "GET /api/account/trading-wallet"),
            Self::Passkeys => ("account", "GET /api/account/passkeys"),
            Self::Activity => ("account", "GET /api/account/activity"),
            Self::Referral => ("account", "GET …/referral-code/{code}/verify"),
            Self::Tokens => ("account", "GET /api/tokens"),
            Self::Accounts => ("account", "GET /api/account"),
            Self::Challenge => ("auth", "GET /auth/wallet/challenge"),
            Self::SignInNew => ("auth", "POST /auth/authenticate, a new wallet"),
            Self::SignIn => ("auth", "POST /auth/authenticate, a known wallet"),
            Self::SrpInit => ("auth", "POST /auth/srp/init"),
            Self::SignInSrp => ("auth", "POST /auth/authenticate, a password"),
            Self::RegisterSrp => ("auth", "POST /auth/register/srp"),
            Self::RegisterWallet => ("auth", "POST /auth/register/wallet"),
            Self::Sessions => ("auth", "GET /auth/sessions"),
            Self::EndSession => ("auth", "DELETE /auth/sessions/{id}"),
            Self::Refresh => ("auth", "POST /auth/refresh-token"),
            Self::Logout => ("auth", "POST /auth/logout"),
            Self::Jwks => ("auth", "GET /.well-known/jwks.json"),
            Self::Config => ("auth", "GET /api/config"),
            Self::Events => ("account", "GET /api/events"),
            Self::Webhooks => ("account", "GET /api/webhooks"),
            Self::Prizes => ("prizes", "GET /api/prizes, page 2"),
            Self::RegisterSwap => ("xchain", "POST /api/xchain/transactions/register"),
            Self::SwapStatus => ("xchain", "GET …/transactions/{txId}/status"),
            Self::Swaps => ("xchain", "GET /api/xchain/transactions"),
            Self::CreateWithdrawal => ("xchain", "POST /api/xchain/transaction"),
            Self::SignWithdrawal => ("xchain", "POST /api/xchain/transaction/sign"),
            Self::Exports => ("download-histories", "GET /api/download-histories"),
            Self::CreateExport => ("download-histories", "POST /api/download-histories"),
            Self::PresignedUrl => ("medias", "POST /api/medias/presigned-url"),
            Self::FeeRates => ("transactions", "GET /api/bitcoin/fee-rates"),
            Self::Balance => ("transactions", "GET …/trading-wallet/balance"),
            Self::Coins => ("transactions", "GET …/trading-wallet/coins"),
            Self::Utxos => ("transactions", "GET /api/utxos"),
            Self::LargestAmount => ("transactions", "POST /api/transactions/max-spent"),
            Self::Withdraw => ("transactions", "POST /api/transactions"),
            Self::SignOwn => ("transactions", "POST /api/transactions/sign"),
            Self::Release => ("transactions", "DELETE /api/transactions/{txId}"),
            Self::OwnTransactions => ("transactions", "GET /api/transactions"),
            Self::VmTransactions => ("vm-transactions", "GET /api/vm-transactions"),
            Self::CountUnconfirmed => ("vm-transactions", "GET …/count-unconfirmed-requests"),
            Self::Mints => ("vm-transactions", "GET /api/vm-transactions/mints"),
            Self::NextBlock => ("vm-transactions", "GET …/mints/{id}/next-block"),
            Self::Blocks => ("vm-transactions", "GET …/mints/{id}/blocks"),
            Self::CreateVmTransaction => ("vm-transactions", "POST /api/vm-transactions"),
            Self::SignVmTransaction => ("vm-transactions", "POST /api/vm-transactions/sign"),
            Self::CalculateRefund => ("refund", "GET /api/refund/calculate"),
            Self::CreateRefund => ("refund", "POST /api/refund"),
            Self::SignRefund => ("refund", "POST /api/refund/sign"),
            Self::VenueStatus => ("perp-venue", "GET /api/perp-venue/status"),
            Self::VenueDeposit => ("perp-venue", "POST /api/perp-venue/deposit"),
            Self::VenueReferral => ("perp-venue", "POST /api/perp-venue/referral"),
            Self::VenueApproval => ("perp-venue", "POST /api/perp-venue/builder-fee-approval"),
            Self::VenueWithdraw => ("perp-venue", "POST /api/perp-venue/withdraw"),
        }
    }
}

/// A request that succeeds once.
pub(crate) struct Request {
    method: &'static str,
    path: String,
    token: Option<String>,
    body: Option<Value>,
    /// IP address of the client; the service limits the rate per address.
    source: Ipv4Addr,
}

impl Request {
    fn get(path: impl Into<String>) -> Self {
        let (path, source) = (path.into(), Ipv4Addr::LOCALHOST);
        Self { method: "GET", path, token: None, body: None, source }
    }

    fn post(path: impl Into<String>, body: Option<Value>) -> Self {
        Self { method: "POST", body, ..Self::get(path) }
    }

    fn by(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    pub(crate) async fn send(&self, client: &Client) -> Answer {
        let client = client.calling_from(self.source);
        let call = client.request(self.method.parse().unwrap(), &self.path);
        let call = self.token.iter().fold(call, |call, token| call.bearer(token));
        let answer = self.body.iter().fold(call, Call::json).send().await;
        assert!(answer.status < 300, "{answer}");
        answer
    }
}

/// A world that creates requests for endpoints. No two requests are the same.
pub(crate) struct Requests<'a> {
    pub(crate) stack: &'a LocalStack,
    /// Clock of the functions and of the peers.
    pub(crate) settings: BTreeMap<String, String>,
    client: Client,
    admin: SignedIn,
    /// A user with a password and therefore a keystore.
    user: SignedIn,
    /// When the admin and the user last signed in.
    signed_in: Instant,
    chains: Option<Chains<'a>>,
    /// Number of requests created so far; each has its own caller.
    next: u32,
}

/// Payments of the faucet before a block is mined. Each payment spends the change of the previous one, and
/// nodes accept at most 25 unconfirmed transactions in a row.
const MOST_UNCONFIRMED: usize = 20;

/// Bitcoin world and mint, if this world has chains.
struct Chains<'a> {
    world: &'a MintWorld,
    /// A mint that stays open.
    mint: MintId,
}

impl<'a> Requests<'a> {
    /// A scene in a world without chains. The benchmarks add sixty prizes to it.
    pub(crate) async fn of(stack: &'a LocalStack) -> Self {
        let requests = Self::in_world(stack).await;
        for number in 1..=60 {
            requests.prize(number).send(&requests.client).await;
        }
        requests
    }

    /// A scene in a world with chains and a mint. Its clock never moves, because the clock of the processes
    /// cannot move.
    pub(crate) async fn on_chains(world: &'a MintWorld) -> Self {
        let large = json!({ "tokensPerRequest": "1", "totalRequests": 100_000 });
        let chains = Some(Chains { world, mint: world.mint(&large).await });
        // The worker keeps the fee rates that one endpoint reads.
        world.stack.tick("chain-watcher").await.unwrap();
        Self { chains, ..Self::in_world(&world.stack).await }
    }

    /// A scene with an admin, and a user who has a password, a passkey and two exports.
    async fn in_world(stack: &'a LocalStack) -> Self {
        let client = stack.serve(functions::routes()).await;
        let admin = local::admin(stack, &client).await;
        let user = Self::password(0).register(&client).await;
        passkeys::add(&client, &mut passkeys::authenticator(), &user).await.expect(201);
        for _ in 0..2 {
            let ask = client.post("/api/download-histories").bearer(&user.access_token);
            ask.json(&json!({ "format": "csv" })).send().await.expect(201);
        }
        stack.make_exports().await;
        for symbol in ["BTC", "ETH", "SOL", "USDC"] {
            let token = json!({
                "tokenId": symbol.to_lowercase(), "chain": "1", "symbol": symbol, "divisibility": 8,
                "slots": ["usdc"],
            });
            let token = serde_json::from_value(token).unwrap();
            stack.enter_token(&token).await;
        }
        let mut settings = stack.settings().clone();
        settings.insert("BENCH_ACCOUNT".to_owned(), admin.account.clone());
        Self {
            stack,
            settings,
            client,
            admin,
            user,
            signed_in: Instant::now(),
            chains: None,
            next: 0,
        }
    }

    /// Signs the admin and the user in again once half of their tokens' lifetime of ten minutes has passed.
    pub(crate) async fn renew(&mut self) {
        if self.signed_in.elapsed() < Duration::from_secs(5 * 60) {
            return;
        }
        self.signed_in = Instant::now();
        self.admin = local::admin(self.stack, &self.client).await;
        self.user = Self::password(0).sign_in(&self.client).await;
    }

    /// Creates `count` requests to an endpoint.
    pub(crate) async fn make(&mut self, endpoint: Endpoint, count: usize) -> Vec<Request> {
        let mut callers = Vec::with_capacity(count);
        for _ in 0..count {
            self.next += 1;
            let [_, a, b, c] = self.next.to_be_bytes();
            callers.push((self.next, Ipv4Addr::new(127, a + 1, b, c)));
        }
        let mut made = Vec::with_capacity(count);
        for callers in callers.chunks(MOST_UNCONFIRMED) {
            if endpoint.takes_coins() {
                made.extend(self.with_coins(endpoint, callers).await);
                continue;
            }
            for (number, source) in callers {
                made.push(self.one(endpoint, *number, *source).await);
            }
        }
        let made = made.into_iter().zip(callers);
        made.map(|(request, (_, source))| Request { source, ..request }).collect()
    }

    async fn one(&self, endpoint: Endpoint, number: u32, source: Ipv4Addr) -> Request {
        let client = self.client.calling_from(source);
        let wallet = Wallet::p2wpkh(100_000 + u64::from(number));
        let (admin, user) = (self.admin.access_token.as_str(), self.user.access_token.as_str());
        let authenticate = |body| Request::post("/auth/authenticate", Some(body));
        match endpoint {
            Endpoint::Health => Request::get("/api/health"),
            Endpoint::Challenge => {
                Request::get(format!("/auth/wallet/challenge?address={}", wallet.address()))
            }
            Endpoint::SignInNew => {
                let challenge = wallets::challenge(&client, &wallet, "signIn", None).await;
                authenticate(wallet.signed_challenge(&challenge))
            }
            Endpoint::SignIn => {
                wallets::sign_in(&client, &wallet).await;
                authenticate(wallets::dated(&client, &wallet))
            }
            Endpoint::SrpInit => {
                let account = Self::password(number);
                account.register(&client).await;
                Request::post("/auth/srp/init", Some(json!({ "email": account.email })))
            }
            Endpoint::SignInSrp => {
                let account = Self::password(number);
                account.register(&client).await;
                authenticate(account.answer(&account.begin(&client).await).fields)
            }
            Endpoint::RegisterSrp => {
                let body = Self::password(number).registration(&"A".repeat(400));
                Request::post("/auth/register/srp", Some(body))
            }
            Endpoint::RegisterWallet => {
                let challenge = wallets::challenge(&client, &wallet, "signIn", None).await;
                let proof = wallet.signed_challenge(&challenge);
                let extras = json!({
                    "email": format!("wallet-{number}@example.com"), "encryptedBlob": "A".repeat(400),
                });
                Request::post("/auth/register/wallet", Some(wallets::with(proof, &extras)))
            }
            Endpoint::Sessions => Request::get("/auth/sessions").by(admin),
            Endpoint::EndSession => {
                let own = wallets::sign_in(&client, &wallet).await.access_token;
                wallets::sign_in(&client, &wallet).await;
                let sessions = client.get("/auth/sessions").bearer(&own).send().await.expect(200);
                let sessions = sessions.data().as_array().unwrap();
                let ended = sessions.iter().find(|session| session["current"] == false);
                let id = ended.unwrap()["id"].as_str().unwrap();
                Request { method: "DELETE", ..Request::get(format!("/auth/sessions/{id}")) }
                    .by(&own)
            }
            Endpoint::Refresh => {
                let session = wallets::sign_in(&client, &wallet).await;
                let body = json!({ "refreshToken": session.refresh_token });
                Request::post("/auth/refresh-token", Some(body))
            }
            Endpoint::Logout => {
                let session = wallets::sign_in(&client, &wallet).await;
                Request::post("/auth/logout", None).by(&session.access_token)
            }
            Endpoint::Jwks => Request::get("/.well-known/jwks.json"),
            Endpoint::Config => Request::get("/api/config"),
            Endpoint::Me => Request::get("/api/account/me").by(admin),
            Endpoint::Events => Request::get("/api/events").by(user),
            Endpoint::Webhooks => Request::get("/api/webhooks").by(user),
            Endpoint::Keystore => Request::get("/api/account/keystore").by(user),
            Endpoint::Addresses => Request::get("/api/account/addresses").by(admin),
            Endpoint::TradingWallet => Request::get("/api/account/trading-wallet").by(admin),
            Endpoint::Passkeys => Request::get("/api/account/passkeys").by(user),
            Endpoint::Activity => Request::get("/api/account/activity").by(admin),
            Endpoint::Referral => {
                let code = self.admin.data["account"]["referralCode"].as_str().unwrap();
                Request::get(format!("/api/account/referral-code/{code}/verify"))
            }
            Endpoint::Tokens => Request::get("/api/tokens"),
            Endpoint::Accounts => Request::get("/api/account").by(admin),
            Endpoint::Prizes => Request::get("/api/prizes?page=2&pageSize=25").by(admin),
            Endpoint::RegisterSwap => self.swap(&client, number).await.0,
            Endpoint::SwapStatus => {
                let (registered, swap, token) = self.swap(&client, number).await;
                registered.send(&client).await;
                let path = format!("/api/xchain/transactions/{}/status", swap.intent_tx_hash);
                Request::get(path).by(&token)
            }
            Endpoint::Swaps => Request::get("/api/xchain/transactions?pageSize=10"),
            Endpoint::Exports => Request::get("/api/download-histories").by(user),
            Endpoint::CreateExport => {
                let session = wallets::sign_in(&client, &wallet).await;
                let body = Some(json!({ "format": "csv" }));
                Request::post("/api/download-histories", body).by(&session.access_token)
            }
            Endpoint::PresignedUrl => {
                let session = wallets::sign_in(&client, &wallet).await;
                let body = Some(json!({ "files": [{ "filename": "picture.png" }] }));
                Request::post("/api/medias/presigned-url", body).by(&session.access_token)
            }
            Endpoint::VmTransactions => Request::get("/api/vm-transactions"),
            Endpoint::CountUnconfirmed => {
                Request::get("/api/vm-transactions/count-unconfirmed-requests")
            }
            Endpoint::Mints => Request::get("/api/vm-transactions/mints"),
            Endpoint::NextBlock => Request::get(self.of_the_mint("next-block")),
            Endpoint::Blocks => Request::get(self.of_the_mint("blocks")),
            Endpoint::FeeRates => Request::get("/api/bitcoin/fee-rates"),
            _ => self.at_the_venue(endpoint, &client, number).await,
        }
    }

    fn of_the_mint(&self, what: &str) -> String {
        let Chains { mint, .. } = self.chains.as_ref().unwrap();
        format!("/api/vm-transactions/mints/{mint}/{what}")
    }

    /// Creates one request for each of these callers, who have coins or a possible refund.
    async fn with_coins(&self, endpoint: Endpoint, callers: &[(u32, Ipv4Addr)]) -> Vec<Request> {
        let Chains { world, mint } = self.chains.as_ref().unwrap();
        let owed = matches!(
            endpoint,
            Endpoint::CalculateRefund | Endpoint::CreateRefund | Endpoint::SignRefund
        );
        let (mut traders, mut coins) = (Vec::new(), Vec::new());
        for (number, source) in callers {
            let client = self.client.calling_from(*source);
            let wallet = Wallet::p2wpkh(100_000 + u64::from(*number));
            let trader = Trader::sign_in(&client, wallet).await;
            coins.push(match owed {
                true => world.pay_treasury(&trader, 50_000).await,
                false => {
                    let coin = world.stack.bitcoin().fund(&trader.trading, 50_000).await.unwrap();
                    Paid { anchor: coin, output: coin }
                }
            });
            traders.push(trader);
        }
        let height = world.stack.bitcoin().mine(1).await.unwrap();
        if owed {
            let mint = world.mint_row(*mint).await;
            for ((trader, coin), position) in traders.iter().zip(coins).zip(1..) {
                let place = Confirmation { height, position };
                world.plant(&trader.owed(&mint, coin, 50_000, place)).await;
            }
        }
        let mut made = Vec::new();
        for trader in &traders {
            made.push(self.of_trader(world, endpoint, trader).await);
        }
        made
    }

    async fn of_trader(&self, world: &MintWorld, endpoint: Endpoint, by: &Trader) -> Request {
        let token = by.session.access_token.as_str();
        let withdraw = |params: Value| json!({ "type": "xchain-withdraw", "params": params });
        let withdrawal = withdraw(json!({
            "amount": "20000", "tokenId": "0:0", "withdrawTo": Wallet::p2tr(999).address(),
            "xchainData": "0xdeadbeef",
        }));
        let own = json!({
            "type": "withdraw",
            "params": {
                "amount": "20000", "tokenId": "0:0", "withdrawTo": Wallet::p2tr(999).address(),
            },
        });
        let (batch, refund) = (world.batch_of(by, 2, 1_000), world.refund_of(by));
        let create = |path: &str, body| Request::post(path, Some(body)).by(token);
        let signed = async |created: Request| {
            let answer = created.send(&self.client).await;
            by.signed(answer.text_of("base64Psbt"))
        };
        match endpoint {
            Endpoint::CreateWithdrawal => create("/api/xchain/transaction", withdrawal),
            Endpoint::SignWithdrawal => {
                let signed = signed(create("/api/xchain/transaction", withdrawal)).await;
                let body = withdraw(json!({ "signedBase64Tx": signed }));
                create("/api/xchain/transaction/sign", body)
            }
            Endpoint::Balance => Request::get("/api/account/trading-wallet/balance").by(token),
            Endpoint::Coins => Request::get("/api/account/trading-wallet/coins").by(token),
            Endpoint::Utxos => Request::get(format!("/api/utxos?address_eq={}", by.trading)),
            Endpoint::LargestAmount => {
                let params = json!({ "tokenId": "0:0", "withdrawTo": Wallet::p2tr(999).address() });
                let body = json!({ "type": "withdraw", "params": params });
                create("/api/transactions/max-spent", body)
            }
            Endpoint::Withdraw => create("/api/transactions", own),
            Endpoint::SignOwn => {
                let signed = signed(create("/api/transactions", own)).await;
                let body = json!({ "params": { "signedBase64Tx": signed } });
                create("/api/transactions/sign", body)
            }
            Endpoint::Release => {
                let created = create("/api/transactions", own).send(&self.client).await;
                let path = format!("/api/transactions/{}", created.text_of("txId"));
                Request { method: "DELETE", ..Request::get(path) }.by(token)
            }
            Endpoint::OwnTransactions => {
                create("/api/transactions", own).send(&self.client).await;
                Request::get("/api/transactions").by(token)
            }
            Endpoint::CreateVmTransaction => create("/api/vm-transactions", batch),
            Endpoint::SignVmTransaction => {
                let signed = signed(create("/api/vm-transactions", batch)).await;
                let body = json!({ "userAddress": by.address(), "signedBase64Tx": signed });
                create("/api/vm-transactions/sign", body)
            }
            Endpoint::CalculateRefund => Request::get(world.calculation_of(by)),
            Endpoint::CreateRefund => create("/api/refund", refund),
            Endpoint::SignRefund => {
                let signed = signed(create("/api/refund", refund)).await;
                let body = json!({ "userAddress": by.address(), "base64Psbt": signed });
                create("/api/refund/sign", body)
            }
            _ => panic!("no request is defined for {}", endpoint.name()),
        }
    }

    /// Creates a request by a user with USDC, gas and an account at the venue.
    async fn at_the_venue(&self, endpoint: Endpoint, client: &Client, number: u32) -> Request {
        let wallet = Wallet::evm(100_000 + u64::from(number));
        let session = wallets::sign_in(client, &wallet).await;
        let (venue, address) = (self.stack.venue(), wallet.address().parse().unwrap());
        let usdc = Usdc::read("100", Rounding::Down).unwrap();
        venue.set_usdc(address, usdc).await.unwrap();
        venue.set_gas(address, parse_ether("1").unwrap()).await.unwrap();
        venue.set_exists(address, true).await.unwrap();
        venue.set(address, |account| (account.perps, account.max_builder_fee) = (usdc, 50));
        let who = json!({ "userAddress": wallet.address() });
        let amount = json!({ "userAddress": wallet.address(), "amount": "10" });
        let post = |path: &str, body| Request::post(format!("/api/perp-venue/{path}"), Some(body));
        let request = match endpoint {
            Endpoint::VenueDeposit => post("deposit", amount),
            Endpoint::VenueReferral => post("referral", who),
            Endpoint::VenueApproval => post("builder-fee-approval", who),
            Endpoint::VenueWithdraw => post("withdraw", amount),
            Endpoint::VenueStatus => {
                Request::get(format!("/api/perp-venue/status?userAddress={}", wallet.address()))
            }
            _ => panic!("no request is defined for {}", endpoint.name()),
        };
        request.by(&session.access_token)
    }

    /// A swap that the hub knows and its owner registers.
    async fn swap(&self, client: &Client, number: u32) -> (Request, Swap, String) {
        let wallet = Wallet::evm(100_000 + u64::from(number));
        let session = wallets::sign_in(client, &wallet).await;
        let swap = hub::swap(&wallet, number.into());
        self.stack.hub().know(swap.clone());
        let register = Request::post("/api/xchain/transactions/register", Some(json!(swap)));
        (register.by(&session.access_token), swap, session.access_token)
    }

    fn password(number: u32) -> SrpAccount {
        SrpAccount::new(&format!("bench-{number}@example.com"), "correct horse battery staple")
    }

    fn prize(&self, number: u32) -> Request {
        let (utxo, inscription) = (format!("{number:064x}:0"), format!("{number:064x}i0"));
        let treasury = &self.stack.app().config.treasury.address;
        let held = Output::holding(utxo.parse().unwrap(), treasury, inscription.parse().unwrap());
        self.stack.ord().set(held);
        let body = json!({
            "prizeNumber": number, "name": "Prize",
            "inscriptionId": inscription, "controllingUtxo": utxo,
        });
        Request::post("/api/prizes", Some(body)).by(&self.admin.access_token)
    }
}
