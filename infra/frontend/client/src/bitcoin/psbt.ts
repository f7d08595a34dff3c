import { base64, hex } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { RawTx } from '@scure/btc-signer/script.js';

import { clientError } from '../error.js';
import type { BitcoinNetwork } from './network.js';
import type { Runestone } from './runestone.js';
import { isTradingCoin, keyOf } from './trading.js';
import { addressOf, describeOutputs, type PsbtOutput, satsOf, txIdOf, type UnsignedTx } from './transaction.js';

/** A coin that the transaction spends. */
export interface PsbtInput {
  /** The id of the transaction that created the coin, in hex. */
  readonly txId: string;
  /** The output index in that transaction. */
  readonly vout: number;
  /** As stated in the PSBT; see {@link PsbtInput.isProven}. */
  readonly sats: number;
  /** Missing if the script has no address. */
  readonly address: string | undefined;
  /** The script that locks the coin, in hex. */
  readonly script: string;
  /** The script whose hash `script` contains, in hex; missing if the PSBT does not include it. */
  readonly witnessScript: string | undefined;
  /** Whether the PSBT includes the transaction that created the coin, which proves `sats` and `script`. */
  readonly isProven: boolean;
  /** The requested sighash type; a missing value means SIGHASH_ALL. */
  readonly sighashType: number | undefined;
  /** Whether the PSBT contains a signature for this input. */
  readonly isSigned: boolean;
}

/** The effects of a PSBT. */
export interface PsbtDescription {
  /** In hex, as block explorers show it. If all coins are SegWit coins, signing does not change it. */
  readonly txId: string;
  readonly inputs: readonly PsbtInput[];
  readonly outputs: readonly PsbtOutput[];
  /** How the transaction moves runes; missing if it has no runestone. */
  readonly runestone: Runestone | undefined;
  /**
   * The index of the output that gets all runes that no edict moves. Without a runestone, that output gets
   * all runes of the coins, and it may belong to someone else. Missing if these runes are burned.
   */
  readonly unallocated: number | undefined;
  /** In sats: the sum of the inputs, as stated in the PSBT, minus the sum of the outputs. */
  readonly fee: number;
  /** Sentences for the signer about points that the PSBT cannot prove. */
  readonly remarks: readonly string[];
}

/**
 * Reads a PSBT.
 *
 * The amounts of the coins are those stated in the PSBT. A SegWit signature commits only to the amount of
 * its own input, and is invalid if that amount is wrong. With several inputs, this is not enough: two PSBTs
 * of the same transaction can each state a wrong amount for a different input. Signatures from both can be
 * combined, and the difference is lost as fee. An amount is certain only if the input
 * {@link PsbtInput.isProven}; the service does not include that proof, and {@link withPreviousTransactions} does.
 *
 * @param base64Psbt A PSBT of version 0 in which every input has a `witnessUtxo`.
 * @param network Determines the format of the addresses.
 * @throws {@link RuneportError} `client.psbtRefused` if the text is not a PSBT, an input has no amount, a
 *   runestone does more than move runes, or an included transaction did not create the coin.
 *
 * @example
 * const { outputs, fee, remarks } = describePsbt(base64Psbt, 'bitcoin');
 */
export function describePsbt(base64Psbt: string, network: BitcoinNetwork): PsbtDescription {
  const { global, inputs: coins } = decodePsbt(base64Psbt);
  const unsignedTx: UnsignedTx | undefined = global.unsignedTx;
  if (!unsignedTx || coins.length !== unsignedTx.inputs.length) {
    throw clientError('client.psbtRefused', 'The PSBT contains no transaction.');
  }
  const inputs = unsignedTx.inputs.map(({ txid, index }, at): PsbtInput => {
    const coin = coins[at];
    if (!coin?.witnessUtxo) throw clientError('client.psbtRefused', `The PSBT does not state the amount of input ${at}.`);
    const { amount, script } = coin.witnessUtxo;
    const { nonWitnessUtxo, witnessScript } = coin;
    if (nonWitnessUtxo) {
      const made = nonWitnessUtxo.outputs[index];
      const isMade = hex.encode(txIdOf(nonWitnessUtxo)) === hex.encode(txid);
      if (!isMade || made?.amount !== amount || hex.encode(made.script) !== hex.encode(script)) {
        throw clientError('client.psbtRefused', `Input ${at} differs from the output of the transaction that created it.`);
      }
    }
    return {
      txId: hex.encode(txid),
      vout: index,
      sats: satsOf(amount),
      address: addressOf(script, network),
      script: hex.encode(script),
      witnessScript: witnessScript && hex.encode(witnessScript),
      isProven: !!nonWitnessUtxo,
      sighashType: coin.sighashType,
      isSigned: !!coin.partialSig?.length || !!coin.tapKeySig || !!coin.finalScriptWitness?.length,
    };
  });
  const { outputs, runestone, unallocated } = describeOutputs(unsignedTx, network);
  const sum = (amounts: readonly { sats: number }[]) => amounts.reduce((total, { sats }) => total + sats, 0);
  const psbt = {
    txId: hex.encode(txIdOf(unsignedTx)), inputs, outputs, runestone, unallocated, fee: sum(inputs) - sum(outputs),
  };
  return { ...psbt, remarks: remarksOf(psbt) };
}

function remarksOf({ inputs, outputs, runestone, unallocated, fee }: Omit<PsbtDescription, 'remarks'>): string[] {
  const runes = runestone?.edicts.length ? 'Runes on its coins that no edict moves' : 'If its coins hold runes, these';
  const to = unallocated === undefined
    ? 'are burned' : `go to output ${unallocated}, ${outputs[unallocated]?.address ?? 'which has no address'}`;
  const isKnown = inputs.length < 2 || inputs.every(({ isProven }) => isProven);
  return [
    `${runes} ${to}.`,
    ...(isKnown ? [] : [`The fee is ${fee} sats only if its ${inputs.length} coins hold the amounts in the PSBT.`]),
  ];
}

/**
 * Adds to each input the transaction that created its coin. Some hardware wallets and libraries sign only with it; it also
 * proves the amounts ({@link PsbtInput.isProven}). The service takes signed PSBTs with and without.
 *
 * @param base64Psbt As the service returned it.
 * @param read Returns a transaction in hex, for example of `GET /tx/{txId}/hex` of an Esplora. Its source need not be
 *   trusted: the result is compared with the id.
 * @returns The PSBT with these transactions, as base64.
 * @throws {@link RuneportError} `client.psbtRefused` if the text is not a PSBT, or `read` returns another transaction.
 *
 * @example
 * const proven = await withPreviousTransactions(base64Psbt, async (txId) => (await fetch(`${esplora}/tx/${txId}/hex`)).text());
 */
export async function withPreviousTransactions(base64Psbt: string, read: (txId: string) => Promise<string>): Promise<string> {
  const psbt = decodePsbt(base64Psbt);
  const unsignedTx: UnsignedTx | undefined = psbt.global.unsignedTx;
  const txIds = unsignedTx?.inputs.map(({ txid }) => hex.encode(txid)) ?? [];
  const known = new Map(await Promise.all(
    [...new Set(txIds)].map(async (txId) => [txId, decodePrevious(await read(txId), txId)] as const),
  ));
  psbt.inputs.forEach((input, at) => Object.assign(input, { nonWitnessUtxo: known.get(txIds[at] ?? '') }));
  return base64.encode(RawPSBTV0.encode(psbt));
}

function decodePrevious(text: string, txId: string) {
  let previous: ReturnType<typeof RawTx.decode> | undefined;
  try {
    previous = RawTx.decode(hex.decode(text.trim()));
  } catch (error) {
    throw clientError('client.psbtRefused', `What was read for transaction ${txId} is no transaction.`, error);
  }
  if (hex.encode(txIdOf(previous)) === txId) return previous;
  throw clientError('client.psbtRefused', `Another transaction was read for ${txId}.`);
}

function decodePsbt(base64Psbt: string) {
  try {
    return RawPSBTV0.decode(base64.decode(base64Psbt));
  } catch (error) {
    throw clientError('client.psbtRefused', 'The text is not a PSBT.', error);
  }
}

/** A required payment to an address: sats, or runes together with the few sats that an output needs. */
export type Payment =
  | { readonly address: string; readonly sats: number }
  | {
      readonly address: string;
      /** `block:tx`. */
      readonly runeId: string;
      /** In the rune's smallest unit. */
      readonly amount: bigint;
    };

/** The requirements that {@link checkPsbt} verifies. */
export interface ExpectedPsbt {
  /** All payments to other parties. */
  readonly payments: readonly Payment[];
  /** The inputs that the wallet signs. They must be coins of its trading wallet, which also gets the rest. */
  readonly userInputIndexes: readonly number[];
  /** The user's key of the trading wallet, in hex: 33 or 32 bytes. */
  readonly publicKey: string;
  /** The address of the trading wallet, if known. The coins to sign must be at this address. */
  readonly tradingAddress?: string | undefined;
  /** The announced fee, in sats. */
  readonly fee: number;
  /** The highest acceptable fee, in sats. */
  readonly mostFee: number;
  /** The announced transaction id. */
  readonly txId: string;
  /** The data that an OP_RETURN other than a runestone may contain. */
  readonly data?: Uint8Array | undefined;
  /** Whether an OP_RETURN must contain `data`. */
  readonly needsData?: boolean | undefined;
  /**
   * If set, other parties may fund the transaction too, and the trading address must receive exactly this
   * many sats more than its own inputs hold. Requires `tradingAddress`, or an input to sign.
   */
  readonly gain?: number | undefined;
}

/** The most sats that an output with runes may hold. */
const MOST_RUNE_OUTPUT = 10_000;
const SIGHASH_ALL = 1;

/**
 * Checks that a PSBT does exactly what was requested: it makes the expected payments and no others, the
 * rest returns to the trading wallet, the fee is the announced one, and signatures commit to the whole
 * transaction. All inputs to sign must be coins of a trading wallet with this key, at one address.
 *
 * A PSBT does not say which runes and inscriptions its coins hold. For this, you rely on the service. The
 * edicts move only the requested runes, and the rest returns. Without a runestone, as in a BTC withdrawal,
 * all runes of the coins go to output {@link PsbtDescription.unallocated}. You also rely on the service for
 * the fee of several inputs; see {@link describePsbt}.
 *
 * @throws {@link RuneportError} `client.psbtRefused`; `message` says which check failed.
 *
 * @example
 * checkPsbt(describePsbt(base64Psbt, 'bitcoin'), {
 *   payments: [{ address: withdrawTo, sats: 25_000 }], userInputIndexes: [0], publicKey: wallet.publicKey, txId, fee: 300, mostFee: 1_000,
 * });
 */
export function checkPsbt(psbt: PsbtDescription, expected: ExpectedPsbt): void {
  const refuse = (why: string): never => {
    throw clientError('client.psbtRefused', why);
  };
  if (psbt.txId !== expected.txId) refuse(`The transaction is ${psbt.txId}, not ${expected.txId}.`);
  if (psbt.fee !== expected.fee) refuse(`The fee is ${psbt.fee} sats, not ${expected.fee}.`);
  if (psbt.fee < 0) refuse(`The fee of ${psbt.fee} sats is negative.`);
  if (psbt.fee > expected.mostFee) refuse(`The fee of ${psbt.fee} sats is above the limit of ${expected.mostFee}.`);

  const own = ownAddress(psbt, expected, refuse);
  const isOwn = (index: number): boolean => own !== undefined && psbt.outputs[index]?.address === own;
  checkOutputs(psbt, expected, isOwn, refuse);
  checkRunes(psbt, expected, isOwn, refuse);
  if (expected.gain !== undefined) {
    const of = (side: readonly { address: string | undefined; sats: number }[]) =>
      side.reduce((sum, item) => sum + (item.address === own ? item.sats : 0), 0);
    const gained = of(psbt.outputs) - of(psbt.inputs);
    if (own === undefined || gained !== expected.gain) refuse(`${own} gains ${gained} sats, not ${expected.gain}.`);
  }
}

/** The trading address, after a check that every input to sign is a coin at that address. */
function ownAddress(psbt: PsbtDescription, expected: ExpectedPsbt, refuse: Refuse): string | undefined {
  const { userInputIndexes, gain } = expected;
  const publicKey = keyOf(expected.publicKey);
  let own = expected.tradingAddress;
  for (const [at, index] of userInputIndexes.entries()) {
    if (!Number.isInteger(index) || userInputIndexes.indexOf(index) !== at) {
      refuse(`The list of inputs to sign is invalid: ${userInputIndexes}.`);
    }
    const input = psbt.inputs[index] ?? refuse(`The transaction has no input ${index}.`);
    const { address, sighashType = SIGHASH_ALL } = input;
    if (sighashType !== SIGHASH_ALL) refuse(`Input ${index} asks for a signature with sighash type ${sighashType}.`);
    if (!isTradingCoin(input, publicKey)) refuse(`Input ${index} is not a coin of the trading wallet.`);
    own ??= address;
    if (address !== own) refuse(`Input ${index} is at ${address}, not at ${own}.`);
  }
  if (gain === undefined && userInputIndexes.length !== psbt.inputs.length) {
    refuse('The transaction also spends coins that the wallet does not sign.');
  }
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
      if (!isWanted) refuse(`Output ${index} contains unexpected data.`);
      hasData = true;
    } else if (!script.startsWith('6a5d')) {
      refuse(`Output ${index} pays a script without an address.`);
    }
    if (address === undefined && sats !== 0) refuse(`Output ${index} burns ${sats} sats.`);
  }
  if (expected.needsData && !hasData) refuse('The swap data is missing.');

  for (const payment of expected.payments) {
    const sats = paid.get(payment.address) ?? refuse(`${payment.address} receives nothing.`);
    const isRight = 'sats' in payment ? sats === payment.sats : sats <= MOST_RUNE_OUTPUT;
    if (!isRight) refuse(`${payment.address} receives ${sats} sats.`);
    paid.delete(payment.address);
  }
  for (const [address, sats] of paid) refuse(`${address} receives ${sats} sats, which were not requested.`);
}

function checkRunes(psbt: PsbtDescription, expected: ExpectedPsbt, isOwn: (index: number) => boolean, refuse: Refuse): void {
  const owed = new Map<string, bigint>();
  for (const payment of expected.payments) {
    if ('runeId' in payment) owed.set(`${payment.runeId} ${payment.address}`, payment.amount);
  }
  const { runestone } = psbt;
  if (!runestone) {
    if (owed.size > 0) refuse('The transaction moves no runes.');
    return;
  }
  for (const { runeId, amount, output } of runestone.edicts) {
    if (output < psbt.outputs.length && isOwn(output)) continue;
    const key = `${runeId} ${psbt.outputs[output]?.address}`;
    const rest = owed.get(key);
    // An edict with the amount 0 moves the whole remainder.
    if (rest === undefined || amount === 0n) refuse(`An edict moves ${amount} of ${runeId} to output ${output}.`);
    else owed.set(key, rest - amount);
  }
  for (const [key, rest] of owed) {
    const [runeId, address] = key.split(' ');
    if (rest !== 0n) refuse(`The amount of ${runeId} to ${address} is ${rest > 0n ? `${rest} too low` : `${-rest} too high`}.`);
  }
  const left = psbt.unallocated;
  if (left === undefined || !isOwn(left)) {
    refuse(`The remaining runes ${left === undefined ? 'are burned' : `go to output ${left}`}.`);
  }
}

/**
 * Checks that the wallet signed the given transaction without changing it.
 *
 * @param signed The PSBT that the wallet returned, as base64.
 * @param txId The id of the given transaction.
 * @param inputIndexes The inputs that need a signature.
 * @throws {@link RuneportError} `client.psbtRefused`.
 *
 * @example
 * const signedPsbt = await wallet.signPsbt(transaction.base64Psbt, transaction.userInputIndexes);
 * checkSigned(signedPsbt, transaction.txId, transaction.userInputIndexes);
 */
export function checkSigned(signed: string, txId: string, inputIndexes: readonly number[]): void {
  const { txId: signedTxId, inputs } = describePsbt(signed, 'bitcoin');
  if (signedTxId !== txId) throw clientError('client.psbtRefused', 'The wallet changed the transaction, so it was not submitted.');
  for (const index of inputIndexes) {
    if (!inputs[index]?.isSigned) {
      throw clientError('client.psbtRefused', `The wallet did not sign input ${index}, so the transaction was not submitted.`);
    }
  }
}
