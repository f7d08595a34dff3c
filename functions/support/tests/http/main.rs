//! The endpoints of `support`, through HTTP, on the local stack.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod access;
mod account;
mod lists;
mod reads;
mod search;
mod stuck;
mod withdrawal;

use local::{
    LocalStack,
    client::{Answer, Client},
    functions,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::Value;
use shared::{
    accounts::EmailOwner,
    keys,
    models::{
        account::{Account, AccountId},
        email::EmailAddress,
    },
};
use store::Update;

/// A stack, a client of all functions, and an admin.
struct World {
    stack: LocalStack,
    client: Client,
    admin: SignedIn,
}

impl World {
    async fn start() -> Self {
        Self::on(LocalStack::start().await).await
    }

    async fn on(stack: LocalStack) -> Self {
        let client = stack.serve(functions::routes()).await;
        let admin = local::admin(&stack, &client).await;
        Self { stack, client, admin }
    }

    /// The answer to the admin's request for a path under `/api/support`.
    async fn try_read(&self, path: &str) -> Answer {
        let call = self.client.get(format!("/api/support{path}"));
        call.bearer(&self.admin.access_token).send().await
    }

    /// The same, if it succeeds.
    async fn read(&self, path: &str) -> Answer {
        self.try_read(path).await.expect(200)
    }

    /// The answer to a search.
    async fn try_search(&self, q: &str) -> Answer {
        let q: String = q.bytes().map(|byte| format!("%{byte:02X}")).collect();
        self.try_read(&format!("/search?q={q}")).await
    }

    /// What a search finds.
    async fn search(&self, q: &str) -> Answer {
        self.try_search(q).await.expect(200)
    }

    /// A user with this verified e-mail address.
    async fn user(&self, seed: u64, email: &str) -> SignedIn {
        let user = sign_in(&self.client, &Wallet::p2wpkh(seed)).await;
        let address: EmailAddress = email.parse().unwrap();
        let owner = EmailOwner::verified(account_of(&user));
        self.stack.app().store.put(&keys::email(&address), &owner).await.unwrap();
        let named =
            Update::new().set(Account::EMAIL, Some(address)).set(Account::EMAIL_VERIFIED, true);
        self.stack.change_account(&user.account, named).await;
        user
    }

    /// The entries in the record of reads, newest first, by `accountId` or `adminId`.
    async fn recorded(&self, by: &str, id: &str) -> Vec<Value> {
        let path = format!("/reads?{by}={id}&limit=100");
        self.read(&path).await.data().as_array().unwrap().clone()
    }
}

fn account_of(user: &SignedIn) -> AccountId {
    user.account.parse().unwrap()
}

/// Fields of the rows of an answer, such as their ids.
fn column(answer: &Answer, field: &str) -> Vec<Value> {
    answer.data().as_array().unwrap().iter().map(|row| row[field].clone()).collect()
}

/// The paths of all reads of an account.
fn paths_of(account: &str) -> Vec<(String, &'static str)> {
    let lists = [
        ("/transactions", "transactions"),
        ("/cross-chain", "crossChain"),
        ("/deposits", "deposits"),
        ("/batches", "batches"),
        ("/refunds", "refunds"),
        ("/exports", "exports"),
        ("/webhooks", "webhooks"),
        ("/activity", "activity"),
        ("", "account"),
    ];
    lists.map(|(path, kind)| (format!("/accounts/{account}{path}"), kind)).to_vec()
}
