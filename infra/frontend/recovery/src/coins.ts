import { hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { RawOldTx, RawTx } from '@scure/btc-signer/script.js';
import { sha256x2 } from '@scure/btc-signer/utils.js';

import { DELAY } from './descriptor.js';
import { Problem } from './problem.js';

/** An amount of a rune, as text. */
export interface Rune {
  readonly name: string;
  readonly amount: string;
}

/** What a coin holds besides its sats. */
export interface Contents {
  readonly runes: readonly Rune[];
  readonly inscriptions: readonly string[];
}

/** An unspent output of the trading wallet. */
export interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly sats: bigint;
  /** The height of its block; undefined if no block has it, or if the height is not known. */
  readonly height: number | undefined;
  /** Undefined if they are not known. A coin's contents never change. */
  readonly contents: Contents | undefined;
}

/** `<txid>:<vout>`. */
export function idOf({ txid, vout }: Pick<Coin, 'txid' | 'vout'>): string {
  return `${txid}:${vout}`;
}

/** Whether a coin is known to hold nothing but sats, so that it can pay fees. */
export function isPlain({ contents }: Coin): boolean {
  return contents !== undefined && contents.runes.length === 0 && contents.inscriptions.length === 0;
}

/** The first height at which the user can spend the coin without the platform; undefined if it is not known. */
export function freeFrom({ height }: Coin): number | undefined {
  return height === undefined ? undefined : height + DELAY;
}

/** Blocks to be mined before the user can spend the coin without the platform: 0 if that is possible now. */
export function blocksLeft(coin: Coin, tip: number): number | undefined {
  const from = freeFrom(coin);
  return from === undefined ? undefined : Math.max(0, from - (tip + 1));
}

/** A rune and its amount as recovery files and ord describe them: `{amount, divisibility, symbol}`. */
export function runeOf(name: string, pile: unknown): Rune {
  const { amount, divisibility, symbol } = (pile ?? {}) as { amount?: unknown; divisibility?: unknown; symbol?: unknown };
  const places = typeof divisibility === 'number' && divisibility > 0 && divisibility <= 38 ? divisibility : 0;
  const digits = decimal(String(amount ?? '?'), places);
  return { name, amount: typeof symbol === 'string' ? `${digits} ${symbol}` : digits };
}

/** Digits with a decimal point before the last `places` of them, without trailing zeros. */
export function decimal(digits: string, places: number): string {
  if (places === 0 || !/^\d+$/.test(digits)) return digits;
  const padded = digits.padStart(places + 1, '0');
  const fraction = padded.slice(-places).replace(/0+$/, '');
  return padded.slice(0, -places) + (fraction && `.${fraction}`);
}

/** Coins as the chain has them, with the contents that the recovery file knows. */
export function withContents(found: readonly Coin[], known: readonly Coin[]): Coin[] {
  const contents = new Map(known.map((coin) => [idOf(coin), coin.contents]));
  return found.map((coin) => ({ ...coin, contents: coin.contents ?? contents.get(idOf(coin)) }));
}

/**
 * Finds the coins of a wallet in transactions that the user has pasted: one in each line, in hex, followed by the height
 * of its block.
 *
 * @throws {@link Problem}
 */
export function coinsIn(text: string, script: Uint8Array): Coin[] {
  const coins: Coin[] = [];
  const spent = new Set<string>();
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const [raw = '', height, ...rest] = line.split(/[\s,;]+/);
    const transaction = parse(raw);
    if (transaction === undefined || rest.length > 0 || (height !== undefined && !/^\d{1,9}$/.test(height))) {
      throw new Problem(`Line ${index + 1} is not a transaction in hex, a space, and the height of its block.`);
    }
    for (let place = 0; place < transaction.inputsLength; place += 1) {
      const { txid, index: vout } = transaction.getInput(place);
      if (txid !== undefined && vout !== undefined) spent.add(`${hex.encode(txid)}:${vout}`);
    }
    for (let vout = 0; vout < transaction.outputsLength; vout += 1) {
      const output = transaction.getOutput(vout);
      if (output.script === undefined || hex.encode(output.script) !== hex.encode(script)) continue;
      coins.push({
        txid: transaction.id,
        vout,
        sats: output.amount ?? 0n,
        height: height === undefined ? undefined : Number(height),
        contents: undefined,
      });
    }
  }
  const unspent = coins.filter((coin) => !spent.has(idOf(coin)));
  return [...new Map(unspent.map((coin) => [idOf(coin), coin])).values()];
}

/** The sats of each output of a transaction in hex; undefined if it is not the transaction with this id. */
export function outputsOf(raw: string, txid: string): readonly bigint[] | undefined {
  try {
    const transaction = RawTx.decode(hex.decode(raw.trim().toLowerCase()));
    const id = hex.encode(sha256x2(RawOldTx.encode(transaction)).reverse());
    return id === txid ? transaction.outputs.map(({ amount }) => amount) : undefined;
  } catch {
    return undefined;
  }
}

function parse(raw: string): Transaction | undefined {
  try {
    return Transaction.fromRaw(hex.decode(raw.toLowerCase()), {
      allowUnknownInputs: true, allowUnknownOutputs: true, allowUnknownVersion: true, disableScriptCheck: true,
    });
  } catch {
    return undefined;
  }
}
