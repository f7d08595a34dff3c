// Drives all panels in Chromium, several of them concurrently.
//
//   BASE=http://localhost:9000 CHROMIUM=/usr/bin/chromium node tests/run.mjs [panel…]
//
// Exits with 0 if all panels pass.

import { readdir } from 'node:fs/promises';

import { launch, openTab } from './harness.mjs';

const here = new URL('.', import.meta.url);
const NOT_TESTS = new Set(['harness.mjs', 'run.mjs', 'screenshots.mjs']);
const wanted = process.argv.slice(2);
const files = (await readdir(here))
  .filter((name) => name.endsWith('.mjs') && !NOT_TESTS.has(name))
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace('.mjs', '')));
const tests = await Promise.all(files.map(async (name) => ({ name, ...(await import(new URL(name, here))) })));
// The longest tests start first. A test that moves the service's clock by 15 minutes or more would invalidate
// the other tests' sign-ins, so it runs alone at the end, and after all of them the one that ends this world's mints.
const queue = tests.filter(({ movesTime }) => !movesTime).sort((a, b) => (b.weight ?? 1) - (a.weight ?? 1));
const last = tests.filter(({ movesTime }) => movesTime).sort((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false));
const AT_ONCE = Number(process.env.AT_ONCE ?? 3);
// The longest one takes a minute on two cores. A script in a page has no time limit of its own.
const LIMIT = 8 * 60_000;

const total = tests.length;
const browser = await launch();
const failures = [];
// Beside other suites a panel fails now and then, by a time limit or by an error of the local storage. It runs once
// more, alone, and fails if it fails again.
const again = [];
const began = Date.now();

async function one(test, failed) {
  const { name, title, panel, run } = test;
  const start = Date.now();
  const tab = await openTab(browser, { panel });
  try {
    const late = new Promise((_, reject) => { setTimeout(reject, LIMIT, new Error('it takes too long')).unref(); });
    await Promise.race([run({ ...tab, browser }), late]);
    if (tab.problems.length > 0) throw new Error(tab.problems.join('\n'));
    console.log(`ok    ${title} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed.push(test);
    console.error(`FAIL  ${title}\n${error.stack ?? error}`);
    const shown = await tab.page.getByRole('alert').allInnerTexts().catch(() => []);
    if (shown.length > 0) console.error(`shown: ${shown.join('\n       ')}`);
    if (tab.problems.length > 0) console.error(`also: ${tab.problems.join('\n      ')}`);
    if (process.env.SHOTS) await tab.page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true }).catch(() => {});
  } finally {
    await tab.context.close();
  }
}

async function worker() {
  for (let test = queue.shift(); test; test = queue.shift()) await one(test, again);
}

try {
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const test of last) await one(test, again);
  for (const test of again) await one(test, failures);
} finally {
  await browser.close();
}
const seconds = ((Date.now() - began) / 1000).toFixed(1);
console.log(failures.length === 0 ? `${total} panels in ${seconds} s` : `failed: ${failures.map(({ name }) => name).join(', ')}`);
process.exitCode = failures.length === 0 && total > 0 ? 0 : 1;
