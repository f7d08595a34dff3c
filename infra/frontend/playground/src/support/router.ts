import { signal } from '@preact/signals';

import { hashOf, type Place, placeOf } from './place.ts';

export const place = signal<Place>(placeOf(location.hash));
/** Increments with each navigation, so that the same question can be asked again. */
export const visit = signal(0);
addEventListener('hashchange', () => {
  place.value = placeOf(location.hash);
  visit.value += 1;
});

/** Goes to a place, which the browser can leave by going back. */
export function goTo(to: Place): void {
  const hash = hashOf(to);
  if (location.hash === hash) visit.value += 1;
  else location.hash = hash;
}

/** Shows a place instead of the current one: going back passes over the current one. */
export function goOnTo(to: Place): void {
  history.replaceState(null, '', hashOf(to));
  place.value = to;
  visit.value += 1;
}
