import { call } from '@runeport/client';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { Value } from '../components/Copy.tsx';
import { Facts, Section } from '../components/Layout.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { StatusPill } from '../components/Pill.tsx';
import { useLoad } from '../components/useCall.ts';
import { serviceNow } from '../lib/clock.ts';
import { count, short, when, words } from '../lib/format.ts';
import { listOf, transactionLink } from './place.ts';
import { api, read } from './service.ts';
import type { OneTransaction, Token } from './shapes.ts';
import { amountOf, BTC, TYPES, whereIs } from './words.ts';

function Shown({ of: row }: { of: OneTransaction }) {
  const other = (txId: string | null) => (txId === null ? undefined : <a href={transactionLink(txId)}><code>{short(txId, 8)}</code></a>);
  return (
    <>
      <p class="support-answer"><StatusPill status={row.state} /> <span>{whereIs(row, serviceNow())}</span></p>
      <Facts
        of={[
          ['Transaction', <Value text={row.txId} ends={16} label="Copy transaction id" />],
          ['Account', <a href={listOf(row.accountId)}>{row.email ?? short(row.accountId, 8)}</a>],
          ['Kind', TYPES[row.type]],
          ['Pays', amountOf(row.tokenId, row.amount, row.token)],
          ['To', row.withdrawTo === null ? undefined : <Value text={row.withdrawTo} ends={16} label="Copy recipient" />],
          ['Fee', `${count(row.feeSats)} sats`],
          ['Replaces', other(row.replaceTxId)],
          ['Replaced by', other(row.replacedByTxId)],
        ]}
      />
      <h3>History</h3>
      <Facts of={row.history.map(({ state, at }) => [when(at), words(state)] as const)} />
    </>
  );
}

/** The token of a transaction, from the catalogue, which may lack it. */
async function tokenOf({ tokenId }: OneTransaction): Promise<Token> {
  if (tokenId === null || tokenId === BTC) return null;
  try {
    return (await call(api, 'get', '/api/tokens/{tokenId}', { params: { path: { tokenId } } })).data;
  } catch {
    return null;
  }
}

async function load(txId: string): Promise<OneTransaction> {
  const { data } = await read('/api/support/transactions/{txId}', { path: { txId } });
  return { ...data, token: await tokenOf(data) };
}

/** One transaction, of whatever account. */
export function TransactionView({ txId }: { txId: string }) {
  const one = useLoad(() => load(txId), [txId]);
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => heading.current?.querySelector('h2')?.focus({ preventScroll: true }), [txId]);
  return (
    <div ref={heading}>
      <Section
        title="Transaction"
        actions={<Button size="small" icon="refresh" busy={one.busy} onClick={() => void one.reload()}>Read it again</Button>}
      >
        <div class="support-rows"><Loaded call={one} lines={8}>{(row) => <Shown of={row} />}</Loaded></div>
      </Section>
    </div>
  );
}
