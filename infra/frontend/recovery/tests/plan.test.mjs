// Plans: what a coin carries stays whole, and only plain sats pay fees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Transaction } from '@scure/btc-signer';

import { library } from './library.mjs';

const { ownAddress, plan, psbtOf, rateOf, readKey, readKit, sign, takeSignatures } = library;

const USER = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const PLATFORM = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const plainWallet = readKit(`wsh(and_v(v:pk(${USER}),or_d(pk(${PLATFORM}),older(12960))))`).wallet;
const eitherWallet = readKit(`wsh(and_v(or_c(pk(${USER}),v:pk(03${USER.slice(2)})),or_d(pk(${PLATFORM}),older(12960))))`).wallet;
const KEY = `${'0'.repeat(63)}1`;
// The order of the curve less one: the same x coordinate, and the other parity.
const NEGATED = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140';
const TO = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr';
const LEGACY = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
const TIP = 1_000_000;
const PLAIN = { runes: [], inscriptions: [] };
const RUNES = { runes: [{ name: 'WANTED', amount: '5' }], inscriptions: [] };
const INSCRIBED = { runes: [], inscriptions: ['ai0'] };

let number = 0;
const coin = (sats, contents, height = 900_000) => {
  number += 1;
  return { txid: number.toString(16).padStart(64, '0'), vout: 0, sats: BigInt(sats), height, contents };
};
const planned = (coins, more = {}) => plan({
  wallet: plainWallet, coins, tip: TIP, destination: TO, rate: rateOf('10'), signer: USER, ...more,
});
const reasons = ({ waiting }) => waiting.map(({ reason }) => reason);

/** Checks what must hold for every plan. */
function check(made, coins, to = TO, wallet = plainWallet) {
  const key = readKey(KEY, wallet);
  const before = new Map(coins.map((one) => [one.txid, one]));
  const spent = new Set();
  const made_ = new Map();
  for (const each of made.transactions) {
    const { hex, txid } = sign(each, wallet, key.privateKey);
    const transaction = Transaction.fromRaw(Buffer.from(hex, 'hex'), { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true });
    assert.equal(transaction.id, txid);
    assert.equal(transaction.version, 2);
    // Runes go to the first output that is no OP_RETURN.
    assert.equal(transaction.getOutputAddress(0), to);
    const outputs = [];
    for (let vout = 0; vout < transaction.outputsLength; vout += 1) {
      const output = transaction.getOutput(vout);
      assert.notEqual(output.script[0], 0x6a);
      outputs.push(output.amount);
      made_.set(`${txid}:${vout}`, { sats: output.amount, address: transaction.getOutputAddress(vout), contents: PLAIN });
    }
    let total = 0n;
    for (let place = 0; place < transaction.inputsLength; place += 1) {
      const { txid: id, index, sequence } = transaction.getInput(place);
      const name = Buffer.from(id).toString('hex');
      const one = before.get(name) ?? made_.get(`${name}:${index}`);
      assert.equal(sequence, before.has(name) ? 12_960 : 0xffff_fffd);
      assert.ok(!spent.has(`${name}:${index}`), 'spent twice');
      spent.add(`${name}:${index}`);
      total += one.sats;
      const carries = one.contents === undefined || one.contents.runes.length + one.contents.inscriptions.length > 0;
      if (place > 0) assert.ok(!carries, 'only plain coins follow the first');
      // Every sat of the coin is in the first output, unless it has runes and no inscription, and pays its
      // own fee.
      else if (carries && !(one.contents?.inscriptions.length === 0 && transaction.inputsLength === 1)) assert.ok(outputs[0] >= one.sats);
    }
    const fee = total - outputs.reduce((sum, sats) => sum + sats, 0n);
    assert.equal(fee, each.fee);
    const size = BigInt(transaction.vsize);
    assert.ok(fee >= 10n * size, `${fee} sats for ${size} vB`);
    // At most an output that would be dust, and signatures that are a few bytes shorter than they could be.
    assert.ok(fee <= 10n * (size + 31n + 2n * BigInt(transaction.inputsLength)) + 546n, `${fee} sats for ${size} vB`);
  }
  // Everything that was made and not spent is at the destination.
  for (const [id, { address }] of made_) if (!spent.has(id)) assert.equal(address, to, id);
  const moved = coins.filter(({ txid }) => spent.has(`${txid}:0`));
  assert.equal(moved.length + made.waiting.length, coins.length);
  for (const { coin: one } of made.waiting) assert.ok(!spent.has(`${one.txid}:0`));
}

test('a coin is free when the next block is the 12,960th after its own', () => {
  const from = TIP + 1 - 12_960;
  const coins = [coin(50_000, PLAIN, from), coin(50_000, PLAIN, from + 1), coin(50_000, PLAIN, undefined)];
  coins[2].height = undefined;
  const made = planned(coins);
  assert.deepEqual(reasons(made), ['delay', 'noHeight']);
  assert.deepEqual(made.transactions.map(({ inputs }) => inputs.map((one) => one.coin.txid)), [[coins[0].txid]]);
});

test('one plain coin pays for all, and its change arrives too', () => {
  const coins = [coin(546, INSCRIBED), coin(10_000, RUNES), coin(7_777, undefined), coin(100_000, PLAIN)];
  const made = planned(coins);
  check(made, coins);
  assert.deepEqual(reasons(made), []);
  assert.deepEqual(made.transactions.map(({ inputs, outputs }) => [inputs.length, outputs.map(({ purpose }) => purpose)]), [
    [2, ['whole', 'change']], [2, ['whole', 'change']], [2, ['whole', 'sats']],
  ]);
  assert.equal(made.transactions[0].outputs[0].sats, 546n);
  assert.equal(made.transactions[0].outputs[1].address, ownAddress(USER, plainWallet));
});

test('without plain coins, runes pay from within, and nothing else does', () => {
  const coins = [coin(546, INSCRIBED), coin(10_000, RUNES), coin(10_000, undefined), coin(546, RUNES), coin(20_000, { ...RUNES, ...{ inscriptions: ['bi0'] } })];
  const made = planned(coins);
  check(made, coins);
  assert.deepEqual(made.transactions.map(({ inputs }) => inputs[0].coin.txid), [coins[1].txid]);
  assert.deepEqual(new Set(reasons(made)), new Set(['noFee']));

  // A plain payment to the ordinary address of the key pays instead.
  const payment = { ...coin(50_000, PLAIN), height: undefined };
  const paid = planned(coins, { feeCoins: [payment] });
  assert.deepEqual(reasons(paid), []);
  assert.equal(paid.transactions[0].inputs[1].coin.txid, payment.txid);
  assert.equal(paid.transactions.length, 5);
  for (const each of paid.transactions) sign(each, plainWallet, readKey(KEY, plainWallet).privateKey);
});

test('a coin that is left out neither moves nor pays', () => {
  const coins = [coin(10_000, RUNES), coin(546, INSCRIBED), coin(100_000, PLAIN), coin(50_000, PLAIN)];
  const without = new Set([`${coins[1].txid}:0`, `${coins[2].txid}:0`]);
  const made = planned(coins, { without });
  check(made, coins);
  assert.deepEqual(made.waiting.map(({ coin: { txid }, reason }) => [txid, reason]), [[coins[1].txid, 'leftOut'], [coins[2].txid, 'leftOut']]);
  assert.deepEqual(made.transactions.map(({ inputs }) => inputs.map((one) => one.coin.txid)), [[coins[0].txid, coins[3].txid]]);
  // Another output of the same transaction is another coin.
  assert.deepEqual(reasons(planned(coins, { without: new Set([`${coins[0].txid}:1`]) })), []);
  assert.deepEqual(planned(coins, { without: new Set(coins.map(({ txid }) => `${txid}:0`)) }).transactions, []);
});

test('a coin below what the destination relays is filled up from behind', () => {
  const coins = [coin(330, INSCRIBED), coin(50_000, PLAIN)];
  const made = planned(coins, { destination: LEGACY });
  check(made, coins, LEGACY);
  assert.equal(made.transactions[0].outputs[0].sats, 546n);
});

test('coins that are worth less than their fee stay', () => {
  const coins = [coin(500, PLAIN), coin(50_000, PLAIN)];
  const made = planned(coins);
  check(made, coins);
  assert.deepEqual(reasons(made), ['notWorthIt']);
  assert.deepEqual(reasons(planned([coin(1_500, PLAIN)])), ['notWorthIt']);
});

test('random wallets: nothing is lost and no carried sat is a fee', () => {
  // A linear congruential generator: the same wallets in every run.
  let seed = 1;
  const random = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const kinds = [PLAIN, PLAIN, RUNES, INSCRIBED, undefined, { ...RUNES, inscriptions: ['ci0'] }];
  for (let wallet = 0; wallet < 60; wallet += 1) {
    const coins = Array.from({ length: 1 + random(9) }, () => coin(330 + random(random(2) === 0 ? 2_000 : 60_000), kinds[random(kinds.length)], random(5) === 0 ? TIP : 900_000));
    for (const [its, to] of [[plainWallet, TO], [eitherWallet, LEGACY]]) {
      check(planned(coins, { wallet: its, destination: to }), coins, to, its);
      const without = new Set(coins.filter(() => random(3) === 0).map(({ txid }) => `${txid}:0`));
      const made = planned(coins, { wallet: its, destination: to, without });
      check(made, coins, to, its);
      assert.equal(reasons(made).filter((reason) => reason === 'leftOut').length, without.size);
    }
  }
});

test('more coins than a chain may have move in rounds', () => {
  const coins = [coin(1_000_000, PLAIN), ...Array.from({ length: 23 }, () => coin(546, INSCRIBED))];
  const made = planned(coins);
  check(made, coins);
  assert.equal(made.transactions.length, 20);
  assert.deepEqual(reasons(made), ['laterRound', 'laterRound', 'laterRound']);
});

test('two hundred plain coins fit into one transaction', () => {
  const coins = Array.from({ length: 250 }, () => coin(20_000, PLAIN));
  const made = planned(coins);
  check(made, coins);
  assert.deepEqual(made.transactions.map(({ inputs }) => inputs.length), [200, 50]);
});

test('an external wallet signs, and foreign or wrong signatures are refused', () => {
  const coins = [coin(546, INSCRIBED), coin(20_000, PLAIN), coin(30_000, PLAIN)];
  // The file has two keys, and which one signs is not known: no change in between.
  const { transactions } = planned(coins, { wallet: eitherWallet, signer: undefined });
  assert.deepEqual(transactions.map(({ outputs }) => outputs.map(({ address }) => address)), [[TO, TO], [TO]]);
  for (const key of [KEY, NEGATED]) {
    for (const each of transactions) {
      const psbt = Transaction.fromPSBT(Buffer.from(psbtOf(each), 'base64'), { allowUnknownInputs: true });
      const unsigned = Buffer.from(psbt.toPSBT()).toString('base64');
      assert.throws(() => takeSignatures(unsigned, transactions, eitherWallet), /A signature is missing/);
      psbt.sign(Buffer.from(key, 'hex'));
      const text = Buffer.from(psbt.toPSBT()).toString('base64');
      const { txid, hex } = takeSignatures(`${text.slice(0, 40)}\n${text.slice(40)}`, transactions, eitherWallet);
      assert.equal(txid, each.txid);
      assert.equal(takeSignatures(Buffer.from(psbt.toPSBT()).toString('hex'), transactions, eitherWallet).hex, hex);
      assert.throws(() => takeSignatures(text, [], eitherWallet), /another transaction/);
      const [, [, signature]] = [0, psbt.getInput(0).partialSig[0]];
      const at = Buffer.from(psbt.toPSBT()).indexOf(Buffer.from(signature));
      const broken = Buffer.from(psbt.toPSBT());
      broken[at + 20] ^= 1;
      assert.throws(() => takeSignatures(broken.toString('base64'), transactions, eitherWallet), { name: 'Problem' });
    }
  }
  assert.throws(() => takeSignatures('hello', transactions, eitherWallet), /not a PSBT/);
});

test('an address of another network, the trading address and odd rates are refused', () => {
  const coins = [coin(50_000, PLAIN)];
  for (const [more, said] of [
    [{ destination: '' }, /Enter the address/],
    [{ destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, /not an address of the network bitcoin/],
    [{ destination: `${TO.slice(0, -1)}q` }, /not an address/],
    [{ destination: plainWallet.address }, /trading address itself/],
    [{ destination: plainWallet.address.toUpperCase() }, /trading address itself/],
  ]) assert.throws(() => planned(coins, more), { name: 'Problem', message: said });
  for (const text of ['', '0', '0.05', '-1', '+1', 'fast', '10000000', '1e3', '٥', '1 000', '5.', '.5', '2.5.1']) assert.throws(() => rateOf(text), /fee rate/);
  // Two and a half, or 25? One, or a thousand?
  for (const text of ['2,5', '1,000', '1.000,5']) assert.throws(() => rateOf(text), /with a point for decimals, such as 2\.5/);
  assert.deepEqual(['1', '0.1', '2.5', ' 12.345 '].map(rateOf), [1_000n, 100n, 2_500n, 12_345n]);
});
