import { call } from '@runeport/client';
import { useState } from 'preact/hooks';

import { Button, EmptyState, ErrorState, Loaded, Pill, Section, Table, useCall, useLoad } from '../../components/index.ts';
import { ago, count, when } from '../../lib/format.ts';
import { api } from '../../stores/session.ts';
import { asked, type Delivery, useDeliveries } from './model.ts';

const CAUSES: Record<Delivery['cause'], string> = { event: 'its turn', redelivery: 'redelivery', test: 'test', verification: 'verification' };

function Outcome({ of: { delivered, status, error, answer } }: { of: Delivery }) {
  return (
    <span class="hook-outcome">
      <span class="row">
        <Pill tone={delivered ? 'ok' : 'bad'}>{delivered ? 'delivered' : 'failed'}</Pill>
        {status !== null && <span class="num">{status}</span>}
      </span>
      {error !== null && <small>{error}</small>}
      {answer !== null && <code>{answer}</code>}
    </span>
  );
}

/** The attempts of a webhook to deliver something, newest first. */
export function Deliveries({ webhookId: id }: { webhookId: string }) {
  const [before, setBefore] = useState<string | undefined>(undefined);
  const { cause, again } = useDeliveries();
  const path = { id };
  const list = useLoad(
    () => call(api, 'get', '/api/webhooks/{id}/deliveries', { params: { path, query: { limit: 10, before } } }),
    [id, before, cause],
    { again },
  );
  const redeliver = useCall(async (sequence: number) => {
    await call(api, 'post', '/api/webhooks/{id}/deliveries/{sequence}/redeliver', { params: { path: { id, sequence } } });
    asked.value += 1;
    setBefore(undefined);
  }, { done: 'The event is sent once more.' });
  return (
    <Section
      title="Deliveries"
      description="The attempts of the last 30 days, newest first, with the first kilobyte of each answer."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload deliveries</Button>}
    >
      {redeliver.error && <ErrorState failure={redeliver.error} />}
      <Loaded call={list}>
        {({ data: rows, metaData: { next } }) => (rows.length === 0 ? (
          <EmptyState title="Nothing was sent yet">Send a test, or do something that has an event: request an export, withdraw, swap.</EmptyState>
        ) : (
          <>
            <Table<Delivery>
              caption="Deliveries"
              rows={rows}
              rowKey={({ id: sent }) => sent}
              columns={[
                { title: 'Sent', nowrap: true, cell: ({ at }) => <span title={when(at)}>{ago(at)}</span> },
                { title: 'Event', cell: ({ sequence, type, eventId }) => <span title={eventId}>{sequence === null ? '' : <span class="num">{count(sequence)} </span>}<code>{type}</code></span> },
                { title: 'Why', cell: ({ cause: why, attempt }) => (attempt > 1 ? `${CAUSES[why]}, try ${attempt}` : CAUSES[why]) },
                { title: 'Outcome', cell: (row) => <Outcome of={row} /> },
                { title: 'Took', align: 'end', nowrap: true, cell: ({ durationMs }) => `${count(durationMs)} ms` },
                {
                  title: 'Redeliver', quiet: true, cell: ({ sequence }) => sequence !== null && (
                    <Button size="small" disabled={redeliver.busy} onClick={() => void redeliver.run(sequence)}>
                      Redeliver<span class="visually-hidden"> event {sequence}</span>
                    </Button>
                  ),
                },
              ]}
            />
            <div class="row" role="group" aria-label="Pages of deliveries">
              <Button size="small" disabled={before === undefined} onClick={() => setBefore(undefined)}>Newest deliveries</Button>
              <Button size="small" disabled={next === null} onClick={() => setBefore(next ?? undefined)}>Older deliveries</Button>
            </div>
          </>
        ))}
      </Loaded>
    </Section>
  );
}
