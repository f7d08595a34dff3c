import type { ComponentChildren } from 'preact';

import { Button } from '../components/Button.tsx';
import { Value } from '../components/Copy.tsx';
import { Section } from '../components/Layout.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { Pill, StatusPill } from '../components/Pill.tsx';
import { EmptyState } from '../components/States.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { type Call, useLoad } from '../components/useCall.ts';
import { serviceNow } from '../lib/clock.ts';
import { count, sats, short, when, words } from '../lib/format.ts';
import { type AccountPlace, hashOf, type List, listOf, type Place, readsOf, transactionLink } from './place.ts';
import { read } from './service.ts';
import type {
  Activity, Batch, Before, CrossChain, Delivery, Deposit, Export, OneTransaction, Paged, Read, Transaction, Webhook,
} from './shapes.ts';
import {
  amountOf, howIsWebhook, isUnderWay, refundOf, TYPES, whatWasRead, whereIs, whereIsBatch, whereIsCrossChain, whereIsDeposit, whereIsExport,
} from './words.ts';

type ReadsPlace = Extract<Place, { view: 'reads' }>;

const PAGE = 20;
/** Of so many transactions under way, the page also reads the history, which says since when they wait. */
const MOST_READ = 5;

const idOf = ({ id }: { id: string }): string => id;

function Transfer({ id }: { id: string }) {
  return <a href={transactionLink(id)} title={id}><code>{short(id, 6)}</code></a>;
}

function Where({ state, children }: { state: string; children: string }) {
  return (
    <span class="cell-lines support-where">
      <span><StatusPill status={state} /></span>
      <span>{children}</span>
    </span>
  );
}

/** The head of a list, its rows once they are there, and what leads to its other pages. */
function Rows<T, A extends { data: T[] }>({ title, empty, call, columns, rowKey, pages }: {
  title: string;
  empty: string;
  call: Call<[], A> & { reload: () => Promise<A | undefined> };
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  pages?: (answer: A) => ComponentChildren;
}) {
  return (
    <div class="stack">
      <div class="row">
        <h3>{title}</h3>
        <span class="row-end"><Button size="small" icon="refresh" busy={call.busy} onClick={() => void call.reload()}>Read again</Button></span>
      </div>
      <div class="support-rows">
        <Loaded call={call} lines={8}>
          {(answer) => (
            <div class="stack">
              {answer.data.length === 0 ? <EmptyState title="Nothing is here">{empty}</EmptyState> : <Table<T> caption={title} rows={answer.data} rowKey={rowKey} columns={columns} />}
              {pages?.(answer)}
            </div>
          )}
        </Loaded>
      </div>
    </div>
  );
}

/** Links to the pages next to this one. */
function Pages({ at, of: { currentPage, totalPages, totalItems, asOf } }: { at: AccountPlace; of: Paged<unknown>['metaData'] }) {
  if (totalPages <= 1) return null;
  const link = (page: number, name: string, is: boolean) => (is
    ? <a class="button" data-size="small" href={hashOf({ ...at, page, asOf })}>{name}</a>
    : <span class="button" data-size="small" aria-disabled="true">{name}</span>);
  return (
    <nav class="row" aria-label="Pages">
      {link(currentPage - 1, 'Newer', currentPage > 1)}
      {link(currentPage + 1, 'Older', currentPage < totalPages)}
      <span class="small muted">Page {count(currentPage)} of {count(totalPages)}, {count(totalItems)} rows</span>
    </nav>
  );
}

/** The same of a list without numbers of pages. */
function Further({ at, next }: { at: AccountPlace | ReadsPlace; next: string | null }) {
  if (next === null && at.before === undefined) return null;
  return (
    <nav class="row" aria-label="Pages">
      {at.before !== undefined && <a class="button" data-size="small" href={hashOf({ ...at, before: undefined })}>Newest</a>}
      {next !== null && <a class="button" data-size="small" href={hashOf({ ...at, before: next })}>Older</a>}
    </nav>
  );
}

/** What every list by pages asks. */
const pageOf = ({ page, asOf }: AccountPlace) => ({ page, pageSize: PAGE, asOf });
const pathOf = ({ account: accountId }: AccountPlace) => ({ accountId });

type Shown = Transaction | OneTransaction;

/** The transactions under way with their histories, for which the worker's notes are asked too. */
async function withHistories(answer: Paged<Transaction>): Promise<Paged<Shown>> {
  const asked = answer.data.filter(isUnderWay).slice(0, MOST_READ).map(async ({ txId }) => {
    try {
      return (await read('/api/support/transactions/{txId}', { path: { txId } })).data;
    } catch {
      // The row of the list says less, but where it is.
      return undefined;
    }
  });
  const known = new Map((await Promise.all(asked)).flatMap((one) => (one ? [[one.txId, one] as const] : [])));
  return { ...answer, data: answer.data.map((row) => ({ ...row, ...known.get(row.txId) })) };
}

/** Without these, the list lacks what waits for a signature. */
const STATES: readonly Transaction['state'][] = [
  'unsigned', 'signing', 'broadcasting', 'inMempool', 'confirmed', 'expired', 'replaced', 'failed',
];

function Transactions({ at, title, empty, types }: { at: AccountPlace; title: string; empty: string; types?: readonly Transaction['type'][] }) {
  // The list with states has no `asOf`.
  const query = { page: at.page, pageSize: PAGE, state_eq: STATES, type_eq: types, populate: 'token' };
  const list = useLoad(
    async () => withHistories(await read('/api/support/accounts/{accountId}/transactions', { path: pathOf(at), query })),
    [at.page],
  );
  return (
    <Rows<Shown, Paged<Shown>>
      title={title}
      empty={empty}
      call={list}
      rowKey={idOf}
      columns={[
        { title: 'Where it is', cell: (row) => <Where state={row.state}>{whereIs(row, serviceNow())}</Where> },
        ...(types ? [] : [{ title: 'Kind', cell: ({ type }: Shown) => TYPES[type] }]),
        { title: 'Pays', cell: ({ tokenId, amount, token }) => amountOf(tokenId, amount, token) ?? <span class="muted">the account itself</span> },
        { title: 'To', cell: ({ withdrawTo }) => (withdrawTo === null ? '–' : <Value text={withdrawTo} ends={6} />) },
        { title: 'Made', cell: ({ createdAt }) => when(createdAt) },
        { title: 'Transaction', nowrap: true, cell: ({ txId }) => <Transfer id={txId} /> },
      ]}
      pages={({ metaData }) => <Pages at={at} of={metaData} />}
    />
  );
}

function Withdrawals({ at }: { at: AccountPlace }) {
  return <Transactions at={at} title="Withdrawals" empty="This account has not withdrawn anything." types={['withdraw', 'xchain-withdraw']} />;
}

function AllTransactions({ at }: { at: AccountPlace }) {
  return <Transactions at={at} title="All transactions" empty="This account has no transactions." />;
}

function Refunds({ at }: { at: AccountPlace }) {
  const list = useLoad(() => read('/api/support/accounts/{accountId}/refunds', { path: pathOf(at), query: pageOf(at) }), [at.page]);
  return (
    <Rows<Transaction, Paged<Transaction>>
      title="Refunds"
      empty="This account has not asked for a refund."
      call={list}
      rowKey={idOf}
      columns={[
        { title: 'Where it is', cell: (row) => <Where state={row.state}>{whereIs(row, serviceNow())}</Where> },
        { title: 'Fee', align: 'end', nowrap: true, cell: ({ feeSats }) => sats(feeSats) },
        { title: 'Made', cell: ({ createdAt }) => when(createdAt) },
        { title: 'Transaction', nowrap: true, cell: ({ txId }) => <Transfer id={txId} /> },
      ]}
      pages={({ metaData }) => <Pages at={at} of={metaData} />}
    />
  );
}

function Deposits({ at }: { at: AccountPlace }) {
  const list = useLoad(() => read('/api/support/accounts/{accountId}/deposits', { path: pathOf(at), query: pageOf(at) }), [at.page]);
  return (
    <Rows<Deposit, Paged<Deposit>>
      title="Deposits"
      empty="Nothing was paid to the trading address."
      call={list}
      rowKey={idOf}
      columns={[
        { title: 'Where it is', cell: (row) => <Where state={row.state}>{whereIsDeposit(row, serviceNow())}</Where> },
        { title: 'Sats', align: 'end', nowrap: true, cell: ({ sats: value }) => (value === null ? '–' : count(value)) },
        { title: 'Listed', cell: ({ createdAt }) => when(createdAt) },
        { title: 'Transaction', cell: ({ txId }) => <Value text={txId} ends={6} label="Copy transaction id" /> },
      ]}
      pages={({ metaData }) => <Pages at={at} of={metaData} />}
    />
  );
}

function Swaps({ at }: { at: AccountPlace }) {
  const select = '+failureReason,+failedAtStep,+fillTxHash';
  const query = { ...pageOf(at), select, populate: 'inputToken,outputToken' };
  const list = useLoad(() => read('/api/support/accounts/{accountId}/cross-chain', { path: pathOf(at), query }), [at.page]);
  return (
    <Rows<CrossChain, Paged<CrossChain>>
      title="Swaps and withdrawals at the hub"
      empty="This account has neither swapped nor withdrawn through the hub."
      call={list}
      rowKey={idOf}
      columns={[
        { title: 'Where it is', cell: (row) => <Where state={row.status}>{whereIsCrossChain(row, serviceNow())}</Where> },
        { title: 'Kind', cell: ({ type }) => (type === 'swap' ? 'Swap' : 'Withdrawal') },
        {
          title: 'Exchanges', cell: ({ intent, inputToken, outputToken }) => (
            <span class="cell-lines">
              <span>{amountOf(intent.inputToken, intent.inputAmount, inputToken)}</span>
              {intent.minOutputAmount !== null && <span>for at least {amountOf(intent.outputToken, intent.minOutputAmount, outputToken)}</span>}
            </span>
          ),
        },
        { title: 'To', cell: ({ withdrawTo }) => <Value text={withdrawTo} ends={6} /> },
        {
          title: 'Transactions', cell: ({ type, txId, fillTxHash }) => (
            <span class="cell-lines">
              {type === 'swap' ? <Value text={txId} ends={6} label="Copy intent" /> : <Transfer id={txId} />}
              {fillTxHash && <Value text={fillTxHash} ends={6} label="Copy the transaction that filled it" />}
            </span>
          ),
        },
      ]}
      pages={({ metaData }) => <Pages at={at} of={metaData} />}
    />
  );
}

function Batches({ at }: { at: AccountPlace }) {
  const list = useLoad(() => read('/api/support/accounts/{accountId}/batches', { path: pathOf(at), query: pageOf(at) }), [at.page]);
  return (
    <Rows<Batch, Paged<Batch>>
      title="Batches of mints"
      empty="This account has taken part in no mint."
      call={list}
      rowKey={idOf}
      columns={[
        {
          title: 'Where it is',
          cell: (row) => <Where state={row.state}>{[whereIsBatch(row, serviceNow()), refundOf(row)].filter(Boolean).join(' ')}</Where>,
        },
        { title: 'Rune', cell: ({ runeId }) => <code>{runeId}</code> },
        { title: 'Paid', align: 'end', nowrap: true, cell: ({ paidSats }) => sats(paidSats) },
        { title: 'Made', cell: ({ createdAt }) => when(createdAt) },
        {
          title: 'Transactions', cell: ({ txId, refundTxId }) => (
            <span class="cell-lines"><Transfer id={txId} />{refundTxId !== null && <span>refund <Transfer id={refundTxId} /></span>}</span>
          ),
        },
      ]}
      pages={({ metaData }) => <Pages at={at} of={metaData} />}
    />
  );
}

function Exports({ at }: { at: AccountPlace }) {
  const list = useLoad(() => read('/api/support/accounts/{accountId}/exports', { path: pathOf(at), query: pageOf(at) }), [at.page]);
  return (
    <Rows<Export, Paged<Export>>
      title="Exports"
      empty="This account has exported nothing."
      call={list}
      rowKey={idOf}
      columns={[
        { title: 'Where it is', cell: (row) => <Where state={row.status}>{whereIsExport(row, serviceNow())}</Where> },
        { title: 'What', cell: ({ filter, format }) => `${words(filter.type)}, ${format.toUpperCase()}` },
        { title: 'Requested', cell: ({ createdAt }) => when(createdAt) },
        { title: 'Export', cell: ({ id }) => <Value text={id} ends={6} /> },
      ]}
      pages={({ metaData }) => <Pages at={at} of={metaData} />}
    />
  );
}

function Webhooks({ at }: { at: AccountPlace }) {
  const list = useLoad(() => read('/api/support/accounts/{accountId}/webhooks', { path: pathOf(at) }));
  return (
    <>
      <Rows<Webhook, { data: Webhook[] }>
        title="Webhooks"
        empty="This account has no webhook."
        call={list}
        rowKey={idOf}
        columns={[
          { title: 'How it is', cell: (row) => <Where state={row.state}>{howIsWebhook(row, serviceNow())}</Where> },
          { title: 'Receiver', cell: ({ host }) => <span class="support-url">{host}</span> },
          { title: 'Events', cell: ({ types }) => (types.length === 0 ? 'all' : types.join(', ')) },
          {
            title: 'Deliveries', cell: ({ id }) => (
              <a href={hashOf({ ...at, webhook: id, before: undefined })} aria-current={id === at.webhook ? 'true' : undefined}>
                Deliveries<span class="visually-hidden"> of {short(id, 6)}</span>
              </a>
            ),
          },
        ]}
      />
      {at.webhook !== undefined && <Deliveries key={at.webhook} at={at} webhookId={at.webhook} />}
    </>
  );
}

const CAUSES: Record<Delivery['cause'], string> = { event: 'its turn', redelivery: 'redelivery', test: 'test', verification: 'verification' };

function Deliveries({ at, webhookId }: { at: AccountPlace; webhookId: string }) {
  const query = { limit: PAGE, before: at.before };
  const list = useLoad(
    () => read('/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries', { path: { ...pathOf(at), webhookId }, query }),
    [at.before],
  );
  return (
    <Rows<Delivery, Before<Delivery>>
      title={`Deliveries of the webhook ${short(webhookId, 6)}`}
      empty="Nothing was sent in the last 30 days."
      call={list}
      rowKey={idOf}
      columns={[
        {
          title: 'Outcome', cell: ({ delivered, status, error }) => (
            <span class="cell-lines">
              <span class="row"><Pill tone={delivered ? 'ok' : 'bad'}>{delivered ? 'delivered' : 'failed'}</Pill>{status !== null && <span class="num">{status}</span>}</span>
              {error !== null && <span>{error}</span>}
            </span>
          ),
        },
        { title: 'Event', cell: ({ type, eventId }) => <span title={eventId}>{type}</span> },
        { title: 'Why', cell: ({ cause, attempt }) => (attempt > 1 ? `${CAUSES[cause]}, try ${attempt}` : CAUSES[cause]) },
        { title: 'Sent', cell: ({ at: sent }) => when(sent) },
        { title: 'Took', align: 'end', nowrap: true, cell: ({ durationMs }) => `${count(durationMs)} ms` },
      ]}
      pages={({ metaData: { next } }) => <Further at={at} next={next} />}
    />
  );
}

function ActivityRows({ at }: { at: AccountPlace }) {
  const list = useLoad(() => read('/api/support/accounts/{accountId}/activity', { path: pathOf(at), query: pageOf(at) }), [at.page]);
  return (
    <Rows<Activity, Paged<Activity>>
      title="Activity"
      empty="Nothing has changed how the account is accessed."
      call={list}
      rowKey={idOf}
      columns={[
        { title: 'What', cell: ({ change }) => words(change) },
        { title: 'When', cell: ({ createdAt }) => when(createdAt) },
        { title: 'From', cell: ({ sourceHash }) => (sourceHash === null ? '–' : <code title="Equal values mean equal addresses">{sourceHash.slice(0, 8)}</code>) },
        { title: 'Session', cell: ({ sessionId }) => (sessionId === null ? '–' : <code title={sessionId}>{short(sessionId, 4)}</code>) },
        { title: 'Request', cell: ({ requestId }) => <Value text={requestId} ends={6} label="Copy request id" /> },
      ]}
      pages={({ metaData }) => <Pages at={at} of={metaData} />}
    />
  );
}

const whoAsked: Column<Read> = {
  title: 'By the admin',
  cell: ({ adminId }) => <a href={readsOf(adminId)} title={adminId}><code>{short(adminId, 6)}</code></a>,
};
const whoseData: Column<Read> = {
  title: 'Of',
  cell: ({ accountIds }) => (accountIds.length === 0 ? '–' : (
    <span class="cell-lines">{accountIds.map((id) => <a key={id} href={listOf(id)} title={id}><code>{short(id, 6)}</code></a>)}</span>
  )),
};

/** The record of reads, of which either the reader or the account is known. */
function ReadRows({ at, of, title, who }: { at: AccountPlace | ReadsPlace; of: Record<string, string>; title: string; who: Column<Read> }) {
  const list = useLoad(() => read('/api/support/reads', { query: { ...of, limit: PAGE, before: at.before } }), [at.before]);
  return (
    <Rows<Read, Before<Read>>
      title={title}
      empty="Nobody has read anything."
      call={list}
      rowKey={idOf}
      columns={[
        { title: 'What', cell: whatWasRead },
        { title: 'Asked for', cell: ({ query: text }) => (text === null ? '–' : <span class="support-url">{text}</span>) },
        { title: 'When', cell: ({ at: time }) => when(time) },
        who,
        { title: 'Request', cell: ({ requestId }) => <Value text={requestId} ends={6} label="Copy request id" /> },
      ]}
      pages={({ metaData: { next } }) => <Further at={at} next={next} />}
    />
  );
}

function Reads({ at }: { at: AccountPlace }) {
  return <ReadRows at={at} of={{ accountId: at.account }} title="Who read the data of this account" who={whoAsked} />;
}

/** What an admin has read. */
export function ReadsOfAdmin({ at }: { at: ReadsPlace }) {
  return (
    <Section title="Reads of an admin" description="Searches and lists, the newest first. This list too is a read.">
      <ReadRows at={at} of={{ adminId: at.admin }} title={`What the admin ${short(at.admin, 6)} has read`} who={whoseData} />
    </Section>
  );
}

const SHOWN: Record<List, (props: { at: AccountPlace }) => ComponentChildren> = {
  withdrawals: Withdrawals, transactions: AllTransactions, deposits: Deposits, swaps: Swaps, batches: Batches, refunds: Refunds, exports: Exports,
  webhooks: Webhooks, activity: ActivityRows, reads: Reads,
};

/** One list of an account. */
export function ListOf({ at }: { at: AccountPlace }) {
  const Shown = SHOWN[at.list];
  return <Shown at={at} />;
}
