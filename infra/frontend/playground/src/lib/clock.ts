import { signal } from '@preact/signals';

/** The lead of the service's clock over the local clock, in milliseconds; `/_local/clock` changes it. */
export const clockAhead = signal(0);

/** The service's time, in milliseconds since the epoch. */
export const serviceNow = (): number => Date.now() + clockAhead.value;

/** Grows while the page is open, so that what shows a distance to now is drawn again. */
export const ticks = signal(0);
/** How often it grows, in ms. */
const TICKS_EVERY = 5_000;

export function startTicking(): void {
  setInterval(() => { ticks.value += 1; }, TICKS_EVERY);
}
