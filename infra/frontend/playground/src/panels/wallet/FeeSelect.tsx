import { call, type Schemas } from '@runeport/client';

import { Select, useLoad } from '../../components/index.ts';
import { chainTurn } from '../../stores/local.ts';
import { api } from '../../stores/session.ts';

export type FeeTarget = Schemas['FeeTarget'];

/** Choices of a fee target, with their current rates. */
export function FeeSelect({ value, onChange, span = 6 }: { value: FeeTarget; onChange: (value: FeeTarget) => void; span?: 4 | 6 }) {
  const rates = useLoad(async () => (await call(api, 'get', '/api/bitcoin/fee-rates')).data, [chainTurn.value]);
  const label = (target: FeeTarget) => (rates.data ? `${target} · ${rates.data[target]} sat/vB` : target);
  return (
    <Select<FeeTarget>
      label="Fee" name="feeTarget" span={span} value={value} onChange={onChange}
      options={(['economy', 'normal', 'fast'] as const).map((target) => ({ value: target, label: label(target) }))}
    />
  );
}
