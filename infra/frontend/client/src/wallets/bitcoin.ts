/**
 * Bitcoin wallets, which sign in and sign transactions.
 *
 * @packageDocumentation
 */

import { base64, hex } from '@scure/base';
import { p2tr, p2wpkh, RawTx, RawWitness, SigHash, Transaction } from '@scure/btc-signer';
import { pubECDSA, tagSchnorr } from '@scure/btc-signer/utils.js';

import type { PsbtSigner } from '../bitcoin/index.js';
import { type BitcoinNetwork, networkParameters } from '../bitcoin/network.js';
import { clientError } from '../error.js';
import type { Wallet } from '../wallets.js';

export type BitcoinWallet = Wallet & PsbtSigner;

/** The required functions of a browser wallet: `window.unisat`, or a wallet with the same interface. */
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
 */
export async function injectedBitcoinWallet(provider: BitcoinProvider, name = 'unisat'): Promise<BitcoinWallet> {
  const request = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw clientError('client.walletRefused', `${name} did not complete ${what}. Confirm it in your wallet.`, error);
    }
  };
  const [address] = await request('requestAccounts', () => provider.requestAccounts());
  if (address === undefined) throw clientError('client.walletRefused', `${name} has no account. Create one in your wallet.`);
  const publicKey = await request('getPublicKey', () => provider.getPublicKey());
  // BIP-322 is for SegWit addresses; for others the service accepts legacy signed messages.
  const type = /^(bc1|tb1|bcrt1)/i.test(address) ? 'bip322-simple' : 'ecdsa';
  return {
    chain: 'bitcoin',
    address,
    publicKey,
    provider: name,
    signMessage: (message) => request('signMessage', () => provider.signMessage(message, type)),
    signPsbt: async (base64Psbt, inputIndexes) => {
      const toSignInputs = inputIndexes.map((index) => ({ index, publicKey, sighashTypes: [SigHash.ALL] }));
      const signed = await request('signPsbt', () =>
        provider.signPsbt(hex.encode(base64.decode(base64Psbt)), { autoFinalized: false, toSignInputs }),
      );
      return base64.encode(hex.decode(signed));
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

/** Creates a wallet from a private key, for tests and for servers. */
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
      for (const index of inputIndexes) transaction.signIdx(privateKey, index, [SigHash.ALL]);
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
