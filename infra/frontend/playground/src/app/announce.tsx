import { signal } from '@preact/signals';

const text = signal('');

/** Announces a result to screen readers, politely. */
export function announce(what: string): void {
  // The same text again is only read if it changed.
  text.value = text.peek() === what ? `${what}\u00a0` : what;
}

export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
