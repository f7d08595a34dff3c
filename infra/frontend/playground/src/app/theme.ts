import { computed, effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'runeport.playground.theme';
const kept = localStorage.getItem(KEY);

export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'auto');

const system = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(system.matches);
system.addEventListener('change', () => {
  systemDark.value = system.matches;
});

/** The theme in effect. */
export const shownTheme = computed(() => (theme.value === 'auto' ? (systemDark.value ? 'dark' : 'light') : theme.value));

effect(() => {
  document.documentElement.dataset.theme = shownTheme.value;
});
effect(() => {
  localStorage.setItem(KEY, theme.value);
});

const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };

export function turnTheme(): void {
  theme.value = NEXT[theme.value];
}
