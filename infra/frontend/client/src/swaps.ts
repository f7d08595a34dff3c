/**
 * Swaps between other chains, which a wallet begins at the hub: registers them, and follows them to their end.
 *
 * @packageDocumentation
 */

import { type Api, call, type CallOptions, pause, type Schemas } from './api.js';
import { notify } from './exchange.js';
import { wholeUnits } from './units.js';

/** A swap that the user's wallet has begun. It contains no secret, and JSON holds it. */
export type Swap = Schemas['Swap'];

/** The status of a swap, or of a withdrawal through the hub. */
export type SwapStatus = Schemas['SwapStatus'];

/** Options of {@link swapStatus}. */
export interface SwapStatusOptions extends Pick<CallOptions, 'signal'> {
  /** The hub's id of the source chain. Required only if transactions of several chains have this hash. */
  readonly srcChain?: number | undefined;
}

/** Options of {@link watchSwap}. */
export interface WatchSwapOptions extends SwapStatusOptions {
  /** Milliseconds between two polls; default: 5,000, which is how often the service asks the hub. */
  readonly interval?: number | undefined;
}

/** Options of {@link followSwap}. */
export interface FollowSwapOptions extends Pick<WatchSwapOptions, 'interval' | 'signal'> {
  /** Receives the first status, and each that differs from the one before. */
  readonly onProgress?: ((status: SwapStatus) => void) | undefined;
}

/**
 * Registers a swap, so that it is in the account's history and events. Registering the same swap again changes nothing,
 * unless it has failed because the hub did not know it: then it is followed again.
 *
 * @returns `registered` is false if the account has registered the same swap already.
 * @throws {@link RuneportError} `client.amountInvalid`, `xchain.contradicted` if the hub's record differs,
 *   `xchain.registered` if it was registered with other content, …
 *
 * @example
 * const { registered } = await registerSwap(api, swap);
 */
export async function registerSwap(api: Api, swap: Swap, options: CallOptions = {}): Promise<Schemas['Registration']> {
  wholeUnits(swap.inputAmount);
  if (swap.minOutputAmount !== '0') wholeUnits(swap.minOutputAmount);
  return (await call(api, 'post', '/api/xchain/transactions/register', { ...options, body: swap })).data;
}

/**
 * Reads the status of a swap of the account, or of a withdrawal through the hub.
 *
 * @param txId The hash of the intent, of the transaction on the source chain, or of the withdrawal.
 * @throws {@link RuneportError} `xchain.notFound`.
 *
 * @example
 * const { status, verified, stale } = await swapStatus(api, swap.intentTxHash);
 */
export async function swapStatus(api: Api, txId: string, { srcChain, signal }: SwapStatusOptions = {}): Promise<SwapStatus> {
  const params = { path: { txId }, query: srcChain === undefined ? {} : { srcChain } };
  return (await call(api, 'get', '/api/xchain/transactions/{txId}/status', { params, signal })).data;
}

/**
 * Polls a swap, or a withdrawal through the hub, and yields its status: the first one, and each that differs from the one
 * before. The last one is final: filled, failed or refunded.
 *
 * @param txId As for {@link swapStatus}.
 * @throws {@link RuneportError} `xchain.notFound`, or an error of the network that outlasts the retries. Call it again.
 *
 * @example
 * for await (const { status, stale } of watchSwap(api, swap.intentTxHash)) console.log(status, stale);
 */
export async function* watchSwap(
  api: Api,
  txId: string,
  { interval = 5_000, ...options }: WatchSwapOptions = {},
): AsyncGenerator<SwapStatus, void, undefined> {
  let shown = '';
  for (;;) {
    const next = await swapStatus(api, txId, options);
    const seen = JSON.stringify(next);
    if (seen !== shown) yield next;
    shown = seen;
    if (next.isFinal) return;
    await pause(interval, options.signal);
  }
}

/**
 * Registers a swap and follows it to its end. It can be called again at any time with the same swap: after a reload, or
 * if the outcome is unknown. Store the swap as soon as the wallet has begun it, until this function has returned.
 *
 * @returns The final status: `filled`, `failed` with `failedAtStep` and `failureReason`, or `refunded`.
 * @throws {@link RuneportError} The errors of {@link registerSwap} and {@link watchSwap}.
 *
 * @example
 * localStorage.setItem('swap', JSON.stringify(swap));
 * const { status, fillTxHash } = await followSwap(api, swap);
 * localStorage.removeItem('swap');
 */
export async function followSwap(api: Api, swap: Swap, { onProgress, ...options }: FollowSwapOptions = {}): Promise<SwapStatus> {
  await registerSwap(api, swap, { signal: options.signal });
  let last: SwapStatus | undefined;
  for await (const status of watchSwap(api, swap.intentTxHash, options)) {
    notify(onProgress, status);
    last = status;
  }
  // The watch yields a status before it ends.
  return last as SwapStatus;
}
