import { signal } from '@preact/signals';

/** The lead of the service's clock over the local clock, in milliseconds; `/_local/clock` changes it. */
export const clockAhead = signal(0);

/** The service's time, in milliseconds since the epoch. */
export const serviceNow = (): number => Date.now() + clockAhead.value;
