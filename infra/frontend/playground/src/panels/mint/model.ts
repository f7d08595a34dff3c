import type { Schemas } from '@runeport/client';

/** A mint; `closed` is one whose time is over, though that is not final before seven blocks. */
export type Mint = Schemas['MintRow'] & { closed: boolean };
export type Batch = Schemas['VmTransactionRow'];

/** The requests of one price that came with one batch. A later batch that replaces it takes them over. */
export interface Bid {
  /** The batch that they came with: a bid keeps it through replacements. */
  origin: string;
  /** The batch that pays for them now. */
  txId: string;
  owner: string;
  price: number;
  count: number;
  taken: number;
  /** Whether a Bitcoin block has the transaction that pays. */
  confirmed: boolean;
  at: number;
}

/** So many requests of a bid. */
export interface Share {
  bid: Bid;
  count: number;
  /** Of the bid's requests, the first of these. */
  from: number;
}

/** What the picture shows of a mint. */
export interface Picture {
  bids: Bid[];
  next: Share[];
  behind: Share[];
  /** What closed without being taken. */
  untaken: Share[];
  /** Requests that the next virtual block has room for. */
  room: number;
  taken: number;
  left: number;
}

const TAKES_PART = new Set<Batch['state']>([
  'broadcasting', 'allInMempool', 'partiallyInBlock', 'allInBlock', 'distributing', 'distributed',
]);

/** The prices of a batch: its own, and those of the batches that it has replaced. */
function tiers(batch: Batch, byId: ReadonlyMap<string, Batch>): { origin: string; price: number; count: number }[] {
  const own = { origin: batch.txId, price: batch.satsPerNewRequest, count: Math.round(batch.satsNewRequests / batch.satsPerNewRequest) };
  const all = [own];
  let missing = batch.replacedRequestsCount;
  let before = batch.replaceTxId;
  while (missing > 0) {
    const replaced = before == null ? undefined : byId.get(before);
    if (!replaced) {
      // It is further back than was loaded: what is known is the average.
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

/** Every bid that takes part. Of one batch the highest prices are taken first. */
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

/** The highest price first; at the same price those that a block has, then the earlier ones. */
export const byTurn = (a: Bid, b: Bid): number =>
  b.price - a.price || Number(b.confirmed) - Number(a.confirmed) || a.at - b.at || a.origin.localeCompare(b.origin);

/** Who waits, whom the next virtual block takes, and what it has room for. */
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
