// Drives all panels in one Chromium, several of them concurrently, each in a browser context of its own.
//
//   BASE=http://localhost:9000 CHROMIUM=/usr/bin/chromium node tests/run.mjs [panel…]
//
// Exits with 0 if all panels pass. No test is tried twice.
//
// The contexts share one world: its chain, its clock, its hub. With `runs` a test says which other tests it can run next to:
//
//   together   it changes the world, and asserts nothing that such a change breaks. The default.
//   exclusive  it asserts on the chain, the clock or the hub: nobody else may change them.
//   passive    it changes none of them, and asserts on none of them.
//   alone      it moves the clock by more than a sign-in counts as recent, or counts requests.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';

import { ask, launch, openTab } from './harness.mjs';

const here = new URL('.', import.meta.url);
const NOT_TESTS = new Set(['harness.mjs', 'run.mjs', 'screenshots.mjs']);
const wanted = process.argv.slice(2);
const files = (await readdir(here))
  .filter((name) => name.endsWith('.mjs') && !NOT_TESTS.has(name))
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace('.mjs', '')));
const tests = await Promise.all(files.map(async (name) => ({ name, ...(await import(new URL(name, here))) })));
// The longest tests start first, and the one that ends this world's mints runs after all others.
const those = (kind) => tests
  .filter(({ runs = 'together' }) => runs === kind)
  .sort((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false) || (b.weight ?? 1) - (a.weight ?? 1));
for (const { name, runs = 'together' } of tests) {
  assert.ok(['together', 'exclusive', 'passive', 'alone'].includes(runs), `${name}: there is no way to run ${runs}`);
}
const AT_ONCE = Number(process.env.AT_ONCE ?? 3);
/** A script in a page has no time limit of its own, so this ends a test that hangs in one. In ms. */
const HANGS_AFTER = 30 * 60_000;
/** Sign-ins count as recent for 15 minutes, which the clock of tests that run together must not use up. In ms. */
const MOST_MOVED = 10 * 60_000;

const browser = await launch();
const failures = [];
const began = Date.now();

async function runTest({ name, title, panel, run }) {
  const start = Date.now();
  const tab = await openTab(browser, { panel });
  try {
    const late = new Promise((_, reject) => { setTimeout(reject, HANGS_AFTER, new Error('it hangs')).unref(); });
    await Promise.race([run({ ...tab, browser }), late]);
    if (tab.problems.length > 0) throw new Error(tab.problems.join('\n'));
    console.log(`ok    ${title} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures.push(name);
    console.error(`FAIL  ${title}\n${error.stack ?? error}`);
    const shown = await tab.page.getByRole('alert').allInnerTexts().catch(() => []);
    if (shown.length > 0) console.error(`shown: ${shown.join('\n       ')}`);
    if (tab.problems.length > 0) console.error(`also: ${tab.problems.join('\n      ')}`);
    if (process.env.SHOTS) await tab.page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true }).catch(() => {});
  } finally {
    await tab.context.close();
  }
}

/** Runs the tests of a queue one after another. Several calls share the tests of one queue. */
async function work(queue) {
  for (let test = queue.shift(); test; test = queue.shift()) await runTest(test);
}

/** By how much levers have moved the service's clock, in ms. */
const moved = async () => (await ask('POST', '/_local/clock', { advanceMs: 0 })).aheadMs;

try {
  const before = await moved();
  const together = those('together');
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(together)));
  assert.ok(await moved() - before <= MOST_MOVED, 'tests that run together move the clock too far: let some run exclusively');
  await Promise.all([work(those('exclusive')), work(those('passive'))]);
  await work(those('alone'));
} finally {
  await browser.close();
}
const seconds = ((Date.now() - began) / 1000).toFixed(1);
console.log(failures.length === 0 ? `${tests.length} panels in ${seconds} s` : `failed: ${failures.join(', ')}`);
process.exitCode = failures.length === 0 && tests.length > 0 ? 0 : 1;
