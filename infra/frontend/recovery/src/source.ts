import { type Coin, type Contents, idOf, runeOf } from './coins.js';
import { Problem } from './problem.js';

/** Sends a request; `globalThis.fetch`, or a replacement. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const PATIENCE = 30_000;

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

  /**
   * @param server Its address with the path of the API, such as `https://mempool.space/api`.
   * @throws {@link Problem}
   */
  constructor(server: string, fetch: Fetch) {
    this.#url = addressOf(server);
    this.#fetch = fetch;
  }

  async #get(path: string): Promise<Response> {
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
    return new Problem(`${new URL(this.#url).host} does not answer as an Esplora server does (status ${status}). Check its address, or use another server.`);
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
   * are looked up, one by one.
   */
  async coins(address: string, known: readonly Coin[] = []): Promise<{ coins: Coin[]; complete: boolean }> {
    const answer = await this.#get(`/address/${address}/utxo`);
    if (answer.ok) {
      const list: unknown = await answer.json().catch(() => undefined);
      if (!Array.isArray(list)) throw this.#odd(answer);
      return { coins: list.map((one) => this.#coin(one)), complete: true };
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
      throw new Problem(`${new URL(this.#url).host} answers with coins that this program cannot read. Use another server.`);
    }
    return { txid, vout: Number(vout), sats: BigInt(sats as number), height: heightOf(status), contents: undefined };
  }

  /** The fee rate for a transaction within the next blocks, in sats per virtual byte, or undefined if it has none. */
  async feeRate(): Promise<number | undefined> {
    const estimates = await this.#json('/fee-estimates') as Record<string, unknown>;
    const rate = estimates['6'] ?? estimates['3'] ?? estimates['2'] ?? estimates['1'];
    return typeof rate === 'number' && rate > 0 ? Math.ceil(rate) : undefined;
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
 * Asks a server with ord's API what coins hold. Coins that it does not know keep unknown contents. If the server calls a
 * coin plain that is not, what it carries can be lost.
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
