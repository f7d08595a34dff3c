// The worker of `thread.ts`: computes once, and answers with the result, or with undefined if it failed. The build bundles its
// imports into this file.

import { type Works, works } from './work.js';

export interface Order<Kind extends keyof Works = keyof Works> {
  readonly kind: Kind;
  readonly asked: Parameters<Works[Kind]>[0];
}

addEventListener('message', ({ data: { kind, asked } }: MessageEvent<Order>) => {
  const work = works[kind] as (asked: Order['asked']) => Promise<unknown>;
  void work(asked).catch(() => undefined).then((result) => { postMessage(result); });
});
