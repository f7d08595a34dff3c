// Esplora servers that answer, lie, forget, or refuse; and payments for them to list.

import { sha256x2 } from '@scure/btc-signer/utils.js';
import { RawOldTx, RawTx } from '@scure/btc-signer/script.js';

const toHex = (bytes) => Buffer.from(bytes).toString('hex');
const idOf = (transaction) => toHex(sha256x2(RawOldTx.encode(transaction)).reverse());

let number = 0;

/** A transaction that pays these sats to a script, one output each. */
export function payment(script, ...sats) {
  number += 1;
  const transaction = {
    version: 2, segwitFlag: false, lockTime: 0,
    inputs: [{ txid: new Uint8Array(32).fill(number), index: 0, finalScriptSig: new Uint8Array(), sequence: 0xffff_ffff }],
    outputs: sats.map((amount) => ({ amount: BigInt(amount), script })),
  };
  return { txid: idOf(transaction), hex: toHex(RawTx.encode(transaction)), sats };
}

/** The id of a transaction in hex, with or without its witnesses. */
export const txidOf = (hex) => idOf(RawTx.decode(Buffer.from(hex, 'hex')));

/** A network of servers, by host. */
export class Network {
  seen = [];
  servers = new Map();

  /** Adds a server. `says` changes an answer: it takes the path and the honest answer. */
  add(host, { tip = 1_000_000, rate = 5, payments = [], says = (_path, answer) => answer, has = [] } = {}) {
    this.servers.set(host, { tip, rate, payments, says, has: new Map(has.map((hex) => [txidOf(hex), hex])) });
    return this;
  }

  fetch = async (url, init) => {
    const { host, pathname } = new URL(url);
    const method = init?.method ?? 'GET';
    this.seen.push(`${method} ${host}${pathname}`);
    const server = this.servers.get(host);
    if (server === undefined) throw new TypeError('fetch failed');
    const [status, body] = server.says(`${method} ${pathname}`, this.#honest(server, method, pathname, init?.body), init?.body);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };

  #honest(server, method, path, body) {
    const { tip, rate, payments, has } = server;
    if (method === 'POST' && path === '/tx') {
      if (has.has(txidOf(body))) return [400, 'sendrawtransaction RPC error: Transaction outputs already in utxo set'];
      has.set(txidOf(body), body);
      return [200, txidOf(body)];
    }
    if (path === '/blocks/tip/height') return [200, String(tip)];
    if (path === '/fee-estimates') return [200, { 6: rate }];
    if (/^\/address\/[^/]+\/utxo$/.test(path)) {
      return [200, payments.flatMap(({ txid, sats }) => sats.map((value, vout) => ({ txid, vout, value, status: { confirmed: true, block_height: 900_000 } })))];
    }
    const [, txid, rest = ''] = /^\/tx\/([0-9a-f]{64})(\/hex)?$/.exec(path) ?? [];
    const hex = payments.find((one) => one.txid === txid)?.hex ?? has.get(txid);
    if (hex === undefined) return [404, 'Transaction not found'];
    return rest === '' ? [200, { txid, status: { confirmed: false } }] : [200, hex];
  }
}
