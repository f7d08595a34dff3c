import { grouped } from '../../recovery/src/words.js';
import { type Batch, sum } from './batches.js';
import { Difference } from './difference.js';
import type { Transaction } from './esplora.js';
import { runesIn } from './runes.js';
import type { Terms } from './terms.js';

/** What a batch gets by the rules, and in which transactions the chain has it. */
export interface Share {
  readonly batch: Batch;
  /** Requests that virtual blocks have taken of a mint that is minted out. */
  readonly taken: number;
  readonly runes: bigint;
  /** The price of the taken requests, which goes to the proceeds. */
  readonly kept: number;
  /** The price of the others, which is refundable. */
  readonly rest: number;
  transfer?: string;
  distribution?: string;
  refund?: string;
}

/** What each batch gets. Of a mint that is not minted out, all is refundable once it ends. */
export function sharesOf(terms: Terms, batches: readonly Batch[], isMintedOut: boolean): Share[] {
  return batches.map((batch) => {
    const taken = isMintedOut ? sum(batch.bids.map((bid) => bid.taken)) : 0;
    const kept = isMintedOut ? sum(batch.bids.map((bid) => bid.taken * bid.price)) : 0;
    return { batch, taken, runes: BigInt(taken) * terms.tokensPerRequest, kept, rest: batch.sats - kept };
  });
}

const inSats = (amounts: readonly number[]) => (amounts.length === 0 ? 'nothing' : amounts.map((sats) => `${grouped(sats)} sats`).join(', '));
const sorted = (amounts: readonly number[]) => [...amounts].sort((one, other) => one - other);

/**
 * Checks what has left the treasury, and notes it in the shares: transfers move what was taken to the proceeds and return
 * each rest to the treasury, refunds pay rests and untaken batches back.
 *
 * @param spending The transactions that spend from the treasury, in the order of the chain.
 * @throws {@link Difference}
 */
export function checkTreasury(terms: Terms, shares: readonly Share[], spending: readonly Transaction[]): void {
  // An output of a transfer can be the rest of any batch with this rest: their owners differ, not the sats.
  const owners = new Map<string, Share[]>(shares.map((share) => [share.batch.output, [share]]));
  for (const transaction of spending) {
    const { txid, height, inputs, outputs } = transaction;
    const differ = (expected: string, found: string) => new Difference(txid, height, expected, found);
    const spent = inputs.flatMap(({ spends }) => owners.get(spends) ?? []);
    const [first] = spent;
    if (first === undefined) continue;
    if (terms.state === 'open') throw differ('no payout, since the mint is open', `the payment of batch ${first.batch.txid} is spent`);
    const back = outputs.flatMap(({ address, sats }, vout) => (address === terms.treasuryAddress ? [{ sats, output: `${txid}:${vout}` }] : []));
    const proceeds = outputs.filter(({ address }) => address === terms.proceedsAddress);
    if (proceeds.length === 0 && back.length === 0) {
      for (const { spends } of inputs) checkRefund(owners.get(spends), transaction);
      continue;
    }
    const [due, found] = [sum(spent.map(({ kept }) => kept)), sum(proceeds.map(({ sats }) => sats))];
    if (due !== found) throw differ(`${inSats([due])} to the proceeds ${terms.proceedsAddress}`, inSats([found]));
    const [rests, returned] = [sorted(spent.map(({ rest }) => rest).filter((rest) => rest > 0)), sorted(back.map(({ sats }) => sats))];
    if (rests.join() !== returned.join()) throw differ(`${inSats(rests)} back to the treasury`, inSats(returned));
    for (const share of spent) {
      if (share.taken === 0) throw differ(`no transfer of batch ${share.batch.txid}, of which no request was taken`, 'one');
      if (share.transfer !== undefined) throw differ(`one transfer of batch ${share.batch.txid}`, `another one besides ${share.transfer}`);
      share.transfer = txid;
    }
    for (const { sats, output } of back) owners.set(output, spent.filter(({ rest }) => rest === sats));
  }
}

function checkRefund(owners: readonly Share[] | undefined, { txid, height, outputs }: Transaction): void {
  if (owners === undefined) return;
  const to = [...new Set(outputs.map(({ address }) => address ?? 'no address'))].join(' and ');
  const share = owners.find(({ batch, refund }) => batch.to === to && refund === undefined) ?? owners[0];
  if (share === undefined) return;
  const { batch } = share;
  const what = `a refund of ${inSats([share.rest])} of batch ${batch.txid} to ${batch.to}`;
  if (share.refund !== undefined) throw new Difference(txid, height, `one refund of batch ${batch.txid}`, `another one besides ${share.refund}`);
  if (share.taken > 0 && share.transfer === undefined) {
    throw new Difference(txid, height, `a transfer of ${inSats([share.kept])} of batch ${batch.txid} to the proceeds first`, `a payment to ${to}`);
  }
  if (batch.to !== to) throw new Difference(txid, height, what, `a payment to ${to}`);
  share.refund = txid;
}

/**
 * Checks the runes that have left the pool, and notes it in the shares.
 *
 * @param sending The transactions that spend from the pool, in the order of the chain.
 * @throws {@link Difference}
 */
export function checkPool(terms: Terms, shares: readonly Share[], sending: readonly Transaction[]): void {
  const due = new Map<string, Share[]>();
  for (const share of shares.filter(({ runes }) => runes > 0n)) due.set(share.batch.to, [...(due.get(share.batch.to) ?? []), share]);
  const waiting = (to: string) => (due.get(to) ?? []).filter(({ distribution }) => distribution === undefined);
  for (const transaction of sending) {
    const { txid, height } = transaction;
    const payments = runesIn(transaction, terms.runeId).filter(({ to }) => to !== terms.poolAddress);
    // The pool pays for other mints too.
    const isOwn = payments.some(({ to, amount }) => waiting(to).some(({ runes }) => runes === amount));
    for (const { to, amount } of payments) {
      const open = waiting(to);
      const share = open.find(({ runes }) => runes === amount);
      if (share !== undefined) {
        share.distribution = txid;
      } else if (isOwn || open.length > 0) {
        const expected = open.map(({ runes }) => grouped(runes)).join(' or ') || 'no';
        throw new Difference(txid, height, `${expected} units of the rune to ${to}`, `${grouped(amount)} units`);
      }
    }
  }
}

/**
 * Checks that nothing is missing of a mint that says that all is distributed.
 *
 * @throws {@link Difference}
 */
export function checkAllPaid({ proceedsAddress }: Terms, shares: readonly Share[]): void {
  for (const { batch, taken, kept, runes, transfer, distribution } of shares) {
    if (taken === 0) continue;
    if (transfer === undefined) throw new Difference(batch.txid, batch.height, `a transfer of ${inSats([kept])} to the proceeds ${proceedsAddress}`, 'none');
    if (distribution === undefined) throw new Difference(batch.txid, batch.height, `a distribution of ${grouped(runes)} units of the rune to ${batch.to}`, 'none');
  }
}
