//! Trading wallets of Taproot keys. The signature at sign-in leaves the parity of the key open; the key of
//! either parity moves the coins on both paths (custody rule 12).

use bitcoin::hex::DisplayHex;
use local::{trading_wallets::trading_address, wallets::dated};
use shared::{models::trading_wallet::DELAY, problem::Problem};

use super::{recovery::mine, *};

/// How a client reports the 33 bytes of its key.
#[derive(Clone, Copy, Debug)]
enum Told {
    Truly,
    /// With the wrong parity.
    Falsely,
    /// As 32 bytes, without a parity.
    XOnly,
}

impl Told {
    fn key(self, wallet: &Wallet) -> String {
        let (key, x_only) = (wallet.public_key(), wallet.x_only_key());
        match self {
            Self::Truly => key.to_owned(),
            Self::Falsely if key.starts_with("02") => format!("03{x_only}"),
            Self::Falsely => format!("02{x_only}"),
            Self::XOnly => x_only.to_owned(),
        }
    }
}

/// Signs in a Taproot wallet that reports its key this way.
async fn taproot_user(world: &World, is_odd: bool, seed: u64, told: Told) -> User {
    let wallet = Wallet::p2tr_of_parity(is_odd, seed);
    let mut body = dated(&world.client, &wallet);
    body["publicKey"] = json!(told.key(&wallet));
    let answer = world.client.post("/auth/authenticate").json(&body).send().await.expect(200);
    World::signed_in(wallet, SignedIn::of(&answer).unwrap())
}

/// One user for each parity and each way to report the key.
async fn taproot_users(world: &World) -> Vec<User> {
    let mut users = Vec::new();
    for (seed, told) in [(1, Told::Truly), (101, Told::Falsely), (201, Told::XOnly)] {
        for is_odd in [false, true] {
            users.push(taproot_user(world, is_odd, seed, told).await);
        }
    }
    users
}

async fn backup(world: &World, user: &User) -> Value {
    let call = world.client.get("/api/account/trading-wallet");
    call.bearer(&user.session.access_token).send().await.expect(200).data().clone()
}

/// A withdrawal needs the signatures of the user's real key and of the platform.
#[tokio::test(flavor = "multi_thread")]
async fn custody_12_a_taproot_wallet_of_either_parity_withdraws() {
    let world = world().await;
    let (chain, users) = (world.stack.bitcoin(), taproot_users(&world).await);
    for user in &users {
        for _coin in 0..2 {
            chain.fund(&user.trading, 40_000).await.unwrap();
        }
    }
    world.mine(1).await;
    let mut sent = Vec::new();
    for user in &users {
        let platform = backup(&world, user).await["platformPublicKey"].clone();
        let address = trading_address(&user.wallet, platform.as_str().unwrap());
        assert_eq!(user.trading.to_string(), address);

        // Spends both coins.
        let created = world.created(user, 60_000).await;
        let psbt = psbt_of(&created);
        assert_eq!(psbt.inputs.len(), 2);
        world.sign(user, &text(&signed(&psbt, &user.wallet))).await.expect(201);
        let row = world.row(txid_of(&created)).await;
        let transaction = chain.transaction(row.txid).await.unwrap().unwrap();
        let elements = if user.wallet.public_key().starts_with("03") { 4 } else { 3 };
        for input in &transaction.input {
            assert_eq!(input.witness.len(), elements);
        }
        let (weighs, most) = (transaction.weight().to_wu(), row.weight);
        // A low-S signature is a byte or two shorter; rarely, a normalised one is too.
        assert!(weighs <= most && most <= weighs + 60, "{weighs} of {most}");
        sent.push(row.txid);
    }
    world.mine(1).await;
    for txid in sent {
        assert_eq!(chain.confirmations(txid).await.unwrap(), Some(1));
    }
}

/// The platform co-signs one signature per input, made by either key and stored under that key only.
#[tokio::test(flavor = "multi_thread")]
async fn custody_12_a_signature_under_the_other_parity_is_refused() {
    let world = world().await;
    for is_odd in [false, true] {
        let user = taproot_user(&world, is_odd, 1, Told::Falsely).await;
        world.stack.bitcoin().fund(&user.trading, 100_000).await.unwrap();
        world.mine(1).await;
        let psbt = async || psbt_of(&world.created(&user, 20_000).await);
        let other = Told::Falsely.key(&user.wallet).parse::<PublicKey>().unwrap();

        let moved = psbt().await;
        let (_key, made) = signature(&moved, 0, &user.wallet, EcdsaSighashType::All);
        let mut returned = moved.clone();
        returned.inputs[0].partial_sigs.insert(other, made);
        world
            .sign(&user, &text(&returned))
            .await
            .expect_error(Problem::TransactionSignatureInvalid);

        let both = psbt().await;
        let mut returned = signed(&both, &user.wallet);
        let negated = secret(&user.wallet).negate();
        let (digest, _) =
            returned.sighash_ecdsa(0, &mut SighashCache::new(&both.unsigned_tx)).unwrap();
        let made = Secp256k1::new().sign_ecdsa(&digest, &negated);
        returned.inputs[0].partial_sigs.insert(other, ecdsa::Signature::sighash_all(made));
        world
            .sign(&user, &text(&returned))
            .await
            .expect_error(Problem::TransactionSignatureInvalid);

        // The owner of the secret has both keys; a signature by just the other key is enough.
        let mut returned = psbt().await;
        let mut cache = SighashCache::new(&returned.unsigned_tx);
        let (digest, _) = returned.sighash_ecdsa(0, &mut cache).unwrap();
        let made = Secp256k1::new().sign_ecdsa(&digest, &negated);
        returned.inputs[0].partial_sigs.insert(other, ecdsa::Signature::sighash_all(made));
        world.sign(&user, &text(&returned)).await.expect(201);
        assert!(world.in_mempool(returned.unsigned_tx.compute_txid()).await);
    }
}

/// Follows the backup with Bitcoin Core and without the platform: the backup's descriptor, completed by the
/// user's private key, signs after the delay and not one block earlier.
#[tokio::test(flavor = "multi_thread")]
async fn custody_12_after_the_delay_a_key_of_either_parity_spends_alone() {
    let world = world().await;
    let (chain, users) = (world.stack.bitcoin(), taproot_users(&world).await);
    let mut recoveries = Vec::new();
    for user in &users {
        let coin = chain.fund(&user.trading, 100_000).await.unwrap();
        recoveries.push((coin, backup(&world, user).await));
    }
    // ord is not needed here and would index every block.
    chain.let_ord_lag(true).await.unwrap();
    // The first block confirms the coins and counts; the spend goes into the block after the last one.
    mine(&world, u32::from(DELAY) - 1).await;
    let mut spends = Vec::new();
    for (user, (coin, backup)) in users.iter().zip(&recoveries) {
        let complete = completed(&world, user, backup).await;
        let inputs = json!([{
            "txid": coin.txid, "vout": coin.vout, "sequence": backup["recovery"]["sequence"],
        }]);
        let outputs = json!([{ (somewhere()): 0.00099 }]);
        let created = chain.rpc("createpsbt", json!([inputs, outputs])).await.unwrap();
        let params = json!([created, [complete]]);
        let answer = chain.rpc("descriptorprocesspsbt", params).await.unwrap();
        assert_eq!(answer["complete"], true, "{answer}");
        let hex = answer["hex"].as_str().unwrap();
        let spend = local::bitcoin::BitcoinWorld::parse(hex).unwrap();
        check_witness(user, backup, &spend);
        let early = chain.mempool_accepts(&spend).await.unwrap();
        assert!(format!("{early:?}").contains("non-BIP68-final"), "{early:?}");
        spends.push(spend);
    }
    mine(&world, 1).await;
    for spend in &spends {
        chain.send_raw(spend).await.unwrap();
    }
    mine(&world, 1).await;
    for spend in &spends {
        assert_eq!(chain.confirmations(spend.compute_txid()).await.unwrap(), Some(1));
    }
}

/// The descriptor with the private key inserted in place of its own public key. In place of the other public
/// key, Bitcoin Core refuses it.
async fn completed(world: &World, user: &User, backup: &Value) -> String {
    let chain = world.stack.bitcoin();
    let wif = PrivateKey::new(secret(&user.wallet), NETWORK).to_wif();
    let keys = backup["recovery"]["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 2);
    let mut own = None;
    for key in keys {
        let text = key["descriptorToComplete"].as_str().unwrap().replace("<PRIVATE KEY>", &wif);
        let info = chain.rpc("getdescriptorinfo", json!([text])).await;
        if key["publicKey"] != user.wallet.public_key() {
            // The descriptor would contain the user's key twice.
            assert!(info.unwrap_err().to_string().contains("duplicate public keys"), "{key}");
            continue;
        }
        let text = format!("{text}#{}", info.unwrap()["checksum"].as_str().unwrap());
        let derived = chain.rpc("deriveaddresses", json!([text])).await.unwrap();
        assert_eq!(derived[0], backup["address"], "{key}");
        own = Some(text);
    }
    own.unwrap()
}

/// Checks that the witness is the one that the backup shows for the user's key.
fn check_witness(user: &User, backup: &Value, spend: &bitcoin::Transaction) {
    let keys = backup["recovery"]["keys"].as_array().unwrap();
    let own = keys.iter().find(|key| key["publicKey"] == user.wallet.public_key()).unwrap();
    let told = own["witness"].as_array().unwrap().iter().map(|it| it.as_str().unwrap());
    let elements: Vec<_> =
        spend.input[0].witness.iter().map(|element| element.to_lower_hex_string()).collect();
    assert_eq!(told.clone().count(), elements.len());
    for (told, element) in told.zip(&elements) {
        if told != "<SIGNATURE>" {
            assert_eq!(told, element);
        }
    }
}
