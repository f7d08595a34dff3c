import { call, createApi, downloadRecoveryKit, type RecoveryKit } from '@runeport/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import page from '../../../recovery/dist/runeport-recovery.html?url';
import { announce } from '../app/announce.tsx';
import { Button, Callout, ErrorState, Facts, Section, useCall, useLoad, Value } from '../components/index.ts';
import { count, plural } from '../lib/format.ts';
import { gone } from '../lib/gone.ts';
import { recordedFetch } from '../stores/calls.ts';
import { BASE, chain, chainTurn, levers } from '../stores/local.ts';
import { account, api } from '../stores/session.ts';
import { strangerAddress } from '../stores/wallets.ts';
import { Arrivals } from './recovery/Arrivals.tsx';
import { arrivalsOf } from './recovery/arrivals.ts';
import { keyOf } from './recovery/key.ts';

/** Blocks that the local world mines in one call. */
const SOME = 480;
/** How often the Bitcoin network is asked what has arrived: no event tells of transactions that others send. */
const LOOKS_EVERY = 3_000;

/** What the user has saved before the service went, kept while the user visits another panel. */
interface Drill {
  kit: RecoveryKit;
  /** Where everything goes: an address of another wallet. */
  to: string;
  mined: number;
}
const drill = signal<Drill | undefined>(undefined);

function Save({ kit }: { kit: RecoveryKit | undefined }) {
  const save = useCall(async () => {
    const saved = await downloadRecoveryKit(api);
    drill.value = { kit: saved.kit, to: strangerAddress(), mined: 0 };
  }, { done: 'The recovery kit was saved.' });
  return (
    <Section title="1. While the service is there" description="Save two files next to each other. Neither contains a secret.">
      <div class="row">
        <Button kind="primary" icon="download" busy={save.busy} onClick={() => void save.run()}>Save the recovery kit</Button>
        <a class="button" href={page} download="runeport-recovery.html">Save the recovery page</a>
      </div>
      {kit && (
        <>
          <Callout>The kit lists {plural(kit.coins?.length ?? 0, 'coin')} of {kit.address}.</Callout>
          <Facts of={[
            ['Version of the page', kit.tool.version],
            ['SHA-256 of the page', <Value text={kit.tool.sha256} ends={12} label="Copy the hash of the page" />],
          ]} />
        </>
      )}
      {save.error && <ErrorState failure={save.error} />}
    </Section>
  );
}

const probe = createApi({ baseUrl: BASE, fetch: recordedFetch, retryFor: 0 });

function Leave({ ready }: { ready: boolean }) {
  const health = useCall(async () => (await call(probe, 'get', '/api/health')).data);
  const leave = () => {
    gone.value = true;
    announce('The service is gone.');
    void health.run();
  };
  return (
    <Section title="2. The service is gone" description="From here on this page refuses every call to the service and every socket. The Bitcoin network stays.">
      <div class="row">
        {gone.value
          ? <span class="muted">To bring it back, use the button at the top of this page.</span>
          : <Button kind="primary" disabled={!ready} onClick={leave}>Take the service away</Button>}
        {!ready && <span class="muted">Save the recovery kit first.</span>}
      </div>
      {gone.value && health.error && (
        <Callout tone="warn">This page has just called the service. {health.error.title}</Callout>
      )}
    </Section>
  );
}

function Wait({ at: { kit: { delayBlocks }, mined } }: { at: Drill }) {
  const pass = useCall(async () => {
    for (let left = delayBlocks - mined; left > 0; left -= SOME) {
      const now = Math.min(left, SOME);
      await levers.mine(now);
      if (drill.value) drill.value = { ...drill.value, mined: drill.value.mined + now };
    }
  }, { done: 'The delay has passed.' });
  const over = mined >= delayBlocks;
  return (
    <Section title="3. Time passes" description="The delay of each coin is 12,960 blocks, about 90 days. Here you mine them, which takes a minute or two.">
      <div class="row">
        <Button icon="clock" busy={pass.busy} disabled={over || !gone.value} onClick={() => void pass.run()}>Mine {count(delayBlocks)} blocks</Button>
        <span class="muted" role="status">{over ? 'The delay has passed.' : mined > 0 ? `${count(mined)} blocks are mined.` : 'Mints of this world may end in the meantime.'}</span>
      </div>
      {pass.error && <ErrorState failure={pass.error} />}
    </Section>
  );
}

function Recover({ at: { kit, to } }: { at: Drill }) {
  const key = keyOf(kit);
  return (
    <Section
      title="4. Get your coins out"
      description="Open the saved page from your disk, choose the saved kit, and enter these values. The page contacts the Bitcoin network alone, here through this world's Esplora."
    >
      <Facts of={[
        ['Server', chain.value?.esplora && <Value text={chain.value.esplora} whole />],
        ['Address of another wallet', <Value text={to} ends={12} />],
        ['Private key', key === undefined ? 'In the wallet of your browser' : <Value text={key} ends={6} label="Copy the private key" />],
      ]} />
    </Section>
  );
}

function See({ at: { kit, to } }: { at: Drill }) {
  const esplora = chain.value?.esplora;
  const seen = useLoad(
    async () => (esplora === undefined ? undefined : arrivalsOf(esplora, kit, to)),
    [esplora, kit, to, chainTurn.value],
    { again: (data) => (data?.isOver ? undefined : LOOKS_EVERY) },
  );
  const mine = useCall(() => levers.mine(1), { done: 'A block was mined.' });
  const isOver = seen.data?.isOver ?? false;
  useEffect(() => {
    if (isOver) announce('Everything has arrived.');
  }, [isOver]);
  return (
    <Section
      title="5. What has arrived"
      description="Read from the Bitcoin network, not from the service."
      actions={<Button size="small" kind="primary" icon="block" busy={mine.busy} onClick={() => void mine.run()}>Mine the block that confirms it</Button>}
    >
      {(seen.error ?? mine.error) && <ErrorState failure={(seen.error ?? mine.error)!} onRetry={() => void seen.reload()} />}
      {seen.data && <Arrivals seen={seen.data} to={to} withoutService={gone.value} />}
    </Section>
  );
}

function Recovery() {
  // Another account has another kit.
  const at = drill.value?.kit.address === account.value?.tradingAddress ? drill.value : undefined;
  return (
    <>
      <Save kit={at?.kit} />
      <Leave ready={at !== undefined} />
      {at && (
        <>
          <Wait at={at} />
          <Recover at={at} />
          <See at={at} />
        </>
      )}
    </>
  );
}

export default Recovery;
