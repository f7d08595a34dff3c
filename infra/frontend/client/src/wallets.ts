import { type Api, call, type CallOptions, type Schemas } from './api.js';
import { clientError, RuneportError } from './error.js';
import {
  keepRenewed, keepSession, type Reauthenticated, reauthenticateBy, type SignedIn, signInBy, type SignInOptions,
} from './sessions.js';

/** The chains whose wallets can sign in. */
export type Chain = Schemas['Chain'];

/** The purpose of a wallet's signature. */
export type Purpose = Schemas['ChallengePurpose'];

/** The signed-in account. */
export type Me = Schemas['Me'];

/** A wallet that signs messages. */
export interface Wallet {
  readonly chain: Chain;
  /** In the usual notation of its chain. */
  readonly address: string;
  /** Bitcoin: hex of 33 bytes, or the format that the wallet provides. EVM and Solana: may be empty. */
  readonly publicKey: string;
  /** The name of the wallet software, such as `unisat`. */
  readonly provider: string;
  /**
   * Signs a text. Bitcoin uses BIP-322 (base64), or legacy signed messages for P2PKH and P2SH-P2WPKH; EVM
   * uses EIP-191 (hex); Solana uses Ed25519 (base58, base64 or hex).
   */
  signMessage(message: string): Promise<string>;
}

/** Proves control of a wallet; usable once. */
export interface WalletProof {
  readonly chain: Chain;
  readonly address: string;
  readonly publicKey: string;
  readonly provider: string;
  readonly challengeId: string;
  readonly signature: string;
}

/** Optional input of a registration. */
export interface RegistrationExtras extends Pick<CallOptions, 'signal'> {
  /** The client's own keystore, encrypted by the client, as base64. */
  readonly encryptedBlob?: string | undefined;
  /** The service sends a verification mail to this address. */
  readonly email?: string | undefined;
  /** The code of the account that referred this one. */
  readonly referralCode?: string | undefined;
}

/**
 * Requests a challenge, checks that it is for this address and purpose (and for the `signInDomain` of
 * `createApi`, if set), and asks the wallet to sign it.
 *
 * @param purpose Every purpose except `signIn` needs a session.
 * @throws {@link RuneportError} `client.answerMalformed` if the challenge fails a check,
 *   `client.walletRefused`, or an error of `GET /auth/wallet/challenge`.
 *
 * @example
 * const { challengeId, signature } = await proveWallet(api, wallet, 'link');
 */
export async function proveWallet(
  api: Api,
  wallet: Wallet,
  purpose: Purpose,
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<WalletProof> {
  const { chain, address, publicKey, provider } = wallet;
  const { data } = await call(api, 'get', '/auth/wallet/challenge', {
    params: { query: { address, chain, purpose } },
    anonymous: purpose === 'signIn',
    signal,
  });
  checkChallenge(data, wallet, purpose, api.signInDomain);
  const signature = await requestSignature(wallet, data.message);
  return { chain, address, publicKey, provider, challengeId: data.challengeId, signature };
}

const CHAINS: Readonly<Record<Chain, string>> = { evm: 'Ethereum', solana: 'Solana', bitcoin: 'Bitcoin' };
/** The words for each purpose in the signed text. */
const PURPOSES: Readonly<Record<Purpose, string>> = {
  signIn: 'sign in',
  link: 'link this address',
  rotate: 'become the sign-in wallet',
  tradingWallet: 'become the key of the trading wallet',
};
/** The lines after the statement, as in EIP-4361, up to the request id. */
const FIELDS = ['URI: ', 'Version: 1', 'Chain ID: ', 'Nonce: ', 'Issued At: ', 'Expiration Time: '];

/** Checks that a text is a challenge and contains nothing else, since a wallet would sign any text. */
function checkChallenge(
  { message, challengeId }: Schemas['IssuedChallenge'],
  { chain, address }: Wallet,
  purpose: Purpose,
  signInDomain: string | undefined,
): void {
  const refuse = (why: string): never => {
    throw clientError('client.answerMalformed', `The text to sign ${why}.`);
  };
  const [first = '', who = '', gap, statement = '', end, ...fields] = message.split('\n');
  const asks = ` wants you to sign in with your ${CHAINS[chain]} account:`;
  const domain = first.slice(0, -asks.length);
  if (!first.endsWith(asks) || !/^[^\s/?#]+$/.test(domain)) refuse(`begins with "${first}"`);
  if (signInDomain !== undefined && domain !== signInDomain) refuse(`is for ${domain}, not for ${signInDomain}`);
  // Hex and bech32 addresses are case-insensitive.
  const anyCase = chain === 'evm' || /^(bc|tb|bcrt)1/i.test(address);
  const isOwn = anyCase ? who.toLowerCase() === address.toLowerCase() : who === address;
  if (!isOwn) refuse(`is for the address ${who}`);
  const [, said = ''] = / Purpose: ([^.:]+)\.(?: Account: [0-9a-f-]+\.)?$/.exec(statement) ?? [];
  if (gap !== '' || end !== '' || said !== PURPOSES[purpose]) refuse(`says "${statement}"`);
  const wanted = [...FIELDS, `Request ID: ${challengeId}`];
  const isWhole = wanted.every((field, index) => fields[index]?.startsWith(field)) && fields[FIELDS.length] === wanted.at(-1);
  const [title = 'Resources:', ...resources] = fields.slice(wanted.length);
  if (!isWhole || title !== 'Resources:' || !resources.every((line) => line.startsWith('- '))) refuse('is not a challenge');
}

async function requestSignature(wallet: Wallet, message: string): Promise<string> {
  try {
    return await wallet.signMessage(message);
  } catch (error) {
    if (error instanceof RuneportError) throw error;
    throw clientError('client.walletRefused', `${wallet.provider} did not sign the message. Confirm it in your wallet.`, error);
  }
}

/**
 * Signs in with a wallet. The first sign-in creates the account and, for a Bitcoin wallet, the trading
 * wallet.
 *
 * @throws {@link RuneportError} `client.walletRefused`, `auth.signatureInvalid`, `auth.addressLinked`,
 *   `auth.addressRetired`, `auth.otpRequired`, `auth.otpInvalid`, …
 *
 * @example
 * const { account, tradingAddress } = await signInWithWallet(api, wallet, { otpCode: () => askCode() });
 */
export async function signInWithWallet(api: Api, wallet: Wallet, options: SignInOptions = {}): Promise<SignedIn> {
  return keepSession(api, await signInBy(api, () => proveWallet(api, wallet, 'signIn', options), options));
}

/**
 * Signs in with a Bitcoin wallet in one call. The wallet signs the deployment's message
 * (`SIGN_IN_MESSAGE`), which ends in the current time in milliseconds.
 *
 * @param message Creates the message. Each message can be used once.
 * @throws {@link RuneportError} The same as {@link signInWithWallet}, and `auth.signInMessageInvalid`.
 *
 * @example
 * const { account } = await signInWithMessage(api, wallet, () => `Sign in to Example at ${Date.now()}`);
 */
export async function signInWithMessage(
  api: Api,
  wallet: Wallet,
  message: () => string,
  options: SignInOptions = {},
): Promise<SignedIn> {
  return keepSession(api, await signInBy(api, () => proveMessage(wallet, message()), options));
}

async function proveMessage(wallet: Wallet, message: string): Promise<Schemas['SignedMessage']> {
  const { address, publicKey } = wallet;
  return { address, publicKey, message, signature: await requestSignature(wallet, message) };
}

/**
 * Proves with its sign-in wallet that the signed-in account is still the user's, for `onReauth` of `createApi`.
 *
 * @throws {@link RuneportError} `common.forbidden` if another account signs in with the wallet, and the errors of
 *   {@link signInWithWallet}.
 *
 * @example
 * const api = createApi({
 *   baseUrl,
 *   async onReauth(asking) {
 *     await reauthenticateWithWallet(asking, wallet);
 *     return true;
 *   },
 * });
 */
export async function reauthenticateWithWallet(api: Api, wallet: Wallet, options: SignInOptions = {}): Promise<Reauthenticated> {
  return keepRenewed(api, await reauthenticateBy(api, () => proveWallet(api, wallet, 'signIn', options), options));
}

/**
 * The same with the deployment's message; see {@link signInWithMessage}.
 *
 * @throws {@link RuneportError} The same as {@link reauthenticateWithWallet}, and `auth.signInMessageInvalid`.
 *
 * @example
 * await reauthenticateWithMessage(api, wallet, () => `Sign in to Example at ${Date.now()}`);
 */
export async function reauthenticateWithMessage(
  api: Api,
  wallet: Wallet,
  message: () => string,
  options: SignInOptions = {},
): Promise<Reauthenticated> {
  return keepRenewed(api, await reauthenticateBy(api, () => proveMessage(wallet, message()), options));
}

/**
 * Creates the account of a wallet, with keystore and e-mail address, and signs in.
 *
 * @throws {@link RuneportError} `auth.addressTaken`, `auth.emailTaken`, `auth.referralCodeUnknown`, …
 *
 * @example
 * const { account } = await registerWithWallet(api, wallet, { email, referralCode });
 */
export async function registerWithWallet(
  api: Api,
  wallet: Wallet,
  { signal, ...extras }: RegistrationExtras = {},
): Promise<SignedIn> {
  const body = { ...(await proveWallet(api, wallet, 'signIn', { signal })), ...dropUndefined(extras) };
  const { data } = await call(api, 'post', '/auth/register/wallet', { body, signal, anonymous: true });
  return keepSession(api, data);
}

/**
 * Links another wallet's address to the account.
 *
 * @throws {@link RuneportError} `auth.reauthRequired`, `account.addressTaken`, `account.tooMany`, …
 *
 * @example
 * const { addresses } = await linkAddress(api, await injectedEvmWallet(window.ethereum));
 */
export async function linkAddress(api: Api, wallet: Wallet, options: CallOptions = {}): Promise<Me> {
  const { provider: _, ...body } = await proveWallet(api, wallet, 'link', options);
  return (await call(api, 'post', '/api/account/addresses', { ...options, body })).data;
}

/**
 * Unlinks an address from the account.
 *
 * @throws {@link RuneportError} `account.addressNotLinked`, `account.addressInUse`, …
 *
 * @example
 * const { addresses } = await unlinkAddress(api, address);
 */
export async function unlinkAddress(api: Api, address: string, options: CallOptions = {}): Promise<Me> {
  return (await call(api, 'delete', '/api/account/addresses/{address}', { ...options, params: { path: { address } } })).data;
}

/**
 * Replaces the account's sign-in wallet and keystore. The old wallet can no longer sign in, and all other
 * sessions end.
 *
 * @param wallet The new wallet.
 * @param encryptedBlob The keystore for the new wallet, as base64.
 * @throws {@link RuneportError} `auth.addressTaken`, `account.methodNotAllowed`, …
 *
 * @example
 * const { wallet: next } = await rotateWallet(api, wallet, encryptedBlob);
 */
export async function rotateWallet(
  api: Api,
  wallet: Wallet,
  encryptedBlob: string,
  options: CallOptions = {},
): Promise<Me> {
  const body = { ...(await proveWallet(api, wallet, 'rotate', options)), encryptedBlob };
  return (await call(api, 'post', '/api/account/wallet/rotate', { ...options, body })).data;
}

/**
 * Creates the account's trading wallet from the key of a Bitcoin wallet. An account can do this once, and
 * only if it has no trading wallet yet.
 *
 * @throws {@link RuneportError} `auth.tradingWallet`, `account.tradingWalletExists`, …
 *
 * @example
 * const { tradingAddress } = await makeTradingWallet(api, await injectedBitcoinWallet(window.unisat));
 */
export async function makeTradingWallet(api: Api, wallet: Wallet, options: CallOptions = {}): Promise<Me> {
  const { publicKey, challengeId, signature } = await proveWallet(api, wallet, 'tradingWallet', options);
  const body = { publicKey, challengeId, signature };
  return (await call(api, 'post', '/api/account/trading-wallet', { ...options, body })).data;
}

export function dropUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
