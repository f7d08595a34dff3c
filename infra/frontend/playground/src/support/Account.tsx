import { useEffect, useRef } from 'preact/hooks';

import { Value } from '../components/Copy.tsx';
import { Facts } from '../components/Layout.tsx';
import { Pill } from '../components/Pill.tsx';
import { Callout, ErrorState, LoadingState } from '../components/States.tsx';
import { useLoad } from '../components/useCall.ts';
import { serviceNow } from '../lib/clock.ts';
import { count, short, when } from '../lib/format.ts';
import { ListOf } from './Lists.tsx';
import { type AccountPlace, type List, LISTS, listOf } from './place.ts';
import { read } from './service.ts';
import type { Account } from './shapes.ts';
import { failedProofs, methodOf, refusedBy } from './words.ts';

export const TITLES: Record<List, string> = {
  withdrawals: 'Withdrawals', transactions: 'All transactions', deposits: 'Deposits', swaps: 'Swaps and hub', batches: 'Batches', refunds: 'Refunds',
  exports: 'Exports', webhooks: 'Webhooks', activity: 'Activity', reads: 'Who read it',
};
/** The count of the account that belongs to a list. */
const COUNTS: Partial<Record<List, string>> = {
  transactions: 'transactions', deposits: 'deposits', swaps: 'crossChain', batches: 'batches', refunds: 'refunds', exports: 'exports',
  webhooks: 'webhooks', activity: 'activity',
};

function Tabs({ at, counts }: { at: AccountPlace; counts: Account['counts'] | undefined }) {
  return (
    <nav class="support-tabs" aria-label="Lists of the account">
      <ul role="list">
        {LISTS.map((list) => {
          const rows = counts?.[COUNTS[list] ?? ''];
          return (
            <li key={list}>
              <a href={listOf(at.account, list)} aria-current={list === at.list ? 'page' : undefined}>
                {TITLES[list]}{COUNTS[list] !== undefined && <span class="num support-count">{rows === undefined ? '' : count(rows)}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const address = (text: string) => <Value text={text} ends={7} />;

function Details({ of: me }: { of: Account }) {
  const now = serviceNow();
  const linked = me.addresses.filter(({ address: one }) => one !== me.wallet?.address);
  const refused = refusedBy(me, now);
  const failed = failedProofs(me, now);
  return (
    <>
      {refused.length > 0 && (
        <Callout tone="warn">
          <p>The service refuses some calls of this account for now:</p>
          <ul>{refused.map((text) => <li key={text}>{text}</li>)}</ul>
        </Callout>
      )}
      {failed !== undefined && <Callout tone="warn">Failed sign-ins of the last 24 hours: {failed}.</Callout>}
      <Facts
        of={[
          ['Account id', address(me.id)],
          ['Created', when(me.createdAt)],
          ['Last sign-in', me.lastSignInAt === null ? 'never' : when(me.lastSignInAt)],
          ['Made with', methodOf(me)],
          ['Second factor', me.totpEnabled ? 'on' : 'off'],
          ['Passkeys', count(me.passkeys)],
          ['Keystore', me.hasKeystore ? 'yes' : 'no'],
          ['Sign-in wallet', me.wallet === null ? 'none' : <>{me.wallet.chain} {address(me.wallet.address)}</>],
          ...linked.map((one) => ['Linked address', <>{one.chain} {address(one.address)}</>] as const),
          ...me.earlierAddresses.map((one) => ['Earlier wallet', <>{one.chain} {address(one.address)}</>] as const),
          ['Trading address', me.tradingAddress === null ? 'none' : address(me.tradingAddress)],
          ['Referral code', me.referralCode],
          ['Invited by', me.referredBy === null ? undefined : <a href={listOf(me.referredBy)}><code>{short(me.referredBy, 6)}</code></a>],
        ]}
      />
    </>
  );
}

/** An account: what is known of it, and one of its lists. */
export function AccountView({ at }: { at: AccountPlace }) {
  const load = useLoad(async () => (await read('/api/support/accounts/{accountId}', { path: { accountId: at.account } })).data);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const me = load.data;
  return (
    <div class="support-account">
      <div class="support-name">
        <h2 ref={heading} tabIndex={-1}>{me ? me.email ?? short(me.wallet?.address ?? me.id, 8) : `Account ${short(at.account, 8)}`}</h2>
        {me && (
          <span class="row">
            <Pill tone={me.status === 'active' ? 'ok' : 'bad'}>{me.status}</Pill>
            {me.email !== null && <Pill tone={me.emailVerified ? 'ok' : 'warn'}>{me.emailVerified ? 'address verified' : 'address not verified'}</Pill>}
            {me.role !== 'user' && <Pill tone="accent">{me.role}</Pill>}
          </span>
        )}
      </div>
      {load.error && <ErrorState failure={load.error} onRetry={() => void load.reload()} />}
      <Tabs at={at} counts={me?.counts} />
      <div class="support-columns">
        <section class="section support-list" aria-label={TITLES[at.list]}>
          <div class="section-body"><ListOf key={at.list} at={at} /></div>
        </section>
        <section class="section support-facts" aria-labelledby="support-facts">
          <div class="section-head"><h2 id="support-facts">Account</h2></div>
          <div class="section-body">{me ? <Details of={me} /> : load.error === undefined && <LoadingState lines={12} />}</div>
        </section>
      </div>
    </div>
  );
}
