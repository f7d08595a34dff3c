import { signal } from '@preact/signals';
import { custom } from 'viem';

import { localCall } from '../../stores/local.ts';

/** Increments after every change of a wallet at the venue, so that its status reloads. */
export const turn = signal(0);

/** Milliseconds after which the service asks the venue again: it caches answers for five seconds. */
export const KEPT = 5200;

/** Reloads the status now, and again when the service's cached answer has expired. */
export function lookAgain(): void {
  turn.value += 1;
  setTimeout(() => { turn.value += 1; }, KEPT);
}

interface RpcAnswer {
  result?: unknown;
  error?: { code: number; message: string };
}

/** A viem transport to the venue's chain through `localCall`, so that the inspector shows its calls. */
export const rpcTransport = (rpcUrl: string) =>
  custom({
    async request({ method, params }: { method: string; params?: unknown }) {
      const { result, error } = await localCall<RpcAnswer>(rpcUrl, {
        body: { jsonrpc: '2.0', id: 1, method, params: params ?? [] },
      });
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
  }, { retryCount: 0 });
