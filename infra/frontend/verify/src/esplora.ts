import { hex } from '@scure/base';

import { type BitcoinNetwork } from '../../client/src/bitcoin/network.js';
import { addressOf, txIdOf } from '../../client/src/bitcoin/transaction.js';
import { Problem } from '../../recovery/src/problem.js';
import { Difference } from './difference.js';
import type { Server } from './server.js';

/** A transaction in a block. */
export interface Transaction {
  readonly txid: string;
  readonly height: number;
  /** Its index in the block. */
  readonly position: number;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
}

export interface Input {
  /** `<txid>:<vout>`. */
  readonly spends: string;
  /** The address that it spends from, if it has one. */
  readonly from: string | undefined;
  /** Hex. */
  readonly witness: readonly string[];
}

export interface Output {
  readonly sats: number;
  readonly address: string | undefined;
  readonly script: Uint8Array;
}

/** A transaction in Esplora's format. */
interface Listed {
  readonly txid: string;
  readonly version: number;
  readonly locktime: number;
  readonly vin: readonly {
    readonly txid: string;
    readonly vout: number;
    readonly prevout: { readonly scriptpubkey: string } | null;
    readonly scriptsig: string;
    readonly sequence: number;
    readonly witness?: readonly string[];
  }[];
  readonly vout: readonly { readonly value: number; readonly scriptpubkey: string }[];
  readonly status: { readonly block_height: number; readonly block_hash: string; readonly block_time: number };
}

/** Blocks that are asked for at the same time; public servers allow a few requests a second. */
const AT_ONCE = 4;

/** A server with Esplora's API, which anyone can run. It can hide transactions, but not change what one says. */
export class Esplora {
  readonly #url: string;
  readonly #server: Server;
  readonly #network: BitcoinNetwork;

  constructor(address: string, server: Server, network: BitcoinNetwork) {
    this.#url = address.trim().replace(/\/+$/, '');
    if (!/^https?:\/\/[^\s?#]+$/.test(this.#url)) throw new Problem('The address of the Esplora server must begin with https://, such as https://mempool.space/api.');
    this.#server = server;
    this.#network = network;
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await this.#server.json<T>(this.#url + path);
    if (answer === undefined) throw new Problem(`${this.#url} has no ${path}. Check the address, or use another server.`);
    return answer;
  }

  /** The height of the newest block. */
  tip(): Promise<number> {
    return this.#get('/blocks/tip/height');
  }

  /** The time of the block at a height, in ms since the epoch. */
  async timeOf(height: number): Promise<number> {
    const [block] = await this.#get<{ timestamp: number }[]>(`/blocks/${height}`);
    return (block?.timestamp ?? 0) * 1_000;
  }

  /**
   * The transactions that pay an address or spend from it, in blocks since a time in ms, in the order of the chain.
   *
   * @param progress Receives the number of transactions read so far.
   * @throws {@link Difference} if the content of a transaction has another id.
   */
  async history(address: string, since: number, progress: (read: number) => void): Promise<Transaction[]> {
    const found = new Map<string, Listed>();
    for (let last = ''; ;) {
      const page = await this.#get<readonly Listed[]>(`/address/${address}/txs/chain${last}`);
      for (const listed of page.filter(({ status }) => status.block_time * 1_000 >= since)) found.set(listed.txid, listed);
      const oldest = page.at(-1);
      if (oldest === undefined || oldest.status.block_time * 1_000 < since) break;
      progress(found.size);
      last = `/${oldest.txid}`;
    }
    const blocks = new Map<string, Promise<Map<string, number>>>();
    const hashes = [...new Set([...found.values()].map(({ status }) => status.block_hash))];
    for (let at = 0; at < hashes.length; at += AT_ONCE) {
      const some = hashes.slice(at, at + AT_ONCE);
      for (const hash of some) blocks.set(hash, this.#positions(hash));
      await Promise.all(some.map((hash) => blocks.get(hash)));
    }
    const transactions = await Promise.all([...found.values()].map(async (listed) => {
      const position = (await blocks.get(listed.status.block_hash))?.get(listed.txid);
      return this.#transaction(listed, position);
    }));
    return transactions.sort((one, other) => one.height - other.height || one.position - other.position);
  }

  async #positions(hash: string): Promise<Map<string, number>> {
    const txids = await this.#get<readonly string[]>(`/block/${hash}/txids`);
    return new Map(txids.map((txid, position) => [txid, position]));
  }

  #transaction(listed: Listed, position: number | undefined): Transaction {
    const { txid, version, locktime, vin, vout, status } = listed;
    const inputs = vin.map((input) => ({
      txid: hex.decode(input.txid), index: input.vout, finalScriptSig: hex.decode(input.scriptsig), sequence: input.sequence,
    }));
    const outputs = vout.map(({ value, scriptpubkey }) => ({ amount: BigInt(value), script: hex.decode(scriptpubkey) }));
    const own = hex.encode(txIdOf({ version, inputs, outputs, lockTime: locktime }));
    if (own !== txid) throw new Difference(txid, status.block_height, 'a transaction with this id', `another content, whose id is ${own}`);
    if (position === undefined) throw new Difference(txid, status.block_height, 'a transaction of this block', 'a block without it');
    const addressIn = (script: Uint8Array) => addressOf(script, this.#network);
    return {
      txid,
      height: status.block_height,
      position,
      inputs: vin.map((input) => ({
        spends: `${input.txid}:${input.vout}`,
        from: input.prevout === null ? undefined : addressIn(hex.decode(input.prevout.scriptpubkey)),
        witness: input.witness ?? [],
      })),
      outputs: outputs.map(({ amount, script }) => ({ sats: Number(amount), address: addressIn(script), script })),
    };
  }
}
