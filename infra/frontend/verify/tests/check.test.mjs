// What the check notices of a server or a service that says something else than the chain.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { library } from './library.mjs';
import { idOf, message, paidOut, remove, row, tradingOf, walletOf, World } from './world.mjs';

const { check, claimsAt, claimsIn, factsOf, Server, verdictOf } = library;

async function checked(world, esplora = 'https://esplora.example') {
  const server = new Server(world.fetch, () => Promise.resolve());
  const claims = await claimsAt('https://service.example/api/vm-transactions/mints/m1', server);
  return check(claims, esplora, server);
}

/** The first difference after a change of the world. */
async function differenceAfter(change) {
  const scene = paidOut();
  const txid = change(scene);
  const { difference } = await checked(scene.world);
  assert.ok(difference, 'nothing is noticed');
  if (txid !== undefined) assert.equal(difference.txid, txid ?? undefined, difference.message);
  return `${difference.expected} | ${difference.found}`;
}

const rowOf = ({ world }, { txid }) => world.rows.find(({ txId }) => txId === txid);
/** Gives a transaction another output, and the id that it then has. */
function rewrite(transaction, vout, differs) {
  Object.assign(transaction.vout[vout], differs);
  transaction.txid = idOf(transaction);
  return transaction.txid;
}

test('an honest mint agrees, from servers and from files', async () => {
  const { world } = paidOut();
  const report = await checked(world);
  assert.equal(report.difference, undefined, report.difference?.message);
  assert.match(verdictOf(report), /^Everything agrees: mint m1 of SOME•RUNE, which has paid out everything\.$/);
  const facts = factsOf(report).join('\n');
  assert.match(facts, /^Terms: 10 requests, 5 a block, from 1,000 sats each; 10 units of the rune 840000:3 each; proceeds to bc1q/);
  assert.match(facts, /3 batches have paid the treasury 26,500 sats/);
  assert.match(facts, /1 other payment that the service has signed, which it lists for other mints/);
  assert.match(facts, /2 payments that the service has not signed/);
  assert.match(facts, /Proceeds: 23,000 of 23,000 sats, in 1 transfer\./);
  assert.match(facts, /Refunds: 2 batches of 2/);
  assert.match(facts, /Prices: 1 batch of 3 have one price/);
  const saved = [{ data: world.terms }, { data: world.rows }, { data: world.claimed }].map((answer) => JSON.stringify(answer));
  const fromFiles = await check(claimsIn(saved), 'https://esplora.example', new Server(world.fetch));
  assert.deepEqual([fromFiles.difference, fromFiles.fingerprint], [undefined, report.fingerprint]);
  assert.throws(() => claimsIn(saved.slice(1)), /Choose the answer of one mint/);
  assert.throws(() => claimsIn(['<html>']), /not JSON/);
  assert.throws(() => claimsIn([JSON.stringify({ data: { ...world.terms, totalRequests: '10' } })]), /no valid totalRequests/);
});

test('the fingerprint depends on every price', async () => {
  const told = await checked(paidOut().world);
  const scene = paidOut();
  Object.assign(rowOf(scene, scene.c), { satsPerNewRequest: 2_000 });
  assert.notEqual((await checked(scene.world)).fingerprint, told.fingerprint);
});

test('what the service has signed is in its list, with the sum that it paid', async () => {
  const unlist = ({ world }, { txid }) => { world.rows = world.rows.filter(({ txId }) => txId !== txid); };
  assert.match(await differenceAfter((scene) => { unlist(scene, scene.c); return scene.c.txid; }), /signed this payment of 2,000 sats.* \| no such batch/);
  await differenceAfter((scene) => { unlist(scene, scene.other); return scene.other.txid; });
  assert.match(await differenceAfter((scene) => { rowOf(scene, scene.a).satsNewRequests = 8_004; return scene.a.txid; }), /one payment of 8,004 sats.* \| 8,000 sats/);
  assert.match(await differenceAfter(({ world, wallets: { cyd, treasury } }) => {
    const twice = world.add(102, [cyd], [{ ...treasury, sats: 2_000 }, { ...treasury, sats: 1_000 }]);
    world.rows.push(row(twice.txid, cyd.address, [2, 1_000]));
    return twice.txid;
  }), /one payment of 2,000 sats.* \| 2,000 sats and 1,000 sats/);
  // The batch that another one has replaced.
  assert.match(await differenceAfter((scene) => { scene.world.rows.splice(1, 1); return scene.b.txid; }), /3 requests for 4,500 sats taken over.* \| 0 requests/);
  assert.match(await differenceAfter((scene) => { rowOf(scene, scene.b).tradingAddress = scene.wallets.ann.address; return scene.b.txid; }), /a payment from/);
  assert.match(await differenceAfter((scene) => { rowOf(scene, scene.c).satsPerNewRequest = 1_500; return scene.c.txid; }), /that the terms allow/);
  assert.match(await differenceAfter((scene) => { scene.world.terms.minSatsPerRequest = 1_001; return scene.c.txid; }), /that the terms allow/);
  assert.match(await differenceAfter(({ world }) => { world.rows.push({ ...world.rows[0], txId: 'bb'.repeat(32) }); return 'bb'.repeat(32); }), /a block that has this payment/);
});

test('a key that no listed batch has is not the service', async () => {
  const { world, wallets } = paidOut();
  world.add(101, [tradingOf('mallory', `02${'ab'.repeat(32)}`)], [{ ...wallets.treasury, sats: 9_000 }]);
  const report = await checked(world);
  assert.equal(report.difference, undefined);
  assert.equal(report.others.ofStrangers, 3);
});

test('virtual blocks and counts of the service are compared', async () => {
  assert.match(await differenceAfter(({ world }) => { world.claimed[1].averagePrice = 1_801; }), /1,800 on average \| .*1,801 on average, says the service/);
  assert.match(await differenceAfter(({ world }) => { world.claimed.pop(); }), /5 requests.* \| no virtual block/);
  assert.match(await differenceAfter(({ world }) => { world.claimed.push({ ...world.claimed[1], height: 102 }); }), /^no virtual block/);
  assert.match(await differenceAfter((scene) => { rowOf(scene, scene.b).requestsInBlocksCount = 5; return scene.b.txid; }), /6 of its requests in virtual blocks \| 5/);
});

test('a mint ends as its blocks say', async () => {
  const unfilled = await differenceAfter(({ world }) => {
    world.terms.totalRequests = 20;
    world.claimed.push({ height: 102, requests: 3, batches: 2, lowestPrice: 1_000, averagePrice: 1_166, highestPrice: 1_500 });
  });
  assert.match(unfilled, /^the last request to be taken seven blocks deep.* \| no block that takes it$/);
  assert.match(await differenceAfter(({ world }) => { world.terms.state = 'failed'; }), /this block took the last request before the mint closed \| a failed mint/);
  const closed = 1_700_000_101_000;
  assert.match(await differenceAfter((scene) => { Object.assign(scene.world.terms, { state: 'failed', closesAt: closed }); return scene.transfer.txid; }), /^0 sats to the proceeds.* \| 23,000 sats$/);
  assert.match(await differenceAfter((scene) => { scene.world.terms.state = 'open'; return scene.transfer.txid; }), /no payout, since the mint is open/);
});

test('each payout is as large as it should be, and goes where it should', async () => {
  assert.match(await differenceAfter(({ transfer }) => rewrite(transfer, 0, { value: 22_999 })), /23,000 sats to the proceeds.* \| 22,999/);
  assert.match(await differenceAfter(({ transfer }) => rewrite(transfer, 1, { value: 1_499 })), /1,500 sats back to the treasury \| 1,499/);
  const script = (given) => ({ scriptpubkey: [...given.script].map((byte) => byte.toString(16).padStart(2, '0')).join('') });
  assert.match(await differenceAfter(({ distribution }) => rewrite(distribution, 0, script(message([[59n, 2], [40n, 4]], 3)))), /^60 units of the rune to .* \| 59 units/);
  assert.match(await differenceAfter(({ distribution }) => rewrite(distribution, 0, script(message([[60n, 2], [41n, 4]], 3)))), /^40 units of the rune to .* \| 41 units/);
  // An edict that gives every output the same amount gives it to the pool too, and more to one.
  const { world, distribution } = paidOut();
  rewrite(distribution, 0, script(message([[20n, 2], [40n, 5]], 3)));
  assert.equal((await checked(world)).difference, undefined);
  // Another rune, a malformed message, nothing at all.
  for (const wrong of [message([[60n, 2], [40n, 4]], 3, [840_000, 4]), message([[60n, 9], [40n, 4]], 3), walletOf('nobody')]) {
    assert.match(await differenceAfter((scene) => { rewrite(scene.distribution, 0, script(wrong)); return scene.a.txid; }), /a distribution of 40 units.* \| none/);
  }
  assert.match(await differenceAfter((scene) => rewrite(scene.refundOfCyd, 0, script(scene.wallets.ann))), /a refund of 2,000 sats.* \| a payment to/);
  assert.match(await differenceAfter((scene) => rewrite(scene.refundOfBen, 0, script(scene.wallets.ann))), /a refund of 1,500 sats.* \| a payment to/);
});

test('a payment leaves the treasury once, and by the way that it should', async () => {
  // Ann's payment returns to her although her requests were taken.
  assert.match(await differenceAfter(({ world, a, transfer, refundOfBen, wallets: { ann } }) => {
    [transfer, refundOfBen].forEach((one) => remove(world, one));
    return world.add(108, [`${a.txid}:0`], [{ ...ann, sats: 7_900 }]).txid;
  }), /a transfer of 8,000 sats.* to the proceeds first \| a payment to/);
  assert.match(await differenceAfter(({ world, a, transfer, refundOfBen }) => {
    [transfer, refundOfBen].forEach((one) => remove(world, one));
    return a.txid;
  }), /a transfer of 8,000 sats to the proceeds.* \| none/);
  // Cyd's payment passes through a transfer, although nothing of it was taken.
  assert.match(await differenceAfter(({ world, c, refundOfCyd, wallets: { proceeds, treasury, pool } }) => {
    remove(world, refundOfCyd);
    const outputs = [{ ...treasury, sats: 2_000 }, { ...pool, sats: 100 }];
    return world.add(109, [`${c.txid}:1`, pool], [...outputs, { ...proceeds, sats: 0 }]).txid;
  }), /no transfer of batch .*, of which no request was taken \| one/);
  // Ben's rest is transferred as if it were his batch.
  assert.match(await differenceAfter(({ world, transfer, refundOfBen, wallets: { proceeds, treasury, pool } }) => {
    remove(world, refundOfBen);
    return world.add(109, [`${transfer.txid}:1`, pool], [{ ...proceeds, sats: 15_000 }, { ...treasury, sats: 1_500 }]).txid;
  }), /one transfer of batch .* \| another one besides/);
});

/** Two batches whose rests are equal, refunded to these two. */
function equalRests(first, second) {
  const world = new World();
  const { world: { terms }, wallets } = paidOut();
  const { treasury, pool, proceeds, ann, ben } = wallets;
  const bid = (who) => world.add(100, [who], [{ ...treasury, sats: 4_000 }]);
  const [a, b] = [bid(ann), bid(ben)];
  const transfer = world.add(107, [`${a.txid}:0`, `${b.txid}:0`, pool], [{ ...proceeds, sats: 6_000 }, { ...treasury, sats: 1_000 }, { ...treasury, sats: 1_000 }]);
  world.add(107, [pool], [message([[10n, 2], [10n, 3]], 1), { ...pool, sats: 546 }, { ...ann, sats: 546 }, { ...ben, sats: 546 }]);
  const refunds = [first, second].map((name, place) => world.add(108, [`${transfer.txid}:${place + 1}`], [{ ...wallets[name], sats: 800 }]));
  world.terms = { ...terms, totalRequests: 2, requestsPerBlock: 2 };
  world.rows = [[a, ann], [b, ben]].flatMap(([{ txid }, { address }], place) => {
    const replaced = `${place}a`.repeat(32);
    const taken = { replaceTxId: replaced, replacedRequestsCount: 1, satsPreviousRequests: 3_000, requestsInBlocksCount: 1, paidSats: 4_000 };
    return [row(replaced, address, [1, 3_000], { paidSats: 0 }), row(txid, address, [1, 1_000], taken)];
  });
  world.claimed = [{ height: 100, requests: 2, batches: 2, lowestPrice: 3_000, averagePrice: 3_000, highestPrice: 3_000 }];
  return { world, refunds };
}

test('equal rests go to both owners, in any order', async () => {
  for (const to of [['ann', 'ben'], ['ben', 'ann']]) {
    const { difference } = await checked(equalRests(...to).world);
    assert.equal(difference, undefined, difference?.message);
  }
  for (const to of [['ann', 'ann'], ['ben', 'ben']]) {
    const { world, refunds } = equalRests(...to);
    assert.equal((await checked(world)).difference?.txid, refunds[1].txid, to[0]);
  }
});

test('a server cannot change what a transaction says', async () => {
  assert.match(await differenceAfter(({ transfer }) => { transfer.vout[0].value += 1; return transfer.txid; }), /a transaction with this id \| another content/);
  assert.match(await differenceAfter(({ world, a }) => { world.blocks.get(100).find(({ txid }) => txid === a.txid).status.block_hash = 'hash101'; return a.txid; }), /a transaction of this block/);
});

test('a server that does not answer as it should is named', async () => {
  const { world } = paidOut();
  await assert.rejects(checked(world, 'esplora.example'), /must begin with https/);
  const answers = [new Response('', { status: 429 }), new Response('', { status: 500 })];
  const broken = { fetch: async (address) => (address.includes('esplora') ? answers.shift() : world.fetch(address)) };
  await assert.rejects(checked(broken), /does not answer as it should \(status 500\)/);
  await assert.rejects(checked({ fetch: async () => { throw new TypeError('offline'); } }), /does not answer\. Check the address/);
});
