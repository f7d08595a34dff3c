/** The tokens of a session. */
export interface Tokens {
  /** A JWT, good for ten minutes. */
  readonly accessToken: string;
  /** Good once, for seven days. */
  readonly refreshToken: string;
  /** When the access token ends, in milliseconds since the epoch by this machine's clock. */
  readonly expiresAt: number;
}

/** Where the tokens of a session are kept. */
export interface TokenStore {
  /** The tokens, if there is a session. */
  get(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Keeps other tokens, or none any more. */
  set(tokens: Tokens | undefined): void | Promise<void>;
  /**
   * Does some work while nobody else who shares the store does any. A store that several pages share
   * needs it: of two that spend the same refresh token, the second ends the session of both.
   */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

/** A store of this page alone, which ends with it. */
export function memoryTokenStore(tokens?: Tokens): TokenStore {
  let kept = tokens;
  return {
    get: () => kept,
    set: (next) => {
      kept = next;
    },
  };
}

/**
 * A store in `sessionStorage`, or in the `localStorage` of an app that is open once. Every script of the
 * origin can read it. What one page writes to `localStorage` reaches another one some time later, too late
 * to keep both from spending the same refresh token: pages that share a session take
 * {@link sharedTokenStore}.
 *
 * @param storage Where.
 * @param key Under which key.
 */
export function webStorageTokenStore(storage: Storage, key = 'runeport.tokens'): TokenStore {
  return {
    get: () => {
      const text = storage.getItem(key);
      return text === null ? undefined : parsed(text);
    },
    set: (tokens) => (tokens ? storage.setItem(key, JSON.stringify(tokens)) : storage.removeItem(key)),
    exclusively: <T>(work: () => Promise<T>): Promise<T> => {
      // There are none outside of secure contexts.
      const locks: LockManager | undefined = globalThis.navigator?.locks;
      return locks ? (locks.request(key, work) as Promise<T>) : work();
    },
  };
}

/**
 * A store in IndexedDB, for a session that the pages of an origin share: each sees at once what another
 * one has written, and one at a time refreshes. Every script of the origin can read it. For browsers, in
 * secure contexts.
 *
 * @param name Of the database, and of the lock.
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

function parsed(text: string): Tokens | undefined {
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
