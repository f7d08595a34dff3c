import { type Coin, type Contents, idOf, outputsOf, runeOf } from './coins.js';
import { messageOf, Problem } from './problem.js';
import type { Signed } from './sign.js';
import { grouped } from './words.js';

/** Sends a request; `globalThis.fetch`, or a replacement. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Waits for milliseconds. */
export type Wait = (milliseconds: number) => Promise<void>;

/**
 * A fee rate that a server proposes, in sats per virtual byte. A server that lies could make the fee anything, so a high one
 * needs the user's word.
 */
export type Estimate = { readonly rate: number } | { readonly tooHigh: number };

const PATIENCE = 30_000;
const HIGHEST_ESTIMATE = 200;
/** Transactions that are asked for at the same time; public servers allow a few requests a second. */
const AT_ONCE = 4;
/** Waits after each "too many requests". */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000];
/** How often a server is asked for a transaction that it has just taken, once a second. */
const LOOKS = 10;

const sleep: Wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

async function ask(fetch: Fetch, url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE), redirect: 'follow', referrerPolicy: 'no-referrer' });
  } catch {
    throw new Problem(`${new URL(url).host} does not answer. Check your connection to the internet, or use another server.`);
  }
}

function addressOf(server: string): string {
  const address = server.trim().replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s?#]+$/.test(address) || !URL.canParse(address)) {
    throw new Problem('The address of the server must begin with https://, such as https://mempool.space/api.');
  }
  return address;
}

/** A server with Esplora's API, which anyone can run. It can keep something from the user, but it cannot take anything. */
export class Esplora {
  readonly #url: string;
  readonly #fetch: Fetch;
  readonly #wait: Wait;

  /**
   * @param server Its address with the path of the API, such as `https://mempool.space/api`.
   * @throws {@link Problem}
   */
  constructor(server: string, fetch: Fetch, wait: Wait = sleep) {
    this.#url = addressOf(server);
    this.#fetch = fetch;
    this.#wait = wait;
  }

  /** The name of the server in sentences. */
  get host(): string {
    return new URL(this.#url).host;
  }

  async #get(path: string): Promise<Response> {
    for (const pause of PAUSES) {
      const answer = await ask(this.#fetch, this.#url + path);
      if (answer.status !== 429) return answer;
      await this.#wait(pause);
    }
    return ask(this.#fetch, this.#url + path);
  }

  async #json(path: string): Promise<unknown> {
    const answer = await this.#get(path);
    if (answer.ok) {
      try {
        return await answer.json();
      } catch {
        // Not Esplora.
      }
    }
    throw this.#odd(answer);
  }

  #odd({ status }: Response): Problem {
    return new Problem(`${this.host} does not answer as an Esplora server does (status ${status}). Check its address, or use another server.`);
  }

  /** The height of the newest block. */
  async tip(): Promise<number> {
    const answer = await this.#get('/blocks/tip/height');
    const text = (await answer.text()).trim();
    if (!answer.ok || !/^\d{1,9}$/.test(text)) throw this.#odd(answer);
    return Number(text);
  }

  /**
   * The unspent outputs of an address. Servers refuse addresses with very many outputs; then only the coins in `known`
   * are looked up, one by one. An amount that `known` does not confirm is checked against the coin's transaction.
   *
   * @throws {@link Problem} if the server states another amount than the transaction.
   */
  async coins(address: string, known: readonly Coin[] = []): Promise<{ coins: Coin[]; complete: boolean }> {
    const answer = await this.#get(`/address/${address}/utxo`);
    if (answer.ok) {
      const list: unknown = await answer.json().catch(() => undefined);
      if (!Array.isArray(list)) throw this.#odd(answer);
      const coins = list.map((one) => this.#coin(one));
      await this.#prove(coins, known);
      return { coins, complete: true };
    }
    if (answer.status !== 400 || known.length === 0) throw this.#odd(answer);
    const coins: Coin[] = [];
    for (const coin of known) {
      const spent = await this.#json(`/tx/${coin.txid}/outspend/${coin.vout}`) as { spent?: unknown };
      if (spent.spent !== false) continue;
      const status = await this.#json(`/tx/${coin.txid}/status`) as Status;
      coins.push({ ...coin, height: heightOf(status) });
    }
    return { coins, complete: false };
  }

  #coin(value: unknown): Coin {
    const { txid, vout, value: sats, status } = value as { txid: unknown; vout: unknown; value: unknown; status?: Status };
    if (typeof txid !== 'string' || !/^[0-9a-f]{64}$/.test(txid) || !Number.isSafeInteger(vout) || !Number.isSafeInteger(sats)) {
      throw new Problem(`${this.host} answers with coins that this program cannot read. Use another server.`);
    }
    return { txid, vout: Number(vout), sats: BigInt(sats as number), height: heightOf(status), contents: undefined };
  }

  /**
   * Checks amounts. A signature does not commit to the amounts of other coins: a server that saw two
   * signatures of one transaction, each made while it lied about another coin, could put together a
   * transaction whose fee is the difference.
   */
  async #prove(coins: readonly Coin[], known: readonly Coin[]): Promise<void> {
    const confirmed = new Map(known.map((coin) => [idOf(coin), coin.sats]));
    const doubted = coins.filter((coin) => confirmed.get(idOf(coin)) !== coin.sats);
    const txids = [...new Set(doubted.map(({ txid }) => txid))];
    for (let at = 0; at < txids.length; at += AT_ONCE) {
      await Promise.all(txids.slice(at, at + AT_ONCE).map(async (txid) => {
        const outputs = await this.#outputs(txid);
        for (const { vout, sats } of doubted.filter((coin) => coin.txid === txid)) {
          const real = outputs[vout];
          if (real === sats) continue;
          const instead = real === undefined ? 'that there is no such coin' : `that it holds ${grouped(real)}`;
          throw new Problem(`${this.host} says that a coin holds ${grouped(sats)} sats, but its transaction says ${instead}. Use another server.`);
        }
      }));
    }
  }

  /** The sats of the outputs of a transaction, which its id commits to. */
  async #outputs(txid: string): Promise<readonly bigint[]> {
    const answer = await this.#get(`/tx/${txid}/hex`);
    if (!answer.ok) throw this.#odd(answer);
    const outputs = outputsOf(await answer.text(), txid);
    if (outputs === undefined) throw new Problem(`${this.host} does not show the transaction of a coin as it is. Use another server.`);
    return outputs;
  }

  /** The fee rate for a transaction within the next blocks, or undefined if the server has none. */
  async estimate(): Promise<Estimate | undefined> {
    const estimates = await this.#json('/fee-estimates') as Record<string, unknown>;
    const told = estimates['6'] ?? estimates['3'] ?? estimates['2'] ?? estimates['1'];
    if (typeof told !== 'number' || !(told > 0)) return undefined;
    const rate = Math.ceil(told);
    return rate > HIGHEST_ESTIMATE ? { tooHigh: rate } : { rate };
  }

  /**
   * Sends a transaction, and asks the server for it. It does no harm to send one that the network already has.
   *
   * @returns Whether the server lists it. A server that has taken a transaction and does not list it may have dropped it.
   * @throws {@link Problem} with the reason of the network if it refuses it.
   */
  async deliver({ txid, hex }: Signed): Promise<boolean> {
    try {
      await this.send(hex);
    } catch (problem) {
      // Nodes say so of a transaction that they have in their mempool or in a block.
      if (!/already/i.test(messageOf(problem)) || !(await this.#has(txid))) throw problem;
      return true;
    }
    for (let look = 1; look < LOOKS; look += 1) {
      if (await this.#has(txid)) return true;
      await this.#wait(1_000);
    }
    return this.#has(txid);
  }

  /** Whether the server lists a transaction, in a block or not. */
  async #has(txid: string): Promise<boolean> {
    const answer = await this.#get(`/tx/${txid}`);
    if (!answer.ok) return false;
    const listed = await answer.json().catch(() => undefined) as { txid?: unknown } | null | undefined;
    return listed?.txid === txid;
  }

  /**
   * Sends a transaction to the network.
   *
   * @throws {@link Problem} with the reason of the network if it refuses it.
   */
  async send(transaction: string): Promise<void> {
    const answer = await ask(this.#fetch, `${this.#url}/tx`, { method: 'POST', body: transaction });
    if (answer.ok) return;
    const reason = (await answer.text()).trim().slice(0, 300);
    if (/non-BIP68-final/.test(reason)) {
      throw new Problem('The network refuses it: a coin is not free yet. Wait for the next block and send it again.');
    }
    throw new Problem(`The network refuses it: ${reason}`);
  }
}

interface Status {
  readonly confirmed?: unknown;
  readonly block_height?: unknown;
}

function heightOf(status: Status | undefined): number | undefined {
  const height = status?.block_height;
  return status?.confirmed === true && typeof height === 'number' && Number.isSafeInteger(height) ? height : undefined;
}

/**
 * Asks a server with ord's API what coins hold. Coins that it does not know keep unknown contents. If the
 * server wrongly calls a coin plain, the runes and inscriptions on it can be lost.
 *
 * @param server Its address, such as `https://ordinals.com`.
 * @throws {@link Problem}
 */
export async function readContents(server: string, coins: readonly Coin[], fetch: Fetch): Promise<Coin[]> {
  const url = addressOf(server);
  const read: Coin[] = [];
  for (const coin of coins) {
    const contents = coin.contents ?? await contentsOf(`${url}/r/utxo/${idOf(coin)}`, coin.sats, fetch);
    read.push({ ...coin, contents });
  }
  return read;
}

async function contentsOf(url: string, sats: bigint, fetch: Fetch): Promise<Contents | undefined> {
  const answer = await ask(fetch, url, { headers: { accept: 'application/json' } });
  if (!answer.ok) return undefined;
  const { inscriptions, runes, value } = await answer.json().catch(() => ({})) as { inscriptions?: unknown; runes?: unknown; value?: unknown };
  // A server without an index of one of the two answers null for it.
  if (!Array.isArray(inscriptions) || typeof runes !== 'object' || runes === null || value !== Number(sats)) return undefined;
  return {
    inscriptions: inscriptions.map(String),
    runes: Object.entries(runes).map(([name, pile]) => runeOf(name, pile)),
  };
}
