/**
 * Bitcoin wallets, which sign in and sign transactions.
 *
 * @packageDocumentation
 */

import { base64, hex } from '@scure/base';
import { p2tr, p2wpkh, RawTx, RawWitness, Transaction } from '@scure/btc-signer';
import { pubECDSA, tagSchnorr } from '@scure/btc-signer/utils.js';

import type { PsbtSigner } from '../bitcoin/index.js';
import { type BitcoinNetwork, networkParameters } from '../bitcoin/network.js';
import { clientError, RuneportError } from '../error.js';
import type { Wallet } from '../wallets.js';
import { askWallet, fieldOf, noAccount, textOf } from './ask.js';

export type BitcoinWallet = Wallet & PsbtSigner;

/**
 * The required functions of a browser wallet: `window.unisat`, or one with the same interface, such as
 * `window.okxwallet.bitcoin`.
 *
 * {@link https://unisat-wallet.github.io/unisat-dev-docs/wallet-api/api-docs/sign-message.html | UniSat},
 * {@link https://web3.okx.com/onchainos/dev-docs/sdks/chains/bitcoin/provider | OKX}
 */
export interface BitcoinProvider {
  requestAccounts(): Promise<string[]>;
  getPublicKey(): Promise<string>;
  signMessage(message: string, type: 'bip322-simple' | 'ecdsa'): Promise<string>;
  signPsbt(
    psbtHex: string,
    options: {
      autoFinalized: boolean;
      toSignInputs: { index: number; publicKey: string; sighashTypes?: number[] }[];
    },
  ): Promise<string>;
}

/**
 * Connects to a browser wallet and uses its first account. The wallet asks the user for permission.
 *
 * @param name The name of the wallet software.
 * @throws {@link RuneportError} `client.walletRefused`.
 *
 * @example
 * await signInWithWallet(api, await injectedBitcoinWallet(window.unisat));
 */
export async function injectedBitcoinWallet(provider: BitcoinProvider, name = 'unisat'): Promise<BitcoinWallet> {
  const [address] = await askWallet(name, 'requestAccounts', () => provider.requestAccounts());
  if (address === undefined) throw noAccount(name);
  const publicKey = await askWallet(name, 'getPublicKey', () => provider.getPublicKey());
  const type = hasWitnessProgram(address) ? 'bip322-simple' : 'ecdsa';
  return {
    chain: 'bitcoin',
    address,
    publicKey,
    provider: name,
    signMessage: (message) => askWallet(name, 'signMessage', () => provider.signMessage(message, type)),
    signPsbt: async (base64Psbt, inputIndexes) => {
      const toSignInputs = inputIndexes.map((index) => ({ index, publicKey, sighashTypes: [SIGHASH_ALL] }));
      const signed = await askWallet(name, 'signPsbt', () =>
        provider.signPsbt(hex.encode(base64.decode(base64Psbt)), { autoFinalized: false, toSignInputs }),
      );
      return base64.encode(hex.decode(signed));
    },
  };
}

const SIGHASH_ALL = 1;

/** Whether an address takes BIP-322 signatures; for others the service accepts legacy signed messages. */
function hasWitnessProgram(address: string): boolean {
  return /^(bc1|tb1|bcrt1)/i.test(address);
}

/**
 * The required function of a browser wallet with JSON-RPC requests, such as `window.XverseProviders.BitcoinProvider` and
 * `window.LeatherProvider`. Xverse resolves with the error of a request, and Leather rejects with it.
 *
 * {@link https://wbips.netlify.app/wbips/WBIP004 | WBIP004} describes how a page finds these wallets.
 */
export interface RpcProvider {
  request(method: string, params?: object): Promise<unknown>;
}

async function requestRpc(provider: RpcProvider, name: string, method: string, params?: object): Promise<unknown> {
  return askWallet(name, method, async () => {
    const answer = await provider.request(method, params);
    const result = fieldOf(answer, 'result');
    if (result === undefined) throw answer;
    return result;
  });
}

/** The JSON-RPC code with which a wallet refused a request. */
function codeOf(error: unknown): unknown {
  return error instanceof RuneportError ? fieldOf(fieldOf(error.cause, 'error'), 'code') : undefined;
}

/** The codes of Sats Connect for a method that the wallet does not have. */
const NO_SUCH_METHOD: readonly unknown[] = [-32601, -32001];

/**
 * Connects to Xverse, or another wallet with the interface of Sats Connect, and uses its payment address. The wallet asks
 * the user for permission.
 *
 * {@link https://docs.xverse.app/sats-connect/connecting-to-the-wallet/connect-to-xverse-wallet | wallet_connect},
 * {@link https://docs.xverse.app/sats-connect/bitcoin-methods/signmessage | signMessage},
 * {@link https://docs.xverse.app/sats-connect/bitcoin-methods/signpsbt | signPsbt}
 *
 * @param name The name of the wallet software.
 * @throws {@link RuneportError} `client.walletRefused`.
 *
 * @example
 * await signInWithWallet(api, await satsConnectWallet(provider));
 */
export async function satsConnectWallet(provider: RpcProvider, name = 'xverse'): Promise<BitcoinWallet> {
  const accounts = await paymentAccounts(provider, name);
  const account = listOf(accounts).find((one) => fieldOf(one, 'purpose') === 'payment');
  if (account === undefined) throw noAccount(name);
  const address = textOf(account, 'address', name);
  const publicKey = textOf(account, 'publicKey', name);
  const protocol = hasWitnessProgram(address) ? 'BIP322' : 'ECDSA';
  return {
    chain: 'bitcoin',
    address,
    publicKey,
    provider: name,
    signMessage: async (message) =>
      textOf(await requestRpc(provider, name, 'signMessage', { address, message, protocol }), 'signature', name),
    signPsbt: async (base64Psbt, inputIndexes) => {
      // The coins are at the trading address; the wallet's own address names the key that signs.
      const params = { psbt: base64Psbt, signInputs: { [address]: [...inputIndexes] }, broadcast: false };
      return textOf(await requestRpc(provider, name, 'signPsbt', params), 'psbt', name);
    },
  };
}

async function paymentAccounts(provider: RpcProvider, name: string): Promise<unknown> {
  try {
    return fieldOf(await requestRpc(provider, name, 'wallet_connect', { addresses: ['payment'] }), 'addresses');
  } catch (error) {
    if (!NO_SUCH_METHOD.includes(codeOf(error))) throw error;
    // Wallets of earlier versions of Sats Connect.
    return requestRpc(provider, name, 'getAccounts', { purposes: ['payment'] });
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Connects to Leather and uses its native SegWit address. The wallet asks the user for permission.
 *
 * {@link https://leather.gitbook.io/developers/bitcoin/sign-transactions/partially-signed-bitcoin-transactions-psbts | signPsbt},
 * {@link https://github.com/leather-io/mono/tree/dev/packages/rpc/src/methods | all requests and answers}
 *
 * @param name The name of the wallet software.
 * @throws {@link RuneportError} `client.walletRefused`.
 *
 * @example
 * await signInWithWallet(api, await leatherWallet(provider));
 */
export async function leatherWallet(provider: RpcProvider, name = 'leather'): Promise<BitcoinWallet> {
  const addresses = fieldOf(await requestRpc(provider, name, 'getAddresses'), 'addresses');
  const own = listOf(addresses).find((one) => fieldOf(one, 'type') === 'p2wpkh');
  if (own === undefined) throw noAccount(name);
  // m/84'/0'/ACCOUNT'/0/0. Without it, the wallet signs with the account that is selected at that time.
  const [, account] = /^m\/\d+'\/\d+'\/(\d+)'/.exec(String(fieldOf(own, 'derivationPath'))) ?? [];
  const ofAccount = account === undefined ? {} : { account: Number(account) };
  return {
    chain: 'bitcoin',
    address: textOf(own, 'address', name),
    publicKey: textOf(own, 'publicKey', name),
    provider: name,
    signMessage: async (message) => {
      const params = { message, paymentType: 'p2wpkh', ...ofAccount };
      return textOf(await requestRpc(provider, name, 'signMessage', params), 'signature', name);
    },
    signPsbt: async (base64Psbt, inputIndexes) => {
      const params = {
        hex: hex.encode(base64.decode(base64Psbt)), signAtIndex: [...inputIndexes], allowedSighash: [SIGHASH_ALL],
        broadcast: false, ...ofAccount,
      };
      return base64.encode(hex.decode(textOf(await requestRpc(provider, name, 'signPsbt', params), 'hex', name)));
    },
  };
}

/** Input of {@link bitcoinKeyWallet}. */
export interface BitcoinKey {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  readonly network: BitcoinNetwork;
  /** The address type; default: P2WPKH. */
  readonly type?: 'p2wpkh' | 'p2tr' | undefined;
}

/**
 * Creates a wallet from a private key, for tests and for servers.
 *
 * @example
 * await signInWithWallet(api, bitcoinKeyWallet({ privateKey, network: 'regtest' }));
 */
export function bitcoinKeyWallet({ privateKey, network, type = 'p2wpkh' }: BitcoinKey): BitcoinWallet {
  const publicKey = pubECDSA(privateKey);
  const parameters = networkParameters(network);
  const { address, script } =
    type === 'p2tr' ? p2tr(publicKey.slice(1), undefined, parameters) : p2wpkh(publicKey, parameters);
  if (address === undefined) throw clientError('client.unsupported', `Addresses of type ${type} are not supported.`);
  return {
    chain: 'bitcoin',
    address,
    publicKey: hex.encode(publicKey),
    provider: 'runeport-client',
    signMessage: async (message) => signBip322(message, script, privateKey, type === 'p2tr' ? publicKey.slice(1) : undefined),
    signPsbt: async (base64Psbt, inputIndexes) => {
      // The library does not know the script type of trading wallets.
      const transaction = Transaction.fromPSBT(base64.decode(base64Psbt), {
        allowUnknownInputs: true, allowUnknownOutputs: true,
      });
      for (const index of inputIndexes) transaction.signIdx(privateKey, index, [SIGHASH_ALL]);
      return base64.encode(transaction.toPSBT());
    },
  };
}

/** Creates a "simple" BIP-322 signature, as base64. */
function signBip322(
  message: string,
  script: Uint8Array,
  privateKey: Uint8Array,
  tapInternalKey: Uint8Array | undefined,
): string {
  const digest = tagSchnorr('BIP0322-signed-message', new TextEncoder().encode(message));
  // BIP-322 has two virtual transactions: to_sign spends the output of to_spend.
  const toSpend = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [{
      txid: new Uint8Array(32),
      index: 0xffff_ffff,
      // OP_0 PUSH32
      finalScriptSig: Uint8Array.from([0, 32, ...digest]),
      sequence: 0,
    }],
    outputs: [{ amount: 0n, script }],
    witnesses: [],
    lockTime: 0,
  });
  const txid = Transaction.fromRaw(toSpend, { allowUnknownOutputs: true, allowUnknownVersion: true, allowUnknownInputs: true }).id;
  const toSign = new Transaction({ version: 0, allowUnknownVersion: true, allowUnknownOutputs: true });
  toSign.addInput({
    txid, index: 0, sequence: 0, witnessUtxo: { amount: 0n, script }, ...(tapInternalKey && { tapInternalKey }),
  });
  // OP_RETURN
  toSign.addOutput({ amount: 0n, script: Uint8Array.of(0x6a) });
  toSign.signIdx(privateKey, 0);
  toSign.finalizeIdx(0);
  const witness = toSign.getInput(0).finalScriptWitness;
  if (!witness) throw clientError('client.unsupported', 'Message signatures are not supported for this address type.');
  return base64.encode(RawWitness.encode(witness));
}
