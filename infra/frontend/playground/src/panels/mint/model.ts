import type { Schemas } from '@runeport/client';

/** A mint; `closed` means that it accepts no more requests, which is final after seven blocks. */
export type Mint = Schemas['MintRow'] & { closed: boolean };
export type Batch = Schemas['VmTransactionRow'];

/** The requests of a batch at one price. A later batch that replaces this one takes them over. */
interface Bid {
  price: number;
  count: number;
  taken: number;
}

/** What waits for the next virtual block, as the service has computed it. */
export type Next = Schemas['NextVirtualBlock'];
/** A virtual block that has taken requests. */
export type VirtualBlock = Required<Schemas['ListedVirtualBlockRow']>;

/** Requests that wait at one price, or those of them that share a place. */
export interface Level {
  price: number;
  count: number;
  /** The user's own. */
  mine: number;
  confirmed: number;
}

/** The data of a mint's picture. */
export interface Picture {
  /** What waits, highest price first. */
  levels: Level[];
  next: Level[];
  behind: Level[];
  /** Requests that were not taken before the mint closed. */
  untaken: Level[];
  /** Waiting requests at prices below those that the service lists. */
  further: number;
  /** The number of requests that the next virtual block can take. */
  room: number;
  taken: number;
  /** The user's own taken requests. */
  mineTaken: number;
  left: number;
}

const TAKES_PART = new Set<Batch['state']>([
  'broadcasting', 'allInMempool', 'partiallyInBlock', 'allInBlock', 'distributing', 'distributed',
]);

/** The requests of a batch by price: its own, and those of the batches that it has replaced. */
function tiers(batch: Batch, byId: ReadonlyMap<string, Batch>): { price: number; count: number }[] {
  const all = [{ price: batch.satsPerNewRequest, count: Math.round(batch.satsNewRequests / batch.satsPerNewRequest) }];
  let missing = batch.replacedRequestsCount;
  let before = batch.replaceTxId;
  while (missing > 0) {
    const replaced = before == null ? undefined : byId.get(before);
    if (!replaced) {
      // The replaced batch is not loaded, so use the average price.
      all.push({ price: Math.round(batch.satsPreviousRequests / batch.replacedRequestsCount), count: missing });
      break;
    }
    const count = Math.min(missing, Math.round(replaced.satsNewRequests / replaced.satsPerNewRequest));
    all.push({ price: replaced.satsPerNewRequest, count });
    missing -= count;
    before = replaced.replaceTxId;
  }
  return all.sort((a, b) => b.price - a.price);
}

/** All active bids of batches. Within a batch, the requests with the highest price are taken first. */
function bidsOf(batches: readonly Batch[]): Bid[] {
  const byId = new Map(batches.map((batch) => [batch.txId, batch]));
  return batches.filter(({ state }) => TAKES_PART.has(state)).flatMap((batch) => {
    let inBlocks = batch.requestsInBlocksCount;
    return tiers(batch, byId).map(({ price, count }) => {
      const taken = Math.min(count, inBlocks);
      inBlocks -= taken;
      return { price, count, taken };
    });
  });
}

/**
 * The part of a level that takes `places`: confirmed requests come first. Among equals, the service does not say whose is
 * first, so the user's own are.
 */
function part(level: Level, places: number): Level {
  const confirmed = Math.min(places, level.confirmed);
  return { ...level, count: places, confirmed, mine: Math.min(places, level.mine) };
}

/** What is left of a level without a part of it. */
const without = (level: Level, some: Level): Level => ({
  ...level, count: level.count - some.count, confirmed: level.confirmed - some.confirmed, mine: level.mine - some.mine,
});

/**
 * Which requests the next virtual block takes, which must wait, and how much room is left.
 *
 * @param own The user's own batches.
 */
export function pictureOf(mint: Mint, next: Next, own: readonly Batch[]): Picture {
  const bids = bidsOf(own.filter(({ mintId }) => mintId === mint.id));
  const waitingAt = new Map<number, number>();
  for (const { price, count, taken } of bids) waitingAt.set(price, (waitingAt.get(price) ?? 0) + count - taken);
  const levels = next.byPrice.map(({ price, requests: count, confirmed }): Level => ({
    price, count, confirmed, mine: Math.min(count, waitingAt.get(price) ?? 0),
  }));
  const taken = mint.requestsInBlocksCount;
  const left = Math.max(0, mint.totalRequests - taken);
  const picture: Picture = {
    levels, next: [], behind: [], untaken: mint.closed ? levels : [],
    further: Math.max(0, next.waiting.requests - requests(levels)),
    room: mint.closed ? 0 : Math.min(next.room, left),
    taken, left, mineTaken: bids.reduce((sum, bid) => sum + bid.taken, 0),
  };
  if (mint.closed) return picture;
  let places = picture.room;
  for (const level of levels) {
    const fits = part(level, Math.min(places, level.count));
    places -= fits.count;
    if (fits.count > 0) picture.next.push(fits);
    if (level.count > fits.count) picture.behind.push(without(level, fits));
  }
  return picture;
}

export const requests = (levels: readonly Level[]): number => levels.reduce((sum, { count }) => sum + count, 0);
