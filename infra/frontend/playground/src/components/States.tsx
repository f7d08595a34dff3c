import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Failure } from '../lib/failure.ts';
import { plural } from '../lib/format.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './Copy.tsx';

export function LoadingState({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} style={{ width: `${[92, 74, 83, 60][line % 4]}%` }} />
      ))}
    </div>
  );
}

export function EmptyState({ title, children, action }: {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="state">
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** The last part of a field's name, which inputs have: `params.amount` is the input `amount`. */
const inputOf = (field: string): string => field.split('.').at(-1) ?? field;

/** The fields of the failure that no input next to it shows. */
function useElsewhere(failure: Failure, box: RefObject<HTMLElement | null>): string[] {
  const all = Object.keys(failure.fields);
  const [left, setLeft] = useState(all);
  useLayoutEffect(() => {
    const around = box.current?.closest('.section, dialog') ?? document.body;
    const shown = new Set([...around.querySelectorAll<HTMLInputElement>('[name][aria-invalid="true"]')].map(({ name }) => name));
    setLeft(all.filter((field) => !shown.has(inputOf(field))));
  }, [failure]);
  return left.filter((field) => field in failure.fields);
}

/** An error of the service or the page: message, request id, and the errors of fields that no input shows. */
export function ErrorState({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const fields = useElsewhere(failure, box).map((field) => [field, failure.fields[field]] as const);
  const marked = Object.keys(failure.fields).length - fields.length;
  return (
    <div class="failure" role="alert" ref={box}>
      <strong>{marked > 0 ? `Check ${plural(marked, 'field')}.` : failure.title}</strong>
      {failure.details !== undefined && marked === 0 && <p>{failure.details}</p>}
      {fields.length > 0 && (
        <ul>
          {fields.map(([field, message]) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {failure.message !== undefined && (
        <div class="failure-meta">
          {failure.message !== undefined && <span><code>{failure.message}</code></span>}
          {failure.code !== undefined && <span>code {failure.code}</span>}
          {failure.status !== undefined && <span>HTTP {failure.status}</span>}
          {failure.requestId !== undefined && (
            <span class="value">
              request <code>{failure.requestId}</code>
              <CopyButton text={failure.requestId} label="Copy request id" />
            </span>
          )}
        </div>
      )}
      {onRetry && (
        <div>
          <Button size="small" icon="refresh" onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

export function Callout({ tone = 'info', children }: {
  tone?: 'info' | 'ok' | 'warn' | 'bad' | 'plain';
  children: ComponentChildren;
}) {
  return (
    <div class="callout" data-tone={tone}>
      {children}
    </div>
  );
}

/** Shows the service's warnings. */
export function Warnings({ list }: { list: readonly { kind: string; message: string }[] }) {
  if (list.length === 0) return null;
  return (
    <Callout tone="warn">
      {list.map(({ kind, message }) => <p key={kind}>{message}</p>)}
    </Callout>
  );
}
