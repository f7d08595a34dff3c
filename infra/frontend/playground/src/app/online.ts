import { computed, signal } from '@preact/signals';

const connected = signal(navigator.onLine);
const reachable = signal(true);

addEventListener('online', () => {
  connected.value = true;
});
addEventListener('offline', () => {
  connected.value = false;
});

export const offline = computed(() => !connected.value || !reachable.value);

export function noteReachable(): void {
  reachable.value = true;
}

export function noteUnreachable(): void {
  reachable.value = false;
}
