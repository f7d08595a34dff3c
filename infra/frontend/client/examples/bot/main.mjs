// @ts-check
// A bot for Node: it keeps the coins of a trading wallet from expiring. It signs in with a key, renews the coins that are
// due, and renews again when an event announces more.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

import { call, createApi, RuneportError, signInWithWallet, signOut } from '@runeport/client';
import { watch } from '@runeport/client/events';
import { renew, submit } from '@runeport/client/wallet';
import { bitcoinKeyWallet } from '@runeport/client/wallets/bitcoin';

/** @import { BitcoinNetwork, SignedTransaction } from '@runeport/client/bitcoin' */

const {
  RUNEPORT_URL = 'http://127.0.0.1:9000', RUNEPORT_NETWORK = 'regtest', RUNEPORT_KEY = '', RUNEPORT_KEPT = 'signed.json', RUNEPORT_MOST_FEE = '20000',
} = process.env;
if (!/^[0-9a-f]{64}$/i.test(RUNEPORT_KEY)) throw new Error('Set RUNEPORT_KEY to the private key of the account: 64 hex digits.');
if (!/^[1-9]\d{0,8}$/.test(RUNEPORT_MOST_FEE)) throw new Error('Set RUNEPORT_MOST_FEE to the highest fee of a renewal, in sats.');

const privateKey = Uint8Array.from(RUNEPORT_KEY.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const wallet = bitcoinKeyWallet({ privateKey, network: /** @type {BitcoinNetwork} */ (RUNEPORT_NETWORK) });
const api = createApi({ baseUrl: RUNEPORT_URL });

const stop = new AbortController();
const { signal } = stop;
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

while (!signal.aborted) {
  try {
    await run();
  } catch (error) {
    if (signal.aborted) break;
    console.error(error instanceof RuneportError ? `${error.key}: ${error.message}` : error);
    await pause(60_000, undefined, { signal }).catch(() => undefined);
  }
}

async function run() {
  await signInWithWallet(api, wallet, { signal });
  try {
    await submitKept();
    // The number comes first: what becomes due after the first renewal is an event with a higher one.
    const { metaData } = await call(api, 'get', '/api/events', { params: { query: { limit: 1 } }, signal });
    await renewDue();
    const types = /** @type {const} */ (['coins.renewalAdvised', 'coins.renewalNeeded']);
    for await (const { type, data } of watch(api, { after: metaData.newest, types, signal })) {
      console.log(`${type}: coins of block ${data.blockHeight}`);
      await renewDue();
    }
  } finally {
    await signOut(api).catch(() => undefined);
  }
}

/** Renews until no coin is due. */
async function renewDue() {
  try {
    for (;;) {
      const { txId, state } = await settle(() => renew(api, wallet, {}, { mostFee: Number(RUNEPORT_MOST_FEE), onSigned: keep, signal }));
      console.log(`renewed in ${txId}: ${state}`);
    }
  } catch (error) {
    if (!(error instanceof RuneportError) || error.key !== 'bitcoin.nothingToRenew') throw error;
  }
}

// A signed transaction is kept until the service has answered: sent again, it changes nothing. Another one could fail for
// the coins that this one holds.

/** @param {SignedTransaction} signed */
async function keep(signed) {
  await writeFile(`${RUNEPORT_KEPT}.new`, JSON.stringify(signed));
  await rename(`${RUNEPORT_KEPT}.new`, RUNEPORT_KEPT);
}

async function submitKept() {
  const text = await readFile(RUNEPORT_KEPT, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return;
  const { txId, state } = await settle(() => submit(api, JSON.parse(text).base64Psbt, { signal }));
  console.log(`submitted ${txId} again: ${state}`);
}

/**
 * @template T
 * @param {() => Promise<T>} send
 */
async function settle(send) {
  try {
    const answer = await send();
    await rm(RUNEPORT_KEPT, { force: true });
    return answer;
  } catch (error) {
    if (!isUnknown(error)) await rm(RUNEPORT_KEPT, { force: true });
    throw error;
  }
}

/**
 * Whether the service may have the transaction in spite of the error.
 *
 * @param {unknown} error
 */
function isUnknown(error) {
  if (!(error instanceof RuneportError)) return true;
  return error.status >= 500 || ['client.network', 'client.unavailable', 'common.inProgress'].includes(error.key);
}
