import { signal } from '@preact/signals';
import { custom } from 'viem';

import { localCall } from '../../stores/local.ts';

/** Moves with whatever may have changed a wallet at the venue. */
export const turn = signal(0);

/** The service keeps what the venue said of a wallet for five seconds. */
export const KEPT = 5200;

/** Looks now, and once more when the service asks the venue again. */
export function lookAgain(): void {
  turn.value += 1;
  setTimeout(() => { turn.value += 1; }, KEPT);
}

interface RpcAnswer {
  result?: unknown;
  error?: { code: number; message: string };
}

/** JSON-RPC of the venue's chain by the way of the page's other calls, so that it stands beside the panel. */
export const rpcTransport = (rpcUrl: string) =>
  custom({
    async request({ method, params }: { method: string; params?: unknown }) {
      const { result, error } = await localCall<RpcAnswer>(rpcUrl, {
        body: { jsonrpc: '2.0', id: 1, method, params: params ?? [] }, kind: 'other',
      });
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
  }, { retryCount: 0 });
