// The page: it shows what the check has found, and the line of each batch.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { open } from './page.mjs';
import { paidOut } from './world.mjs';

const MINT = 'https://service.example/api/vm-transactions/mints/m1';

test('a mint is checked at an address, and everyone finds their own batch', async () => {
  const { world, wallets } = paidOut();
  const page = open(world.fetch);
  page.fill('mint', MINT);
  page.fill('esplora', 'https://esplora.example');
  await page.press('check');
  assert.match(page.text('said'), /^Everything agrees/);
  assert.match(page.at('facts').textContent, /Fingerprint of all prices/);
  assert.equal(page.at('batches').children.length, 3);
  page.fill('find', wallets.ben.address.toUpperCase());
  const [line, ...others] = page.at('batches').children;
  assert.deepEqual([others.length, page.at('batches-shown').hidden], [0, false]);
  assert.match(line.textContent, /3 at 1,500 sats, 4 at 3,000 sats2, 415,000, 1,500 satsthe service’s word/);
});

test('saved answers are enough, and a difference is shown', async () => {
  const { world, a } = paidOut();
  world.rows[0].satsNewRequests = 8_004;
  const page = open((address) => (address.includes('service') ? Promise.reject(new TypeError('refused')) : world.fetch(address)));
  page.fill('mint', MINT);
  page.fill('esplora', 'https://esplora.example');
  await page.press('check');
  assert.match(page.text('said'), /save its answers as files then/);
  page.at('files').files = [{ data: world.terms }, { data: world.rows }].map((answer) => ({ text: async () => JSON.stringify(answer) }));
  await page.press('check');
  assert.match(page.text('said'), new RegExp(`^A difference\\. In transaction ${a.txid} \\(block 100\\)`));
  assert.equal(page.at('batches-shown').hidden, true);
});
