import { call, type Schemas } from '@runeport/client';
import { announceDeposit } from '@runeport/client/wallet';
import { useState } from 'preact/hooks';

import {
  Button, Callout, EmptyState, ErrorState, Field, Form, Loaded, Pill, Section, StatusPill, Table, useCall, useLoad,
} from '../../components/index.ts';
import { ago, count, plural, sats, short, units } from '../../lib/format.ts';
import { api } from '../../stores/session.ts';
import { paidTxId, walletKeys, walletTurn } from './model.ts';

type Deposit = Schemas['DepositRow'];

const PAGE = 20;

function Runes({ of }: { of: Deposit['runes'] }) {
  if (of === null) return <span class="muted">not read</span>;
  if (of.length === 0) return <span class="muted">none</span>;
  return (
    <span class="row">
      {of.map(({ name, amount, divisibility }) => <Pill key={name} tone="accent" dot={false}>{units(amount, divisibility ?? 0)} {name}</Pill>)}
    </span>
  );
}

/** Tells the service of a payment before a block has it. */
function Announce() {
  const [txId, setTxId] = useState('');
  const announce = useCall(async (id: string) => {
    const deposits = await announceDeposit(api, id.trim().toLowerCase());
    setTxId('');
    if (paidTxId.peek() === id) paidTxId.value = undefined;
    walletTurn.value += 1;
    return deposits;
  }, { done: (deposits) => `Announced: ${plural(deposits.length, 'deposit')}.` });
  const paid = paidTxId.value;
  return (
    <>
      <Form onSubmit={() => void announce.run(txId)} failure={announce.error} label="Announce a deposit">
        <Field
          label="Transaction that pays you" name="txId" span={8} mono value={txId} onInput={setTxId} error={announce.error?.fields.txId}
          hint="Its id. The service lists the deposit before a block has it."
        />
        <div class="row" data-span="4" style={{ alignSelf: 'center' }}>
          <Button type="submit" busy={announce.busy} disabled={txId.trim() === ''}>Announce</Button>
        </div>
        {paid !== undefined && (
          <div class="row">
            <Button size="small" busy={announce.busy} onClick={() => void announce.run(paid)}>Announce the payment of the faucet</Button>
            <code class="small" title={paid}>{short(paid, 6)}</code>
          </div>
        )}
      </Form>
      {announce.error && <ErrorState failure={announce.error} />}
    </>
  );
}

/** What others have paid to the trading address, and what was announced. */
export function Deposits({ address }: { address: string }) {
  const [page, setPage] = useState(1);
  const query = { page, pageSize: PAGE };
  const list = useLoad(
    () => call(api, 'get', '/api/account/trading-wallet/deposits', { params: { query } }),
    [address, page, ...walletKeys()],
  );
  return (
    <Section
      title="Deposits"
      description="Payments of others to the trading address. The service finds those of each block, and those that are announced earlier. Their states change here as they change there."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload deposits</Button>}
    >
      <Announce />
      <Loaded call={list}>
        {({ data: rows, metaData }) => (rows.length === 0 ? <EmptyState title="No deposits yet">Get sats from the faucet, then announce the payment or mine a block.</EmptyState> : (
          <>
            <Table<Deposit>
              caption="Deposits"
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                { title: 'Deposit', nowrap: true, cell: ({ id, txId, vout }) => <code title={id}>{short(txId, 6)}{vout === null ? '' : `:${vout}`}</code> },
                { title: 'State', cell: ({ state }) => <StatusPill status={state} /> },
                { title: 'Sats', align: 'end', cell: ({ sats: value }) => (value === null ? '–' : count(value)) },
                { title: 'Runes', cell: ({ runes }) => <Runes of={runes} /> },
                {
                  title: 'Block', align: 'end', cell: ({ blockHeight, confirmations }) => (blockHeight === null ? '–' : (
                    <span class="cell-lines">{count(blockHeight)}<small class="muted">{plural(confirmations, 'confirmation')}</small></span>
                  )),
                },
                { title: 'Seen', nowrap: true, cell: ({ seenAt }) => (seenAt === null ? 'not yet' : ago(seenAt)) },
              ]}
            />
            {rows.map(({ id, blockHeight, more }) => more && (
              <Callout key={id} tone="plain">
                Block {count(blockHeight ?? 0)} pays the address by {plural(more.outputs, 'further output')} of {sats(more.sats)}, which are not listed. Announce their transaction to list them.
              </Callout>
            ))}
            {metaData.totalPages > 1 && (
              <div class="row" role="group" aria-label="Pages of deposits">
                <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>Newer deposits</Button>
                <span class="small muted num">Page {metaData.currentPage} of {metaData.totalPages} · {plural(metaData.totalItems, 'deposit')}</span>
                <Button size="small" disabled={page >= metaData.totalPages} onClick={() => setPage(page + 1)}>Older deposits</Button>
              </div>
            )}
          </>
        ))}
      </Loaded>
    </Section>
  );
}
