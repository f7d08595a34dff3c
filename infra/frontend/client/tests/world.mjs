// The levers of the local world, for the scripts in this folder.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

export const base = process.env.BASE ?? 'http://127.0.0.1:9000';

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
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const mails = await ask(`${base}/_local/mail?to=${encodeURIComponent(to)}`);
    const link = mails
      .sort((a, b) => b.at - a.at)
      .flatMap(({ text }) => text.match(/https?:\/\/\S+token=\S+/g) ?? [])
      .map((text) => new URL(text))
      .find(({ pathname }) => pathname === page);
    if (link) return Object.fromEntries(link.searchParams);
    await pause(100);
  }
  return assert.fail(`No mail to ${to} contains a link to ${page}.`);
}
