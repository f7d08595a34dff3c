import { signal } from '@preact/signals';

/** How far the service's clock is ahead of this machine's: `/_local/clock` moves it. */
export const clockAhead = signal(0);

/** The service's time, in milliseconds. */
export const serviceNow = (): number => Date.now() + clockAhead.value;
