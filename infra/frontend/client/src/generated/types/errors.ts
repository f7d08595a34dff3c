// Generated from infra/openapi.json by `npm run generate`.

/**
 * The errors of the service.
 *
 * @packageDocumentation
 */

import type {
    headers,
} from './shared.js';

/** 4011 `auth.accountDisabled`: The account is disabled. */
export type AccountDisabledProblem = Error & {
    /** @enum {string} */
    code: "4011";
    /** @enum {string} */
    message: "auth.accountDisabled";
};

/** 4006 `auth.accountNotFound`: The account does not exist. */
export type AccountNotFoundProblem = Error & {
    /** @enum {string} */
    code: "4006";
    /** @enum {string} */
    message: "auth.accountNotFound";
};

/** 3027 `account.addressInUse`: This address is used by open virtual-mint transactions or swaps. */
export type AddressInUseProblem = Error & {
    /** @enum {string} */
    code: "3027";
    /** @enum {string} */
    message: "account.addressInUse";
};

/** 4020 `auth.addressLinked`: The address is linked to an account but cannot sign in. */
export type AddressLinkedProblem = Error & {
    /** @enum {string} */
    code: "4020";
    /** @enum {string} */
    message: "auth.addressLinked";
};

/** 3023 `account.addressNotLinked`: The address is not linked to the account. */
export type AddressNotLinkedProblem = Error & {
    /** @enum {string} */
    code: "3023";
    /** @enum {string} */
    message: "account.addressNotLinked";
};

/** 4021 `auth.addressRetired`: The address was replaced by another one and can no longer sign in. */
export type AddressRetiredProblem = Error & {
    /** @enum {string} */
    code: "4021";
    /** @enum {string} */
    message: "auth.addressRetired";
};

/** 4022 `auth.addressTaken`: The address already belongs to an account. */
export type AddressTakenProblem = Error & {
    /** @enum {string} */
    code: "4022";
    /** @enum {string} */
    message: "auth.addressTaken";
};

/** 2020 `bitcoin.alreadySigned`: The transaction is signed. Only the network can end it now. */
export type AlreadySignedProblem = Error & {
    /** @enum {string} */
    code: "2020";
    /** @enum {string} */
    message: "bitcoin.alreadySigned";
};

/** 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it. */
export type AmountBelowDustProblem = Error & {
    /** @enum {string} */
    code: "2005";
    /** @enum {string} */
    message: "bitcoin.amountBelowDust";
};

/** 2022 `bitcoin.chainBusy`: The Bitcoin data source is not ready, so nothing was done. Try again after the time in Retry-After. */
export type ChainBusyProblem = Error & {
    /** @enum {string} */
    code: "2022";
    /** @enum {string} */
    message: "bitcoin.chainBusy";
};

/** 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
export type ChainUnavailableProblem = Error & {
    /** @enum {string} */
    code: "2003";
    /** @enum {string} */
    message: "bitcoin.chainUnavailable";
};

/** 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one. */
export type ChallengeInvalidProblem = Error & {
    /** @enum {string} */
    code: "4012";
    /** @enum {string} */
    message: "auth.challengeInvalid";
};

/** 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
export type ChangedProblem = Error & {
    /** @enum {string} */
    code: "1014";
    /** @enum {string} */
    message: "common.changed";
};

/** 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now. */
export type CoinUnknownProblem = Error & {
    /** @enum {string} */
    code: "2017";
    /** @enum {string} */
    message: "bitcoin.coinUnknown";
};

/** 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction. */
export type CoinsChangedProblem = Error & {
    /** @enum {string} */
    code: "2016";
    /** @enum {string} */
    message: "bitcoin.coinsChanged";
};

/** 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less. */
export type CoinsReservedProblem = Error & {
    /** @enum {string} */
    code: "2023";
    /** @enum {string} */
    message: "bitcoin.coinsReserved";
};

/** 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again. */
export type ContractWalletUnavailableProblem = Error & {
    /** @enum {string} */
    code: "4014";
    /** @enum {string} */
    message: "auth.contractWalletUnavailable";
};

/** 3009 `account.emailMismatch`: The link was mailed to a different e-mail address. */
export type EmailMismatchProblem = Error & {
    /** @enum {string} */
    code: "3009";
    /** @enum {string} */
    message: "account.emailMismatch";
};

/** 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
export type EmailTakenProblem = Error & {
    /** @enum {string} */
    code: "4023";
    /** @enum {string} */
    message: "auth.emailTaken";
};

/** 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one. */
export type EmailTokenInvalidProblem = Error & {
    /** @enum {string} */
    code: "3008";
    /** @enum {string} */
    message: "account.emailTokenInvalid";
};

/** 3007 `account.emailUnchanged`: This is already the e-mail address of the account. */
export type EmailUnchangedProblem = Error & {
    /** @enum {string} */
    code: "3007";
    /** @enum {string} */
    message: "account.emailUnchanged";
};

/** The body of every error. */
export type Error = {
    /**
     * Format: code
     *
     * Digits, stable.
     * @example 1001
     */
    code: string;
    /**
     * Format: prose
     *
     * What is wrong and what to do, in whole English sentences; may change.
     */
    details: string;
    /** Every field that is missing or wrong. */
    errors?: FieldError[];
    /**
     * Format: key
     *
     * A key for the frontend's own texts, stable.
     * @example common.validation
     */
    message: string;
    /** The numbers and ids that `details` mentions, by name; absent if there are none. Amounts that may exceed 2^53 are digits. */
    params?: {
        [key: string]: number | string | string[];
    };
    /**
     * Format: request-id
     *
     * Identifies the request in the service's log.
     */
    requestId: string;
};

/** 1101 `events.tooOld`: These events are no longer kept. Read the current state again. */
export type EventsTooOldProblem = Error & {
    /** @enum {string} */
    code: "1101";
    /** @enum {string} */
    message: "events.tooOld";
};

/** 1104 `exports.notFound`: The export does not exist. */
export type ExportNotFoundProblem = Error & {
    /** @enum {string} */
    code: "1104";
    /** @enum {string} */
    message: "exports.notFound";
};

/** 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower. */
export type FeeTooHighProblem = Error & {
    /** @enum {string} */
    code: "2006";
    /** @enum {string} */
    message: "bitcoin.feeTooHigh";
};

/** A field that is missing or wrong. */
export type FieldError = {
    /**
     * Format: field-path
     *
     * The name or path of the field, such as `params.amount`.
     */
    field: string;
    /**
     * Format: prose
     *
     * What is wrong with it, one English sentence or phrase.
     */
    message: string;
};

/** 1007 `common.forbidden`: This account is not allowed to do this. */
export type ForbiddenProblem = Error & {
    /** @enum {string} */
    code: "1007";
    /** @enum {string} */
    message: "common.forbidden";
};

/** 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one. */
export type HandshakeInvalidProblem = Error & {
    /** @enum {string} */
    code: "4025";
    /** @enum {string} */
    message: "auth.handshakeInvalid";
};

/** 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body. */
export type IdempotencyKeyReusedProblem = Error & {
    /** @enum {string} */
    code: "1011";
    /** @enum {string} */
    message: "common.idempotencyKeyReused";
};

/** 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly. */
export type InProgressProblem = Error & {
    /** @enum {string} */
    code: "1010";
    /** @enum {string} */
    message: "common.inProgress";
};

/** 3013 `account.inscriptionNotFound`: The inscription does not exist. */
export type InscriptionNotFoundProblem = Error & {
    /** @enum {string} */
    code: "3013";
    /** @enum {string} */
    message: "account.inscriptionNotFound";
};

/** 3014 `account.inscriptionNotOwned`: None of the account's addresses holds the inscription. */
export type InscriptionNotOwnedProblem = Error & {
    /** @enum {string} */
    code: "3014";
    /** @enum {string} */
    message: "account.inscriptionNotOwned";
};

/** 2002 `bitcoin.insufficientBalance`: The BTC balance is too low. */
export type InsufficientBtcProblem = Error & {
    /** @enum {string} */
    code: "2002";
    /** @enum {string} */
    message: "bitcoin.insufficientBalance";
};

/** 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low. */
export type InsufficientRuneProblem = Error & {
    /** @enum {string} */
    code: "2004";
    /** @enum {string} */
    message: "bitcoin.insufficientRuneBalance";
};

/** 1008 `common.internal`: The service failed. Contact support with the request id. */
export type InternalProblem = Error & {
    /** @enum {string} */
    code: "1008";
    /** @enum {string} */
    message: "common.internal";
};

/** 4016 `auth.invalidCredentials`: The e-mail address or the password is wrong. */
export type InvalidCredentialsProblem = Error & {
    /** @enum {string} */
    code: "4016";
    /** @enum {string} */
    message: "auth.invalidCredentials";
};

/** 4005 `auth.invalidRefreshToken`: The refresh token is invalid. Sign in again. */
export type InvalidRefreshTokenProblem = Error & {
    /** @enum {string} */
    code: "4005";
    /** @enum {string} */
    message: "auth.invalidRefreshToken";
};

/** 4002 `auth.invalidToken`: The access token is invalid. */
export type InvalidTokenProblem = Error & {
    /** @enum {string} */
    code: "4002";
    /** @enum {string} */
    message: "auth.invalidToken";
};

/** 3019 `account.keystoreNotFound`: The account has no keystore. */
export type KeystoreNotFoundProblem = Error & {
    /** @enum {string} */
    code: "3019";
    /** @enum {string} */
    message: "account.keystoreNotFound";
};

/** 3021 `account.lastWayIn`: This is the account's last way to sign in. Add another one first. */
export type LastWayInProblem = Error & {
    /** @enum {string} */
    code: "3021";
    /** @enum {string} */
    message: "account.lastWayIn";
};

/** 1002 `common.malformedBody`: The body is not JSON, or not a JSON object. */
export type MalformedBodyProblem = Error & {
    /** @enum {string} */
    code: "1002";
    /** @enum {string} */
    message: "common.malformedBody";
};

/** 5101 `medias.notServed`: The service does not serve media yet, so it accepts no uploads. */
export type MediaNotServedProblem = Error & {
    /** @enum {string} */
    code: "5101";
    /** @enum {string} */
    message: "medias.notServed";
};

/** 3003 `account.methodNotAllowed`: This account does not sign in with a wallet. */
export type MethodNotAllowedForAccountProblem = Error & {
    /** @enum {string} */
    code: "3003";
    /** @enum {string} */
    message: "account.methodNotAllowed";
};

/** 3005 `account.addressTaken`: The address already belongs to an account. */
export type NewAddressTakenProblem = Error & {
    /** @enum {string} */
    code: "3005";
    /** @enum {string} */
    message: "account.addressTaken";
};

/** 3006 `account.emailTaken`: The e-mail address already belongs to an account. */
export type NewEmailTakenProblem = Error & {
    /** @enum {string} */
    code: "3006";
    /** @enum {string} */
    message: "account.emailTaken";
};

/** 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token. */
export type NoAuthorizationProblem = Error & {
    /** @enum {string} */
    code: "4004";
    /** @enum {string} */
    message: "auth.noAuthorization";
};

/** 3012 `account.noPassword`: The account has no password. */
export type NoPasswordProblem = Error & {
    /** @enum {string} */
    code: "3012";
    /** @enum {string} */
    message: "account.noPassword";
};

/** 3028 `account.noSuchAccount`: The account does not exist. */
export type NoSuchAccountProblem = Error & {
    /** @enum {string} */
    code: "3028";
    /** @enum {string} */
    message: "account.noSuchAccount";
};

/** 1106 `runes.notFound`: The rune does not exist. */
export type NoSuchRuneProblem = Error & {
    /** @enum {string} */
    code: "1106";
    /** @enum {string} */
    message: "runes.notFound";
};

/** 1105 `tokens.notFound`: The catalogue does not contain this token. */
export type NoSuchTokenProblem = Error & {
    /** @enum {string} */
    code: "1105";
    /** @enum {string} */
    message: "tokens.notFound";
};

/** 2009 `bitcoin.noTradingWallet`: The account has no trading wallet. */
export type NoTradingWalletProblem = Error & {
    /** @enum {string} */
    code: "2009";
    /** @enum {string} */
    message: "bitcoin.noTradingWallet";
};

/** 3004 `account.notAWalletKeystore`: The account has no keystore. */
export type NotAWalletKeystoreProblem = Error & {
    /** @enum {string} */
    code: "3004";
    /** @enum {string} */
    message: "account.notAWalletKeystore";
};

/** 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced. */
export type NotReplaceableProblem = Error & {
    /** @enum {string} */
    code: "2021";
    /** @enum {string} */
    message: "bitcoin.notReplaceable";
};

/** 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued. */
export type NotTheIssuedTransactionProblem = Error & {
    /** @enum {string} */
    code: "2011";
    /** @enum {string} */
    message: "bitcoin.notTheIssuedTransaction";
};

/** 2018 `bitcoin.nothingToRenew`: No coin needs a renewal. */
export type NothingToRenewProblem = Error & {
    /** @enum {string} */
    code: "2018";
    /** @enum {string} */
    message: "bitcoin.nothingToRenew";
};

/** 3024 `account.nothingToVerify`: The account has no unverified e-mail address. */
export type NothingToVerifyProblem = Error & {
    /** @enum {string} */
    code: "3024";
    /** @enum {string} */
    message: "account.nothingToVerify";
};

/** 4018 `auth.otpInvalid`: The code is wrong or already used. */
export type OtpInvalidProblem = Error & {
    /** @enum {string} */
    code: "4018";
    /** @enum {string} */
    message: "auth.otpInvalid";
};

/** 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After. */
export type OtpLockedProblem = Error & {
    /** @enum {string} */
    code: "4019";
    /** @enum {string} */
    message: "auth.otpLocked";
};

/** 4017 `auth.otpRequired`: The account requires a code of its second factor in otpCode. */
export type OtpRequiredProblem = Error & {
    /** @enum {string} */
    code: "4017";
    /** @enum {string} */
    message: "auth.otpRequired";
};

/** 4027 `auth.passkeyMalformed`: The passkey response is malformed. */
export type PasskeyMalformedProblem = Error & {
    /** @enum {string} */
    code: "4027";
    /** @enum {string} */
    message: "auth.passkeyMalformed";
};

/** 3020 `account.passkeyNotFound`: The account has no such passkey. */
export type PasskeyNotFoundProblem = Error & {
    /** @enum {string} */
    code: "3020";
    /** @enum {string} */
    message: "account.passkeyNotFound";
};

/** 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid. */
export type PasskeyRefusedProblem = Error & {
    /** @enum {string} */
    code: "4028";
    /** @enum {string} */
    message: "auth.passkeyRefused";
};

/** 4029 `auth.passkeyTaken`: The passkey already belongs to an account. */
export type PasskeyTakenProblem = Error & {
    /** @enum {string} */
    code: "4029";
    /** @enum {string} */
    message: "auth.passkeyTaken";
};

/** 3011 `account.passwordProofInvalid`: The current password is wrong. */
export type PasswordProofInvalidProblem = Error & {
    /** @enum {string} */
    code: "3011";
    /** @enum {string} */
    message: "account.passwordProofInvalid";
};

/** 1005 `common.payloadTooLarge`: The body is larger than 256 KiB. */
export type PayloadTooLargeProblem = Error & {
    /** @enum {string} */
    code: "1005";
    /** @enum {string} */
    message: "common.payloadTooLarge";
};

/** 9003 `perpVenue.amountBelowActivationFee`: The first deposit of a new account must exceed the venue's activation fee. */
export type PerpVenueAmountBelowActivationFeeProblem = Error & {
    /** @enum {string} */
    code: "9003";
    /** @enum {string} */
    message: "perpVenue.amountBelowActivationFee";
};

/** 9005 `perpVenue.contractWallet`: Contract wallets cannot sign the venue's messages. Use another wallet. */
export type PerpVenueContractWalletProblem = Error & {
    /** @enum {string} */
    code: "9005";
    /** @enum {string} */
    message: "perpVenue.contractWallet";
};

/** 9004 `perpVenue.insufficientVenueBalance`: The wallet's balance at the venue does not cover the amount and the transfer fee. */
export type PerpVenueInsufficientBalanceProblem = Error & {
    /** @enum {string} */
    code: "9004";
    /** @enum {string} */
    message: "perpVenue.insufficientVenueBalance";
};

/** 9002 `perpVenue.insufficientUsdc`: The wallet's USDC balance on the venue's EVM chain is too low. */
export type PerpVenueInsufficientUsdcProblem = Error & {
    /** @enum {string} */
    code: "9002";
    /** @enum {string} */
    message: "perpVenue.insufficientUsdc";
};

/** 9001 `perpVenue.paused`: USDC transfers to and from the venue are paused. Try again later. */
export type PerpVenuePausedProblem = Error & {
    /** @enum {string} */
    code: "9001";
    /** @enum {string} */
    message: "perpVenue.paused";
};

/** 5005 `prizes.inscriptionElsewhere`: The output does not hold the inscription. */
export type PrizeInscriptionElsewhereProblem = Error & {
    /** @enum {string} */
    code: "5005";
    /** @enum {string} */
    message: "prizes.inscriptionElsewhere";
};

/** 5002 `prizes.inscriptionTaken`: The inscription is already a prize. */
export type PrizeInscriptionTakenProblem = Error & {
    /** @enum {string} */
    code: "5002";
    /** @enum {string} */
    message: "prizes.inscriptionTaken";
};

/** 5007 `prizes.notFound`: No prize has this number. */
export type PrizeNotFoundProblem = Error & {
    /** @enum {string} */
    code: "5007";
    /** @enum {string} */
    message: "prizes.notFound";
};

/** 5006 `prizes.notInTreasury`: The output does not belong to the treasury. */
export type PrizeNotInTreasuryProblem = Error & {
    /** @enum {string} */
    code: "5006";
    /** @enum {string} */
    message: "prizes.notInTreasury";
};

/** 5001 `prizes.numberTaken`: The prize number is already used. */
export type PrizeNumberTakenProblem = Error & {
    /** @enum {string} */
    code: "5001";
    /** @enum {string} */
    message: "prizes.numberTaken";
};

/** 5003 `prizes.utxoTaken`: The output holds another prize. */
export type PrizeUtxoTakenProblem = Error & {
    /** @enum {string} */
    code: "5003";
    /** @enum {string} */
    message: "prizes.utxoTaken";
};

/** 5004 `prizes.utxoUnusable`: The output does not exist, is spent, or is unconfirmed. */
export type PrizeUtxoUnusableProblem = Error & {
    /** @enum {string} */
    code: "5004";
    /** @enum {string} */
    message: "prizes.utxoUnusable";
};

/** 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed. */
export type PsbtMalformedProblem = Error & {
    /** @enum {string} */
    code: "2010";
    /** @enum {string} */
    message: "bitcoin.psbtMalformed";
};

/** 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
export type RateLimitedProblem = Error & {
    /** @enum {string} */
    code: "1013";
    /** @enum {string} */
    message: "common.rateLimited";
};

/** 3010 `account.reauthMissing`: The account has a password: send a proof of it in srpData. */
export type ReauthMissingProblem = Error & {
    /** @enum {string} */
    code: "3010";
    /** @enum {string} */
    message: "account.reauthMissing";
};

/** 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request. */
export type ReauthRequiredProblem = Error & {
    /** @enum {string} */
    code: "4024";
    /** @enum {string} */
    message: "auth.reauthRequired";
};

/** 4030 `auth.referralCodeUnknown`: The referral code does not exist. */
export type ReferralCodeUnknownProblem = Error & {
    /** @enum {string} */
    code: "4030";
    /** @enum {string} */
    message: "auth.referralCodeUnknown";
};

/** 7002 `refund.belowFee`: The refund is worth less than its network fee. */
export type RefundBelowFeeProblem = Error & {
    /** @enum {string} */
    code: "7002";
    /** @enum {string} */
    message: "refund.belowFee";
};

/** 7004 `refund.changed`: The refundable amount has changed. Request the refund again. */
export type RefundChangedProblem = Error & {
    /** @enum {string} */
    code: "7004";
    /** @enum {string} */
    message: "refund.changed";
};

/** 7001 `refund.nothing`: There is nothing to refund. */
export type RefundNothingProblem = Error & {
    /** @enum {string} */
    code: "7001";
    /** @enum {string} */
    message: "refund.nothing";
};

/** 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one. */
export type ReservationExpiredProblem = Error & {
    /** @enum {string} */
    code: "2015";
    /** @enum {string} */
    message: "bitcoin.reservationExpired";
};

/** 2008 `bitcoin.runeUnknown`: The rune does not exist. */
export type RuneUnknownProblem = Error & {
    /** @enum {string} */
    code: "2008";
    /** @enum {string} */
    message: "bitcoin.runeUnknown";
};

/** 4010 `auth.sessionEnded`: The session has ended. Sign in again. */
export type SessionEndedProblem = Error & {
    /** @enum {string} */
    code: "4010";
    /** @enum {string} */
    message: "auth.sessionEnded";
};

/** 4015 `auth.sessionNotFound`: The session does not exist. */
export type SessionNotFoundProblem = Error & {
    /** @enum {string} */
    code: "4015";
    /** @enum {string} */
    message: "auth.sessionNotFound";
};

/** 4013 `auth.signInMessageInvalid`: The signed message is not from this service, is too old, or was already used. Sign a new one. */
export type SignInMessageInvalidProblem = Error & {
    /** @enum {string} */
    code: "4013";
    /** @enum {string} */
    message: "auth.signInMessageInvalid";
};

/** 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet. */
export type SignatureInvalidProblem = Error & {
    /** @enum {string} */
    code: "4007";
    /** @enum {string} */
    message: "auth.signatureInvalid";
};

/** 2012 `bitcoin.signatureMissing`: A signature is missing. */
export type SignatureMissingProblem = Error & {
    /** @enum {string} */
    code: "2012";
    /** @enum {string} */
    message: "bitcoin.signatureMissing";
};

/** 1012 `common.sortTooLarge`: The list is too long to be sorted by this field. */
export type SortTooLargeProblem = Error & {
    /** @enum {string} */
    code: "1012";
    /** @enum {string} */
    message: "common.sortTooLarge";
};

/** 4026 `auth.srpValueInvalid`: An SRP value is invalid. */
export type SrpValueInvalidProblem = Error & {
    /** @enum {string} */
    code: "4026";
    /** @enum {string} */
    message: "auth.srpValueInvalid";
};

/** 8002 `xchain.contradicted`: The hub's record of the intent differs from the request. */
export type SwapContradictedProblem = Error & {
    /** @enum {string} */
    code: "8002";
    /** @enum {string} */
    message: "xchain.contradicted";
};

/** 8001 `xchain.registered`: The swap is already registered with different content. */
export type SwapRegisteredProblem = Error & {
    /** @enum {string} */
    code: "8001";
    /** @enum {string} */
    message: "xchain.registered";
};

/** 3016 `account.tokenChainUnsupported`: This slot does not accept tokens of this chain. */
export type TokenChainUnsupportedProblem = Error & {
    /** @enum {string} */
    code: "3016";
    /** @enum {string} */
    message: "account.tokenChainUnsupported";
};

/** 4003 `auth.tokenExpired`: The access token has expired. Refresh it. */
export type TokenExpiredProblem = Error & {
    /** @enum {string} */
    code: "4003";
    /** @enum {string} */
    message: "auth.tokenExpired";
};

/** 3015 `account.tokenNotFound`: The catalogue does not contain this token. */
export type TokenNotFoundProblem = Error & {
    /** @enum {string} */
    code: "3015";
    /** @enum {string} */
    message: "account.tokenNotFound";
};

/** 3018 `account.tokenNotInSlot`: The slot contains a different token. */
export type TokenNotInSlotProblem = Error & {
    /** @enum {string} */
    code: "3018";
    /** @enum {string} */
    message: "account.tokenNotInSlot";
};

/** 3017 `account.tokenInvalidForSlot`: This slot does not accept this token. */
export type TokenUnfitProblem = Error & {
    /** @enum {string} */
    code: "3017";
    /** @enum {string} */
    message: "account.tokenInvalidForSlot";
};

/** 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it. */
export type TooManyInputsProblem = Error & {
    /** @enum {string} */
    code: "2007";
    /** @enum {string} */
    message: "bitcoin.tooManyInputs";
};

/** 3022 `account.tooMany`: The account has reached the maximum number. Remove one first. */
export type TooManyProblem = Error & {
    /** @enum {string} */
    code: "3022";
    /** @enum {string} */
    message: "account.tooMany";
};

/** 3001 `account.otpInvalid`: The code is wrong or already used. */
export type TotpCodeInvalidProblem = Error & {
    /** @enum {string} */
    code: "3001";
    /** @enum {string} */
    message: "account.otpInvalid";
};

/** 3002 `account.totpNotSetUp`: Set up the second factor first. */
export type TotpNotSetUpProblem = Error & {
    /** @enum {string} */
    code: "3002";
    /** @enum {string} */
    message: "account.totpNotSetUp";
};

/** 3025 `account.tradingWalletExists`: The account already has a trading wallet. */
export type TradingWalletExistsProblem = Error & {
    /** @enum {string} */
    code: "3025";
    /** @enum {string} */
    message: "account.tradingWalletExists";
};

/** 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
export type TradingWalletNotFoundProblem = Error & {
    /** @enum {string} */
    code: "3026";
    /** @enum {string} */
    message: "account.tradingWalletNotFound";
};

/** 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used. */
export type TradingWalletProblem = Error & {
    /** @enum {string} */
    code: "4008";
    /** @enum {string} */
    message: "auth.tradingWallet";
};

/** 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
export type TransactionNotFoundProblem = Error & {
    /** @enum {string} */
    code: "2019";
    /** @enum {string} */
    message: "bitcoin.transactionNotFound";
};

/** 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key. */
export type TransactionSignatureInvalidProblem = Error & {
    /** @enum {string} */
    code: "2013";
    /** @enum {string} */
    message: "bitcoin.signatureInvalid";
};

/** 1009 `common.unavailable`: The service is temporarily unavailable. Try again. */
export type UnavailableProblem = Error & {
    /** @enum {string} */
    code: "1009";
    /** @enum {string} */
    message: "common.unavailable";
};

/** 1006 `common.unsupportedMediaType`: The body must be JSON: set Content-Type to application/json. */
export type UnsupportedMediaTypeProblem = Error & {
    /** @enum {string} */
    code: "1006";
    /** @enum {string} */
    message: "common.unsupportedMediaType";
};

/** 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
export type ValidationProblem = Error & {
    /** @enum {string} */
    code: "1001";
    /** @enum {string} */
    message: "common.validation";
};

/** 6005 `vm.batchUnderWay`: Your previous batch is still being broadcast. Try again once it is in the mempool. */
export type VmBatchUnderWayProblem = Error & {
    /** @enum {string} */
    code: "6005";
    /** @enum {string} */
    message: "vm.batchUnderWay";
};

/** 6010 `vm.filtersUnsupported`: These filters cannot be combined. */
export type VmFiltersUnsupportedProblem = Error & {
    /** @enum {string} */
    code: "6010";
    /** @enum {string} */
    message: "vm.filtersUnsupported";
};

/** 6002 `vm.mintClosed`: The mint no longer accepts requests. */
export type VmMintClosedProblem = Error & {
    /** @enum {string} */
    code: "6002";
    /** @enum {string} */
    message: "vm.mintClosed";
};

/** 6015 `vm.mintCrowded`: The mint has so many bids that a further one has to offer more. */
export type VmMintCrowdedProblem = Error & {
    /** @enum {string} */
    code: "6015";
    /** @enum {string} */
    message: "vm.mintCrowded";
};

/** 6007 `vm.mintExists`: The rune already has a mint that has not ended. */
export type VmMintExistsProblem = Error & {
    /** @enum {string} */
    code: "6007";
    /** @enum {string} */
    message: "vm.mintExists";
};

/** 6014 `vm.mintFull`: The mint has as many bids as it can have. */
export type VmMintFullProblem = Error & {
    /** @enum {string} */
    code: "6014";
    /** @enum {string} */
    message: "vm.mintFull";
};

/** 6008 `vm.mintNotFound`: The mint does not exist. */
export type VmMintNotFoundProblem = Error & {
    /** @enum {string} */
    code: "6008";
    /** @enum {string} */
    message: "vm.mintNotFound";
};

/** 6001 `vm.noMint`: No open mint of this rune accepts requests. */
export type VmNoMintProblem = Error & {
    /** @enum {string} */
    code: "6001";
    /** @enum {string} */
    message: "vm.noMint";
};

/** 6011 `vm.pageTooDeep`: A list filtered by state has no pages this deep. */
export type VmPageTooDeepProblem = Error & {
    /** @enum {string} */
    code: "6011";
    /** @enum {string} */
    message: "vm.pageTooDeep";
};

/** 6009 `vm.poolTooSmall`: The pool does not hold enough runes for the mint. */
export type VmPoolTooSmallProblem = Error & {
    /** @enum {string} */
    code: "6009";
    /** @enum {string} */
    message: "vm.poolTooSmall";
};

/** 6003 `vm.priceTooLow`: The price per request is below the minimum of the mint. */
export type VmPriceTooLowProblem = Error & {
    /** @enum {string} */
    code: "6003";
    /** @enum {string} */
    message: "vm.priceTooLow";
};

/** 6012 `vm.runeTooYoung`: The etching of the rune needs seven confirmations. Try again later. */
export type VmRuneTooYoungProblem = Error & {
    /** @enum {string} */
    code: "6012";
    /** @enum {string} */
    message: "vm.runeTooYoung";
};

/** 6006 `vm.tooManyPrices`: The batch was replaced too often to add another price. */
export type VmTooManyPricesProblem = Error & {
    /** @enum {string} */
    code: "6006";
    /** @enum {string} */
    message: "vm.tooManyPrices";
};

/** 6004 `vm.tooManyRequests`: The mint has fewer requests in total. */
export type VmTooManyRequestsProblem = Error & {
    /** @enum {string} */
    code: "6004";
    /** @enum {string} */
    message: "vm.tooManyRequests";
};

/** 6013 `vm.transactionNotFound`: The VM transaction does not exist. */
export type VmTransactionNotFoundProblem = Error & {
    /** @enum {string} */
    code: "6013";
    /** @enum {string} */
    message: "vm.transactionNotFound";
};

/** 1103 `webhooks.notFound`: The webhook does not exist. */
export type WebhookNotFoundProblem = Error & {
    /** @enum {string} */
    code: "1103";
    /** @enum {string} */
    message: "webhooks.notFound";
};

/** 1107 `webhooks.unverified`: The receiver has not confirmed the webhook's URL yet. Answer `webhook.verification`, then try again. */
export type WebhookUnverifiedProblem = Error & {
    /** @enum {string} */
    code: "1107";
    /** @enum {string} */
    message: "webhooks.unverified";
};

/** 1102 `webhooks.urlRefused`: Webhooks may not send to this URL. */
export type WebhookUrlRefusedProblem = Error & {
    /** @enum {string} */
    code: "1102";
    /** @enum {string} */
    message: "webhooks.urlRefused";
};

/** 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL. */
export type WrongSighashProblem = Error & {
    /** @enum {string} */
    code: "2014";
    /** @enum {string} */
    message: "bitcoin.wrongSighash";
};

/** 8003 `xchain.notFound`: The cross-chain transaction does not exist. */
export type XchainNotFoundProblem = Error & {
    /** @enum {string} */
    code: "8003";
    /** @enum {string} */
    message: "xchain.notFound";
};

export interface schemas {
    AccountDisabledProblem: AccountDisabledProblem;
    AccountNotFoundProblem: AccountNotFoundProblem;
    AddressInUseProblem: AddressInUseProblem;
    AddressLinkedProblem: AddressLinkedProblem;
    AddressNotLinkedProblem: AddressNotLinkedProblem;
    AddressRetiredProblem: AddressRetiredProblem;
    AddressTakenProblem: AddressTakenProblem;
    AlreadySignedProblem: AlreadySignedProblem;
    AmountBelowDustProblem: AmountBelowDustProblem;
    ChainBusyProblem: ChainBusyProblem;
    ChainUnavailableProblem: ChainUnavailableProblem;
    ChallengeInvalidProblem: ChallengeInvalidProblem;
    ChangedProblem: ChangedProblem;
    CoinUnknownProblem: CoinUnknownProblem;
    CoinsChangedProblem: CoinsChangedProblem;
    CoinsReservedProblem: CoinsReservedProblem;
    ContractWalletUnavailableProblem: ContractWalletUnavailableProblem;
    EmailMismatchProblem: EmailMismatchProblem;
    EmailTakenProblem: EmailTakenProblem;
    EmailTokenInvalidProblem: EmailTokenInvalidProblem;
    EmailUnchangedProblem: EmailUnchangedProblem;
    Error: Error;
    EventsTooOldProblem: EventsTooOldProblem;
    ExportNotFoundProblem: ExportNotFoundProblem;
    FeeTooHighProblem: FeeTooHighProblem;
    FieldError: FieldError;
    ForbiddenProblem: ForbiddenProblem;
    HandshakeInvalidProblem: HandshakeInvalidProblem;
    IdempotencyKeyReusedProblem: IdempotencyKeyReusedProblem;
    InProgressProblem: InProgressProblem;
    InscriptionNotFoundProblem: InscriptionNotFoundProblem;
    InscriptionNotOwnedProblem: InscriptionNotOwnedProblem;
    InsufficientBtcProblem: InsufficientBtcProblem;
    InsufficientRuneProblem: InsufficientRuneProblem;
    InternalProblem: InternalProblem;
    InvalidCredentialsProblem: InvalidCredentialsProblem;
    InvalidRefreshTokenProblem: InvalidRefreshTokenProblem;
    InvalidTokenProblem: InvalidTokenProblem;
    KeystoreNotFoundProblem: KeystoreNotFoundProblem;
    LastWayInProblem: LastWayInProblem;
    MalformedBodyProblem: MalformedBodyProblem;
    MediaNotServedProblem: MediaNotServedProblem;
    MethodNotAllowedForAccountProblem: MethodNotAllowedForAccountProblem;
    NewAddressTakenProblem: NewAddressTakenProblem;
    NewEmailTakenProblem: NewEmailTakenProblem;
    NoAuthorizationProblem: NoAuthorizationProblem;
    NoPasswordProblem: NoPasswordProblem;
    NoSuchAccountProblem: NoSuchAccountProblem;
    NoSuchRuneProblem: NoSuchRuneProblem;
    NoSuchTokenProblem: NoSuchTokenProblem;
    NoTradingWalletProblem: NoTradingWalletProblem;
    NotAWalletKeystoreProblem: NotAWalletKeystoreProblem;
    NotReplaceableProblem: NotReplaceableProblem;
    NotTheIssuedTransactionProblem: NotTheIssuedTransactionProblem;
    NothingToRenewProblem: NothingToRenewProblem;
    NothingToVerifyProblem: NothingToVerifyProblem;
    OtpInvalidProblem: OtpInvalidProblem;
    OtpLockedProblem: OtpLockedProblem;
    OtpRequiredProblem: OtpRequiredProblem;
    PasskeyMalformedProblem: PasskeyMalformedProblem;
    PasskeyNotFoundProblem: PasskeyNotFoundProblem;
    PasskeyRefusedProblem: PasskeyRefusedProblem;
    PasskeyTakenProblem: PasskeyTakenProblem;
    PasswordProofInvalidProblem: PasswordProofInvalidProblem;
    PayloadTooLargeProblem: PayloadTooLargeProblem;
    PerpVenueAmountBelowActivationFeeProblem: PerpVenueAmountBelowActivationFeeProblem;
    PerpVenueContractWalletProblem: PerpVenueContractWalletProblem;
    PerpVenueInsufficientBalanceProblem: PerpVenueInsufficientBalanceProblem;
    PerpVenueInsufficientUsdcProblem: PerpVenueInsufficientUsdcProblem;
    PerpVenuePausedProblem: PerpVenuePausedProblem;
    PrizeInscriptionElsewhereProblem: PrizeInscriptionElsewhereProblem;
    PrizeInscriptionTakenProblem: PrizeInscriptionTakenProblem;
    PrizeNotFoundProblem: PrizeNotFoundProblem;
    PrizeNotInTreasuryProblem: PrizeNotInTreasuryProblem;
    PrizeNumberTakenProblem: PrizeNumberTakenProblem;
    PrizeUtxoTakenProblem: PrizeUtxoTakenProblem;
    PrizeUtxoUnusableProblem: PrizeUtxoUnusableProblem;
    PsbtMalformedProblem: PsbtMalformedProblem;
    RateLimitedProblem: RateLimitedProblem;
    ReauthMissingProblem: ReauthMissingProblem;
    ReauthRequiredProblem: ReauthRequiredProblem;
    ReferralCodeUnknownProblem: ReferralCodeUnknownProblem;
    RefundBelowFeeProblem: RefundBelowFeeProblem;
    RefundChangedProblem: RefundChangedProblem;
    RefundNothingProblem: RefundNothingProblem;
    ReservationExpiredProblem: ReservationExpiredProblem;
    RuneUnknownProblem: RuneUnknownProblem;
    SessionEndedProblem: SessionEndedProblem;
    SessionNotFoundProblem: SessionNotFoundProblem;
    SignInMessageInvalidProblem: SignInMessageInvalidProblem;
    SignatureInvalidProblem: SignatureInvalidProblem;
    SignatureMissingProblem: SignatureMissingProblem;
    SortTooLargeProblem: SortTooLargeProblem;
    SrpValueInvalidProblem: SrpValueInvalidProblem;
    SwapContradictedProblem: SwapContradictedProblem;
    SwapRegisteredProblem: SwapRegisteredProblem;
    TokenChainUnsupportedProblem: TokenChainUnsupportedProblem;
    TokenExpiredProblem: TokenExpiredProblem;
    TokenNotFoundProblem: TokenNotFoundProblem;
    TokenNotInSlotProblem: TokenNotInSlotProblem;
    TokenUnfitProblem: TokenUnfitProblem;
    TooManyInputsProblem: TooManyInputsProblem;
    TooManyProblem: TooManyProblem;
    TotpCodeInvalidProblem: TotpCodeInvalidProblem;
    TotpNotSetUpProblem: TotpNotSetUpProblem;
    TradingWalletExistsProblem: TradingWalletExistsProblem;
    TradingWalletNotFoundProblem: TradingWalletNotFoundProblem;
    TradingWalletProblem: TradingWalletProblem;
    TransactionNotFoundProblem: TransactionNotFoundProblem;
    TransactionSignatureInvalidProblem: TransactionSignatureInvalidProblem;
    UnavailableProblem: UnavailableProblem;
    UnsupportedMediaTypeProblem: UnsupportedMediaTypeProblem;
    ValidationProblem: ValidationProblem;
    VmBatchUnderWayProblem: VmBatchUnderWayProblem;
    VmFiltersUnsupportedProblem: VmFiltersUnsupportedProblem;
    VmMintClosedProblem: VmMintClosedProblem;
    VmMintCrowdedProblem: VmMintCrowdedProblem;
    VmMintExistsProblem: VmMintExistsProblem;
    VmMintFullProblem: VmMintFullProblem;
    VmMintNotFoundProblem: VmMintNotFoundProblem;
    VmNoMintProblem: VmNoMintProblem;
    VmPageTooDeepProblem: VmPageTooDeepProblem;
    VmPoolTooSmallProblem: VmPoolTooSmallProblem;
    VmPriceTooLowProblem: VmPriceTooLowProblem;
    VmRuneTooYoungProblem: VmRuneTooYoungProblem;
    VmTooManyPricesProblem: VmTooManyPricesProblem;
    VmTooManyRequestsProblem: VmTooManyRequestsProblem;
    VmTransactionNotFoundProblem: VmTransactionNotFoundProblem;
    WebhookNotFoundProblem: WebhookNotFoundProblem;
    WebhookUnverifiedProblem: WebhookUnverifiedProblem;
    WebhookUrlRefusedProblem: WebhookUrlRefusedProblem;
    WrongSighashProblem: WrongSighashProblem;
    XchainNotFoundProblem: XchainNotFoundProblem;
}

export interface responses {
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    Error400_1001: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     *     - 4006 `auth.accountNotFound`: The account does not exist.
     *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
     *     - 4011 `auth.accountDisabled`: The account is disabled.
     */
    Error401_4002_4003_4004_4006_4010_4011: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem | AccountNotFoundProblem | SessionEndedProblem | AccountDisabledProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     *     - 4006 `auth.accountNotFound`: The account does not exist.
     *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
     *     - 4011 `auth.accountDisabled`: The account is disabled.
     *     - 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request.
     */
    Error401_4002_4003_4004_4006_4010_4011_4024: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem | AccountNotFoundProblem | SessionEndedProblem | AccountDisabledProblem | ReauthRequiredProblem;
        };
    };
    /** - 1007 `common.forbidden`: This account is not allowed to do this. */
    Error403_1007: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ForbiddenProblem;
        };
    };
    /** - 1103 `webhooks.notFound`: The webhook does not exist. */
    Error404_1103: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": WebhookNotFoundProblem;
        };
    };
    /** - 1104 `exports.notFound`: The export does not exist. */
    Error404_1104: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ExportNotFoundProblem;
        };
    };
    /** - 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now. */
    Error404_2017: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": CoinUnknownProblem;
        };
    };
    /** - 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
    Error404_2019: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": TransactionNotFoundProblem;
        };
    };
    /** - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
    Error404_3026: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": TradingWalletNotFoundProblem;
        };
    };
    /** - 3028 `account.noSuchAccount`: The account does not exist. */
    Error404_3028: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": NoSuchAccountProblem;
        };
    };
    /** - 6008 `vm.mintNotFound`: The mint does not exist. */
    Error404_6008: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": VmMintNotFoundProblem;
        };
    };
    /** - 8003 `xchain.notFound`: The cross-chain transaction does not exist. */
    Error404_8003: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": XchainNotFoundProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     */
    Error409_1010_1011: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
     */
    Error409_1010_1011_2016: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | CoinsChangedProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
     *     - 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced.
     *     - 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less.
     */
    Error409_1010_1011_2016_2021_2023: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | CoinsChangedProblem | NotReplaceableProblem | CoinsReservedProblem;
        };
    };
    /** - 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
    Error409_1014: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ChangedProblem;
        };
    };
    /** - 1101 `events.tooOld`: These events are no longer kept. Read the current state again. */
    Error410_1101: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": EventsTooOldProblem;
        };
    };
    /** - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
    Error429_1013: {
        headers: {
            RateLimit: headers["RateLimit"];
            "RateLimit-Policy": headers["RateLimit-Policy"];
            "Retry-After": headers["Retry-After"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": RateLimitedProblem;
        };
    };
    /**
     * - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After.
     *     - 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After.
     */
    Error429_1013_4019: {
        headers: {
            RateLimit: headers["RateLimit"];
            "RateLimit-Policy": headers["RateLimit-Policy"];
            "Retry-After": headers["Retry-After"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": RateLimitedProblem | OtpLockedProblem;
        };
    };
    /** - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
    Error502_2003: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ChainUnavailableProblem;
        };
    };
    /**
     * - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
     *     - 2022 `bitcoin.chainBusy`: The Bitcoin data source is not ready, so nothing was done. Try again after the time in Retry-After.
     */
    Error503_1009_2022: {
        headers: {
            "Retry-After": headers["Retry-After"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": UnavailableProblem | ChainBusyProblem;
        };
    };
    /**
     * - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
     *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
     */
    Error503_1009_4014: {
        headers: {
            "Retry-After": headers["Retry-After"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": UnavailableProblem | ContractWalletUnavailableProblem;
        };
    };
    /**
     * - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
     *     - 9001 `perpVenue.paused`: USDC transfers to and from the venue are paused. Try again later.
     */
    Error503_1009_9001: {
        headers: {
            "Retry-After": headers["Retry-After"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": UnavailableProblem | PerpVenuePausedProblem;
        };
    };
    /** - 1008 `common.internal`: The service failed. Contact support with the request id. */
    Internal: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InternalProblem;
        };
    };
    /** - 1005 `common.payloadTooLarge`: The body is larger than 256 KiB. */
    PayloadTooLarge: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": PayloadTooLargeProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     */
    Unauthorized: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem;
        };
    };
    /** - 1009 `common.unavailable`: The service is temporarily unavailable. Try again. */
    Unavailable: {
        headers: {
            "Retry-After": headers["Retry-After"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": UnavailableProblem;
        };
    };
    /** - 1006 `common.unsupportedMediaType`: The body must be JSON: set Content-Type to application/json. */
    UnsupportedMediaType: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": UnsupportedMediaTypeProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    announceDeposit400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /** - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
    announceDeposit404: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": TradingWalletNotFoundProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
     *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
     *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
     *     - 4013 `auth.signInMessageInvalid`: The signed message is not from this service, is too old, or was already used. Sign a new one.
     *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
     *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
     *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
     */
    authenticate400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | SignatureInvalidProblem | TradingWalletProblem | ChallengeInvalidProblem | SignInMessageInvalidProblem | HandshakeInvalidProblem | SrpValueInvalidProblem | PasskeyMalformedProblem;
        };
    };
    /**
     * - 4011 `auth.accountDisabled`: The account is disabled.
     *     - 4016 `auth.invalidCredentials`: The e-mail address or the password is wrong.
     *     - 4017 `auth.otpRequired`: The account requires a code of its second factor in otpCode.
     *     - 4018 `auth.otpInvalid`: The code is wrong or already used.
     *     - 4020 `auth.addressLinked`: The address is linked to an account but cannot sign in.
     *     - 4021 `auth.addressRetired`: The address was replaced by another one and can no longer sign in.
     *     - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid.
     */
    authenticate401: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": AccountDisabledProblem | InvalidCredentialsProblem | OtpRequiredProblem | OtpInvalidProblem | AddressLinkedProblem | AddressRetiredProblem | PasskeyRefusedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    buildVenueBuilderFeeApproval400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 9002 `perpVenue.insufficientUsdc`: The wallet's USDC balance on the venue's EVM chain is too low.
     *     - 9003 `perpVenue.amountBelowActivationFee`: The first deposit of a new account must exceed the venue's activation fee.
     *     - 9005 `perpVenue.contractWallet`: Contract wallets cannot sign the venue's messages. Use another wallet.
     */
    buildVenueDeposit400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PerpVenueInsufficientUsdcProblem | PerpVenueAmountBelowActivationFeeProblem | PerpVenueContractWalletProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    buildVenueReferral400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 9004 `perpVenue.insufficientVenueBalance`: The wallet's balance at the venue does not cover the amount and the transfer fee.
     */
    buildVenueWithdrawal400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PerpVenueInsufficientBalanceProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
     *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
     *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
     *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
     *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
     */
    calculateMaxSpent400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | InsufficientBtcProblem | InsufficientRuneProblem | FeeTooHighProblem | RuneUnknownProblem | NoTradingWalletProblem;
        };
    };
    /** - 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less. */
    calculateMaxSpent409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": CoinsReservedProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    calculateRefund400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    closeMint400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    countUnconfirmedRequests400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
     *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
     *     - 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it.
     *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
     *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
     *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
     *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
     *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     *     - 2018 `bitcoin.nothingToRenew`: No coin needs a renewal.
     */
    createBitcoinTransaction400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | InsufficientBtcProblem | InsufficientRuneProblem | AmountBelowDustProblem | FeeTooHighProblem | TooManyInputsProblem | RuneUnknownProblem | NoTradingWalletProblem | NotTheIssuedTransactionProblem | ReservationExpiredProblem | NothingToRenewProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    createDownloadHistory400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    createMediaUpload400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /**
     * - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
     *     - 5101 `medias.notServed`: The service does not serve media yet, so it accepts no uploads.
     */
    createMediaUpload503: {
        headers: {
            "Retry-After": headers["Retry-After"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": UnavailableProblem | MediaNotServedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
     *     - 6009 `vm.poolTooSmall`: The pool does not hold enough runes for the mint.
     */
    createMint400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | RuneUnknownProblem | VmPoolTooSmallProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 6007 `vm.mintExists`: The rune already has a mint that has not ended.
     *     - 6012 `vm.runeTooYoung`: The etching of the rune needs seven confirmations. Try again later.
     */
    createMint409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | VmMintExistsProblem | VmRuneTooYoungProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
     *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     *     - 7001 `refund.nothing`: There is nothing to refund.
     *     - 7002 `refund.belowFee`: The refund is worth less than its network fee.
     */
    createRefund400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | FeeTooHighProblem | NoTradingWalletProblem | ReservationExpiredProblem | RefundNothingProblem | RefundBelowFeeProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 7004 `refund.changed`: The refundable amount has changed. Request the refund again.
     */
    createRefund409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | RefundChangedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
     *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
     *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
     */
    createTradingWallet400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | SignatureInvalidProblem | TradingWalletProblem | ChallengeInvalidProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 3025 `account.tradingWalletExists`: The account already has a trading wallet.
     */
    createTradingWallet409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | ChangedProblem | TradingWalletExistsProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
     *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
     *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
     *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     *     - 6001 `vm.noMint`: No open mint of this rune accepts requests.
     *     - 6003 `vm.priceTooLow`: The price per request is below the minimum of the mint.
     *     - 6004 `vm.tooManyRequests`: The mint has fewer requests in total.
     *     - 6006 `vm.tooManyPrices`: The batch was replaced too often to add another price.
     */
    createVmTransaction400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | InsufficientBtcProblem | FeeTooHighProblem | TooManyInputsProblem | NoTradingWalletProblem | ReservationExpiredProblem | VmNoMintProblem | VmPriceTooLowProblem | VmTooManyRequestsProblem | VmTooManyPricesProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
     *     - 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less.
     *     - 6002 `vm.mintClosed`: The mint no longer accepts requests.
     *     - 6005 `vm.batchUnderWay`: Your previous batch is still being broadcast. Try again once it is in the mempool.
     *     - 6014 `vm.mintFull`: The mint has as many bids as it can have.
     *     - 6015 `vm.mintCrowded`: The mint has so many bids that a further one has to offer more.
     */
    createVmTransaction409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | ChangedProblem | CoinsChangedProblem | CoinsReservedProblem | VmMintClosedProblem | VmBatchUnderWayProblem | VmMintFullProblem | VmMintCrowdedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 1102 `webhooks.urlRefused`: Webhooks may not send to this URL.
     *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
     */
    createWebhook400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | WebhookUrlRefusedProblem | TooManyProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     */
    createWebhook409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | ChangedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
     *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
     *     - 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it.
     *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
     *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
     *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
     *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
     *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     *     - 2018 `bitcoin.nothingToRenew`: No coin needs a renewal.
     */
    createXchainWithdrawal400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | InsufficientBtcProblem | InsufficientRuneProblem | AmountBelowDustProblem | FeeTooHighProblem | TooManyInputsProblem | RuneUnknownProblem | NoTradingWalletProblem | NotTheIssuedTransactionProblem | ReservationExpiredProblem | NothingToRenewProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    deleteDownloadHistory400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    deleteMedia400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    deletePasskey400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 3020 `account.passkeyNotFound`: The account has no such passkey. */
    deletePasskey404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": PasskeyNotFoundProblem;
        };
    };
    /**
     * - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 3021 `account.lastWayIn`: This is the account's last way to sign in. Add another one first.
     */
    deletePasskey409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ChangedProblem | LastWayInProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    deleteWebhook400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getAccount400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getAddressBalance400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getBitcoinTransaction400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getDownloadHistory400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getHealth400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 3019 `account.keystoreNotFound`: The account has no keystore. */
    getKeystore404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": KeystoreNotFoundProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     *     - 4006 `auth.accountNotFound`: The account does not exist.
     *     - 4011 `auth.accountDisabled`: The account is disabled.
     */
    getMe401: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem | AccountNotFoundProblem | AccountDisabledProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getMint400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getNextVirtualBlock400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    getOwnWallet400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getPrize400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 5007 `prizes.notFound`: No prize has this number. */
    getPrize404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": PrizeNotFoundProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getRecoveryKit400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getRefund400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getRune400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1106 `runes.notFound`: The rune does not exist. */
    getRune404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": NoSuchRuneProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getSupportAccount400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getSupportTransaction400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getSwapStatus400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getToken400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1105 `tokens.notFound`: The catalogue does not contain this token. */
    getToken404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": NoSuchTokenProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getVenueStatus400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getVmTransaction400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 6013 `vm.transactionNotFound`: The VM transaction does not exist. */
    getVmTransaction404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": VmTransactionNotFoundProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getWalletChallenge400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getWalletDetails400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getWebhook400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    getXchainTransaction400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3006 `account.emailTaken`: The e-mail address already belongs to an account.
     *     - 3007 `account.emailUnchanged`: This is already the e-mail address of the account.
     */
    initChangeEmail400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | NewEmailTakenProblem | EmailUnchangedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 3012 `account.noPassword`: The account has no password.
     */
    initChangePassword400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | NoPasswordProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
     */
    initPasskey400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | TooManyProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    initPasskeyRegistration400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    initSrpSignIn400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
     *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
     *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
     */
    linkAddress400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | TooManyProblem | SignatureInvalidProblem | ChallengeInvalidProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 4022 `auth.addressTaken`: The address already belongs to an account.
     */
    linkAddress409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | ChangedProblem | AddressTakenProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listAccounts400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     *     - 4006 `auth.accountNotFound`: The account does not exist.
     *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
     *     - 4011 `auth.accountDisabled`: The account is disabled.
     */
    listAccounts401: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem | AccountNotFoundProblem | SessionEndedProblem | AccountDisabledProblem;
        };
    };
    /** - 1007 `common.forbidden`: This account is not allowed to do this. */
    listAccounts403: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ForbiddenProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listActivity400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listBitcoinTransactions400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listCoins400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listDeposits400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listDownloadHistories400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listEvents400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listMintEvents400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listMints400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listPrizes400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listStuckRows400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportActivity400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportBatches400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportDeliveries400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1103 `webhooks.notFound`: The webhook does not exist.
     *     - 3028 `account.noSuchAccount`: The account does not exist.
     */
    listSupportDeliveries404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": WebhookNotFoundProblem | NoSuchAccountProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportDeposits400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportExports400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportReads400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportRefunds400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportTransactions400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportWebhooks400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listSupportXchain400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listTokens400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listUtxos400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listVirtualBlocks400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     *     - 6010 `vm.filtersUnsupported`: These filters cannot be combined.
     *     - 6011 `vm.pageTooDeep`: A list filtered by state has no pages this deep.
     */
    listVmTransactions400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem | VmFiltersUnsupportedProblem | VmPageTooDeepProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listWebhookDeliveries400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    listWebhooks400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
     */
    listXchainTransactions400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | SortTooLargeProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
     *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
     *     - 4013 `auth.signInMessageInvalid`: The signed message is not from this service, is too old, or was already used. Sign a new one.
     *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
     *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
     *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
     */
    reauthenticate400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | SignatureInvalidProblem | ChallengeInvalidProblem | SignInMessageInvalidProblem | HandshakeInvalidProblem | SrpValueInvalidProblem | PasskeyMalformedProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     *     - 4006 `auth.accountNotFound`: The account does not exist.
     *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
     *     - 4011 `auth.accountDisabled`: The account is disabled.
     *     - 4016 `auth.invalidCredentials`: The e-mail address or the password is wrong.
     *     - 4017 `auth.otpRequired`: The account requires a code of its second factor in otpCode.
     *     - 4018 `auth.otpInvalid`: The code is wrong or already used.
     *     - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid.
     */
    reauthenticate401: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem | AccountNotFoundProblem | SessionEndedProblem | AccountDisabledProblem | InvalidCredentialsProblem | OtpRequiredProblem | OtpInvalidProblem | PasskeyRefusedProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    redeliverEvent400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 1107 `webhooks.unverified`: The receiver has not confirmed the webhook's URL yet. Answer `webhook.verification`, then try again.
     */
    redeliverEvent409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ChangedProblem | WebhookUnverifiedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 4005 `auth.invalidRefreshToken`: The refresh token is invalid. Sign in again.
     */
    refreshToken400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | InvalidRefreshTokenProblem;
        };
    };
    /** - 4011 `auth.accountDisabled`: The account is disabled. */
    refreshToken401: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": AccountDisabledProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
     *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
     *     - 4030 `auth.referralCodeUnknown`: The referral code does not exist.
     */
    registerPasskey400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | HandshakeInvalidProblem | PasskeyMalformedProblem | ReferralCodeUnknownProblem;
        };
    };
    /** - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid. */
    registerPasskey401: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": PasskeyRefusedProblem;
        };
    };
    /**
     * - 4023 `auth.emailTaken`: The e-mail address already belongs to an account.
     *     - 4029 `auth.passkeyTaken`: The passkey already belongs to an account.
     */
    registerPasskey409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": EmailTakenProblem | PasskeyTakenProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 5004 `prizes.utxoUnusable`: The output does not exist, is spent, or is unconfirmed.
     *     - 5005 `prizes.inscriptionElsewhere`: The output does not hold the inscription.
     *     - 5006 `prizes.notInTreasury`: The output does not belong to the treasury.
     */
    registerPrize400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PrizeUtxoUnusableProblem | PrizeInscriptionElsewhereProblem | PrizeNotInTreasuryProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 5001 `prizes.numberTaken`: The prize number is already used.
     *     - 5002 `prizes.inscriptionTaken`: The inscription is already a prize.
     *     - 5003 `prizes.utxoTaken`: The output holds another prize.
     */
    registerPrize409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | PrizeNumberTakenProblem | PrizeInscriptionTakenProblem | PrizeUtxoTakenProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
     *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
     *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
     *     - 4030 `auth.referralCodeUnknown`: The referral code does not exist.
     */
    registerSrp400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | SignatureInvalidProblem | TradingWalletProblem | ChallengeInvalidProblem | ReferralCodeUnknownProblem;
        };
    };
    /** - 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
    registerSrp409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": EmailTakenProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 8002 `xchain.contradicted`: The hub's record of the intent differs from the request.
     */
    registerSwap400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | SwapContradictedProblem;
        };
    };
    /**
     * - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 8001 `xchain.registered`: The swap is already registered with different content.
     */
    registerSwap409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ChangedProblem | SwapRegisteredProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
     *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
     *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
     *     - 4030 `auth.referralCodeUnknown`: The referral code does not exist.
     */
    registerWallet400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | SignatureInvalidProblem | TradingWalletProblem | ChallengeInvalidProblem | ReferralCodeUnknownProblem;
        };
    };
    /**
     * - 4022 `auth.addressTaken`: The address already belongs to an account.
     *     - 4023 `auth.emailTaken`: The e-mail address already belongs to an account.
     */
    registerWallet409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": AddressTakenProblem | EmailTakenProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    releaseBitcoinTransaction400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 2020 `bitcoin.alreadySigned`: The transaction is signed. Only the network can end it now. */
    releaseBitcoinTransaction409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": AlreadySignedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3018 `account.tokenNotInSlot`: The slot contains a different token.
     */
    removeDefaultToken400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | TokenNotInSlotProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
     *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
     *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
     *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     */
    replaceBitcoinTransaction400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | InsufficientBtcProblem | FeeTooHighProblem | TooManyInputsProblem | NoTradingWalletProblem | ReservationExpiredProblem;
        };
    };
    /**
     * - 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now.
     *     - 2019 `bitcoin.transactionNotFound`: The account has no such transaction.
     */
    replaceBitcoinTransaction404: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": CoinUnknownProblem | TransactionNotFoundProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     */
    replayWebhook400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 3024 `account.nothingToVerify`: The account has no unverified e-mail address.
     */
    resendVerification400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | NothingToVerifyProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    revokeSession400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 4015 `auth.sessionNotFound`: The session does not exist. */
    revokeSession404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": SessionNotFoundProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3003 `account.methodNotAllowed`: This account does not sign in with a wallet.
     *     - 3004 `account.notAWalletKeystore`: The account has no keystore.
     *     - 3005 `account.addressTaken`: The address already belongs to an account.
     *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
     *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
     */
    rotateWallet400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | MethodNotAllowedForAccountProblem | NotAWalletKeystoreProblem | NewAddressTakenProblem | SignatureInvalidProblem | ChallengeInvalidProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    rotateWebhookSecret400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    searchSupport400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3013 `account.inscriptionNotFound`: The inscription does not exist.
     *     - 3014 `account.inscriptionNotOwned`: None of the account's addresses holds the inscription.
     */
    setAvatar400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | InscriptionNotFoundProblem | InscriptionNotOwnedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3015 `account.tokenNotFound`: The catalogue does not contain this token.
     *     - 3016 `account.tokenChainUnsupported`: This slot does not accept tokens of this chain.
     *     - 3017 `account.tokenInvalidForSlot`: This slot does not accept this token.
     */
    setDefaultToken400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | TokenNotFoundProblem | TokenChainUnsupportedProblem | TokenUnfitProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     *     - 4006 `auth.accountNotFound`: The account does not exist.
     *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
     *     - 4011 `auth.accountDisabled`: The account is disabled.
     *     - 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request.
     */
    setUpTotp401: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem | AccountNotFoundProblem | SessionEndedProblem | AccountDisabledProblem | ReauthRequiredProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
     *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
     *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
     *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
     *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     */
    signBitcoinTransaction400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PsbtMalformedProblem | NotTheIssuedTransactionProblem | SignatureMissingProblem | TransactionSignatureInvalidProblem | WrongSighashProblem | ReservationExpiredProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
     *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
     *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
     *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
     *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     */
    signRefund400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PsbtMalformedProblem | NotTheIssuedTransactionProblem | SignatureMissingProblem | TransactionSignatureInvalidProblem | WrongSighashProblem | ReservationExpiredProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
     *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
     *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
     *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
     *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     */
    signVmTransaction400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PsbtMalformedProblem | NotTheIssuedTransactionProblem | SignatureMissingProblem | TransactionSignatureInvalidProblem | WrongSighashProblem | ReservationExpiredProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
     *     - 6002 `vm.mintClosed`: The mint no longer accepts requests.
     *     - 6015 `vm.mintCrowded`: The mint has so many bids that a further one has to offer more.
     */
    signVmTransaction409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | CoinsChangedProblem | VmMintClosedProblem | VmMintCrowdedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
     *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
     *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
     *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
     *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
     *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
     */
    signXchainWithdrawal400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PsbtMalformedProblem | NotTheIssuedTransactionProblem | SignatureMissingProblem | TransactionSignatureInvalidProblem | WrongSighashProblem | ReservationExpiredProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    testWebhook400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3001 `account.otpInvalid`: The code is wrong or already used.
     *     - 3002 `account.totpNotSetUp`: Set up the second factor first.
     */
    toggleTotp400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | TotpCodeInvalidProblem | TotpNotSetUpProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    unlinkAddress400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
    /** - 3023 `account.addressNotLinked`: The address is not linked to the account. */
    unlinkAddress404: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": AddressNotLinkedProblem;
        };
    };
    /**
     * - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 3027 `account.addressInUse`: This address is used by open virtual-mint transactions or swaps.
     */
    unlinkAddress409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ChangedProblem | AddressInUseProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 1102 `webhooks.urlRefused`: Webhooks may not send to this URL.
     */
    updateWebhook400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | WebhookUrlRefusedProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3001 `account.otpInvalid`: The code is wrong or already used.
     *     - 3006 `account.emailTaken`: The e-mail address already belongs to an account.
     *     - 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one.
     *     - 3009 `account.emailMismatch`: The link was mailed to a different e-mail address.
     *     - 3010 `account.reauthMissing`: The account has a password: send a proof of it in srpData.
     *     - 3011 `account.passwordProofInvalid`: The current password is wrong.
     *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
     *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
     */
    verifyChangeEmail400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | TotpCodeInvalidProblem | NewEmailTakenProblem | EmailTokenInvalidProblem | EmailMismatchProblem | ReauthMissingProblem | PasswordProofInvalidProblem | HandshakeInvalidProblem | SrpValueInvalidProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3011 `account.passwordProofInvalid`: The current password is wrong.
     *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
     *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
     */
    verifyChangePassword400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | PasswordProofInvalidProblem | HandshakeInvalidProblem | SrpValueInvalidProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one.
     */
    verifyEmail400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | EmailTokenInvalidProblem;
        };
    };
    /**
     * - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 4023 `auth.emailTaken`: The e-mail address already belongs to an account.
     */
    verifyEmail409: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ChangedProblem | EmailTakenProblem;
        };
    };
    /**
     * - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
     *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
     *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
     *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
     *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
     */
    verifyPasskey400: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem | MalformedBodyProblem | TooManyProblem | HandshakeInvalidProblem | PasskeyMalformedProblem;
        };
    };
    /**
     * - 4002 `auth.invalidToken`: The access token is invalid.
     *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
     *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
     *     - 4006 `auth.accountNotFound`: The account does not exist.
     *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
     *     - 4011 `auth.accountDisabled`: The account is disabled.
     *     - 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request.
     *     - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid.
     */
    verifyPasskey401: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InvalidTokenProblem | TokenExpiredProblem | NoAuthorizationProblem | AccountNotFoundProblem | SessionEndedProblem | AccountDisabledProblem | ReauthRequiredProblem | PasskeyRefusedProblem;
        };
    };
    /**
     * - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
     *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
     *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
     *     - 4029 `auth.passkeyTaken`: The passkey already belongs to an account.
     */
    verifyPasskey409: {
        headers: {
            "Idempotent-Replayed": headers["Idempotent-Replayed"];
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": InProgressProblem | IdempotencyKeyReusedProblem | ChangedProblem | PasskeyTakenProblem;
        };
    };
    /** - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
    verifyReferralCode400: {
        headers: {
            "X-Request-Id": headers["X-Request-Id"];
            [name: string]: unknown;
        };
        content: {
            "application/json": ValidationProblem;
        };
    };
}
