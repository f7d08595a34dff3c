import { grouped } from '../../recovery/src/words.js';
import { sum } from './batches.js';
import { isProven, type Report } from './check.js';

/** The result in one sentence. */
export function verdictOf({ terms, difference }: Report): string {
  if (difference !== undefined) return `A difference. ${difference.message}`;
  return `Everything agrees: mint ${terms.id} of ${terms.runeName}, ${stateOf(terms.state)}.`;
}

function stateOf(state: string): string {
  switch (state) {
    case 'open': return 'which is open';
    case 'mintedOut': return 'which is minted out and pays out';
    case 'distributed': return 'which has paid out everything';
    case 'failed': return 'which has failed, so that everything is refunded';
    default: return `which is ${state}`;
  }
}

/** What the check has found, one fact a line. Without a difference, this is what it has proven, and what not. */
export function factsOf({ terms, tip, blocks, mintedOutAt, shares, others, fingerprint, comparesBlocks, difference }: Report): string[] {
  if (fingerprint === '') return [];
  const number = (count: number, one: string, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;
  const facts = [
    `Terms: ${number(terms.totalRequests, 'request')}, ${grouped(terms.requestsPerBlock)} a block, from ${grouped(terms.minSatsPerRequest)} sats each; ${
      grouped(terms.tokensPerRequest)} units of the rune ${terms.runeId} each; proceeds to ${terms.proceedsAddress}.`,
    `Block ${grouped(tip)}: ${number(shares.length, 'batch', 'batches')} have paid the treasury ${grouped(sum(shares.map(({ batch }) => batch.sats)))} sats.`,
    `${number(blocks.length, 'virtual block')} took ${number(sum(blocks.map(({ requests }) => requests)), 'request')} of ${grouped(terms.totalRequests)}${
      mintedOutAt === undefined ? '' : `; the last one in block ${mintedOutAt}`}.`,
  ];
  if (others.ofOtherMints > 0) facts.push(`${number(others.ofOtherMints, 'other payment')} that the service has signed, which it lists for other mints. Nothing on chain says for which one.`);
  if (others.ofStrangers > 0) facts.push(`${number(others.ofStrangers, 'payment')} that the service has not signed, which count for no mint.`);
  if (difference !== undefined) return facts;
  const [taken, rest] = [shares.filter((share) => share.taken > 0), shares.filter((share) => share.rest > 0)];
  if (taken.length > 0) {
    const moved = taken.filter(({ transfer }) => transfer !== undefined);
    const sent = taken.filter(({ distribution }) => distribution !== undefined);
    facts.push(
      `Proceeds: ${grouped(sum(moved.map(({ kept }) => kept)))} of ${grouped(sum(taken.map(({ kept }) => kept)))} sats, in ${number(new Set(moved.map(({ transfer }) => transfer)).size, 'transfer')}.`,
      `Runes: ${number(sent.length, 'batch', 'batches')} of ${grouped(taken.length)} have theirs, in ${number(new Set(sent.map(({ distribution }) => distribution)).size, 'distribution')}.`,
    );
  }
  if (terms.state !== 'open') {
    const back = rest.filter(({ refund }) => refund !== undefined);
    facts.push(`Refunds: ${number(back.length, 'batch', 'batches')} of ${grouped(rest.length)}; their owners ask for them. A refund pays its own fee.`);
  }
  const proven = shares.filter(isProven).length;
  facts.push(
    `Prices: ${number(proven, 'batch', 'batches')} of ${grouped(shares.length)} have one price, which their payouts show. The prices of the others are the word of the service, which the owner of each can compare.`,
    `Fingerprint of all prices: ${fingerprint}. Users with the same fingerprint were told the same prices.`,
    comparesBlocks ? 'The virtual blocks that the service shows are the same.' : 'The virtual blocks that the service shows were not compared.',
    'Not checked: whether the coins of the pool held the runes that its transactions move. A wallet or an explorer that knows runes shows that they arrived.',
  );
  return facts;
}
