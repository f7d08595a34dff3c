// Virtual blocks, compared with an implementation that sorts everything for each block.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { library } from './library.mjs';

const { fill } = library;

/** Reproducible numbers below a limit. */
function numbers(seed) {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n);
    return Number((state >> 33n) % BigInt(below));
  };
}

/** The order of the rules: the price, the place in the chain, the order within the batch. */
function byRule(terms, batches, last) {
  let left = terms.totalRequests;
  const requests = batches.flatMap(({ txid, height, position, bids }) => bids.flatMap(({ requests: count, price }, number) => (
    Array.from({ length: count }, () => ({ txid, height, position, price, number, block: undefined })))));
  for (let height = 0; height <= last && left > 0; height += 1) {
    const waiting = requests.filter((one) => one.block === undefined && one.height <= height);
    waiting.sort((a, b) => b.price - a.price || a.height - b.height || a.position - b.position || a.number - b.number);
    const taken = waiting.slice(0, Math.min(left, terms.requestsPerBlock));
    for (const one of taken) one.block = height;
    left -= taken.length;
  }
  const taken = Object.fromEntries(batches.map(({ txid, bids }) => [txid, bids.map((_, number) => (
    requests.filter((one) => one.txid === txid && one.number === number && one.block !== undefined).length))]));
  const heights = requests.map(({ block }) => block).filter((block) => block !== undefined);
  return { taken, mintedOutAt: left === 0 ? Math.max(...heights) : undefined, requests };
}

test('random mints are filled by the rules', () => {
  let [split, full, waits] = [0, 0, 0];
  for (let seed = 1; seed <= 400; seed += 1) {
    const below = numbers(seed);
    const terms = { totalRequests: 1 + below(60), requestsPerBlock: 1 + below(8) };
    const batches = Array.from({ length: 1 + below(12) }, (_, place) => ({
      txid: `t${place}`, height: below(9), position: place,
      bids: Array.from({ length: 1 + below(3) }, () => ({ requests: 1 + below(9), price: 1_000 + below(4), taken: 0 })),
    }));
    const last = below(25);
    const expected = byRule(terms, batches, last);
    const { blocks, mintedOutAt } = fill(terms, batches, last);
    const found = Object.fromEntries(batches.map(({ txid, bids }) => [txid, bids.map(({ taken }) => taken)]));
    assert.deepEqual({ found, mintedOutAt }, { found: expected.taken, mintedOutAt: expected.mintedOutAt }, String(seed));
    for (const block of blocks) {
      const own = expected.requests.filter((one) => one.block === block.height);
      const prices = own.map(({ price }) => price);
      assert.deepEqual(block, {
        height: block.height, requests: own.length, batches: new Set(own.map(({ txid }) => txid)).size,
        lowestPrice: Math.min(...prices), averagePrice: Math.floor(prices.reduce((sum, price) => sum + price, 0) / own.length), highestPrice: Math.max(...prices),
      });
    }
    assert.equal(blocks.length, new Set(expected.requests.map(({ block }) => block).filter((block) => block !== undefined)).size);
    split += batches.some(({ bids }) => bids.some(({ requests, taken }) => taken > 0 && taken < requests)) ? 1 : 0;
    full += mintedOutAt === undefined ? 0 : 1;
    waits += mintedOutAt === undefined && blocks.length > 0 ? 1 : 0;
  }
  assert.ok(split > 50 && full > 50 && waits > 50, `${split} ${full} ${waits}`);
});

test('a mint without batches has no blocks', () => {
  assert.deepEqual(fill({ totalRequests: 5, requestsPerBlock: 5 }, [], 100), { blocks: [], mintedOutAt: undefined });
});
