import { blocksLeft, type Coin, freeFrom, isPlain } from './coins.js';
import type { Planned, Reason } from './plan.js';

/** A number with commas between thousands. */
export function grouped(value: bigint | number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number of blocks, and how long that takes: ten minutes each, on average. */
function blocks(number: number): string {
  const hours = Math.ceil(number / 6);
  const time = hours <= 1 ? 'an hour' : hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
  return `${grouped(number)} ${number === 1 ? 'block' : 'blocks'}, about ${time}`;
}

/** What a coin carries. */
export function contentsOf(coin: Coin): string {
  if (coin.contents === undefined) return 'not known';
  if (isPlain(coin)) return 'plain bitcoin';
  const runes = coin.contents.runes.map(({ name, amount }) => `${amount} of ${name}`);
  const inscriptions = coin.contents.inscriptions.map((id) => `inscription ${id}`);
  return [...runes, ...inscriptions].join(', ');
}

/** When the user alone can spend a coin. */
export function freedomOf(coin: Coin, tip: number | undefined): string {
  const from = freeFrom(coin);
  if (from === undefined) return 'not in a block yet; the 12,960 blocks start with the block that includes it';
  if (tip === undefined) return `from block ${grouped(from)}`;
  const left = blocksLeft(coin, tip) ?? 0;
  return left === 0 ? 'free now' : `in ${blocks(left)} (from block ${grouped(from)})`;
}

/** What coins there are and how many are free. */
export function summaryOf(coins: readonly Coin[], tip: number | undefined): string {
  if (coins.length === 0) return 'There are no coins at this trading address.';
  const total = `${coins.length === 1 ? '1 coin' : `${coins.length} coins`}, ${grouped(coins.reduce((sum, { sats }) => sum + sats, 0n))} sats in total.`;
  if (tip === undefined) return total;
  const waits = coins.map((coin) => blocksLeft(coin, tip)).filter((left) => left !== undefined);
  const free = waits.filter((left) => left === 0).length;
  if (free === coins.length) return `${total} ${free === 1 ? 'It is' : 'All are'} free now.`;
  const next = waits.filter((left) => left > 0);
  const soonest = next.length === 0 ? '' : ` The next one is free in ${blocks(Math.min(...next))}.`;
  return `${total} ${free === 0 ? 'None is' : free === 1 ? '1 is' : `${free} are`} free now.${soonest}`;
}

const REASONS: Readonly<Record<Reason, string>> = {
  leftOut: 'You leave it out.',
  delay: 'It is not free yet.',
  noHeight: 'It is not in a block yet, or the height of its block is not known.',
  noFee: 'No plain coin can pay its fee. It carries something, or may, so its own sats must not pay the fee.',
  notWorthIt: 'Moving it would cost more than it is worth. A lower fee rate may help.',
  laterRound: 'At most 20 coins that carry something, or may, move in one round. Start again once these transactions are in a block.',
};

/** Why a coin stays. */
export function reasonOf(reason: Reason): string {
  return REASONS[reason];
}

/** What became of a transaction that a server has taken and does not list. */
export function unlistedOf(host: string, place: number, number: number): string {
  return `${host} took transaction ${place + 1} of ${number}, but does not list it. It may have dropped it.`;
}

/** The fees of all transactions. */
export function feesOf(planned: readonly Planned[]): string {
  const fees = planned.reduce((sum, { fee }) => sum + fee, 0n);
  const coins = planned.flatMap(({ inputs }) => inputs).filter(({ kind }) => kind === 'delayed');
  const moved = coins.reduce((sum, { coin }) => sum + coin.sats, 0n);
  const share = fees * 10n > moved ? ' This is more than a tenth of the amount that moves. If you can wait, choose a lower fee rate.' : '';
  return `The fees are ${grouped(fees)} sats in total.${share}`;
}

/** What a transaction does, in a sentence or two. */
export function workOf({ inputs, outputs, fee }: Planned): string {
  const [first] = inputs;
  const [output] = outputs;
  if (first === undefined || output === undefined) return '';
  const paid = `The fee is ${grouped(fee)} sats.`;
  if (output.purpose === 'sats') {
    const what = inputs.length === 1 ? 'a plain coin' : `${inputs.length} plain coins`;
    return `Moves ${what}: ${grouped(output.sats)} sats arrive. ${paid}`;
  }
  const carried = first.coin.contents === undefined ? 'with whatever it carries' : `with ${contentsOf(first.coin)}`;
  const rest = outputs[1];
  const change = rest === undefined
    ? ''
    : rest.purpose === 'change'
      ? ` ${grouped(rest.sats)} sats are left for the next transaction.`
      : ` Another ${grouped(rest.sats)} sats arrive as plain bitcoin.`;
  return `Moves the coin of ${grouped(first.coin.sats)} sats ${carried}: ${grouped(output.sats)} sats arrive in one piece.${change} ${paid}`;
}
