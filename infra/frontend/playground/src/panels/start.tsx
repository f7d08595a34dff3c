import { call } from '@runeport/client';

import { linkTo } from '../app/router.ts';
import {
  Button, Callout, ErrorState, Facts, Figures, Icon, Loaded, More, Pill, Section, StatusPill, useCall, useLoad, Value, WalletPicker,
} from '../components/index.ts';
import { btc } from '../lib/format.ts';
import { makeDemoUser } from '../stores/demo.ts';
import { chain, chainTurn, satsOf } from '../stores/local.ts';
import { account, api, signedIn, signOut } from '../stores/session.ts';
import { CHAINS } from '../stores/wallets.ts';
import { groups } from './index.ts';

function Hello() {
  const demo = useCall(makeDemoUser, { done: 'You are signed in, and your trading wallet has coins.' });
  if (signedIn.value) return <You />;
  return (
    <Section
      title="Start with a demo user"
      description="One click creates a Bitcoin key in this tab, signs in with it, and pays coins of the local chain to the account’s trading wallet. Outside the local world, the coins are worthless."
    >
      <div class="row">
        <Button kind="primary" icon="start" busy={demo.busy} onClick={() => void demo.run()}>Create a demo user</Button>
        <a class="button" href={linkTo('access')}>Other ways to sign up or in</a>
      </div>
      {demo.error && <ErrorState failure={demo.error} onRetry={() => void demo.run()} />}
    </Section>
  );
}

function You() {
  const me = account.value;
  const address = me?.tradingAddress ?? undefined;
  const held = useLoad(
    async () => (address === undefined ? undefined : satsOf(address)),
    [address, chainTurn.value],
  );
  const out = useCall(signOut);
  if (!me) return null;
  return (
    <Section
      title="You are signed in"
      actions={<Button size="small" busy={out.busy} onClick={() => void out.run()}>Sign out</Button>}
    >
      <Figures
        of={[
          ['In the trading wallet', held.data === undefined ? '–' : btc(held.data)],
          ['Sign-in method', { srp: 'password', passkey: 'passkey', wallet: 'wallet' }[me.authMethod]],
          ['Second factor', me.totpEnabled ? 'on' : 'off'],
        ]}
      />
      <Facts
        of={[
          ['Account', <Value text={me.id} ends={10} />],
          ['E-mail', me.email ?? undefined],
          ['Wallet', me.wallet ? <Value text={me.wallet.address} ends={12} /> : undefined],
          ['Referral code', <Value text={me.referralCode} whole />],
          ['Trading address', address === undefined ? 'none yet' : <Value text={address} ends={12} />],
        ]}
      />
      <div class="row">
        <a class="button" data-kind="primary" href={linkTo('wallet', { section: 'withdraw' })}>Withdraw coins</a>
        <a class="button" href={linkTo('mint', { section: 'take-part' })}>Take part in a mint</a>
        <a class="button" href={linkTo('security')}>Secure the account</a>
      </div>
    </Section>
  );
}

function Health() {
  const health = useLoad(async () => (await call(api, 'get', '/api/health', { params: { query: { deep: '1' } } })).data);
  const seen = chain.value;
  return (
    <Section
      title="Status of the local world"
      actions={<Button size="small" icon="refresh" busy={health.busy} onClick={() => void health.reload()}>Reload</Button>}
    >
      <Loaded call={health} lines={2}>
        {({ status, asked }) => (
          <Facts
            of={[
              ['Service', <StatusPill status={status} />],
              ['Checked dependencies', asked.join(', ')],
              ['Bitcoin world', seen ? <StatusPill status={seen.state} /> : <Pill>unknown</Pill>],
              ['Height', seen?.height === undefined ? undefined : <span class="num">{seen.height}</span>],
              ['ord', seen?.ord === undefined ? undefined : <a href={seen.ord}>{seen.ord}</a>],
              ['Esplora', seen?.esplora === undefined ? undefined : <code>{seen.esplora}</code>],
            ]}
          />
        )}
      </Loaded>
      {seen?.state === 'building' && (
        <Callout>The Bitcoin programs are being built. The first time, this takes some minutes. Everything else already works.</Callout>
      )}
    </Section>
  );
}

/** The first sentence of a summary. */
const brief = (summary: string): string => summary.split(/(?<=[.?!]) /)[0] ?? summary;

function Places() {
  return (
    <Section title="Panels">
      <ul role="list" class="places">
        {groups.flatMap(({ panels }) => panels).filter(({ id }) => id !== 'start').map(({ id, icon, title, summary }) => (
          <li key={id}>
            <a href={linkTo(id)}>
              <Icon name={icon} size={20} />
              <span>
                <strong>{title}</strong>
                <small>{brief(summary)}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Keys() {
  return (
    <Section
      title="Wallets of this tab"
      description="The page signs with these keys. They are in this tab’s session storage and are deleted with it."
    >
      <div class="columns">
        {CHAINS.map(({ value, label }) => (
          <div class="stack-s" key={value}>
            <h3>{label}</h3>
            <WalletPicker chain={value} />
          </div>
        ))}
      </div>
      <More title="Why does the page hold keys?">
        <p class="small">
          With its own keys, everything works without installing a wallet. If your browser has a wallet (
          <code>window.ethereum</code>, <code>window.unisat</code>), you can use it instead. A Bitcoin wallet must be on regtest.
        </p>
      </More>
    </Section>
  );
}

function Start() {
  return (
    <>
      <Hello />
      <Places />
      <Health />
      <Keys />
    </>
  );
}

export default Start;
