// Recovery files and keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { library } from './library.mjs';

const { coinsIn, readKey, readKit } = library;

// The points of the private keys 1 and 2, and Bitcoin Core's checksums of their descriptors.
const USER = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const ODD = USER.replace(/^02/, '03');
const PLATFORM = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const PLAIN = `wsh(and_v(v:pk(${USER}),or_d(pk(${PLATFORM}),older(12960))))#m4uhhjp7`;
const EITHER = `wsh(and_v(or_c(pk(${USER}),v:pk(${ODD})),or_d(pk(${PLATFORM}),older(12960))))#36fzrhga`;
const ONE = `${'0'.repeat(63)}1`;

const kit = (changes = {}) => {
  const { wallet } = readKit(PLAIN, 'regtest');
  return JSON.stringify({
    kind: 'runeport-recovery-kit', version: 1, network: 'regtest', address: wallet.address, descriptor: PLAIN, height: 7, coins: null, ...changes,
  });
};

test('a descriptor alone is enough, in both forms', () => {
  assert.deepEqual(readKit(PLAIN).wallet.user, [USER]);
  assert.deepEqual(readKit(EITHER).wallet.user, [USER, ODD]);
  assert.match(readKit(` ${PLAIN}\n`).wallet.address, /^bc1q[0-9a-z]{58}$/);
  assert.match(readKit(PLAIN.split('#')[0], 'signet').wallet.address, /^tb1q/);
});

test('typing mistakes and other scripts are refused', () => {
  for (const [text, said] of [
    [PLAIN.replace('79be', '79bf'), /checksum is wrong/],
    [PLAIN.replace(/#.*/, '').replace('12960', '12961'), /not the descriptor/],
    [EITHER.replace(/#.*/, '').replace(ODD, USER), /not the descriptor/],
    ['wsh(pk(ü))#aaaaaaaa', /character/],
    ['{}', /has no descriptor/],
    ['hello', /not a Runeport recovery file/],
    ['[1]', /not a Runeport recovery file/],
    [kit({ version: 2 }), /newer/],
    [kit({ network: 'dogecoin' }), /network/],
    [kit({ coins: [{ id: 'x', sats: 1 }] }), /damaged/],
    [kit({ coins: [{ id: `${'a'.repeat(64)}:0`, sats: 1.5 }] }), /damaged/],
  ]) assert.throws(() => readKit(text), { name: 'Problem', message: said }, text);
});

test('a file whose address does not belong to its keys is refused', () => {
  const { address } = readKit(EITHER, 'regtest').wallet;
  assert.throws(() => readKit(kit({ address })), /contradicts itself/);
  assert.throws(() => readKit(kit({ witnessScript: '00' })), /contradicts itself/);
  assert.throws(() => readKit(kit({ network: 'bitcoin' })), /contradicts itself/);
});

test('coins in a file keep what they carry, and a whole answer of the service is a file too', () => {
  const id = (place) => `${'a'.repeat(64)}:${place}`;
  const rune = { runeId: '1:1', name: 'WANTED', amount: '100050', divisibility: 2, symbol: '¤' };
  const coins = [
    { id: id(0), sats: 546, runes: [rune], inscriptions: [], confirmedHeight: 5, userOnlyFromHeight: 12_965 },
    { id: id(1), sats: 546, runes: null, inscriptions: [], confirmedHeight: null, userOnlyFromHeight: null },
    { id: id(2), sats: 546, runes: [], inscriptions: ['bi0'], confirmedHeight: 5, userOnlyFromHeight: 12_965 },
  ];
  for (const text of [kit({ coins }), JSON.stringify({ code: '1', data: JSON.parse(kit({ coins })) })]) {
    const read = readKit(text);
    assert.equal(read.height, 7);
    assert.deepEqual(read.coins.map(({ contents }) => contents), [
      { runes: [{ name: 'WANTED', amount: '1000.5 ¤' }], inscriptions: [] },
      undefined,
      { runes: [], inscriptions: ['bi0'] },
    ]);
    assert.deepEqual(read.coins.map(({ height }) => height), [5, undefined, 5]);
  }
  assert.equal(readKit(kit()).coins, undefined);
});

test('keys are read as wallets export them', () => {
  const { wallet } = readKit(PLAIN);
  const { wallet: either } = readKit(EITHER);
  for (const text of [ONE, ` ${ONE} `, 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA']) {
    assert.equal(readKey(text, wallet).publicKey, USER);
    assert.equal(readKey(text, either).publicKey, USER);
  }
  assert.throws(() => readKey(`${'0'.repeat(63)}2`, wallet), /not the one of this trading wallet.*bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4/);
  for (const text of ['', 'hello', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWm', '0'.repeat(64)]) {
    assert.throws(() => readKey(text, wallet), { name: 'Problem' }, text);
  }
});

test('a seed phrase leads to the key, wherever wallets keep it', () => {
  const words = `${'abandon '.repeat(11)}about`;
  const walletOf = (key) => readKit(`wsh(and_v(v:pk(${key}),or_d(pk(${PLATFORM}),older(12960))))`).wallet;
  const eitherOf = (x) => readKit(`wsh(and_v(or_c(pk(02${x}),v:pk(03${x})),or_d(pk(${PLATFORM}),older(12960))))`).wallet;
  // The first keys in the vectors of BIP 84 and BIP 86.
  const segwit = walletOf('0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c');
  assert.equal(readKey(words, segwit).path, 'm/84\'/0\'/0\'/0/0');
  assert.equal(readKey(words.toUpperCase(), segwit, '', 'm/84\'/0\'/0\'/0/0').path, 'm/84\'/0\'/0\'/0/0');
  const taproot = eitherOf('cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115');
  assert.equal(readKey(words, taproot).path, 'm/86\'/0\'/0\'/0/0');
  assert.throws(() => readKey(words, segwit, 'a passphrase'), /not the one/);
  assert.throws(() => readKey(words, segwit, '', 'm/84\'/0\'/0\'/0/1'), /not the one/);
  assert.throws(() => readKey(words, segwit, '', 'here'), /A path looks like/);
  assert.throws(() => readKey(words.replace('about', 'abandon'), segwit), /seed phrase has a mistake/);
});

test('coins are found in pasted transactions', () => {
  const { wallet } = readKit(PLAIN);
  // Version 2, one input, two outputs to the trading address, lock time 0.
  const output = (sats) => `${Buffer.from(new BigUint64Array([BigInt(sats)]).buffer).toString('hex')}22${Buffer.from(wallet.script).toString('hex')}`;
  const input = (txid, vout) => `${Buffer.from(txid, 'hex').reverse().toString('hex')}0${vout}00000000ffffffff`;
  const raw = (from, ...outputs) => `0200000001${input(...from)}0${outputs.length}${outputs.map(output).join('')}00000000`;
  const first = raw(['11'.repeat(32), 0], 5_000, 6_000);
  const [one, two] = coinsIn(`${first} 800000\n\n`, wallet.script);
  assert.deepEqual([one.sats, one.vout, one.height, two.sats], [5_000n, 0, 800_000, 6_000n]);
  const second = raw([one.txid, 0], 4_000);
  assert.deepEqual(coinsIn(`${first} 800000\n${second}`, wallet.script).map(({ sats, height }) => [sats, height]), [[6_000n, 800_000], [4_000n, undefined]]);
  for (const text of ['zz 1', `${first} high`, `${first} 1 2`]) assert.throws(() => coinsIn(text, wallet.script), /Line 1 is not/);
});
