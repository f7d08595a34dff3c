import { Button } from '../components/Button.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { useLoad } from '../components/useCall.ts';
import { barsOf, spanTime } from '../lib/waterfall.ts';
import { levers } from '../stores/local.ts';

/** What the service did for a request: whom it asked for what, how long it took, how many units it consumed. */
export function Waterfall({ requestId }: { requestId: string }) {
  const load = useLoad(() => levers.trace(requestId), [requestId]);
  return (
    <div class="stack-s">
      <Loaded call={load} lines={4}>
        {(trace) => (
          <ol class="waterfall" role="list" aria-label="Spans">
            {barsOf(trace).map(({ id, name, depth, left, width, tookUs, failed, notes }) => (
              <li key={id} data-failed={failed ? '' : undefined}>
                <span class="waterfall-name" style={{ paddingInlineStart: `${Math.min(depth, 6) * 10}px` }}>{name}</span>
                <span class="waterfall-time">{spanTime(tookUs)}</span>
                <span class="waterfall-track" aria-hidden="true">
                  <span style={{ insetInlineStart: `${left}%`, width: `${width}%` }} />
                </span>
                {(failed || notes.length > 0) && (
                  <span class="waterfall-notes">{[...(failed ? ['failed'] : []), ...notes].join(' · ')}</span>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      <Button kind="quiet" size="small" icon="refresh" busy={load.busy} onClick={() => void load.reload()}>
        Look again, for what workers did since
      </Button>
    </div>
  );
}
