import type { Schemas } from '@runeport/client';
import { type Coin, largestAmount } from '@runeport/client/wallet';
import { useState } from 'preact/hooks';

import { Callout, ErrorState, Facts, Figures, LoadingState, Section, Select, Table, useLoad } from '../../components/index.ts';
import { count, plural, sats, short } from '../../lib/format.ts';
import { api } from '../../stores/session.ts';
import { amountOf, BTC, type Held, LEFT_OUT, titleOf, untilUserOnly, walletKeys, whyNot } from './model.ts';

type Purpose = Schemas['SpendType'];

const PURPOSES: { value: Purpose; label: string }[] = [
  { value: 'withdraw', label: 'a withdrawal to a Bitcoin address' },
  { value: 'xchain-withdraw', label: 'a withdrawal through the hub' },
  { value: 'virtual_mint', label: 'a batch of a virtual mint' },
];

/** The coins that are not good for everything, each with the reason and the way out. */
function Unusable({ coins }: { coins: readonly Coin[] }) {
  const rows = coins.flatMap((coin) => {
    const why = whyNot(coin);
    return why ? [{ coin, ...why }] : [];
  });
  if (rows.length === 0) return <Callout tone="ok">Every coin can pay for everything.</Callout>;
  return (
    <Table
      caption="Coins with a limit"
      rows={rows}
      rowKey={({ coin }) => coin.id}
      columns={[
        { title: 'Coin', nowrap: true, cell: ({ coin }) => <code title={coin.id}>{short(coin.id.slice(0, 64), 6)}:{coin.id.slice(65)}</code> },
        { title: 'Sats', align: 'end', cell: ({ coin }) => count(coin.sats) },
        { title: 'Why not', cell: ({ reason }) => reason },
        { title: 'What to do', cell: ({ remedy }) => remedy },
        { title: 'Yours alone', cell: ({ coin }) => untilUserOnly(coin) },
      ]}
    />
  );
}

/** Refusals that only say that nothing is free: the usual state while a transaction is under way. */
const NOTHING_FREE = new Set(['bitcoin.coinsReserved', 'bitcoin.insufficientBalance', 'bitcoin.insufficientRuneBalance']);

/** Coins that are not free only for now, with what holds them. */
const HELD: Partial<Record<Coin['state'], string>> = {
  reserved: 'in a transaction that is not signed yet',
  spending: 'in a signed transaction',
  pending: 'waiting for a block',
  immature: 'mined less than 100 blocks ago',
};

/** Says, without alarm, where the sats are while nothing can be spent. */
function NothingNow({ coins }: { coins: readonly Coin[] }) {
  const held = Object.entries(HELD).flatMap(([state, where]) => {
    const sum = coins.filter((coin) => coin.state === state).reduce((total, coin) => total + coin.sats, 0);
    return sum > 0 ? [`${sats(sum)} are ${where}`] : [];
  });
  return <Callout tone="plain">{held.length === 0 ? 'Nothing can be spent now.' : `Nothing more now: ${held.join(', ')}.`}</Callout>;
}

/** What one transaction can pay now, and why it is not more. */
export function Spend({ tokens, coins }: { tokens: readonly Held[]; coins: readonly Coin[] }) {
  const [type, setType] = useState<Purpose>('withdraw');
  const [chosen, setToken] = useState(BTC);
  const tokenId = type === 'virtual_mint' ? BTC : chosen;
  const token = tokens.find((held) => held.tokenId === tokenId);
  const isEmpty = token?.available === '0';
  const largest = useLoad(
    async () => (isEmpty ? undefined : { type, tokenId, ...(await largestAmount(api, { type, params: { tokenId } })) }),
    [type, tokenId, isEmpty, ...walletKeys()],
  );
  const { data } = largest;
  const hasNothing = isEmpty || NOTHING_FREE.has(largest.error?.message ?? '');
  const error = hasNothing ? undefined : largest.error;
  // A result belongs to its question.
  const shown = data?.type === type && data.tokenId === tokenId && !error && !hasNothing ? data : undefined;
  return (
    <Section
      title="What may I spend, and why not more?"
      description="The largest amount that one transaction can pay now, the coins that it leaves, and what to do about each coin."
    >
      <div class="form" role="group" aria-label="Purpose">
        <Select<Purpose> label="For" span={6} value={type} onChange={setType} options={PURPOSES} />
        {type !== 'virtual_mint' && (
          <Select
            label="Of" span={6} value={tokenId} onChange={setToken}
            options={tokens.map((held) => ({ value: held.tokenId, label: titleOf(held) }))}
          />
        )}
      </div>
      {error && <ErrorState failure={error} onRetry={() => void largest.reload()} />}
      {hasNothing && <NothingNow coins={coins} />}
      {!error && !hasNothing && !shown && <LoadingState lines={2} />}
      {shown && (
        <>
          <Figures
            of={[
              ['At most', amountOf(token, shown.maxAmount)],
              ['Fee', sats(shown.fee), `${shown.feeRate} sat/vB`],
              ['Coins', count(shown.coins), 'spent'],
            ]}
          />
          {shown.leftOut.length === 0
            ? <Callout tone="ok">This is everything in the wallet, less the fee.</Callout>
            : (
              <Facts
                of={shown.leftOut.map(({ reason, coins: left }) => [
                  `${plural(left, 'coin')} left out`,
                  <span>{LEFT_OUT[reason].reason} {LEFT_OUT[reason].remedy}</span>,
                ] as const)}
              />
            )}
        </>
      )}
      <Unusable coins={coins} />
    </Section>
  );
}
