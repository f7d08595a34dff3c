import { toCurl, toHar } from '@runeport/client/inspect';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { Field, TextArea } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { EmptyState, ErrorState, LoadingState } from '../components/States.tsx';
import { useCall, useLoad } from '../components/useCall.ts';
import { Icon } from '../components/Icon.tsx';
import { CodeBlock, JsonView } from '../components/Json.tsx';
import { Tabs } from '../components/Layout.tsx';
import { type Document, type Draft, draftOf } from '../lib/draft.ts';
import { saveText } from '../lib/save.ts';
import { Waterfall } from './Waterfall.tsx';
import { plural } from '../lib/format.ts';
import { type Act, acts, causeOf } from '../stores/acts.ts';
import { type Call, inspector, inspectorScope, pending, shownCalls } from '../stores/calls.ts';
import { BASE, localCall } from '../stores/local.ts';
import { api } from '../stores/session.ts';
import { closeTried, tried } from '../stores/tried.ts';
import { panelId } from './router.ts';

type View = 'exchange' | 'spans' | 'curl' | 'code' | 'edit';
const VIEWS: { id: View; title: string }[] = [
  { id: 'exchange', title: 'Request & response' },
  { id: 'spans', title: 'Spans' },
  { id: 'curl', title: 'curl' },
  { id: 'code', title: 'Client code' },
  { id: 'edit', title: 'Edit' },
];

function tone(status: number | undefined): string {
  if (status === undefined || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'ok';
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <div class="call-part">
      <h4>{title}</h4>
      <JsonView value={value} label={title} />
    </div>
  );
}

function Whole({ call: { exchange, sent, answered } }: { call: Call }) {
  return (
    <div class="stack-s">
      <Part title="Request headers" value={exchange.requestHeaders} />
      {sent !== undefined && <Part title="Request" value={sent} />}
      {answered !== undefined && <Part title="Response" value={answered} />}
      {exchange.error !== undefined && <Part title="Error" value={exchange.error} />}
    </div>
  );
}

/** Ids in the middle of a path are shortened, so that its end can be seen. */
const shortPath = (path: string): string =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(?:0x)?[0-9a-f]{32,}|bcrt1[a-z0-9]{20,}/g, (id) => `${id.slice(0, 6)}…`);

/** A call whose path and body the user may change, with the tokens of this session. */
function Edit({ method, path: before, body: sent }: Pick<Draft, 'method' | 'path' | 'body'>) {
  const [path, setPath] = useState(before);
  const [body, setBody] = useState(sent === undefined ? '' : JSON.stringify(sent, null, 2));
  const send = useCall(async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await api.send(new Request(new URL(path, BASE), { method, headers, ...(body.trim() !== '' && { body }) }));
    return answer.status;
  }, { done: (status) => `The service answered ${status}. The call is the newest of the list.` });
  let problem: string | undefined;
  try {
    if (body.trim() !== '') JSON.parse(body);
  } catch {
    problem = 'This is not JSON.';
  }
  return (
    <Form onSubmit={() => void send.run()} label="Edit and send">
      <Field label={`${method} to`} mono value={path} onInput={setPath} />
      {method !== 'GET' && (
        <TextArea label="Body" mono rows={8} value={body} onInput={setBody} error={problem} hint="Secrets are not recorded: replace each *** by a value." />
      )}
      <div class="row"><Button type="submit" size="small" kind="primary" busy={send.busy} disabled={problem !== undefined}>Send</Button></div>
      {send.error && <ErrorState failure={send.error} />}
    </Form>
  );
}

/** The operation that a link of the reference names, with the values of its example. */
function Tried({ id }: { id: string }) {
  const load = useLoad(async () => draftOf(await localCall<Document>('/api/openapi.json', { quiet: true }), id), [id]);
  const draft = load.data;
  return (
    <div class="calls-group" role="group" aria-label="From the reference">
      <h3>From the reference{draft && <>: <a href={`/api/docs#${id}`}>{draft.title}</a></>}</h3>
      <div class="call-body stack-s">
        {load.error ? <ErrorState failure={load.error} onRetry={() => void load.reload()} />
          : draft ? <Edit key={id} {...draft} />
            : load.state === 'loading' || load.state === 'idle' ? <LoadingState lines={3} label="Loading the operation" />
              : <p>The reference has no operation {id} that can be called.</p>}
        <div class="row"><Button kind="quiet" size="small" icon="close" onClick={closeTried}>Close</Button></div>
      </div>
    </div>
  );
}

function Entry({ call, open, onToggle, view, onView }: {
  call: Call;
  open: boolean;
  onToggle: () => void;
  view: View;
  onView: (view: View) => void;
}) {
  const { exchange, path, code } = call;
  const { id, method, status, durationMs, responseHeaders } = exchange;
  // Only the service records what it does.
  const requestId = responseHeaders['x-request-id'];
  const views = requestId === undefined ? VIEWS.filter((one) => one.id !== 'spans' && one.id !== 'edit') : VIEWS;
  const shown = views.some((one) => one.id === view) ? view : 'exchange';
  return (
    <li class="call">
      <h3 style={{ font: 'inherit' }}>
        <button
          type="button"
          class="call-toggle"
          aria-expanded={open}
          aria-controls={`call-${id}`}
          onClick={onToggle}
          title={open ? undefined : path}
        >
          <span class="chevron"><Icon name="chevron" size={12} /></span>
          <span class="call-method">{method}</span>
          <span class="call-path">{open ? path : shortPath(path)}</span>
          <span class="call-status" data-tone={tone(status)}>{status ?? 'failed'}</span>
          <span class="call-ms">{Math.round(durationMs)} ms</span>
        </button>
      </h3>
      {open && (
        <div class="call-body" id={`call-${id}`}>
          <Tabs tabs={views} value={shown} onChange={onView} label="View of the call" size="small">
            {shown === 'exchange' && <Whole call={call} />}
            {shown === 'spans' && requestId !== undefined && <Waterfall requestId={requestId} />}
            {shown === 'curl' && <CodeBlock text={toCurl(exchange)} label="curl" />}
            {shown === 'code' && <CodeBlock text={code} label="Client code" />}
            {shown === 'edit' && <Edit method={method} path={path} body={call.sent} />}
          </Tabs>
        </div>
      )}
    </li>
  );
}

/** Saves all calls as a file that the network panels of browsers open. */
const saveHar = (): void => saveText('runeport.har', JSON.stringify(toHar(inspector.exchanges)), 'application/json');

type Only = 'all' | 'changes' | 'failures';
const KINDS: Record<Only, (call: Call) => boolean> = {
  all: () => true,
  changes: ({ exchange }) => exchange.method !== 'GET',
  failures: ({ exchange }) => exchange.status === undefined || exchange.status >= 400,
};

const matches = ({ exchange, path }: Call, text: string): boolean =>
  text === '' || [exchange.method, path, exchange.requestBody, exchange.responseBody].some((part) => String(part ?? '').toLowerCase().includes(text));

interface Group {
  key: number;
  label: string;
  own: Call[];
  /** What the page called by itself afterwards. */
  reloads: Call[];
}

/** Groups that the user has unfolded. */
const unfolded = new Set<number>();

/** The calls by what the user had done, newest first. */
function groupsOf(list: readonly Call[], known: readonly Act[]): Group[] {
  const groups = new Map<number, Group>();
  for (const call of list) {
    const { act, isReload } = causeOf(call.exchange.startedAt, known);
    const key = act?.startedAt ?? 0;
    const group = groups.get(key) ?? { key, label: act?.label ?? 'The page', own: [], reloads: [] };
    groups.set(key, group);
    (isReload ? group.reloads : group.own).push(call);
  }
  return [...groups.values()].sort((a, b) => b.key - a.key);
}

/** All calls of the page by what caused them, newest first. */
export function Inspector({ onClose, over }: { onClose: () => void; over: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // If the inspector covers the panel, it takes the focus.
    if (over) heading.current?.focus();
  }, [over]);
  const [open, setOpen] = useState<number | undefined>(undefined);
  const [view, setView] = useState<View>('exchange');
  const [text, setText] = useState('');
  const [only, setOnly] = useState<Only>('all');
  const all = inspectorScope.value === 'all';
  const isFiltered = text.trim() !== '' || only !== 'all';
  const shown = shownCalls.value.filter((call) => KINDS[only](call) && matches(call, text.trim().toLowerCase()));
  const waiting = isFiltered ? [] : pending.value.filter(({ panel }) => all || panel === panelId.value);
  const [first] = waiting;
  const entry = (call: Call) => (
    <Entry
      key={call.exchange.id}
      call={call}
      open={open === call.exchange.id}
      onToggle={() => setOpen(open === call.exchange.id ? undefined : call.exchange.id)}
      view={view}
      onView={setView}
    />
  );
  return (
    <aside class="calls" id="calls" aria-labelledby="calls-title">
      <div class="calls-head">
        <h2 id="calls-title" ref={heading} tabIndex={-1}>Calls</h2>
        <div class="tabs" data-size="small" role="group" aria-label="Shown calls">
          <button type="button" aria-pressed={!all} onClick={() => { inspectorScope.value = 'panel'; }}>This panel</button>
          <button type="button" aria-pressed={all} onClick={() => { inspectorScope.value = 'all'; }}>All</button>
        </div>
        <Button kind="quiet" size="small" icon="download" iconOnly onClick={saveHar}>Download all calls as HAR</Button>
        <Button kind="quiet" size="small" icon="trash" iconOnly onClick={inspector.clear}>Clear calls</Button>
        <Button kind="quiet" size="small" icon="close" iconOnly onClick={onClose}>Hide calls</Button>
      </div>
      <div class="calls-filter" role="search" aria-label="Filter calls">
        <input type="search" aria-label="Text in a call" placeholder="Filter" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <select aria-label="Kind of call" value={only} onChange={(event) => setOnly(event.currentTarget.value as Only)}>
          <option value="all">all</option>
          <option value="changes">changes</option>
          <option value="failures">failures</option>
        </select>
      </div>
      <p class="calls-waiting">
        {first !== undefined && (
          <>
            <span class="spinner" aria-hidden="true" />
            <span class="call-path">{first.method} {shortPath(first.url.host === location.host ? first.url.pathname : first.url.href)}</span>
            <span>no answer yet{waiting.length > 1 && `, and ${waiting.length - 1} more`}</span>
          </>
        )}
      </p>
      <div class="calls-list" tabIndex={0} role="region" aria-label="List of calls">
        {tried.value !== undefined && <Tried key={tried.value} id={tried.value} />}
        {shown.length === 0 && waiting.length === 0 ? (
          <div style={{ padding: '16px' }}>
            <EmptyState title={isFiltered ? 'No call matches' : 'No calls yet'}>
              {isFiltered ? 'Another text, or fewer conditions, may find it.' : 'Each call of the panel appears here with its request and response, as curl and as code.'}
            </EmptyState>
          </div>
        ) : groupsOf(shown, acts.value).map(({ key, label, own, reloads }) => (
          <div key={key} class="calls-group" role="group" aria-label={label}>
            <h3>{label}</h3>
            {own.length > 0 && <ol role="list">{own.map(entry)}</ol>}
            {reloads.length > 0 && (
              <details open={isFiltered || unfolded.has(key)} onToggle={(event) => {
                if (event.currentTarget.open) unfolded.add(key);
                else unfolded.delete(key);
              }}>
                <summary>{plural(reloads.length, 'reload')} since</summary>
                <ol role="list">{reloads.map(entry)}</ol>
              </details>
            )}
          </div>
        ))}
      </div>
    </aside>
  );
}
