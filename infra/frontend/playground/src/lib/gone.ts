import { signal } from '@preact/signals';

/** Whether the service is gone: a drill, in which the page refuses each call to it and each socket. */
export const gone = signal(false);

/** Whether an address is the service's. Its origin also has the page itself and the levers of the local world. */
export function isOfService(address: URL): boolean {
  return address.host === location.host && !/^\/(playground|_local)(\/|$)/.test(address.pathname);
}

/** Fetches from everything that is there. */
export const fetchIfThere: typeof fetch = async (input, init) => {
  const address = new URL(input instanceof Request ? input.url : input, location.href);
  // What `fetch` throws if a server does not answer.
  if (gone.peek() && isOfService(address)) throw new TypeError('The service is gone.');
  return fetch(input, init);
};
