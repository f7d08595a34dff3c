import { type Api, call, type CallOptions, type Schemas } from './api.js';
import { clientError, RuneportError } from './error.js';
import { keepSession, type SignedIn, signInBy, type SignInOptions } from './sessions.js';

/** Chains whose wallets sign in. */
export type Chain = Schemas['Chain'];

/** What a signature of a wallet is for. */
export type Purpose = Schemas['Purpose'];

/** One's own account. */
export type Me = Schemas['Me'];

/** A wallet that signs messages. */
export interface Wallet {
  /** The chain of its address. */
  readonly chain: Chain;
  /** As the chain writes it. */
  readonly address: string;
  /** Bitcoin: hex, 33 bytes, or as the wallet tells it. EVM and Solana: may be empty. */
  readonly publicKey: string;
  /** A name of the wallet's software, such as `unisat`. */
  readonly provider: string;
  /**
   * Signs a text: Bitcoin by BIP-322 (base64), or as a legacy signed message for P2PKH and
   * P2SH-P2WPKH; EVM by EIP-191 (hex); Solana by Ed25519 (base58, base64 or hex).
   */
  signMessage(message: string): Promise<string>;
}

/** What proves a wallet, for one attempt. */
export interface WalletProof {
  readonly chain: Chain;
  readonly address: string;
  readonly publicKey: string;
  readonly provider: string;
  readonly challengeId: string;
  readonly signature: string;
}

/** What a registration takes beside the proof. */
export interface RegistrationExtras extends Pick<CallOptions, 'signal'> {
  /** The client's own keystore, encrypted by it: base64. */
  readonly encryptedBlob?: string | undefined;
  /** Is to be verified by a mail. */
  readonly email?: string | undefined;
  /** Of whoever referred the account. */
  readonly referralCode?: string | undefined;
}

/**
 * Asks for a challenge and has the wallet sign it, if it is one for this address and purpose, and of
 * `signInDomain` where `createApi` was told one.
 *
 * @param purpose All but `signIn` need a session.
 * @throws {@link RuneportError} `client.answerMalformed`: the text is no such challenge;
 *   `client.walletRefused`; what `GET /auth/wallet/challenge` refuses.
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
  const signature = await signed(wallet, data.message);
  return { chain, address, publicKey, provider, challengeId: data.challengeId, signature };
}

const CHAINS: Readonly<Record<Chain, string>> = { evm: 'Ethereum', solana: 'Solana', bitcoin: 'Bitcoin' };
/** What the signed text says of each. */
const PURPOSES: Readonly<Record<Purpose, string>> = {
  signIn: 'sign in',
  link: 'link this address',
  rotate: 'become the sign-in wallet',
  tradingWallet: 'become the key of the trading wallet',
};
/** What follows the statement, after EIP-4361, up to the request's id. */
const FIELDS = ['URI: ', 'Version: 1', 'Chain ID: ', 'Nonce: ', 'Issued At: ', 'Expiration Time: '];

/** Makes sure that a text is a challenge and nothing else: a wallet signs whatever it is given. */
function checkChallenge(
  { message, challengeId }: Schemas['IssuedChallenge'],
  { chain, address }: Wallet,
  purpose: Purpose,
  signInDomain: string | undefined,
): void {
  const refuse = (why: string): never => {
    throw clientError('client.answerMalformed', `the text to sign ${why}`);
  };
  const [first = '', who = '', gap, statement = '', end, ...fields] = message.split('\n');
  const asks = ` wants you to sign in with your ${CHAINS[chain]} account:`;
  const domain = first.slice(0, -asks.length);
  if (!first.endsWith(asks) || !/^[^\s/?#]+$/.test(domain)) refuse(`begins with ${first}`);
  if (signInDomain !== undefined && domain !== signInDomain) refuse(`is for ${domain}, not for ${signInDomain}`);
  // Hex, and bech32, are the same in either case.
  const anyCase = chain === 'evm' || /^(bc|tb|bcrt)1/i.test(address);
  const isOwn = anyCase ? who.toLowerCase() === address.toLowerCase() : who === address;
  if (!isOwn) refuse(`is for the address ${who}`);
  const [, said = ''] = / Purpose: ([^.:]+)\.(?: Account: [0-9a-f-]+\.)?$/.exec(statement) ?? [];
  if (gap !== '' || end !== '' || said !== PURPOSES[purpose]) refuse(`says: ${statement}`);
  const wanted = [...FIELDS, `Request ID: ${challengeId}`];
  const isWhole = wanted.every((field, index) => fields[index]?.startsWith(field)) && fields[FIELDS.length] === wanted.at(-1);
  const [title = 'Resources:', ...resources] = fields.slice(wanted.length);
  if (!isWhole || title !== 'Resources:' || !resources.every((line) => line.startsWith('- '))) refuse('is no challenge');
}

async function signed(wallet: Wallet, message: string): Promise<string> {
  try {
    return await wallet.signMessage(message);
  } catch (error) {
    if (error instanceof RuneportError) throw error;
    throw clientError('client.walletRefused', `${wallet.provider} did not sign the message`, error);
  }
}

/**
 * Signs in with a wallet. The first sign-in makes its account, and of a Bitcoin wallet the trading
 * wallet too.
 *
 * @throws {@link RuneportError} `client.walletRefused`, `auth.signatureInvalid`, `auth.addressLinked`,
 *   `auth.addressRetired`, `auth.otpRequired`, `auth.otpInvalid`, …
 */
export async function signInWithWallet(api: Api, wallet: Wallet, options: SignInOptions = {}): Promise<SignedIn> {
  return keepSession(api, await signInBy(api, () => proveWallet(api, wallet, 'signIn', options), options));
}

/**
 * Signs in with a Bitcoin wallet in one call, by the message of the deployment (`SIGN_IN_MESSAGE`),
 * which ends in the time in milliseconds.
 *
 * @param message Makes the message; each is good once.
 * @throws {@link RuneportError} As {@link signInWithWallet}, and `auth.signInMessageInvalid`.
 */
export async function signInWithMessage(
  api: Api,
  wallet: Wallet,
  message: () => string,
  options: SignInOptions = {},
): Promise<SignedIn> {
  const { address, publicKey } = wallet;
  const prove = async () => {
    const text = message();
    return { address, publicKey, message: text, signature: await signed(wallet, text) };
  };
  return keepSession(api, await signInBy(api, prove, options));
}

/**
 * Makes a wallet's account together with its keystore and e-mail address, and signs in.
 *
 * @throws {@link RuneportError} `auth.addressTaken`, `auth.emailTaken`, `auth.referralCodeUnknown`, …
 */
export async function registerWithWallet(
  api: Api,
  wallet: Wallet,
  { signal, ...extras }: RegistrationExtras = {},
): Promise<SignedIn> {
  const body = { ...(await proveWallet(api, wallet, 'signIn', { signal })), ...given(extras) };
  const { data } = await call(api, 'post', '/auth/register/wallet', { body, signal, anonymous: true });
  return keepSession(api, data);
}

/**
 * Links the address of another wallet to the account.
 *
 * @throws {@link RuneportError} `auth.reauthRequired`, `account.addressTaken`, `account.tooMany`, …
 */
export async function linkAddress(api: Api, wallet: Wallet, options: CallOptions = {}): Promise<Me> {
  const { provider: _, ...body } = await proveWallet(api, wallet, 'link', options);
  return (await call(api, 'post', '/api/account/addresses', { ...options, body })).data;
}

/**
 * Unlinks an address from the account.
 *
 * @throws {@link RuneportError} `account.addressNotLinked`, `account.addressInUse`, …
 */
export async function unlinkAddress(api: Api, address: string, options: CallOptions = {}): Promise<Me> {
  return (await call(api, 'delete', '/api/account/addresses/{address}', { ...options, params: { path: { address } } })).data;
}

/**
 * Replaces the wallet that the account signs in with, and its keystore. The one before signs in no
 * more, and all other sessions end.
 *
 * @param wallet The new one.
 * @param encryptedBlob The keystore for it, base64.
 * @throws {@link RuneportError} `auth.addressTaken`, `account.methodNotAllowed`, …
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
 * Makes the trading wallet of an account that has none, once, from the key of a Bitcoin wallet.
 *
 * @throws {@link RuneportError} `auth.tradingWallet`, `account.tradingWalletExists`, …
 */
export async function makeTradingWallet(api: Api, wallet: Wallet, options: CallOptions = {}): Promise<Me> {
  const { publicKey, challengeId, signature } = await proveWallet(api, wallet, 'tradingWallet', options);
  const body = { publicKey, challengeId, signature };
  return (await call(api, 'post', '/api/account/trading-wallet', { ...options, body })).data;
}

/** The fields that are given. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
