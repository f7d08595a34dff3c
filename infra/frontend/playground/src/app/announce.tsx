import { signal } from '@preact/signals';

const text = signal('');

/** Announces a result to screen readers, politely. */
export function announce(what: string): void {
  // Screen readers read a text only if it changes, so add a space to a repeated text.
  text.value = text.peek() === what ? `${what}\u00a0` : what;
}

export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
