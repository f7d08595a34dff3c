//! Every error that leaves the service: one table of what it can be, one shape, one place where
//! the errors of the areas become HTTP.

use std::{borrow::Cow, collections::BTreeMap, error::Error as StdError, fmt::Display, sync::Arc};

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use base::{blob::BlobError, outbound::with_causes, queue::QueueError, signer::SignerError};
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use store::{CommitError, StoreError};
use utoipa::{
    ToSchema,
    openapi::{
        Object, ObjectBuilder, OneOfBuilder, RefOr, Schema,
        schema::{ArrayBuilder, Type},
    },
};

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
    /// The body is larger than 256 KiB.
    PayloadTooLarge = PAYLOAD_TOO_LARGE, "1005", "common.payloadTooLarge";
    /// The body must be JSON: set Content-Type to application/json.
    UnsupportedMediaType = UNSUPPORTED_MEDIA_TYPE, "1006", "common.unsupportedMediaType";
    /// This account is not allowed to do this.
    Forbidden = FORBIDDEN, "1007", "common.forbidden";
    /// The service failed. Contact support with the request id.
    Internal = INTERNAL_SERVER_ERROR, "1008", "common.internal";
    /// The service is temporarily unavailable. Try again.
    Unavailable = SERVICE_UNAVAILABLE, "1009", "common.unavailable";
    /// A request with this Idempotency-Key is still being processed. Try again shortly.
    InProgress = CONFLICT, "1010", "common.inProgress";
    /// This Idempotency-Key was already used with a different body.
    IdempotencyKeyReused = CONFLICT, "1011", "common.idempotencyKeyReused";
    /// The list is too long to be sorted by this field.
    SortTooLarge = BAD_REQUEST, "1012", "common.sortTooLarge";
    /// Too many requests. Try again after the time in Retry-After.
    RateLimited = TOO_MANY_REQUESTS, "1013", "common.rateLimited";
    /// Another request changed the same data at the same time. Try again.
    Changed = CONFLICT, "1014", "common.changed";
    /// These events are no longer kept. Read the current state again.
    EventsTooOld = GONE, "1101", "events.tooOld";
    /// Webhooks may not send to this URL.
    WebhookUrlRefused = BAD_REQUEST, "1102", "webhooks.urlRefused";
    /// The webhook does not exist.
    WebhookNotFound = NOT_FOUND, "1103", "webhooks.notFound";
    /// The export does not exist.
    ExportNotFound = NOT_FOUND, "1104", "exports.notFound";
    /// The catalogue does not contain this token.
    NoSuchToken = NOT_FOUND, "1105", "tokens.notFound";
    /// The rune does not exist.
    NoSuchRune = NOT_FOUND, "1106", "runes.notFound";
    /// The receiver has not confirmed the webhook's URL yet. Answer `webhook.verification`, then try again.
    WebhookUnverified = CONFLICT, "1107", "webhooks.unverified";
    /// The BTC balance is too low.
    InsufficientBtc = BAD_REQUEST, "2002", "bitcoin.insufficientBalance";
    /// The Bitcoin data source is unavailable, so nothing was done. Try again.
    ChainUnavailable = BAD_GATEWAY, "2003", "bitcoin.chainUnavailable";
    /// The balance of this rune is too low.
    InsufficientRune = BAD_REQUEST, "2004", "bitcoin.insufficientRuneBalance";
    /// An amount is below the dust limit. Increase it.
    AmountBelowDust = BAD_REQUEST, "2005", "bitcoin.amountBelowDust";
    /// The network fee would exceed the maximum per transaction. Try again when fees are lower.
    FeeTooHigh = BAD_REQUEST, "2006", "bitcoin.feeTooHigh";
    /// The amount is spread over more coins than one transaction can spend. Split it.
    TooManyInputs = BAD_REQUEST, "2007", "bitcoin.tooManyInputs";
    /// The rune does not exist.
    RuneUnknown = BAD_REQUEST, "2008", "bitcoin.runeUnknown";
    /// The account has no trading wallet.
    NoTradingWallet = BAD_REQUEST, "2009", "bitcoin.noTradingWallet";
    /// The PSBT cannot be parsed.
    PsbtMalformed = BAD_REQUEST, "2010", "bitcoin.psbtMalformed";
    /// The PSBT does not match the transaction that was issued.
    NotTheIssuedTransaction = BAD_REQUEST, "2011", "bitcoin.notTheIssuedTransaction";
    /// A signature is missing.
    SignatureMissing = BAD_REQUEST, "2012", "bitcoin.signatureMissing";
    /// A signature is not valid for this transaction and the account's key.
    TransactionSignatureInvalid = BAD_REQUEST, "2013", "bitcoin.signatureInvalid";
    /// Every signature must use SIGHASH_ALL.
    WrongSighash = BAD_REQUEST, "2014", "bitcoin.wrongSighash";
    /// The time to sign has expired, or the transaction was refused. Request a new one.
    ReservationExpired = BAD_REQUEST, "2015", "bitcoin.reservationExpired";
    /// A coin of the transaction was spent or changed in the meantime. Request a new transaction.
    CoinsChanged = CONFLICT, "2016", "bitcoin.coinsChanged";
    /// The trading address has no such coin that it can spend now.
    CoinUnknown = NOT_FOUND, "2017", "bitcoin.coinUnknown";
    /// No coin needs a renewal.
    NothingToRenew = BAD_REQUEST, "2018", "bitcoin.nothingToRenew";
    /// The account has no such transaction.
    TransactionNotFound = NOT_FOUND, "2019", "bitcoin.transactionNotFound";
    /// The transaction is signed. Only the network can end it now.
    AlreadySigned = CONFLICT, "2020", "bitcoin.alreadySigned";
    /// The transaction is confirmed or in progress and cannot be replaced.
    NotReplaceable = CONFLICT, "2021", "bitcoin.notReplaceable";
    /// The Bitcoin data source is not ready, so nothing was done. Try again after the time in Retry-After.
    ChainBusy = SERVICE_UNAVAILABLE, "2022", "bitcoin.chainBusy";
    /// Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less.
    CoinsReserved = CONFLICT, "2023", "bitcoin.coinsReserved";
    /// The code is wrong or already used.
    TotpCodeInvalid = BAD_REQUEST, "3001", "account.otpInvalid";
    /// Set up the second factor first.
    TotpNotSetUp = BAD_REQUEST, "3002", "account.totpNotSetUp";
    /// This account does not sign in with a wallet.
    MethodNotAllowedForAccount = BAD_REQUEST, "3003", "account.methodNotAllowed";
    /// The account has no keystore.
    NotAWalletKeystore = BAD_REQUEST, "3004", "account.notAWalletKeystore";
    /// The address already belongs to an account.
    NewAddressTaken = BAD_REQUEST, "3005", "account.addressTaken";
    /// The e-mail address already belongs to an account.
    NewEmailTaken = BAD_REQUEST, "3006", "account.emailTaken";
    /// This is already the e-mail address of the account.
    EmailUnchanged = BAD_REQUEST, "3007", "account.emailUnchanged";
    /// The link is unknown, used or expired. Request a new one.
    EmailTokenInvalid = BAD_REQUEST, "3008", "account.emailTokenInvalid";
    /// The link was mailed to a different e-mail address.
    EmailMismatch = BAD_REQUEST, "3009", "account.emailMismatch";
    /// The account has a password: send a proof of it in srpData.
    ReauthMissing = BAD_REQUEST, "3010", "account.reauthMissing";
    /// The current password is wrong.
    PasswordProofInvalid = BAD_REQUEST, "3011", "account.passwordProofInvalid";
    /// The account has no password.
    NoPassword = BAD_REQUEST, "3012", "account.noPassword";
    /// The inscription does not exist.
    InscriptionNotFound = BAD_REQUEST, "3013", "account.inscriptionNotFound";
    /// None of the account's addresses holds the inscription.
    InscriptionNotOwned = BAD_REQUEST, "3014", "account.inscriptionNotOwned";
    /// The catalogue does not contain this token.
    TokenNotFound = BAD_REQUEST, "3015", "account.tokenNotFound";
    /// This slot does not accept tokens of this chain.
    TokenChainUnsupported = BAD_REQUEST, "3016", "account.tokenChainUnsupported";
    /// This slot does not accept this token.
    TokenUnfit = BAD_REQUEST, "3017", "account.tokenInvalidForSlot";
    /// The slot contains a different token.
    TokenNotInSlot = BAD_REQUEST, "3018", "account.tokenNotInSlot";
    /// The account has no keystore.
    KeystoreNotFound = NOT_FOUND, "3019", "account.keystoreNotFound";
    /// The account has no such passkey.
    PasskeyNotFound = NOT_FOUND, "3020", "account.passkeyNotFound";
    /// This is the account's last way to sign in. Add another one first.
    LastWayIn = CONFLICT, "3021", "account.lastWayIn";
    /// The account has reached the maximum number. Remove one first.
    TooMany = BAD_REQUEST, "3022", "account.tooMany";
    /// The address is not linked to the account.
    AddressNotLinked = NOT_FOUND, "3023", "account.addressNotLinked";
    /// The account has no unverified e-mail address.
    NothingToVerify = BAD_REQUEST, "3024", "account.nothingToVerify";
    /// The account already has a trading wallet.
    TradingWalletExists = CONFLICT, "3025", "account.tradingWalletExists";
    /// The account has no trading wallet.
    TradingWalletNotFound = NOT_FOUND, "3026", "account.tradingWalletNotFound";
    /// This address is used by open virtual-mint transactions or swaps.
    AddressInUse = CONFLICT, "3027", "account.addressInUse";
    /// The account does not exist.
    NoSuchAccount = NOT_FOUND, "3028", "account.noSuchAccount";
    /// The access token is invalid.
    InvalidToken = UNAUTHORIZED, "4002", "auth.invalidToken";
    /// The access token has expired. Refresh it.
    TokenExpired = UNAUTHORIZED, "4003", "auth.tokenExpired";
    /// The request has no Authorization header with a Bearer token.
    NoAuthorization = UNAUTHORIZED, "4004", "auth.noAuthorization";
    /// The refresh token is invalid. Sign in again.
    InvalidRefreshToken = BAD_REQUEST, "4005", "auth.invalidRefreshToken";
    /// The account does not exist.
    AccountNotFound = UNAUTHORIZED, "4006", "auth.accountNotFound";
    /// The signature does not prove control of the wallet.
    SignatureInvalid = BAD_REQUEST, "4007", "auth.signatureInvalid";
    /// The trading wallet cannot be created, or its public key is already used.
    TradingWallet = BAD_REQUEST, "4008", "auth.tradingWallet";
    /// The session has ended. Sign in again.
    SessionEnded = UNAUTHORIZED, "4010", "auth.sessionEnded";
    /// The account is disabled.
    AccountDisabled = UNAUTHORIZED, "4011", "auth.accountDisabled";
    /// The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
    ChallengeInvalid = BAD_REQUEST, "4012", "auth.challengeInvalid";
    /// The signed message is not from this service, is too old, or was already used. Sign a new one.
    SignInMessageInvalid = BAD_REQUEST, "4013", "auth.signInMessageInvalid";
    /// Signatures of contract wallets cannot be checked right now. Try again.
    ContractWalletUnavailable = SERVICE_UNAVAILABLE, "4014", "auth.contractWalletUnavailable";
    /// The session does not exist.
    SessionNotFound = NOT_FOUND, "4015", "auth.sessionNotFound";
    /// The e-mail address or the password is wrong.
    InvalidCredentials = UNAUTHORIZED, "4016", "auth.invalidCredentials";
    /// The account requires a code of its second factor in otpCode.
    OtpRequired = UNAUTHORIZED, "4017", "auth.otpRequired";
    /// The code is wrong or already used.
    OtpInvalid = UNAUTHORIZED, "4018", "auth.otpInvalid";
    /// Too many wrong codes. Try again after the time in Retry-After.
    OtpLocked = TOO_MANY_REQUESTS, "4019", "auth.otpLocked";
    /// The address is linked to an account but cannot sign in.
    AddressLinked = UNAUTHORIZED, "4020", "auth.addressLinked";
    /// The address was replaced by another one and can no longer sign in.
    AddressRetired = UNAUTHORIZED, "4021", "auth.addressRetired";
    /// The address already belongs to an account.
    AddressTaken = CONFLICT, "4022", "auth.addressTaken";
    /// The e-mail address already belongs to an account.
    EmailTaken = CONFLICT, "4023", "auth.emailTaken";
    /// This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat
    /// the request.
    ReauthRequired = UNAUTHORIZED, "4024", "auth.reauthRequired";
    /// The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
    HandshakeInvalid = BAD_REQUEST, "4025", "auth.handshakeInvalid";
    /// An SRP value is invalid.
    SrpValueInvalid = BAD_REQUEST, "4026", "auth.srpValueInvalid";
    /// The passkey response is malformed.
    PasskeyMalformed = BAD_REQUEST, "4027", "auth.passkeyMalformed";
    /// The passkey is unknown, or its response is invalid.
    PasskeyRefused = UNAUTHORIZED, "4028", "auth.passkeyRefused";
    /// The passkey already belongs to an account.
    PasskeyTaken = CONFLICT, "4029", "auth.passkeyTaken";
    /// The referral code does not exist.
    ReferralCodeUnknown = BAD_REQUEST, "4030", "auth.referralCodeUnknown";
    /// The prize number is already used.
    PrizeNumberTaken = CONFLICT, "5001", "prizes.numberTaken";
    /// The inscription is already a prize.
    PrizeInscriptionTaken = CONFLICT, "5002", "prizes.inscriptionTaken";
    /// The output holds another prize.
    PrizeUtxoTaken = CONFLICT, "5003", "prizes.utxoTaken";
    /// The output does not exist, is spent, or is unconfirmed.
    PrizeUtxoUnusable = BAD_REQUEST, "5004", "prizes.utxoUnusable";
    /// The output does not hold the inscription.
    PrizeInscriptionElsewhere = BAD_REQUEST, "5005", "prizes.inscriptionElsewhere";
    /// The output does not belong to the treasury.
    PrizeNotInTreasury = BAD_REQUEST, "5006", "prizes.notInTreasury";
    /// No prize has this number.
    PrizeNotFound = NOT_FOUND, "5007", "prizes.notFound";
    /// The service does not serve media yet, so it accepts no uploads.
    MediaNotServed = SERVICE_UNAVAILABLE, "5101", "medias.notServed";
    /// No open mint of this rune accepts requests.
    VmNoMint = BAD_REQUEST, "6001", "vm.noMint";
    /// The mint no longer accepts requests.
    VmMintClosed = CONFLICT, "6002", "vm.mintClosed";
    /// The price per request is below the minimum of the mint.
    VmPriceTooLow = BAD_REQUEST, "6003", "vm.priceTooLow";
    /// The mint has fewer requests in total.
    VmTooManyRequests = BAD_REQUEST, "6004", "vm.tooManyRequests";
    /// Your previous batch is still being broadcast. Try again once it is in the mempool.
    VmBatchUnderWay = CONFLICT, "6005", "vm.batchUnderWay";
    /// The batch was replaced too often to add another price.
    VmTooManyPrices = BAD_REQUEST, "6006", "vm.tooManyPrices";
    /// The rune already has a mint that has not ended.
    VmMintExists = CONFLICT, "6007", "vm.mintExists";
    /// The mint does not exist.
    VmMintNotFound = NOT_FOUND, "6008", "vm.mintNotFound";
    /// The pool does not hold enough runes for the mint.
    VmPoolTooSmall = BAD_REQUEST, "6009", "vm.poolTooSmall";
    /// These filters cannot be combined.
    VmFiltersUnsupported = BAD_REQUEST, "6010", "vm.filtersUnsupported";
    /// A list filtered by state has no pages this deep.
    VmPageTooDeep = BAD_REQUEST, "6011", "vm.pageTooDeep";
    /// The etching of the rune needs seven confirmations. Try again later.
    VmRuneTooYoung = CONFLICT, "6012", "vm.runeTooYoung";
    /// The VM transaction does not exist.
    VmTransactionNotFound = NOT_FOUND, "6013", "vm.transactionNotFound";
    /// The mint has as many bids as it can have.
    VmMintFull = CONFLICT, "6014", "vm.mintFull";
    /// The mint has so many bids that a further one has to offer more.
    VmMintCrowded = CONFLICT, "6015", "vm.mintCrowded";
    /// There is nothing to refund.
    RefundNothing = BAD_REQUEST, "7001", "refund.nothing";
    /// The refund is worth less than its network fee.
    RefundBelowFee = BAD_REQUEST, "7002", "refund.belowFee";
    /// The refundable amount has changed. Request the refund again.
    RefundChanged = CONFLICT, "7004", "refund.changed";
    /// The swap is already registered with different content.
    SwapRegistered = CONFLICT, "8001", "xchain.registered";
    /// The hub's record of the intent differs from the request.
    SwapContradicted = BAD_REQUEST, "8002", "xchain.contradicted";
    /// The cross-chain transaction does not exist.
    XchainNotFound = NOT_FOUND, "8003", "xchain.notFound";
    /// USDC transfers to and from the venue are paused. Try again later.
    PerpVenuePaused = SERVICE_UNAVAILABLE, "9001", "perpVenue.paused";
    /// The wallet's USDC balance on the venue's EVM chain is too low.
    PerpVenueInsufficientUsdc = BAD_REQUEST, "9002", "perpVenue.insufficientUsdc";
    /// The first deposit of a new account must exceed the venue's activation fee.
    PerpVenueAmountBelowActivationFee = BAD_REQUEST, "9003", "perpVenue.amountBelowActivationFee";
    /// The wallet's balance at the venue does not cover the amount and the transfer fee.
    PerpVenueInsufficientBalance = BAD_REQUEST, "9004", "perpVenue.insufficientVenueBalance";
    /// Contract wallets cannot sign the venue's messages. Use another wallet.
    PerpVenueContractWallet = BAD_REQUEST, "9005", "perpVenue.contractWallet";
}

impl Problem {
    /// The header `WWW-Authenticate` of a 401 (RFC 6750, section 3; RFC 9470, section 3). A request without a
    /// token gets no error code.
    fn challenge(self) -> &'static str {
        match self {
            Self::InvalidToken
            | Self::TokenExpired
            | Self::AccountNotFound
            | Self::SessionEnded
            | Self::AccountDisabled => r#"Bearer error="invalid_token""#,
            Self::ReauthRequired => r#"Bearer error="insufficient_user_authentication""#,
            _ => "Bearer",
        }
    }
}

/// A field that is missing or wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// The name or path of the field, such as `params.amount`.
    pub field: String,
    /// What is wrong with it, one English sentence or phrase.
    pub message: String,
}

/// The numbers and ids that `details` mentions, by name, for programs: `details` is for people and may change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Params(BTreeMap<String, Param>);

/// A number or id that an error mentions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Param {
    /// A whole number that fits into a double: a count, seconds, sats.
    Number(u64),
    /// An id, or an amount of any size as digits.
    Text(String),
    /// Several ids.
    Texts(Vec<String>),
}

impl Params {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a number: a count, seconds, sats.
    #[must_use]
    pub fn number(self, name: &str, number: u64) -> Self {
        self.with(name, Param::Number(number))
    }

    /// Adds an id, or an amount that may exceed 2^53, as its text.
    #[must_use]
    pub fn text(self, name: &str, text: impl Display) -> Self {
        self.with(name, Param::Text(text.to_string()))
    }

    /// Adds a list of ids.
    #[must_use]
    pub fn texts<T: Display>(self, name: &str, texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|text| text.to_string());
        self.with(name, Param::Texts(texts.collect()))
    }

    fn with(mut self, name: &str, param: Param) -> Self {
        self.0.insert(name.to_owned(), param);
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// An error as it is kept, to be answered again: everything but the request that it answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refusal {
    code: String,
    details: String,
    params: Params,
    fields: Vec<FieldError>,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let known = Problem::ALL.iter().find(|problem| problem.code() == refusal.code);
        let problem = known.copied().unwrap_or(Problem::Internal);
        let Refusal { details, params, fields, .. } = refusal;
        Self { params, fields, ..Self::with_details(problem, details) }
    }
}

/// An error of one area: a function, or a part of a crate that functions share.
pub trait AsProblem: StdError + Send + Sync + 'static {
    /// What it is to clients. Its `Display` is sent as `details`, unless the status is 5xx.
    fn problem(&self) -> Problem;

    /// The numbers and ids that its `Display` mentions: the field `params`, unless the status is 5xx.
    fn params(&self) -> Params {
        Params::new()
    }

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

impl AsProblem for BlobError {
    fn problem(&self) -> Problem {
        Problem::Unavailable
    }
}

impl AsProblem for QueueError {
    fn problem(&self) -> Problem {
        Problem::Unavailable
    }
}

impl AsProblem for StoreError {
    fn problem(&self) -> Problem {
        match self {
            Self::Unavailable(_) => Problem::Unavailable,
            Self::Dynamo(_) | Self::Row(_) => Problem::Internal,
        }
    }
}

impl<E: AsProblem> AsProblem for CommitError<E> {
    fn problem(&self) -> Problem {
        match self {
            Self::Condition(error) => error.problem(),
            Self::Contended => Problem::Unavailable,
            Self::Store(error) => error.problem(),
        }
    }

    fn internal(&self) -> String {
        match self {
            Self::Condition(error) => error.internal(),
            Self::Contended => self.to_string(),
            Self::Store(error) => error.internal(),
        }
    }
}

impl AsProblem for SignerError {
    fn problem(&self) -> Problem {
        Problem::Unavailable
    }
}

/// An error on its way to a client.
#[derive(Clone, Debug)]
pub struct Error {
    problem: Problem,
    details: Cow<'static, str>,
    params: Params,
    fields: Vec<FieldError>,
    /// For the log, never for the client.
    internal: Option<Arc<str>>,
    retry_after: Option<u64>,
}

impl Error {
    /// `problem`, described by its own meaning.
    pub fn new(problem: Problem) -> Self {
        let details = problem.meaning().into();
        let (params, fields) = (Params::new(), Vec::new());
        Self { problem, details, params, fields, internal: None, retry_after: None }
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

    /// Names the numbers and ids that its details mention.
    #[must_use]
    pub fn with_params(self, params: Params) -> Self {
        Self { params, ..self }
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
        Refusal { code, details, params: self.params.clone(), fields: self.fields.clone() }
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
            params: &self.params,
            errors: &self.fields,
        };
        let mut response = (self.problem.status(), Json(body)).into_response();
        if response.status() == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static(self.problem.challenge());
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
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
    /// What is wrong and what to do, in whole English sentences; may change.
    details: &'a str,
    /// Identifies the request in the service's log.
    request_id: &'a str,
    /// The numbers and ids that `details` mentions, by name; absent if there are none. Amounts that may exceed
    /// 2^53 are digits.
    #[serde(skip_serializing_if = "Params::is_empty")]
    #[schema(required = false, schema_with = params_schema)]
    params: &'a Params,
    /// Every field that is missing or wrong.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    errors: &'a [FieldError],
}

fn params_schema() -> Object {
    let text = || ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[!-~]+$"));
    let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
    let param =
        OneOfBuilder::new().item(number).item(text()).item(ArrayBuilder::new().items(text()));
    ObjectBuilder::new()
        .additional_properties(Some(RefOr::T(Schema::from(param))))
        .description(Some(
            "The numbers and ids that `details` mentions, by name; absent if there are none. Amounts that may exceed \
             2^53 are digits.",
        ))
        .build()
}

impl<E: AsProblem> From<E> for Error {
    fn from(error: E) -> Self {
        let problem = error.problem();
        let answer = if problem.status().is_server_error() {
            Self::new(problem)
        } else {
            Self::with_details(problem, error.to_string()).with_params(error.params())
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
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_and_keys_are_unique_and_well_formed() {
        let mut codes = BTreeSet::new();
        let mut keys = BTreeSet::new();
        assert!(Problem::ALL.is_sorted_by_key(|problem| problem.code()), "codes ascend");
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

    /// A code has one status, so only another status makes another code of the same problem
    /// (`docs/decisions/0035-names.md`).
    #[test]
    fn one_meaning_has_one_code_for_each_status() {
        let mut seen = BTreeSet::new();
        for problem in Problem::ALL {
            let is_new = seen.insert((problem.meaning(), problem.status().as_u16()));
            assert!(is_new, "{problem:?}: {}", problem.meaning());
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

    impl AsProblem for Gone {
        fn problem(&self) -> Problem {
            Problem::Internal
        }

        fn params(&self) -> Params {
            Params::new().text("table", "accounts-xyz")
        }
    }

    #[test]
    fn internal_text_stays_inside() {
        let error = Error::from(Gone);
        assert_eq!(error.details, Problem::Internal.meaning());
        assert_eq!(error.params, Params::new());
        assert_eq!(error.internal(), Some("table accounts-xyz is gone"));
    }

    #[derive(Debug, thiserror::Error)]
    #[error("Only 5 sats are free of 1, 2.")]
    struct Held;

    impl AsProblem for Held {
        fn problem(&self) -> Problem {
            Problem::CoinsReserved
        }

        fn params(&self) -> Params {
            Params::new().number("available", 5).text("needed", u128::MAX).texts("holders", [1, 2])
        }
    }

    #[test]
    fn params_are_answered_again() {
        let error = Error::from(Held);
        let kept = serde_json::to_string(&error.kept()).unwrap();
        let again = Error::from(serde_json::from_str::<Refusal>(&kept).unwrap());
        assert_eq!((&again.params, &again.details), (&error.params, &error.details));
        let json = serde_json::json!({
            "available": 5,
            "holders": ["1", "2"],
            "needed": "340282366920938463463374607431768211455",
        });
        assert_eq!(serde_json::to_value(&again.params).unwrap(), json);
    }
}
