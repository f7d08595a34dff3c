import type { Schemas } from '@runeport/client';
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { changes } from '../../stores/live.ts';

export type Webhook = Schemas['WebhookRow'];
export type Delivery = Schemas['WebhookDelivery'];
export type EventType = Webhook['types'][number];

/** The types of events of an account. */
export const TYPES = [
  'transaction.stateChanged', 'xchain.statusChanged', 'vmTransaction.stateChanged', 'refund.stateChanged', 'export.completed', 'export.failed',
  'session.ended', 'deposit.seen', 'deposit.confirmed', 'coins.renewalAdvised', 'coins.renewalNeeded',
] as const satisfies readonly EventType[];

/** The webhook whose details are shown. */
export const opened = signal<string | undefined>(undefined);
/** A secret that the service has shown, until the user has stored it. */
export const fresh = signal<{ webhookId: string; secret: string } | undefined>(undefined);
/** The request to verify: its headers, one per line, and its body. */
export const request = signal({ headers: '', body: '' });
/** Increments with each change of a webhook by this page. */
export const turn = signal(0);
/** Increments with each delivery that this page asks for. */
export const asked = signal(0);

/** How often what was delivered is read again, in ms: at first, for some seconds after its cause, and later. */
const LOOKS_EVERY = 2_000;
const EXPECTED_FOR = 10_000;
const LOOKS_LATER_EVERY = 10_000;

/**
 * When what was delivered is out of date: after each event of the account and each request of this page, which cause
 * deliveries. No event tells of a delivery, which may also come late, so it is read again and again.
 */
export function useDeliveries(): { cause: number; again: () => number } {
  const cause = turn.value + asked.value + changes(...TYPES);
  const seen = useRef({ cause: -1, until: 0 });
  if (seen.current.cause !== cause) seen.current = { cause, until: Date.now() + EXPECTED_FOR };
  return { cause, again: () => (Date.now() < seen.current.until ? LOOKS_EVERY : LOOKS_LATER_EVERY) };
}
