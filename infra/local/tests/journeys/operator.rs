//! Operators' commands, as `make admin` and `make rotate-keys` run them: the program, with the
//! environment of a deployment.

use std::{
    process::{Output, Stdio},
    time::Duration,
};

use local::{
    LocalStack,
    wallets::{Wallet, sign_in},
};
use tokio::process::Command;

use crate::world;

async fn run(stack: &LocalStack, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runeport-local"));
    command.args(arguments).env_clear().envs(stack.settings()).stdin(Stdio::null());
    command.output().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_given_by_address_and_taken_by_id() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let user = sign_in(&client, &wallet).await;
    let status = async || client.get("/api/account").bearer(&user.access_token).send().await.status;
    assert_eq!(status().await, 403);
    for _twice in 0..2 {
        let output = run(&stack, &["role", "--account", wallet.address(), "--role", "admin"]).await;
        assert!(output.status.success(), "{output:?}");
        assert_eq!(status().await, 200);
    }
    let output = run(&stack, &["role", "--account", &user.account, "--role", "user"]).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(status().await, 403);
    for unknown in [
        "0x00000000000000000000000000000000000000aa",
        "018bcfe5-6800-7000-8000-000000000001",
        "nobody",
    ] {
        let output = run(&stack, &["role", "--account", unknown, "--role", "admin"]).await;
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("no such account") && said.lines().count() == 1, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_rotate_and_tokens_of_the_one_before_stay_good() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2tr(2);
    let before = sign_in(&client, &wallet).await;
    let output = run(&stack, &["rotate-keys"]).await;
    assert!(output.status.success(), "{output:?}");
    stack.clock().advance(Duration::from_secs(301));
    let jwks = client.get("/.well-known/jwks.json").send().await.expect(200);
    let newest = jwks.body["keys"][0]["kid"].as_str().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains(newest));
    let after = sign_in(&client, &wallet).await;
    for token in [&before.access_token, &after.access_token] {
        client.get("/api/account/me").bearer(token).send().await.expect(200);
    }
}
