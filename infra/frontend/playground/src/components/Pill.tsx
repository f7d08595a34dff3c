import type { ComponentChildren } from 'preact';

import { words } from '../lib/format.ts';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info' | 'accent';

export function Pill({ tone = 'plain', children, moving = false, dot = true }: {
  tone?: Tone;
  children: ComponentChildren;
  moving?: boolean;
  dot?: boolean;
}) {
  return (
    <span class="pill" data-tone={tone} data-moving={moving} data-plain={!dot}>
      {children}
    </span>
  );
}

/** The tone of each status, and whether it is still in progress. */
const TONES: Record<string, [Tone, boolean?]> = {
  ok: ['ok'],
  on: ['ok'],
  ready: ['ok'],
  confirmed: ['ok'],
  awaited: ['warn', true],
  seen: ['info', true],
  final: ['ok'],
  gone: ['bad'],
  filled: ['ok'],
  completed: ['ok'],
  distributed: ['ok'],
  allInBlock: ['ok'],
  refunded: ['info'],
  open: ['ok', true],
  mintedOut: ['info'],
  failed: ['bad'],
  expired: ['bad'],
  replaced: ['warn'],
  unsigned: ['warn'],
  unverified: ['warn', true],
  none: ['plain'],
  registered: ['info', true],
  pending: ['info', true],
  processing: ['info', true],
  relaying: ['info', true],
  relayed: ['info', true],
  solving: ['info', true],
  signing: ['info', true],
  broadcasting: ['info', true],
  broadcast: ['info', true],
  inMempool: ['info', true],
  allInMempool: ['info', true],
  partiallyInBlock: ['info', true],
  distributing: ['info', true],
};

/** Statuses whose words would mislead: a request that waits for a virtual block may be in a Bitcoin block. */
const SAYS: Record<string, string> = {
  allInMempool: 'waiting',
  partiallyInBlock: 'partly taken',
  allInBlock: 'taken',
};

export function StatusPill({ status }: { status: string }) {
  const [tone, moving = false] = TONES[status] ?? ['plain'];
  return <Pill tone={tone} moving={moving}>{SAYS[status] ?? words(status)}</Pill>;
}
