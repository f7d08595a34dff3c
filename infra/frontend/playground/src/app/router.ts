import { computed, effect, signal } from '@preact/signals';

/** `#/wallet?address=…` is the panel `wallet` with one parameter. */
const hash = signal(location.hash);
/** Increments with each navigation. */
export const visit = signal(0);
addEventListener('hashchange', () => {
  visit.value += 1;
  hash.value = location.hash;
});

const parts = computed(() => hash.value.replace(/^#\/?/, '').split('?'));

export const panelId = computed(() => parts.value[0] || 'start');
export const panelParams = computed(() => new URLSearchParams(parts.value[1] ?? ''));

/** The section of the panel that the URL names: `#/wallet?section=withdraw`. */
export const sectionId = computed(() => panelParams.value.get('section') ?? undefined);

export const linkTo = (panel: string, params: Record<string, string> = {}): string => {
  const query = new URLSearchParams(params).toString();
  return `#/${panel}${query === '' ? '' : `?${query}`}`;
};

export function goTo(panel: string, params?: Record<string, string>): void {
  location.hash = linkTo(panel, params);
}

const visits: { since: number; panel: string }[] = [];
effect(() => {
  visits.unshift({ since: Date.now(), panel: panelId.value });
  visits.splice(20);
});

/** The panel shown when the call began: a call belongs to the panel that made it, even if the answer comes later. */
export const panelAt = (time: number): string =>
  visits.find(({ since }) => since <= time)?.panel ?? panelId.peek();
