// Amounts as people type them, and as the service counts them.

import { clientError, RuneportError } from './error.js';

/** More digits than any token has: an EVM amount has at most 78. */
const LONGEST = 160;
const MOST_DECIMALS = 255;

/**
 * Converts a decimal that a person typed to the smallest unit, which the service counts in.
 *
 * Unlike the function of the same name in viem, it neither guesses nor rounds: digits 0 to 9 with at most one point are
 * an amount, and everything else throws. `12,5` is twelve and a half to one reader and 125 to another.
 *
 * @param value The text of the field, such as `12.5`.
 * @param decimals The number of decimals of the token: 8 for BTC, `divisibility` for any other.
 * @returns The amount in the smallest unit.
 * @throws {@link RuneportError} `client.amountInvalid`; `message` says how to write the amount.
 *
 * @example
 * parseUnits('0.00025', 8)
 * // 25000n
 */
export function parseUnits(value: string, decimals: number): bigint {
  checkDecimals(decimals);
  const problem = problemOf(value, decimals);
  if (problem !== undefined) throw amountError(problem);
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/**
 * Converts an amount in the smallest unit to the decimal that {@link parseUnits} reads: without trailing zeros, and
 * without separators between thousands.
 *
 * @param value The amount in the smallest unit.
 * @param decimals The number of decimals of the token: 8 for BTC, `divisibility` for any other.
 * @throws {@link RuneportError} `client.amountInvalid` if `decimals` is not a number of decimals.
 *
 * @example
 * formatUnits(25_000n, 8)
 * // '0.00025'
 */
export function formatUnits(value: bigint, decimals: number): string {
  checkDecimals(decimals);
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}

/**
 * Reads an amount in the smallest unit that a request pays.
 *
 * @throws {@link RuneportError} `client.amountInvalid`.
 */
export function wholeUnits(amount: string): bigint {
  // A number from JavaScript may have lost digits.
  if (typeof amount !== 'string' || !/^[1-9]\d*$/.test(amount)) {
    throw amountError(`"${String(amount)}" is not a positive whole number in the smallest unit. Convert what the user typed with parseUnits.`);
  }
  return BigInt(amount);
}

/** The error of an amount that cannot be used. */
export function amountError(message: string): RuneportError {
  return clientError('client.amountInvalid', message);
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS) {
    throw amountError(`A token has 0 to ${MOST_DECIMALS} decimals, not ${decimals}.`);
  }
}

/** What is wrong with the text, and how to write it. */
function problemOf(value: string, decimals: number): string | undefined {
  const example = decimals === 0 ? '12' : '12.5';
  if (typeof value !== 'string' || value === '') return `Enter an amount, such as ${example}.`;
  if (value.length > LONGEST) return 'The amount has too many digits.';
  if (value.includes(',')) {
    return decimals === 0
      ? 'Write a whole number without commas.'
      : 'Use a point for decimals, and no comma: 12.5.';
  }
  if (/[\s'’_]/.test(value)) return 'Write the digits without spaces or other separators.';
  if (/^[+\-−]/.test(value)) return 'Write the amount without a sign.';
  if (!/^[\d.]+$/.test(value)) return `Write the amount in digits 0 to 9, such as ${example}.`;
  const [whole = '', fraction, ...more] = value.split('.');
  if (more.length > 0) return 'Write one point at most, and no separators between thousands.';
  if (whole === '' || fraction === '') return 'Write a digit before and after the point, such as 0.5.';
  if (/^0\d/.test(whole)) return 'Write the amount without zeros in front.';
  if (fraction === undefined || fraction.length <= decimals) return undefined;
  return decimals === 0 ? 'Write a whole number: there are no decimals.' : `Write at most ${decimals} decimals.`;
}
