// The service is gone. Three users get a plain coin, a rune and an inscription out of their trading wallets: with the
// page in Chromium from disk, with the command, and with bitcoinjs-lib as the wallet that signs. One block is missing
// at the beginning. The page may contact nothing but one Esplora.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bitcoin, ECPair, lever, network, PATIENCE, require } from './service.mjs';

const { chromium } = require('playwright-core');
const { ESPLORA, ORD, KITS, TOOL, CHROMIUM } = process.env;
const owners = new Map(JSON.parse(process.env.OWNERS).map((owner) => [owner.how, owner]));
const DELAY = 12_960;

const kitOf = ({ how }) => join(KITS, `${how}.json`);
const esplora = async (path) => {
  const answer = await fetch(ESPLORA + path);
  assert.equal(answer.status, 200, path);
  return answer.text();
};

/** The values of the coins of an address, by `<txid>:<vout>`. */
async function valuesOf(address) {
  const unspent = JSON.parse(await esplora(`/address/${address}/utxo`));
  return new Map(unspent.map(({ txid, vout, value }) => [`${txid}:${vout}`, value]));
}

/**
 * A library of another maker reads the transactions, and verifies each signature in them. `values` are those of the coins;
 * a transaction may also spend what an earlier one leaves.
 */
function acceptedByBitcoinjs(hexes, values) {
  const known = new Map(values);
  for (const hex of hexes) {
    const transaction = bitcoin.Transaction.fromHex(hex);
    assert.equal(transaction.version, 2);
    for (const [index, { witness, sequence, hash, index: vout }] of transaction.ins.entries()) {
      const coin = `${Buffer.from(hash).reverse().toString('hex')}:${vout}`;
      const value = known.get(coin);
      assert.ok(value > 0, `${coin} is a coin that is there`);
      const isDelayed = values.has(coin);
      assert.equal(sequence, isDelayed ? DELAY : 0xffff_fffd);
      const [signed, keys, script] = isDelayed ? ofTradingWallet(witness) : ofOrdinaryAddress(witness);
      const { signature, hashType } = bitcoin.script.signature.decode(signed);
      assert.equal(hashType, bitcoin.Transaction.SIGHASH_ALL);
      const digest = transaction.hashForWitnessV0(index, script, value, hashType);
      assert.ok(keys.some((key) => ECPair.fromPublicKey(key, { network }).verify(digest, signature)), `input ${index} of ${hex}`);
    }
    for (const [vout, { value }] of transaction.outs.entries()) known.set(`${transaction.getId()}:${vout}`, value);
  }
}

/** The signature in a witness, the keys that may have made it, and the script that it signs. */
function ofTradingWallet(witness) {
  const [script, ...stack] = [...witness].reverse();
  const keys = bitcoin.script.decompile(script).filter((part) => Buffer.isBuffer(part) && part.length === 33);
  // The last key is the platform's.
  return [stack.find((element) => element.length > 0), keys.slice(0, -1), script];
}

/** The same of the ordinary address of a key, which has the change of an earlier transaction. */
function ofOrdinaryAddress(witness) {
  assert.equal(witness.length, 2);
  const [signature, pubkey] = witness;
  return [signature, [pubkey], bitcoin.payments.p2pkh({ pubkey, network }).output];
}

function command(owner, options, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(TOOL, 'runeport-recovery.mjs'), kitOf(owner), ...options], {
    input, encoding: 'utf8', timeout: PATIENCE,
  });
  return { status, stdout, said: stdout + stderr };
}

// The page, one block too early.

const browser = await chromium.launch({ executablePath: CHROMIUM, timeout: PATIENCE, args: ['--disable-gpu', '--disable-quic'] });
try {
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const errors = [];
  const contacted = new Set();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  // Everything but the page itself and one Esplora is unreachable.
  await context.route('**', (route) => {
    const { protocol, origin } = new URL(route.request().url());
    contacted.add(protocol === 'file:' ? 'file:' : origin);
    return protocol === 'file:' || origin === new URL(ESPLORA).origin ? route.continue() : route.abort();
  });
  await page.goto(pathToFileURL(join(TOOL, 'runeport-recovery.html')).href);
  const owner = owners.get('page');
  const text = (id) => page.locator(`#${id}`).innerText();
  const said = async (id, pattern) => {
    await page.locator(`#${id}`, { hasText: pattern }).waitFor().catch(async () => assert.match(await text(id), pattern));
    return text(id);
  };

  // Wrong files say what is wrong.
  await page.setInputFiles('#file', { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await said('kit-said', /not a Runeport recovery file/);
  await page.setInputFiles('#file', kitOf(owner));
  await said('kit-said', /The file is complete/);
  assert.match(await text('kit-shown'), /bcrt1q[0-9a-z]{58}.*regtest/s);

  await page.fill('#esplora', ESPLORA);
  await page.click('#look');
  await said('coins-said', /4 coins, .* 2 are free now\. The next one is free in 1 blocks?/);
  const rows = await text('coins');
  assert.match(rows, new RegExp(`10000 of ${owner.rune}`));
  assert.match(rows, new RegExp(`inscription ${owner.inscription}`));
  assert.match(rows, /free now/);
  assert.match(rows, /in 1 block, about an hour/);

  // With a height that the chain has not reached, the page signs, but the network refuses.
  const tip = Number(await esplora('/blocks/tip/height'));
  await page.click('text=I want to do this without a server');
  await page.fill('#tip', String(tip + 1));
  await page.click('#use-given');
  await said('coins-said', /All are free now/);
  await page.fill('#destination', owner.destination);
  await page.fill('#rate', '2');
  await page.fill('#key', owners.get('command').key);
  await page.click('#sign');
  await said('sign-said', /not the one of this trading wallet/);
  await page.fill('#key', owner.key);
  await page.click('#sign');
  await said('sign-said', /Signed\. Nothing is sent yet/);
  await page.click('#send');
  await said('send-said', /Nothing was sent\. The network refuses it: a coin is not free yet/);
  console.log('the page: one block early is refused');

  // The command refuses by itself, and so does the network.
  const other = owners.get('command');
  const early = command(other, ['--esplora', ESPLORA, '--to', other.destination, '--fee-rate', '2', '--tip', String(tip + 1), '--send'], `${other.key}\n`);
  assert.equal(early.status, 1, early.said);
  assert.match(early.said, /a coin is not free yet/);

  await lever('mine', { blocks: 1 });

  await page.click('#look');
  await said('coins-said', /All are free now/);
  await page.fill('#rate', '2');

  // A coin that is left out stays, and moves once it is ticked again.
  const inscribed = page.locator('#coins tr', { hasText: owner.inscription }).getByRole('checkbox');
  await inscribed.uncheck();
  await page.click('#sign');
  await said('sign-said', /Signed\. Nothing is sent yet/);
  assert.match(await text('staying'), /^One coin stays for now:.*You leave it out\./s);
  const worksWithout = await text('signed-list');
  assert.ok(worksWithout.includes(owner.rune) && !worksWithout.includes(owner.inscription), worksWithout);
  await inscribed.check();
  assert.ok(await page.locator('#step-5').isHidden());
  await page.click('#sign');
  await said('sign-said', /Signed\. Nothing is sent yet/);
  assert.ok(await page.locator('#staying').isHidden());
  assert.match(await text('check'), new RegExp(owner.destination));
  const works = await page.locator('#signed-list > li > p').allInnerTexts();
  assert.equal(works.length, 3);
  assert.match(works[0], new RegExp(`^Moves the coin of [\\d,]+ sats with 10000 of ${owner.rune}: .*in one piece`));
  assert.match(works[1], new RegExp(`inscription ${owner.inscription}: .*in one piece`));
  assert.match(works[2], /^Moves a plain coin: /);
  const ofPage = await page.locator('#signed-list textarea').evaluateAll((areas) => areas.map(({ value }) => value));
  assert.equal(ofPage.length, 3);
  const { address: ownersAddress } = JSON.parse(await readFile(kitOf(owner), 'utf8'));
  const coinsOfPage = await valuesOf(ownersAddress);
  acceptedByBitcoinjs(ofPage, coinsOfPage);
  // The check notices a wrong signature: the signature covers the value of each coin.
  const others = new Map([...coinsOfPage].map(([coin, value]) => [coin, value + 1]));
  assert.throws(() => acceptedByBitcoinjs(ofPage, others), /input 0 of/);
  await page.click('#send');
  await said('send-said', /^Sent\. The network has all 3 transactions/);
  assert.deepEqual([...contacted].sort(), [new URL(ESPLORA).origin, 'file:'].sort());
  // The refused transaction is the only error.
  assert.deepEqual(errors.filter((error) => !/400 \(Bad Request\)/.test(error)), []);
  console.log(`the page: ${owner.destination} gets everything`);
} finally {
  await browser.close();
}

// The command, with a key of the odd parity.

const owner = owners.get('command');
const { descriptor } = JSON.parse(await readFile(kitOf(owner), 'utf8'));
await writeFile(join(KITS, 'descriptor.json'), JSON.stringify({ descriptor, network: 'regtest' }));
const bare = command({ how: 'descriptor' }, ['--esplora', ESPLORA]);
assert.equal(bare.stdout.match(/ {2}not known {2}/g)?.length, 4, bare.said);
const asked = command({ how: 'descriptor' }, ['--esplora', ESPLORA, '--ord', ORD]);
assert.equal(asked.stdout.match(/ {2}plain bitcoin {2}/g)?.length, 2, asked.said);
assert.match(asked.stdout, new RegExp(`10000 of ${owner.rune}`));
assert.match(asked.stdout, new RegExp(`inscription ${owner.inscription}`));
const listed = command(owner, ['--esplora', ESPLORA]);
assert.equal(listed.status, 0, listed.said);
assert.match(listed.stdout, /4 coins, .* All are free now\./);
const wrong = command(owner, ['--esplora', ESPLORA, '--to', owner.destination, '--fee-rate', '2'], `${owners.get('page').key}\n`);
assert.equal(wrong.status, 1);
assert.match(wrong.said, /not the one of this trading wallet/);
const printed = command(owner, ['--esplora', ESPLORA, '--to', owner.destination, '--fee-rate', '2'], `${owner.key}\n`);
assert.equal(printed.status, 0, printed.said);
const hexes = printed.stdout.match(/^[0-9a-f]{200,}$/gm);
assert.equal(hexes?.length, 3, printed.said);
const { address } = JSON.parse(await readFile(kitOf(owner), 'utf8'));
const coins = await valuesOf(address);
acceptedByBitcoinjs(hexes, coins);
const [kept] = coins.keys();
const moving = ['--esplora', ESPLORA, '--to', owner.destination, '--fee-rate', '2'];
const partly = command(owner, [...moving, '--without', kept], `${owner.key}\n`);
assert.equal(partly.status, 0, partly.said);
assert.match(partly.said, new RegExp(`Stays: ${kept}, .* You leave it out\\.`));
const spent = partly.stdout.match(/^[0-9a-f]{200,}$/gm).flatMap((hex) => bitcoin.Transaction.fromHex(hex).ins)
  .map(({ hash, index }) => `${Buffer.from(hash).reverse().toString('hex')}:${index}`);
assert.deepEqual([...coins.keys()].filter((coin) => !spent.includes(coin)), [kept]);
const mistyped = command(owner, [...moving, '--without', kept.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a')), '--send'], `${owner.key}\n`);
assert.equal(mistyped.status, 1, mistyped.said);
assert.match(mistyped.said, /is not a coin of this trading wallet/);
const sent = command(owner, ['--esplora', ESPLORA, '--to', owner.destination, '--fee-rate', '2', '--send'], `${owner.key}\n`);
assert.equal(sent.status, 0, sent.said);
console.log(`the command: ${owner.destination} gets everything`);

// bitcoinjs-lib signs what the command prepares.

const signer = owners.get('signer');
const options = ['--esplora', ESPLORA, '--to', signer.destination, '--fee-rate', '2'];
const prepared = command(signer, [...options, '--psbt']);
assert.equal(prepared.status, 0, prepared.said);
const psbts = prepared.stdout.match(/^cHNidP[0-9A-Za-z+/=]+$/gm).map((psbt) => bitcoin.Psbt.fromBase64(psbt, { network }));
assert.equal(psbts.length, 3);
const pair = ECPair.fromWIF(signer.key, network);
const signedFile = join(KITS, 'signed.txt');
await writeFile(signedFile, psbts.map((psbt) => psbt.signAllInputs(pair).toBase64()).join('\n'));
const finished = command(signer, [...options, '--signed', signedFile]);
assert.equal(finished.status, 0, finished.said);
const { address: signersAddress } = JSON.parse(await readFile(kitOf(signer), 'utf8'));
acceptedByBitcoinjs(finished.stdout.match(/^[0-9a-f]{200,}$/gm), await valuesOf(signersAddress));
const delivered = command(signer, [...options, '--signed', signedFile, '--send']);
assert.equal(delivered.status, 0, delivered.said);
console.log(`bitcoinjs-lib: ${signer.destination} gets everything`);

await lever('mine', { blocks: 1 });
