import { formatUnits } from '@runeport/client';

import { serviceNow, ticks } from './clock.ts';

const number = new Intl.NumberFormat('en-GB');
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

export const count = (value: number | bigint): string => number.format(value);

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Sats with grouped digits. */
export const sats = (value: number | bigint): string => `${number.format(value)} sats`;

/** Sats as BTC, without trailing zeros. */
export function btc(value: number | bigint): string {
  return `${units(BigInt(value), 8)} BTC`;
}

/** An amount in the smallest unit as a decimal, grouped, without trailing zeros: to read, not to type. */
export function units(amount: bigint | string, divisibility: number): string {
  const [whole = '', fraction] = formatUnits(BigInt(amount), divisibility).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export const when = (milliseconds: number): string => moment.format(milliseconds);

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** The distance to a time, such as "2 minutes ago", by the service's clock. Components that show it draw it again as time passes. */
export function ago(milliseconds: number, now = serviceNow()): string {
  void ticks.value;
  const away = milliseconds - now;
  const [unit, length] = STEPS.find(([, size]) => Math.abs(away) >= size) ?? (['second', 1000] as const);
  return relative.format(Math.trunc(away / length), unit);
}

/** The time until then, such as "9 minutes left", by the service's clock. */
export function timeLeft(milliseconds: number): string {
  void ticks.value;
  const seconds = Math.max(0, Math.round((milliseconds - serviceNow()) / 1000));
  return seconds < 60 ? `${plural(seconds, 'second')} left` : `${plural(Math.round(seconds / 60), 'minute')} left`;
}

/** The start and end of a long value, which are enough for people to compare it. */
export const short = (value: string, ends = 8): string =>
  value.length <= ends * 2 + 3 ? value : `${value.slice(0, ends)}…${value.slice(-ends)}`;

/** camelCase as words: `allInMempool` is "all in mempool". */
export const words = (value: string): string =>
  value.replaceAll(/[-_]/g, ' ').replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
