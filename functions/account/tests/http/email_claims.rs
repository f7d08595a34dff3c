//! Custody rule 20: an unproved address goes only to the account that proves it.

use std::{net::Ipv4Addr, time::Duration};

use local::{
    LocalStack,
    client::{Answer, Client, twenty_at_once},
    passkeys,
    srp_accounts::SrpAccount,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{auth::limits, problem::Problem};

use crate::{changes, is_alive, mailed, me, post, refreshed};

const EMAIL: &str = "alice@example.com";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const BLOB: &str = "a2V5cw==";

async fn world() -> (LocalStack, Client) {
    let (stack, client, _) = crate::world().await;
    (stack, client)
}

/// An account with a password that names the address.
fn account(password: &str) -> SrpAccount {
    SrpAccount::new(EMAIL, password)
}

/// A client with its own device and source address.
fn somewhere(client: &Client, n: u8) -> Client {
    client.calling_from(Ipv4Addr::new(127, 0, 7, n))
}

async fn try_register(client: &Client, account: &SrpAccount) -> Answer {
    client.post("/auth/register/srp").json(&account.registration(BLOB)).send().await
}

async fn register(client: &Client, account: &SrpAccount) -> SignedIn {
    SignedIn::of(&try_register(client, account).await.expect(201)).unwrap()
}

/// An account that names the address, on its own device.
#[derive(Clone)]
struct Party {
    client: Client,
    account: SrpAccount,
    session: SignedIn,
    /// Mailed at the registration.
    token: String,
}

impl Party {
    async fn register(stack: &LocalStack, client: Client, password: &str) -> Self {
        let account = account(password);
        let session = register(&client, &account).await;
        Self { token: mailed(stack, EMAIL).await, client, account, session }
    }

    /// Verifies the address with the token of the registration.
    async fn verify(&self) -> Answer {
        verify(&self.client, &self.session, &self.token).await
    }

    /// Changes the account's address.
    async fn change(&self, stack: &LocalStack, new: &SrpAccount) -> Answer {
        change(stack, &self.client, &self.session, &self.account, new).await
    }
}

/// The account that registered with the address first, and one that did so later.
async fn holder_and_claimant() -> (LocalStack, Party, Party) {
    let (stack, client) = world().await;
    let there = somewhere(&client, 1);
    let holder = Party::register(&stack, client, "the holder's").await;
    let claimant = Party::register(&stack, there, "the claimant's").await;
    (stack, holder, claimant)
}

async fn verify(client: &Client, caller: &SignedIn, token: &str) -> Answer {
    post(client, caller, "/api/account/verify-email", &json!({ "token": token })).await
}

async fn resend(client: &Client, caller: &SignedIn) -> Answer {
    post(client, caller, "/api/account/verify-email/resend", &json!({})).await
}

/// Changes the address of an account with a password.
async fn change(
    stack: &LocalStack,
    client: &Client,
    caller: &SignedIn,
    old: &SrpAccount,
    new: &SrpAccount,
) -> Answer {
    let body = json!({ "newEmail": new.email });
    let begun = post(client, caller, "/api/account/change-email/init", &body).await;
    if begun.status != 200 {
        return begun;
    }
    let token = mailed(stack, &new.email).await;
    let srp = old.email_change(&begun.data()["srpSession"], new);
    let body = json!({ "token": token, "email": new.email, "srpData": srp });
    post(client, caller, "/api/account/change-email/verify", &body).await
}

#[tokio::test]
async fn custody_20_neither_registration_nor_time_takes_an_unverified_address() {
    let (stack, client) = world().await;
    let holder = account("the holder's");
    let holds = register(&client, &holder).await;
    let mut claimants = 0;
    for wait in [Duration::ZERO, DAY + Duration::from_secs(1), 365 * DAY] {
        stack.clock().advance(wait);
        claimants += 1;
        let there = somewhere(&client, claimants);
        let claimant = account(&format!("claimant {claimants}"));
        let claims = register(&there, &claimant).await;
        assert_eq!(me(&there, &claims).await["email"], EMAIL);
        assert_eq!(me(&there, &claims).await["emailVerified"], false);
        // The holder can still sign in by password.
        let back = holder.sign_in(&client).await;
        assert_eq!((&back.account, &back.data["encryptedBlob"]), (&holds.account, &json!(BLOB)));
        // The claimant signs in by account id but not by the address.
        claimant.attempt(&there).await.expect_error(Problem::InvalidCredentials);
        let by_id = claimant.attempt_by_id(&there, &claims.account).await.expect(200);
        assert_eq!(by_id.data()["account"]["id"], claims.account.as_str());
        assert_eq!(by_id.data()["encryptedBlob"], BLOB);
    }
    // Accounts without a password may name it too.
    let there = somewhere(&client, 10);
    let extras = json!({ "email": EMAIL });
    local::wallets::register(&there, &Wallet::evm(1), &extras).await;
    passkeys::register(&there, &mut passkeys::authenticator(), &extras).await;
    holder.sign_in(&client).await;
    // The holder can still prove it.
    let holds = holder.sign_in(&client).await;
    resend(&client, &holds).await.expect(200);
    let token = mailed(&stack, EMAIL).await;
    verify(&client, &holds, &token).await.expect(200);
}

#[tokio::test]
async fn custody_20_a_verified_address_is_taken() {
    let (stack, client) = world().await;
    let holder = Party::register(&stack, client.clone(), "the holder's").await;
    holder.verify().await.expect(200);
    for wait in [Duration::ZERO, 365 * DAY] {
        stack.clock().advance(wait);
        let there = somewhere(&client, 1);
        try_register(&there, &account("another")).await.expect_error(Problem::EmailTaken);
        let wallet = sign_in(&there, &Wallet::p2wpkh(1)).await;
        let body = json!({ "newEmail": EMAIL });
        let refused = post(&there, &wallet, "/api/account/change-email/init", &body).await;
        refused.expect_error(Problem::NewEmailTaken);
        holder.account.sign_in(&client).await;
    }
}

#[tokio::test]
async fn custody_20_the_account_that_proves_the_address_gets_it() {
    let (stack, first, second) = holder_and_claimant().await;
    // A token is valid only for its own account.
    verify(&first.client, &first.session, &second.token)
        .await
        .expect_error(Problem::EmailTokenInvalid);
    let verified = second.verify().await.expect(200);
    assert_eq!(verified.data()["emailVerified"], true);

    let Party { client, account: holder, session: holds, .. } = &first;
    let Party { client: there, account: claimant, session: claims, .. } = &second;
    let back = claimant.sign_in(there).await;
    assert_eq!(back.account, claims.account);
    assert_eq!(changes(there, &back).await, ["emailVerified", "accountCreated"]);
    // The holder keeps its session and keystore, and can sign in.
    assert!(is_alive(client, holds).await);
    first.verify().await.expect_error(Problem::EmailTaken);
    resend(client, holds).await.expect_error(Problem::NothingToVerify);
    holder.attempt(client).await.expect_error(Problem::InvalidCredentials);
    let by_id = holder.attempt_by_id(client, &holds.account).await.expect(200);
    assert_eq!(by_id.data()["encryptedBlob"], BLOB);
    let by_id = SignedIn::of(&by_id).unwrap();
    assert_eq!(changes(client, &by_id).await, ["emailLost", "accountCreated"]);
    assert_eq!(changes(client, holds).await[0], "emailLost");

    // A wrong password signs in under neither id.
    let thief = account("a guess");
    thief.attempt_by_id(client, &holds.account).await.expect_error(Problem::InvalidCredentials);
    thief.attempt_by_id(client, &claims.account).await.expect_error(Problem::InvalidCredentials);
    // The account can still change its password and its address.
    let path = "/api/account/srp/change-password";
    let session = post(client, &by_id, &format!("{path}/init"), &json!({})).await.expect(200);
    let next = holder.with_password("the next one");
    let body = holder.password_change(session.data(), &next, BLOB).fields;
    post(client, &by_id, &format!("{path}/verify"), &body).await.expect(200);
    next.attempt_by_id(client, &holds.account).await.expect(200);
    let moved = next.with_email("elsewhere@example.com");
    change(&stack, client, &by_id, &next, &moved).await.expect(200);
    moved.sign_in(client).await;
    moved.attempt_by_id(client, &holds.account).await.expect(200);
    claimant.sign_in(there).await;
}

#[tokio::test]
async fn custody_20_a_holder_that_proves_the_address_keeps_it() {
    let (stack, holder, claimant) = holder_and_claimant().await;
    holder.verify().await.expect(200);
    claimant.verify().await.expect_error(Problem::EmailTaken);
    resend(&claimant.client, &claimant.session).await.expect_error(Problem::NothingToVerify);
    holder.account.sign_in(&holder.client).await;
    let by_id = claimant.account.attempt_by_id(&claimant.client, &claimant.session.account).await;
    by_id.expect(200);
    // The claimant needs another address, and can get one.
    let moved = claimant.account.with_email("claimant@example.com");
    claimant.change(&stack, &moved).await.expect(200);
    moved.sign_in(&claimant.client).await;
}

/// An address that its holder gives up is free, and goes to a claimant that proves it.
#[tokio::test]
async fn custody_20_an_address_given_up_goes_to_a_claimant_that_proves_it() {
    let (stack, holder, claimant) = holder_and_claimant().await;
    let moved = holder.account.with_email("elsewhere@example.com");
    holder.change(&stack, &moved).await.expect(200);
    claimant.verify().await.expect(200);
    claimant.account.sign_in(&claimant.client).await;
    moved.sign_in(&holder.client).await;
    let trail = changes(&holder.client, &holder.session).await;
    assert_eq!(trail[0], "emailChanged", "nothing was lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_20_after_twenty_concurrent_registrations_everyone_can_sign_in() {
    let (stack, client) = world().await;
    let accounts: Vec<_> = (0..20).map(|n| account(&format!("password {n}"))).collect();
    let made = twenty_at_once(|n| {
        let there = somewhere(&client, u8::try_from(n).unwrap() + 1);
        let account = accounts[usize::try_from(n).unwrap()].clone();
        async move { (register(&there, &account).await, there, account) }
    })
    .await;
    let mut by_address = 0;
    for (signed_in, there, account) in &made {
        account.attempt_by_id(there, &signed_in.account).await.expect(200);
        // Strangers wait after each wrong password.
        stack.clock().advance(Duration::from_secs(15 * 60));
        by_address += u32::from(account.attempt(there).await.status == 200);
    }
    assert_eq!(by_address, 1, "the address leads to one of them");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_20_one_of_twenty_concurrent_proofs_wins() {
    let (stack, client) = world().await;
    let mut claims = Vec::new();
    for n in 0..20_u8 {
        let there = somewhere(&client, n + 1);
        claims.push(Party::register(&stack, there, &format!("password {n}")).await);
    }
    let codes = twenty_at_once(|n| {
        let claim = claims[usize::try_from(n).unwrap()].clone();
        async move { claim.verify().await.code().to_owned() }
    })
    .await;
    assert_eq!(codes.iter().filter(|code| *code == "1").count(), 1, "{codes:?}");
    assert!(codes.iter().all(|code| ["1", "4023", "1014"].contains(&code.as_str())), "{codes:?}");
    let (mut verified, mut by_address, mut lost) = (0, 0, 0);
    for Party { client, session, .. } in &claims {
        verified += u32::from(me(client, session).await["emailVerified"] == true);
        lost += changes(client, session).await.iter().filter(|it| *it == "emailLost").count();
    }
    for Party { client, account, session, .. } in &claims {
        account.attempt_by_id(client, &session.account).await.expect(200);
        // Strangers wait after each wrong password.
        stack.clock().advance(Duration::from_secs(15 * 60));
        by_address += u32::from(account.attempt(client).await.status == 200);
    }
    assert_eq!((verified, by_address), (1, 1));
    assert!(lost <= 1, "only the holder's trail may say so");
}

/// The holder gives up, proves and changes the address while claimants prove it. One account or none has the
/// address in the end, and all can sign in.
#[tokio::test(flavor = "multi_thread")]
async fn custody_20_concurrent_changes_by_both_sides_leave_one_owner() {
    for holder_proves in [true, false] {
        let (stack, holder, claimant) = holder_and_claimant().await;
        let moved = holder.account.with_email("elsewhere@example.com");
        let change_email = async |step: &str, body: Value| {
            let path = format!("/api/account/change-email/{step}");
            post(&holder.client, &holder.session, &path, &body).await
        };
        let begun = change_email("init", json!({ "newEmail": moved.email })).await.expect(200);
        let link = mailed(&stack, &moved.email).await;
        let srp = holder.account.email_change(&begun.data()["srpSession"], &moved);
        let body = json!({ "token": link, "email": moved.email, "srpData": srp });
        let by_holder = async {
            if holder_proves { holder.verify().await } else { change_email("verify", body).await }
        };
        let (one, other) = tokio::join!(by_holder, claimant.verify());
        if holder_proves {
            assert_eq!([one.status, other.status].iter().filter(|it| **it == 200).count(), 1);
        } else {
            // Both can succeed, in either order.
            assert!(one.status == 200 || one.code() == "1014", "{one}");
            other.expect(200);
        }
        let mut owners = 0;
        for Party { client, account, session, .. } in [&holder, &claimant] {
            let me = me(client, session).await;
            let owns = me["email"] == EMAIL && me["emailVerified"] == true;
            owners += u32::from(owns);
            let named =
                SrpAccount { email: me["email"].as_str().unwrap().to_owned(), ..account.clone() };
            named.attempt_by_id(client, &session.account).await.expect(200);
            assert_eq!(named.attempt(client).await.status == 200, me["emailVerified"] == true);
        }
        assert_eq!(owners, 1, "holder proves: {holder_proves}");
    }
}

/// Mails of registrations are limited per source, so strangers do not use up the mails of others.
#[tokio::test]
async fn custody_20_claims_by_strangers_do_not_use_up_the_mails_of_others() {
    let (stack, client) = world().await;
    let there = somewhere(&client, 1);
    for n in 0..8 {
        register(&there, &account(&format!("stranger {n}"))).await;
    }
    stack.deliver_mail().await;
    assert_eq!(stack.mailbox(EMAIL).await.len(), 5);
    let owner = account("the owner's");
    let owns = register(&client, &owner).await;
    let token = mailed(&stack, EMAIL).await;
    verify(&client, &owns, &token).await.expect(200);
    let owns = refreshed(&client, &owns).await;
    assert_eq!(me(&client, &owns).await["emailVerified"], true);
}

/// Strangers with many sources cannot make the service mail an address without limit, and the account that
/// registered with it first still gets its mail.
#[tokio::test]
async fn custody_27_registration_mails_to_one_address_are_limited_and_its_owner_gets_one() {
    let (stack, client) = world().await;
    let owner = Party::register(&stack, client.clone(), "the owner's").await;
    let limit = limits::REGISTRATION_MAIL_BY_ADDRESS;
    let most = limit.most as usize;
    let mails = async || {
        stack.deliver_mail().await;
        stack.mailbox(EMAIL).await.len()
    };
    let mut answers = Vec::new();
    for n in 0..8 {
        let there = somewhere(&client, n + 1);
        for password in ["a", "b", "c"] {
            answers.push(try_register(&there, &account(password)).await.expect(201));
        }
    }
    assert_eq!(mails().await, most);
    // The response is the same with and without a mail.
    let fields = |answer: &Answer| {
        let data = answer.data().as_object().unwrap();
        let account = data["account"].as_object().unwrap();
        data.keys().chain(account.keys()).cloned().collect::<Vec<_>>()
    };
    assert_eq!(fields(&answers[0]), fields(&answers[23]));

    // The account that got no mail requests one, and so does the owner.
    let late = SignedIn::of(&answers[23]).unwrap();
    resend(&somewhere(&client, 8), &late).await.expect(200);
    assert_eq!(mails().await, most + 1);
    resend(&owner.client, &owner.session).await.expect(200);
    let token = mailed(&stack, EMAIL).await;
    assert_eq!(mails().await, most + 2);
    // Requested mails did not count: after an hour the full number of registration mails is available.
    stack.clock().advance(limit.window + Duration::from_secs(1));
    for n in 0..6 {
        let there = somewhere(&client, n + 20);
        for password in ["a", "b", "c", "d"] {
            register(&there, &account(password)).await;
        }
    }
    assert_eq!(mails().await, 2 * most + 2);
    let owns = owner.account.sign_in(&owner.client).await;
    verify(&owner.client, &owns, &token).await.expect_error(Problem::EmailTokenInvalid);
    resend(&owner.client, &owns).await.expect(200);
    verify(&owner.client, &owns, &mailed(&stack, EMAIL).await).await.expect(200);
}
