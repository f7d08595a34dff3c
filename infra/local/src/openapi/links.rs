//! The operations to which parts of an answer lead.

use serde_json::{Map, Value, json};

use super::{
    operations::UNDER_API,
    walk::{change_operations, success_of},
};

/// Where a part of an answer is used.
#[derive(Clone, Copy)]
enum Place {
    /// A parameter of the path.
    Path,
    /// A field of the body, inside others if there are dots.
    Body,
}
use Place::{Body, Path};

/// The operation that answers, the link's name, the operation that it leads to, the input that it fills
/// there, the part of the answer, and the link's purpose.
type Link =
    (&'static str, &'static str, &'static str, (Place, &'static str), &'static str, &'static str);

const LINKS: &[Link] = &[
    (
        "getWalletChallenge",
        "authenticate",
        "authenticate",
        (Body, "challengeId"),
        "data/challengeId",
        "The wallet signs `message`; its signature answers the challenge.",
    ),
    (
        "getWalletChallenge",
        "register",
        "registerWallet",
        (Body, "challengeId"),
        "data/challengeId",
        "A new wallet signs `message`; its signature answers the challenge.",
    ),
    (
        "initSrpSignIn",
        "authenticate",
        "authenticate",
        (Body, "sessionId"),
        "data/sessionId",
        "The proof of the password names this handshake.",
    ),
    (
        "initPasskeySignIn",
        "authenticate",
        "authenticate",
        (Body, "sessionId"),
        "data/sessionId",
        "The answer of the passkey names this ceremony.",
    ),
    (
        "initPasskeyRegistration",
        "register",
        "registerPasskey",
        (Body, "sessionId"),
        "data/sessionId",
        "The new passkey names this ceremony.",
    ),
    (
        "initPasskey",
        "verify",
        "verifyPasskey",
        (Body, "sessionId"),
        "data/sessionId",
        "The new passkey names this ceremony.",
    ),
    ("verifyPasskey", "delete", "deletePasskey", (Path, "id"), "data/id", "Removes the passkey."),
    (
        "initChangePassword",
        "verify",
        "verifyChangePassword",
        (Body, "sessionId"),
        "data/sessionId",
        "The proof of the current password names this handshake.",
    ),
    (
        "authenticate",
        "refresh",
        "refreshToken",
        (Body, "refreshToken"),
        "data/refreshToken",
        "Exchanges the refresh token for a new pair.",
    ),
    (
        "refreshToken",
        "refresh",
        "refreshToken",
        (Body, "refreshToken"),
        "data/refreshToken",
        "Exchanges the refresh token for a new pair.",
    ),
    (
        "listSessions",
        "revoke",
        "revokeSession",
        (Path, "id"),
        "data/0/id",
        "Ends the newest session.",
    ),
    (
        "listPasskeys",
        "delete",
        "deletePasskey",
        (Path, "id"),
        "data/0/id",
        "Removes the first passkey.",
    ),
    (
        "listAddresses",
        "unlink",
        "unlinkAddress",
        (Path, "address"),
        "data/0/address",
        "Unlinks the first address.",
    ),
    ("listAccounts", "account", "getAccount", (Path, "id"), "data/0/id", "The newest account."),
    (
        "searchSupport",
        "account",
        "getSupportAccount",
        (Path, "accountId"),
        "data/0/accountId",
        "The account of the first hit.",
    ),
    (
        "listSupportTransactions",
        "transaction",
        "getSupportTransaction",
        (Path, "txId"),
        "data/0/txId",
        "The newest transaction.",
    ),
    (
        "createDownloadHistory",
        "export",
        "getDownloadHistory",
        (Path, "id"),
        "data/id",
        "The export, with its progress.",
    ),
    (
        "listDownloadHistories",
        "export",
        "getDownloadHistory",
        (Path, "id"),
        "data/0/id",
        "The newest export.",
    ),
    ("listTokens", "token", "getToken", (Path, "tokenId"), "data/0/tokenId", "The latest entry."),
    (
        "listPrizes",
        "prize",
        "getPrize",
        (Path, "prizeNumber"),
        "data/0/prizeNumber",
        "The newest prize.",
    ),
    ("registerPrize", "prize", "getPrize", (Path, "prizeNumber"), "data/prizeNumber", "The prize."),
    ("createMint", "mint", "getMint", (Path, "id"), "data/id", "The mint."),
    ("createMint", "close", "closeMint", (Path, "id"), "data/id", "Closes the mint."),
    ("listMints", "mint", "getMint", (Path, "id"), "data/0/id", "The newest mint."),
    (
        "createVmTransaction",
        "transaction",
        "getVmTransaction",
        (Path, "txId"),
        "data/txId",
        "The batch.",
    ),
    (
        "createVmTransaction",
        "sign",
        "signVmTransaction",
        (Body, "signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "createVmTransaction",
        "release",
        "releaseBitcoinTransaction",
        (Path, "txId"),
        "data/txId",
        "Ends the batch before it is signed.",
    ),
    (
        "listVmTransactions",
        "transaction",
        "getVmTransaction",
        (Path, "txId"),
        "data/0/txId",
        "The newest batch.",
    ),
    (
        "createBitcoinTransaction",
        "transaction",
        "getBitcoinTransaction",
        (Path, "txId"),
        "data/txId",
        "The transaction.",
    ),
    (
        "createBitcoinTransaction",
        "release",
        "releaseBitcoinTransaction",
        (Path, "txId"),
        "data/txId",
        "Ends the transaction before it is signed.",
    ),
    (
        "createBitcoinTransaction",
        "sign",
        "signBitcoinTransaction",
        (Body, "params.signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "replaceBitcoinTransaction",
        "sign",
        "signBitcoinTransaction",
        (Body, "params.signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "signBitcoinTransaction",
        "transaction",
        "getBitcoinTransaction",
        (Path, "txId"),
        "data/txId",
        "The transaction.",
    ),
    (
        "signBitcoinTransaction",
        "replace",
        "replaceBitcoinTransaction",
        (Path, "txId"),
        "data/txId",
        "A replacement at a higher fee, or one that cancels it.",
    ),
    (
        "listBitcoinTransactions",
        "transaction",
        "getBitcoinTransaction",
        (Path, "txId"),
        "data/0/txId",
        "The newest transaction.",
    ),
    (
        "createXchainWithdrawal",
        "sign",
        "signXchainWithdrawal",
        (Body, "params.signedBase64Tx"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "createXchainWithdrawal",
        "release",
        "releaseBitcoinTransaction",
        (Path, "txId"),
        "data/txId",
        "Ends the withdrawal before it is signed.",
    ),
    (
        "listXchainTransactions",
        "status",
        "getSwapStatus",
        (Path, "txId"),
        "data/0/intentTxHash",
        "The status of the newest swap.",
    ),
    (
        "createRefund",
        "sign",
        "signRefund",
        (Body, "base64Psbt"),
        "data/base64Psbt",
        "The wallet signs the PSBT.",
    ),
    (
        "createRefund",
        "release",
        "releaseBitcoinTransaction",
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
        if let Some(answer) = success_of(operation).and_then(Value::as_object_mut) {
            answer.insert("links".to_owned(), Value::Object(links));
        }
    });
    document
}

/// The link of a body is a text that contains the expression, because generators of clients refuse any other
/// form.
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
