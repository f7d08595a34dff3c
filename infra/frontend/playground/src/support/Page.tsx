import { useEffect, useRef } from 'preact/hooks';

import { Announcer } from '../app/announce.tsx';
import { ThemeButton } from '../app/ThemeButton.tsx';
import { Button } from '../components/Button.tsx';
import { Icon } from '../components/Icon.tsx';
import { Section } from '../components/Layout.tsx';
import { ErrorState, LoadingState } from '../components/States.tsx';
import { useCall, useLoad } from '../components/useCall.ts';
import { Value } from '../components/Copy.tsx';
import { short } from '../lib/format.ts';
import { OtpDialog } from '../stores/otp.tsx';
import { AccountView, TITLES } from './Account.tsx';
import { ReadsOfAdmin } from './Lists.tsx';
import { hashOf, type Place, readsOf } from './place.ts';
import { place, visit } from './router.ts';
import { Results, SearchBox } from './Search.tsx';
import { loadOperator, mayRead, operator, sessionEnd, signedIn, signOut } from './service.ts';
import { SignIn } from './SignIn.tsx';
import { Stuck } from './Stuck.tsx';
import { TransactionView } from './Transaction.tsx';

/** If the service does not answer, its session expires by itself; the page signs out anyway. */
function leave(): void {
  void signOut().catch(() => undefined);
}

function Bar() {
  const me = operator.value;
  return (
    <header class="bar">
      <a class="brand" href="#">
        <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="currentColor" />
          <path d="M11 25V7l9 5.5-9 5.5 9 7" fill="none" stroke="var(--on-accent)" stroke-width="2.6" stroke-linejoin="round" stroke-linecap="round" />
        </svg>
        <span class="brand-name">Runeport</span> <small>support</small>
      </a>
      <div class="bar-end">
        {signedIn.value && me && (
          <div class="who">
            <Icon name="user" size={16} />
            <span class="who-name"><span class="visually-hidden">Signed in as </span>{me.email ?? short(me.wallet?.address ?? me.id, 7)}</span>
          </div>
        )}
        {signedIn.value && <Button size="small" kind="quiet" onClick={leave}>Sign out</Button>}
        <ThemeButton />
      </div>
    </header>
  );
}

/** The session's account has another role. */
function NoRole({ id }: { id: string }) {
  const again = useCall(loadOperator);
  return (
    <Section title="This account may not read the accounts of others" description="It needs the role admin, which an operator gives it.">
      <p class="small">Send this account id to the operator of the service, who runs <code>make admin ACCOUNT=…</code> with it:</p>
      <p><Value text={id} whole label="Copy account id" /></p>
      <div class="row">
        <Button kind="primary" icon="refresh" busy={again.busy} onClick={() => void again.run()}>Check the role again</Button>
        <Button onClick={leave}>Sign out</Button>
      </div>
      {again.error && <ErrorState failure={again.error} />}
    </Section>
  );
}

function Content() {
  const at = place.value;
  return (
    <>
      <SearchBox />
      {at.view === 'search' && <Results key={visit.value} text={at.text} />}
      {at.view === 'account' && <AccountView key={at.account} at={at} />}
      {at.view === 'transaction' && <TransactionView key={at.txId} txId={at.txId} />}
      {at.view === 'stuck' && <Stuck page={at.page} />}
      {at.view === 'reads' && <ReadsOfAdmin key={at.admin} at={at} />}
    </>
  );
}

function Inside() {
  const load = useLoad(async () => operator.peek() ?? loadOperator());
  const me = operator.value;
  if (me) return mayRead.value ? <Content /> : <NoRole id={me.id} />;
  if (load.error) return <ErrorState failure={load.error} onRetry={() => void load.reload()} />;
  return <LoadingState lines={6} label="Reading your account" />;
}

/** The title of the window, which stays in the browser's history: it names nobody. */
function titleOf(at: Place): string {
  switch (at.view) {
    case 'start': return 'Support';
    case 'search': return 'Results';
    case 'account': return `${TITLES[at.list]} of ${short(at.account, 4)}`;
    case 'transaction': return `Transaction ${short(at.txId, 4)}`;
    case 'stuck': return 'Stuck rows and payouts';
    case 'reads': return `Reads of ${short(at.admin, 4)}`;
  }
}

export function Page() {
  const isIn = signedIn.value;
  const wasIn = useRef(isIn);
  useEffect(() => {
    if (wasIn.current === isIn) return;
    wasIn.current = isIn;
    // A sign-in or sign-out removes the button that was pressed.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  }, [isIn]);
  const at = place.value;
  const title = isIn ? titleOf(at) : 'Sign in';
  useEffect(() => { document.title = `${title} · Runeport support`; }, [title]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        // The URL's hash is the place, so the link must not change it.
        event.preventDefault();
        document.querySelector<HTMLElement>('#main h1')?.focus();
      }}>
        Skip to the content
      </a>
      <Bar />
      <main class="main support" id="main">
        <div class="support-inner stack-l">
          {sessionEnd.value !== undefined && (
            <div class="banner" role="alert">
              <Icon name="warn" size={16} />
              <span>You are signed out. {sessionEnd.value}</span>
            </div>
          )}
          <div class="support-head">
            <div>
              <h1 tabIndex={-1}>Support</h1>
              <p class="muted small">
                Nothing can be changed here. Everything that you read of an account is recorded, with your account and the time.
              </p>
            </div>
            {isIn && mayRead.value && (
              <nav aria-label="Views">
                <ul role="list" class="row">
                  {[
                    ['Search', '#', at.view === 'start'],
                    ['Stuck rows and payouts', hashOf({ view: 'stuck', page: 1 }), at.view === 'stuck'],
                    ['Your reads', readsOf(operator.value?.id ?? ''), at.view === 'reads' && at.admin === operator.value?.id],
                  ].map(([name, href, isShown]) => (
                    <li key={name}><a class="button" data-size="small" href={String(href)} aria-current={isShown ? 'page' : undefined}>{name}</a></li>
                  ))}
                </ul>
              </nav>
            )}
          </div>
          {isIn ? <Inside /> : <SignIn />}
        </div>
      </main>
      <OtpDialog />
      <Announcer />
    </>
  );
}
