import { call, rows as listRows } from '@runeport/client';
import { type Export, type ExportRequest, requestExport } from '@runeport/client/exports';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import { announce } from '../app/announce.tsx';
import {
  Button, Callout, EmptyState, ErrorState, Facts, Field, Form, Loaded, Section, Select, StatusPill, Table, useCall, useLoad, Value,
} from '../components/index.ts';
import { ago, count, plural, when, words } from '../lib/format.ts';
import { readCsv } from '../lib/csv.ts';
import { changes } from '../stores/live.ts';
import { localCall } from '../stores/local.ts';
import { api } from '../stores/session.ts';
import '../styles/export.css';
import '../styles/progress.css';

type Kind = NonNullable<NonNullable<ExportRequest['filter']>['type']>;

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'swap', label: 'Cross-chain transactions' },
  { value: 'all', label: 'Everything that moved' },
  { value: 'withdraw', label: 'Withdrawals only' },
  { value: 'virtual_mint', label: 'Virtual mints' },
  { value: 'refund', label: 'Refunds' },
];

const turn = signal(0);
const shown = signal<string | undefined>(undefined);

const isUnderWay = ({ status }: Export): boolean => status === 'pending' || status === 'processing';

function size(bytes: number): string {
  return bytes < 1024 ? `${count(bytes)} bytes` : `${count(Math.round(bytes / 1024))} KiB`;
}

/** The value of a date and time field, in UTC as the service reads it. */
const moment = (local: string): string | undefined => (local === '' ? undefined : new Date(local).toISOString());

function Ask() {
  const [type, setType] = useState<Kind>('swap');
  const [chain, setChain] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const ask = useCall(async () => {
    const filter = {
      type,
      ...(chain.trim() !== '' && { chain: chain.trim() }),
      ...(moment(from) !== undefined && { from: moment(from) }),
      ...(moment(to) !== undefined && { to: moment(to) }),
    };
    const asked = await requestExport(api, { format: 'csv', filter });
    shown.value = asked.id;
    turn.value += 1;
    return asked;
  }, { done: 'The export was requested.' });
  const fields = ask.error?.fields ?? {};
  const of = (name: string) => fields[`filter.${name}`] ?? fields[name];
  return (
    <Section title="Request a file" description="The file contains the current rows of your history. The service creates it in the background and keeps it for seven days.">
      <Form onSubmit={() => void ask.run()} failure={ask.error} label="Export">
        <Select label="Type" name="type" span={6} value={type} options={KINDS} onChange={setType} error={of('type')} />
        <Field label="Chain" name="chain" span={6} value={chain} onInput={setChain} hint="“bitcoin” or the hub’s chain id; empty for any chain" error={of('chain')} />
        <Field label="From" name="from" span={6} type="datetime-local" value={from} onInput={setFrom} hint="Empty: 366 days before the end" error={of('from')} />
        <Field label="To" name="to" span={6} type="datetime-local" value={to} onInput={setTo} hint="Empty: now" error={of('to')} />
        <div class="row"><Button type="submit" kind="primary" icon="download" busy={ask.busy}>Request the CSV</Button></div>
      </Form>
      {ask.error && <ErrorState failure={ask.error} />}
    </Section>
  );
}

/** Rows in the preview. */
const SHOWN = 8;

/** A preview of the file. */
function Preview({ url }: { url: string }) {
  const file = useLoad(async () => readCsv(String(await localCall<unknown>(url))), [url]);
  return (
    <Loaded call={file}>
      {({ header, rows }) => rows.length === 0 ? (
        <EmptyState title="The file has a header and no rows">Your history has no rows of this type in that time. Make a withdrawal or register a swap, then request the file again.</EmptyState>
      ) : (
        <div class="stack-s">
          <p class="small muted">{rows.length > SHOWN ? `The first ${SHOWN} of ${plural(rows.length, 'row')}` : plural(rows.length, 'row')}</p>
          <div class="csv">
            <Table
              caption="First rows of the file"
              rows={rows.slice(0, SHOWN).map((cells, index) => ({ cells, index }))}
              rowKey={({ index }) => String(index)}
              columns={header.map((title, column) => ({ title, nowrap: true, cell: ({ cells }: { cells: string[] }) => <span title={cells[column]}>{cells[column]}</span> }))}
            />
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** Shows the progress of an export, then its file. */
function Watched({ id }: { id: string }) {
  const told = changes('export.completed', 'export.failed');
  const read = useLoad(async () => (await call(api, 'get', '/api/download-histories/{id}', { params: { path: { id } } })).data, [id, told]);
  const row = read.data;
  useEffect(() => {
    if (row && !isUnderWay(row)) announce(row.status === 'completed' ? `The file is ready: ${plural(row.rowCount, 'row')}.` : 'The export ended without a file.');
  }, [row?.status]);
  const under = row === undefined || isUnderWay(row);
  return (
    <Section
      anchor="export"
      title={row ? `Export of ${KINDS.find(({ value }) => value === row.filter.type)?.label.toLowerCase()}` : 'Export'}
      actions={row && <StatusPill status={row.status} />}
    >
      {read.error && <ErrorState failure={read.error} onRetry={() => void read.reload()} />}
      <div class="stack-s">
        <progress class="bar-progress" aria-label="Progress of the export" {...(under ? {} : { value: 1, max: 1 })} data-status={row?.status} />
        <p class="small muted num" role="status">
          {row === undefined ? 'Loading' : `${words(row.status)}, ${plural(row.rowCount, 'row')}${row.sizeBytes > 0 ? `, ${size(row.sizeBytes)}` : ''}`}
        </p>
      </div>
      {row?.status === 'failed' && <Callout tone="bad">{row.error ?? 'The service could not create the file.'}</Callout>}
      {row?.status === 'expired' && <Callout tone="warn">The service deleted the file after seven days. Request a new one.</Callout>}
      {row?.url != null && row.status === 'completed' && (
        <>
          <div class="row">
            <a class="button" data-kind="primary" href={row.url} download={`runeport-${row.filter.type}.csv`}>Download the CSV</a>
            {row.urlExpiresAt != null && <span class="small muted">The link is valid until {when(row.urlExpiresAt)}. To get a new link, reload.</span>}
          </div>
          <Preview url={row.url} />
        </>
      )}
      {row && <Facts of={[['From', when(row.filter.from)], ['To', when(row.filter.to)], ['Chain', row.filter.chain ?? 'any'], ['Export', <Value text={row.id} ends={8} />]]} />}
    </Section>
  );
}

function List() {
  const list = useLoad(async () => {
    const found: Export[] = [];
    for await (const row of listRows(api, '/api/download-histories', { pageSize: 20 })) {
      found.push(row);
      if (found.length === 20) break;
    }
    return found;
  }, [turn.value, changes('export.completed', 'export.failed')]);
  return (
    <Section
      title="Your exports"
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload</Button>}
    >
      <Loaded call={list}>
        {(rows) => rows.length === 0 ? (
          <EmptyState title="No export yet">Request an export above. It appears here, with its link, for seven days.</EmptyState>
        ) : (
          <>
            <Table
              caption="Exports"
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                { title: 'Type', cell: ({ filter }) => words(filter.type) },
                { title: 'Requested', nowrap: true, cell: ({ createdAt }) => ago(createdAt) },
                { title: 'Status', cell: ({ status }) => <StatusPill status={status} /> },
                { title: 'Rows', align: 'end', cell: ({ rowCount }) => count(rowCount) },
                { title: 'Size', align: 'end', nowrap: true, cell: ({ sizeBytes }) => (sizeBytes === 0 ? '–' : size(sizeBytes)) },
                {
                  title: 'Show', quiet: true, cell: ({ id, filter }) => (
                    <Button size="small" pressed={shown.value === id} onClick={() => { shown.value = id; }}>
                      Show<span class="visually-hidden"> the export of {words(filter.type)}</span>
                    </Button>
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Exports() {
  return (
    <>
      <Ask />
      {shown.value !== undefined && <Watched key={shown.value} id={shown.value} />}
      <List />
    </>
  );
}

export default Exports;
