import { sha256 } from '@scure/btc-signer/utils.js';
import { hex, utf8 } from '@scure/base';

import { networkOf } from '../../client/src/bitcoin/network.js';
import { grouped } from '../../recovery/src/words.js';
import { type Batch, batchesIn, type OtherPayments } from './batches.js';
import { Difference } from './difference.js';
import { Esplora } from './esplora.js';
import { fill } from './fill.js';
import { checkAllPaid, checkPool, checkTreasury, type Share, sharesOf } from './payouts.js';
import type { Server } from './server.js';
import type { Claims } from './service.js';
import type { Block, Terms } from './terms.js';

/** Block times may be two hours off. */
const MARGIN_MS = 2 * 60 * 60 * 1_000;
/** Confirmations after which something counts as final. */
const DEPTH = 7;

/** What the chain has of a mint. If it is incomplete, `difference` says why. */
export interface Report {
  readonly terms: Terms;
  readonly tip: number;
  /** Missing if everything agrees. */
  readonly difference?: Difference;
  readonly blocks: readonly Block[];
  readonly mintedOutAt: number | undefined;
  readonly shares: readonly Share[];
  readonly others: OtherPayments;
  /** SHA-256 over the prices that the service lists. Users who have the same were told the same. */
  readonly fingerprint: string;
  readonly comparesBlocks: boolean;
}

/** Whether payouts alone show the price of a batch: it has only one, and the chain has its runes and its transfer. */
export function isProven({ batch, transfer, distribution }: Share): boolean {
  return batch.bids.length === 1 && transfer !== undefined && distribution !== undefined;
}

/**
 * Recomputes a mint from the chain, and compares.
 *
 * @param progress Receives what is being done.
 * @throws `Problem` if a server does not answer as it should.
 */
export async function check(claims: Claims, address: string, server: Server, progress: (doing: string) => void = () => {}): Promise<Report> {
  const { terms } = claims;
  const esplora = new Esplora(address, server, networkOf(terms.treasuryAddress));
  const tip = await esplora.tip();
  let report: Report = {
    terms, tip, blocks: [], mintedOutAt: undefined, shares: [], others: { ofOtherMints: 0, ofStrangers: 0 }, fingerprint: '', comparesBlocks: claims.blocks !== undefined,
  };
  try {
    const since = terms.createdAt - MARGIN_MS;
    const read = (whose: string) => (count: number) => { progress(`Reading the ${whose}: ${grouped(count)} transactions so far …`); };
    const treasury = await esplora.history(terms.treasuryAddress, since, read('treasury'));
    const pool = await esplora.history(terms.poolAddress, since, read('pool'));
    progress('Reading what the service lists …');
    const spends = (from: string) => ({ inputs }: (typeof treasury)[number]) => inputs.some((input) => input.from === from);
    const isSpending = spends(terms.treasuryAddress);
    const { batches, others } = await batchesIn(treasury.filter((transaction) => !isSpending(transaction)), claims);
    const { blocks, mintedOutAt } = fill(terms, batches, tip);
    const isMintedOut = terms.state === 'mintedOut' || terms.state === 'distributed';
    const shares = sharesOf(terms, batches, isMintedOut);
    report = { ...report, blocks, mintedOutAt, shares, others, fingerprint: fingerprintOf(batches) };
    if (claims.blocks !== undefined) checkBlocks(blocks, await claims.blocks(), tip - DEPTH + 1);
    await checkEnd(report, esplora);
    if (isMintedOut) shares.forEach(checkCount);
    checkTreasury(terms, shares, treasury.filter(isSpending));
    checkPool(terms, shares, pool.filter(spends(terms.poolAddress)));
    if (terms.state === 'distributed') checkAllPaid(terms, shares);
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    return { ...report, difference: error };
  }
  return report;
}

/** Compares the virtual blocks that can no longer change. */
function checkBlocks(own: readonly Block[], claimed: readonly Block[], final: number): void {
  const told = new Map(claimed.map((block) => [block.height, block]));
  const computed = new Map(own.map((block) => [block.height, block]));
  const heights = [...new Set([...told.keys(), ...computed.keys()])].filter((height) => height <= final);
  for (const height of heights.sort((one, other) => one - other)) {
    const [expected, found] = [computed.get(height), told.get(height)].map(wordsOfBlock);
    if (expected !== found) throw new Difference(undefined, height, expected ?? '', `${found ?? ''}, says the service`);
  }
}

function wordsOfBlock(block: Block | undefined): string {
  if (block === undefined) return 'no virtual block';
  const { requests, batches, lowestPrice, averagePrice, highestPrice } = block;
  return `a virtual block of ${grouped(requests)} requests of ${grouped(batches)} batches at ${grouped(lowestPrice)} to ${grouped(highestPrice)} sats, ${grouped(averagePrice)} on average`;
}

async function checkEnd({ terms, tip, mintedOutAt }: Report, esplora: Esplora): Promise<void> {
  const isFinal = mintedOutAt !== undefined && mintedOutAt <= tip - DEPTH + 1;
  if (terms.state === 'mintedOut' || terms.state === 'distributed') {
    const found = mintedOutAt === undefined ? 'no block that takes it' : 'fewer blocks';
    if (!isFinal) throw new Difference(undefined, mintedOutAt, 'the last request to be taken seven blocks deep, since the mint has ended so', found);
  } else if (terms.state === 'failed' && isFinal && (await esplora.timeOf(mintedOutAt)) + MARGIN_MS < terms.closesAt) {
    throw new Difference(undefined, mintedOutAt, 'a mint that is minted out: this block took the last request before the mint closed', 'a failed mint, says the service');
  }
}

function checkCount({ batch, taken }: Share): void {
  const said = batch.row.requestsInBlocksCount;
  if (said !== taken) throw new Difference(batch.txid, batch.height, `${taken} of its requests in virtual blocks`, `${said}, says the service`);
}

function fingerprintOf(batches: readonly Batch[]): string {
  const lines = batches.map(({ txid, bids }) => [txid, ...bids.map(({ requests, price }) => `${requests}@${price}`)].join(' '));
  return hex.encode(sha256(utf8.decode(lines.join('\n'))));
}
