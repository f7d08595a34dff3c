//! Every error that leaves the service: one table of what it can be, one shape, one place where
//! the errors of the areas become HTTP.

use std::{borrow::Cow, error::Error as StdError, sync::Arc};

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outbound::with_causes;

macro_rules! problems {
    ($($(#[doc = $doc:literal])+ $name:ident = $status:ident, $code:literal, $key:literal;)+) => {
        /// What can go wrong, as clients tell it apart: status, code and key never change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Problem {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Problem {
            /// All of them, in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// HTTP status.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)+ }
            }

            /// The field `code`: digits.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// The field `message`: a key for the frontend's own texts.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)+ }
            }

            /// The field `details` where the error at hand has none of its own.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim(),)+ }
            }
        }
    };
}

problems! {
    /// Fields of the request are missing or wrong; `errors` names each.
    Validation = BAD_REQUEST, "1001", "common.validation";
    /// The body is not JSON, or not a JSON object.
    MalformedBody = BAD_REQUEST, "1002", "common.malformedBody";
    /// There is nothing at this path.
    NotFound = NOT_FOUND, "1003", "common.notFound";
    /// This path has other methods; `Allow` names them.
    MethodNotAllowed = METHOD_NOT_ALLOWED, "1004", "common.methodNotAllowed";
    /// The body is longer than 256 KiB.
    PayloadTooLarge = PAYLOAD_TOO_LARGE, "1005", "common.payloadTooLarge";
    /// The body is not of the type application/json, or of one that ends in +json.
    UnsupportedMediaType = UNSUPPORTED_MEDIA_TYPE, "1006", "common.unsupportedMediaType";
    /// The account may not do this.
    Forbidden = FORBIDDEN, "1007", "common.forbidden";
    /// The service failed; the request id finds the reason in its log.
    Internal = INTERNAL_SERVER_ERROR, "1008", "common.internal";
    /// The service, or something it needs, is not available now. Try again.
    Unavailable = SERVICE_UNAVAILABLE, "1009", "common.unavailable";
    /// A request with this Idempotency-Key is being worked on.
    InProgress = CONFLICT, "1010", "common.inProgress";
    /// This Idempotency-Key was used with another body.
    IdempotencyKeyReused = CONFLICT, "1011", "common.idempotencyKeyReused";
    /// The list is too long to be sorted by this field.
    SortTooLarge = BAD_REQUEST, "1012", "common.sortTooLarge";
    /// Too many requests; `Retry-After` says when the next one may come.
    RateLimited = TOO_MANY_REQUESTS, "1013", "common.rateLimited";
    /// Another request changed the same thing meanwhile. Try again.
    Changed = CONFLICT, "1014", "common.changed";
    /// The code is wrong, or was used before.
    TotpCodeInvalid = BAD_REQUEST, "3001", "account.otpInvalid";
    /// The second factor was not set up before.
    TotpNotSetUp = BAD_REQUEST, "3002", "account.totpNotSetUp";
    /// The account does not sign in by a wallet.
    MethodNotAllowedForAccount = BAD_REQUEST, "3003", "account.methodNotAllowed";
    /// The account has no keystore.
    NotAWalletKeystore = BAD_REQUEST, "3004", "account.notAWalletKeystore";
    /// The address belongs to an account.
    NewAddressTaken = BAD_REQUEST, "3005", "account.addressTaken";
    /// The e-mail address belongs to an account.
    NewEmailTaken = BAD_REQUEST, "3006", "account.emailTaken";
    /// It is the account's e-mail address already.
    EmailUnchanged = BAD_REQUEST, "3007", "account.emailUnchanged";
    /// The mailed token is unknown, used or expired.
    EmailTokenInvalid = BAD_REQUEST, "3008", "account.emailTokenInvalid";
    /// The e-mail address is not the one that the token was mailed to.
    EmailMismatch = BAD_REQUEST, "3009", "account.emailMismatch";
    /// The account proves itself by its password: `srpData` is needed.
    ReauthMissing = BAD_REQUEST, "3010", "account.reauthMissing";
    /// The proof of the current password is wrong.
    PasswordProofInvalid = BAD_REQUEST, "3011", "account.passwordProofInvalid";
    /// The account has no password.
    NoPassword = BAD_REQUEST, "3012", "account.noPassword";
    /// There is no such inscription.
    InscriptionNotFound = BAD_REQUEST, "3013", "account.inscriptionNotFound";
    /// None of the account's addresses holds the inscription.
    InscriptionNotOwned = BAD_REQUEST, "3014", "account.inscriptionNotOwned";
    /// The catalogue has no such token.
    TokenNotFound = BAD_REQUEST, "3015", "account.tokenNotFound";
    /// Tokens of this chain cannot be in this slot.
    TokenChainUnsupported = BAD_REQUEST, "3016", "account.tokenChainUnsupported";
    /// The token cannot be in this slot.
    TokenUnfit = BAD_REQUEST, "3017", "account.tokenInvalidForSlot";
    /// The token is not the one in this slot.
    TokenNotInSlot = BAD_REQUEST, "3018", "account.tokenNotInSlot";
    /// There is no keystore.
    KeystoreNotFound = NOT_FOUND, "3019", "account.keystoreNotFound";
    /// The account has no such passkey.
    PasskeyNotFound = NOT_FOUND, "3020", "account.passkeyNotFound";
    /// Without it nobody could sign in any more.
    LastWayIn = CONFLICT, "3021", "account.lastWayIn";
    /// The account has as many of them as it may have.
    TooMany = BAD_REQUEST, "3022", "account.tooMany";
    /// The account has no such linked address.
    AddressNotLinked = NOT_FOUND, "3023", "account.addressNotLinked";
    /// The e-mail address is verified already, or there is none.
    NothingToVerify = BAD_REQUEST, "3024", "account.nothingToVerify";
    /// The account has a trading wallet already.
    TradingWalletExists = CONFLICT, "3025", "account.tradingWalletExists";
    /// The account has no trading wallet.
    TradingWalletNotFound = NOT_FOUND, "3026", "account.tradingWalletNotFound";
    /// The BTC balance is not enough.
    InsufficientBtc = BAD_REQUEST, "2002", "bitcoin.insufficientBalance";
    /// The chain source did not answer; nothing was done.
    ChainUnavailable = BAD_GATEWAY, "2003", "bitcoin.chainUnavailable";
    /// The balance of the rune is not enough.
    InsufficientRune = BAD_REQUEST, "2004", "bitcoin.insufficientRuneBalance";
    /// An amount is too small to be paid.
    AmountBelowDust = BAD_REQUEST, "2005", "bitcoin.amountBelowDust";
    /// The fee would be higher than any transaction may cost.
    FeeTooHigh = BAD_REQUEST, "2006", "bitcoin.feeTooHigh";
    /// The amount is spread over more coins than one transaction can spend.
    TooManyInputs = BAD_REQUEST, "2007", "bitcoin.tooManyInputs";
    /// There is no such rune.
    RuneUnknown = BAD_REQUEST, "2008", "bitcoin.runeUnknown";
    /// The account has no trading wallet.
    NoTradingWallet = BAD_REQUEST, "2009", "bitcoin.noTradingWallet";
    /// This is not a PSBT.
    PsbtMalformed = BAD_REQUEST, "2010", "bitcoin.psbtMalformed";
    /// This is not the transaction that was issued.
    NotTheIssuedTransaction = BAD_REQUEST, "2011", "bitcoin.notTheIssuedTransaction";
    /// A signature is missing.
    SignatureMissing = BAD_REQUEST, "2012", "bitcoin.signatureMissing";
    /// A signature is not one of the transaction by the account's key.
    TransactionSignatureInvalid = BAD_REQUEST, "2013", "bitcoin.signatureInvalid";
    /// A signature does not commit to the whole transaction: only SIGHASH_ALL does.
    WrongSighash = BAD_REQUEST, "2014", "bitcoin.wrongSighash";
    /// The time to sign is over, or the transaction was refused before.
    ReservationExpired = BAD_REQUEST, "2015", "bitcoin.reservationExpired";
    /// A coin of the transaction was spent meanwhile, or holds something else.
    CoinsChanged = CONFLICT, "2016", "bitcoin.coinsChanged";
    /// The transaction is in a block, is under way, or cannot be changed any more.
    NotReplaceable = CONFLICT, "2021", "bitcoin.notReplaceable";
    /// The access token is not valid.
    InvalidToken = UNAUTHORIZED, "4002", "auth.invalidToken";
    /// The access token is past its time.
    TokenExpired = UNAUTHORIZED, "4003", "auth.tokenExpired";
    /// There is no Authorization header with a Bearer token.
    NoAuthorization = UNAUTHORIZED, "4004", "auth.noAuthorization";
    /// The refresh token is not valid.
    InvalidRefreshToken = BAD_REQUEST, "4005", "auth.invalidRefreshToken";
    /// There is no such account.
    AccountNotFound = UNAUTHORIZED, "4006", "auth.accountNotFound";
    /// The signature does not prove control of the wallet.
    SignatureInvalid = BAD_REQUEST, "4007", "auth.signatureInvalid";
    /// The trading wallet could not be made, or its public key is taken.
    TradingWallet = BAD_REQUEST, "4008", "auth.tradingWallet";
    /// The session has ended. Sign in again.
    SessionEnded = UNAUTHORIZED, "4010", "auth.sessionEnded";
    /// The account is disabled.
    AccountDisabled = UNAUTHORIZED, "4011", "auth.accountDisabled";
    /// The challenge is unknown, used, expired, or of another wallet or purpose.
    ChallengeInvalid = BAD_REQUEST, "4012", "auth.challengeInvalid";
    /// The signed message is not the service's, not recent, or was used before.
    SignInMessageInvalid = BAD_REQUEST, "4013", "auth.signInMessageInvalid";
    /// Contract wallets cannot be checked now.
    ContractWalletUnavailable = SERVICE_UNAVAILABLE, "4014", "auth.contractWalletUnavailable";
    /// There is no such session.
    SessionNotFound = NOT_FOUND, "4015", "auth.sessionNotFound";
    /// The e-mail address or the password is wrong.
    InvalidCredentials = UNAUTHORIZED, "4016", "auth.invalidCredentials";
    /// The account asks for a code of its second factor: `otpCode`.
    OtpRequired = UNAUTHORIZED, "4017", "auth.otpRequired";
    /// The code is wrong, or was used before.
    OtpInvalid = UNAUTHORIZED, "4018", "auth.otpInvalid";
    /// Too many wrong codes; `Retry-After` says when the next one may come.
    OtpLocked = TOO_MANY_REQUESTS, "4019", "auth.otpLocked";
    /// The address is linked to an account, and does not sign in.
    AddressLinked = UNAUTHORIZED, "4020", "auth.addressLinked";
    /// The address was replaced by another one, and does not sign in.
    AddressRetired = UNAUTHORIZED, "4021", "auth.addressRetired";
    /// The address belongs to an account.
    AddressTaken = CONFLICT, "4022", "auth.addressTaken";
    /// The e-mail address belongs to an account.
    EmailTaken = CONFLICT, "4023", "auth.emailTaken";
    /// The session was opened too long ago for this. Sign in again.
    ReauthRequired = UNAUTHORIZED, "4024", "auth.reauthRequired";
    /// The session of the handshake is unknown, used, expired, or of another purpose.
    HandshakeInvalid = BAD_REQUEST, "4025", "auth.handshakeInvalid";
    /// A value of SRP that cannot be one.
    SrpValueInvalid = BAD_REQUEST, "4026", "auth.srpValueInvalid";
    /// The passkey's answer does not have the form of one.
    PasskeyMalformed = BAD_REQUEST, "4027", "auth.passkeyMalformed";
    /// The passkey is not known, or its answer is not good.
    PasskeyRefused = UNAUTHORIZED, "4028", "auth.passkeyRefused";
    /// The passkey belongs to an account.
    PasskeyTaken = CONFLICT, "4029", "auth.passkeyTaken";
    /// There is no such referral code.
    ReferralCodeUnknown = BAD_REQUEST, "4030", "auth.referralCodeUnknown";
    /// The prize number is taken.
    PrizeNumberTaken = CONFLICT, "5001", "prizes.numberTaken";
    /// The inscription is a prize already.
    PrizeInscriptionTaken = CONFLICT, "5002", "prizes.inscriptionTaken";
    /// The output holds another prize.
    PrizeUtxoTaken = CONFLICT, "5003", "prizes.utxoTaken";
    /// The output does not exist, is spent, or is not confirmed yet.
    PrizeUtxoUnusable = BAD_REQUEST, "5004", "prizes.utxoUnusable";
    /// The output does not hold the inscription.
    PrizeInscriptionElsewhere = BAD_REQUEST, "5005", "prizes.inscriptionElsewhere";
    /// The output does not pay the treasury.
    PrizeNotInTreasury = BAD_REQUEST, "5006", "prizes.notInTreasury";
    /// There is no mint of this rune that takes requests.
    VmNoMint = BAD_REQUEST, "6001", "vm.noMint";
    /// The mint takes no more requests.
    VmMintClosed = CONFLICT, "6002", "vm.mintClosed";
    /// The price of a request is below the lowest one of the mint.
    VmPriceTooLow = BAD_REQUEST, "6003", "vm.priceTooLow";
    /// The mint has fewer requests than that.
    VmTooManyRequests = BAD_REQUEST, "6004", "vm.tooManyRequests";
    /// The batch before is under way: wait until the network has it.
    VmBatchUnderWay = CONFLICT, "6005", "vm.batchUnderWay";
    /// The batch was replaced so often that one transaction cannot take up more prices.
    VmTooManyPrices = BAD_REQUEST, "6006", "vm.tooManyPrices";
    /// There is a mint of this rune that is not over.
    VmMintExists = CONFLICT, "6007", "vm.mintExists";
    /// There is no such mint.
    VmMintNotFound = NOT_FOUND, "6008", "vm.mintNotFound";
    /// The pool does not hold the runes of the mint.
    VmPoolTooSmall = BAD_REQUEST, "6009", "vm.poolTooSmall";
    /// The filters cannot be combined like this.
    VmFiltersUnsupported = BAD_REQUEST, "6010", "vm.filtersUnsupported";
    /// The page lies too deep in a list that is filtered by state.
    VmPageTooDeep = BAD_REQUEST, "6011", "vm.pageTooDeep";
    /// The rune was etched fewer than seven blocks ago.
    VmRuneTooYoung = CONFLICT, "6012", "vm.runeTooYoung";
    /// There is nothing to refund.
    RefundNothing = BAD_REQUEST, "7001", "refund.nothing";
    /// The refund is not worth its network fee.
    RefundBelowFee = BAD_REQUEST, "7002", "refund.belowFee";
    /// Another refund of the account waits for its signature.
    RefundOpen = CONFLICT, "7003", "refund.open";
    /// What can be refunded is not what it was.
    RefundChanged = CONFLICT, "7004", "refund.changed";
    /// The swap is registered with other content.
    SwapRegistered = CONFLICT, "8001", "xchain.registered";
    /// The hub's record of the intent says otherwise.
    SwapContradicted = BAD_REQUEST, "8002", "xchain.contradicted";
    /// There is no such cross-chain transaction.
    XchainNotFound = NOT_FOUND, "8003", "xchain.notFound";
    /// USDC does not move to the venue or from it now.
    PerpVenuePaused = SERVICE_UNAVAILABLE, "9001", "perpVenue.paused";
    /// The wallet does not have that much USDC on the venue's EVM chain.
    PerpVenueInsufficientUsdc = BAD_REQUEST, "9002", "perpVenue.insufficientUsdc";
    /// The first deposit of a new account has to be more than what its activation costs.
    PerpVenueAmountBelowActivationFee = BAD_REQUEST, "9003", "perpVenue.amountBelowActivationFee";
    /// The wallet cannot withdraw that much from the venue, with the fee of the transfer.
    PerpVenueInsufficientBalance = BAD_REQUEST, "9004", "perpVenue.insufficientVenueBalance";
    /// The wallet is a contract, which cannot sign what the venue wants signed.
    PerpVenueContractWallet = BAD_REQUEST, "9005", "perpVenue.contractWallet";
    /// VM transactions or swaps that the address acts for are not over.
    AddressInUse = CONFLICT, "3027", "account.addressInUse";
}

/// A field that is missing or wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// Where: a name, or a path such as `params.amount`.
    pub field: String,
    /// What is wrong with it, one English sentence or phrase.
    pub message: String,
}

/// An error as it is kept, to be answered again: everything but the request that it answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refusal {
    code: String,
    details: String,
    fields: Vec<FieldError>,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let known = Problem::ALL.iter().find(|problem| problem.code() == refusal.code);
        let problem = known.copied().unwrap_or(Problem::Internal);
        Self { fields: refusal.fields, ..Self::with_details(problem, refusal.details) }
    }
}

/// An error of one area (a function, or a part of `shared`).
pub trait AreaError: StdError + Send + Sync + 'static {
    /// What it is to clients. Its `Display` is sent as `details`, unless the status is 5xx.
    fn problem(&self) -> Problem;

    /// What the log shall say: by default its `Display`, and that of its causes.
    fn internal(&self) -> String
    where
        Self: Sized,
    {
        with_causes(self)
    }

    /// Whole seconds until the same request may succeed: the header `Retry-After`.
    fn retry_after(&self) -> Option<u64> {
        None
    }
}

/// An error on its way to a client.
#[derive(Clone, Debug)]
pub struct Error {
    problem: Problem,
    details: Cow<'static, str>,
    fields: Vec<FieldError>,
    /// For the log, never for the client.
    internal: Option<Arc<str>>,
    retry_after: Option<u64>,
}

impl Error {
    /// `problem`, described by its own meaning.
    pub fn new(problem: Problem) -> Self {
        let details = problem.meaning().into();
        Self { problem, details, fields: Vec::new(), internal: None, retry_after: None }
    }

    /// `problem`, described by a sentence that is safe to show.
    pub fn with_details(problem: Problem, details: impl Into<Cow<'static, str>>) -> Self {
        Self { details: details.into(), ..Self::new(problem) }
    }

    /// Every field that is missing or wrong.
    pub fn fields(fields: Vec<FieldError>) -> Self {
        let names: Vec<_> = fields.iter().map(|error| error.field.as_str()).collect();
        let details = format!("Missing or wrong: {}.", names.join(", "));
        Self { fields, ..Self::with_details(Problem::Validation, details) }
    }

    /// One field that is missing or wrong.
    pub fn field(field: impl Into<String>, message: impl ToString) -> Self {
        Self::fields(vec![FieldError { field: field.into(), message: message.to_string() }])
    }

    /// Names the field that it is about.
    #[must_use]
    pub fn naming(mut self, field: &str) -> Self {
        let message = self.details.to_string();
        self.fields.push(FieldError { field: field.to_owned(), message });
        self
    }

    /// Names the fields that it is about, each with what is wrong with it.
    #[must_use]
    pub fn with_fields(self, fields: Vec<FieldError>) -> Self {
        Self { fields, ..self }
    }

    /// Adds what the log shall say.
    #[must_use]
    pub fn caused_by(mut self, cause: impl ToString) -> Self {
        self.internal = Some(cause.to_string().into());
        self
    }

    /// What it is to clients.
    pub fn problem(&self) -> Problem {
        self.problem
    }

    /// What is kept of it, to be answered again.
    pub(crate) fn kept(&self) -> Refusal {
        let (code, details) = (self.problem.code().to_owned(), self.details.to_string());
        Refusal { code, details, fields: self.fields.clone() }
    }

    /// What the log shall say.
    pub(crate) fn internal(&self) -> Option<&str> {
        self.internal.as_deref()
    }

    /// The finished answer, in the error shape.
    pub(crate) fn answer(&self, request_id: &str) -> Response {
        let body = ErrorBody {
            code: self.problem.code(),
            message: self.problem.key(),
            details: &self.details,
            request_id,
            errors: &self.fields,
        };
        let mut response = (self.problem.status(), Json(body)).into_response();
        if response.status() == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// The body of every error.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Error)]
pub struct ErrorBody<'a> {
    /// Digits, stable.
    #[schema(example = "1001")]
    code: &'a str,
    /// A key for the frontend's own texts, stable.
    #[schema(example = "common.validation")]
    message: &'a str,
    /// One English sentence; may change.
    details: &'a str,
    /// Finds the request in the service's log.
    request_id: &'a str,
    /// Every field that is missing or wrong.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    errors: &'a [FieldError],
}

impl<E: AreaError> From<E> for Error {
    fn from(error: E) -> Self {
        let problem = error.problem();
        let answer = if problem.status().is_server_error() {
            Self::new(problem)
        } else {
            Self::with_details(problem, error.to_string())
        };
        Self { retry_after: error.retry_after(), ..answer }.caused_by(error.internal())
    }
}

/// The answer is finished where the request id is known: see `routes`.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.problem.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_and_keys_are_unique_and_well_formed() {
        let mut codes = HashSet::new();
        let mut keys = HashSet::new();
        for problem in Problem::ALL {
            assert!(codes.insert(problem.code()) && keys.insert(problem.key()), "{problem:?}");
            assert!(
                problem.code().len() == 4 && problem.code().bytes().all(|b| b.is_ascii_digit())
            );
            assert!(
                problem.meaning().ends_with('.') && !problem.meaning().contains("  "),
                "{problem:?}"
            );
        }
    }

    /// Codes that published clients already know (`docs/decisions/0001-envelope-and-codes.md`).
    #[test]
    fn published_codes_stay() {
        for (code, status) in [
            ("4002", 401),
            ("4003", 401),
            ("4004", 401),
            ("4005", 400),
            ("4006", 401),
            ("4007", 400),
            ("4008", 400),
            ("2002", 400),
        ] {
            let problem = Problem::ALL.iter().find(|problem| problem.code() == code).unwrap();
            assert_eq!(problem.status().as_u16(), status, "{code}");
        }
    }

    #[derive(Debug, thiserror::Error)]
    #[error("table accounts-xyz is gone")]
    struct Gone;

    impl AreaError for Gone {
        fn problem(&self) -> Problem {
            Problem::Internal
        }
    }

    #[test]
    fn internal_text_stays_inside() {
        let error = Error::from(Gone);
        assert_eq!(error.details, Problem::Internal.meaning());
        assert_eq!(error.internal(), Some("table accounts-xyz is gone"));
    }
}
