import { call } from '@runeport/client';
import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';

import { goTo, linkTo, panelParams } from '../app/router.ts';
import {
  Button, Callout, CodeBlock, EmptyState, ErrorState, Facts, Field, Form, Loaded, More, Section, useCall, useLoad, Value,
} from '../components/index.ts';
import { ago, plural, when } from '../lib/format.ts';
import { levers, type Mail } from '../stores/local.ts';
import { account, api, loadAccount, signedIn } from '../stores/session.ts';
import '../styles/mail.css';

const open = signal<string | undefined>(undefined);

interface MailedLink {
  href: string;
  page: string;
  token: string;
  email?: string;
}

/** The links of a mail that carry a token. */
function linksOf({ text }: Mail): MailedLink[] {
  return (text.match(/https?:\/\/[^\s<>"]+token=[^\s<>"]+/g) ?? []).map((href) => {
    const url = new URL(href);
    return {
      href,
      page: url.pathname,
      token: url.searchParams.get('token') ?? '',
      email: url.searchParams.get('email') ?? undefined,
    };
  });
}

function Verify({ token }: { token: string }) {
  const verify = useCall(
    async () => {
      account.value = (await call(api, 'post', '/api/account/verify-email', { body: { token } })).data;
    },
    { done: 'Your address is verified.' },
  );
  return (
    <>
      <div class="row">
        <Button kind="primary" size="small" icon="check" busy={verify.busy} disabled={!signedIn.value} onClick={() => void verify.run()}>
          Verify the address
        </Button>
        {!signedIn.value && <span class="small muted">Sign in first.</span>}
      </div>
      {verify.state === 'ok' && <Callout tone="ok">The address is verified.</Callout>}
      {verify.error && <ErrorState failure={verify.error} />}
    </>
  );
}

function Link({ link }: { link: MailedLink }) {
  return (
    <div class="mail-link">
      <Facts of={[['Link to', <code>{link.page}</code>], ['Token', <Value text={link.token} ends={8} label="Copy token" />]]} />
      {link.page === '/verify-email' && <Verify token={link.token} />}
      {link.page === '/change-email' && (
        <div class="row">
          <Button
            kind="primary" size="small"
            onClick={() => goTo('security', { token: link.token, ...(link.email === undefined ? {} : { email: link.email }) })}
          >
            Continue in Security
          </Button>
        </div>
      )}
    </div>
  );
}

/** Where the links of a mail lead in this page: it stands in for the frontend of a deployment. */
function placeOf({ pathname, searchParams }: URL): string | undefined {
  const token = searchParams.get('token') ?? '';
  switch (pathname) {
    case '/': return linkTo('access');
    case '/verify-email': return linkTo('security', { section: 'e-mail', verify: token });
    case '/change-email': return linkTo('security', { section: 'e-mail', token, email: searchParams.get('email') ?? '' });
    default: return undefined;
  }
}

/** The HTML of a mail, whose links open this page. It has no scripts, and a click may only replace the page. */
function htmlOf({ html }: Mail): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const link of parsed.querySelectorAll('a')) {
    const place = URL.canParse(link.href) ? placeOf(new URL(link.href)) : undefined;
    link.target = place === undefined ? '_blank' : '_top';
    if (place !== undefined) link.href = `${location.origin}${location.pathname}${place}`;
  }
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}

function Letter({ mail }: { mail: Mail }) {
  const html = useMemo(() => htmlOf(mail), [mail]);
  const links = useMemo(() => linksOf(mail), [mail]);
  return (
    <div class="letter" id={`mail-${mail.id}`}>
      {links.map((link) => <Link key={link.href} link={link} />)}
      <CodeBlock text={mail.text} label="Text of the e-mail" />
      <More title="As HTML">
        <iframe class="letter-html" title={`HTML of: ${mail.subject}`} sandbox="allow-popups allow-top-navigation-by-user-activation" srcdoc={html} />
      </More>
    </div>
  );
}

function Letters({ mails }: { mails: Mail[] }) {
  const sorted = [...mails].sort((a, b) => b.at - a.at);
  return (
    <ul role="list" class="mails">
      {sorted.map((mail) => {
        const shown = open.value === mail.id;
        return (
          <li key={mail.id}>
            <button
              type="button" class="mail-row" aria-expanded={shown} aria-controls={`mail-${mail.id}`}
              onClick={() => { open.value = shown ? undefined : mail.id; }}
            >
              <span class="mail-subject">{mail.subject}</span>
              <time dateTime={new Date(mail.at).toISOString()} title={when(mail.at)}>{ago(mail.at, Date.now())}</time>
              <span class="mail-to">{mail.to}</span>
            </button>
            {shown && <Letter mail={mail} />}
          </li>
        );
      })}
    </ul>
  );
}

function Mailbox() {
  const [typed, setTyped] = useState(panelParams.value.get('to') ?? '');
  const [to, setTo] = useState<string | undefined>(panelParams.value.get('to') ?? undefined);
  const mails = useLoad(() => levers.mail(to), [to]);
  const mine = account.value?.email ?? undefined;
  return (
    <Section
      anchor="mails"
      title={to === undefined ? 'All e-mails' : `E-mails to ${to}`}
      description="The local world keeps all e-mails. None of them leaves this machine."
      actions={<Button size="small" icon="refresh" busy={mails.busy} onClick={() => void mails.reload()}>Reload</Button>}
    >
      <Form onSubmit={() => setTo(typed.trim() === '' ? undefined : typed.trim().toLowerCase())} label="Filter e-mails">
        <Field label="To" type="search" span={6} value={typed} onInput={setTyped} placeholder="all addresses" />
        <div class="row" data-span="6" style={{ alignSelf: 'end', minHeight: '36px' }}>
          <Button type="submit">Show</Button>
          {mine !== undefined && to !== mine && (
            <Button kind="quiet" onClick={() => { setTyped(mine); setTo(mine); }}>Only to me</Button>
          )}
          {to !== undefined && <Button kind="quiet" onClick={() => { setTyped(''); setTo(undefined); }}>All addresses</Button>}
        </div>
      </Form>
      <Loaded call={mails}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No e-mail yet">
              Each of these sends an e-mail: sign up with an e-mail address, request another verification link, or change a password.
            </EmptyState>
          ) : (
            <>
              <p class="small muted">{plural(list.length, 'e-mail')}, newest first</p>
              <Letters mails={list} />
            </>
          )}
      </Loaded>
      {mine !== undefined && account.value?.emailVerified === false && <Resend address={mine} />}
    </Section>
  );
}

function Resend({ address }: { address: string }) {
  const resend = useCall(
    async () => {
      await call(api, 'post', '/api/account/verify-email/resend');
      await loadAccount();
    },
    { done: 'Another e-mail was sent.' },
  );
  return (
    <>
      <div class="row">
        <span class="small">{address} is not verified yet.</span>
        <Button size="small" busy={resend.busy} onClick={() => void resend.run()}>Send another link</Button>
        {resend.state === 'ok' && <span class="small muted">The e-mail was sent. Reload to see it.</span>}
      </div>
      {resend.error && <ErrorState failure={resend.error} />}
    </>
  );
}

export default Mailbox;
