// The worst that a server can do to the user of the page is to hide coins.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { library } from './library.mjs';
import { Network, payment, txidOf } from './network.mjs';
import { open } from './page.mjs';

const { readKit } = library;

const USER = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const PLATFORM = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const DESCRIPTOR = `wsh(and_v(v:pk(${USER}),or_d(pk(${PLATFORM}),older(12960))))`;
const { address, script } = readKit(DESCRIPTOR).wallet;
const KEY = `${'0'.repeat(63)}1`;
const TO = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr';
const [FIRST, SECOND] = ['https://one.example', 'https://two.example'];

/** A recovery file that lists these payments as plain coins. */
const kitOf = (payments) => JSON.stringify({
  kind: 'runeport-recovery-kit', version: 1, network: 'bitcoin', address, descriptor: DESCRIPTOR,
  coins: payments.flatMap(({ txid, sats }) => sats.map((value, vout) => ({ id: `${txid}:${vout}`, sats: value, runes: [], inscriptions: [], confirmedHeight: 900_000 }))),
});

async function opened(network, payments, text = kitOf(payments)) {
  const page = open(network.fetch);
  page.fill('kit-text', text);
  page.fill('kit-network', 'bitcoin');
  await page.press('read-text');
  assert.match(page.text('kit-said'), /The file is complete/);
  page.fill('esplora', FIRST);
  return page;
}

async function signed(page) {
  page.fill('destination', TO);
  page.fill('key', KEY);
  await page.press('sign');
  assert.match(page.text('sign-said'), /^Signed\. Nothing is sent yet\.$/);
}

test('a server fills in a fee rate of at most 200', async () => {
  const payments = [payment(script, 100_000)];
  for (const [rate, filled, said] of [
    [3.2, '4', /^1 coin, 100,000 sats in total\. It is free now\.$/],
    [200, '200', /It is free now\.$/],
    [201, '5', /The server estimates a fee rate of 201 sats per virtual byte, which is very high\. It is not filled in\./],
    [9_999, '5', /estimates a fee rate of 9,999 sats/],
    [1e300, '5', /is very high/],
  ]) {
    const page = await opened(new Network().add('one.example', { rate, payments }), payments);
    await page.press('look');
    assert.equal(page.at('rate').value, filled, String(rate));
    assert.match(page.text('coins-said'), said, String(rate));
    assert.equal(page.at('step-4').hidden, false);
  }
});

test('a fee rate that the user has typed stays', async () => {
  const payments = [payment(script, 100_000)];
  const page = await opened(new Network().add('one.example', { rate: 90, payments }), payments);
  await page.press('look');
  assert.equal(page.at('rate').value, '90');
  page.fill('rate', '2');
  await page.press('look');
  assert.equal(page.at('rate').value, '2');
});

test('a server that takes a transaction and drops it is named, and another one gets it', async () => {
  const payments = [payment(script, 100_000)];
  const network = new Network()
    .add('one.example', { payments, says: (path, answer) => (path.startsWith('GET /tx/') ? [404, 'Transaction not found'] : answer) })
    .add('two.example', { payments });
  const page = await opened(network, payments);
  await page.press('look');
  await signed(page);
  await page.press('send');
  assert.match(page.text('send-said'), /^one\.example took transaction 1 of 1, but does not list it\. .*another server.* press “Send” again/);
  assert.equal(page.at('send-said').className, 'said bad');

  // With another server, the page says nothing until that one has it.
  page.fill('esplora', SECOND);
  assert.equal(page.text('send-said'), '');
  network.seen.length = 0;
  await page.press('send');
  const [[txid]] = network.servers.get('two.example').has;
  assert.deepEqual(network.seen, ['POST two.example/tx', `GET two.example/tx/${txid}`]);
  assert.match(page.text('send-said'), /^Sent\. The network has the transaction, says two\.example\./);
  assert.equal(page.at('send-said').className, 'said good');
});

test('what one server says to have is asked of the next one', async () => {
  const payments = [payment(script, 100_000)];
  const network = new Network().add('two.example', { payments }).add('one.example', {
    payments,
    // The server claims to know every transaction, but broadcasts none.
    says: (path, answer) => {
      const [, txid] = /^GET \/tx\/([0-9a-f]{64})$/.exec(path) ?? [];
      return txid === undefined ? answer : [200, { txid, status: { confirmed: false } }];
    },
  });
  const page = await opened(network, payments);
  await page.press('look');
  await signed(page);
  await page.press('send');
  assert.match(page.text('send-said'), /^Sent\. The network has the transaction, says one\.example\. .*another server/);
  page.fill('esplora', SECOND);
  assert.equal(page.text('send-said'), '');
  await page.press('send');
  assert.equal(network.servers.get('two.example').has.size, 1);
  assert.match(page.text('send-said'), /says two\.example/);
});

test('it does no harm to send twice', async () => {
  const payments = [payment(script, 100_000)];
  const network = new Network().add('one.example', { payments });
  const page = await opened(network, payments);
  await page.press('look');
  await signed(page);
  await page.press('send');
  await page.press('send');
  assert.equal(network.servers.get('one.example').has.size, 1);
  assert.match(page.text('send-said'), /^Sent\. The network has the transaction/);
});

test('a refusal says what was sent before it', async () => {
  const payments = [payment(script, ...Array(250).fill(20_000))];
  let refused = 0;
  const network = new Network().add('one.example', {
    payments,
    says: (path, answer, body) => {
      if (path !== 'POST /tx' || network.servers.get('one.example').has.size < 2) return answer;
      refused += 1;
      network.servers.get('one.example').has.delete(txidOf(body));
      return [400, 'min relay fee not met'];
    },
  });
  const page = await opened(network, payments);
  await page.press('look');
  await signed(page);
  await page.press('send');
  assert.match(page.text('send-said'), /^1 of 2 transactions were sent\. The network refuses it: min relay fee not met/);
  assert.equal(refused, 1);
});

test('a server that lies about amounts gets no signature', async () => {
  // A signature does not commit to the amounts of other coins. From two signatures of one transaction, each
  // made while the amount of the other coin was a lie, a server could put together a valid one that loses the
  // difference as its fee.
  const payments = [payment(script, 100_000), payment(script, 50_000)];
  for (const wrong of [60_000, 140_000]) {
    const network = new Network().add('one.example', {
      payments,
      says: (path, [status, body]) => {
        if (!path.endsWith('/utxo')) return [status, body];
        return [status, body.map((coin) => (coin.txid === payments[0].txid ? { ...coin, value: wrong } : coin))];
      },
    });
    for (const text of [kitOf(payments), DESCRIPTOR]) {
      const page = await opened(network, payments, text);
      await page.press('look');
      assert.match(page.text('coins-said'), /^one\.example says that a coin holds .* sats, but its transaction says .*Use another server\.$/);
      assert.ok(page.at('step-3').hidden && page.at('step-4').hidden);
    }
  }
  // Nor does one that does not show the transactions of coins that the recovery file does not list.
  for (const answer of [[404, 'Transaction not found'], [200, payments[1].hex], [200, 'ff'], [200, '<html>']]) {
    const network = new Network().add('one.example', {
      payments, says: (path, honest) => (path === `GET /tx/${payments[0].txid}/hex` ? answer : honest),
    });
    const page = await opened(network, payments, DESCRIPTOR);
    await page.press('look');
    assert.match(page.text('coins-said'), /one\.example does not (answer as an Esplora server does|show the transaction)/, String(answer));
    assert.ok(page.at('step-4').hidden);
  }
});
