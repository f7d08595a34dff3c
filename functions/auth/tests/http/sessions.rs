use local::wallets::{Wallet, sign_in, sign_in_by_challenge};
use serde_json::{Value, json};
use shared::{
    models::account::{Account, Role, Status},
    problem::Problem,
};
use store::Update;

use crate::{is_alive, refresh, world};

#[tokio::test]
async fn sessions_are_listed_and_revoked() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let (here, there) =
        (sign_in(&client, &wallet).await, sign_in_by_challenge(&client, &wallet).await);
    let stranger = sign_in(&client, &Wallet::p2wpkh(2)).await;

    let list = || client.get("/auth/sessions").bearer(&here.access_token).send();
    let listed = list().await.expect(200);
    let sessions = listed.data().as_array().unwrap();
    assert_eq!(sessions.len(), 2, "checklist 19: each of two sign-ins");
    let other = sessions.iter().find(|session| session["current"] == false).unwrap()["id"]
        .as_str()
        .unwrap();
    let path = format!("/auth/sessions/{other}");

    client
        .delete(&path)
        .bearer(&stranger.access_token)
        .send()
        .await
        .expect_error_for(Problem::SessionNotFound, "checklist 30: sessions");
    assert!(is_alive(&client, &there).await, "another account ended the session");
    client.delete(&path).bearer(&here.access_token).send().await.expect(200);
    assert!(!is_alive(&client, &there).await);
    refresh(&client, &there.refresh_token).await.expect_error(Problem::InvalidRefreshToken);
    client
        .delete(&path)
        .bearer(&here.access_token)
        .send()
        .await
        .expect_error(Problem::SessionNotFound);
    client
        .delete("/auth/sessions/7")
        .bearer(&here.access_token)
        .send()
        .await
        .expect_error(Problem::Validation);
    assert_eq!(list().await.expect(200).data().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn logout_invalidates_the_refresh_token() {
    let (_stack, client) = world().await;
    let signed_in = sign_in(&client, &Wallet::p2wpkh(3)).await;
    let logout = || client.post("/auth/logout").bearer(&signed_in.access_token).send();
    assert_eq!(logout().await.expect(200).data(), &Value::Null);
    logout().await.expect(200);
    assert!(!is_alive(&client, &signed_in).await);
    refresh(&client, &signed_in.refresh_token)
        .await
        .expect_error_for(Problem::InvalidRefreshToken, "checklist 21: its refresh token");
}

#[tokio::test]
async fn auth_is_also_served_under_api() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(4);
    let challenge =
        client.get(format!("/api/auth/wallet/challenge?address={}", wallet.address())).send().await;
    let body = wallet.signed_challenge(&challenge.expect(200));
    let signed_in = client.post("/api/auth/authenticate").json(&body).send().await.expect(200);
    let body = json!({ "refreshToken": signed_in.text_of("refreshToken") });
    let token = client.post("/api/auth/refresh-token").json(&body).send().await.expect(200);
    let token = token.text_of("accessToken");
    let listed = client.get("/api/auth/sessions").bearer(token).send().await.expect(200);
    let id = listed.data()[0]["id"].as_str().unwrap();
    client.delete(format!("/api/auth/sessions/{id}")).bearer(token).send().await.expect(200);
    client.post("/api/auth/logout").bearer(token).send().await.expect(200);
}

#[tokio::test]
async fn custody_19_a_new_epoch_ends_every_session() {
    let (stack, client) = world().await;
    let signed_in = sign_in(&client, &Wallet::p2wpkh(5)).await;
    stack.change_account(&signed_in.account, Update::new().set(Account::EPOCH, 1)).await;
    client
        .get("/auth/sessions")
        .bearer(&signed_in.access_token)
        .send()
        .await
        .expect_error_for(Problem::SessionEnded, "checklist 23: sessions of an earlier epoch");
    refresh(&client, &signed_in.refresh_token).await.expect_error(Problem::InvalidRefreshToken);
    assert!(
        is_alive(&client, &sign_in(&client, &Wallet::p2wpkh(5)).await).await,
        "a new sign-in belongs to the new epoch"
    );
}

#[tokio::test]
async fn custody_19_a_demoted_admin_loses_access_with_the_old_token() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    client.get("/api/account").bearer(&admin.access_token).send().await.expect(200);
    stack.set_role(&admin.account, Role::User).await;
    client
        .get("/api/account")
        .bearer(&admin.access_token)
        .send()
        .await
        .expect_error_for(Problem::Forbidden, "checklist 32: a demoted admin");
}

#[tokio::test]
async fn custody_19_a_role_in_a_body_is_ignored() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(6);
    let mut body = wallet.signed(&format!("Sign in to Runeport: {}", client.now().0));
    body["role"] = json!("admin");
    body["account"] = json!({ "role": "admin" });
    let signed_in = client.post("/auth/authenticate").json(&body).send().await.expect(200);
    assert_eq!(signed_in.data()["account"]["role"], "user");
    let token = signed_in.text_of("accessToken");
    client.get("/api/account").bearer(token).send().await.expect_error(Problem::Forbidden);
}

#[tokio::test]
async fn a_disabled_account_has_no_access() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(7);
    let signed_in = sign_in(&client, &wallet).await;
    stack
        .change_account(&signed_in.account, Update::new().set(Account::STATUS, Status::Disabled))
        .await;
    for path in ["/auth/sessions", "/api/account/me"] {
        client
            .get(path)
            .bearer(&signed_in.access_token)
            .send()
            .await
            .expect_error_for(Problem::AccountDisabled, "checklist 22: access tokens");
    }
    refresh(&client, &signed_in.refresh_token)
        .await
        .expect_error_for(Problem::AccountDisabled, "checklist 22: refresh tokens");
    let body = wallet.signed(&format!("Sign in to Runeport: {}", client.now().0 + 1));
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::AccountDisabled);
}
