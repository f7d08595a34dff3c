//! Formats of the texts in answers, for texts whose type does not define one.
//!
//! A pattern describes texts that the service writes. Texts that others write, or that people read, have only
//! a format.

use serde_json::{Map, Value};

use super::texts::{Text, free, is_bare_text, text};

/// All kinds. If a field name has several meanings, the name of its schema precedes it.
const ALL: &[Text] = &[
    text(
        "txid",
        "^[0-9a-f]{64}$",
        &[
            "DepositRow.txId",
            "HeldBy.txId",
            "OneRefund.txId",
            "OpenPayout.txId",
            "RefundedBatch.txId",
            "TransactionRow.id",
            "TransactionRow.txId",
            "TransactionStatus.txId",
            "UnsignedTransaction.txId",
            "VmTransactionRow.id",
            "VmTransactionRow.txId",
            "VmTransactionStatus.txId",
            "distributeRuneTxId",
            "refundTxId",
            "replaceTxId",
            "replacedByTxId",
            "transferBtcTxId",
            "txIds",
            "txid",
        ],
    ),
    text(
        "transaction-id",
        "^((0x)?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{32,88})$",
        &["EventData.txId", "SwapStatus.txId", "XchainRow.txId"],
    ),
    text(
        "xchain-id",
        "^([0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
        &["XchainRow.id"],
    ),
    text(
        "outpoint",
        "^[0-9a-f]{64}:(0|[1-9][0-9]{0,9})$",
        &["CoinRow.id", "KitCoin.id", "PreviewInput.id", "UtxoRow.id", "_id", "txidVout"],
    ),
    text("deposit-id", "^[0-9a-f]{64}(:(0|[1-9][0-9]{0,9}))?$", &["DepositRow.id", "depositId"]),
    text("inscription-id", "^[0-9a-f]{64}i(0|[1-9][0-9]*)$", &["inscriptions"]),
    text("block-hash", "^[0-9a-f]{64}$", &["OutlookRevision.hash"]),
    text("number", "^(0|[1-9][0-9]*)$", &["Prize.id", "VirtualBlockRow.id"]),
    text("code", "^[0-9]{4}$", &["Error.code"]),
    text("key", "^[a-zA-Z]+[.][a-zA-Z0-9]+$", &["Error.message"]),
    text(
        "uuid",
        "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        &["exportId", "mintId", "sessionId"],
    ),
    text(
        "distribution-id",
        "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]+$",
        &["vmDistributionId"],
    ),
    text("event-id", "^[a-z]+-[0-9a-f-]+$", &["EventItem.id", "eventId"]),
    text(
        "bitcoin-address",
        "^[0-9A-Za-z]{14,90}$",
        &[
            "Balance.address",
            "PreviewOutput.address",
            "RecoveryKit.address",
            "TradingWalletBackup.address",
            "UtxoRow.address",
            "hubVault",
            "poolAddress",
            "proceedsAddress",
            "tradingAddress",
            "treasuryAddress",
        ],
    ),
    text(
        "address",
        "^[!-~]{1,128}$",
        &["XchainRow.tradingAddress", "address", "affiliateAddress", "userAddress", "withdrawTo"],
    ),
    text("evm-address", "^0x[0-9a-f]{40}$", &["VenueReferrer.address", "builder", "destination"]),
    text(
        "evm-address-with-checksum",
        "^0x[0-9a-fA-F]{40}$",
        &["Deposit.from", "EvmTransaction.to", "depositContract", "usdcToken"],
    ),
    text("chain-id", "^0x[0-9a-f]+$", &["signatureChainId"]),
    text("rune-id", "^(0|[1-9][0-9]{0,19}):(0|[1-9][0-9]{0,9})$", &["runeId"]),
    text(
        "rune-name",
        "^[A-Z]+(\u{2022}[A-Z]+)*$",
        &[
            "HeldRune.name",
            "RuneAmount.name",
            "RuneBalance.name",
            "RuneInfo.name",
            "runeName",
            "spacedRune",
        ],
    ),
    free("symbol", &["symbol"]),
    text(
        "compressed-key",
        "^0[23][0-9a-f]{64}$",
        &["RecoveryKey.publicKey", "platformPublicKey", "publicKeys"],
    ),
    text(
        "trading-key",
        "^(0[23])?[0-9a-f]{64}$",
        &["RecoveryKit.publicKey", "TradingWalletBackup.publicKey", "userPublicKey"],
    ),
    free("public-key", &["publicKey"]),
    text("script", "^([0-9a-f]{2})+$", &["witnessScript"]),
    text("psbt", "^[A-Za-z0-9+/]+={0,2}$", &["base64Psbt", "base64Tx"]),
    text("jwt", "^[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+$", &["accessToken"]),
    text("refresh-token", "^[A-Za-z0-9_-]+$", &["refreshToken"]),
    text("device-token", "^[A-Za-z0-9_-]{64}$", &["deviceToken"]),
    text("base64-of-32-bytes", "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$", &["salt", "serverProof"]),
    text(
        "byte",
        "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$",
        &["Policy", "encryptedBlob", "serverPublic"],
    ),
    text("base32-of-20-bytes", "^[A-Z2-7]{32}$", &["TotpSetup.secret"]),
    text("webhook-secret", "^whsec_[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$", &["WebhookRow.secret"]),
    text("otpauth-uri", "^otpauth://totp/[!-~]+$", &["otpauthUri"]),
    text("image-uri", "^data:image/svg[+]xml;base64,[A-Za-z0-9+/]+={0,2}$", &["qrCode"]),
    text("recovery-code", "^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$", &["recoveryCodes"]),
    text("uri", "^https?://[!-~]+$", &["appUrl", "rpcUrl", "uri", "url"]),
    text("socket-url", "^wss?://[!-~]+$", &["Ticket.url", "socketUrl"]),
    text("media-type", "^image/[a-z+]+$", &["Content-Type", "mimeType"]),
    text("object-key", "^media/[!-~]+$", &["MediaUpload.key", "SignedFields.key"]),
    free("filename", &["fileName"]),
    text("signing-algorithm", "^AWS4-HMAC-SHA256$", &["X-Amz-Algorithm"]),
    text("signing-time", "^[0-9]{8}T[0-9]{6}Z$", &["X-Amz-Date"]),
    text("signing-scope", "^[!-~]+$", &["X-Amz-Credential"]),
    text("signing-token", "^[!-~]+$", &["X-Amz-Security-Token"]),
    text("signing-signature", "^[0-9a-f]{64}$", &["X-Amz-Signature"]),
    text("bucket", "^[a-z0-9.-]+$", &["bucket"]),
    text("key-type", "^OKP$", &["kty"]),
    text("key-curve", "^Ed25519$", &["crv"]),
    text("key-algorithm", "^EdDSA$", &["alg"]),
    text("key-use", "^sig$", &["Jwk.use"]),
    text("base64url", "^[A-Za-z0-9_-]+$", &["kid"]),
    text("base64url-of-32-bytes", "^[A-Za-z0-9_-]{43}$", &["x"]),
    text("hash-function", "^SHA-[0-9]+$", &["SrpSession.hash"]),
    text("source-hash", "^[0-9a-f]{32}$", &["sourceHash"]),
    text("limit", "^[A-Za-z]+$", &["RateLimit.name"]),
    text("health", "^ok$", &["Health.status"]),
    text("network", "^(bitcoin|testnet|testnet4|signet|regtest)$", &["RecoveryKit.network"]),
    text(
        "kind",
        "^[a-z]+([_-][a-z]+)*$",
        &["ApproveBuilderFee.kind", "RecoveryKit.kind", "SetReferrer.kind", "Withdraw.kind"],
    ),
    text(
        "venue-action",
        "^[a-z][A-Za-z]+$",
        &["ApproveBuilderFeeAction.type", "SendAssetAction.type", "SetReferrerAction.type"],
    ),
    text("venue-account", "^(spot)?$", &["destinationDex", "fromSubAccount", "sourceDex"]),
    text("event-type", "^[A-Za-z]+[.][A-Za-z]+$", &["WebhookDelivery.type"]),
    text("wei", "^0x0$", &["EvmTransaction.value"]),
    text("version", "^[0-9]+[.][0-9]+[.][0-9]+$", &["version"]),
    text(
        "label",
        "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
        &["PasskeyRow.name", "note", "passwordHint", "provider"],
    ),
    text(
        "name",
        "^[a-zA-Z]+$",
        &["OpenLimit.name", "StuckItem.state", "SupportHit.state", "SupportTransaction.blocked"],
    ),
    text("queue", "^[a-z]+( [a-z]+)*$", &["StuckItem.kind", "WaitingRows.kind"]),
    free("state", &["EventState"]),
    free("referral-code", &["VenueReferrer.code", "referralCode"]),
    free("host", &["SupportWebhook.host", "domain", "passkeyRpId"]),
    free("found-id", &["OpenPayout.id", "StuckItem.id", "SupportHit.id"]),
    free("search", &["SupportRead.query"]),
    free("request-id", &["requestId"]),
    free("ip-address", &["sourceIp"]),
    free("user-agent", &["userAgent"]),
    free("field-path", &["FieldError.field"]),
    free("sign-in-message", &["IssuedChallenge.message", "messageTemplate"]),
    free("descriptor", &["descriptorToComplete"]),
    free("hub-text", &["failedAtStep", "failureReason", "fillTxHash"]),
    free(
        "prose",
        &[
            "FieldError.message",
            "TransactionWarning.message",
            "VenueWarning.message",
            "answer",
            "asked",
            "cause",
            "commands",
            "counts",
            "details",
            "error",
            "logsQuery",
            "steps",
            "witness",
        ],
    ),
];

/// Adds formats and patterns to the schemas of the document that have none.
pub(super) fn with_texts(mut document: Value) -> Value {
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten() {
        let name = name.strip_prefix("Listed").unwrap_or(name);
        describe(name, name, schema);
    }
    document
}

/// Describes the schema of a field and the schemas inside it.
fn describe(owner: &str, field: &str, schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if is_bare_text(fields) {
                describe_text(owner, field, fields);
            }
            let properties = fields.get_mut("properties").and_then(Value::as_object_mut);
            for (name, property) in properties.into_iter().flatten() {
                describe(owner, name, property);
            }
            for part in ["items", "allOf", "oneOf", "anyOf"] {
                if let Some(part) = fields.get_mut(part) {
                    describe(owner, field, part);
                }
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| describe(owner, field, part)),
        _ => {}
    }
}

fn describe_text(owner: &str, field: &str, schema: &mut Map<String, Value>) {
    let own = format!("{owner}.{field}");
    let of = |wanted: &str| ALL.iter().find(|text| text.fields.contains(&wanted));
    let Some(text) = of(&own).or_else(|| of(field)) else { return };
    schema.insert("format".to_owned(), text.format.into());
    if let Some(pattern) = text.pattern {
        schema.insert("pattern".to_owned(), pattern.into());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_has_one_kind() {
        let fields = ALL.iter().flat_map(|text| text.fields);
        assert_eq!(fields.clone().collect::<BTreeSet<_>>().len(), fields.count());
        let formats: BTreeSet<_> = ALL.iter().map(|text| text.format).collect();
        assert_eq!(formats.len(), ALL.len());
    }

    #[test]
    fn the_schema_decides_before_the_name() {
        let bare = json!({ "type": ["string", "null"] });
        let item = json!({ "type": "array", "items": bare });
        let row = json!({ "properties": { "url": bare, "txIds": item } });
        let schemas = json!({ "ListedTicket": row, "Other": row });
        let document = with_texts(json!({ "components": { "schemas": schemas } }));
        let format = |at: &str| document.pointer(&format!("/components/schemas/{at}/format"));
        assert_eq!(format("ListedTicket/properties/url").unwrap(), "socket-url");
        assert_eq!(format("Other/properties/url").unwrap(), "uri");
        assert_eq!(format("Other/properties/txIds/items").unwrap(), "txid");
    }
}
