import { claimOf } from './claims.js';

/** The tokens of a session. */
export interface Tokens {
  /** A JWT, valid for ten minutes. */
  readonly accessToken: string;
  /** Usable once, valid for seven days. */
  readonly refreshToken: string;
  /** When the access token expires, in milliseconds since the epoch by the local clock. */
  readonly expiresAt: number;
}

/** Stores the tokens of a session. */
export interface TokenStore {
  /** The tokens; none without a session. */
  get(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Replaces the tokens; `undefined` removes them. */
  set(tokens: Tokens | undefined): void | Promise<void>;
  /**
   * Runs `work` under a lock. A store that several pages share needs this: if two pages use the same refresh
   * token, the session ends for both.
   */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * A store in memory, which is lost when the page closes.
 *
 * @example
 * const api = createApi({ baseUrl, tokens: memoryTokenStore() });
 */
export function memoryTokenStore(tokens?: Tokens): TokenStore {
  let kept = tokens;
  return {
    get: () => kept,
    set: (next) => {
      kept = next;
    },
  };
}

/** Options of {@link webStorageTokenStore}. */
export interface WebStorageOptions {
  /** Called after another tab of the same session has replaced its tokens, or has signed out. */
  readonly onChange?: ((tokens: Tokens | undefined) => void) | undefined;
}

/** What a tab tells the other tabs of its session. */
interface SessionChange {
  readonly session: string;
  readonly tokens: Tokens | undefined;
}

/**
 * A store in `sessionStorage`, or in `localStorage` if the app is open in one page only. Every script of
 * the origin can read it. A duplicate of a tab begins with a copy of its session: each tab sends new tokens to
 * the others, and only one of them refreshes at a time. Changes to `localStorage` reach other pages with a delay,
 * so two pages could use the same refresh token. For pages that share a session, use {@link sharedTokenStore}.
 *
 * @param key The key in the storage, also the name of the lock and of the channel between the tabs.
 *
 * @example
 * const tokens = webStorageTokenStore(sessionStorage, 'runeport.tokens', { onChange: () => location.reload() });
 * const api = createApi({ baseUrl, tokens });
 */
export function webStorageTokenStore(
  storage: Storage,
  key = 'runeport.tokens',
  { onChange }: WebStorageOptions = {},
): TokenStore {
  const read = (): Tokens | undefined => {
    const text = storage.getItem(key);
    return text === null ? undefined : parseTokens(text);
  };
  const write = (tokens: Tokens | undefined): void =>
    (tokens ? storage.setItem(key, JSON.stringify(tokens)) : storage.removeItem(key));
  const sessionOf = (tokens: Tokens | undefined): unknown => tokens && claimOf(tokens.accessToken, 'sid');
  const channel = globalThis.BroadcastChannel && new BroadcastChannel(key);
  channel?.addEventListener('message', ({ data }: MessageEvent<SessionChange>) => {
    const { session, tokens } = data;
    const now = read();
    if (!now || sessionOf(now) !== session || (tokens && tokens.expiresAt < now.expiresAt)) return;
    write(tokens);
    onChange?.(tokens);
  });
  // In Node, an open channel would keep the process alive.
  (channel as { unref?: () => void } | undefined)?.unref?.();
  return {
    get: read,
    set: (tokens) => {
      const session = sessionOf(read());
      write(tokens);
      // The tokens of another session concern this tab alone.
      if (typeof session !== 'string' || (tokens && sessionOf(tokens) !== session)) return;
      channel?.postMessage({ session, tokens } satisfies SessionChange);
    },
    exclusively: <T>(work: () => Promise<T>): Promise<T> => {
      // Locks exist only in secure contexts.
      const locks: LockManager | undefined = globalThis.navigator?.locks;
      return locks ? (locks.request(key, work) as Promise<T>) : work();
    },
  };
}

/**
 * A store in IndexedDB, for a session that the pages of an origin share: every page sees changes
 * immediately, and only one page refreshes at a time. Every script of the origin can read it. Requires a
 * browser and a secure context.
 *
 * @param name The name of the database and of the lock.
 *
 * @example
 * const api = createApi({ baseUrl, tokens: sharedTokenStore() });
 */
export function sharedTokenStore(name = 'runeport.tokens'): TokenStore {
  const places = 'tokens';
  const place = 'current';
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(places);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => {
        opened = undefined;
        reject(request.error);
      };
    });
    return opened;
  };
  const within = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const transaction = (await open()).transaction(places, mode);
    const request = work(transaction.objectStore(places));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    get: async () => {
      const kept: unknown = await within('readonly', (store) => store.get(place));
      return isTokens(kept) ? kept : undefined;
    },
    set: async (tokens) => {
      await (tokens
        ? within('readwrite', (store) => store.put(tokens, place))
        : within('readwrite', (store) => store.delete(place)));
    },
    exclusively: <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request(name, work) as Promise<T>,
  };
}

function parseTokens(text: string): Tokens | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isTokens(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTokens(value: unknown): value is Tokens {
  return (
    typeof value === 'object' && value !== null &&
    'accessToken' in value && typeof value.accessToken === 'string' &&
    'refreshToken' in value && typeof value.refreshToken === 'string' &&
    'expiresAt' in value && typeof value.expiresAt === 'number'
  );
}
