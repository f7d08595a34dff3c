import { signal } from '@preact/signals';

import { height, levers, localCall } from '../../stores/local.ts';

/** Moves with whatever may have changed a mint: for what shows batches. */
export const turn = signal(0);

/** Looks of the worker that a block takes beside the lever's own: at the mints, and at what follows from that. */
const LOOKS = 2;

let following: { height: number; done: Promise<void> } | undefined;

async function follow(): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    await localCall('/_local/tick', { body: { worker: 'chain-watcher' }, quiet: true });
  }
  turn.value += 1;
}

/** Has the service see the newest block now. Once for each block, whoever mined it. */
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
