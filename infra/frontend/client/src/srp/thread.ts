// Where passwords are computed: in a worker, so that the page stays responsive, or in the page itself.

import type { Order } from './worker.js';
import type { Works } from './work.js';

type Asked<Kind extends keyof Works> = Parameters<Works[Kind]>[0];
type Result<Kind extends keyof Works> = Awaited<ReturnType<Works[Kind]>>;

/** A worker could not start: its file is missing, or the policy of the page forbids it. The next one could not either. */
let isRefused = false;

/**
 * Computes in a worker; if there is none, or it fails, in the page.
 *
 * @throws The reason of `signal`, and the errors of the computation.
 */
export async function compute<Kind extends keyof Works>(
  kind: Kind,
  asked: Asked<Kind>,
  signal?: AbortSignal,
): Promise<Result<Kind>> {
  signal?.throwIfAborted();
  if (typeof Worker !== 'undefined' && !isRefused) {
    const result = await inWorker({ kind, asked }, signal);
    if (result !== undefined) return result as Result<Kind>;
  }
  const { works } = await import('./work.js');
  const work = works[kind] as (asked: Asked<Kind>) => Promise<Result<Kind>>;
  return work(asked);
}

/** The answer of a new worker, which then ends and takes its memory with it; undefined if it has none. */
function inWorker(order: Order, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let worker: Worker | undefined;
    const settle = (act: () => void) => {
      signal?.removeEventListener('abort', abort);
      worker?.terminate();
      act();
    };
    const refuse = () => {
      isRefused = true;
      settle(() => { resolve(undefined); });
    };
    const abort = () => { settle(() => { reject(signal?.reason as Error); }); };
    signal?.addEventListener('abort', abort);
    try {
      // Written as one expression, which bundlers recognise.
      worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }) => { settle(() => { resolve(data); }); });
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        refuse();
      });
      worker.postMessage(order);
    } catch {
      refuse();
    }
  });
}
