import { computed, signal } from '@preact/signals';
import {
  type Api, call, createApi, type Me, signOut as endThisSession, type SignedIn, type Tokens, webStorageDeviceStore,
  webStorageTokenStore,
} from '@runeport/client';

import { announce } from '../app/announce.tsx';
import { recordedFetch } from './calls.ts';
import { BASE } from './local.ts';
import { askReauth } from './reauth.tsx';

const store = webStorageTokenStore(sessionStorage, 'runeport.playground.tokens', {
  onChange: (next) => take(next, 'You signed out in another tab, or the session has ended there.'),
});

/** The current tokens of the session. */
export const tokens = signal<Tokens | undefined>(undefined);
/** The signed-in account, as last loaded. */
export const account = signal<Me | undefined>(undefined);
export const signedIn = computed(() => tokens.value !== undefined);

/** Why the session ended, if this tab did not end it. */
export const sessionEnd = signal<string | undefined>(undefined);
let leaving = false;

function take(next: Tokens | undefined, why: string): void {
  const ended = tokens.peek() !== undefined && next === undefined;
  tokens.value = next;
  if (next !== undefined) {
    sessionEnd.value = undefined;
    return;
  }
  account.value = undefined;
  if (!ended) return;
  if (leaving) announce('You are signed out.');
  else sessionEnd.value = why;
}

/** The page's only client; the inspector shows all of its calls. */
export const api: Api = createApi({
  baseUrl: BASE,
  fetch: recordedFetch,
  onReauth: (asking) => askReauth(asking, account.peek()),
  device: webStorageDeviceStore(localStorage, 'runeport.playground.device'),
  tokens: {
    get: () => store.get(),
    async set(next) {
      await store.set(next);
      take(next, 'The session has ended: it expired, it was ended elsewhere, or a credential of the account was changed.');
    },
    exclusively: (work) => (store.exclusively ? store.exclusively(work) : work()),
  },
});

/** Reloads the account after a change. */
export async function loadAccount(): Promise<Me> {
  const { data } = await call(api, 'get', '/api/account/me');
  account.value = data;
  return data;
}

/** Restores the session that this tab had before it was reloaded. */
export async function resumeSession(): Promise<void> {
  tokens.value = await store.get();
  if (tokens.value === undefined) return;
  try {
    await loadAccount();
  } catch {
    // If the user is offline, the session is kept; if it has ended, the client has emptied the store.
  }
}

/** The last step of every sign-in and registration. */
export function welcome(signedIn: SignedIn): SignedIn {
  account.value = signedIn.account;
  return signedIn;
}

export async function signOut(): Promise<void> {
  leaving = true;
  try {
    await endThisSession(api);
  } finally {
    leaving = false;
  }
}

/** Replaces both tokens of the session. The tabs of a session take turns. */
export async function refreshNow(): Promise<void> {
  const refresh = async (): Promise<void> => {
    const before = await api.tokens.get();
    if (!before) throw new Error('There is no session.');
    const { refreshToken } = before;
    const { data } = await call(api, 'post', '/auth/refresh-token', { body: { refreshToken }, anonymous: true });
    await api.tokens.set({
      accessToken: data.accessToken, refreshToken: data.refreshToken, expiresAt: Date.now() + data.expiresIn * 1000,
    });
  };
  await (api.tokens.exclusively ? api.tokens.exclusively(refresh) : refresh());
}
