import { computed, effect, type Signal, signal } from '@preact/signals';

import { announce } from '../app/announce.tsx';
import { serviceNow, ticks } from '../lib/clock.ts';
import { account } from './session.ts';

/** What waits for the user, as the page offers it. */
export interface Offer {
  /** What it is, with an article: `A withdrawal of 0.0005 BTC`. */
  what: string;
  /** What it waits for, as the rest of the sentence. */
  state: string;
  /** When it ends by itself, by the service's clock. */
  until?: number;
  /** Where it goes on. */
  panel: string;
  params: Record<string, string>;
  /** Ends it; undefined if it cannot be undone any more. */
  discard?: () => Promise<void>;
}

interface FlowOptions<T> {
  /** The same in all tabs that have this flow. */
  idOf: (at: T) => string;
  /** What the storage gets; JSON and bigints. Default: all. */
  pack?: (at: T) => unknown;
  unpack?: (kept: unknown) => T;
  /** What waits; undefined if nothing does. */
  offer: (at: T) => Offer | undefined;
}

/** What a tab tells its duplicates. */
interface FlowChange {
  owner: string;
  name: string;
  id: string;
  /** Undefined if the flow has ended. */
  text: string | undefined;
}

const BIGINT = '$bigint';
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? { [BIGINT]: String(inner) } : inner));
const fromText = (text: string): unknown =>
  JSON.parse(text, (_, inner: unknown) =>
    (typeof inner === 'object' && inner !== null && BIGINT in inner ? BigInt(String(inner[BIGINT])) : inner));

/** The names of the flows that the tab keeps, for any account. */
export const flowsKept = (): string[] =>
  Object.keys(sessionStorage).flatMap((key) => (/^flow (\w+) /.exec(key)?.[1] ?? []));

const channel = new BroadcastChannel('runeport.playground.flows');

interface Known {
  offered: () => Offer | undefined;
  /** Whether it was begun before this page was loaded, and nothing has been done with it since. */
  restored: Signal<boolean>;
}
const known = signal<readonly Known[]>([]);

/** All that waits for the user. */
export const offers = computed(() => known.value.flatMap(({ offered, restored }) => {
  const offer = offered();
  return offer ? [{ ...offer, isRestored: restored.value, seen: () => { restored.value = false; } }] : [];
}));

/**
 * A flow of several steps, which the tab keeps for the account while the user visits other panels, reloads the page, or is
 * offline. Duplicates of the tab follow it. A flow whose time is over ends, and the page says so.
 */
export function keptFlow<T>(name: string, { idOf, pack = (at) => at, unpack = (kept) => kept as T, offer }: FlowOptions<T>): Signal<T | undefined> {
  const flow = signal<T | undefined>(undefined);
  const restored = signal(false);
  let owner: string | undefined;
  /** The flow as this tab has last stored or received it. */
  let last: { id: string; text: string } | undefined;
  const keyOf = (accountId: string) => `flow ${name} ${accountId}`;

  effect(() => {
    const id = account.value?.id;
    if (id === owner) return;
    owner = id;
    const text = id === undefined ? null : sessionStorage.getItem(keyOf(id));
    const at = text === null ? undefined : unpack(fromText(text));
    last = at === undefined || text === null ? undefined : { id: idOf(at), text };
    restored.value = at !== undefined;
    flow.value = at;
  });
  effect(() => {
    const at = flow.value;
    if (owner === undefined) return;
    const next = at === undefined ? undefined : { id: idOf(at), text: toText(pack(at)) };
    if (next?.text === last?.text) return;
    if (next) sessionStorage.setItem(keyOf(owner), next.text);
    else sessionStorage.removeItem(keyOf(owner));
    restored.value = false;
    const id = last?.id ?? next?.id;
    last = next;
    if (id !== undefined && (next === undefined || next.id === id)) {
      channel.postMessage({ owner, name, id, text: next?.text } satisfies FlowChange);
    }
  });
  channel.addEventListener('message', ({ data }: MessageEvent<FlowChange>) => {
    if (data.name !== name || data.owner !== owner || data.id !== last?.id) return;
    last = data.text === undefined ? undefined : { id: data.id, text: data.text };
    if (data.text === undefined) sessionStorage.removeItem(keyOf(owner));
    else sessionStorage.setItem(keyOf(owner), data.text);
    flow.value = data.text === undefined ? undefined : unpack(fromText(data.text));
  });

  const offered = () => (flow.value === undefined ? undefined : offer(flow.value));
  effect(() => {
    void ticks.value;
    const { what, until } = offered() ?? {};
    if (until === undefined || until > serviceNow()) return;
    flow.value = undefined;
    announce(`${what} was not signed in time. Its coins are free again.`);
  });
  known.value = [...known.peek(), { offered, restored }];
  return flow;
}

/**
 * Runs a step that must not run twice, such as a payment, in one tab only.
 *
 * @throws if another tab is in this step.
 */
export function inOneTab<T>(id: string, step: () => Promise<T>): Promise<T> {
  return navigator.locks.request(`runeport.playground.flow ${id}`, { ifAvailable: true }, (lock) => {
    if (lock === null) throw new Error('Another tab is in this step. Go on there, or wait until it has ended.');
    return step();
  }) as Promise<T>;
}
