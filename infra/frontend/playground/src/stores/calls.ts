import { createInspector, type RecordedExchange } from '@runeport/client/inspect';
import { computed, signal } from '@preact/signals';

import { panelAt, panelId } from '../app/router.ts';
import { clientCode, fetchCode } from '../lib/client-code.ts';
import { fetchIfThere } from '../lib/gone.ts';

/** A call of the page and its response. */
export interface Call {
  exchange: RecordedExchange;
  /** The panel that made the call. */
  panel: string;
  /** The path if the service or a lever received the call, otherwise the whole URL. */
  path: string;
  /** The bodies, parsed if they are JSON. */
  sent: unknown;
  answered: unknown;
  /** The same call as code. */
  code: string;
}

/** A call that has no answer yet. */
export interface Pending {
  id: number;
  method: string;
  url: URL;
  panel: string;
  startedAt: number;
}
export const pending = signal<readonly Pending[]>([]);
let started = 0;

/**
 * All calls of the page: of the client, to levers, and to other programs of the local world. Past the browser's cache,
 * since a lever changes at once what an answer lets browsers keep for some seconds.
 */
export const inspector = createInspector({ fetch: (input, init) => fetchIfThere(input, { ...init, cache: 'no-store' }) });

/** Fetches with the inspector, which shows the call while it has no answer too. */
export const recordedFetch: typeof fetch = async (input, init) => {
  started += 1;
  const id = started;
  const request = input instanceof Request ? input : undefined;
  const startedAt = Date.now();
  const url = new URL(request?.url ?? String(input), location.href);
  pending.value = [...pending.peek(), { id, method: init?.method ?? request?.method ?? 'GET', url, panel: panelAt(startedAt), startedAt }];
  try {
    return await inspector.fetch(input, init);
  } finally {
    pending.value = pending.peek().filter((one) => one.id !== id);
  }
};

export const calls = signal<Call[]>([]);
export const inspectorScope = signal<'panel' | 'all'>('panel');

export const shownCalls = computed(() =>
  inspectorScope.value === 'all' ? calls.value : calls.value.filter(({ panel }) => panel === panelId.value),
);

function parsed(body: RecordedExchange['requestBody']): unknown {
  if (body === undefined || body === '') return undefined;
  if (typeof body !== 'string') return Object.fromEntries(body);
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function toCall(exchange: RecordedExchange): Call {
  const url = new URL(exchange.url);
  const here = url.origin === location.origin;
  const sent = parsed(exchange.requestBody);
  const code = here && !url.pathname.startsWith('/_local/') ? clientCode : fetchCode;
  return {
    exchange, sent, panel: panelAt(exchange.startedAt), path: here ? url.pathname + url.search : url.href,
    answered: parsed(exchange.responseBody), code: code(exchange.method, url, sent),
  };
}

inspector.subscribe(() => {
  const known = new Map(calls.peek().map((one) => [one.exchange, one]));
  // Newest first.
  calls.value = [...inspector.exchanges].reverse().map((exchange) => known.get(exchange) ?? toCall(exchange));
});
