import type { ComponentChildren } from 'preact';

import { type Amount, type AmountRule, isAmount, readAmount } from '../lib/amount.ts';
import { Field } from './Field.tsx';

interface AmountFieldProps {
  label: string;
  name?: string;
  span?: 3 | 4 | 6 | 8;
  value: string;
  onInput: (value: string) => void;
  rule: AmountRule;
  /** The error of the service for this field. */
  error?: string;
  /** What the amount means; without an amount, what the field is for. */
  hint?: ComponentChildren | ((amount: Amount) => ComponentChildren);
}

/** A field for an amount: says how to write what it cannot read in one way only. */
export function AmountField({ value, rule, error, hint, ...rest }: AmountFieldProps) {
  const read = readAmount(value, rule);
  const isEmpty = value.trim() === '';
  const problem = isAmount(read) ? undefined : read.problem;
  const meaning = typeof hint === 'function' ? (isAmount(read) ? hint(read) : undefined) : hint;
  return (
    <Field
      {...rest}
      value={value}
      // The number pads of phones have the decimal separator of the user's language, often only a comma.
      inputMode={rule.decimals === 0 ? 'numeric' : 'text'}
      hint={isEmpty ? problem : meaning}
      error={isEmpty ? error : problem ?? error}
    />
  );
}
