import type { ComponentChildren } from 'preact';

import type { Failure } from '../lib/failure.ts';
import { words } from '../lib/format.ts';
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

/** An error of the service or the page: message, field errors, and request id. */
export function ErrorState({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const fields = Object.entries(failure.fields);
  return (
    <div class="failure" role="alert">
      <strong>{failure.title}</strong>
      {failure.details !== undefined && <p>{failure.details}</p>}
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

/** Shows the service's warnings, which are keys, as sentences. */
export function Warnings({ list }: { list: readonly string[] }) {
  if (list.length === 0) return null;
  return (
    <Callout tone="warn">
      {list.map((warning) => (
        <p key={warning}>{WARNINGS[warning] ?? words(warning)}</p>
      ))}
    </Callout>
  );
}

const WARNINGS: Record<string, string> = {
  feeShareHigh: 'The fee is more than a tenth of the withdrawn amount.',
  coinsExpireSoon: 'Your key alone can soon move some of your coins. Moving the coins restarts this delay.',
  amountLowered: 'No other coin can pay the higher fee, so the recipient gets less.',
  feeRateStale: 'No current fee estimate is available. The last known rate is used.',
};
