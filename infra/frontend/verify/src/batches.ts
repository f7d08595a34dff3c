import { platformKeyOf } from '../../client/src/bitcoin/trading.js';
import { Difference } from './difference.js';
import type { Transaction } from './esplora.js';
import type { Claims } from './service.js';
import type { Row } from './terms.js';
import { grouped } from '../../recovery/src/words.js';

/** Requests of one price within a batch. */
export interface Bid {
  readonly requests: number;
  readonly price: number;
  /** The number of these requests that virtual blocks have taken. */
  taken: number;
}

/** A batch whose commitment is in a block. */
export interface Batch {
  readonly txid: string;
  /** The output that pays the treasury, `<txid>:<vout>`. */
  readonly output: string;
  readonly sats: number;
  readonly height: number;
  readonly position: number;
  /** The trading wallet that has paid, which also receives. */
  readonly to: string;
  readonly bids: readonly Bid[];
  readonly row: Row;
}

/** Payments to the treasury that are no batches of this mint. */
export interface OtherPayments {
  /** Those that the service lists for other mints. */
  ofOtherMints: number;
  /** Those that the service has not signed. */
  ofStrangers: number;
}

/** A batch has at most so many prices. */
const MOST_PRICES = 20;

/** The keys of services that have signed inputs from trading wallets. With an empty first item, the user has signed alone. */
function cosigners({ inputs }: Transaction): string[] {
  return inputs.flatMap(({ witness }) => (witness[0] ? platformKeyOf(witness.at(-1) ?? '') ?? [] : []));
}

/**
 * Finds the batches of the mint among the payments to the treasury, with the prices that the service lists.
 *
 * @throws {@link Difference} if the service has signed a payment that it does not list, or lists one that does not fit.
 */
export async function batchesIn(payments: readonly Transaction[], claims: Claims): Promise<{ batches: Batch[]; others: OtherPayments }> {
  const { terms } = claims;
  const rows = new Map((await claims.batches()).filter(({ mintId }) => mintId === terms.id).map((row) => [row.txId, row]));
  const keys = new Set(payments.filter(({ txid }) => rows.has(txid)).flatMap(cosigners));
  const batches: Batch[] = [];
  const others = { ofOtherMints: 0, ofStrangers: 0 };
  for (const payment of payments) {
    const { txid, height } = payment;
    const row = rows.get(txid);
    if (row !== undefined) {
      batches.push(batchOf(payment, row, rows, claims));
      continue;
    }
    if (!cosigners(payment).some((key) => keys.has(key))) {
      others.ofStrangers += 1;
    } else if (await claims.isOfAnotherMint(txid)) {
      others.ofOtherMints += 1;
    } else {
      const sats = sum(payment.outputs.filter(({ address }) => address === terms.treasuryAddress).map((output) => output.sats));
      throw new Difference(txid, height, `a batch that the service lists, since it has signed this payment of ${grouped(sats)} sats to the treasury`, 'no such batch');
    }
  }
  const found = new Set(batches.map(({ txid }) => txid));
  for (const { txId, paidSats } of rows.values()) {
    if (paidSats > 0 && !found.has(txId)) throw new Difference(txId, undefined, `a block that has this payment of ${grouped(paidSats)} sats`, 'none at this Esplora server');
  }
  return { batches, others };
}

function batchOf(payment: Transaction, row: Row, rows: ReadonlyMap<string, Row>, { terms }: Claims): Batch {
  const { txid, height, position, inputs, outputs } = payment;
  const differ = (expected: string, found: string) => new Difference(txid, height, expected, found);
  const bids: Bid[] = [];
  for (let one: Row | undefined = row; one !== undefined && bids.length <= MOST_PRICES; one = rows.get(one.replaceTxId ?? '')) {
    bids.unshift({ requests: one.satsNewRequests / one.satsPerNewRequest, price: one.satsPerNewRequest, taken: 0 });
  }
  const earlier = bids.slice(0, -1);
  const [count, price] = [sum(earlier.map(({ requests }) => requests)), sum(earlier.map((bid) => bid.requests * bid.price))];
  if (count !== row.replacedRequestsCount || price !== row.satsPreviousRequests) {
    const of = (requests: number, sats: number) => `${requests} requests for ${grouped(sats)} sats taken over from replaced batches`;
    throw differ(of(row.replacedRequestsCount, row.satsPreviousRequests), `${of(count, price)}, as the list has them`);
  }
  const paid = outputs.flatMap(({ address, sats }, vout) => (address === terms.treasuryAddress ? [{ vout, sats }] : []));
  const sats = price + row.satsNewRequests;
  const [first] = paid;
  if (first === undefined || paid.length !== 1 || first.sats !== sats) {
    throw differ(`one payment of ${grouped(sats)} sats to the treasury, the sum of the listed prices`, paid.map((one) => `${grouped(one.sats)} sats`).join(' and ') || 'none');
  }
  const isAllowed = (bid: Bid) => Number.isSafeInteger(bid.requests) && bid.requests <= terms.totalRequests && bid.price >= terms.minSatsPerRequest;
  if (bids.length > MOST_PRICES || !bids.every(isAllowed)) throw differ('prices and numbers of requests that the terms allow', wordsOf(bids));
  const from = [...new Set(inputs.map((input) => input.from ?? 'no address'))];
  if (from.length !== 1 || from[0] !== row.tradingAddress) throw differ(`a payment from ${row.tradingAddress}`, from.join(' and '));
  return { txid, output: `${txid}:${first.vout}`, sats, height, position, to: row.tradingAddress, bids, row };
}

/** Bids in words: `5 at 2,500 sats`. */
export function wordsOf(bids: readonly Bid[]): string {
  return bids.map(({ requests, price }) => `${grouped(requests)} at ${grouped(price)} sats`).join(', ');
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
