import type { ComponentChildren } from 'preact';

import { ErrorState, LoadingState } from './States.tsx';
import type { Call } from './useCall.ts';

/** Shows the result of a call; until then, the loading state or the error. */
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
