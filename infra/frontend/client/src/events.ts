/**
 * What changes, as it happens.
 *
 * @packageDocumentation
 */

import { type Api, call, pause, type Schemas } from './api.js';

/** An event of an account or of a mint. Its `type` tells what its `data` has. */
export type Event = Schemas['EventItem'];

/** The events of these types. */
export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

/** The class of sockets: that of browsers, or one that behaves like it. */
export type SocketClass = new (url: string) => WebSocket;

/** Options of {@link watch}. */
export interface WatchOptions<Type extends Event['type'] = Event['type']> {
  /** Watches this mint, which is public, instead of the account. */
  readonly mintId?: string | undefined;
  /** Begins after the event with this number: that of the last event that was handled. Without it, with the next event. */
  readonly after?: number | undefined;
  /** Only events of these types. */
  readonly types?: readonly Type[] | undefined;
  /** What opens sockets. Default: `WebSocket` where there is one. `null`: the events are only read. */
  readonly socket?: SocketClass | null | undefined;
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
}

/** A gateway closes a connection that is idle for ten minutes. */
const PING_EVERY = 5 * 60_000;
/** A gateway closes a connection after two hours. Another one is open before that. */
const RENEW_AFTER = 110 * 60_000;
/** How much earlier at most: sockets that were opened together must not all be opened again together. */
const RENEW_EARLIER = 5 * 60_000;
/** When another one that does not open is tried again. */
const RENEW_AGAIN = 60_000;
/** How long an answer may take. */
const PATIENCE = 10_000;
/** After how long a socket is tried again that could not be opened, such as for an expired ticket: longer each time. */
const TRY_AGAIN = 5_000;
const LONGEST_TRY_AGAIN = 5 * 60_000;
/** The longest first wait before a new socket. Many are closed at once, and must not come back at once. */
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;

/**
 * Yields each event once and in the order of their numbers, without a gap: from a socket where there is one, otherwise by
 * reading every few seconds. A connection that is lost is opened again, and what it has missed is read. Before the gateway
 * ends a connection, another one takes over.
 *
 * @throws {@link RuneportError} `events.tooOld` if events after `after` are not kept any more; the error of a call that
 *   fails in spite of its retries, such as `auth.tokenExpired` when the session has ended; the reason of `signal`.
 *
 * @example
 * for await (const event of watch(api, { after: lastHandled })) await handle(event)
 *
 * @example
 * for await (const { data } of watch(api, { types: ['refund.stateChanged'] })) console.log(data.txId, data.after)
 */
export async function* watch<Type extends Event['type'] = Event['type']>(
  api: Api,
  options: WatchOptions<Type> = {},
): AsyncGenerator<EventOf<Type>, void, undefined> {
  const { types, signal, socket = globalThis.WebSocket ?? null } = options;
  const named: readonly string[] | undefined = types;
  const wanted = (event: Event): event is EventOf<Type> => named === undefined || named.includes(event.type);
  const reader = readerOf(api, options);
  let last = options.after ?? (await reader.read(undefined, 1)).newest;
  let [wait, trySocketAt, refused, lost] = [0, 0, 0, 0];

  async function* missed(): AsyncGenerator<EventOf<Type>, void, undefined> {
    for (;;) {
      const page = await reader.read(last);
      for (const event of page.events) {
        last = event.sequence;
        if (wanted(event)) yield event;
      }
      last = page.next;
      wait = page.pollAfterMs;
      if (page.next >= page.newest) return;
    }
  }

  for (;;) {
    yield* missed();
    if (socket === null || performance.now() < trySocketAt) {
      await pause(wait, signal);
      continue;
    }
    const open = async (): Promise<Connection | undefined> =>
      connect(socket, await reader.address(), reader.list, last, signal);
    const connection = await open();
    if (connection === undefined) {
      trySocketAt = performance.now() + Math.min(LONGEST_TRY_AGAIN, TRY_AGAIN * 4 ** refused);
      refused += 1;
      continue;
    }
    refused = 0;
    const openedAt = performance.now();
    for await (const { events = [], newest } of renewed(connection, open)) {
      for (const event of events) {
        if (event.sequence !== last + 1) continue;
        last = event.sequence;
        if (wanted(event)) yield event;
      }
      if (newest > last) yield* missed();
    }
    signal?.throwIfAborted();
    lost = performance.now() - openedAt > PING_EVERY ? 0 : lost + 1;
    await pause(Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** lost), signal);
  }
}

interface EventsPage {
  readonly events: readonly Event[];
  readonly next: number;
  readonly newest: number;
  readonly pollAfterMs: number;
}

interface Reader {
  /** The list's name on sockets. */
  readonly list: string;
  read(after: number | undefined, limit?: number): Promise<EventsPage>;
  /** Where to open a socket. */
  address(): Promise<string>;
}

function readerOf(api: Api, { mintId, signal }: WatchOptions): Reader {
  const pageOf = ({ data, metaData }: { data: Event[]; metaData?: unknown }): EventsPage => {
    const { next, newest, pollAfterMs } = metaData as Schemas['MetaDataWith_EventsMeta'];
    return { events: data, next, newest, pollAfterMs };
  };
  const queryOf = (after: number | undefined, limit = 100): { limit: number; after?: number } =>
    after === undefined ? { limit } : { limit, after };
  if (mintId === undefined) {
    return {
      list: 'account',
      read: async (after, limit) => pageOf(await call(api, 'get', '/api/events', { params: { query: queryOf(after, limit) }, signal })),
      address: async () => {
        const { data: { url, ticket } } = await call(api, 'post', '/api/events/ticket', { signal });
        return `${url}?ticket=${ticket}`;
      },
    };
  }
  const path = { id: mintId };
  return {
    list: `mint:${mintId}`,
    read: async (after, limit) =>
      pageOf(await call(api, 'get', '/api/vm-transactions/mints/{id}/events', { params: { path, query: queryOf(after, limit) }, signal })),
    address: async () => (await call(api, 'get', '/api/config', { signal })).data.socketUrl,
  };
}

/** What a socket says of a list. */
interface News {
  readonly list: string;
  readonly newest: number;
  readonly events?: readonly Event[];
}

interface Connection {
  /** What it says next; `undefined` once it is closed, or if {@link wake} is called. */
  next(): Promise<News | undefined>;
  wake(): void;
  close(): void;
}

/**
 * What a connection says until it is closed, and before its planned end what another one says, which `open` opens while
 * the earlier one still listens. Both may say the same.
 */
async function* renewed(first: Connection, open: () => Promise<Connection | undefined>): AsyncGenerator<News, void, undefined> {
  let current = first;
  let successor: Connection | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const renew = async (): Promise<void> => {
    const opened = await open().catch(() => undefined);
    if (isOver) opened?.close();
    else if (opened === undefined) timer = setTimeout(() => void renew(), RENEW_AGAIN);
    else {
      successor = opened;
      current.wake();
    }
  };
  const plan = (): void => {
    timer = setTimeout(() => void renew(), RENEW_AFTER - Math.random() * RENEW_EARLIER);
  };
  plan();
  try {
    for (;;) {
      const news = await current.next();
      if (news !== undefined) yield news;
      else if (successor === undefined) return;
      if (successor === undefined) continue;
      current.close();
      current = successor;
      successor = undefined;
      plan();
    }
  } finally {
    isOver = true;
    clearTimeout(timer);
    current.close();
    successor?.close();
  }
}

/** A connection that reads a list; `undefined` if it cannot be opened, or is refused. */
async function connect(
  Socket: SocketClass, url: string, list: string, after: number, signal: AbortSignal | undefined,
): Promise<Connection | undefined> {
  const news: News[] = [];
  let [isOpen, pings] = [true, 0];
  let heard = (): void => undefined;
  let socket: WebSocket;
  try {
    socket = new Socket(url);
  } catch {
    return undefined;
  }
  let late: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    isOpen = false;
    clearTimeout(late);
    clearTimeout(nextPing);
    signal?.removeEventListener('abort', close);
    socket.close();
    heard();
  };
  const expectAnswer = (): void => {
    clearTimeout(late);
    late = setTimeout(close, PATIENCE);
  };
  const ping = (): void => {
    pings += 1;
    socket.send(JSON.stringify({ ping: pings }));
    expectAnswer();
    nextPing = setTimeout(ping, PING_EVERY);
  };
  let nextPing: ReturnType<typeof setTimeout> | undefined;
  expectAnswer();
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ subscribe: [list], after }));
    nextPing = setTimeout(ping, PING_EVERY);
  });
  socket.addEventListener('message', ({ data }: MessageEvent) => {
    clearTimeout(late);
    const said = newsOf(data);
    if (said === undefined) close();
    else news.push(...said.filter((each) => each.list === list));
    heard();
  });
  for (const end of ['close', 'error'] as const) socket.addEventListener(end, close);
  signal?.addEventListener('abort', close);
  if (signal?.aborted) close();

  let isWoken = false;
  const heardSomething = async (): Promise<void> => {
    while (isOpen && news.length === 0 && !isWoken) await new Promise<void>((resolve) => { heard = resolve; });
  };
  await heardSomething();
  if (news.length === 0) {
    signal?.throwIfAborted();
    return undefined;
  }
  return {
    close,
    wake: () => {
      isWoken = true;
      heard();
    },
    next: async () => {
      await heardSomething();
      isWoken = false;
      return news.shift();
    },
  };
}

/** The lists in a message; `undefined` if it is an error. */
function newsOf(data: unknown): readonly News[] | undefined {
  try {
    const { lists, error } = JSON.parse(String(data)) as { lists?: readonly News[]; error?: unknown };
    return error === undefined ? lists ?? [] : undefined;
  } catch {
    return undefined;
  }
}
