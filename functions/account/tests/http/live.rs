use local::wallets::{Wallet, sign_in};
use serde_json::json;
use shared::{
    http::routes::Access,
    models::account::{Account, Status},
    store::Update,
};

use crate::world;

/// Custody rule 19: every change by an account's owner, and every read of its secrets, checks that the
/// session is still valid. Only `me` and the list of events, which pages read again and again, trust the token for its
/// ten minutes.
#[tokio::test]
async fn custody_19_an_ended_session_changes_nothing() {
    let (stack, client, _) = world().await;
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
    let mut asked = Vec::new();
    for route in account::routes().table() {
        let owned = match route.access {
            Access::Public => false,
            Access::Bearer => !["/api/account/me", "/api/events"].contains(&&*route.path),
            Access::Admin => true,
        };
        if !owned {
            continue;
        }
        let path = route
            .path
            .replace("{address}", Wallet::evm(5).address())
            .replace("{id}", &"0".repeat(64));
        for (user, code) in [(&dead, "4010"), (&disabled, "4011"), (&loose, "4010")] {
            let call = client.request(route.method.clone(), &path).bearer(&user.access_token);
            let answer = call.json(&json!({})).send().await;
            let case = format!("{} {path}", route.method);
            assert_eq!((answer.status, answer.code()), (401, code), "{case}: {answer}");
        }
        asked.push(path);
    }
    assert!(asked.len() >= 20, "{asked:?}");
    assert_eq!(stack.contents(), before, "nothing was written");
    let list = client.get("/api/account/addresses").bearer(&live.access_token);
    list.send().await.expect(200);
}
