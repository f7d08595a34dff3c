import { call, downloadRecoveryKit } from '@runeport/client';
import { hex } from '@scure/base';
import { WIF } from '@scure/btc-signer';
import { TEST_NETWORK } from '@scure/btc-signer/utils.js';
import { useState } from 'preact/hooks';

import page from '../../../recovery/dist/runeport-recovery.html?url';
import { Button, Callout, ErrorState, Facts, Loaded, Section, useCall, useLoad, Value } from '../components/index.ts';
import { count } from '../lib/format.ts';
import { chain, chainTurn, levers } from '../stores/local.ts';
import { api } from '../stores/session.ts';
import { bitcoinWalletWithKey, secretOf, strangerAddress } from '../stores/wallets.ts';
import type { Panel } from './panel.ts';

/** Blocks that the local world mines in one call. */
const SOME = 480;

/** Regtest has the same keys as the other test networks. */
const wif = (secret: string): string => WIF(TEST_NETWORK).encode(hex.decode(secret));

function Save() {
  const kit = useCall(async () => (await downloadRecoveryKit(api)).kit, { done: 'The recovery kit was saved.' });
  return (
    <Section title="1. While the service is there" description="Save two files next to each other. Neither contains a secret.">
      <div class="row">
        <Button kind="primary" icon="download" busy={kit.busy} onClick={() => void kit.run()}>Save the recovery kit</Button>
        <a class="button" href={page} download="runeport-recovery.html">Save the recovery page</a>
      </div>
      {kit.data && <Callout>The kit lists {count(kit.data.coins?.length ?? 0)} coins of {kit.data.address}.</Callout>}
      {kit.error && <ErrorState failure={kit.error} />}
    </Section>
  );
}

function Wait({ delay }: { delay: number }) {
  const [mined, setMined] = useState(0);
  const pass = useCall(async () => {
    for (let left = delay - mined; left > 0; left -= SOME) {
      const now = Math.min(left, SOME);
      await levers.mine(now);
      setMined((before) => before + now);
    }
  }, { done: 'The delay has passed.' });
  const over = mined >= delay;
  return (
    <Section title="2. The service is gone, and time passes" description="The delay of each coin is 12,960 blocks, about 90 days. Here you mine them, which takes a few minutes.">
      <div class="row">
        <Button icon="clock" busy={pass.busy} disabled={over} onClick={() => void pass.run()}>Mine {count(delay)} blocks</Button>
        <span class="muted" role="status">{over ? 'The delay has passed.' : mined > 0 ? `${count(mined)} blocks are mined.` : 'Mints of this world may end in the meantime.'}</span>
      </div>
      {pass.error && <ErrorState failure={pass.error} />}
    </Section>
  );
}

function Recover({ publicKeys }: { publicKeys: readonly string[] }) {
  const [to] = useState(strangerAddress);
  const wallet = publicKeys.map(bitcoinWalletWithKey).find((one) => one !== undefined);
  const secret = wallet && secretOf(wallet);
  return (
    <Section
      title="3. Get it out"
      description="Open the saved page from your disk, and enter these values. It contacts the Bitcoin network alone, here through this world's Esplora."
    >
      <Facts of={[
        ['Server', chain.value?.esplora && <Value text={chain.value.esplora} whole />],
        ['Address of another wallet', <Value text={to} ends={12} />],
        ['Private key', secret === undefined ? 'In the wallet of your browser' : <Value text={wif(secret)} ends={6} label="Copy the private key" />],
      ]} />
    </Section>
  );
}

function Recovery() {
  const kit = useLoad(async () => (await call(api, 'get', '/api/account/trading-wallet/recovery-kit')).data, [chainTurn.value]);
  return (
    <Loaded call={kit}>
      {({ delayBlocks, publicKeys }) => (
        <>
          <Save />
          <Wait delay={delayBlocks} />
          <Recover publicKeys={publicKeys} />
        </>
      )}
    </Loaded>
  );
}

export const panel: Panel = {
  id: 'recovery',
  title: 'Recovery',
  heading: 'The service is gone: get it out',
  summary: 'A drill. Your key alone gets everything out of your trading wallet, with one page from your disk and nothing of the service.',
  icon: 'shield',
  group: 'Bitcoin',
  order: 2,
  needsAccount: true,
  component: Recovery,
};
