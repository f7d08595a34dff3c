//! Signing keys of KMS, stored with the data of a local world. KMS does not export keys, so they are created
//! here and imported. After a restart, the empty KMS gets the same keys again.

use std::collections::BTreeMap;

use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use aws_sdk_kms::{
    Client as Kms,
    types::{AlgorithmSpec, ExpirationModelType, OriginType, WrappingKeySpec},
};
use aws_smithy_types::Blob;
use base::{
    aws,
    random::{Random, SystemSource},
};
use bitcoin::Txid;
use chain::{keys, mints::Mint, models::mint::MintId, transactions::TransactionBody};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::{
    accounts,
    models::{
        account::{Account, AccountId},
        trading_wallet::TradingWallet,
    },
};
use store::{Key, Store, Update, Writes};

use crate::{
    aws::{
        provision::{aliases, create_key, name_key},
        template::KmsKey,
    },
    base::failure::{Context, Result},
};

/// A signing key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeptKey {
    /// Id of the key in KMS.
    id: String,
    /// The private key: 32 bytes, hex.
    private_key: String,
}

/// The keys by alias.
pub(crate) type KeptKeys = BTreeMap<String, KeptKey>;

/// A PrivateKeyInfo (RFC 5208) of secp256k1 up to the private key (RFC 5915, without the optional fields).
const PRIVATE_KEY_INFO: [u8; 32] = [
    0x30, 0x3e, 0x02, 0x01, 0x00, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
];

/// Imports the signing keys that KMS does not have yet, stored or new. Returns the keys to store.
pub(crate) async fn import(kms: &Kms, keys: &[KmsKey], kept: &KeptKeys) -> Result<KeptKeys> {
    let known = aliases(kms).await?;
    let mut imported = kept.clone();
    for key in keys.iter().filter(|key| key.signs() && !known.contains(&key.alias)) {
        let doing = format_args!("key {}", key.alias);
        let private_key = match kept.get(&key.alias) {
            Some(kept) => kept.private_key.clone(),
            None => {
                let random: &dyn Random = &SystemSource;
                hex::encode(random.bytes::<32>())
            }
        };
        let id = import_key(kms, &key.create, &private_key).await.context(doing)?;
        name_key(kms, &key.alias, &id).await.context(doing)?;
        imported.insert(key.alias.clone(), KeptKey { id, private_key });
    }
    Ok(imported)
}

/// Imports a private key (hex); returns the id of the key.
pub(crate) async fn import_key(kms: &Kms, create: &Value, private_key: &str) -> Result<String> {
    let create = create_key(kms, create).origin(OriginType::External).send();
    let created = create.await.map_err(aws::failure).context("created")?;
    let id = created.key_metadata.map(|key| key.key_id).context("KMS names no key")?;
    let ask = kms.get_parameters_for_import().key_id(&id);
    let ask = ask.wrapping_algorithm(AlgorithmSpec::RsaesOaepSha256);
    let ask = ask.wrapping_key_spec(WrappingKeySpec::Rsa2048).send();
    let parameters = ask.await.map_err(aws::failure).context("parameters")?;
    let wrapping_key = parameters.public_key.context("wrapping key")?;
    let private_key = hex::decode(private_key).context("the kept key is no hex")?;
    let material = [&PRIVATE_KEY_INFO[..], &private_key].concat();
    let give = kms.import_key_material().key_id(&id).set_import_token(parameters.import_token);
    let give = give.encrypted_key_material(Blob::new(wrap(wrapping_key.as_ref(), &material)?));
    let give = give.expiration_model(ExpirationModelType::KeyMaterialDoesNotExpire).send();
    give.await.map_err(aws::failure).context("import")?;
    Ok(id)
}

/// Encrypts key material for KMS, whose wrapping key is a SubjectPublicKeyInfo.
fn wrap(wrapping_key: &[u8], material: &[u8]) -> Result<Vec<u8>> {
    let key = PublicEncryptingKey::from_der(wrapping_key).context("wrapping key")?;
    let key = OaepPublicEncryptingKey::new(key).context("wrapping key")?;
    let mut wrapped = vec![0; key.ciphertext_size()];
    let wrapped = key
        .encrypt(&OAEP_SHA256_MGF1SHA256, material, &mut wrapped, None)
        .context("key material")?;
    Ok(wrapped.to_vec())
}

/// Replaces the keys' ids in the rows that contain them: accounts (trading wallets), mints, and issued
/// transactions. On AWS an id never changes; a local KMS assigns new ones at every start.
///
/// # Errors
/// The store fails.
pub(crate) async fn rename(
    store: &Store,
    rows: &[Value],
    before: &KeptKeys,
    now: &KeptKeys,
) -> Result<()> {
    let names: BTreeMap<_, _> = before
        .iter()
        .filter_map(|(alias, old)| Some((old.id.as_str(), now.get(alias)?.id.as_str())))
        .filter(|(old, new)| old != new)
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let items = rows.iter().filter_map(|table| table.get("Items")?.as_array()).flatten();
    for item in items {
        let text = |pointer| item.pointer(pointer).and_then(Value::as_str);
        let renamed = |pointer| text(pointer).and_then(|old| names.get(old).copied());
        match text("/entity/S") {
            Some("account") => {
                let (Some(name), Some(id)) = (renamed("/tradingWallet/M/keyId/S"), text("/id/S"))
                else {
                    continue;
                };
                let account: AccountId = id.parse().context("account id")?;
                let row = accounts::get(store, account).await.context("account")?;
                let Some(wallet) = row.and_then(|row| row.trading_wallet) else { continue };
                let wallet = TradingWallet { key_id: name.to_owned(), ..wallet };
                let update = Update::new().set(Account::TRADING_WALLET, wallet);
                write(store, &keys::account(account), update).await?;
            }
            Some("mint") => {
                let wallets = (renamed("/treasury/M/keyId/S"), renamed("/pool/M/keyId/S"));
                let ((Some(treasury), Some(pool)), Some(id)) = (wallets, text("/id/S")) else {
                    continue;
                };
                let mint: MintId = id.parse().context("mint id")?;
                let update =
                    Update::new().set(Mint::TREASURY_KEY_ID, treasury).set(Mint::POOL_KEY_ID, pool);
                write(store, &keys::mint(mint), update).await?;
            }
            Some("transactionBody") => {
                let txid = text("/txid/S").context("txid")?.parse().context("txid")?;
                rename_in_transaction(store, txid, &names).await?;
            }
            _ => {}
        }
    }
    Ok(())
}

async fn write<R>(store: &Store, key: &Key, update: Update<R>) -> Result<()> {
    let row = Writes::new().update(key, update, "missing");
    store.commit(row).await.context(format_args!("{}", key.pk()))
}

async fn rename_in_transaction(
    store: &Store,
    txid: Txid,
    names: &BTreeMap<&str, &str>,
) -> Result<()> {
    let key = keys::transaction_body(txid);
    let row: Option<TransactionBody> = store.get(&key).await.context("transaction")?;
    let Some(mut row) = row else { return Ok(()) };
    let wallet = row.wallet.iter_mut().map(|wallet| &mut wallet.key_id);
    for name in wallet.chain(row.platform.iter_mut().map(|wallet| &mut wallet.key_id)) {
        if let Some(new) = names.get(name.as_str()) {
            (*new).clone_into(name);
        }
    }
    store.put(&key, &row).await.context("transaction")
}
