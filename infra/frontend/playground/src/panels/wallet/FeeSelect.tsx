import { call, type Schemas } from '@runeport/client';

import { Select, useLoad } from '../../components/index.ts';
import { api } from '../../stores/session.ts';
import { walletKeys } from './model.ts';

export type FeeTarget = Schemas['FeeTarget'];

type Rates = Schemas['FeeRates'];

/** The rates of this turn of the wallet, which all choices of the panel share. */
let shared: { turn: string; rates: Promise<Rates> } | undefined;

function ratesAt(turn: string): Promise<Rates> {
  if (shared?.turn === turn) return shared.rates;
  const rates = call(api, 'get', '/api/bitcoin/fee-rates').then(({ data }) => data);
  shared = { turn, rates };
  rates.catch(() => { if (shared?.rates === rates) shared = undefined; });
  return rates;
}

/** Choices of a fee target, with their current rates. */
export function FeeSelect({ value, onChange, span = 6 }: { value: FeeTarget; onChange: (value: FeeTarget) => void; span?: 4 | 6 }) {
  const turn = walletKeys().join(' ');
  const rates = useLoad(() => ratesAt(turn), [turn]);
  const label = (target: FeeTarget) => (rates.data ? `${target} · ${rates.data[target]} sat/vB` : target);
  return (
    <Select<FeeTarget>
      label="Fee" name="feeTarget" span={span} value={value} onChange={onChange}
      options={(['economy', 'normal', 'fast'] as const).map((target) => ({ value: target, label: label(target) }))}
    />
  );
}
