//! Signatures of transactions of trading wallets.

use shared::{
    auth::limits::{self, TRANSACTION_BY_ACCOUNT},
    http::{Created, Error, Fields, Input, LiveCaller, Result, extract::LONGEST_BODY},
};
use utoipa::ToSchema;

use super::request::TransactionType;
use crate::{
    BitcoinContext,
    models::transaction::Work,
    transactions::{self, IssuedTransaction, TransactionStatus},
};

/// Request body of a signature.
#[derive(Debug, ToSchema)]
pub struct SignTransaction {
    /// The kind of the transaction. If it is given, only a transaction of this kind is signed.
    r#type: Option<TransactionType>,
    params: SignedTransaction,
}

/// The PSBT, signed by the user.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignedTransaction {
    /// The PSBT as issued, with the user's signature on every input: base64 or hex.
    #[schema(max_length = 262144)]
    signed_base64_tx: String,
}

impl Input for SignTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (r#type, params) = (fields.optional("type"), fields.object("params"));
        Some(Self { r#type: r#type?, params: params? })
    }
}

impl Input for SignedTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { signed_base64_tx: fields.text("signedBase64Tx", LONGEST_BODY)? })
    }
}

/// Accepts the user's signatures of a withdrawal or renewal, adds the platform's and broadcasts the
/// transaction.
///
/// # Errors
/// As [`transactions::sign`].
pub async fn sign(
    app: &BitcoinContext,
    caller: &LiveCaller,
    body: SignTransaction,
) -> Result<Created<TransactionStatus>> {
    let account = caller.account.id;
    limits::hit(app, TRANSACTION_BY_ACCOUNT, &account.to_string()).await?;
    let returned = transactions::read_psbt(&body.params.signed_base64_tx)
        .map_err(|error| Error::from(error).naming("params.signedBase64Tx"))?;
    let is_wanted =
        |issued: &IssuedTransaction| match (TransactionType::of(&issued.work), body.r#type) {
            (Some(kind), Some(wanted)) => kind == wanted,
            (Some(_), None) => true,
            (None, _) => false,
        };
    let issued = transactions::sign(app, account, &returned, is_wanted).await?;
    Ok(Created(TransactionStatus::from(issued)))
}

impl TransactionType {
    /// The kind of a work that is signed here; batches and refunds are signed elsewhere.
    fn of(work: &Work) -> Option<Self> {
        match work {
            Work::XchainWithdraw(_) => Some(Self::XchainWithdraw),
            Work::Withdraw(_) => Some(Self::Withdraw),
            Work::RenewUtxo => Some(Self::RenewUtxo),
            Work::VmCommitment(_)
            | Work::Refund(_)
            | Work::VmTransfer(_)
            | Work::VmDistribution(_)
            | Work::PoolSplit(_)
            | Work::PoolCleanup(_) => None,
        }
    }
}
