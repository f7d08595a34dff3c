import type { Found, Hit } from './shapes.ts';

/** The lists of an account, in the order of their tabs. */
export const LISTS = [
  'withdrawals', 'transactions', 'deposits', 'swaps', 'batches', 'refunds', 'exports', 'webhooks', 'activity', 'reads',
] as const;
export type List = (typeof LISTS)[number];

/** Which rows of a list are shown: by the number of the page, with the list as it was at its first page, or those before a row. */
export interface Rows {
  page: number;
  asOf?: number | undefined;
  before?: string | undefined;
}

export interface AccountPlace extends Rows {
  view: 'account';
  account: string;
  list: List;
  /** The webhook whose deliveries are shown. */
  webhook?: string | undefined;
}

/** What the page shows, as its URL says. */
export type Place =
  | { view: 'start' }
  | { view: 'search'; text: string }
  | AccountPlace
  | { view: 'transaction'; txId: string }
  | { view: 'stuck'; page: number }
  /** What an admin has read. */
  | { view: 'reads'; admin: string; before?: string | undefined };

const isList = (text: string | null): text is List => (LISTS as readonly (string | null)[]).includes(text);

/** A whole number from 1. */
function numberOf(text: string | null): number | undefined {
  const number = Number(text);
  return text !== null && /^\d{1,9}$/.test(text) && number > 0 ? number : undefined;
}

/** Reads a hash such as `#account=…&list=withdrawals&page=2`. What it does not know is the start. */
export function placeOf(hash: string): Place {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const page = numberOf(params.get('page')) ?? 1;
  const account = params.get('account');
  if (account) {
    const list = params.get('list');
    return {
      view: 'account', account, list: isList(list) ? list : 'withdrawals', page, asOf: numberOf(params.get('asOf')),
      before: params.get('before') || undefined, webhook: params.get('webhook') || undefined,
    };
  }
  const admin = params.get('reads');
  if (admin) return { view: 'reads', admin, before: params.get('before') || undefined };
  const txId = params.get('transaction');
  if (txId) return { view: 'transaction', txId };
  const text = params.get('search');
  if (text) return { view: 'search', text };
  return params.has('stuck') ? { view: 'stuck', page } : { view: 'start' };
}

/** The hash of a place, which `placeOf` reads. */
export function hashOf(place: Place): string {
  const params = new URLSearchParams();
  if (place.view === 'account') {
    params.set('account', place.account);
    params.set('list', place.list);
    if (place.webhook) params.set('webhook', place.webhook);
  }
  if (place.view === 'reads') params.set('reads', place.admin);
  if (place.view === 'search') params.set('search', place.text);
  if (place.view === 'transaction') params.set('transaction', place.txId);
  if (place.view === 'stuck') params.set('stuck', '');
  if ('page' in place && place.page > 1) params.set('page', String(place.page));
  if ('asOf' in place && place.asOf) params.set('asOf', String(place.asOf));
  if ('before' in place && place.before) params.set('before', place.before);
  return `#${params.toString().replace(/=(?=&|$)/, '')}`;
}

/** A link to a list of an account, at its newest rows. */
export const listOf = (account: string, list: List = 'withdrawals'): string => hashOf({ view: 'account', account, list, page: 1 });
export const readsOf = (admin: string): string => hashOf({ view: 'reads', admin });
export const transactionLink = (txId: string): string => hashOf({ view: 'transaction', txId });

/** Where a hit of a search is shown; undefined for what belongs to the platform. */
export function placeOfHit({ kind, id, accountId }: Hit): Place | undefined {
  if (kind === 'transaction' || kind === 'batch' || kind === 'refund') return { view: 'transaction', txId: id };
  if (accountId === null) return undefined;
  const list = kind === 'crossChain' ? 'swaps' : kind === 'export' ? 'exports' : 'withdrawals';
  return { view: 'account', account: accountId, list, page: 1 };
}

/** The only place that a search has found, which is shown right away. */
export function onlyPlace({ data: [first, ...others] }: Found): Place | undefined {
  // An account that has registered a swap of somebody else is not shown as if the swap were its own.
  return first === undefined || others.length > 0 || first.verified === false ? undefined : placeOfHit(first);
}
