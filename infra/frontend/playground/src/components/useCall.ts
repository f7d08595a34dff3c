import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { announce } from '../app/announce.tsx';
import { noteReachable, noteUnreachable } from '../app/online.ts';
import { type Failure, toFailure } from '../lib/failure.ts';
import { beginAct } from '../stores/acts.ts';

export type CallState = 'idle' | 'loading' | 'ok' | 'error';

export interface Call<A extends unknown[], T> {
  /** Never throws: returns undefined on failure, and sets `error`. */
  run: (...args: A) => Promise<T | undefined>;
  state: CallState;
  busy: boolean;
  error?: Failure;
  data?: T;
  reset: () => void;
}

interface Shown<T> {
  state: CallState;
  error?: Failure;
  data?: T;
}

/** A call that the user starts, for which the inspector groups what it calls. `done` is shown for some seconds, and announced to screen readers. */
export function useCall<A extends unknown[], T>(
  call: (...args: A) => Promise<T>,
  { done, isLoad = false }: { done?: string | ((data: T) => string); isLoad?: boolean } = {},
): Call<A, T> {
  const [shown, setShown] = useState<Shown<T>>({ state: 'idle' });
  const latest = useRef({ call, done });
  latest.current = { call, done };
  const turn = useRef(0);
  useEffect(() => () => {
    turn.current += 1;
  }, []);
  const run = useCallback(async (...args: A) => {
    turn.current += 1;
    const mine = turn.current;
    const ended = isLoad ? undefined : beginAct();
    setShown(({ data }) => ({ state: 'loading', data }));
    try {
      const data = await latest.current.call(...args);
      noteReachable();
      // Ignore the result if the user has left the panel or started another call.
      if (mine !== turn.current) return data;
      setShown({ state: 'ok', data });
      const said = latest.current.done;
      if (said !== undefined) announce(typeof said === 'function' ? said(data) : said);
      return data;
    } catch (thrown) {
      const error = toFailure(thrown);
      if (error.kind === 'offline') noteUnreachable();
      else if (error.kind === 'refused') noteReachable();
      if (mine === turn.current) setShown(({ data }) => ({ state: 'error', error, data }));
      return undefined;
    } finally {
      ended?.();
    }
  }, []);
  const reset = useCallback(() => {
    turn.current += 1;
    setShown({ state: 'idle' });
  }, []);
  return { run, reset, busy: shown.state === 'loading', ...shown };
}

/**
 * A call that the panel makes by itself: initially, when `keys` change, and when the service says that it answers again. `again`
 * is for data whose changes no event tells: it returns after how many milliseconds the data may be out of date.
 */
export function useLoad<T>(
  call: () => Promise<T>,
  keys: readonly unknown[] = [],
  { again }: { again?: (data: T) => number | undefined } = {},
): Call<[], T> & { reload: () => Promise<T | undefined> } {
  const loaded = useCall<[], T>(call, { isLoad: true });
  const { run, data, state } = loaded;
  // The caller decides which values cause a reload.
  useEffect(() => void run(), [run, ...keys]);
  const wait = state !== 'loading' && data !== undefined ? again?.(data) : undefined;
  useEffect(() => {
    if (wait === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void run();
    }, wait);
    return () => clearInterval(timer);
  }, [run, wait, data]);
  const later = state === 'error' ? loaded.error?.retryAfter : undefined;
  useEffect(() => {
    if (later === undefined) return undefined;
    const timer = setTimeout(() => void run(), later * 1_000);
    return () => clearTimeout(timer);
  }, [run, later, loaded.error]);
  return { ...loaded, reload: run };
}
