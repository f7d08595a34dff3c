import { hex } from '@scure/base';
import { Address, OutScript, p2wpkh, SigHash, Transaction } from '@scure/btc-signer';
import { sha256 } from '@scure/btc-signer/utils.js';

import { type Coin, blocksLeft, idOf, isPlain } from './coins.js';
import { DELAY } from './descriptor.js';
import type { TradingWallet } from './kit.js';
import { parametersOf } from './network.js';
import { Problem } from './problem.js';

// How assets stay whole without a runestone:
//
// - Runes of inputs that no runestone allocates go to the first output that is no OP_RETURN. So the first output always
//   goes to the destination, and no output is an OP_RETURN.
// - Inscriptions sit on sats, which flow from inputs to outputs in their order. So a coin that carries something, or may,
//   is the first input, and the first output is at least as large: none of its sats can become a fee.
// - Such coins move one in each transaction, so that what is wrong with one coin harms no other. Plain coins pay the fee.
//   The change of one transaction pays for the next; the last change goes to the destination.

/** Transactions that spend the change of one another; nodes accept 25. */
const LONGEST_CHAIN = 20;
/** Plain coins in one transaction; far below the largest size that nodes accept. */
const MOST_INPUTS = 200;
/** The change of a transaction that pays for further ones can be spent immediately, by the same key. */
const NO_DELAY = 0xffff_fffd;

/** An input of a planned transaction. */
export interface PlannedInput {
  readonly coin: Coin;
  /** `delayed`: a coin of the trading wallet. `own`: an output at the ordinary SegWit address of the user's key. */
  readonly kind: 'delayed' | 'own';
}

/** An output of a planned transaction. */
export interface PlannedOutput {
  readonly address: string;
  readonly sats: bigint;
  /** `whole`: what a coin carries. `sats`: plain sats. `change`: what the next transaction pays its fee from. */
  readonly purpose: 'whole' | 'sats' | 'change';
}

/** A transaction that is ready to sign. */
export interface Planned {
  readonly txid: string;
  readonly inputs: readonly PlannedInput[];
  readonly outputs: readonly PlannedOutput[];
  readonly fee: bigint;
  /** Unsigned; signing works on a copy. */
  readonly unsigned: Transaction;
}

/** Why a coin does not move now. */
export type Reason = 'leftOut' | 'delay' | 'noHeight' | 'noFee' | 'notWorthIt' | 'laterRound';

export interface Plan {
  /** In the order in which they must be sent. */
  readonly transactions: readonly Planned[];
  readonly waiting: readonly { readonly coin: Coin; readonly reason: Reason }[];
}

export interface PlanRequest {
  readonly wallet: TradingWallet;
  readonly coins: readonly Coin[];
  /** The height of the newest block. */
  readonly tip: number;
  /** Where everything goes. */
  readonly destination: string;
  /** In thousandths of a sat per virtual byte. */
  readonly rate: bigint;
  /** Hex of 33 bytes: the key that will sign; undefined if an external wallet signs and the file has two keys. */
  readonly signer: string | undefined;
  /** Plain coins at {@link ownAddress} that may pay fees. */
  readonly feeCoins?: readonly Coin[];
  /** `<txid>:<vout>` of coins that the user leaves where they are: they neither move nor pay a fee. */
  readonly without?: ReadonlySet<string>;
}

/** The ordinary SegWit address (P2WPKH) of a key. Its coins have no delay, so they can pay fees. */
export function ownAddress(key: string, { network }: TradingWallet): string {
  const { address } = p2wpkh(hex.decode(key), parametersOf(network));
  if (address === undefined) throw new Problem('This key has no address.');
  return address;
}

/** The fee rate that a user types, in thousandths of a sat per virtual byte. */
export function rateOf(text: string): bigint {
  if (text.includes(',')) throw new Problem('Write the fee rate with a point for decimals, such as 2.5, and without commas.');
  const [, whole = '', fraction = ''] = /^(\d{1,4})(?:\.(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const rate = whole === '' ? 0n : BigInt(whole) * 1_000n + BigInt(fraction.padEnd(3, '0'));
  if (rate < 100n) throw new Problem('The fee rate must be a number of sats per virtual byte, such as 5.');
  return rate;
}

/**
 * Checks the address that everything goes to.
 *
 * @throws {@link Problem}
 */
export function checkDestination(text: string, wallet: TradingWallet): string {
  const destination = text.trim();
  if (destination === '') throw new Problem('Enter the address that everything goes to.');
  try {
    Address(parametersOf(wallet.network)).decode(destination);
  } catch {
    throw new Problem(`This is not an address of the network ${wallet.network}. Copy it again, completely.`);
  }
  if (destination.toLowerCase() === wallet.address) {
    throw new Problem('This is the trading address itself: the delay would begin again. Enter an address of another wallet of yours.');
  }
  return destination;
}

/**
 * Plans the transactions that bring every free coin to the destination.
 *
 * @throws {@link Problem}
 */
export function plan(request: PlanRequest): Plan {
  return new Planner(request).run();
}

class Planner {
  readonly #transactions: Planned[] = [];
  readonly #waiting: { coin: Coin; reason: Reason }[] = [];
  readonly #request: PlanRequest;
  readonly #destination: string;
  readonly #own: string | undefined;

  constructor(request: PlanRequest) {
    this.#request = request;
    this.#destination = checkDestination(request.destination, request.wallet);
    this.#own = request.signer === undefined ? undefined : ownAddress(request.signer, request.wallet);
  }

  run(): Plan {
    const { coins, tip, feeCoins = [] } = this.#request;
    const free = coins.filter((coin) => this.#isFree(coin, tip));
    // The largest first, so that a few pay for everything.
    const plain = free.filter(isPlain).sort((one, other) => compare(other.sats, one.sats));
    const funds: PlannedInput[] = [
      ...(this.#own === undefined ? [] : feeCoins.map((coin) => ({ coin, kind: 'own' as const }))),
      ...plain.map((coin) => ({ coin, kind: 'delayed' as const })),
    ];
    const rest = this.#moveWhole(free.filter((coin) => !isPlain(coin)).sort(knownFirst), funds);
    this.#sweep(rest.filter(({ kind }) => kind === 'delayed').map(({ coin }) => coin));
    return { transactions: this.#transactions, waiting: this.#waiting };
  }

  #isFree(coin: Coin, tip: number): boolean {
    if (this.#request.without?.has(idOf(coin))) {
      this.#waiting.push({ coin, reason: 'leftOut' });
      return false;
    }
    const left = blocksLeft(coin, tip);
    if (left === 0) return true;
    this.#waiting.push({ coin, reason: left === undefined ? 'noHeight' : 'delay' });
    return false;
  }

  /** Moves coins that carry something, or may, each in its own transaction. Returns the funds that are left. */
  #moveWhole(coins: readonly Coin[], funds: readonly PlannedInput[]): readonly PlannedInput[] {
    let pool = [...funds];
    let change: PlannedInput | undefined;
    // The last transaction, and how to make it again with its change to the destination.
    let last: { inputs: PlannedInput[]; coin: Coin } | undefined;
    let length = 0;
    for (const [place, coin] of coins.entries()) {
      if (length === LONGEST_CHAIN) {
        this.#waiting.push(...coins.slice(place).map((left) => ({ coin: left, reason: 'laterRound' as const })));
        break;
      }
      const toOwn = this.#own !== undefined && place + 1 < coins.length;
      const made = this.#whole(coin, change, pool, toOwn ? this.#own : undefined);
      if (made === undefined) {
        const alone = this.#fromWithin(coin);
        if (alone === undefined) this.#waiting.push({ coin, reason: 'noFee' });
        else this.#transactions.push(alone);
        continue;
      }
      this.#transactions.push(made.planned);
      pool = pool.slice(made.used);
      length += 1;
      last = { inputs: [...made.planned.inputs], coin };
      change = made.change;
    }
    if (change !== undefined && last !== undefined) {
      const at = this.#transactions.findIndex(({ txid }) => txid === change?.coin.txid);
      const again = this.#withInputs(last.inputs, last.coin, undefined);
      if (at >= 0 && again !== undefined) this.#transactions[at] = again.planned;
    }
    return pool;
  }

  /** One coin first in and first out, with as many plain coins behind it as the fee needs. */
  #whole(
    coin: Coin,
    change: PlannedInput | undefined,
    pool: readonly PlannedInput[],
    changeTo: string | undefined,
  ): { planned: Planned; change: PlannedInput | undefined; used: number } | undefined {
    const first: PlannedInput[] = [{ coin, kind: 'delayed' }, ...(change === undefined ? [] : [change])];
    for (let used = 0; used <= pool.length; used += 1) {
      const made = this.#withInputs([...first, ...pool.slice(0, used)], coin, changeTo);
      if (made !== undefined) return { ...made, used };
    }
    return undefined;
  }

  #withInputs(
    inputs: readonly PlannedInput[],
    coin: Coin,
    changeTo: string | undefined,
  ): { planned: Planned; change: PlannedInput | undefined } | undefined {
    const to = this.#destination;
    // A smaller output would not be relayed. The sats that are missing come from the coins behind.
    const kept = max(coin.sats, this.#dust(to));
    const whole: PlannedOutput = { address: to, sats: kept, purpose: 'whole' };
    const left = sum(inputs) - kept;
    const address = changeTo ?? to;
    const change = left - this.#fee(inputs, [to, address]);
    if (change >= this.#dust(address)) {
      const planned = this.#planned(inputs, [whole, { address, sats: change, purpose: changeTo === undefined ? 'sats' : 'change' }]);
      if (changeTo === undefined) return { planned, change: undefined };
      const contents = { runes: [], inscriptions: [] };
      return { planned, change: { coin: { txid: planned.txid, vout: 1, sats: change, height: undefined, contents }, kind: 'own' } };
    }
    // The remaining sats pay the fee, and are too few for an output.
    if (left < this.#fee(inputs, [to])) return undefined;
    return { planned: this.#planned(inputs, [whole]), change: undefined };
  }

  /** A coin with runes and no inscription can pay its own fee: its runes stay whichever of its sats go. */
  #fromWithin(coin: Coin): Planned | undefined {
    if (coin.contents === undefined || coin.contents.inscriptions.length > 0) return undefined;
    const inputs: PlannedInput[] = [{ coin, kind: 'delayed' }];
    const sats = coin.sats - this.#fee(inputs, [this.#destination]);
    if (sats < this.#dust(this.#destination)) return undefined;
    return this.#planned(inputs, [{ address: this.#destination, sats, purpose: 'whole' }]);
  }

  /** Moves plain coins together. */
  #sweep(coins: readonly Coin[]): void {
    const to = this.#destination;
    const input = (coin: Coin): PlannedInput => ({ coin, kind: 'delayed' });
    const cost = (coin: Coin) => this.#fee([input(coin), input(coin)], [to]) - this.#fee([input(coin)], [to]);
    const worth = coins.filter((coin) => coin.sats > cost(coin));
    const left = coins.filter((coin) => !worth.includes(coin));
    for (let at = 0; at < worth.length; at += MOST_INPUTS) {
      const group = worth.slice(at, at + MOST_INPUTS);
      const inputs = group.map(input);
      const sats = sum(inputs) - this.#fee(inputs, [to]);
      if (sats < this.#dust(to)) left.push(...group);
      else this.#transactions.push(this.#planned(inputs, [{ address: to, sats, purpose: 'sats' }]));
    }
    this.#waiting.push(...left.map((coin) => ({ coin, reason: 'notWorthIt' as const })));
  }

  #planned(inputs: readonly PlannedInput[], outputs: readonly PlannedOutput[]): Planned {
    const { wallet, signer } = this.#request;
    // The library does not know the script of trading wallets.
    const unsigned = new Transaction({ version: 2, allowUnknownInputs: true, allowUnknownOutputs: true });
    for (const { coin, kind } of inputs) {
      const common = { txid: coin.txid, index: coin.vout, sighashType: SigHash.ALL };
      if (kind === 'delayed') {
        unsigned.addInput({
          ...common,
          sequence: DELAY,
          witnessUtxo: { script: wallet.script, amount: coin.sats },
          witnessScript: wallet.witnessScript,
        });
      } else {
        const { script } = p2wpkh(hex.decode(signer ?? ''), parametersOf(wallet.network));
        unsigned.addInput({ ...common, sequence: NO_DELAY, witnessUtxo: { script, amount: coin.sats } });
      }
    }
    for (const { address, sats } of outputs) unsigned.addOutputAddress(address, sats, parametersOf(wallet.network));
    const fee = sum(inputs) - outputs.reduce((total, { sats }) => total + sats, 0n);
    // All inputs are SegWit, so signatures do not change the id.
    const txid = hex.encode(sha256(sha256(unsigned.unsignedTx)).reverse());
    return { txid, inputs, outputs, fee, unsigned };
  }

  /** The fee at the requested rate, from the largest size that signatures can lead to. */
  #fee(inputs: readonly PlannedInput[], outputs: readonly string[]): bigint {
    const { wallet, rate } = this.#request;
    // Platform's empty place, signature, the key that is skipped, script: each with its length, and their number.
    const delayed = 1 + 1 + 73 + (wallet.user.length - 1) + 1 + wallet.witnessScript.length;
    const own = 1 + 73 + 34;
    // Version, numbers of inputs and outputs (up to 200), lock time; marker and flag of SegWit.
    let weight = 4 * (4 + 1 + 1 + 4) + 2;
    for (const { kind } of inputs) weight += 4 * 41 + (kind === 'delayed' ? delayed : own);
    for (const address of outputs) weight += 4 * (9 + this.#script(address).length);
    const size = BigInt(Math.ceil(weight / 4));
    return (size * rate + 999n) / 1_000n;
  }

  #script(address: string): Uint8Array {
    return OutScript.encode(Address(parametersOf(this.#request.wallet.network)).decode(address));
  }

  /** The smallest output that nodes relay: what it costs to make and to spend it, at 3 sats per virtual byte. */
  #dust(address: string): bigint {
    const script = this.#script(address);
    // Witness programs begin with a version and their length.
    const isWitness = script.length >= 4 && script.length <= 42 && script[1] === script.length - 2
      && (script[0] === 0 || (script[0] ?? 0) >= 0x51) && (script[0] ?? 0) <= 0x60;
    return BigInt(3 * (9 + script.length + (isWitness ? 67 : 148)));
  }
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function knownFirst(one: Coin, other: Coin): number {
  return Number(one.contents === undefined) - Number(other.contents === undefined);
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function sum(inputs: readonly PlannedInput[]): bigint {
  return inputs.reduce((total, { coin }) => total + coin.sats, 0n);
}
