/**
 * Where the token of this device is kept: one for all accounts that sign in here. An account that knows
 * the device is not locked out on it by the guesses of others.
 */
export interface DeviceStore {
  /** The token, once a sign-in has answered one. */
  get(): string | undefined | Promise<string | undefined>;
  /** Keeps a token. */
  set(token: string): void | Promise<void>;
}

/** A store of this page alone: the device is a new one to the account each time it loads. */
export function memoryDeviceStore(token?: string): DeviceStore {
  let kept = token;
  return {
    get: () => kept,
    set: (next) => {
      kept = next;
    },
  };
}

/**
 * A store in `localStorage`. Signing out leaves it: the token opens nothing by itself.
 *
 * @param storage Where.
 * @param key Under which key.
 */
export function webStorageDeviceStore(storage: Storage, key = 'runeport.device'): DeviceStore {
  return {
    get: () => storage.getItem(key) ?? undefined,
    set: (token) => storage.setItem(key, token),
  };
}
