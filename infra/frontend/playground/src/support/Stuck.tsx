import { Button } from '../components/Button.tsx';
import { Section } from '../components/Layout.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { StatusPill } from '../components/Pill.tsx';
import { Callout, EmptyState } from '../components/States.tsx';
import { Table } from '../components/Table.tsx';
import { useLoad } from '../components/useCall.ts';
import { serviceNow } from '../lib/clock.ts';
import { count, plural, short } from '../lib/format.ts';
import { hashOf, listOf } from './place.ts';
import { read } from './service.ts';
import type { Payout, StuckRow } from './shapes.ts';
import { timeOf, whereIsPayout } from './words.ts';

const PAGE = 20;

/** The rows that the chain watcher cannot take further. */
function Rows({ page }: { page: number }) {
  const list = useLoad(() => read('/api/support/stuck', { query: { page, pageSize: PAGE, sort: 'since' } }), [page]);
  return (
    <Section
      title="Stuck rows"
      description="What the worker that follows the chain has failed to take further three times in a row, the longest first. It goes on trying."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Read again</Button>}
    >
      <div class="support-rows">
        <Loaded call={list} lines={6}>
          {({ data: rows, metaData: { queues, currentPage, totalPages } }) => {
            const waiting = queues.filter((queue) => queue.waiting > 0);
            return (
              <div class="stack">
                {rows.length === 0 ? <EmptyState title="Nothing is stuck" /> : (
                  <Table<StuckRow>
                    caption="Stuck rows"
                    rows={rows}
                    rowKey={({ id }) => id}
                    columns={[
                      { title: 'What', nowrap: true, cell: ({ kind, state }) => <span class="cell-lines"><span>{kind}</span>{state !== '' && <span><StatusPill status={state} /></span>}</span> },
                      {
                        title: 'Why', cell: ({ failures, since, cause }) => `${plural(failures, 'failure')} since ${timeOf(since, serviceNow())}: ${cause}`,
                      },
                      { title: 'Account', nowrap: true, cell: ({ accountId }) => (accountId === null ? <span class="muted">the platform</span> : <a href={listOf(accountId)}><code>{short(accountId, 6)}</code></a>) },
                      { title: 'Row', cell: ({ id }) => <code class="support-url">{id}</code> },
                    ]}
                  />
                )}
                {totalPages > 1 && (
                  <nav class="row" aria-label="Pages of stuck rows">
                    {currentPage > 1 && <a class="button" data-size="small" href={hashOf({ view: 'stuck', page: currentPage - 1 })}>Longer stuck</a>}
                    {currentPage < totalPages && <a class="button" data-size="small" href={hashOf({ view: 'stuck', page: currentPage + 1 })}>Stuck more recently</a>}
                  </nav>
                )}
                <Callout tone="plain">
                  {waiting.length === 0 ? 'Nothing waits for the worker.' : `Waiting: ${waiting.map(({ kind, waiting: rest, stuck }) => `${kind} ${count(rest)}${stuck > 0 ? ` (${count(stuck)} stuck)` : ''}`).join(', ')}.`}
                </Callout>
              </div>
            );
          }}
        </Loaded>
      </div>
    </Section>
  );
}

function Payouts() {
  const list = useLoad(async () => (await read('/api/support/payouts')).data);
  return (
    <Section
      title="Payouts under way"
      description="The payouts of mints that are not final yet."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Read again</Button>}
    >
      <div class="support-rows">
        <Loaded call={list} lines={6}>
          {(rows) => (rows.length === 0 ? <EmptyState title="No payout is under way" /> : (
            <Table<Payout>
              caption="Payouts under way"
              rows={rows}
              rowKey={({ id, leg }) => `${id} ${leg}`}
              columns={[
                { title: 'Where it is', cell: (row) => whereIsPayout(row, serviceNow()) },
                { title: 'What', cell: ({ leg }) => (leg === 'transfer' ? 'payment' : 'runes') },
                { title: 'Mint', cell: ({ mintId, number }) => <span title={mintId}><code>{short(mintId, 6)}</code>, number {number}</span> },
                { title: 'Of', cell: ({ batches, requests }) => `${plural(batches, 'batch', 'batches')}, ${plural(requests, 'request')}` },
                { title: 'Transaction', cell: ({ txId }) => (txId === null ? '–' : <code title={txId}>{short(txId, 6)}</code>) },
              ]}
            />
          ))}
        </Loaded>
      </div>
    </Section>
  );
}

/** What the service could not finish by itself. */
export function Stuck({ page }: { page: number }) {
  return (
    <>
      <Rows page={page} />
      <Payouts />
    </>
  );
}
