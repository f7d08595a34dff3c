// Where passwords are computed, with workers that this file plays. `browser.mjs` has real ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { works } from '../dist/srp/work.js';

const cost = { memorySize: 64, iterations: 1, parallelism: 1 };
const asked = { password: 'correct horse é', salt: new Uint8Array(32).fill(7), identity: 'alice@example.com', group: 2048, cost };
const verifier = await works.verifier(asked);

let copies = 0;

/** A page of its own whose workers answer an order with `answer`; `isForbidden` is a policy that forbids workers. */
async function page(context, answer, { isForbidden = false } = {}) {
  const workers = [];
  globalThis.Worker = class extends EventTarget {
    constructor(url, options) {
      super();
      workers.push(this);
      if (isForbidden) throw new DOMException('forbidden', 'SecurityError');
      Object.assign(this, { path: new URL(url).pathname, options, ends: 0 });
    }
    postMessage(order) {
      void answer(structuredClone(order), this);
    }
    terminate() {
      this.ends += 1;
    }
  };
  context.after(() => { delete globalThis.Worker; });
  copies += 1;
  return { workers, compute: (await import(`../dist/srp/thread.js?page=${copies}`)).compute };
}

const says = (worker, data) => worker.dispatchEvent(Object.assign(new Event('message'), { data }));

test('a worker computes one password, and ends with its answer', async (context) => {
  const { compute, workers } = await page(context, async ({ kind, asked: told }, worker) => says(worker, (await works[kind](told)).map((byte) => byte ^ 1)));
  for (const count of [1, 2]) {
    // Only the worker turns a bit.
    assert.deepEqual(await compute('verifier', asked), verifier.map((byte) => byte ^ 1));
    assert.equal(workers.length, count);
  }
  for (const { path, options, ends } of workers) {
    assert.match(path, /\/dist\/srp\/worker\.js$/);
    assert.deepEqual([options, ends], [{ type: 'module' }, 1]);
  }
});

test('the page computes what a worker cannot, and throws its errors', async (context) => {
  const { compute, workers } = await page(context, (order, worker) => says(worker, undefined));
  assert.deepEqual(await compute('verifier', asked), verifier);
  const invalid = { ...asked, serverPublic: new Uint8Array(256) };
  await assert.rejects(compute('proof', invalid), { key: 'client.answerMalformed' });
  assert.deepEqual(workers.map(({ ends }) => ends), [1, 1]);
});

test('a page whose worker does not start computes itself, and starts no other', async (context) => {
  let isHandled = false;
  const fails = (order, worker) => { isHandled = !worker.dispatchEvent(new Event('error', { cancelable: true })); };
  const missing = await page(context, fails);
  for (const _ of [1, 2]) assert.deepEqual(await missing.compute('verifier', asked), verifier);
  assert.deepEqual([missing.workers.length, missing.workers[0].ends, isHandled], [1, 1, true]);

  const forbidden = await page(context, assert.fail, { isForbidden: true });
  for (const _ of [1, 2]) assert.deepEqual(await forbidden.compute('verifier', asked), verifier);
  assert.equal(forbidden.workers.length, 1);
});

test('an abort ends the worker', async (context) => {
  const { compute, workers } = await page(context, () => {});
  const [controller, reason] = [new AbortController(), new Error('left')];
  const computing = compute('verifier', asked, controller.signal);
  controller.abort(reason);
  await assert.rejects(computing, reason);
  assert.equal(workers[0].ends, 1);
  await assert.rejects(compute('verifier', asked, controller.signal), reason);
  assert.equal(workers.length, 1);
});
