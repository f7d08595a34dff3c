import { signal } from '@preact/signals';
import { custom } from 'viem';

import type { AmountRule } from '../../lib/amount.ts';
import { levers, localCall } from '../../stores/local.ts';

/** Amounts of USDC, on the venue's chain and in calls of the service. */
export const USDC: AmountRule = { decimals: 6, unit: 'USDC' };

/** Increments after every change of a wallet at the venue, so that its status reloads. */
export const turn = signal(0);

/** The service caches the venue's answers for five seconds of its own time. In ms. */
const KEPT = 5_200;

/** Moves the service's clock until its cached answers of the venue have expired. */
export const forgetAnswers = (): Promise<unknown> => levers.clock(KEPT);

/** Reloads the status from the venue. */
export async function lookAgain(): Promise<void> {
  await forgetAnswers();
  turn.value += 1;
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
