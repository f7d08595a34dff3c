import { call } from '@runeport/client';
import { signal } from '@preact/signals';

import { changes } from '../../stores/live.ts';
import { height, levers, localCall } from '../../stores/local.ts';
import { api } from '../../stores/session.ts';
import type { Mint } from './model.ts';

/** Increments after anything by this page that may have changed a mint. */
export const turn = signal(0);

/** Grows when this page, or an event of the mint or of the account, may have changed a mint: a key of what shows it. */
export const mintChanges = (): number =>
  turn.value + changes('vmBlock.filled', 'mint.stateChanged', 'vmTransaction.stateChanged', 'refund.stateChanged');

/** Extra worker runs per block, in addition to the lever's own: one for the mints, one for their follow-up work. */
const LOOKS = 2;

let following: { height: number; done: Promise<void> } | undefined;

async function follow(): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    await localCall('/_local/tick', { body: { worker: 'chain-watcher' }, quiet: true });
  }
  turn.value += 1;
}

/** Makes the service process the newest block now. Runs once per block, no matter who mined it. */
export function followBlock(): Promise<void> {
  const at = height.peek();
  if (at === undefined) return Promise.resolve();
  if (following?.height !== at) following = { height: at, done: follow() };
  return following.done;
}

/** Mines block by block, so that the service processes each virtual block separately. */
export async function mineBlocks(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) {
    await levers.mine(1);
    await followBlock();
  }
}

/** The bids of others have no event; the service lets an answer about the next block be kept for this long, in ms. */
export const OUTLOOK_KEPT = 5_000;

/** The lowest price, in sats each, at which the next virtual block takes that many further requests; `null` if it has no room. */
export async function priceToEnter({ id }: Mint, requestCount: number): Promise<number | null> {
  const params = { path: { id }, query: { requestCount } };
  const { data } = await call(api, 'get', '/api/vm-transactions/mints/{id}/next-block', { params });
  return data.priceToEnter;
}
