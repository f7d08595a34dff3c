// The levers of the local world, for the scripts in this folder.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

export const base = process.env.BASE ?? 'http://127.0.0.1:9000';

/** How long a script waits for one condition, in ms. This only ends a script that hangs. */
export const PATIENCE = 180_000;

/** Polls until something is found. */
export async function until(what, look) {
  const latest = performance.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(performance.now() < latest, `${what}: timed out`);
    await pause(100);
  }
}

async function ask(url, init) {
  const response = await fetch(url, { ...init, headers: { accept: 'application/json', ...init?.headers } });
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

export const lever = (path, body) => ask(`${base}/_local/${path}`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
});

/** Moves the service's clock forward and returns its time, in milliseconds. */
export const clock = async (advanceMs = 0) => (await lever('clock', { advanceMs })).now;

/** Waits for the Bitcoin world, which starts a little later than the rest. */
export async function bitcoinWorld() {
  for (;;) {
    const world = await ask(`${base}/_local/bitcoin`);
    assert.notEqual(world.state, 'failed', world.error);
    if (world.state === 'ready') return world;
    await pause(200);
  }
}

/** Mines blocks, moves the clock by a minute, and runs the chain watcher until it has caught up. */
export async function mine(blocks = 1) {
  await lever('bitcoin/mine', { blocks });
  await clock(61_000);
  for (let run = 0; run < 10; run += 1) await lever('tick', { worker: 'chain-watcher' });
}

/** The runes at an address, as pairs of name and amount. */
export async function runesOf(address) {
  const { ord } = await bitcoinWorld();
  const { runes_balances: balances } = await ask(`${ord}/address/${address}`);
  return balances.map(([rune, amount]) => [rune.replaceAll('•', ''), amount]);
}

/** A new, random rune name. */
export const runeName = () =>
  `RUNEPORT${Array.from({ length: 8 }, () => String.fromCharCode(65 + Math.random() * 26)).join('')}`;

/** The query parameters of the link to a frontend page, from the newest mail to the address with such a link. */
export async function mailedLink(to, page) {
  const link = await until(`a mail to ${to} with a link to ${page}`, async () => {
    const mails = await ask(`${base}/_local/mail?to=${encodeURIComponent(to)}`);
    return mails
      .sort((a, b) => b.at - a.at)
      .flatMap(({ text }) => text.match(/https?:\/\/\S+token=\S+/g) ?? [])
      .map((text) => new URL(text))
      .find(({ pathname }) => pathname === page);
  });
  return Object.fromEntries(link.searchParams);
}
