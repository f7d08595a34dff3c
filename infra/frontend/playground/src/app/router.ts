import { computed, effect, signal } from '@preact/signals';

/** `#/wallet/withdraw?address=…` is the section `withdraw` of the panel `wallet`, with one parameter. */
const hash = signal(location.hash);
/** Increments with each navigation. */
export const visit = signal(0);
addEventListener('hashchange', () => {
  visit.value += 1;
  hash.value = location.hash;
});

const parts = computed(() => hash.value.replace(/^#\/?/, '').split('?'));

const place = computed(() => (parts.value[0] ?? '').split('/'));

export const panelId = computed(() => place.value[0] || 'start');
export const panelParams = computed(() => new URLSearchParams(parts.value[1] ?? ''));

/** The section of the panel that the URL names. */
export const sectionId = computed(() => place.value[1] || undefined);

/** A link to a panel, or to the section of it that `section` names. */
export const linkTo = (panel: string, { section, ...params }: Record<string, string> = {}): string => {
  const query = new URLSearchParams(params).toString();
  return `#/${panel}${section === undefined ? '' : `/${section}`}${query === '' ? '' : `?${query}`}`;
};

export function goTo(panel: string, params?: Record<string, string>): void {
  location.hash = linkTo(panel, params);
}

/** Writes what the panel shows into the URL, so that a link to it can be sent. This is no navigation. */
export function showInUrl(panel: string, params: Record<string, string>): void {
  history.replaceState(null, '', linkTo(panel, params));
  hash.value = location.hash;
}

const visits: { since: number; panel: string }[] = [];
effect(() => {
  visits.unshift({ since: Date.now(), panel: panelId.value });
  visits.splice(20);
});

/** The panel shown when the call began: a call belongs to the panel that made it, even if the answer comes later. */
export const panelAt = (time: number): string =>
  visits.find(({ since }) => since <= time)?.panel ?? panelId.peek();
