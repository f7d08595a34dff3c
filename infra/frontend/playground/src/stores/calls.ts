import { computed, signal } from '@preact/signals';

import { panelAt, panelId } from '../app/router.ts';

/** A call of the page and its response. */
export interface Exchange {
  id: number;
  /** The panel that made the call. */
  panel: string;
  /** The receiver: the service, a lever, or another program of the local world. */
  kind: 'service' | 'lever' | 'other';
  method: string;
  url: string;
  path: string;
  requestHeaders: Record<string, string>;
  requestBody?: unknown;
  /** Missing if there was no response. */
  status?: number;
  responseBody?: unknown;
  ms: number;
  /** When the call was sent, in milliseconds since the epoch. */
  at: number;
  /** The same call with the client library. */
  code?: string;
  error?: string;
}

const KEPT = 200;
let next = 1;

export const exchanges = signal<Exchange[]>([]);
export const inspectorScope = signal<'panel' | 'all'>('panel');

export const shownExchanges = computed(() =>
  inspectorScope.value === 'all'
    ? exchanges.value
    : exchanges.value.filter(({ panel }) => panel === panelId.value),
);

export function record({ at = Date.now(), ...exchange }: Omit<Exchange, 'id' | 'panel' | 'at'> & { at?: number }): void {
  const whole = { ...exchange, at, id: next, panel: panelAt(at) };
  next += 1;
  exchanges.value = [whole, ...exchanges.peek()].slice(0, KEPT);
}

export function forgetExchanges(): void {
  exchanges.value = [];
}
