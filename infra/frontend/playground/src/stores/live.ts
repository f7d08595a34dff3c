import { RuneportError, type Schemas } from '@runeport/client';
import { type Event, watch } from '@runeport/client/events';
import { batch, computed, effect, signal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { pageSockets } from '../lib/page-socket.ts';
import { account, api, signedIn } from './session.ts';

type EventType = Schemas['EventItem']['type'];

/** How the page hears of the account's events: over a socket, by reading them, or, after a refusal, not at all. */
type Line = 'live' | 'reading' | 'ended';

const line = signal<Line>('reading');
const watched = computed(() => (signedIn.value ? account.value?.id : undefined));
export const liveState = computed(() => (watched.value === undefined ? 'signed out' : line.value));

const counters = new Map<EventType, Signal<number>>();
const counterOf = (type: EventType): Signal<number> => {
  const known = counters.get(type) ?? signal(0);
  counters.set(type, known);
  return known;
};

/** A number that grows with each event of these types. As a key of `useLoad` it reloads what the events are about. */
export const changes = (...types: readonly EventType[]): number =>
  types.reduce((sum, type) => sum + counterOf(type).value, 0);

/** Events often arrive together, so panels reload once for all that arrive within this time, in ms. */
const TOGETHER = 150;
const arrived = new Set<EventType>();
let telling: ReturnType<typeof setTimeout> | undefined;

function tell(types: Iterable<EventType>): void {
  for (const type of types) arrived.add(type);
  telling ??= setTimeout(() => {
    telling = undefined;
    batch(() => { for (const type of arrived) counterOf(type).value += 1; });
    arrived.clear();
  }, TOGETHER);
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}

type Ending = 'tooOld' | 'refused' | 'unavailable';

function endingOf(error: unknown): Ending {
  if (!(error instanceof RuneportError)) return 'unavailable';
  const { status, key } = error;
  if (key === 'events.tooOld') return 'tooOld';
  // A gateway that rejects a request has not seen the session.
  const isOfService = key !== 'client.unavailable' && status !== 429;
  return isOfService && status >= 400 && status < 500 ? 'refused' : 'unavailable';
}

/** Counts the events of the account, or of a mint, until `signal` ends it or the service refuses to list them. */
async function follow(mintId: string | undefined, onLine: (line: Line) => void, signal: AbortSignal): Promise<void> {
  let last: Event | undefined;
  let wait = FIRST_PAUSE;
  const socket = pageSockets((isLive) => {
    if (signal.aborted) return;
    if (isLive) wait = FIRST_PAUSE;
    onLine(isLive ? 'live' : 'reading');
  });
  for (;;) {
    try {
      for await (const event of watch(api, { mintId, after: last?.sequence, socket, signal })) {
        last = event;
        wait = FIRST_PAUSE;
        tell([event.type]);
      }
    } catch (error) {
      if (signal.aborted) return;
      const ending = endingOf(error);
      onLine(ending === 'refused' ? 'ended' : 'reading');
      if (ending === 'refused') return;
      if (ending === 'tooOld') last = undefined;
      await pause(wait, signal);
      if (signal.aborted) return;
      wait = Math.min(LONGEST_PAUSE, wait * 2);
    }
    // Without a last event the next watch begins with what is newest then, so everything may be out of date.
    if (last === undefined) tell(counters.keys());
  }
}

effect(() => {
  if (watched.value === undefined) return undefined;
  const stop = new AbortController();
  line.value = 'reading';
  void follow(undefined, (next) => { line.value = next; }, stop.signal);
  return () => stop.abort();
});

const mints = new Map<string, { users: number; stop: AbortController }>();

/** Counts the events of a mint while a component shows it. All components share one watch. */
export function useMintEvents(mintId: string | undefined): void {
  useEffect(() => {
    if (mintId === undefined) return undefined;
    const known = mints.get(mintId) ?? { users: 0, stop: new AbortController() };
    if (known.users === 0) void follow(mintId, () => undefined, known.stop.signal);
    known.users += 1;
    mints.set(mintId, known);
    return () => {
      known.users -= 1;
      if (known.users > 0) return;
      known.stop.abort();
      mints.delete(mintId);
    };
  }, [mintId]);
}
