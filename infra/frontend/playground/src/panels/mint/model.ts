import type { Schemas } from '@runeport/client';

/** A mint; `closed` means that it accepts no more requests, which is final after seven blocks. */
export type Mint = Schemas['MintRow'] & { closed: boolean };
export type Batch = Schemas['VmTransactionRow'];

/** The requests of one batch, at one price. A later batch that replaces this one takes them over. */
export interface Bid {
  /** The original batch, which stays the same through replacements. */
  origin: string;
  /** The batch that currently pays for the requests. */
  txId: string;
  owner: string;
  price: number;
  count: number;
  taken: number;
  /** Whether the paying transaction is in a Bitcoin block. */
  confirmed: boolean;
  at: number;
}

/** Some consecutive requests of a bid. */
export interface Share {
  bid: Bid;
  count: number;
  /** The index of the first request within the bid. */
  from: number;
}

/** The data of a mint's picture. */
export interface Picture {
  bids: Bid[];
  next: Share[];
  behind: Share[];
  /** Requests that were not taken before the mint closed. */
  untaken: Share[];
  /** The number of requests that the next virtual block can take. */
  room: number;
  taken: number;
  left: number;
}

const TAKES_PART = new Set<Batch['state']>([
  'broadcasting', 'allInMempool', 'partiallyInBlock', 'allInBlock', 'distributing', 'distributed',
]);

/** The requests of a batch by price: its own, and those of the batches that it has replaced. */
function tiers(batch: Batch, byId: ReadonlyMap<string, Batch>): { origin: string; price: number; count: number }[] {
  const own = { origin: batch.txId, price: batch.satsPerNewRequest, count: Math.round(batch.satsNewRequests / batch.satsPerNewRequest) };
  const all = [own];
  let missing = batch.replacedRequestsCount;
  let before = batch.replaceTxId;
  while (missing > 0) {
    const replaced = before == null ? undefined : byId.get(before);
    if (!replaced) {
      // The replaced batch is not loaded, so use the average price.
      all.push({ origin: `${batch.txId}/before`, price: Math.round(batch.satsPreviousRequests / batch.replacedRequestsCount), count: missing });
      break;
    }
    const count = Math.min(missing, Math.round(replaced.satsNewRequests / replaced.satsPerNewRequest));
    all.push({ origin: replaced.txId, price: replaced.satsPerNewRequest, count });
    missing -= count;
    before = replaced.replaceTxId;
  }
  return all.sort((a, b) => b.price - a.price);
}

/** All active bids. Within a batch, the requests with the highest price are taken first. */
export function bidsOf(batches: readonly Batch[]): Bid[] {
  const byId = new Map(batches.map((batch) => [batch.txId, batch]));
  return batches.filter(({ state }) => TAKES_PART.has(state)).flatMap((batch) => {
    let inBlocks = batch.requestsInBlocksCount;
    return tiers(batch, byId).map(({ origin, price, count }) => {
      const taken = Math.min(count, inBlocks);
      inBlocks -= taken;
      return {
        origin, txId: batch.txId, owner: batch.tradingAddress, price, count, taken,
        confirmed: batch.paidSats > 0, at: batch.timestamp,
      };
    });
  });
}

/** Sorts by price, highest first; at the same price, confirmed bids first, then earlier bids. */
export const byTurn = (a: Bid, b: Bid): number =>
  b.price - a.price || Number(b.confirmed) - Number(a.confirmed) || a.at - b.at || a.origin.localeCompare(b.origin);

/** Computes which requests the next virtual block takes, which must wait, and how much room is left. */
export function pictureOf(mint: Mint, batches: readonly Batch[]): Picture {
  const bids = bidsOf(batches.filter(({ mintId }) => mintId === mint.id)).sort(byTurn);
  const taken = bids.reduce((sum, bid) => sum + bid.taken, 0);
  const left = Math.max(0, mint.totalRequests - taken);
  const room = !mint.closed ? Math.min(mint.requestsPerBlock, left) : 0;
  const picture: Picture = { bids, next: [], behind: [], untaken: [], room, taken, left };
  let places = room;
  for (const bid of bids) {
    const waits = bid.count - bid.taken;
    if (waits === 0) continue;
    if (mint.closed) {
      picture.untaken.push({ bid, count: waits, from: bid.taken });
      continue;
    }
    const fits = Math.min(places, waits);
    places -= fits;
    if (fits > 0) picture.next.push({ bid, count: fits, from: bid.taken });
    if (waits > fits) picture.behind.push({ bid, count: waits - fits, from: bid.taken + fits });
  }
  return picture;
}

export const requests = (shares: readonly Share[]): number => shares.reduce((sum, { count }) => sum + count, 0);
