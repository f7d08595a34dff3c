import { Button, EmptyState, Pill, StatusPill, Table } from '../../components/index.ts';
import { count, plural, words } from '../../lib/format.ts';
import { opened, type Webhook } from './model.ts';

const WHY: Record<NonNullable<Webhook['offReason']>, string> = {
  owner: 'You switched it off.',
  gone: 'The receiver answered 410.',
  failing: 'Nothing was delivered for five days.',
  disabled: 'An operator disabled the account.',
};

function State({ webhook: { state, offReason, failures } }: { webhook: Webhook }) {
  return (
    <span class="row">
      <StatusPill status={state} />
      {offReason !== null && <span class="small muted">{WHY[offReason]}</span>}
      {failures !== null && <Pill tone="warn">{plural(failures.tries, 'failed try', 'failed tries')}</Pill>}
    </span>
  );
}

/** The webhooks of the account. */
export function List({ rows, shown }: { rows: readonly Webhook[]; shown: string | undefined }) {
  if (rows.length === 0) return <EmptyState title="No webhook yet">Add one above. The address of the local receiver is filled in.</EmptyState>;
  return (
    <Table<Webhook>
      caption="Webhooks"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Address', cell: ({ url, note }) => <span class="hook-url"><code>{url}</code>{note !== null && <small>{note}</small>}</span> },
        { title: 'Types', cell: ({ types }) => (types.length === 0 ? 'all' : <span title={types.join(', ')}>{types.length === 1 ? words(types[0] ?? '') : plural(types.length, 'type')}</span>) },
        { title: 'State', cell: (webhook) => <State webhook={webhook} /> },
        { title: 'Delivered up to', align: 'end', cell: ({ delivered }) => (delivered === null ? '' : count(delivered)) },
        {
          title: 'Open', quiet: true, cell: ({ id, url }) => (
            <Button size="small" pressed={shown === id} onClick={() => { opened.value = id; }}>
              Open<span class="visually-hidden"> {url}</span>
            </Button>
          ),
        },
      ]}
    />
  );
}
