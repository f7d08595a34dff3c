import { computed, signal } from '@preact/signals';

/** `#/wallet?address=…` is the panel `wallet` with one parameter. */
const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

const parts = computed(() => hash.value.replace(/^#\/?/, '').split('?'));

export const panelId = computed(() => parts.value[0] || 'start');
export const panelParams = computed(() => new URLSearchParams(parts.value[1] ?? ''));

export const linkTo = (panel: string, params: Record<string, string> = {}): string => {
  const query = new URLSearchParams(params).toString();
  return `#/${panel}${query === '' ? '' : `?${query}`}`;
};

export function goTo(panel: string, params?: Record<string, string>): void {
  location.hash = linkTo(panel, params);
}
