/**
 * API calls, and the parts that all flows share.
 *
 * @packageDocumentation
 */

export {
  type Answer, type Api, type ApiOptions, call, type CallOptions, createApi, type ListInit, type Method, type Schemas, type SendOptions,
} from './api.js';
export { type DeviceStore, memoryDeviceStore, webStorageDeviceStore } from './device.js';
export { type ClientProblem, type ErrorParams, type FieldError, RuneportError, type RuneportErrorFields } from './error.js';
export type { Exchange } from './exchange.js';
export type { components, operations, paths } from './generated/openapi.js';
export { pages, rows } from './lists.js';
export { type ErrorOf, isErrorOf, type ProblemKey } from './problems.js';
export { downloadRecoveryKit, readRecoveryKit, type RecoveryFile, type RecoveryKit } from './recovery.js';
export type { HiddenField, ListPath, ListQuery, Page, RelatedToken, Relations, Row } from './rows.js';
export {
  endSession, listSessions, type LiveSession, type OtpCode, type Reauthenticated, type SignedIn, type SignInOptions, signOut,
} from './sessions.js';
export { memoryTokenStore, sharedTokenStore, type Tokens, type TokenStore, type WebStorageOptions, webStorageTokenStore } from './tokens.js';
export { formatUnits, parseUnits } from './units.js';
export {
  type Chain, linkAddress, makeTradingWallet, type Me, proveWallet, type Purpose, reauthenticateWithMessage,
  reauthenticateWithWallet, type RegistrationExtras, registerWithWallet, rotateWallet, signInWithMessage, signInWithWallet, unlinkAddress, type Wallet, type WalletProof,
} from './wallets.js';
