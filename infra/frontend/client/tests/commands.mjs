// Runs the commands of the README against the local world, as the README has them: only the ports and the key are others. Each
// frontend is used in Chromium with a wallet of the browser; the bot signs in, and out when it is stopped.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 CHROMIUM=/usr/bin/chromium node infra/frontend/client/tests/commands.mjs
//
// Exits with 0 if every check passes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

import { base64, hex } from '@scure/base';
import { chromium } from 'playwright-core';

import { createApi, listSessions, signInWithWallet } from '@runeport/client';
import { bitcoinKeyWallet } from '@runeport/client/wallets/bitcoin';

import { BASE_URL, commands } from './readme.mjs';
import { base, bitcoinWorld, lever, mine, PATIENCE, until } from './world.mjs';

const client = fileURLToPath(new URL('..', import.meta.url));
const bin = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
const newWallet = (privateKey = randomBytes(32)) => bitcoinKeyWallet({ privateKey, network: 'regtest' });

/** A port that is free. */
async function freePort() {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const running = new Set();

/** Starts a command of the README. `npx` may be missing, and what it runs is installed. */
function start(command, env = {}) {
  const child = spawn('sh', ['-c', command.replace(/^npx /, '').replace(/^((?:\w+=\S+ )*)/, '$1exec ')], {
    cwd: client, env: { ...process.env, ...env, PATH: `${bin}${delimiter}${process.env.PATH}` }, stdio: 'pipe',
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  running.add(child);
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code;
  });
  return { child, ended, said: () => Buffer.concat(said).toString() };
}

const [frontend, react, svelte, bot, ...others] = commands.filter((command) => command.includes('examples/'));
assert.deepEqual(others, []);

/** The page of a command: signs in with a wallet, is paid, and withdraws. */
async function useFrontend(browser, command) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const program = start(command.replace('localhost:5173', `localhost:${port}`), { PORT: String(port) });
  await until(`${command}: ${origin}`, async () => {
    assert.ok(running.has(program.child), program.said());
    return fetch(origin).then(({ ok }) => ok, () => false);
  });

  const wallet = newWallet();
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => dialog.accept());
  // The page calls the port of `make dev`, and this world may have another one.
  await page.route('**/main.js', async (route) => {
    const answer = await route.fetch();
    const script = await answer.text();
    assert.ok(script.includes(BASE_URL), `${command} calls another service`);
    await route.fulfill({ response: answer, body: script.replaceAll(BASE_URL, base) });
  });
  await page.exposeFunction('signMessage', (text) => wallet.signMessage(text));
  await page.exposeFunction('signPsbt', async (psbt, inputs) => hex.encode(base64.decode(await wallet.signPsbt(base64.encode(hex.decode(psbt)), inputs))));
  await page.addInitScript(({ address, publicKey }) => {
    globalThis.unisat = {
      requestAccounts: async () => [address],
      getPublicKey: async () => publicKey,
      signMessage: (text) => globalThis.signMessage(text),
      signPsbt: (psbt, { toSignInputs }) => globalThis.signPsbt(psbt, toSignInputs.map(({ index }) => index)),
    };
  }, { address: wallet.address, publicKey: wallet.publicKey });
  await page.goto(origin);
  await page.getByRole('button', { name: 'Sign in with UniSat Wallet' }).click();
  const address = await page.locator('code').filter({ hasText: /^bcrt1q/ }).innerText();

  const { tradingAddress } = await signInWithWallet(createApi({ baseUrl: base }), wallet);
  assert.equal(address, tradingAddress);
  await lever('bitcoin/fund', { address, sats: 60_000 });
  await mine();
  await page.locator('output').filter({ hasText: /^0\.0006 BTC/ }).waitFor();
  await page.locator('[name=amount]').fill('0.0003');
  await page.locator('[name=to]').fill(newWallet().address);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('listitem').filter({ hasText: 'inMempool' }).first().waitFor();
  assert.deepEqual([...problems, ...await page.getByRole('alert').filter({ hasText: /./ }).allInnerTexts()], []);
  await context.close();
  program.child.kill();
  await program.ended;
  console.log(`works: ${command}`);
}

async function useBot() {
  const key = randomBytes(32);
  const api = createApi({ baseUrl: base });
  await signInWithWallet(api, newWallet(key));
  const sessions = async () => (await listSessions(api)).length;
  assert.equal(await sessions(), 1);
  const program = start(bot.replace('http://127.0.0.1:9000', base).replace('<private key, 64 hex digits>', key.toString('hex')));
  await until('the session of the bot', async () => {
    assert.ok(running.has(program.child), program.said());
    return (await sessions()) === 2;
  });
  program.child.kill('SIGTERM');
  assert.equal(await program.ended, 0, program.said());
  assert.equal(await sessions(), 1, 'the bot has signed out');
  assert.equal(program.said(), '');
  console.log(`works: ${bot}`);
}

await bitcoinWorld();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? fileURLToPath(new URL('../../../../.local/chromium', import.meta.url)),
  args: ['--disable-gpu', '--disable-quic'],
  timeout: PATIENCE,
});
try {
  for (const command of [frontend, react, svelte]) await useFrontend(browser, command);
  await useBot();
} finally {
  await browser.close();
  for (const child of running) child.kill('SIGKILL');
}
