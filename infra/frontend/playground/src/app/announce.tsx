import { signal } from '@preact/signals';

const text = signal('');
/** Whether the text is visible as well. It stays in the page for screen readers. */
const isVisible = signal(false);
/** How long a result is visible, in ms. */
const VISIBLE = 5_000;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Announces a result to screen readers, politely, and shows it for some seconds. */
export function announce(what: string): void {
  // Screen readers read a text only if it changes, so add a space to a repeated text.
  text.value = text.peek() === what ? `${what}\u00a0` : what;
  isVisible.value = true;
  clearTimeout(hiding);
  hiding = setTimeout(() => { isVisible.value = false; }, VISIBLE);
}

export function Announcer() {
  return (
    <div class={isVisible.value ? 'toast' : 'visually-hidden'} role="status" aria-live="polite">
      {text}
    </div>
  );
}
