import type { Batch, Bid } from './batches.js';
import type { Block, Terms } from './terms.js';

interface Waiting {
  readonly batch: Batch;
  readonly bid: Bid;
  readonly number: number;
}

/** The order of taking: the highest price, then the earliest place in the chain, then the order within the batch. */
function isBefore(one: Waiting, other: Waiting): boolean {
  const by = [
    other.bid.price - one.bid.price, one.batch.height - other.batch.height, one.batch.position - other.batch.position, one.number - other.number,
  ];
  return (by.find((difference) => difference !== 0) ?? 0) < 0;
}

/** A binary heap. */
class Queue {
  readonly #items: Waiting[] = [];

  get first(): Waiting | undefined {
    return this.#items[0];
  }

  add(item: Waiting): void {
    let at = this.#items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#swapIf(at, above)) break;
      at = above;
    }
  }

  removeFirst(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const [one, other] = [this.#items[left], this.#items[right]];
      const below = one !== undefined && other !== undefined && isBefore(other, one) ? right : left;
      if (!this.#swapIf(below, at)) return;
      at = below;
    }
  }

  /** Exchanges two items if that at `below` comes first. */
  #swapIf(below: number, above: number): boolean {
    const [one, other] = [this.#items[below], this.#items[above]];
    if (one === undefined || other === undefined || !isBefore(one, other)) return false;
    [this.#items[below], this.#items[above]] = [other, one];
    return true;
  }
}

/**
 * Fills the virtual blocks up to a height, and counts in each bid what they have taken.
 *
 * @returns The blocks that have taken requests, and the height of the one that took the mint's last request.
 */
export function fill(terms: Pick<Terms, 'totalRequests' | 'requestsPerBlock'>, batches: readonly Batch[], last: number): { blocks: Block[]; mintedOutAt: number | undefined } {
  const arrivals = [...batches].sort((one, other) => one.height - other.height);
  const waiting = new Queue();
  const blocks: Block[] = [];
  let left = terms.totalRequests;
  let arrived = 0;
  for (let height = arrivals[0]?.height ?? last + 1; height <= last; height += 1) {
    for (; arrivals[arrived]?.height === height; arrived += 1) {
      const batch = arrivals[arrived];
      batch?.bids.forEach((bid, number) => { waiting.add({ batch, bid, number }); });
    }
    const block = takeOne(waiting, height, Math.min(terms.requestsPerBlock, left));
    if (block !== undefined) blocks.push(block);
    left -= block?.requests ?? 0;
    if (left === 0) return { blocks, mintedOutAt: height };
    const next = arrivals[arrived];
    if (waiting.first === undefined) {
      if (next === undefined) break;
      height = next.height - 1;
    }
  }
  return { blocks, mintedOutAt: undefined };
}

function takeOne(waiting: Queue, height: number, room: number): Block | undefined {
  const txids = new Set<string>();
  const prices: number[] = [];
  let [requests, sats] = [0, 0n];
  for (let next = waiting.first; next !== undefined && requests < room; next = waiting.first) {
    const { batch, bid } = next;
    const count = Math.min(room - requests, bid.requests - bid.taken);
    bid.taken += count;
    requests += count;
    sats += BigInt(count) * BigInt(bid.price);
    txids.add(batch.txid);
    prices.push(bid.price);
    if (bid.taken === bid.requests) waiting.removeFirst();
  }
  const [highestPrice, lowestPrice] = [prices[0], prices.at(-1)];
  if (highestPrice === undefined || lowestPrice === undefined) return undefined;
  return { height, requests, batches: txids.size, lowestPrice, averagePrice: Number(sats / BigInt(requests)), highestPrice };
}
