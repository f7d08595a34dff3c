// What the scripts share: the service at BASE, the levers of the local world at LEVERS (by default the same
// address), sockets, and a Bitcoin wallet that signs in. For a deployment that is not local, set NETWORK and
// SIGN_IN_MESSAGE in the environment; for one in the emulator, also SOCKETS, the address of its sockets.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

/** Loads a package of infra/tools/package.json from where `make` installs it. */
export const require = createRequire(new URL('../../../../.local/node/package.json', import.meta.url));
export const { Signer } = require('bip322-js');
export const bitcoin = require('bitcoinjs-lib');
const ecc = require('@bitcoinerlab/secp256k1');
const { ECPairFactory } = require('ecpair');
const { WebSocket } = require('ws');
bitcoin.initEccLib(ecc);

export const base = process.env.BASE ?? 'http://127.0.0.1:9000';
const levers = process.env.LEVERS ?? base;
export const network = bitcoin.networks[process.env.NETWORK ?? 'regtest'];
export const ECPair = ECPairFactory(ecc);

/** The device token of the last sign-in. */
let deviceToken;

/** The whole answer, which has the status or one of several; a POST is sent with an idempotency key. */
export async function call(method, path, { token, body, status = 200 } = {}) {
  const headers = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body) headers['content-type'] = 'application/json';
  if (token && method === 'POST') headers['idempotency-key'] = randomUUID();
  if (deviceToken) headers['device-token'] = deviceToken;
  const host = path.startsWith('/_local') ? levers : base;
  const response = await fetch(host + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.text();
  assert.ok([status].flat().includes(response.status), `${method} ${path}: ${response.status} ${answer}`);
  const read = JSON.parse(answer);
  deviceToken = read.data?.deviceToken ?? deviceToken;
  return read;
}

export const lever = (name, body) => call('POST', `/_local/bitcoin/${name}`, { body });

/** Makes Esplora or ord answer only errors while a function runs. */
export async function without(source, work) {
  await lever('mood', { source, status: 500 });
  const done = await work();
  await lever('mood', { source });
  return done;
}

/** How long a script waits for one condition, in ms. This only ends a script that hangs. */
export const PATIENCE = 600_000;

/** Polls until something is found. */
export async function until(what, look) {
  const latest = performance.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > latest) throw new Error(`${what}: not within ${PATIENCE / 1_000} s`);
    await pause(250);
  }
}

export const ord = async (path) => {
  const { ord } = await call('GET', '/_local/bitcoin');
  const response = await fetch(ord + path, { headers: { accept: 'application/json' } });
  assert.equal(response.status, 200, path);
  return response.json();
};

// The runes of an address, by name.
export const runesOf = async (address) =>
  (await ord(`/address/${address}`)).runes_balances.map(([rune, amount]) => [rune.replaceAll('•', ''), amount]);

// A name that no rune has yet.
export const runeName = () =>
  'RUNEPORT' + [...Array(8)].map(() => String.fromCharCode(65 + Math.random() * 26)).join('');

// Lets a minute pass, and runs the worker until it has nothing left to do.
export async function watch() {
  await call('POST', '/_local/clock', { body: { advanceMs: 61_000 } });
  for (let run = 0; run < 10; run += 1) {
    await call('POST', '/_local/tick', { body: { worker: 'chain-watcher' } });
  }
}

/**
 * Sends what a wallet has signed, has the service sign it too, and expects the transaction in `state`. If the
 * environment has LATER, the worker signs.
 */
export async function submit(path, token, body, state) {
  const sign = () => call('POST', path, { token, body, status: 201 });
  const signed = await sign();
  if (!process.env.LATER) {
    assert.equal(signed.data.state, state);
    return signed;
  }
  assert.notEqual(signed.data.state, state);
  await watch();
  const later = await sign();
  assert.equal(later.data.state, state);
  return later;
}

/** The lines of an export: its header, and one line per row. */
export async function exported(token, type, rows) {
  const { now } = await call('POST', '/_local/clock', { body: { advanceMs: 0 } });
  const filter = { type, from: now - 86_400_000, to: now };
  const body = { format: 'csv', filter };
  const { data: { id } } = await call('POST', '/api/download-histories', { token, body, status: 201 });
  const url = await until(`an export of ${type}`, async () => {
    const { data } = await call('GET', '/api/download-histories', { token });
    const file = data.find((each) => each.id === id);
    assert.notEqual(file.status, 'failed');
    return file.url;
  });
  const download = await fetch(url);
  const csv = await download.text();
  assert.equal(download.status, 200, csv);
  const lines = csv.trim().split('\r\n');
  assert.equal(lines.length, rows + 1, csv);
  return lines;
}

/** A socket, whose messages wait until they are read. */
export class Socket {
  /** Opens a socket with a new ticket of `token`, or one that reads only mints. */
  static async open(token) {
    const { data } = token
      ? await call('POST', '/api/events/ticket', { token, status: [200, 201] })
      : await call('GET', '/api/config');
    const url = new URL(data.url ?? data.socketUrl);
    const address = process.env.SOCKETS ? `${process.env.SOCKETS}/${url.host.split('.')[0]}${url.pathname}` : url.href;
    const socket = new Socket(new WebSocket(data.ticket ? `${address}?ticket=${data.ticket}` : address));
    await until('an open socket', () => socket.isOpen);
    return socket;
  }

  constructor(socket) {
    this.socket = socket;
    this.messages = [];
    socket.on('open', () => { this.isOpen = true; });
    socket.on('close', () => { this.isClosed = true; });
    socket.on('error', (error) => { this.messages.push({ error: String(error) }); });
    socket.on('message', (data) => { this.messages.push(JSON.parse(String(data))); });
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** Waits for a message for which `wanted` returns something, and returns that. Drops those before it. */
  async find(what, wanted) {
    return until(what, () => {
      while (this.messages.length > 0) {
        const found = wanted(this.messages.shift());
        if (found) return found;
      }
      return undefined;
    });
  }

  /** Waits until the other side has closed it. */
  closed() {
    return until('a closed socket', () => this.isClosed);
  }

  close() {
    this.socket.close();
  }
}

export class Wallet {
  constructor(pair = ECPair.makeRandom({ network })) {
    this.pair = pair;
    this.pubkey = Buffer.from(pair.publicKey);
    this.address = bitcoin.payments.p2wpkh({ pubkey: this.pubkey, network }).address;
  }

  // Signs in; `now` is the service's time.
  async signIn(now = Date.now()) {
    const text = process.env.SIGN_IN_MESSAGE ?? 'Sign in to Runeport: {timestamp}';
    const message = text.replace('{timestamp}', now).replace('{address}', this.address);
    const body = {
      message,
      signature: Signer.sign(this.pair.toWIF(), this.address, message).toString(),
      address: this.address,
      publicKey: this.pubkey.toString('hex'),
    };
    const { data } = await call('POST', '/auth/authenticate', { body });
    this.token = data.accessToken;
    this.trading = data.tradingAddress;
    return data;
  }

  // Signs exactly the inputs that the service names as the user's.
  sign({ base64Psbt, userInputIndexes }) {
    const psbt = bitcoin.Psbt.fromBase64(base64Psbt, { network });
    for (const index of userInputIndexes) psbt.signInput(index, this.pair);
    return psbt;
  }
}
