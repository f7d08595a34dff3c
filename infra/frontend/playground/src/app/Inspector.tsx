import { toCurl, toHar } from '@runeport/client/inspect';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { EmptyState } from '../components/States.tsx';
import { Icon } from '../components/Icon.tsx';
import { CodeBlock, JsonView } from '../components/Json.tsx';
import { Tabs } from '../components/Layout.tsx';
import { Waterfall } from './Waterfall.tsx';
import { type Call, inspector, inspectorScope, shownCalls } from '../stores/calls.ts';

type View = 'exchange' | 'spans' | 'curl' | 'code';
const VIEWS: { id: View; title: string }[] = [
  { id: 'exchange', title: 'Request & response' },
  { id: 'spans', title: 'Spans' },
  { id: 'curl', title: 'curl' },
  { id: 'code', title: 'Client code' },
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
  const views = requestId === undefined ? VIEWS.filter((one) => one.id !== 'spans') : VIEWS;
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
          <span class="call-path">{path}</span>
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
          </Tabs>
        </div>
      )}
    </li>
  );
}

/** Saves all calls as a file that the network panels of browsers open. */
function saveHar() {
  const url = URL.createObjectURL(new Blob([JSON.stringify(toHar(inspector.exchanges))], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'runeport.har';
  link.click();
  URL.revokeObjectURL(url);
}

/** All calls of the page, newest first. */
export function Inspector({ onClose, over }: { onClose: () => void; over: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // If the inspector covers the panel, it takes the focus.
    if (over) heading.current?.focus();
  }, [over]);
  const [open, setOpen] = useState<number | undefined>(undefined);
  const [view, setView] = useState<View>('exchange');
  const shown = shownCalls.value;
  const all = inspectorScope.value === 'all';
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
      <div class="calls-list" tabIndex={0} role="region" aria-label="List of calls">
        {shown.length === 0 ? (
          <div style={{ padding: '16px' }}>
            <EmptyState title="No calls yet">
              Each call of the panel appears here with its request and response, as curl and as code.
            </EmptyState>
          </div>
        ) : (
          <ol role="list">
            {shown.map((call) => (
              <Entry
                key={call.exchange.id}
                call={call}
                open={open === call.exchange.id}
                onToggle={() => setOpen(open === call.exchange.id ? undefined : call.exchange.id)}
                view={view}
                onView={setView}
              />
            ))}
          </ol>
        )}
      </div>
    </aside>
  );
}
