import { signal } from '@preact/signals';

/** Something that the user did, and that made calls. */
export interface Act {
  /** The text of what was pressed, or the panel that was opened. */
  label: string;
  startedAt: number;
  /** Missing while it runs. What is called after it are reloads. */
  endedAt: number | undefined;
}

/** The newest last. */
export const acts = signal<readonly Act[]>([]);
/** As many as calls are kept. */
const MOST = 200;
/** How long what a panel calls by itself counts as the visit, in ms. */
const VISIT = 1_000;

let pressed = '';
addEventListener('click', ({ target }) => note(target), { capture: true });
addEventListener('submit', ({ submitter, target }) => note(submitter ?? target), { capture: true });

function note(target: EventTarget | null): void {
  const element = target instanceof Element ? target.closest('button, a, label, form') : null;
  const text = element instanceof HTMLFormElement ? element.getAttribute('aria-label') : element?.textContent;
  if (text) pressed = text.trim().replaceAll(/\s+/g, ' ').slice(0, 80);
}

/** A visit ends when the next act begins: what that changes is reloaded because of it, however soon it comes. */
function start(act: Act): void {
  const { startedAt } = act;
  const before = acts.peek().map((one) => (one.endedAt !== undefined && one.endedAt > startedAt ? { ...one, endedAt: startedAt } : one));
  acts.value = [...before, act].slice(-MOST);
}

/** Begins what the user has just started; the returned function ends it. */
export function beginAct(): () => void {
  const act: Act = { label: pressed || 'The page', startedAt: Date.now(), endedAt: undefined };
  start(act);
  return () => {
    const ended = { ...act, endedAt: Date.now() };
    acts.value = acts.peek().map((one) => (one === act ? ended : one));
  };
}

/** A panel was opened. */
export function noteVisit(title: string): void {
  const startedAt = Date.now();
  start({ label: title, startedAt, endedAt: startedAt + VISIT });
}

/** What the user had done last when a call was made, and whether the call is a reload after it. */
export function causeOf(time: number, known: readonly Act[]): { act: Act | undefined; isReload: boolean } {
  const earlier = known.filter(({ startedAt }) => startedAt <= time);
  const running = earlier.findLast(({ endedAt }) => endedAt === undefined || endedAt >= time);
  return { act: running ?? earlier.at(-1), isReload: running === undefined };
}
