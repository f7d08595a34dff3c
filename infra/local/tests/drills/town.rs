//! A small exchange with everything in progress concurrently.

use std::{collections::BTreeMap, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bitcoin::{Address, Amount, Txid};
use chain::models::{mint::MintId, transaction::TransactionState, vm_transaction::RefundState};
use hyper_util::{
    client::legacy::{Client as Http, connect::HttpConnector},
    rt::TokioExecutor,
};
use local::{
    LocalStack,
    bitcoin::Etching,
    client::Answer,
    ministack::Ministack,
    mints::{MintWorld, Trader, txid_of},
    mood::SharedMood,
    server::Server,
    wallets::{NETWORK, Wallet},
};
use ordinals::RuneId;
use serde_json::{Value, json};

/// A stack whose every outside party can be taken down.
pub(crate) struct Town {
    pub(crate) world: MintWorld,
    pub(crate) kms: SharedMood,
    _kms: Server,
    paid_out: Vec<Withdrawn>,
}

/// A withdrawal to an address that receives nothing else.
pub(crate) struct Withdrawn {
    pub(crate) txid: Txid,
    pub(crate) to: Address,
    pub(crate) sats: u64,
}

#[derive(Clone)]
struct Gate {
    upstream: String,
    http: Http<HttpConnector, Body>,
}

async fn pass_on(State(gate): State<Gate>, mut request: Request) -> Response {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = format!("{}{path}", gate.upstream).parse().unwrap();
    request.headers_mut().remove(http::header::HOST);
    gate.http.request(request).await.unwrap().map(Body::new).into_response()
}

/// An address that receives nothing else.
pub(crate) fn fresh_address(seed: u64) -> Address {
    let address: Address<_> = Wallet::p2tr(50_000 + seed).address().parse().unwrap();
    address.require_network(NETWORK).unwrap()
}

impl Town {
    pub(crate) async fn start(supply: u128) -> Self {
        let upstream = Ministack::shared().await.unwrap().url().to_owned();
        let http = Http::builder(TokioExecutor::new()).build_http();
        let router = Router::new().fallback(pass_on).with_state(Gate { upstream, http });
        let kms = SharedMood::default();
        let server = Server::moody(router, &kms).await.unwrap();
        let stack = LocalStack::builder().bitcoin();
        let stack = stack.setting("AWS_ENDPOINT_URL_KMS", server.url()).build().await;
        let world = MintWorld::of(stack, supply).await;
        Self { world, kms, _kms: server, paid_out: Vec::new() }
    }

    /// Creates a withdrawal of BTC; `replaces` names one whose fee is too low.
    pub(crate) async fn create_withdrawal(
        &self,
        trader: &Trader,
        to: &Address,
        sats: u64,
        replaces: Option<Txid>,
    ) -> Answer {
        let mut params = json!({
            "amount": sats.to_string(),
            "tokenId": "0:0",
            "withdrawTo": to.to_string(),
            "xchainData": "0xdeadbeef",
        });
        if let Some(replaced) = replaces {
            params["replaceTxId"] = json!(replaced);
        }
        let body = json!({ "type": "xchain-withdraw", "params": params });
        let token = self.world.token(trader).await;
        let call = self.world.client.post("/api/xchain/transaction").bearer(&token);
        call.json(&body).send().await
    }

    pub(crate) async fn sign_withdrawal(&self, trader: &Trader, created: &Answer) -> Answer {
        let signed = trader.signed(created.text_of("base64Psbt"));
        let body = json!({ "type": "xchain-withdraw", "params": { "signedBase64Tx": signed } });
        let token = self.world.token(trader).await;
        let call = self.world.client.post("/api/xchain/transaction/sign").bearer(&token);
        call.json(&body).send().await
    }

    /// Withdraws; the network need not have it yet.
    pub(crate) async fn withdraw(&mut self, trader: &Trader, seed: u64, sats: u64) -> Txid {
        let to = fresh_address(seed);
        let created = self.create_withdrawal(trader, &to, sats, None).await.expect(201);
        self.sign_withdrawal(trader, &created).await.expect(201);
        let txid = txid_of(&created);
        self.paid_out.push(Withdrawn { txid, to, sats });
        txid
    }

    /// Records a withdrawal that was signed elsewhere.
    pub(crate) fn expect_payment(&mut self, txid: Txid, seed: u64, sats: u64) {
        self.paid_out.push(Withdrawn { txid, to: fresh_address(seed), sats });
    }

    /// The withdrawal to this address.
    pub(crate) fn txid_to(&self, seed: u64) -> Txid {
        let to = fresh_address(seed);
        self.paid_out.iter().find(|one| one.to == to).unwrap().txid
    }

    /// Replaces a withdrawal by an identical one at the current rate.
    pub(crate) async fn raise_fee(&mut self, trader: &Trader, txid: Txid) -> Txid {
        let place = self.paid_out.iter().position(|one| one.txid == txid).unwrap();
        let Withdrawn { to, sats, .. } = &self.paid_out[place];
        let created = self.create_withdrawal(trader, to, *sats, Some(txid)).await.expect(201);
        self.sign_withdrawal(trader, &created).await.expect(201);
        self.paid_out[place].txid = txid_of(&created);
        txid_of(&created)
    }

    /// Etches another rune, with the whole supply in the pool.
    pub(crate) async fn etch_another(&self) -> RuneId {
        let to = self.world.pool.address(NETWORK);
        let etching = Etching {
            name: "ANOTHER•MINT•RUNE".to_owned(),
            supply: 100_000,
            divisibility: 0,
            to: Some(to),
        };
        let rune = self.world.stack.bitcoin().etch(&etching).await.unwrap();
        self.world.mine(6).await;
        rune
    }

    /// Creates and signs a batch for this rune, which the network accepts.
    pub(crate) async fn bid_for(
        &self,
        rune: RuneId,
        trader: &Trader,
        requests: u64,
        price: u64,
    ) -> Txid {
        let mut body = self.world.batch_of(trader, requests, price);
        body["runeId"] = json!(rune.to_string());
        let token = self.world.token(trader).await;
        let call = self.world.client.post("/api/vm-transactions").bearer(&token);
        let created = call.json(&body).send().await.expect(201);
        let signed = trader.signed(created.text_of("base64Psbt"));
        self.world.sign(trader, &signed).await.expect(201);
        txid_of(&created)
    }

    /// Sets Esplora's estimate for every target, in sat/vB.
    pub(crate) fn set_rate(&self, rate: f64) {
        let fees = [1, 2, 3, 6, 12, 144].map(|target| (target, rate));
        self.world.stack.bitcoin().set_fees(BTreeMap::from(fees)).unwrap();
    }

    /// Mines a block of the transactions that pay at least this rate, in sat/vB, as miners do while fees are
    /// high.
    pub(crate) async fn mine_from(&self, lowest_rate: u64) {
        let chain = self.world.stack.bitcoin();
        let mempool = chain.rpc("getrawmempool", json!([true])).await.unwrap();
        let mempool = mempool.as_object().unwrap();
        let pays = |entry: &Value| {
            let fee = Amount::from_btc(entry["fees"]["ancestor"].as_f64().unwrap()).unwrap();
            fee.to_sat() >= entry["ancestorsize"].as_u64().unwrap() * lowest_rate
        };
        let mut taken: Vec<_> = mempool.iter().filter(|(_, entry)| pays(entry)).collect();
        taken.sort_by_key(|(_, entry)| entry["ancestorcount"].as_u64());
        let taken: Vec<_> = taken.into_iter().map(|(txid, _)| txid.parse().unwrap()).collect();
        self.mine_these(&taken).await;
        self.world.watch().await;
    }

    async fn mine_these(&self, transactions: &[Txid]) {
        let miner = Wallet::p2tr(5).address().to_owned();
        let chain = self.world.stack.bitcoin();
        chain.rpc("generateblock", json!([miner, transactions])).await.unwrap();
    }

    /// Ten minutes of work: the watcher runs each minute, then a block with this lowest rate is mined.
    pub(crate) async fn ten_minutes(&self, lowest_rate: u64) {
        for _minute in 0..10 {
            self.world.stack.clock().advance(Duration::from_secs(60));
            self.world.stack.tick("chain-watcher").await.unwrap();
        }
        self.mine_from(lowest_rate).await;
    }

    /// The stuck rows that the watcher measures, over all origins.
    pub(crate) async fn stuck_rows(&self) -> u64 {
        let metrics = chain_watcher::measure(self.world.stack.app()).await.unwrap();
        let stuck = metrics.iter().filter(|metric| metric.name.starts_with("Stuck"));
        stuck.map(|metric| metric.value).sum()
    }

    /// Asserts that the chain has decided every signed transaction, and that nothing happened twice.
    pub(crate) async fn assert_everything_ended(&self, mints: &[MintId]) {
        use TransactionState::{Broadcasting, InMempool, Signing};
        for table in self.world.stack.contents() {
            for item in table["Items"].as_array().unwrap() {
                if item["entity"]["S"] != "issuedTransaction" {
                    continue;
                }
                let txid = item["txid"]["S"].as_str().unwrap().parse().unwrap();
                let row = self.world.issued(txid).await;
                let is_open = matches!(row.state, Signing | Broadcasting | InMempool);
                assert!(!is_open, "{txid} for {:?} is still {:?}", row.work, row.state);
            }
        }
        for withdrawn in &self.paid_out {
            let coins = self.world.stack.bitcoin().coins(&withdrawn.to).await.unwrap();
            let received: Vec<_> = coins.iter().map(|coin| coin.output.value.to_sat()).collect();
            assert_eq!(received, [withdrawn.sats], "{}", withdrawn.txid);
        }
        for mint in mints {
            for row in self.world.vms(*mint).await {
                assert_ne!(row.refund_state, RefundState::Broadcast, "{}", row.txid);
                assert!(!row.is_open() || row.is_refundable(), "{} is {}", row.txid, row.state);
            }
        }
    }
}
