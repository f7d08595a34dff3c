/**
 * Stores the token of this device. All accounts that sign in here share it. If an account knows the
 * device, failed attempts from elsewhere cannot lock the owner out on it.
 */
export interface DeviceStore {
  /** The token; none before the first sign-in. */
  get(): string | undefined | Promise<string | undefined>;
  set(token: string): void | Promise<void>;
}

/**
 * A store in memory: after each page load, the device counts as new.
 *
 * @example
 * const api = createApi({ baseUrl, device: memoryDeviceStore(deviceToken) });
 */
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
 * A store in `localStorage`. Signing out keeps the token, which grants no access by itself.
 *
 * @param key The key in the storage.
 *
 * @example
 * const api = createApi({ baseUrl, device: webStorageDeviceStore(localStorage) });
 */
export function webStorageDeviceStore(storage: Storage, key = 'runeport.device'): DeviceStore {
  return {
    get: () => storage.getItem(key) ?? undefined,
    set: (token) => storage.setItem(key, token),
  };
}
