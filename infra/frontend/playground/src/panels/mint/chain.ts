import { signal } from '@preact/signals';

import { height, levers, localCall } from '../../stores/local.ts';

/** Increments after anything that may have changed a mint, so that lists of batches reload. */
export const turn = signal(0);

/** Extra runs of the worker per block, besides the lever's own: for the mints, and for their consequences. */
const LOOKS = 2;

let following: { height: number; done: Promise<void> } | undefined;

async function follow(): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    await localCall('/_local/tick', { body: { worker: 'chain-watcher' }, quiet: true });
  }
  turn.value += 1;
}

/** Lets the service process the newest block now. Once per block, no matter who mined it. */
export function followBlock(): Promise<void> {
  const at = height.peek();
  if (at === undefined) return Promise.resolve();
  if (following?.height !== at) following = { height: at, done: follow() };
  return following.done;
}

/** Mines block by block, so that each virtual block is seen. */
export async function mineBlocks(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) {
    await levers.mine(1);
    await followBlock();
  }
}
