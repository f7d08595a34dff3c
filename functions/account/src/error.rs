//! Why a change to an account is refused.

use shared::{
    http::{AsProblem, Params, Problem},
    models::token::UnfitToken,
};

/// Why a change to an account is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The code is wrong or was already used.
    #[error("The code is wrong.")]
    TotpCode,
    /// No second factor is set up.
    #[error("Set up the second factor first.")]
    TotpNotSetUp,
    /// The account has no sign-in wallet.
    #[error("The account does not sign in with a wallet.")]
    NotByWallet,
    /// Without a keystore the wallet cannot be replaced.
    #[error("The account has no keystore.")]
    NoWalletKeystore,
    /// The address already belongs to an account.
    #[error("This address already belongs to an account.")]
    AddressTaken,
    /// The e-mail address already belongs to an account.
    #[error("This e-mail address already belongs to an account.")]
    EmailTaken,
    /// The new e-mail address is the current one.
    #[error("This is already the account's e-mail address.")]
    EmailUnchanged,
    /// The token was mailed to a different address.
    #[error("The token was mailed to a different e-mail address.")]
    EmailMismatch,
    /// The password proof is missing.
    #[error("The account has a password. Send srpData.")]
    ReauthMissing,
    /// The password proof is wrong.
    #[error("The current password is wrong.")]
    PasswordProof,
    /// The account has no password.
    #[error("The account has no password.")]
    NoPassword,
    /// The inscription does not exist.
    #[error("This inscription does not exist.")]
    InscriptionNotFound,
    /// The inscription is held by another address.
    #[error("None of the account's addresses holds this inscription.")]
    InscriptionNotOwned,
    /// The catalogue does not have the token.
    #[error("This token is not in the catalogue.")]
    TokenNotFound,
    /// The token cannot be preferred in the slot.
    #[error(transparent)]
    TokenUnfit(#[from] UnfitToken),
    /// The slot is empty or holds another token.
    #[error("This token is not in the slot.")]
    TokenNotInSlot,
    /// The account has no keystore to return.
    #[error("The account has no keystore.")]
    KeystoreNotFound,
    /// The account does not have the passkey.
    #[error("The account does not have this passkey.")]
    PasskeyNotFound,
    /// The passkey is the account's only way to sign in.
    #[error("This passkey is the only way to sign in. Add another one first.")]
    LastWayIn,
    /// The limit of the account is reached.
    #[error("The account already has {0} of them, which is the maximum. Remove one first.")]
    TooMany(usize),
    /// The account has not linked the address.
    #[error("This address is not linked to the account.")]
    AddressNotLinked,
    /// Open VM transactions or swaps use the address (custody rule 13).
    #[error("This address is used by open virtual-mint transactions or swaps.")]
    AddressInUse,
    /// The account has a trading wallet, which cannot be replaced.
    #[error("The account already has a trading wallet.")]
    TradingWalletExists,
    /// The account has no trading wallet yet.
    #[error("The account has no trading wallet.")]
    TradingWalletNotFound,
    /// The account has no e-mail address, or it is already verified.
    #[error("The account has no e-mail address, or it is already verified.")]
    NothingToVerify,
}

impl AsProblem for AccountError {
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

    fn params(&self) -> Params {
        match self {
            Self::TooMany(most) => {
                Params::new().number("maximum", u64::try_from(*most).unwrap_or(u64::MAX))
            }
            _ => Params::new(),
        }
    }
}
