import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { Icon } from '../components/Icon.tsx';
import { Contents } from '../components/Layout.tsx';
import { ErrorState, LoadingState } from '../components/States.tsx';
import { useCall, useLoad } from '../components/useCall.ts';
import { count, short, timeLeft } from '../lib/format.ts';
import { gone } from '../lib/gone.ts';
import { contentOf, groups, loadPanel, panelOf } from '../panels/index.ts';
import type { Panel } from '../panels/panel.ts';
import { acts, noteVisit } from '../stores/acts.ts';
import { calls } from '../stores/calls.ts';
import { ConfirmDialog } from '../stores/confirm.tsx';
import { offers } from '../stores/flows.ts';
import { chain, levers, lookAtChain } from '../stores/local.ts';
import { OtpDialog } from '../stores/otp.tsx';
import { ReauthDialog } from '../stores/reauth.tsx';
import { account, sessionEnd, signedIn, signOut } from '../stores/session.ts';
import { tried } from '../stores/tried.ts';
import { Announcer } from './announce.tsx';
import { GoToDialog, openGoTo } from './GoTo.tsx';
import { Inspector } from './Inspector.tsx';
import { LiveSign } from './LiveSign.tsx';
import { NeedsAccount } from './NeedsAccount.tsx';
import { offline } from './online.ts';
import { linkTo, panelId, sectionId, visit } from './router.ts';
import { ThemeButton } from './ThemeButton.tsx';

const menuOpen = signal(false);
/** Next to the panel if there is room, otherwise above it on request. */
const wide = matchMedia('(width >= 1120px)');
const callsOpen = signal(wide.matches);
wide.addEventListener('change', () => {
  callsOpen.value = wide.matches;
  menuOpen.value = false;
});

/** If the service does not answer, its session expires by itself; the page signs out anyway. */
function leave(): void {
  void signOut().catch(() => undefined);
}

function Brand() {
  return (
    <a class="brand" href={linkTo('start')}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="currentColor" />
        <path d="M11 25V7l9 5.5-9 5.5 9 7" fill="none" stroke="var(--on-accent)" stroke-width="2.6" stroke-linejoin="round" stroke-linecap="round" />
      </svg>
      <span class="brand-name">Runeport</span> <small>playground</small>
    </a>
  );
}

function Chain() {
  const mine = useCall(() => levers.mine(1), { done: () => `Block ${chain.peek()?.height ?? ''} is mined.` });
  const seen = chain.value;
  const ready = seen?.state === 'ready';
  return (
    <div class="chain" data-state={ready ? 'ready' : 'waiting'}>
      <span class="dot" aria-hidden="true" />
      <span>
        <span class="chain-name">regtest · </span>
        {ready ? <>block <span class="num">{count(seen.height ?? 0)}</span></> : `chain ${seen?.state ?? 'not available'}`}
      </span>
      <Button size="small" onClick={() => void mine.run()} busy={mine.busy} disabled={!ready}>Mine</Button>
    </div>
  );
}

function Bar() {
  const me = account.value;
  return (
    <header class="bar">
      <span class="only-phone">
        <Button
          kind="quiet"
          icon={menuOpen.value ? 'close' : 'menu'}
          iconOnly
          expanded={menuOpen.value}
          controls="nav"
          onClick={() => { menuOpen.value = !menuOpen.value; }}
        >
          Menu
        </Button>
      </span>
      <Brand />
      <div class="bar-end">
        {signedIn.value && me && (
          <div class="who">
            <Icon name="user" size={16} />
            <a class="who-name" href={linkTo('access')}>
              <span class="visually-hidden">Signed in as </span>
              {me.email ?? short(me.wallet?.address ?? me.id, 7)}
            </a>
            <Button size="small" kind="quiet" onClick={leave}>Sign out</Button>
          </div>
        )}
        <LiveSign />
        <Chain />
        <ThemeButton />
        <Button
          kind={callsOpen.value ? 'quiet' : 'secondary'}
          icon="calls"
          expanded={callsOpen.value}
          controls="calls"
          onClick={() => { callsOpen.value = !callsOpen.value; }}
        >
          <span class="not-phone">Calls</span>
          <span class="num">{calls.value.length}</span>
          <span class="visually-hidden"> calls recorded</span>
        </Button>
      </div>
    </header>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

function Navigation() {
  return (
    <nav class="nav" id="nav" aria-label="Panels" data-open={menuOpen.value}>
      <Button
        size="small"
        onClick={() => {
          menuOpen.value = false;
          openGoTo();
        }}
      >
        Go to… <kbd>{isApple ? '⌘' : 'Ctrl'} K</kbd>
      </Button>
      {groups.map(({ title, panels }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul role="list">
            {panels.map(({ id, title: name, icon }) => (
              <li key={id}>
                <a
                  href={linkTo(id)}
                  aria-current={panelId.value === id ? 'page' : undefined}
                  onClick={() => { menuOpen.value = false; }}
                  onPointerEnter={() => void loadPanel(id).catch(() => undefined)}
                >
                  <Icon name={icon} /> {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div class="nav-foot">
        {signedIn.value && (
          <span class="only-phone">
            <Button
              size="small"
              onClick={() => {
                menuOpen.value = false;
                leave();
              }}
            >
              Sign out
            </Button>
          </span>
        )}
        <a href="/api/docs"><Icon name="out" size={15} /> API reference</a>
        <a href="/_local"><Icon name="out" size={15} /> Local levers</a>
        <a href={`${import.meta.env.BASE_URL}support/`}><Icon name="out" size={15} /> Support page</a>
      </div>
    </nav>
  );
}

/** Passkeys belong to `localhost`; a page at an IP address cannot use them. */
function Banners() {
  const elsewhere = location.hostname === '127.0.0.1' || location.hostname === '[::1]';
  const there = `http://localhost:${location.port}${location.pathname}${location.hash}`;
  return (
    <>
      {gone.value && (
        <div class="banner" data-tone="bad">
          <Icon name="warn" size={16} />
          <span>A drill: the service is gone. This page refuses to call it.</span>
          <Button size="small" onClick={() => { gone.value = false; }}>Bring the service back</Button>
        </div>
      )}
      {offline.value && !gone.value && (
        <div class="banner" data-tone="bad" role="alert">
          <Icon name="warn" size={16} />
          <span>The service cannot be reached. The data on this page may be out of date.</span>
          <Button size="small" icon="refresh" onClick={() => void lookAtChain()}>Try again</Button>
        </div>
      )}
      {sessionEnd.value !== undefined && (
        <div class="banner" role="alert">
          <Icon name="warn" size={16} />
          <span>You are signed out. {sessionEnd.value}</span>
          <a class="button" data-size="small" href={linkTo('access')} onClick={() => { sessionEnd.value = undefined; }}>Sign in again</a>
          <Button size="small" kind="quiet" icon="close" iconOnly onClick={() => { sessionEnd.value = undefined; }}>Dismiss</Button>
        </div>
      )}
      {elsewhere && (
        <div class="banner">
          <span>
            Passkeys work at <a href={there}>localhost:{location.port}</a>, not at {location.hostname}: open the page there to
            try them.
          </span>
        </div>
      )}
    </>
  );
}

/** What waits for the user: on its own panel only after the page was loaded again. */
function Waiting() {
  const end = useCall((discard: () => Promise<void>) => discard(), { done: 'It has ended. Its coins are free again.' });
  const shown = offers.value.filter(({ panel, isRestored }) => isRestored || panel !== panelId.value);
  return (
    <>
      {shown.map(({ what, state, until, panel, params, discard, seen }) => (
        <div class="banner" role="group" aria-label={what} key={what}>
          <Icon name="clock" size={16} />
          <span>{what} {state}{until !== undefined && `, ${timeLeft(until)}`}.</span>
          <a class="button" data-size="small" data-kind="primary" href={linkTo(panel, params)} onClick={seen}>Continue</a>
          {discard && <Button size="small" kind="quiet" busy={end.busy} onClick={() => void end.run(discard)}>Discard it</Button>}
        </div>
      ))}
      {end.error && <ErrorState failure={end.error} />}
    </>
  );
}

/** After so long without progress, the page says that it still waits. In ms. */
const SILENT = 3_000;

/** Says that the call that the user has started has no answer yet, and how often it was tried. */
function Patience() {
  const running = acts.value.findLast(({ endedAt }) => endedAt === undefined);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [running]);
  if (!running) return null;
  const own = calls.value.map(({ exchange }) => exchange).filter(({ startedAt }) => startedAt >= running.startedAt);
  const isGood = ({ status }: (typeof own)[number]) => status !== undefined && status < 500 && status !== 429;
  const progress = Math.max(running.startedAt, ...own.filter(isGood).map(({ startedAt, durationMs }) => startedAt + durationMs));
  if (now - progress < SILENT) return null;
  const failed = own.filter((one) => !isGood(one) && one.startedAt >= progress).length;
  return <div class="toast" role="status">{failed === 0 ? 'No answer yet.' : `No answer yet. Trying again (try ${failed + 1}).`}</div>;
}

/** An old or mistyped link. */
const NO_PANEL: Panel = {
  id: '',
  title: 'There is no such panel',
  summary: 'The link is old or mistyped. Choose a panel in the navigation.',
  icon: 'start',
  group: 'Begin',
};

/** The content of a panel, whose file is loaded when it is first shown. */
function Content({ id }: { id: string }) {
  const load = useLoad(() => loadPanel(id), [id]);
  const Shown = contentOf(id);
  if (Shown) return <Shown />;
  if (load.error) return <ErrorState failure={load.error} onRetry={() => void load.reload()} />;
  return <LoadingState lines={8} label="Loading the panel" />;
}

function Main() {
  const panel = panelOf(panelId.value) ?? NO_PANEL;
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  const turn = visit.value;
  const before = useRef(panel);
  useEffect(() => {
    document.title = `${panel.title} · Runeport playground`;
    if (before.current !== panel || first.current) noteVisit(panel.title);
    // When the user opens a panel, reading starts at its heading; initially, at the top of the page. A section takes care of itself.
    if (first.current) first.current = false;
    else if (sectionId.peek() === undefined || before.current !== panel) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    before.current = panel;
  }, [panel, turn]);
  const isIn = signedIn.value;
  const wasIn = useRef(isIn);
  useEffect(() => {
    if (wasIn.current === isIn) return;
    wasIn.current = isIn;
    // A sign-in or sign-out removes the button that was pressed.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [isIn]);
  return (
    <main class="main" id="main" inert={menuOpen.value}>
      <div class="main-inner">
        <Banners />
        <Waiting />
        <div class="panel-head">
          <h1 ref={heading} tabIndex={-1}>{panel.heading ?? panel.title}</h1>
          <p>{panel.summary}</p>
        </div>
        <Contents />
        <div class="stack-l" key={panel.id}>
          {panel === NO_PANEL
            ? <div class="row"><a class="button" data-kind="primary" href={linkTo('start')}>Go to Start</a></div>
            : panel.needsAccount && !isIn ? <NeedsAccount title={panel.title} /> : <Content id={panel.id} />}
        </div>
      </div>
    </main>
  );
}

export function Shell() {
  const wanted = tried.value;
  useEffect(() => {
    if (wanted !== undefined) callsOpen.value = true;
  }, [wanted]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      const closes = menuOpen.value ? 'nav' : callsOpen.value && !wide.matches ? 'calls' : undefined;
      if (closes === undefined) return;
      if (closes === 'nav') menuOpen.value = false;
      else callsOpen.value = false;
      document.querySelector<HTMLElement>(`.bar [aria-controls="${closes}"]`)?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        // The URL's hash selects the panel, so the link must not change it.
        event.preventDefault();
        document.querySelector<HTMLElement>('#main h1')?.focus();
      }}>
        Skip to the panel
      </a>
      <div class="shell" data-calls={callsOpen.value ? 'open' : 'closed'}>
        <Bar />
        <Navigation />
        <Main />
        {callsOpen.value && (
          <Inspector
            over={!wide.matches}
            onClose={() => {
              callsOpen.value = false;
              document.querySelector<HTMLElement>('.bar [aria-controls="calls"]')?.focus();
            }}
          />
        )}
      </div>
      <OtpDialog />
      <ConfirmDialog />
      <ReauthDialog />
      <GoToDialog />
      <Announcer />
      <Patience />
    </>
  );
}
