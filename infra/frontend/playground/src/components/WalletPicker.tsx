import type { Chain } from '@runeport/client';
import type { DiscoveredWallet } from '@runeport/client/wallets';
import { useState } from 'preact/hooks';

import { short } from '../lib/format.ts';
import {
  CHAINS, chooseWallet, connectBrowserWallet, type DemoWallet, forgetWallet, makeWallet, pasteWallet, secretOf, useBrowserWallets, walletOf,
  wallets,
} from '../stores/wallets.ts';
import { isSure } from '../stores/confirm.tsx';
import { Button } from './Button.tsx';
import { Value } from './Copy.tsx';
import { Field, Select } from './Field.tsx';
import { Form } from './Form.tsx';
import { Facts, More } from './Layout.tsx';
import { Pill } from './Pill.tsx';
import { EmptyState, ErrorState } from './States.tsx';
import { useCall } from './useCall.ts';

function Paste({ chain, onDone }: { chain: Chain; onDone: () => void }) {
  const [key, setKey] = useState('');
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  return (
    <Form
      label="Paste a private key"
      onSubmit={() => {
        void pasteWallet(chain, key).then(onDone, (error: unknown) => {
          setWrong(error instanceof Error ? error.message : String(error));
        });
      }}
    >
      <Field
        label="Private key"
        value={key}
        onInput={setKey}
        error={wrong}
        mono
        hint="This tab keeps it unencrypted. Do not paste a key that controls anything of value."
      />
      <div class="row">
        <Button type="submit">Use this key</Button>
        <Button kind="quiet" onClick={onDone}>Cancel</Button>
      </div>
    </Form>
  );
}

function originOf(wallet: DemoWallet): string {
  switch (wallet.origin) {
    case 'made': return 'Key of this tab · for tests only';
    case 'pasted': return 'Pasted key · for tests only';
    case 'browser': return wallet.wallet.provider;
  }
}

async function forget(wallet: DemoWallet): Promise<void> {
  const { address, origin } = wallet;
  const text = 'This tab has the only copy, unless you have saved it or a keystore contains it. What needs its signature is lost with it.';
  if (origin === 'browser' || await isSure({ title: `Delete the key of ${short(address)}?`, text, yes: 'Delete the key' })) forgetWallet(wallet);
}

/** Selects the wallet of a chain: an existing key of this tab, a new key, a pasted key, or a browser wallet. */
export function WalletPicker({ chain }: { chain: Chain }) {
  const [pasting, setPasting] = useState(false);
  const connect = useCall((found: DiscoveredWallet) => connectBrowserWallet(chain, found));
  const installed = useBrowserWallets(chain);
  const make = useCall(() => makeWallet(chain));
  const own = wallets.value.filter((wallet) => wallet.chain === chain);
  const inUse = walletOf(chain);
  const secret = inUse && secretOf(inUse);
  const name = CHAINS.find(({ value }) => value === chain)?.label ?? chain;
  return (
    <div class="stack-s">
      {inUse ? (
        <>
          {own.length > 1 && (
            <Select
              label={`${name} wallet`}
              value={inUse.address}
              options={own.map(({ address }) => ({ value: address, label: short(address, 12) }))}
              onChange={(address) => {
                const chosen = own.find((wallet) => wallet.address === address);
                if (chosen) chooseWallet(chosen);
              }}
            />
          )}
          <div class="row">
            <Value text={inUse.address} ends={12} label={`Copy ${name} address`} />
            <Pill tone={inUse.origin === 'browser' ? 'info' : 'accent'} dot={false}>{originOf(inUse)}</Pill>
          </div>
        </>
      ) : (
        <EmptyState title={`No ${name} wallet yet`}>Create a key in this tab. It is worthless outside the local world.</EmptyState>
      )}
      <div class="row">
        <Button size="small" icon="plus" busy={make.busy} onClick={() => void make.run()}>New key</Button>
        <Button size="small" onClick={() => setPasting(!pasting)} expanded={pasting}>Paste a key</Button>
        {installed.map((found) => (
          <Button key={found} size="small" busy={connect.busy} onClick={() => void connect.run(found)}>
            {found.icon?.startsWith('data:image/') && <img src={found.icon} alt="" width={16} height={16} />}
            Use {found.name}
          </Button>
        ))}
        {inUse && (
          <Button size="small" kind="quiet" onClick={() => void forget(inUse)}>Forget</Button>
        )}
      </div>
      {pasting && <Paste chain={chain} onDone={() => setPasting(false)} />}
      {(connect.error ?? make.error) && <ErrorState failure={(connect.error ?? make.error)!} />}
      {secret !== undefined && (
        <More title="Private key of this wallet">
          <Facts of={[['Hex', <Value text={secret} whole label="Copy private key" />]]} />
        </More>
      )}
    </div>
  );
}
