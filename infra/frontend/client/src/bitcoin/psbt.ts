import { base64, hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer/payment.js';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { RawOldTx, Script } from '@scure/btc-signer/script.js';
import { sha256x2 } from '@scure/btc-signer/utils.js';

import { clientError } from '../error.js';
import { type BitcoinNetwork, networkParameters } from './network.js';
import { isRunestone, readRunestone, type Runestone } from './runestone.js';
import { isTradingCoin, keyOf } from './trading.js';

/** A coin that a transaction spends. */
export interface PsbtInput {
  /** The transaction that made the coin, hex. */
  readonly txId: string;
  /** The index of its output there. */
  readonly vout: number;
  /** As the PSBT tells it: see {@link PsbtInput.isProven}. */
  readonly sats: number;
  /** None where the script has none. */
  readonly address: string | undefined;
  /** That locks the coin, hex. */
  readonly script: string;
  /** What the script is the hash of, hex; none where the PSBT does not tell it. */
  readonly witnessScript: string | undefined;
  /** Whether the PSBT holds the transaction that made the coin: then `sats` and `script` are its own. */
  readonly isProven: boolean;
  /** What a signature is to commit to; none is SIGHASH_ALL. */
  readonly sighashType: number | undefined;
  /** Whether the PSBT has a signature of it. */
  readonly isSigned: boolean;
}

/** What a transaction pays. */
export interface PsbtOutput {
  readonly sats: number;
  /** None where the script has none, as that of an OP_RETURN. */
  readonly address: string | undefined;
  /** Hex. */
  readonly script: string;
  /** What an OP_RETURN pushes, unless it is a runestone. */
  readonly data: Uint8Array | undefined;
}

/** What a PSBT does. */
export interface PsbtDescription {
  /** Hex, as explorers have it. Does not change by signing, where all coins are of SegWit. */
  readonly txId: string;
  readonly inputs: readonly PsbtInput[];
  readonly outputs: readonly PsbtOutput[];
  /** What it does with runes; none where it has no runestone. */
  readonly runestone: Runestone | undefined;
  /**
   * The index of the output that gets the runes of the coins, whichever they hold, that no edict
   * moves: without a runestone all of them, which may be an output that pays somebody else. None
   * where they are burned.
   */
  readonly unallocated: number | undefined;
  /** In sats: what the coins hold, as the PSBT tells it, beyond what is paid. */
  readonly fee: number;
  /** For whoever is to sign: what stands in no PSBT, and is the service's word. */
  readonly remarks: readonly string[];
}

/**
 * Reads a PSBT.
 *
 * Amounts of coins are those that the PSBT tells. A signature of SegWit commits to the amount of its
 * own input and to no other: it is worth nothing where that amount is not true, but of several inputs
 * each may be lied about in another PSBT of the same transaction, and the signatures put together;
 * what was left out becomes fee. Only of an input that {@link PsbtInput.isProven} the amount is known;
 * the service leaves that proof out.
 *
 * @param base64Psbt Version 0, every coin with its `witnessUtxo`.
 * @param network Whose addresses it shows.
 * @throws {@link RuneportError} `client.psbtRefused`: it is none, tells no amount of a coin, or has a
 *   runestone that does anything but move runes; or the transaction that it says made a coin did not.
 */
export function describePsbt(base64Psbt: string, network: BitcoinNetwork): PsbtDescription {
  const { global, inputs: coins } = decoded(base64Psbt);
  const unsignedTx: UnsignedTx | undefined = global.unsignedTx;
  if (!unsignedTx || coins.length !== unsignedTx.inputs.length) {
    throw clientError('client.psbtRefused', 'the PSBT has no transaction');
  }
  const addressOf = (script: Uint8Array): string | undefined => {
    try {
      return Address(networkParameters(network)).encode(OutScript.decode(script));
    } catch {
      return undefined;
    }
  };
  const inputs = unsignedTx.inputs.map(({ txid, index }, at): PsbtInput => {
    const coin = coins[at];
    if (!coin?.witnessUtxo) throw clientError('client.psbtRefused', `the PSBT does not tell the amount of input ${at}`);
    const { amount, script } = coin.witnessUtxo;
    const { nonWitnessUtxo, witnessScript } = coin;
    if (nonWitnessUtxo) {
      const made = nonWitnessUtxo.outputs[index];
      const isMade = hex.encode(txIdOf(nonWitnessUtxo)) === hex.encode(txid);
      if (!isMade || made?.amount !== amount || hex.encode(made.script) !== hex.encode(script)) {
        throw clientError('client.psbtRefused', `input ${at} is not what the transaction before made`);
      }
    }
    return {
      txId: hex.encode(txid),
      vout: index,
      sats: satsOf(amount),
      address: addressOf(script),
      script: hex.encode(script),
      witnessScript: witnessScript && hex.encode(witnessScript),
      isProven: !!nonWitnessUtxo,
      sighashType: coin.sighashType,
      isSigned: !!coin.partialSig?.length || !!coin.tapKeySig || !!coin.finalScriptWitness?.length,
    };
  });
  let runestone: Runestone | undefined;
  const outputs = unsignedTx.outputs.map(({ amount, script }): PsbtOutput => {
    // The first one counts.
    if (isRunestone(script)) runestone ??= readRunestone(script, unsignedTx.outputs.length);
    const address = addressOf(script);
    return { sats: satsOf(amount), address, script: hex.encode(script), data: dataOf(script) };
  });
  const sum = (amounts: readonly { sats: number }[]) => amounts.reduce((total, { sats }) => total + sats, 0);
  const pointer = runestone?.pointer ?? outputs.findIndex(({ script }) => !script.startsWith('6a'));
  const unallocated = outputs[pointer]?.script.startsWith('6a') === false ? pointer : undefined;
  const psbt = {
    txId: hex.encode(txIdOf(unsignedTx)), inputs, outputs, runestone, unallocated, fee: sum(inputs) - sum(outputs),
  };
  return { ...psbt, remarks: remarksOf(psbt) };
}

function remarksOf({ inputs, outputs, runestone, unallocated, fee }: Omit<PsbtDescription, 'remarks'>): string[] {
  const runes = runestone?.edicts.length ? 'Runes of its coins that no edict moves' : 'Runes of its coins, if they hold any,';
  const to = unallocated === undefined
    ? 'are burned' : `go to output ${unallocated}, ${outputs[unallocated]?.address ?? 'which has no address'}`;
  const isKnown = inputs.length < 2 || inputs.every(({ isProven }) => isProven);
  return [
    `${runes} ${to}.`,
    ...(isKnown ? [] : [`The fee of ${fee} sats is right if its ${inputs.length} coins hold what the PSBT says.`]),
  ];
}

/** The id of a transaction, in the order that explorers have it. */
function txIdOf({ version, inputs, outputs, lockTime }: UnsignedTx): Uint8Array {
  return sha256x2(RawOldTx.encode({ version, inputs, outputs, lockTime })).reverse();
}

function satsOf(amount: bigint): number {
  // More than there will ever be: sums of those that are not stay exact.
  if (amount > 2_100_000_000_000_000n) throw clientError('client.psbtRefused', `an amount of ${amount} sats`);
  return Number(amount);
}

/** What the coder of the library makes of a transaction; its own type of it is too deep to be named. */
interface UnsignedTx {
  readonly version: number;
  readonly inputs: { txid: Uint8Array; index: number; finalScriptSig: Uint8Array; sequence: number }[];
  readonly outputs: { amount: bigint; script: Uint8Array }[];
  readonly lockTime: number;
}

function decoded(base64Psbt: string) {
  try {
    return RawPSBTV0.decode(base64.decode(base64Psbt));
  } catch (error) {
    throw clientError('client.psbtRefused', 'not a PSBT', error);
  }
}

/** What an OP_RETURN pushes. */
function dataOf(script: Uint8Array): Uint8Array | undefined {
  const OP_RETURN = 0x6a;
  if (script[0] !== OP_RETURN || isRunestone(script)) return undefined;
  try {
    const [, ...pushes] = Script.decode(script);
    return Uint8Array.from(pushes.flatMap((push) => (push instanceof Uint8Array ? [...push] : [])));
  } catch (error) {
    throw clientError('client.psbtRefused', 'an OP_RETURN is not made of whole pushes', error);
  }
}

/** What has to go to an address: sats, or runes with the few sats that they need. */
export type Payment =
  | { readonly address: string; readonly sats: number }
  | {
      readonly address: string;
      /** `block:tx`. */
      readonly runeId: string;
      /** In the rune's smallest unit. */
      readonly amount: bigint;
    };

/** What a PSBT has to be. */
export interface ExpectedPsbt {
  /** All that it pays to others. */
  readonly payments: readonly Payment[];
  /** The inputs that the wallet is to sign: coins of its trading wallet. The rest comes back there. */
  readonly userInputIndexes: readonly number[];
  /** The wallet's, hex, 33 bytes or 32: the user's key of the trading wallet. */
  readonly publicKey: string;
  /** Of the trading wallet, where it is known: the coins to be signed are there. */
  readonly tradingAddress?: string | undefined;
  /** The fee that was told, in sats. */
  readonly fee: number;
  /** The most that a fee may be, in sats. */
  readonly mostFee: number;
  /** The transaction that was told. */
  readonly txId: string;
  /** What OP_RETURNs may hold beside a runestone. */
  readonly data?: Uint8Array | undefined;
  /** Whether one has to hold it. */
  readonly needsData?: boolean | undefined;
  /** Others pay too: so many sats come to the trading address, which is known, beyond what its coins here hold. */
  readonly gain?: number | undefined;
}

/** The most sats that an output of runes carries. */
const MOST_RUNE_OUTPUT = 10_000;
const SIGHASH_ALL = 1;

/**
 * Makes sure that a PSBT does what was asked for, and nothing else: it pays exactly the payments, the
 * rest comes back to the trading wallet, the fee is the one that was told, and signatures commit to all
 * of it. What is to be signed are coins of the trading wallet of this very key, all at one address.
 *
 * Which runes and inscriptions a coin holds stands in no PSBT: that no coin holds any but those that
 * are paid is the service's word. Edicts move no others, and what they leave comes back; but without a
 * runestone, as where BTC is paid, all that the coins hold goes to output
 * {@link PsbtDescription.unallocated}. So is the fee of several inputs: see {@link describePsbt}.
 *
 * @throws {@link RuneportError} `client.psbtRefused`; `details` says what is wrong.
 */
export function checkPsbt(psbt: PsbtDescription, expected: ExpectedPsbt): void {
  const refuse = (why: string): never => {
    throw clientError('client.psbtRefused', why);
  };
  if (psbt.txId !== expected.txId) refuse(`the transaction is ${psbt.txId}, not ${expected.txId}`);
  if (psbt.fee !== expected.fee) refuse(`the fee is ${psbt.fee} sats, not ${expected.fee}`);
  if (psbt.fee < 0 || psbt.fee > expected.mostFee) refuse(`a fee of ${psbt.fee} sats`);

  const own = ownAddress(psbt, expected, refuse);
  const isOwn = (index: number): boolean => own !== undefined && psbt.outputs[index]?.address === own;
  checkOutputs(psbt, expected, isOwn, refuse);
  checkRunes(psbt, expected, isOwn, refuse);
  if (expected.gain !== undefined) {
    const of = (side: readonly { address: string | undefined; sats: number }[]) =>
      side.reduce((sum, item) => sum + (item.address === own ? item.sats : 0), 0);
    const gained = of(psbt.outputs) - of(psbt.inputs);
    if (own === undefined || gained !== expected.gain) refuse(`${own} gains ${gained} sats, not ${expected.gain}`);
  }
}

/** The address of the trading wallet, of which every coin that is to be signed is. */
function ownAddress(psbt: PsbtDescription, expected: ExpectedPsbt, refuse: Refuse): string | undefined {
  const { userInputIndexes, gain } = expected;
  const publicKey = keyOf(expected.publicKey);
  let own = expected.tradingAddress;
  for (const [at, index] of userInputIndexes.entries()) {
    if (!Number.isInteger(index) || userInputIndexes.indexOf(index) !== at) refuse(`the inputs to sign are ${userInputIndexes}`);
    const input = psbt.inputs[index] ?? refuse(`there is no input ${index}`);
    const { address, sighashType = SIGHASH_ALL } = input;
    if (sighashType !== SIGHASH_ALL) refuse(`input ${index} is to be signed with sighash ${sighashType}`);
    if (!isTradingCoin(input, publicKey)) refuse(`input ${index} is no coin of the trading wallet`);
    own ??= address;
    if (address !== own) refuse(`input ${index} is at ${address}, not at ${own}`);
  }
  if (gain === undefined && userInputIndexes.length !== psbt.inputs.length) refuse('coins of somebody else');
  return own;
}

type Refuse = (why: string) => never;

function checkOutputs(psbt: PsbtDescription, expected: ExpectedPsbt, isOwn: (index: number) => boolean, refuse: Refuse): void {
  const paid = new Map<string, number>();
  let hasData = false;
  for (const [index, { address, sats, script, data }] of psbt.outputs.entries()) {
    if (isOwn(index)) continue;
    if (address !== undefined) {
      paid.set(address, (paid.get(address) ?? 0) + sats);
    } else if (data) {
      const isWanted = expected.data && hex.encode(expected.data) === hex.encode(data);
      if (!isWanted) refuse(`output ${index} holds other data`);
      hasData = true;
    } else if (!script.startsWith('6a5d')) {
      refuse(`output ${index} pays a script without an address`);
    }
    if (address === undefined && sats !== 0) refuse(`output ${index} burns ${sats} sats`);
  }
  if (expected.needsData && !hasData) refuse('the data of the swap is missing');

  for (const payment of expected.payments) {
    const sats = paid.get(payment.address) ?? refuse(`${payment.address} is paid nothing`);
    const isRight = 'sats' in payment ? sats === payment.sats : sats <= MOST_RUNE_OUTPUT;
    if (!isRight) refuse(`${payment.address} is paid ${sats} sats`);
    paid.delete(payment.address);
  }
  for (const [address, sats] of paid) refuse(`${address} is paid ${sats} sats, which nobody asked for`);
}

function checkRunes(psbt: PsbtDescription, expected: ExpectedPsbt, isOwn: (index: number) => boolean, refuse: Refuse): void {
  const owed = new Map<string, bigint>();
  for (const payment of expected.payments) {
    if ('runeId' in payment) owed.set(`${payment.runeId} ${payment.address}`, payment.amount);
  }
  const { runestone } = psbt;
  if (!runestone) {
    if (owed.size > 0) refuse('the transaction moves no runes');
    return;
  }
  for (const { runeId, amount, output } of runestone.edicts) {
    if (output < psbt.outputs.length && isOwn(output)) continue;
    const key = `${runeId} ${psbt.outputs[output]?.address}`;
    const rest = owed.get(key);
    // An edict of 0 moves all that is left.
    if (rest === undefined || amount === 0n) refuse(`${amount} of ${runeId} go to output ${output}`);
    else owed.set(key, rest - amount);
  }
  for (const [key, rest] of owed) {
    if (rest !== 0n) refuse(`the amount of ${key} is off by ${rest}`);
  }
  const left = psbt.unallocated;
  if (left === undefined || !isOwn(left)) refuse(`the runes that are left ${left === undefined ? 'are burned' : `go to output ${left}`}`);
}

/**
 * Makes sure that a wallet has signed the very transaction.
 *
 * @param signed What the wallet gave back, base64.
 * @param txId The transaction that it was given.
 * @param inputIndexes The inputs that it was to sign.
 * @throws {@link RuneportError} `client.psbtRefused`.
 */
export function checkSigned(signed: string, txId: string, inputIndexes: readonly number[]): void {
  const { txId: signedTxId, inputs } = describePsbt(signed, 'bitcoin');
  if (signedTxId !== txId) throw clientError('client.psbtRefused', 'the wallet changed the transaction');
  for (const index of inputIndexes) {
    if (!inputs[index]?.isSigned) throw clientError('client.psbtRefused', `the wallet did not sign input ${index}`);
  }
}
