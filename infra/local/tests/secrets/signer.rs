//! Signing keys in KMS.

use base::signer::SignerError;
use bitcoin::secp256k1::{Message, Secp256k1};
use local::{LocalStack, wallets::Wallet};

/// Half of the signatures of KMS have a high S, which nodes do not relay.
#[tokio::test]
async fn signatures_have_a_low_s_by_alias_and_by_key_id() {
    let stack = LocalStack::start().await;
    let app = stack.app();
    let alias = app.config.cosigning.keys.first().unwrap();
    let key = app.signer.key(alias).await.unwrap();
    assert!(!key.id.contains([':', '/']), "{} names more than the key", key.id);
    assert_eq!(app.signer.key(&key.id).await.unwrap(), key);
    assert!(key.public_key.compressed);
    let secp = Secp256k1::verification_only();
    for n in 0..20 {
        let digest = [n; 32];
        for id in [alias, &key.id] {
            let signature = app.signer.sign(id, digest).await.unwrap();
            secp.verify_ecdsa(&Message::from_digest(digest), &signature, &key.public_key.inner)
                .unwrap();
            let mut low = signature;
            low.normalize_s();
            assert_eq!(low, signature);
        }
    }
}

#[tokio::test]
async fn kms_has_the_imported_key() {
    let stack = LocalStack::start().await;
    let wallet = Wallet::p2wpkh(1);
    let id = stack.import_cosigning_key(&wallet).await;
    let key = stack.app().signer.key(&id).await.unwrap();
    assert_eq!((key.id, key.public_key.to_string()), (id, wallet.public_key().to_owned()));
}

#[tokio::test]
async fn a_key_that_cannot_sign_is_an_error() {
    let stack = LocalStack::start().await;
    let app = stack.app();
    for id in ["alias/gone", &app.config.data_key.id] {
        let asked = app.signer.key(id).await;
        assert!(matches!(asked, Err(SignerError::Kms(_))), "{asked:?}");
        assert!(app.signer.sign(id, [1; 32]).await.is_err());
    }
}
