import { base64, hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer/payment.js';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { RawOldTx, RawTx, Script } from '@scure/btc-signer/script.js';
import { sha256x2 } from '@scure/btc-signer/utils.js';

import { clientError } from '../error.js';
import { type BitcoinNetwork, networkParameters } from './network.js';
import { isRunestone, readRunestone, type Runestone } from './runestone.js';

/** An output of the transaction. */
export interface PsbtOutput {
  readonly sats: number;
  /** Missing if the script has no address, for example an OP_RETURN. */
  readonly address: string | undefined;
  /** Hex. */
  readonly script: string;
  /** The data of an OP_RETURN that is not a runestone. */
  readonly data: Uint8Array | undefined;
}

/** The library's decoded transaction. The library's own type has no exported name. */
export interface UnsignedTx {
  readonly version: number;
  readonly inputs: { txid: Uint8Array; index: number; finalScriptSig: Uint8Array; sequence: number }[];
  readonly outputs: { amount: bigint; script: Uint8Array }[];
  readonly lockTime: number;
}

/** The outputs of a transaction, and what it does with runes. */
export interface Outputs {
  readonly outputs: readonly PsbtOutput[];
  /** Missing if the transaction has no runestone. */
  readonly runestone: Runestone | undefined;
  /** The index of the output that gets all runes that no edict moves; missing if they are burned. */
  readonly unallocated: number | undefined;
}

/** A transaction that was signed before. */
export interface TransactionDescription extends Outputs {
  readonly txId: string;
  /** The coins that it spends, `<txid>:<vout>`. */
  readonly spends: readonly string[];
}

/**
 * Reads a transaction, signed or not. Its id is computed from the text, so the source need not be trusted if
 * the id is known.
 *
 * @param text A PSBT as base64, or a transaction in hex.
 * @throws {@link RuneportError} `client.psbtRefused` if the text is neither.
 *
 * @example
 * const { spends, outputs } = describeTransaction(signed.base64Psbt, 'bitcoin');
 */
export function describeTransaction(text: string, network: BitcoinNetwork): TransactionDescription {
  const transaction = decodeTransaction(text);
  return {
    txId: hex.encode(txIdOf(transaction)),
    spends: transaction.inputs.map(({ txid, index }) => `${hex.encode(txid)}:${index}`),
    ...describeOutputs(transaction, network),
  };
}

function decodeTransaction(text: string): UnsignedTx {
  try {
    if (/^([0-9a-f]{2})+$/i.test(text)) return RawTx.decode(hex.decode(text));
    const { global: { unsignedTx } } = RawPSBTV0.decode(base64.decode(text));
    if (unsignedTx) return unsignedTx;
  } catch (error) {
    throw clientError('client.psbtRefused', 'The text is neither a PSBT nor a transaction.', error);
  }
  throw clientError('client.psbtRefused', 'The PSBT contains no transaction.');
}

export function describeOutputs(transaction: UnsignedTx, network: BitcoinNetwork): Outputs {
  let runestone: Runestone | undefined;
  const outputs = transaction.outputs.map(({ amount, script }): PsbtOutput => {
    // Only the first runestone counts.
    if (isRunestone(script)) runestone ??= readRunestone(script, transaction.outputs.length);
    return { sats: satsOf(amount), address: addressOf(script, network), script: hex.encode(script), data: dataOf(script) };
  });
  const pointer = runestone?.pointer ?? outputs.findIndex(({ script }) => !script.startsWith('6a'));
  const unallocated = outputs[pointer]?.script.startsWith('6a') === false ? pointer : undefined;
  return { outputs, runestone, unallocated };
}

/** The address of a script, if it has one. */
export function addressOf(script: Uint8Array, network: BitcoinNetwork): string | undefined {
  try {
    return Address(networkParameters(network)).encode(OutScript.decode(script));
  } catch {
    return undefined;
  }
}

/** The id of a transaction, in the byte order of block explorers. */
export function txIdOf({ version, inputs, outputs, lockTime }: UnsignedTx): Uint8Array {
  return sha256x2(RawOldTx.encode({ version, inputs, outputs, lockTime })).reverse();
}

export function satsOf(amount: bigint): number {
  // 21 million bitcoin. Sums of amounts up to this limit are exact.
  if (amount > 2_100_000_000_000_000n) {
    throw clientError('client.psbtRefused', `The amount of ${amount} sats is larger than the supply of bitcoin.`);
  }
  return Number(amount);
}

/** The data of an OP_RETURN. */
function dataOf(script: Uint8Array): Uint8Array | undefined {
  const OP_RETURN = 0x6a;
  if (script[0] !== OP_RETURN || isRunestone(script)) return undefined;
  try {
    const [, ...pushes] = Script.decode(script);
    return Uint8Array.from(pushes.flatMap((push) => (push instanceof Uint8Array ? [...push] : [])));
  } catch (error) {
    throw clientError('client.psbtRefused', 'An OP_RETURN contains an incomplete push.', error);
  }
}
