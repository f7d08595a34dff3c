import { computed, signal } from '@preact/signals';
import {
  type Api, call, createApi, type Me, signOut as endThisSession, type SignedIn, type Tokens, webStorageDeviceStore, webStorageTokenStore,
} from '@runeport/client';

import { clockAhead } from '../lib/clock.ts';
import { expiryOf } from '../lib/jwt.ts';
import type { Answers } from './shapes.ts';

/** The address of the service, which `scripts/support-page.mjs` writes into the page. Empty: the page's own origin. */
const BASE = document.querySelector<HTMLMetaElement>('meta[name="runeport-api"]')?.content ?? '';

/** Whose session this tab has; undefined if none, or if the service did not answer. */
export const operator = signal<Me | undefined>(undefined);
const tokens = signal<Tokens | undefined>(undefined);
export const signedIn = computed(() => tokens.value !== undefined);
/** Whether the session may read the accounts of others. */
export const mayRead = computed(() => operator.value?.role === 'admin');

/** Why the session ended, if this tab did not end it. */
export const sessionEnd = signal<string | undefined>(undefined);
let leaving = false;

function take(next: Tokens | undefined): void {
  const ended = tokens.peek() !== undefined && next === undefined;
  tokens.value = next;
  if (next !== undefined) {
    sessionEnd.value = undefined;
    // The token's end by the service's clock, and by this machine's.
    const expiry = expiryOf(next.accessToken);
    if (expiry !== undefined) clockAhead.value = expiry - next.expiresAt;
    return;
  }
  operator.value = undefined;
  if (ended && !leaving) sessionEnd.value = 'The session has ended: it expired, or it was ended elsewhere.';
}

const store = webStorageTokenStore(sessionStorage, 'runeport.support.tokens', { onChange: take });

export const api: Api = createApi({
  baseUrl: BASE,
  device: webStorageDeviceStore(localStorage, 'runeport.support.device'),
  tokens: {
    get: () => store.get(),
    async set(next) {
      await store.set(next);
      take(next);
    },
    exclusively: (work) => (store.exclusively ? store.exclusively(work) : work()),
  },
});

/** Reads the account of the session again: its role may have changed. */
export async function loadOperator(): Promise<Me> {
  const { data } = await call(api, 'get', '/api/account/me');
  operator.value = data;
  return data;
}

/** Restores the session that this tab had before it was reloaded. */
export async function resume(): Promise<void> {
  const kept = await store.get();
  if (kept) take(kept);
}

/** The last step of every sign-in. */
export function welcome({ account }: SignedIn): void {
  operator.value = account;
}

export async function signOut(): Promise<void> {
  leaving = true;
  try {
    await endThisSession(api);
  } finally {
    leaving = false;
  }
}

interface Params {
  path?: Record<string, string>;
  query?: Record<string, string | number | readonly string[] | undefined>;
}

/** Reads from `/api/support`. The service records it. */
export function read<P extends keyof Answers>(path: P, params: Params = {}): Promise<Answers[P]> {
  const get = call as unknown as (api: Api, method: 'get', path: P, init: { params: Params }) => Promise<Answers[P]>;
  return get(api, 'get', path, { params });
}
