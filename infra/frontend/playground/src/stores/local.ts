import { computed, signal } from '@preact/signals';

import { noteReachable, noteUnreachable, offline } from '../app/online.ts';
import { clockAhead } from '../lib/clock.ts';
import { fetchIfThere, gone } from '../lib/gone.ts';
import type { Trace } from '../lib/waterfall.ts';
import { recordedFetch } from './calls.ts';

/** The origin of page, service and levers. */
export const BASE = location.origin;

/** A refusal by a lever or another program of the local world. */
export class LocalError extends Error {
  override name = 'LocalError';
  readonly key: string;
  constructor(readonly status: number, readonly details: string) {
    super(details);
    this.key = 'local.refused';
  }
}

interface Asked {
  method?: 'GET' | 'POST';
  body?: unknown;
  /** Background calls stay out of the inspector. */
  quiet?: boolean;
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Calls a program other than the service: a lever, ord, or the venue's chain. */
export async function localCall<T>(url: string, asked: Asked = {}): Promise<T> {
  const { body, quiet = false } = asked;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await (quiet ? fetchIfThere : recordedFetch)(new URL(url, BASE), {
    method: asked.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await answerOf(response);
  if (!response.ok) {
    const said = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : answer;
    throw new LocalError(response.status, String(said));
  }
  return answer as T;
}

export interface ChainState {
  state: 'building' | 'starting' | 'ready' | 'failed';
  height?: number;
  esplora?: string;
  ord?: string;
}

export interface Funded {
  /** The coin: `<txid>:<vout>`. */
  outpoint: string;
}

export interface Etched {
  runeId: string;
  txid?: string;
}

export interface Mail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  at: number;
}

/** A request that the local receiver of webhooks got. */
export interface ReceivedHook {
  at: number;
  /** The account whose webhook sent it. */
  account: string;
  /** The `webhook-id`, the `webhook-timestamp` and the `webhook-signature`. */
  id: string;
  timestamp: string;
  signature: string;
  validSignatures: number;
  /** The status of the answer. */
  status: number;
  body: string;
}

const bitcoin = <T>(lever: string, body: unknown): Promise<T> =>
  localCall<T>(`/_local/bitcoin/${lever}`, { body });

/** The chain as the page last saw it. */
export const chain = signal<ChainState | undefined>(undefined);
export const height = computed(() => chain.value?.height);
/** Increments with each block and each payment by the page, so that lists of coins reload. */
export const chainTurn = signal(0);

export async function lookAtChain(): Promise<void> {
  try {
    const seen = await localCall<ChainState>('/_local/bitcoin', { quiet: true });
    noteReachable();
    const moved = seen.height !== chain.peek()?.height;
    chain.value = seen;
    if (!moved) return;
    chainTurn.value += 1;
    await levers.clock(0, { quiet: true });
  } catch (error) {
    if (error instanceof LocalError) chain.value = undefined;
    else noteUnreachable();
  }
}

/** Polls while the page is visible: blocks of the node and the clock are levers, of which no event tells. */
export function followChain(): void {
  void lookAtChain();
  setInterval(() => {
    if (document.visibilityState === 'visible' || offline.peek()) void lookAtChain();
  }, 4000);
}

export const levers = {
  /** Mines blocks. If the service is there, its clock moves by a minute, so that its worker reads the chain now. */
  async mine(blocks = 1): Promise<void> {
    const mining = bitcoin<{ height: number }>('mine', { blocks });
    if (!gone.peek()) {
      await Promise.all([mining, levers.clock(61_000)]);
      await levers.tick();
    }
    const { height: mined } = await mining;
    const seen = chain.peek();
    if (seen?.height !== undefined && seen.height < mined) chain.value = { ...seen, height: mined };
    // Always: somebody else's look may have seen the block before the worker had.
    chainTurn.value += 1;
  },
  /** Pays an address from the faucet; unconfirmed until a block is mined. */
  async fund(address: string, sats: number, rune?: { runeId: string; amount: string }): Promise<Funded> {
    const funded = await bitcoin<Funded>('fund', { address, sats, ...rune });
    chainTurn.value += 1;
    return funded;
  },
  async etch(name: string, supply: string, divisibility: number, to?: string): Promise<Etched> {
    const etched = await bitcoin<Etched>('etch', { name, supply, divisibility, to });
    await lookAtChain();
    return etched;
  },
  async inscribe(to: string, contentType: string, body: string): Promise<{ inscriptionId: string; outpoint: string }> {
    const inscribed = await bitcoin<{ inscriptionId: string; outpoint: string }>('inscribe', { to, contentType, body });
    await lookAtChain();
    return inscribed;
  },
  reorg: (depth: number, drop: string[] = []) => bitcoin<unknown>('reorg', { depth, drop }),
  /** Runs the worker that follows the chain, which otherwise runs periodically. */
  tick: () => localCall<unknown>('/_local/tick', { body: { worker: 'chain-watcher' } }),
  /** Moves the service's clock forward; 0 only returns its time. */
  async clock(advanceMs = 0, { quiet = false } = {}): Promise<{ now: number; aheadMs: number }> {
    const told = await localCall<{ now: number; aheadMs: number }>('/_local/clock', { body: { advanceMs }, quiet });
    clockAhead.value = told.aheadMs;
    return told;
  },
  role: (address: string, role: 'admin' | 'user') => localCall<unknown>('/_local/role', { body: { address, role } }),
  /** Adds a token to the catalogue, or replaces its entry. */
  token: (token: { tokenId: string; chain: string; symbol: string; divisibility: number; slots: readonly string[] }) =>
    localCall<{ tokenId: string; isNew: boolean }>('/_local/tokens', { body: token }),
  hub: (body: Record<string, unknown>) => localCall<unknown>('/_local/hub', { body }),
  venue: (body: Record<string, unknown>) => localCall<unknown>('/_local/venue', { body }),
  /** The trace of a request; quiet, as it would be a call about a call. */
  trace: (requestId: string) =>
    localCall<Trace>(`/_local/traces/${encodeURIComponent(requestId)}`, { quiet: true }),
  mail: (to?: string) =>
    localCall<Mail[]>(`/_local/mail${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`),
  /** What the local receiver of webhooks got; quiet, as it repeats what the service sent. */
  hooks: () => localCall<ReceivedHook[]>('/_local/hooks', { quiet: true }),
};

/** A name that no rune has yet, in letters only, as runes require. */
export function newRuneName(): string {
  const letters = crypto.getRandomValues(new Uint8Array(8));
  return `RUNEPORT•${Array.from(letters, (byte) => String.fromCharCode(65 + (byte % 26))).join('')}`;
}

/** A rune as ord knows it. */
export interface Rune {
  runeId: string;
  /** With its spacers. */
  name: string;
  divisibility: number;
  symbol: string;
}

export interface RuneBalance extends Rune {
  /** In the smallest unit. */
  amount: bigint;
}

/** A coin of an address, and the assets in it. */
export interface Coin {
  outpoint: string;
  sats: number;
  confirmations: number;
  runes: RuneBalance[];
  inscriptions: string[];
}

export interface Holdings {
  /** The sum of all coins, including those with runes or inscriptions. */
  sats: number;
  runes: RuneBalance[];
  inscriptions: string[];
  coins: Coin[];
}

interface OrdAddress {
  outputs: string[];
  inscriptions: string[] | null;
  sat_balance: number;
  runes_balances: [name: string, amount: string, symbol: string | null][] | null;
}

interface OrdOutput {
  value: number;
  confirmations: number;
  inscriptions: string[] | null;
  runes: Record<string, { amount: number; divisibility: number; symbol: string | null }> | null;
}

interface OrdRune {
  id: string;
  entry: { divisibility: number; spaced_rune: string; symbol: string | null };
}

async function ordCall<T>(path: string, quiet: boolean): Promise<T> {
  const { ord } = chain.peek() ?? (await localCall<ChainState>('/_local/bitcoin', { quiet: true }));
  if (ord === undefined) throw new LocalError(503, 'The Bitcoin world is still starting. Try again in a moment.');
  return localCall<T>(`${ord}${path}`, { quiet });
}

const runes = new Map<string, Promise<Rune>>();

/** Reads a rune by its id or name. The result is cached, because these fields never change. */
export function runeOf(idOrName: string): Promise<Rune> {
  const known = runes.get(idOrName) ?? ordCall<OrdRune>(`/rune/${encodeURIComponent(idOrName)}`, true).then(({ id, entry }) => ({
    runeId: id,
    name: entry.spaced_rune,
    divisibility: entry.divisibility,
    symbol: entry.symbol ?? '¤',
  }));
  runes.set(idOrName, known);
  known.catch(() => runes.delete(idOrName));
  return known;
}

/** The page shows at most this many coins of an address. */
const MOST_COINS = 40;

/** The sum of all coins of an address as of the last block, which one call reads. */
export async function satsOf(address: string): Promise<number> {
  return (await ordCall<OrdAddress>(`/address/${address}`, true)).sat_balance;
}

/** Holdings of any address as of the last block, from ord in the local world. */
export async function holdingsOf(address: string, { quiet = false } = {}): Promise<Holdings> {
  const seen = await ordCall<OrdAddress>(`/address/${address}`, quiet);
  const coins = await Promise.all(
    seen.outputs.slice(0, MOST_COINS).map(async (outpoint): Promise<Coin> => {
      const output = await ordCall<OrdOutput>(`/output/${outpoint}`, true);
      const carried = Object.entries(output.runes ?? {}).map(async ([name, { amount }]) => ({
        ...(await runeOf(name)),
        amount: BigInt(amount),
      }));
      return {
        outpoint,
        sats: output.value,
        confirmations: output.confirmations,
        runes: await Promise.all(carried),
        inscriptions: output.inscriptions ?? [],
      };
    }),
  );
  const balances = new Map<string, RuneBalance>();
  for (const rune of coins.flatMap((coin) => coin.runes)) {
    const before = balances.get(rune.runeId);
    balances.set(rune.runeId, { ...rune, amount: rune.amount + (before?.amount ?? 0n) });
  }
  return {
    sats: seen.sat_balance,
    runes: [...balances.values()],
    inscriptions: seen.inscriptions ?? [],
    coins: coins.sort((a, b) => a.confirmations - b.confirmations),
  };
}
