import { liveState } from '../stores/live.ts';

const SIGNS = {
  live: ['Live', 'Changes of the account arrive over a socket.'],
  reading: ['Reading', 'No socket is open. The page reads the changes of the account every few seconds.'],
  ended: ['Not live', 'The service no longer lists the changes of the account. Sign in again.'],
  'signed out': ['Signed out', 'The page receives the changes of an account after a sign-in.'],
} as const;

/** Tells whether the page hears of changes as they happen. */
export function LiveSign() {
  const state = liveState.value;
  const [text, title] = SIGNS[state];
  return (
    <span class="live" data-state={state} title={title}>
      <span class="dot" aria-hidden="true" />
      <span class="live-text">{text}</span>
    </span>
  );
}
