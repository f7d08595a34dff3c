//! Who may read.

use local::wallets::{Wallet, sign_in};
use serde_json::json;
use shared::{
    accounts,
    auth::limits::{SUPPORT_BY_ACCOUNT, SUPPORT_SUBJECT_BY_ACCOUNT},
    keys,
    models::account::{Account, Role},
    problem::Problem,
};
use store::Update;

use super::*;

/// A path of each endpoint, about an account and one of its webhooks.
fn all_paths(account: &str) -> Vec<String> {
    let id = "018bcfe5-6800-7000-8000-000000000001";
    let more = [
        format!("/search?q={account}"),
        format!("/accounts/{account}/webhooks/{id}/deliveries"),
        format!("/transactions/{}", "11".repeat(32)),
        "/stuck".to_owned(),
        "/payouts".to_owned(),
        format!("/reads?accountId={account}"),
    ];
    paths_of(account).into_iter().map(|(path, _)| path).chain(more).collect()
}

#[tokio::test]
async fn only_an_account_whose_row_has_the_role_may_read() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    let paths = all_paths(&user.account);
    assert_eq!(paths.len(), support::routes().table().len(), "a path of each endpoint");
    let get = async |path: &str, token: &str| {
        world.client.get(format!("/api/support{path}")).bearer(token).send().await
    };
    for path in &paths {
        world
            .client
            .get(format!("/api/support{path}"))
            .send()
            .await
            .expect_error(Problem::NoAuthorization);
        get(path, &user.access_token).await.expect_error(Problem::Forbidden);
    }
    // The token of a former admin still names the role, and its session is alive.
    let demoted = Update::new().set(Account::ROLE, Role::User);
    world.stack.change_account(&world.admin.account, demoted).await;
    for path in &paths {
        get(path, &world.admin.access_token).await.expect_error(Problem::Forbidden);
    }
    let promoted = Update::new().set(Account::ROLE, Role::Admin);
    world.stack.change_account(&world.admin.account, promoted).await;
    let (by, id) = ("adminId", world.admin.account.clone());
    assert_eq!(world.recorded(by, &id).await, Vec::<Value>::new(), "refusals are no reads");
    assert_eq!(world.recorded("accountId", &user.account).await, Vec::<Value>::new());
}

#[tokio::test]
async fn the_reads_of_an_admin_are_limited() {
    let world = World::start().await;
    let user = sign_in(&world.client, &Wallet::p2wpkh(1)).await;
    let path = format!("/accounts/{}", user.account);
    for left in (0..SUPPORT_BY_ACCOUNT.most).rev() {
        let answer = world.read(&path).await;
        let told = format!("\"supportByAccount\";r={left};");
        assert!(answer.header("ratelimit").starts_with(&told), "{answer}");
    }
    let refused = world.try_read(&path).await.expect_error(Problem::RateLimited);
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    world.stack.clock().advance(std::time::Duration::from_secs(wait));
    world.read(&path).await;
}

/// A stolen session of an admin cannot read the accounts of all customers.
#[tokio::test]
async fn an_admin_reads_only_so_many_accounts() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    let store = &world.stack.app().store;
    let account = accounts::get(store, account_of(&user)).await.unwrap().unwrap();
    let path = |n: u32| format!("/accounts/018bcfe5-6800-7000-8000-{n:012}");
    for n in 0..SUPPORT_SUBJECT_BY_ACCOUNT.most {
        let id = path(n).rsplit('/').next().unwrap().parse().unwrap();
        let other = Account { id, ..account.clone() };
        store.put(&keys::account(id), &other).await.unwrap();
        world.read(&path(n)).await;
    }
    // Each account counts once.
    for list in ["", "/transactions", "/activity"] {
        world.read(&format!("{}{list}", path(0))).await;
    }
    let refused = world.try_read(&format!("/accounts/{}", user.account)).await;
    let refused = refused.expect_error(Problem::RateLimited);
    for (path, _) in paths_of(&user.account) {
        world.try_read(&path).await.expect_error(Problem::RateLimited);
    }
    // Accounts that a search would show count too. If there are too many, it shows none.
    world.try_search("ann@example.com").await.expect_error(Problem::RateLimited);
    world.search("nobody@example.com").await;
    world.read(&path(1)).await;
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    world.stack.clock().advance(std::time::Duration::from_secs(wait));
    let admin = local::admin(&world.stack, &world.client).await;
    let call = world.client.get(format!("/api/support/accounts/{}", user.account));
    call.bearer(&admin.access_token).send().await.expect(200);
    let call = world.client.get(format!("/api/support/reads?accountId={}", user.account));
    let recorded = call.bearer(&admin.access_token).send().await.expect(200);
    assert_eq!(column(&recorded, "read"), [json!("account")], "refusals are no reads");
}

#[tokio::test]
async fn a_missing_thing_is_not_found_and_bad_input_is_named() {
    let world = World::start().await;
    let nobody = "018bcfe5-6800-7000-8000-000000000001";
    for (path, _) in paths_of(nobody) {
        world.try_read(&path).await.expect_error(Problem::NoSuchAccount);
    }
    let user = world.user(1, "ann@example.com").await;
    let account = &user.account;
    let deliveries = |account: &str| format!("/accounts/{account}/webhooks/{nobody}/deliveries");
    world.try_read(&deliveries(account)).await.expect_error(Problem::WebhookNotFound);
    world.try_read(&deliveries(nobody)).await.expect_error(Problem::NoSuchAccount);
    let transaction = format!("/transactions/{}", "11".repeat(32));
    world.try_read(&transaction).await.expect_error(Problem::TransactionNotFound);
    for path in [
        "/accounts/x".to_owned(),
        "/transactions/x".to_owned(),
        "/search".to_owned(),
        "/search?q=%20".to_owned(),
        format!("/search?q={}", "a".repeat(201)),
        "/search?q=a&x=1".to_owned(),
        "/stuck?asOf=1".to_owned(),
        "/stuck?sort=x".to_owned(),
        "/reads".to_owned(),
        format!("/reads?accountId={account}&adminId={account}"),
        format!("/reads?accountId={account}&limit=101"),
        format!("/reads?accountId={account}&before=x"),
        format!("/accounts/{account}/transactions?type_eq=x"),
        // Filters of the public lists that would choose the rows of others.
        format!("/accounts/{account}/cross-chain?relatedAddress_eq=0xaa"),
        format!("/accounts/{account}/batches?tradingAddress_eq=bcrt1"),
        format!("/accounts/{account}/webhooks/x/deliveries"),
    ] {
        world.try_read(&path).await.expect_error(Problem::Validation);
    }
    let id = world.admin.account.clone();
    assert_eq!(world.recorded("adminId", &id).await, Vec::<Value>::new(), "nothing was shown");
}
