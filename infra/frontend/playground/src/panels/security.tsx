import { call, endSession, linkAddress, listSessions, type LiveSession, rotateWallet, type Row, type Schemas, unlinkAddress } from '@runeport/client';
import { addPasskey, listPasskeys, type Passkey, removePasskey } from '@runeport/client/passkeys';
import { canonicalEmail, changePassword, confirmEmailChange, type EmailChange, requestEmailChange } from '@runeport/client/srp';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';

import { goTo, linkTo, panelParams } from '../app/router.ts';
import {
  Button, Callout, CodeBlock, EmptyState, ErrorState, Facts, Field, Form, Loaded, More, Pill, Section, Select, Table, useCall, useLoad,
  Value, WalletPicker,
} from '../components/index.ts';
import { ago, short, when, words } from '../lib/format.ts';
import { saveText } from '../lib/save.ts';
import { isTooShort, TOO_SHORT } from '../lib/password.ts';
import { sealAgain, sealKeystore } from '../lib/keystore.ts';
import { isSure } from '../stores/confirm.tsx';
import { changes as eventsOf } from '../stores/live.ts';
import { proofs } from '../stores/reauth.tsx';
import { account, api, loadAccount } from '../stores/session.ts';
import { CHAINS, forgetWallet, keystoreEntries, makeWallet, signerOf, walletFor } from '../stores/wallets.ts';
import '../styles/security.css';

type Activity = Row<'/api/account/activity'>;
type FailedHour = Schemas['FailedProofs'];
/** Increments after anything that changes the account, so that the list of changes reloads. */
const changes = signal(0);
const changed = async (): Promise<void> => {
  await loadAccount();
  changes.value += 1;
};
/** An e-mail address change that waits for the token from the mail. */
const emailChange = signal<{ change: EmailChange; newEmail: string } | undefined>(undefined);

/** The newest recovery codes, until the user has saved them: the service does not show them again. */
const recoveryCodes = signal<{ owner: string | undefined; codes: readonly string[] } | undefined>(undefined);

function RecoveryCodes() {
  const shown = recoveryCodes.value;
  if (shown === undefined || shown.owner !== account.value?.id) return null;
  const text = shown.codes.join('\n');
  return (
    <Callout tone="ok">
      <div class="stack-s">
        <p><strong>Recovery codes.</strong> Each works once instead of a code. Save them now: the service does not show them again.</p>
        <CodeBlock text={text} label="Recovery codes" />
        <div class="row">
          <Button icon="download" onClick={() => saveText('runeport-recovery-codes.txt', `${text}\n`)}>Download the codes</Button>
          <Button onClick={() => { recoveryCodes.value = undefined; }}>I have saved them</Button>
        </div>
      </div>
    </Callout>
  );
}

function SecondFactor() {
  const on = account.value?.totpEnabled === true;
  const [code, setCode] = useState('');
  const setUp = useCall(async () => (await call(api, 'post', '/api/account/2fa/setup')).data, { done: 'Scan the code, or copy the secret.' });
  const toggle = useCall(async () => {
    const { data } = await call(api, 'post', '/api/account/2fa/toggle', { body: { otpCode: code.replaceAll(' ', '') } });
    const { recoveryCodes: codes = [] } = data;
    if (codes.length > 0) recoveryCodes.value = { owner: account.peek()?.id, codes };
    setCode('');
    setUp.reset();
    await changed();
    return data;
  }, { done: ({ enabled }) => `The second factor is now ${enabled ? 'on' : 'off'}.` });
  const secret = setUp.data;
  return (
    <Section
      title="Second factor"
      description="If it is on, every sign-in also requires a code from an authenticator app (TOTP, RFC 6238)."
      actions={<Pill tone={on ? 'ok' : 'plain'}>{on ? 'on' : 'off'}</Pill>}
    >
      {secret === undefined ? (
        <div class="row">
          <Button kind={on ? 'secondary' : 'primary'} busy={setUp.busy} onClick={() => void setUp.run()}>
            {on ? 'Set up a new secret' : 'Set up'}
          </Button>
        </div>
      ) : (
        <div class="totp">
          <img src={secret.qrCode} width={168} height={168} alt="QR code of the secret, for an authenticator app" />
          <div class="stack-s">
            <p class="small">Scan the QR code with an authenticator app, or type the secret there. To turn it on, enter a code from that app below.</p>
            <Facts of={[['Secret', <Value text={secret.secret} whole label="Copy secret" />]]} />
            <More title="otpauth URI"><CodeBlock text={secret.otpauthUri} label="otpauth URI" /></More>
          </div>
        </div>
      )}
      {setUp.error && <ErrorState failure={setUp.error} />}
      {(on || secret !== undefined) && (
        <Form onSubmit={() => void toggle.run()} failure={toggle.error} label="Code of the second factor">
          <Field
            label="Code" name="otpCode" span={4} value={code} onInput={setCode} mono inputMode="numeric" autocomplete="one-time-code"
            error={toggle.error?.fields.otpCode}
          />
          <div class="row" data-span="8" style={{ alignSelf: 'end', minHeight: '36px' }}>
            <Button type="submit" kind={on && secret === undefined ? 'danger' : 'primary'} busy={toggle.busy} disabled={code === ''}>
              {secret === undefined ? 'Switch off' : on ? 'Use the new secret' : 'Switch on'}
            </Button>
          </div>
        </Form>
      )}
      {toggle.error && <ErrorState failure={toggle.error} />}
      <RecoveryCodes />
    </Section>
  );
}

function Passkeys() {
  const [name, setName] = useState('This device');
  const list = useLoad(() => listPasskeys(api), [changes.value]);
  const add = useCall(async () => {
    await addPasskey(api, { name });
    await changed();
  }, { done: 'The passkey was added.' });
  const remove = useCall(async (id: string) => {
    await removePasskey(api, id);
    await changed();
  }, { done: 'The passkey was removed.' });
  const failed = add.error ?? remove.error;
  return (
    <Section title="Passkeys" description="Each passkey can sign in. You cannot remove the last way to sign in.">
      <Loaded call={list}>
        {(rows) => rows.length === 0 ? <EmptyState title="No passkeys">Add one from this device or from a security key.</EmptyState> : (
          <Table<Passkey>
            caption="Passkeys"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              { title: 'Name', cell: (row) => row.name },
              { title: 'Created', nowrap: true, cell: ({ createdAt }) => ago(createdAt) },
              { title: 'Last used', nowrap: true, cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : ago(lastUsedAt)) },
              { title: 'Backed up', cell: ({ backedUp }) => (backedUp ? 'yes' : 'no') },
              {
                title: 'Remove', quiet: true, align: 'end', cell: ({ id, name: called }) => (
                  <Button
                    size="small" kind="danger"
                    onClick={() => void isSure({
                      title: `Remove the passkey ${called}?`, yes: 'Remove it',
                      text: 'It can no longer sign in. Your device may go on offering it until you delete it there.',
                    }).then((sure) => { if (sure) void remove.run(id); })}
                  >
                    Remove<span class="visually-hidden"> passkey {called}</span>
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Form onSubmit={() => { remove.reset(); void add.run(); }} failure={add.error} label="New passkey">
        <Field label="Name" name="name" span={6} value={name} onInput={setName} error={add.error?.fields.name} />
        <div class="row" data-span="6" style={{ alignSelf: 'end', minHeight: '36px' }}>
          <Button type="submit" icon="plus" busy={add.busy}>Add a passkey</Button>
        </div>
      </Form>
      {failed && <ErrorState failure={failed} />}
    </Section>
  );
}

/** The program's common name, from its user agent. */
function browserOf(userAgent: string | null): string {
  const known = /(Firefox|Edg|Chrome|HeadlessChrome|Safari|curl|node)\/?[\d.]*/.exec(userAgent ?? '');
  return known?.[0].replace('Edg/', 'Edge/') ?? userAgent ?? 'unknown';
}

function Sessions() {
  const list = useLoad(() => listSessions(api), [changes.value, eventsOf('session.ended')]);
  const end = useCall(async (id: string) => {
    await endSession(api, id);
    await list.reload();
    changes.value += 1;
  }, { done: 'The session was ended.' });
  return (
    <Section
      title="Sessions"
      description="The browsers and devices that are signed in. A change of credentials ends all sessions except this one."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload</Button>}
    >
      <Loaded call={list}>
        {(rows) => (
          <Table<LiveSession>
            caption="Sessions"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              { title: 'Program', cell: ({ userAgent, current }) => <span class="row">{browserOf(userAgent)}{current && <Pill tone="ok">this session</Pill>}</span> },
              { title: 'IP address', cell: ({ sourceIp }) => <code>{sourceIp ?? '–'}</code> },
              { title: 'Started', nowrap: true, cell: ({ createdAt }) => <span title={when(createdAt)}>{ago(createdAt)}</span> },
              { title: 'Ends', nowrap: true, cell: ({ expiresAt }) => <span title={when(expiresAt)}>{ago(expiresAt)}</span> },
              {
                title: 'End', quiet: true, align: 'end', cell: ({ id, current, createdAt, userAgent }) => !current && (
                  <Button
                    size="small" kind="danger"
                    onClick={() => void isSure({
                      title: 'End this session?', yes: 'End it',
                      text: `${browserOf(userAgent)}, signed in since ${when(createdAt)}, is signed out at once.`,
                    }).then((sure) => { if (sure) void end.run(id); })}
                  >
                    End<span class="visually-hidden"> the session of {when(createdAt)}</span>
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {end.error && <ErrorState failure={end.error} />}
    </Section>
  );
}

function Addresses() {
  const me = account.value;
  const [chain, setChain] = useState<Schemas['Chain']>('evm');
  const link = useCall(async () => {
    account.value = await linkAddress(api, await signerOf(await walletFor(chain)));
    changes.value += 1;
  }, { done: 'The address was linked.' });
  const unlink = useCall(async (address: string) => {
    account.value = await unlinkAddress(api, address);
    changes.value += 1;
  }, { done: 'The address was unlinked.' });
  const failed = link.error ?? unlink.error;
  const rows = me?.addresses ?? [];
  return (
    <Section title="Linked addresses" description="You have proved that these addresses are yours, so calls accept them as your own. Only the sign-in wallet can sign in.">
      {rows.length === 0 ? <EmptyState title="No addresses">Link the address of a wallet.</EmptyState> : (
        <Table
          caption="Addresses"
          rows={rows}
          rowKey={({ address }) => address}
          columns={[
            { title: 'Chain', cell: (row) => CHAINS.find(({ value }) => value === row.chain)?.label ?? row.chain },
            { title: 'Address', cell: ({ address }) => <Value text={address} ends={10} /> },
            {
              title: 'Unlink', quiet: true, align: 'end', cell: ({ address }) =>
                address === me?.wallet?.address ? <Pill tone="info" dot={false}>signs in</Pill> : (
                  <Button size="small" kind="danger" onClick={() => { link.reset(); void unlink.run(address); }}>
                    Unlink<span class="visually-hidden"> {short(address, 6)}</span>
                  </Button>
                ),
            },
          ]}
        />
      )}
      <More title="Link another address">
        <div class="stack">
          <Select label="Chain" value={chain} options={CHAINS} onChange={setChain} />
          <WalletPicker chain={chain} />
          <div class="row">
            <Button icon="link" busy={link.busy} onClick={() => { unlink.reset(); void link.run(); }}>Sign and link</Button>
          </div>
        </div>
      </More>
      {failed && <ErrorState failure={failed} />}
    </Section>
  );
}

function RotateWallet() {
  const wallet = account.value?.wallet;
  const [keystore, setKeystore] = useState('');
  const rotate = useCall(async () => {
    if (!wallet) throw new Error('This account does not sign in with a wallet.');
    const next = await makeWallet(wallet.chain);
    try {
      account.value = await rotateWallet(api, await signerOf(next), await sealKeystore(keystore, next.address, keystoreEntries()));
    } catch (error) {
      forgetWallet(next);
      throw error;
    }
    changes.value += 1;
  }, { done: 'The account now signs in with the new wallet.' });
  if (!wallet) return null;
  return (
    <Section title="Sign-in wallet" description="Replace the wallet that signs in. The old wallet can no longer sign in, and all other sessions end. The trading wallet does not change.">
      <Facts of={[['Current wallet', <Value text={wallet.address} ends={12} />], ['Software', wallet.provider ?? undefined]]} />
      {account.value?.hasKeystore === true ? (
        <Form onSubmit={() => void rotate.run()} failure={rotate.error} label="New sign-in wallet">
          <Field
            label="Passphrase of the keystore" type="password" span={6} value={keystore} onInput={setKeystore}
            hint="This page encrypts the keys of this tab with it."
          />
          <div class="row">
            <Button type="submit" busy={rotate.busy} disabled={keystore === ''}>Replace with a new key</Button>
          </div>
        </Form>
      ) : (
        <Callout tone="plain">
          The wallet can only be replaced together with a keystore, and this account has no keystore. To try it,{' '}
          <a href={linkTo('access')}>sign up with a wallet and a keystore</a>.
        </Callout>
      )}
      {rotate.error && <ErrorState failure={rotate.error} />}
      {rotate.state === 'ok' && <Callout tone="ok">The account now signs in with the new wallet.</Callout>}
    </Section>
  );
}

/** The link of a mail that verifies the address leads here. */
function Verify({ token }: { token: string }) {
  const verify = useCall(async () => {
    account.value = (await call(api, 'post', '/api/account/verify-email', { body: { token } })).data;
    changes.value += 1;
    goTo('security', { section: 'e-mail' });
  }, { done: 'Your address is verified.' });
  return (
    <>
      <Callout>
        <div class="row">
          <span>You have opened the link of an e-mail.</span>
          <Button kind="primary" size="small" icon="check" busy={verify.busy} onClick={() => void verify.run()}>Verify the address</Button>
        </div>
      </Callout>
      {verify.error && <ErrorState failure={verify.error} />}
    </>
  );
}

function Email() {
  const me = account.value;
  const given = panelParams.value;
  const [newEmail, setNewEmail] = useState('');
  const [password, setPassword] = useState('');
  const [token, setToken] = useState(given.get('token') ?? '');
  const [otpCode, setOtpCode] = useState('');
  const waiting = emailChange.value;
  const verifying = given.get('verify') ?? '';
  const request = useCall(async () => {
    emailChange.value = { change: await requestEmailChange(api, { newEmail }), newEmail };
  }, { done: 'A token was sent to the new address.' });
  const resend = useCall(() => call(api, 'post', '/api/account/verify-email/resend'), { done: 'Another e-mail was sent.' });
  const confirm = useCall(async () => {
    if (!waiting || !me) throw new Error('Request the change first.');
    // A failed attempt has used the handshake. Requesting again returns a new one; the token stays valid.
    const change = confirm.state === 'error' ? await requestEmailChange(api, { newEmail: waiting.newEmail }) : waiting.change;
    account.value = await confirmEmailChange(api, {
      change, token: token.trim(), newEmail: waiting.newEmail, email: me.email ?? undefined,
      password: password || undefined, otpCode: otpCode || undefined,
    });
    emailChange.value = undefined;
    setToken('');
    changes.value += 1;
  }, { done: 'The address was changed.' });
  if (!me) return null;
  return (
    <Section
      anchor="e-mail"
      title="E-mail address"
      actions={me.email !== null && <Pill tone={me.emailVerified ? 'ok' : 'warn'}>{me.emailVerified ? 'verified' : 'not verified'}</Pill>}
    >
      <Facts of={[['Current address', me.email ?? 'none']]} />
      {verifying !== '' && <Verify key={verifying} token={verifying} />}
      {me.email !== null && !me.emailVerified && (
        <div class="row">
          <a class="button" href={linkTo('mail', { to: me.email })}>Open the mailbox</a>
          <Button busy={resend.busy} onClick={() => void resend.run()}>Send another link</Button>
        </div>
      )}
      {resend.error && <ErrorState failure={resend.error} />}
      <Form onSubmit={() => void request.run()} failure={request.error} label="Change the e-mail address">
        <Field label="New address" name="newEmail" type="email" span={8} value={newEmail} onInput={setNewEmail} autocomplete="email" error={request.error?.fields.newEmail} />
        <div class="row" data-span="4" style={{ alignSelf: 'end', minHeight: '36px' }}>
          <Button type="submit" busy={request.busy} disabled={newEmail === ''}>Send a token</Button>
        </div>
      </Form>
      {request.error && <ErrorState failure={request.error} />}
      {waiting && (
        <>
          <Callout>
            A token was sent to <strong>{waiting.newEmail}</strong>. <a href={linkTo('mail', { to: waiting.newEmail })}>Get it from
            the mailbox</a>, then enter it here.
          </Callout>
          <Form onSubmit={() => void confirm.run()} failure={confirm.error} label="Confirm the new address">
            <Field label="Token from the e-mail" name="token" value={token} onInput={setToken} mono error={confirm.error?.fields.token} />
            {me.authMethod === 'srp' && (
              <Field label="Password" type="password" span={6} value={password} onInput={setPassword} autocomplete="current-password" hint="Needed because the verifier depends on the address." />
            )}
            {me.totpEnabled && (
              <Field label="Code of the second factor" name="otpCode" span={6} value={otpCode} onInput={setOtpCode} mono inputMode="numeric" error={confirm.error?.fields.otpCode} />
            )}
            <div class="row">
              <Button type="submit" kind="primary" busy={confirm.busy} disabled={token === ''}>Change the address</Button>
            </div>
          </Form>
          {confirm.error && <ErrorState failure={confirm.error} />}
        </>
      )}
    </Section>
  );
}

function ChangePassword() {
  const me = account.value;
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const [hint, setHint] = useState('');
  const change = useCall(async () => {
    const email = canonicalEmail(me?.email ?? '');
    const { data } = await call(api, 'get', '/api/account/keystore');
    const newEncryptedBlob = await sealAgain(data.encryptedBlob, { password: before, newPassword: after, owner: email, entries: keystoreEntries() });
    await changePassword(api, { email, password: before, newPassword: after, newEncryptedBlob, newPasswordHint: hint || undefined });
    setBefore('');
    setAfter('');
    await changed();
  }, { done: 'The password was changed, and all other sessions ended.' });
  if (me?.authMethod !== 'srp') return null;
  return (
    <Section title="Password" description="You prove the current password. The page computes the verifier of the new one and encrypts the keystore again. Neither password is sent.">
      {me.passwordHint !== null && <Facts of={[['Hint', me.passwordHint]]} />}
      <Form onSubmit={() => void change.run()} failure={change.error} label="Change the password">
        <Field label="Current password" type="password" span={6} value={before} onInput={setBefore} autocomplete="current-password" />
        <Field
          label="New password" type="password" span={6} value={after} onInput={setAfter} autocomplete="new-password"
          error={after !== '' && isTooShort(after) ? TOO_SHORT : undefined}
        />
        <Field label="New hint" name="newPasswordHint" span={6} value={hint} onInput={setHint} error={change.error?.fields.newPasswordHint} />
        <div class="row">
          <Button type="submit" busy={change.busy} disabled={before === '' || isTooShort(after)}>Change the password</Button>
        </div>
      </Form>
      {change.state === 'ok' && <Callout tone="ok">The password was changed, and all other sessions ended.</Callout>}
      {change.error && <ErrorState failure={change.error} />}
    </Section>
  );
}

/** Changes whose names are not words. */
const CHANGES: Record<string, string> = {
  totpEnabled: 'second factor switched on',
  totpDisabled: 'second factor switched off',
  tradingWalletMade: 'trading wallet created',
  emailVerified: 'e-mail address verified',
  emailLost: 'e-mail address lost',
  emailChangeRequested: 'change of the e-mail address requested',
  emailChanged: 'e-mail address changed',
  emailReleased: 'e-mail address released',
};

function ActivityList() {
  const [page, setPage] = useState(1);
  const list = useLoad(
    () => call(api, 'get', '/api/account/activity', { params: { query: { page, pageSize: 10 } } }),
    [page, changes.value, proofs.value],
  );
  return (
    <Section title="Activity" description="All changes of the account and all sign-ins, newest first, and the number of failed attempts per hour.">
      <Loaded call={list}>
        {({ data, metaData }) => (
          <>
            <Table<Partial<Activity> & { id: string }>
              caption="Activity"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { title: 'Event', cell: ({ change }) => CHANGES[change ?? ''] ?? words(change ?? '') },
                { title: 'Time', nowrap: true, cell: ({ createdAt }) => createdAt !== undefined && <span title={when(createdAt)}>{ago(createdAt)}</span> },
                { title: 'Request', cell: ({ requestId }) => requestId !== undefined && <Value text={requestId} ends={6} /> },
              ]}
            />
            {metaData.failedProofs.length > 0 && (
              <Table<FailedHour>
                caption="Failed attempts"
                rows={metaData.failedProofs}
                rowKey={({ hour }) => String(hour)}
                columns={[
                  { title: 'Hour', nowrap: true, cell: ({ hour }) => when(hour) },
                  { title: 'Passwords', cell: ({ password }) => password },
                  { title: 'Codes', cell: ({ secondFactor }) => secondFactor },
                  { title: 'Passkeys', cell: ({ passkey }) => passkey },
                  { title: 'Signatures', cell: ({ wallet }) => wallet },
                  { title: 'Mailed tokens', cell: ({ emailToken }) => emailToken },
                ]}
              />
            )}
            <div class="row">
              <Button size="small" disabled={page <= 1} onClick={() => setPage(page - 1)}>Newer</Button>
              <Button size="small" disabled={page >= metaData.totalPages} onClick={() => setPage(page + 1)}>Older</Button>
              <span class="small muted num">page {metaData.currentPage} of {Math.max(1, metaData.totalPages)}</span>
            </div>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Security() {
  return (
    <>
      <SecondFactor />
      <Passkeys />
      <Sessions />
      <Addresses />
      <Email />
      <ChangePassword />
      <RotateWallet />
      <ActivityList />
    </>
  );
}

export default Security;
