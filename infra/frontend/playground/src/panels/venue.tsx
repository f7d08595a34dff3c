import { formatUnits, parseUnits } from '@runeport/client';
import { approveBuilderFee, setReferrer, type VenueStatus, venueStatus, withdrawFromVenue } from '@runeport/client/venue';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';

import {
  AmountField, Button, Callout, ErrorState, Form, Icon, Loaded, Pill, Section, Tabs, useCall, useLoad, Value,
} from '../components/index.ts';
import { amountOrThrow, isAmount, readAmount } from '../lib/amount.ts';
import { short, units, words } from '../lib/format.ts';
import { levers } from '../stores/local.ts';
import { api } from '../stores/session.ts';
import type { DemoWallet } from '../stores/wallets.ts';
import { OwnEvm } from './evm/OwnEvm.tsx';
import { Action } from './venue/Action.tsx';
import { DepositSection } from './venue/Deposit.tsx';
import { forgetAnswers, lookAgain, turn, USDC } from './venue/store.ts';
import '../styles/venue.css';

const usdcOf = (decimal: string): bigint => parseUnits(decimal, USDC.decimals);
const decimal = (amount: bigint): string => formatUnits(amount < 0n ? 0n : amount, USDC.decimals);

const GATES: Record<string, string> = { builderFeeNotApproved: 'The builder fee is not approved yet' };

function Amount({ of, unit = 'USDC' }: { of: string | null; unit?: string }) {
  return <dd>{of === null ? <span class="muted">unknown</span> : <>{units(usdcOf(of), USDC.decimals)} <small>{unit}</small></>}</dd>;
}

/** The balances of the wallet and at the venue. */
function Sides({ status }: { status: VenueStatus }) {
  const { usdcBalance, allowance, venueBalance, cumulativeVolumeUsd, referrer, maxBuilderFee } = status;
  return (
    <div class="sides">
      <section class="side" aria-label="Your wallet">
        <h3>Your wallet</h3>
        <dl>
          <div class="side-main"><dt>On the venue’s EVM chain</dt><Amount of={usdcBalance} /></div>
          <div><dt>Allowance</dt><Amount of={allowance} /></div>
        </dl>
      </section>
      <div class="sides-way" aria-hidden="true">
        <span>deposit <Icon name="chevron" size={16} /></span>
        <span><Icon name="chevron" size={16} /> withdraw</span>
      </div>
      <section class="side" aria-label="The venue">
        <h3>The venue</h3>
        <dl>
          <div class="side-main"><dt>Available to withdraw</dt><Amount of={venueBalance} /></div>
          <div><dt>Traded so far</dt><Amount of={cumulativeVolumeUsd} unit="USD" /></div>
          <div><dt>Referrer</dt><dd>{referrer == null ? <span class="muted">none</span> : referrer.code}</dd></div>
          <div><dt>Builder fee</dt><dd>{maxBuilderFee === null ? <span class="muted">unknown</span> : maxBuilderFee === 0 ? <span class="muted">not approved</span> : `up to ${maxBuilderFee / 1000}%`}</dd></div>
        </dl>
      </section>
    </div>
  );
}

function Status({ wallet }: { wallet: DemoWallet }) {
  const status = useLoad(() => venueStatus(api, wallet.address), [wallet.address, turn.value]);
  return (
    <Section
      title="Status of your wallet"
      description={<>Wallet <Value text={wallet.address} ends={8} /></>}
      actions={<Button size="small" icon="refresh" busy={status.busy} onClick={() => void status.reload()}>Reload</Button>}
    >
      <Loaded call={status} lines={5}>
        {({ status: data, metaData }) => (
          <>
            <div class="row">
              <Pill tone={metaData.checks === 'complete' ? 'ok' : 'warn'}>checks {metaData.checks}</Pill>
              {data.gates.map((gate) => <Pill key={gate} tone="warn">{GATES[gate] ?? words(gate)}</Pill>)}
              {data.gates.length === 0 && metaData.checks === 'complete' && <Pill tone="ok">ready to trade</Pill>}
            </div>
            {metaData.checks === 'unavailable' && (
              <Callout tone="warn">The venue or its chain did not answer. The list of missing conditions may be incomplete, and some values are unknown.</Callout>
            )}
            <Sides status={data} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface Lever {
  title: string;
  body: (address: string) => Record<string, unknown>;
  said: string;
}

const GIVE: readonly Lever[] = [
  { title: 'Give 25.5 USDC and gas', body: (address) => ({ address, usdc: '25.5', gas: '1' }), said: 'The wallet has 25.5 USDC and gas.' },
  { title: 'Remove the gas', body: (address) => ({ address, gas: '0' }), said: 'The wallet has no gas.' },
  { title: 'Open a venue account with 12 USDC', body: (address) => ({ address, exists: true, venueBalance: '12' }), said: 'The wallet has a venue account with 12 USDC.' },
  { title: 'Remove the venue account', body: (address) => ({ address, exists: false, venueBalance: '0', maxBuilderFee: 0, referrer: null }), said: 'The wallet has no venue account.' },
];
const BREAK: readonly Lever[] = [
  { title: 'Pause deposits and withdrawals', body: () => ({ paused: true }), said: 'Deposits and withdrawals are paused.' },
  { title: 'Resume', body: () => ({ paused: false }), said: 'Deposits and withdrawals work again.' },
  { title: 'Take the venue down', body: () => ({ of: 'info', down: true }), said: 'The venue does not answer.' },
  { title: 'Take its chain down', body: () => ({ of: 'rpc', down: true }), said: 'The chain does not answer.' },
  { title: 'Bring both back up', body: () => ({ down: false }), said: 'The venue and its chain answer.' },
];

function Levers({ wallet }: { wallet: DemoWallet }) {
  const [said, setSaid] = useState('');
  const pull = useCall(async (lever: Lever) => {
    await levers.venue(lever.body(wallet.address));
    await lookAgain();
    setSaid(lever.said);
    return lever;
  }, { done: (lever) => lever.said });
  const buttons = (list: readonly Lever[]) => list.map((lever) => (
    <Button key={lever.title} size="small" disabled={pull.busy} onClick={() => void pull.run(lever)}>{lever.title}</Button>
  ));
  return (
    <Section title="Levers" description="The venue and its chain are stand-ins on this machine. You control them here.">
      <div class="stack-s">
        <div class="row" role="group" aria-label="The wallet">{buttons(GIVE)}</div>
        <div class="row" role="group" aria-label="The venue">{buttons(BREAK)}</div>
        <p class="small muted" style={{ minHeight: '1.5em' }}>{said}</p>
      </div>
      {pull.error && <ErrorState failure={pull.error} />}
    </Section>
  );
}

type Kind = 'referral' | 'fee' | 'withdraw';
const kind = signal<Kind>('referral');

function Referral({ wallet }: { wallet: DemoWallet }) {
  return (
    <Action
      wallet={wallet}
      label="the referral"
      ask={(signer) => setReferrer(api, signer, { userAddress: wallet.address })}
      nothing="Nothing to sign: this wallet already has a referrer, or the deployment has no referral code."
      post={{
        title: 'Send it to the stand-in',
        run: async ({ action }) => {
          await levers.venue({ address: wallet.address, referrer: String(action.code) });
          await lookAgain();
        },
      }}
      form={(run, busy) => (
        <>
          <p class="small muted">This is an L1 action. Its MessagePack encoding is hashed, so the order of its keys matters. The wallet signs the hash in an “Agent” message.</p>
          <div class="row"><Button busy={busy} onClick={run}>Request the referral</Button></div>
        </>
      )}
    />
  );
}

function BuilderFee({ wallet }: { wallet: DemoWallet }) {
  return (
    <Action
      wallet={wallet}
      label="the approval"
      ask={(signer) => approveBuilderFee(api, signer, { userAddress: wallet.address })}
      nothing="Nothing to sign."
      post={{
        title: 'Send it to the stand-in',
        run: async ({ action }) => {
          // The status counts in tenths of a basis point: `0.05%` is 50.
          await levers.venue({ address: wallet.address, maxBuilderFee: Number(parseUnits(String(action.maxFeeRate).replace(/%$/, ''), 3)) });
          await lookAgain();
        },
      }}
      form={(run, busy) => (
        <>
          <p class="small muted">This is a user-signed action. It lets the exchange charge a fee on each trade, up to the approved rate. The venue accepts it only after a first deposit.</p>
          <div class="row"><Button busy={busy} onClick={run}>Request the approval</Button></div>
        </>
      )}
    />
  );
}

/**
 * Moves the balances as the venue would. The stand-in adds earlier deposits to the balance that the lever
 * sets, so the function reads the result and corrects the balance once.
 */
async function withdrawAtStandIn(address: string, moved: bigint): Promise<void> {
  const at = (text: string | null) => usdcOf(text ?? '0');
  const { status } = await venueStatus(api, address);
  const left = at(status.venueBalance) - moved;
  await levers.venue({ address, venueBalance: decimal(left), usdc: decimal(at(status.usdcBalance) + moved) });
  await forgetAnswers();
  const { status: then } = await venueStatus(api, address);
  const over = at(then.venueBalance) - left;
  if (over > 0n) await levers.venue({ address, venueBalance: decimal(left - over) });
  await lookAgain();
}

function Withdraw({ wallet }: { wallet: DemoWallet }) {
  const [amount, setAmount] = useState('2.5');
  const read = readAmount(amount, USDC);
  return (
    <Action
      wallet={wallet}
      label="the withdrawal"
      ask={async (signer) => withdrawFromVenue(api, signer, { userAddress: wallet.address, amount: amountOrThrow(read).decimal, venueChain: 'Testnet' })}
      nothing="Nothing to sign."
      post={{
        title: 'Send it to the stand-in',
        run: ({ action }) => withdrawAtStandIn(wallet.address, usdcOf(String(action.amount))),
      }}
      form={(run, busy, fields) => (
        <Form onSubmit={run} label="Withdrawal from the venue">
          <AmountField label="USDC to withdraw" name="amount" span={4} value={amount} onInput={setAmount} rule={USDC} error={fields.amount} hint="Arrives at your own address" />
          <div class="row">
            <Button type="submit" class="button-says" busy={busy} disabled={!isAmount(read)}>
              {isAmount(read) ? `Request the withdrawal: ${read.said} to ${short(wallet.address)}` : 'Request the withdrawal'}
            </Button>
          </div>
        </Form>
      )}
    />
  );
}

function Actions({ wallet }: { wallet: DemoWallet }) {
  return (
    <Section title="Sign actions of the venue" description="The service builds the action, your wallet signs it with EIP-712, and you post it to the venue. The service never holds a key.">
      <Tabs<Kind>
        label="Actions"
        value={kind.value}
        onChange={(id) => { kind.value = id; }}
        tabs={[{ id: 'referral', title: 'Referral' }, { id: 'fee', title: 'Builder fee' }, { id: 'withdraw', title: 'Withdraw' }]}
      >
        <div key={kind.value}>
          {kind.value === 'referral' && <Referral wallet={wallet} />}
          {kind.value === 'fee' && <BuilderFee wallet={wallet} />}
          {kind.value === 'withdraw' && <Withdraw wallet={wallet} />}
        </div>
      </Tabs>
    </Section>
  );
}

function Venue() {
  return (
    <OwnEvm why="Money moves between the venue and your own EVM wallet.">
      {(wallet) => (
        <div class="stack-l" key={wallet.address}>
          <Status wallet={wallet} />
          <Levers wallet={wallet} />
          <DepositSection wallet={wallet} />
          <Actions wallet={wallet} />
        </div>
      )}
    </OwnEvm>
  );
}

export default Venue;
