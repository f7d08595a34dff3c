//! Why a change of an account is refused.

use shared::{
    http::{AreaError, Problem},
    models::token::UnfitToken,
};

/// Why a change of an account is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The code is wrong, or was used before.
    #[error("The code is wrong.")]
    TotpCode,
    /// There is nothing to toggle.
    #[error("Set the second factor up first.")]
    TotpNotSetUp,
    /// The account does not sign in by a wallet.
    #[error("The account does not sign in by a wallet.")]
    NotByWallet,
    /// The account has no keystore.
    #[error("The account has no keystore.")]
    NoWalletKeystore,
    /// The address belongs to an account.
    #[error("The address belongs to an account.")]
    AddressTaken,
    /// The e-mail address belongs to an account.
    #[error("The e-mail address belongs to an account.")]
    EmailTaken,
    /// It is the account's address already.
    #[error("It is the account's e-mail address already.")]
    EmailUnchanged,
    /// The address is not the one that the token was mailed to.
    #[error("The e-mail address is not the one that the token was mailed to.")]
    EmailMismatch,
    /// The proof of the password is missing.
    #[error("The account proves itself by its password: send srpData.")]
    ReauthMissing,
    /// The proof of the password is wrong.
    #[error("The proof of the current password is wrong.")]
    PasswordProof,
    /// The account has no password.
    #[error("The account has no password.")]
    NoPassword,
    /// No such inscription.
    #[error("There is no such inscription.")]
    InscriptionNotFound,
    /// Another's inscription.
    #[error("None of the account's addresses holds the inscription.")]
    InscriptionNotOwned,
    /// No such token.
    #[error("The catalogue has no such token.")]
    TokenNotFound,
    /// The token cannot be preferred there.
    #[error(transparent)]
    TokenUnfit(#[from] UnfitToken),
    /// Another token is in the slot, or none.
    #[error("The token is not the one in this slot.")]
    TokenNotInSlot,
    /// There is no keystore.
    #[error("There is no keystore.")]
    KeystoreNotFound,
    /// No such passkey.
    #[error("The account has no such passkey.")]
    PasskeyNotFound,
    /// Nobody could sign in any more.
    #[error("Without this passkey nobody could sign in any more. Add another one first.")]
    LastWayIn,
    /// As many as there may be.
    #[error("The account has {0} of them, which is as many as it may have.")]
    TooMany(usize),
    /// No such linked address.
    #[error("The account has no such linked address.")]
    AddressNotLinked,
    /// It acts for what is not over (custody rule 13).
    #[error("VM transactions that the address acts for are not over.")]
    AddressInUse,
    /// There is one already, and one is all there ever is.
    #[error("The account has a trading wallet already.")]
    TradingWalletExists,
    /// No trading wallet.
    #[error("The account has no trading wallet.")]
    TradingWalletNotFound,
    /// No address, or one that is verified.
    #[error("The e-mail address is verified already, or there is none.")]
    NothingToVerify,
}

impl AreaError for AccountError {
    fn problem(&self) -> Problem {
        match self {
            Self::TotpCode => Problem::TotpCodeInvalid,
            Self::TotpNotSetUp => Problem::TotpNotSetUp,
            Self::NotByWallet => Problem::MethodNotAllowedForAccount,
            Self::NoWalletKeystore => Problem::NotAWalletKeystore,
            Self::AddressTaken => Problem::NewAddressTaken,
            Self::EmailTaken => Problem::NewEmailTaken,
            Self::EmailUnchanged => Problem::EmailUnchanged,
            Self::EmailMismatch => Problem::EmailMismatch,
            Self::ReauthMissing => Problem::ReauthMissing,
            Self::PasswordProof => Problem::PasswordProofInvalid,
            Self::NoPassword => Problem::NoPassword,
            Self::InscriptionNotFound => Problem::InscriptionNotFound,
            Self::InscriptionNotOwned => Problem::InscriptionNotOwned,
            Self::TokenNotFound => Problem::TokenNotFound,
            Self::TokenUnfit(UnfitToken::Chain) => Problem::TokenChainUnsupported,
            Self::TokenUnfit(UnfitToken::Slot) => Problem::TokenUnfit,
            Self::TokenNotInSlot => Problem::TokenNotInSlot,
            Self::KeystoreNotFound => Problem::KeystoreNotFound,
            Self::PasskeyNotFound => Problem::PasskeyNotFound,
            Self::LastWayIn => Problem::LastWayIn,
            Self::TooMany(_) => Problem::TooMany,
            Self::AddressNotLinked => Problem::AddressNotLinked,
            Self::AddressInUse => Problem::AddressInUse,
            Self::TradingWalletExists => Problem::TradingWalletExists,
            Self::TradingWalletNotFound => Problem::TradingWalletNotFound,
            Self::NothingToVerify => Problem::NothingToVerify,
        }
    }
}
