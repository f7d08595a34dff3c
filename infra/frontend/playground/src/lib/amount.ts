import { formatUnits, parseUnits, RuneportError } from '@runeport/client';

/** What a field with an amount accepts. */
export interface AmountRule {
  /** Decimals of the typed number; 0 for whole numbers. */
  decimals: number;
  /** The unit behind the number, such as `BTC`. */
  unit: string;
  /** The unit of every number but 1, if it differs. */
  units?: string;
  /** The smallest amount, in the smallest unit; default: 1. */
  least?: bigint;
  /** The largest amount, in the smallest unit. */
  most?: bigint;
}

/** An amount that was read: what is sent, and what the page says about it. */
export interface Amount {
  /** In the smallest unit. */
  units: bigint;
  /** As a decimal, without separators: what could be typed instead. */
  decimal: string;
  /** The decimal with its unit, for the button: `12.5 USDC`. */
  said: string;
}

/** A text that is no amount, or one that the field does not accept: how to write it, as a sentence. */
export interface NoAmount {
  problem: string;
}

/** The supply of bitcoin, in sats. */
export const MOST_SATS = 2_100_000_000_000_000n;
export const SATS: AmountRule = { decimals: 0, unit: 'sat', units: 'sats', most: MOST_SATS };
export const BITCOIN: AmountRule = { decimals: 8, unit: 'BTC', most: MOST_SATS };

const said = (units: bigint, { decimals, unit, units: many = unit }: AmountRule): string => {
  const decimal = formatUnits(units, decimals);
  return `${decimal} ${decimal === '1' ? unit : many}`;
};

/** Reads an amount that a person typed. What can be read in two ways is not an amount. */
export function readAmount(text: string, rule: AmountRule): Amount | NoAmount {
  const { decimals, least = 1n, most } = rule;
  let units: bigint;
  try {
    // Texts that are pasted often end with a space or a line break.
    units = parseUnits(text.trim(), decimals);
  } catch (error) {
    if (error instanceof RuneportError) return { problem: error.message };
    throw error;
  }
  if (units < least) return { problem: least === 1n ? 'Enter an amount above zero.' : `Enter at least ${said(least, rule)}.` };
  if (most !== undefined && units > most) return { problem: `Enter at most ${said(most, rule)}.` };
  return { units, decimal: formatUnits(units, decimals), said: said(units, rule) };
}

export const isAmount = (read: Amount | NoAmount): read is Amount => !('problem' in read);

/** The amount, or the problem as an error: for calls, which begin only with an amount. */
export function amountOrThrow(read: Amount | NoAmount): Amount {
  if (!isAmount(read)) throw new Error(read.problem);
  return read;
}
