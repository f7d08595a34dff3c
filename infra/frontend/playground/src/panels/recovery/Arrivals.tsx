import { Callout, Pill, Table, type Tone, Value } from '../../components/index.ts';
import { count, plural, sats, units } from '../../lib/format.ts';
import type { Arrival, Fate, Seen } from './arrivals.ts';

const FATES: Record<Fate, [text: string, tone: Tone]> = {
  there: ['still there', 'plain'],
  onItsWay: ['waits for a block', 'info'],
  arrived: ['arrived', 'ok'],
  elsewhere: ['spent elsewhere', 'warn'],
};

function carried({ coin: { runes, inscriptions } }: Arrival): string {
  if (runes === null) return 'not known';
  const all = [
    ...runes.map(({ amount, divisibility, name }) => `${units(amount, divisibility ?? 0)} of ${name}`),
    ...inscriptions.map((id) => `inscription ${id.slice(0, 8)}…`),
  ];
  return all.length === 0 ? 'plain bitcoin' : all.join(', ');
}

/** The coins of the kit, and what became of each. */
export function Arrivals({ seen: { arrivals, sats: there, isOver }, to, withoutService }: { seen: Seen; to: string; withoutService: boolean }) {
  return (
    <>
      <Table
        caption="What became of each coin"
        rows={arrivals}
        rowKey={({ coin }) => coin.id}
        columns={[
          { title: 'Coin', nowrap: true, cell: ({ coin }) => <Value text={coin.id} ends={6} /> },
          { title: 'Sats', align: 'end', cell: ({ coin }) => count(coin.sats) },
          { title: 'Carries', cell: carried },
          { title: 'State', cell: ({ fate }) => <Pill tone={FATES[fate][1]}>{FATES[fate][0]}</Pill> },
          { title: 'In transaction', cell: ({ txid }) => (txid === undefined ? '–' : <Value text={txid} ends={6} />) },
        ]}
      />
      {isOver && (
        <Callout tone="ok">
          Everything has arrived: {plural(arrivals.length, 'coin')}, {sats(there)} at <Value text={to} ends={8} />
          {withoutService && ', without the service'}.
        </Callout>
      )}
    </>
  );
}
