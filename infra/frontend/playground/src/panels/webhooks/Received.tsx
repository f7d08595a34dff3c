import { Button, EmptyState, JsonView, Loaded, More, Pill, Section, Table, useLoad } from '../../components/index.ts';
import { ago, plural, when } from '../../lib/format.ts';
import { levers, type ReceivedHook } from '../../stores/local.ts';
import { account } from '../../stores/session.ts';
import { request, useDeliveries } from './model.ts';
import { VERIFY_FORM } from './Verify.tsx';

/** Each change of an address adds a request that verifies it. */
const MOST = 20;

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

const typeOf = (body: unknown): string =>
  (typeof body === 'object' && body !== null && 'type' in body ? String(body.type) : 'unknown');

/** Fills the form below, and moves there. */
function verifyLater({ id, timestamp, signature, body }: ReceivedHook): void {
  request.value = { headers: `webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}`, body };
  document.getElementById(VERIFY_FORM)?.querySelector<HTMLElement>('input')?.focus();
}

/** What the receiver of the local world got for this account. */
export function Received() {
  const id = account.value?.id;
  const { cause, again } = useDeliveries();
  const list = useLoad(
    async () => (await levers.hooks()).filter((hook) => hook.account === id).reverse().slice(0, MOST),
    [id, cause],
    { again },
  );
  return (
    <Section
      title="What the local receiver got"
      description="The receiver of the local world keeps the last requests and checks their signatures by the secrets of your webhooks. A rotated secret has two signatures."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload requests</Button>}
    >
      <Loaded call={list}>
        {(rows) => (rows.length === 0 ? <EmptyState title="Nothing arrived yet">Add a webhook to the local receiver, then send a test.</EmptyState> : (
          <Table<ReceivedHook & { index: number }>
            caption="Received requests"
            rows={rows.map((row, index) => ({ ...row, index }))}
            rowKey={({ id: event, at, index }) => `${event} ${at} ${index}`}
            columns={[
              { title: 'Arrived', nowrap: true, cell: ({ at }) => <span title={when(at)}>{ago(at)}</span> },
              { title: 'Event', cell: ({ body }) => <code>{typeOf(parsed(body))}</code> },
              {
                title: 'Signatures', nowrap: true, cell: ({ validSignatures }) => (
                  <Pill tone={validSignatures > 0 ? 'ok' : 'bad'}>{validSignatures === 0 ? 'none holds' : `${plural(validSignatures, 'signature')} ${validSignatures === 1 ? 'holds' : 'hold'}`}</Pill>
                ),
              },
              { title: 'Answered', align: 'end', cell: ({ status }) => status },
              {
                title: 'Verify', quiet: true, cell: (hook) => (
                  <Button size="small" onClick={() => verifyLater(hook)}>Verify<span class="visually-hidden"> {hook.id}</span></Button>
                ),
              },
              { title: 'Body', cell: ({ id: event, body }) => <More title="Body"><JsonView value={parsed(body)} label={`Body of ${event}`} /></More> },
            ]}
          />
        ))}
      </Loaded>
    </Section>
  );
}
