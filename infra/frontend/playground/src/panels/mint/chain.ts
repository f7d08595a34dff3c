import { call } from '@runeport/client';
import { signal } from '@preact/signals';

import { changes } from '../../stores/live.ts';
import { height, levers, localCall } from '../../stores/local.ts';
import { api } from '../../stores/session.ts';
import type { Mint, Next } from './model.ts';

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

/** The next virtual block, with the price to enter it for that many further requests. */
export async function nextBlock({ id }: Pick<Mint, 'id'>, requestCount = 1): Promise<Next> {
  const params = { path: { id }, query: { requestCount } };
  return (await call(api, 'get', '/api/vm-transactions/mints/{id}/next-block', { params })).data;
}

/** Makes the worker look at new bids now, which it does every minute otherwise. */
export async function lookAtBids(): Promise<void> {
  await localCall('/_local/tick', { body: { worker: 'chain-watcher' }, quiet: true });
  turn.value += 1;
}
