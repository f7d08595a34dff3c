// Servers that answer, refuse, lie, or are something else.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { library } from './library.mjs';
import { Network, payment } from './network.mjs';

const { Esplora, readContents, withContents } = library;

const SERVER = 'https://esplora.example/api';
const txid = 'ab'.repeat(32);
/** A network in which only these paths answer: `[status, body]`. */
const serving = (paths, seen = []) => async (url, init) => {
  seen.push([init?.method ?? 'GET', url, init?.body]);
  const [status, body] = paths[url.replace(/^https:\/\/[^/]+(\/api)?/, '')] ?? [404, 'not found'];
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
};
const problem = (message) => ({ name: 'Problem', message });
const coin = (more = {}) => ({ txid, vout: 0, sats: 546n, height: 7, contents: undefined, ...more });

test('coins, height and fee rate are read', async () => {
  const paid = payment(new Uint8Array(34), 546, 1_000);
  const esplora = new Esplora(`${SERVER}/`, serving({
    '/blocks/tip/height': [200, '900000\n'],
    '/address/bc1q/utxo': [200, [
      { txid: paid.txid, vout: 0, value: 546, status: { confirmed: true, block_height: 7 } },
      { txid: paid.txid, vout: 1, value: 1_000, status: { confirmed: false } },
    ]],
    [`/tx/${paid.txid}/hex`]: [200, `${paid.hex}\n`],
    '/fee-estimates': [200, { 1: 9.5, 6: 2.01 }],
  }));
  assert.equal(await esplora.tip(), 900_000);
  const { coins, complete } = await esplora.coins('bc1q');
  assert.deepEqual([coins.map(({ sats, height }) => [sats, height]), complete], [[[546n, 7], [1_000n, undefined]], true]);
  assert.deepEqual(await esplora.estimate(), { rate: 3 });
  const known = [coin({ txid: paid.txid, contents: { runes: [], inscriptions: ['ai0'] } })];
  assert.deepEqual(withContents(coins, known).map(({ contents }) => contents?.inscriptions), [['ai0'], undefined]);
});

test('an address with too many coins is read coin by coin', async () => {
  const [spent, confirmed, pending] = [coin({ vout: 0 }), coin({ vout: 1, height: undefined }), coin({ txid: 'cd'.repeat(32) })];
  const esplora = new Esplora(SERVER, serving({
    '/address/bc1q/utxo': [400, 'Too many history entries'],
    [`/tx/${txid}/outspend/0`]: [200, { spent: true }],
    [`/tx/${txid}/outspend/1`]: [200, { spent: false }],
    [`/tx/${txid}/status`]: [200, { confirmed: true, block_height: 9 }],
    [`/tx/${pending.txid}/outspend/0`]: [200, { spent: false }],
    [`/tx/${pending.txid}/status`]: [200, { confirmed: false }],
  }));
  const { coins, complete } = await esplora.coins('bc1q', [spent, confirmed, pending]);
  assert.deepEqual([coins.map(({ txid: id, vout, height }) => [id, vout, height]), complete], [[[txid, 1, 9], [pending.txid, 0, undefined]], false]);
  await assert.rejects(esplora.coins('bc1q'), problem(/status 400/));
});

test('something else than Esplora is named', async () => {
  for (const paths of [{}, { '/blocks/tip/height': [200, '<html>'], '/address/bc1q/utxo': [200, '<html>'] }, { '/address/bc1q/utxo': [200, { coins: [] }] }]) {
    const esplora = new Esplora(SERVER, serving(paths));
    await assert.rejects(esplora.tip(), problem(/esplora\.example does not answer as an Esplora server does/));
    await assert.rejects(esplora.coins('bc1q'), problem(/does not answer as an Esplora server does/));
  }
  for (const value of [1.5, '1', null]) {
    const esplora = new Esplora(SERVER, serving({ '/address/bc1q/utxo': [200, [{ txid, vout: 0, value }]] }));
    await assert.rejects(esplora.coins('bc1q'), problem(/cannot read/));
  }
  const down = new Esplora(SERVER, async () => { throw new TypeError('fetch failed'); });
  await assert.rejects(down.tip(), problem(/esplora\.example does not answer\. Check your connection/));
  for (const address of ['', 'mempool.space', 'ftp://a', 'javascript:alert(1)', 'https://a?b']) {
    assert.throws(() => new Esplora(address, fetch), problem(/must begin with https/), address);
  }
});

test('a transaction is sent as it is, and a refusal is shown', async () => {
  const seen = [];
  await new Esplora(SERVER, serving({ '/tx': [200, txid] }, seen)).send('0200');
  assert.deepEqual(seen, [['POST', `${SERVER}/tx`, '0200']]);
  const refusing = (reason) => new Esplora(SERVER, serving({ '/tx': [400, reason] })).send('0200');
  await assert.rejects(refusing('sendrawtransaction RPC error: non-BIP68-final'), problem(/not free yet/));
  await assert.rejects(refusing('min relay fee not met'), problem(/refuses it: min relay fee not met/));
});

test('only a server that surely knows a coin says what it carries', async () => {
  const path = `/r/utxo/${txid}:0`;
  const pile = { amount: 12_345, divisibility: 2, symbol: '¤' };
  const read = async (answer) => (await readContents('https://ord.example', [coin()], serving({ [path]: answer })))[0].contents;
  assert.deepEqual(await read([200, { inscriptions: ['ai0'], runes: { 'WANT•ED': pile }, value: 546 }]), {
    inscriptions: ['ai0'], runes: [{ name: 'WANT•ED', amount: '123.45 ¤' }],
  });
  assert.deepEqual(await read([200, { inscriptions: [], runes: {}, value: 546 }]), { inscriptions: [], runes: [] });
  for (const answer of [
    [404, 'output not found'],
    [200, '<html>'],
    [200, { inscriptions: null, runes: {}, value: 546 }],
    [200, { inscriptions: [], runes: null, value: 546 }],
    [200, { inscriptions: [], runes: {}, value: 547 }],
    [200, { value: 546 }],
  ]) assert.equal(await read(answer), undefined, JSON.stringify(answer));
  // The contents in the recovery file stay valid.
  const known = coin({ contents: { runes: [], inscriptions: ['bi0'] } });
  assert.deepEqual(await readContents('https://ord.example', [known], async () => assert.fail('asked')), [known]);
});

test('an estimate above 200 needs the user’s word', async () => {
  const rate = (estimate) => new Esplora(SERVER, serving({ '/fee-estimates': [200, { 6: estimate }] })).estimate();
  assert.deepEqual(await Promise.all([0.3, 200, 200.1, 1e300].map(rate)), [{ rate: 1 }, { rate: 200 }, { tooHigh: 201 }, { tooHigh: 1e300 }]);
  for (const none of [0, -1, '5', null]) assert.equal(await rate(none), undefined, String(none));
});

test('amounts that the recovery file does not have are proven by their transactions', async () => {
  const script = new Uint8Array(34);
  const [listed, other] = [payment(script, 546, 1_000), payment(script, 70_000)];
  const network = new Network().add('one.example', { payments: [listed, other] });
  const esplora = new Esplora('https://one.example', network.fetch);
  const known = [{ txid: listed.txid, vout: 0, sats: 546n, height: 7, contents: undefined }, { txid: listed.txid, vout: 1, sats: 1_000n, height: 7, contents: undefined }];
  const { coins } = await esplora.coins('bc1q', known);
  assert.deepEqual(coins.map(({ sats }) => sats), [546n, 1_000n, 70_000n]);
  // One request for each transaction that is not known.
  assert.deepEqual(network.seen, ['GET one.example/address/bc1q/utxo', `GET one.example/tx/${other.txid}/hex`]);
  // If the two contradict each other, the transaction decides.
  assert.deepEqual((await esplora.coins('bc1q', [{ ...known[0], sats: 1n }])).coins[0].sats, 546n);
  for (const says of [
    (coin) => ({ ...coin, value: coin.value + 1 }), (coin) => ({ ...coin, vout: 2 }), (coin) => ({ ...coin, txid: 'cd'.repeat(32) }),
  ]) {
    const lying = new Network().add('one.example', {
      payments: [listed, other], says: (path, [status, body]) => [status, path.endsWith('/utxo') ? body.map(says) : body],
    });
    await assert.rejects(new Esplora('https://one.example', lying.fetch).coins('bc1q', known), problem(/one\.example/));
  }
});

test('a server that is asked too often is asked again', async () => {
  const other = payment(new Uint8Array(34), 70_000);
  let left = 3;
  const network = new Network().add('one.example', {
    payments: [other], says: (path, answer) => (path.endsWith('/hex') && left-- > 0 ? [429, 'Too Many Requests'] : answer),
  });
  const waits = [];
  const wait = async (milliseconds) => { waits.push(milliseconds); };
  const esplora = new Esplora('https://one.example', network.fetch, wait);
  assert.equal((await esplora.coins('bc1q')).coins.length, 1);
  assert.deepEqual(waits, [1_000, 2_000, 4_000]);
  left = Infinity;
  await assert.rejects(esplora.coins('bc1q'), problem(/status 429/));
});

test('a server that has taken a transaction is asked for it', async () => {
  const { hex, txid } = payment(new Uint8Array(34), 70_000);
  const waits = [];
  const deliver = (says) => {
    const network = new Network().add('one.example', { says });
    return [new Esplora('https://one.example', network.fetch, async (time) => { waits.push(time); }).deliver({ hex, txid }), network];
  };
  const [honest, network] = deliver((_path, answer) => answer);
  assert.equal(await honest, true);
  assert.deepEqual(network.seen, ['POST one.example/tx', `GET one.example/tx/${txid}`]);
  // It appears a little later.
  let asked = 0;
  const [late] = deliver((path, answer) => (path.startsWith('GET') && (asked += 1) < 3 ? [404, ''] : answer));
  assert.equal(await late, true);
  assert.deepEqual(waits, [1_000, 1_000]);
  const [dropped] = deliver((path, answer) => (path.startsWith('GET') ? [404, ''] : answer));
  assert.equal(await dropped, false);
  // Somebody else has sent it in the meantime.
  for (const reason of ['txn-already-known', 'txn-already-in-mempool', 'Transaction already in block chain', 'Transaction outputs already in utxo set']) {
    const [known] = deliver((path, answer) => (path.startsWith('POST') ? [400, reason] : [200, { txid }]));
    assert.equal(await known, true, reason);
    const [unknown] = deliver((path) => (path.startsWith('POST') ? [400, reason] : [404, '']));
    await assert.rejects(unknown, problem(new RegExp(reason)), reason);
  }
  const [refused, asks] = deliver((path) => (path.startsWith('POST') ? [400, 'min relay fee not met'] : [200, { txid }]));
  await assert.rejects(refused, problem(/min relay fee not met/));
  assert.deepEqual(asks.seen, ['POST one.example/tx']);
  const [other] = deliver((path, answer) => (path.startsWith('POST') ? answer : [200, { txid: 'cd'.repeat(32) }]));
  assert.equal(await other, false);
});
