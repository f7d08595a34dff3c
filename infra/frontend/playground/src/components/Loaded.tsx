import type { ComponentChildren } from 'preact';

import { ErrorState, LoadingState } from './States.tsx';
import type { Call } from './useCall.ts';

/** What a call has answered; until then that it is under way, or why it failed. */
export function Loaded<T>({ call, lines, children }: {
  call: Call<[], T>;
  lines?: number;
  children: (data: T) => ComponentChildren;
}) {
  return (
    <>
      {call.error && <ErrorState failure={call.error} onRetry={() => void call.run()} />}
      {call.data === undefined ? call.error === undefined && <LoadingState lines={lines} /> : children(call.data)}
    </>
  );
}
