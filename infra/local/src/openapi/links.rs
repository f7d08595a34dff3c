//! Which answers lead to which operations.

use serde_json::{Map, Value, json};

use super::{operations::UNDER_API, walk::change_operations};

/// Where a part of an answer goes.
#[derive(Clone, Copy)]
enum Place {
    /// A parameter of the path.
    Path,
    /// A field of the body, inside others if there are dots.
    Body,
}
use Place::{Body, Path};

/// The operation that answers, the link's name, the operation that it leads to, the input that it fills there, the part
/// of the answer, and what it is for.
type Link =
    (&'static str, &'static str, &'static str, (Place, &'static str), &'static str, &'static str);

const LINKS: &[Link] = &[
    (
        "wallet_challenge",
        "authenticate",
        "authenticate",
        (Body, "challengeId"),
        "data/challengeId",
        "The wallet signs `message`; its signature answers the challenge.",
    ),
    (
        "wallet_challenge",
        "register",
        "register_wallet",
        (Body, "challengeId"),
        "data/challengeId",
        "A new wallet signs `message`; its signature answers the challenge.",
    ),
    (
        "srp_init",
        "authenticate",
        "authenticate",
        (Body, "sessionId"),
        "data/sessionId",
        "The proof of the password names this handshake.",
    ),
    (
        "passkey_init",
        "authenticate",
        "authenticate",
        (Body, "sessionId"),
        "data/sessionId",
        "The answer of the passkey names this ceremony.",
    ),
    (
        "register_passkey_init",
        "register",
        "register_passkey",
        (Body, "sessionId"),
        "data/sessionId",
        "The new passkey names this ceremony.",
    ),
    (
        "init_passkey",
        "verify",
        "verify_passkey",
        (Body, "sessionId"),
        "data/sessionId",
        "The new passkey names this ceremony.",
    ),
    ("verify_passkey", "delete", "delete_passkey", (Path, "id"), "data/id", "Removes the passkey."),
    (
        "init_change_password",
        "verify",
        "verify_change_password",
        (Body, "sessionId"),
        "data/sessionId",
        "The proof of the current password names this handshake.",
    ),
    (
        "authenticate",
        "refresh",
        "refresh_token",
        (Body, "refreshToken"),
        "data/refreshToken",
        "Exchanges the refresh token for a new pair.",
    ),
    (
        "refresh_token",
        "refresh",
        "refresh_token",
        (Body, "refreshToken"),
        "data/refreshToken",
        "Exchanges the refresh token for a new pair.",
    ),
    (
        "list_sessions",
        "revoke",
        "revoke_session",
        (Path, "id"),
        "data/0/id",
        "Ends the newest session.",
    ),
    (
        "list_passkeys",
        "delete",
        "delete_passkey",
        (Path, "id"),
        "data/0/id",
        "Removes the first passkey.",
    ),
    (
        "list_addresses",
        "unlink",
        "unlink_address",
        (Path, "address"),
        "data/0/address",
        "Unlinks the first address.",
    ),
    ("list_accounts", "account", "account_by_id", (Path, "id"), "data/0/id", "The newest account."),
    (
        "create_download_history",
        "export",
        "download_history",
        (Path, "id"),
        "data/id",
        "The export, with its progress.",
    ),
    (
        "list_download_histories",
        "export",
        "download_history",
        (Path, "id"),
        "data/0/id",
        "The newest export.",
    ),
    (
        "list_tokens",
        "token",
        "token_by_id",
        (Path, "tokenId"),
        "data/0/tokenId",
        "The latest entry.",
    ),
    (
        "list_prizes",
        "prize",
        "prize_by_number",
        (Path, "prizeNumber"),
        "data/0/prizeNumber",
        "The newest prize.",
    ),
    (
        "register_prize",
        "prize",
        "prize_by_number",
        (Path, "prizeNumber"),
        "data/prizeNumber",
        "The prize.",
    ),
    ("create_mint", "mint", "mint_by_id", (Path, "id"), "data/id", "The mint."),
    ("create_mint", "close", "close_mint", (Path, "id"), "data/id", "Closes the mint."),
    ("list_mints", "mint", "mint_by_id", (Path, "id"), "data/0/id", "The newest mint."),
    (
        "create_vm_transaction",
        "transaction",
        "vm_transaction_by_id",
        (Path, "txId"),
        "data/txId",
        "The batch.",
    ),
    (
        "create_vm_transaction",
        "sign",
        "sign_vm_transaction",
        (Body, "signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "create_vm_transaction",
        "release",
        "release_transaction",
        (Path, "txId"),
        "data/txId",
        "Ends the batch before it is signed.",
    ),
    (
        "list_vm_transactions",
        "transaction",
        "vm_transaction_by_id",
        (Path, "txId"),
        "data/0/id",
        "The newest batch.",
    ),
    (
        "create_trading_transaction",
        "transaction",
        "one_transaction",
        (Path, "txId"),
        "data/txId",
        "The transaction.",
    ),
    (
        "create_trading_transaction",
        "release",
        "release_transaction",
        (Path, "txId"),
        "data/txId",
        "Ends the transaction before it is signed.",
    ),
    (
        "create_trading_transaction",
        "sign",
        "sign_trading_transaction",
        (Body, "params.signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "replace_transaction",
        "sign",
        "sign_trading_transaction",
        (Body, "params.signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "sign_trading_transaction",
        "transaction",
        "one_transaction",
        (Path, "txId"),
        "data/txId",
        "The transaction.",
    ),
    (
        "sign_trading_transaction",
        "replace",
        "replace_transaction",
        (Path, "txId"),
        "data/txId",
        "A replacement at a higher fee, or one that cancels it.",
    ),
    (
        "list_own_transactions",
        "transaction",
        "one_transaction",
        (Path, "txId"),
        "data/0/id",
        "The newest transaction.",
    ),
    (
        "create_transaction",
        "sign",
        "sign_transaction",
        (Body, "params.signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "create_transaction",
        "release",
        "release_transaction",
        (Path, "txId"),
        "data/txId",
        "Ends the withdrawal before it is signed.",
    ),
    (
        "list_transactions",
        "status",
        "status",
        (Path, "txId"),
        "data/0/intentTxHash",
        "The status of the newest swap.",
    ),
    (
        "create_refund",
        "sign",
        "sign_refund",
        (Body, "base64Psbt"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "create_refund",
        "release",
        "release_transaction",
        (Path, "txId"),
        "data/txId",
        "Ends the refund before it is signed.",
    ),
];

/// Adds the links to the successful answers.
pub(super) fn with_links(mut document: Value) -> Value {
    change_operations(&mut document, |_, _, operation| {
        let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
        let id = id.trim_end_matches(UNDER_API);
        let own = LINKS.iter().filter(|(from, ..)| *from == id);
        let links: Map<_, _> = own.map(|link| (link.1.to_owned(), described(link))).collect();
        if links.is_empty() {
            return;
        }
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        let mut success =
            responses.into_iter().flatten().filter(|(status, _)| status.starts_with("20"));
        if let Some(answer) = success.next().and_then(|(_, answer)| answer.as_object_mut()) {
            answer.insert("links".to_owned(), Value::Object(links));
        }
    });
    document
}

/// A body is a text with the expression in it, because generators of clients refuse any other.
fn described((_, _, to, (place, name), part, what): &Link) -> Value {
    let part = format!("$response.body#/{part}");
    match place {
        Path => json!({ "operationId": to, "description": what, "parameters": { *name: part } }),
        Body => {
            let nested = |inner: Value, name: &str| json!({ name: inner });
            let body = name.rsplit('.').fold(json!(format!("{{{part}}}")), nested);
            json!({ "operationId": to, "description": what, "requestBody": body.to_string() })
        }
    }
}
