import { registerWithWallet, signInWithMessage, signInWithWallet, type Chain } from '@runeport/client';
import { registerWithPasskey, signInWithPasskey } from '@runeport/client/passkeys';
import { canonicalEmail, registerWithPassword, signInWithPassword } from '@runeport/client/srp';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import { panelParams } from '../app/router.ts';
import {
  Button, Callout, Check, CopyButton, ErrorState, Facts, Field, Form, JsonView, More, Section, Tabs, useCall, Value, WalletPicker,
} from '../components/index.ts';
import { toFailure } from '../lib/failure.ts';
import { isTooShort, TOO_SHORT } from '../lib/password.ts';
import { openKeystore, sealKeystore } from '../lib/keystore.ts';
import { plural } from '../lib/format.ts';
import { serviceNow } from '../lib/clock.ts';
import { claimsOf, expiryOf } from '../lib/jwt.ts';
import { levers } from '../stores/local.ts';
import { withCode } from '../stores/otp.tsx';
import { account, api, refreshNow, signedIn, signOut, tokens, welcome } from '../stores/session.ts';
import { CHAINS, keystoreEntries, makeWallet, restoreKeys, signerOf, walletFor, walletOf, bitcoinSignerOf } from '../stores/wallets.ts';
import '../styles/access.css';

type Way = 'password' | 'passkey' | 'wallet';
const way = signal<Way>('password');
const chain = signal<Chain>('bitcoin');

const suggested = (): string => `me.${Array.from(crypto.getRandomValues(new Uint8Array(3)), (byte) => byte.toString(16).padStart(2, '0')).join('')}@example.com`;
/** Input is kept while the user visits the mailbox. */
const email = signal(suggested());
const password = signal('');
const form = signal<'in' | 'up'>('in');
const FORMS = [{ id: 'in', title: 'Sign in' }, { id: 'up', title: 'Sign up' }] as const;
/** Accounts that this page has signed up with a password: the id by the address, as the service compares addresses. */
const signedUp = signal<Readonly<Record<string, string>>>({});

function Countdown({ until }: { until: number }) {
  const [, turn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => turn((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.round((until - serviceNow()) / 1000));
  return <span class="num">{left === 0 ? 'expired: the next call refreshes it' : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`}</span>;
}

function Session() {
  const refresh = useCall(refreshNow, { done: 'The tokens were refreshed.' });
  const out = useCall(signOut);
  const me = account.value;
  const kept = tokens.value;
  if (!kept) return null;
  const claims = claimsOf(kept.accessToken);
  return (
    <Section
      title="Your session"
      description="An access token is valid for ten minutes. A refresh replaces both tokens. The client does it automatically."
      actions={
        <>
          <Button size="small" icon="refresh" busy={refresh.busy} onClick={() => void refresh.run()}>Refresh now</Button>
          <Button size="small" busy={out.busy} onClick={() => void out.run()}>Sign out</Button>
        </>
      }
    >
      <Facts
        of={[
          ['Signed in as', me === undefined ? undefined : me.email ?? <Value text={me.wallet?.address ?? me.id} ends={12} />],
          ['Account', me ? <Value text={me.id} ends={10} /> : undefined],
          ['Access token', (
            <span class="value">
              <Countdown until={expiryOf(kept.accessToken) ?? kept.expiresAt} />
              <CopyButton text={kept.accessToken} label="Copy access token, the $TOKEN in each curl" />
            </span>
          )],
          ['Trading address', me ? (me.tradingAddress === null ? 'none yet' : <Value text={me.tradingAddress} ends={12} />) : undefined],
        ]}
      />
      {claims !== undefined && (
        <More title="Contents of the access token">
          <JsonView value={claims} label="Claims of the access token" />
        </More>
      )}
      {(refresh.error ?? out.error) && <ErrorState failure={(refresh.error ?? out.error)!} />}
    </Section>
  );
}

function Split() {
  return (
    <More title="What is sent instead of the password" open>
      <div class="split">
        <div>
          <h3>Stays in this page</h3>
          <ul>
            <li>the password</li>
            <li>the secret that Argon2id derives from it (64 MiB, 3 passes)</li>
            <li>the secret numbers of this sign-in</li>
            <li>the key that decrypts your keystore</li>
          </ul>
        </div>
        <div>
          <h3>Goes to the service</h3>
          <ul>
            <li>sign-up: salt, verifier <code>g^x</code>, encrypted keystore</li>
            <li>sign-in: <code>clientPublic</code> and <code>clientProof</code>, usable once</li>
          </ul>
        </div>
        <div>
          <h3>Comes back</h3>
          <ul>
            <li>salt and <code>serverPublic</code></li>
            <li><code>serverProof</code>, which proves to the client that this is the service</li>
          </ul>
        </div>
      </div>
    </More>
  );
}

/** What became of the keystore, which stays as it is if this page cannot read it. */
interface Keystore {
  tone: 'ok' | 'warn';
  said: string;
}

/** Adds the keys of a keystore to the tab. An account whose address has changed may have an earlier keystore. */
async function takeKeystore(withPassword: string, blob: string, address: string | null): Promise<Keystore> {
  try {
    const { entries, owner } = await openKeystore(withPassword, blob);
    const restored = await restoreKeys(entries);
    const keys = restored === 0 ? 'its keys were already in this tab' : `${plural(restored, 'key')} restored`;
    const earlier = address !== null && owner === canonicalEmail(address) ? '' : ` It was encrypted for ${owner}.`;
    return { tone: 'ok', said: `This page decrypted your keystore: ${keys}.${earlier}` };
  } catch (error) {
    return { tone: 'warn', said: `This page cannot read your keystore. ${toFailure(error).title}` };
  }
}

function Password() {
  const [hint, setHint] = useState('');
  const [referral, setReferral] = useState('');
  const [trading, setTrading] = useState(true);
  const addressNow = () => canonicalEmail(email.peek());
  const register = useCall(
    async (withNewKey: boolean) => {
      const wallet = trading ? await (withNewKey ? makeWallet('bitcoin') : walletFor('bitcoin')) : undefined;
      const user = welcome(
        await registerWithPassword(api, {
          email: email.value,
          password: password.value,
          encryptedBlob: await sealKeystore(password.value, addressNow(), keystoreEntries()),
          passwordHint: hint || undefined,
          referralCode: referral || undefined,
          tradingWallet: wallet && await signerOf(wallet),
        }),
      );
      signedUp.value = { ...signedUp.peek(), [addressNow()]: user.account.id };
      return user;
    },
    { done: 'Your account was created, and you are signed in.' },
  );
  const [byId, setById] = useState('');
  const [shows, setShows] = useState(false);
  const [keystore, setKeystore] = useState<Keystore | undefined>(undefined);
  const signIn = useCall(
    async () => {
      const user = welcome(
        await withCode((otpCode) => signInWithPassword(api, {
          email: email.value, account: byId.trim() || undefined, password: password.value, otpCode,
        })),
      );
      setKeystore(user.encryptedBlob === undefined ? undefined : await takeKeystore(password.value, user.encryptedBlob, user.account.email));
      return user;
    },
    { done: 'You are signed in.' },
  );
  const isNew = form.value === 'up';
  const failed = isNew ? register.error : signIn.error;
  const isWeak = isNew && isTooShort(password.value);
  const isReady = email.value.trim() !== '' && password.value !== '' && !isWeak;
  const begin = (withNewKey = false) => {
    if (!isReady) return;
    if (isNew) void register.run(withNewKey);
    else void signIn.run();
  };
  const isRejected = signIn.error?.message === 'auth.invalidCredentials' && byId.trim() === '';
  const ownId = signedUp.value[canonicalEmail(email.value)];
  return (
    <>
      <Tabs label="Account" size="small" tabs={FORMS} value={form.value} onChange={(id) => { form.value = id; }}>
        <Form onSubmit={() => begin()} failure={failed} label={isNew ? 'Sign up with a password' : 'Sign in with a password'}>
          <Field
            label="E-mail address" name="email" type="email" span={6} autocomplete="username" value={email.value}
            onInput={(value) => { email.value = value; }} error={failed?.fields.email}
            hint="Any address works: all e-mails go to the mailbox of the local world."
          />
          <Field
            key={form.value}
            label="Password" name="password" type={shows ? 'text' : 'password'} span={6} autocomplete={isNew ? 'new-password' : 'current-password'}
            value={password.value} onInput={(value) => { password.value = value; }} hint="It never leaves this page."
            error={isWeak && password.value !== '' ? TOO_SHORT : undefined}
          />
          <Check checked={shows} onChange={setShows} label="Show the password" />
          {isNew ? (
            <More title="More sign-up options">
              <div class="form">
                <Field label="Password hint" name="passwordHint" span={6} value={hint} onInput={setHint} error={failed?.fields.passwordHint} />
                <Field label="Referral code" name="referralCode" span={6} value={referral} onInput={setReferral} error={failed?.fields.referralCode} mono />
                <Check checked={trading} onChange={setTrading} label="Also create the trading wallet, with the Bitcoin key of this tab" />
              </div>
            </More>
          ) : (
            <More title="More sign-in options" open={isRejected || byId !== ''}>
              <div class="form">
                <Field
                  label="Account id" name="account" span={6} value={byId} onInput={setById} mono
                  hint="Needed if the address belongs to another account, which verified it or claimed it first."
                />
              </div>
            </More>
          )}
          <div class="row">
            <Button type="submit" kind="primary" busy={register.busy || signIn.busy} disabled={!isReady}>{isNew ? 'Sign up' : 'Sign in'}</Button>
          </div>
        </Form>
      </Tabs>
      {failed && <ErrorState failure={failed} />}
      {isNew && register.error?.message === 'auth.tradingWallet' && (
        <div class="row">
          <Button kind="primary" icon="key" busy={register.busy} onClick={() => begin(true)}>Sign up with a new key</Button>
        </div>
      )}
      {!isNew && isRejected && (
        <Callout tone="plain">
          <div class="stack-s">
            <p>If another account has verified or claimed this address before yours, also enter your account id.</p>
            {ownId !== undefined && (
              <div class="row">
                <Value text={ownId} ends={10} label="Copy account id" />
                <Button size="small" onClick={() => { setById(ownId); signIn.reset(); }}>Use the account signed up here</Button>
              </div>
            )}
          </div>
        </Callout>
      )}
      {register.state === 'ok' && register.data !== undefined && (
        <Callout tone="ok">
          <div class="stack-s">
            <p>
              Store your account id. Until you have verified the address, it may belong to another account, and then you sign in
              with this id as well.
            </p>
            <Value text={register.data.account.id} whole label="Copy account id" />
          </div>
        </Callout>
      )}
      {signIn.state === 'ok' && keystore !== undefined && <Callout tone={keystore.tone}>{keystore.said}</Callout>}
      <Split />
    </>
  );
}

function Passkey() {
  const [address, setAddress] = useState('');
  const register = useCall(
    async () => welcome(await registerWithPasskey(api, { email: address || undefined })),
    { done: 'Your account was created, and you are signed in.' },
  );
  const signIn = useCall(async () => welcome(await withCode((otpCode) => signInWithPasskey(api, { otpCode }))), { done: 'You are signed in.' });
  const failed = register.error ?? signIn.error;
  return (
    <>
      <p class="small muted">
        A passkey is created for <code>localhost</code> and stays on your device or in your password manager. To sign in, you
        type nothing: the passkey identifies your account.
      </p>
      <Form onSubmit={() => { signIn.reset(); void register.run(); }} failure={failed} label="Sign in with a passkey">
        <Field
          label="E-mail address (optional)" name="email" type="email" span={6} autocomplete="email" value={address}
          onInput={setAddress} error={failed?.fields.email} hint="For notifications, and as the name of the passkey."
        />
        <div class="row">
          <Button kind="primary" busy={signIn.busy} onClick={() => { register.reset(); void signIn.run(); }}>Sign in with a passkey</Button>
          <Button type="submit" busy={register.busy}>Sign up with a new passkey</Button>
        </div>
      </Form>
      {failed && <ErrorState failure={failed} />}
    </>
  );
}

const PROVES: Record<Chain, string> = {
  bitcoin: 'Signed with BIP-322. The first sign-in creates the account and the trading wallet.',
  evm: 'Signed with EIP-191 personal_sign. You create the trading wallet later, with a Bitcoin key.',
  solana: 'Signed with Ed25519. You create the trading wallet later, with a Bitcoin key.',
};

function OneChain({ of }: { of: Chain }) {
  const [address, setAddress] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const challenge = useCall(
    async () => {
      const signer = await signerOf(await walletFor(of));
      return welcome(await withCode((otpCode) => signInWithWallet(api, signer, { otpCode })));
    },
    { done: 'You are signed in.' },
  );
  const message = useCall(
    async () => {
      const { now } = await levers.clock(0, { quiet: true });
      const text = () => `Sign in to Runeport: ${now}`;
      const signer = bitcoinSignerOf(await walletFor('bitcoin'));
      return welcome(await withCode((otpCode) => signInWithMessage(api, signer, text, { otpCode })));
    },
    { done: 'You are signed in.' },
  );
  const register = useCall(
    async () => {
      const wallet = await signerOf(await walletFor(of));
      const encryptedBlob = passphrase === '' ? undefined : await sealKeystore(passphrase, wallet.address, keystoreEntries());
      return welcome(await registerWithWallet(api, wallet, { email: address || undefined, encryptedBlob }));
    },
    { done: 'Your account was created, and you are signed in.' },
  );
  const calls = [challenge, message, register];
  const failed = calls.find(({ error }) => error)?.error;
  const begin = (one: { run: () => Promise<unknown> }) => {
    for (const other of calls) other.reset();
    void one.run();
  };
  return (
    <div class="stack">
      <p class="small muted">{PROVES[of]}</p>
      <WalletPicker chain={of} />
      <div class="row">
        <Button kind="primary" busy={challenge.busy} onClick={() => begin(challenge)}>
          {walletOf(of) ? 'Sign in with this wallet' : 'Create a key and sign in'}
        </Button>
        {of === 'bitcoin' && (
          <Button busy={message.busy} onClick={() => begin(message)}>Sign in with one message</Button>
        )}
      </div>
      <More title="Sign up with e-mail address and keystore">
        <Form onSubmit={() => begin(register)} failure={register.error} label="Sign up with a wallet">
          <Field
            label="E-mail address" name="email" type="email" span={6} value={address} onInput={setAddress} autocomplete="email"
            hint="For notifications. You verify it with a link in an e-mail." error={register.error?.fields.email}
          />
          <Field
            label="Passphrase of the keystore" type="password" span={6} value={passphrase} onInput={setPassphrase}
            hint="This page encrypts the keys of this tab with it. To replace the wallet later, you need a keystore."
          />
          <div class="row">
            <Button type="submit" busy={register.busy}>Sign up with this wallet</Button>
          </div>
        </Form>
      </More>
      {failed && <ErrorState failure={failed} />}
    </div>
  );
}

function Wallets() {
  return (
    <Tabs
      label="Chain"
      size="small"
      tabs={CHAINS.map(({ value, label }) => ({ id: value, title: label }))}
      value={chain.value}
      onChange={(id) => { chain.value = id; }}
    >
      <OneChain key={chain.value} of={chain.value} />
    </Tabs>
  );
}

const WAYS: { id: Way; title: string }[] = [
  { id: 'password', title: 'Password' },
  { id: 'passkey', title: 'Passkey' },
  { id: 'wallet', title: 'Wallet' },
];

/** Where the link of a mail wanted to go before its reader had signed in. */
function Back() {
  const back = panelParams.value.get('back');
  if (back === null) return null;
  return (
    <Callout>
      <div class="row">
        <span>You have opened the link of an e-mail.</span>
        <a class="button" data-size="small" href={`#/${back}`}>Go on with it</a>
      </div>
    </Callout>
  );
}

function Access() {
  return (
    <>
      {signedIn.value && <Back />}
      {signedIn.value && <Session />}
      <Section
        anchor="sign-in"
      title={signedIn.value ? 'Sign in again, or as another user' : 'Three ways to sign in'}
        description="Create an account in one of three ways. You can add passkeys to it later."
      >
        <Tabs label="Sign-in method" tabs={WAYS} value={way.value} onChange={(id) => { way.value = id; }}>
          <div class="stack">
            {way.value === 'password' && <Password />}
            {way.value === 'passkey' && <Passkey />}
            {way.value === 'wallet' && <Wallets />}
          </div>
        </Tabs>
      </Section>
    </>
  );
}

export default Access;
