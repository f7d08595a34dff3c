//! What a token is still good for after its session has ended.

use local::wallets::{Wallet, sign_in};
use serde_json::json;
use shared::{
    http::routes::Access,
    models::account::{Account, Status},
};
use store::Update;

use crate::{concrete, world};

/// Routes that trust a token for its ten minutes, because pages read them again and again and they show no secrets; and
/// the end of the session itself.
const TRUSTING: [&str; 12] = [
    "GET /api/account/me",
    "GET /api/account/trading-wallet/deposits",
    "GET /api/events",
    "GET /api/prizes",
    "GET /api/prizes/{prizeNumber}",
    "GET /api/refund/{txId}",
    "GET /api/transactions",
    "GET /api/transactions/{txId}",
    "GET /api/xchain/affiliate",
    "GET /api/xchain/transactions/{txId}/status",
    "POST /api/auth/logout",
    "POST /auth/logout",
];

/// Custody rule 19: every change, and every read of a secret or of a link to a file, checks that the session is still valid.
#[tokio::test]
async fn custody_19_an_ended_session_changes_nothing() {
    let (stack, client) = world().await;
    let (live, dead, disabled, loose) = (
        sign_in(&client, &Wallet::evm(1)).await,
        sign_in(&client, &Wallet::evm(2)).await,
        sign_in(&client, &Wallet::evm(3)).await,
        sign_in(&client, &Wallet::evm(4)).await,
    );
    stack.change_account(&dead.account, Update::new().set(Account::EPOCH, 1)).await;
    stack
        .change_account(&disabled.account, Update::new().set(Account::STATUS, Status::Disabled))
        .await;
    client.post("/auth/logout").bearer(&loose.access_token).send().await.expect(200);
    let before = stack.contents();
    let (mut checking, mut trusting) = (0, Vec::new());
    for route in local::functions::table() {
        let name = format!("{} {}", route.method, route.path);
        if route.access == Access::Public {
            continue;
        }
        if TRUSTING.contains(&name.as_str()) {
            trusting.push((name, route));
            continue;
        }
        for (user, code) in [(&dead, "4010"), (&disabled, "4011"), (&loose, "4010")] {
            let call = client.request(route.method.clone(), concrete(&route.path));
            let answer = call.bearer(&user.access_token).json(&json!({})).send().await;
            assert_eq!((answer.status, answer.code()), (401, code), "{name}: {answer}");
        }
        checking += 1;
    }
    assert!(checking >= 60, "{checking}");
    assert_eq!(stack.contents(), before, "nothing was written");
    for (name, route) in &trusting {
        let call = client.request(route.method.clone(), concrete(&route.path));
        let answer = call.bearer(&dead.access_token).send().await;
        assert_ne!(answer.status, 401, "{name} checks the session after all: {answer}");
    }
    assert_eq!(trusting.len(), TRUSTING.len());
    let list = client.get("/api/account/addresses").bearer(&live.access_token);
    list.send().await.expect(200);
}
