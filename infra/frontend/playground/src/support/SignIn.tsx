import { signInWithWallet } from '@runeport/client';
import type { DiscoveredWallet } from '@runeport/client/wallets';
import { useEffect, useState } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { More, Section, Tabs } from '../components/Layout.tsx';
import { ErrorState } from '../components/States.tsx';
import { useCall } from '../components/useCall.ts';
import { withCode } from '../stores/otp.tsx';
import { api, welcome } from './service.ts';

const DONE = { done: 'You are signed in.' };

function Password() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [account, setAccount] = useState('');
  const signIn = useCall(async () => {
    const { signInWithPassword } = await import('@runeport/client/srp');
    welcome(await withCode((otpCode) => signInWithPassword(api, { email, account: account.trim() || undefined, password, otpCode })));
  }, DONE);
  return (
    <Form onSubmit={() => void signIn.run()} failure={signIn.error} label="Sign in with a password">
      <Field
        label="E-mail address" name="email" type="email" span={6} autocomplete="username" value={email} onInput={setEmail}
        error={signIn.error?.fields.email}
      />
      <Field
        label="Password" name="password" type="password" span={6} autocomplete="current-password" value={password} onInput={setPassword}
        hint="It never leaves this page."
      />
      <More title="If several accounts have this address">
        <Field label="Account id" name="account" value={account} onInput={setAccount} mono error={signIn.error?.fields.account} />
      </More>
      <div class="row">
        <Button type="submit" kind="primary" busy={signIn.busy} disabled={email.trim() === '' || password === ''}>Sign in</Button>
      </div>
      {signIn.error && <ErrorState failure={signIn.error} />}
    </Form>
  );
}

function Passkey() {
  const signIn = useCall(async () => {
    const { signInWithPasskey } = await import('@runeport/client/passkeys');
    welcome(await withCode((otpCode) => signInWithPasskey(api, { otpCode })));
  }, DONE);
  return (
    <div class="stack">
      <p class="small muted">The passkey identifies your account.</p>
      <div class="row">
        <Button kind="primary" busy={signIn.busy} onClick={() => void signIn.run()}>Sign in with a passkey</Button>
      </div>
      {signIn.error && <ErrorState failure={signIn.error} />}
    </div>
  );
}

const CHAINS = { bitcoin: 'Bitcoin', evm: 'EVM', solana: 'Solana' } as const;

/** The wallets of the browser, as they announce themselves. */
function useWallets(): readonly DiscoveredWallet[] {
  const [found, setFound] = useState<readonly DiscoveredWallet[]>([]);
  useEffect(() => {
    const search = new AbortController();
    const { signal } = search;
    void (async () => {
      const { discoverWallets } = await import('@runeport/client/wallets');
      for await (const wallet of discoverWallets({ signal })) {
        if (!signal.aborted) setFound((before) => [...before, wallet]);
      }
    })();
    return () => search.abort();
  }, []);
  return found;
}

function Wallets() {
  const wallets = useWallets();
  const signIn = useCall(async (wallet: DiscoveredWallet) => {
    const signer = await wallet.connect();
    welcome(await withCode((otpCode) => signInWithWallet(api, signer, { otpCode })));
  }, DONE);
  return (
    <div class="stack">
      <p class="small muted">
        {wallets.length === 0 ? 'No wallet of this browser has announced itself yet.' : 'The wallet signs a text with the name of the service.'}
      </p>
      <div class="row">
        {wallets.map((wallet, index) => (
          <Button key={index} busy={signIn.busy} onClick={() => void signIn.run(wallet)}>
            {`Sign in with ${wallet.name}${wallet.chains[0] === undefined ? '' : ` (${CHAINS[wallet.chains[0]]})`}`}
          </Button>
        ))}
      </div>
      {signIn.error && <ErrorState failure={signIn.error} />}
    </div>
  );
}

const WAYS = [
  { id: 'password', title: 'Password' },
  { id: 'passkey', title: 'Passkey' },
  { id: 'wallet', title: 'Wallet' },
] as const;

export function SignIn() {
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('password');
  return (
    <Section title="Sign in" description="With an account whose role is admin. It signs in as it does everywhere else.">
      <Tabs label="Sign-in method" tabs={WAYS} value={way} onChange={setWay}>
        {way === 'password' ? <Password /> : way === 'passkey' ? <Passkey /> : <Wallets />}
      </Tabs>
    </Section>
  );
}
