import { linkAddress } from '@runeport/client';
import type { ComponentChildren } from 'preact';

import { Button, EmptyState, ErrorState, useCall } from '../../components/index.ts';
import { account, api, loadAccount } from '../../stores/session.ts';
import { type DemoWallet, makeWallet, signerOf, walletAt, walletOf } from '../../stores/wallets.ts';

/** EVM addresses of the account whose keys are in this tab. */
export function ownEvmWallets(): DemoWallet[] {
  return (account.value?.addresses ?? []).flatMap(({ address, chain }) => {
    const wallet = chain === 'evm' ? walletAt(address) : undefined;
    return wallet ? [wallet] : [];
  });
}

/** Links the EVM wallet of this tab, or a new one. */
async function linkEvm(): Promise<void> {
  const linked = new Set(account.peek()?.addresses.map(({ address }) => address.toLowerCase()));
  const inUse = walletOf('evm');
  const wallet = await signerOf(inUse && !linked.has(inUse.address.toLowerCase()) ? inUse : await makeWallet('evm'));
  await linkAddress(api, wallet);
  await loadAccount();
}

/** Content that needs an EVM wallet of the account. Without one, offers to link it. */
export function OwnEvm({ why, children }: { why: string; children: (wallet: DemoWallet) => ComponentChildren }) {
  const link = useCall(linkEvm, { done: 'The EVM wallet is linked to your account.' });
  const own = ownEvmWallets();
  const wallet = own.find(({ address }) => address === walletOf('evm')?.address) ?? own[0];
  if (wallet) return <>{children(wallet)}</>;
  return (
    <>
      <EmptyState
        title="Your account has no EVM wallet"
        action={<Button kind="primary" icon="link" busy={link.busy} onClick={() => void link.run()}>Link an EVM wallet of this tab</Button>}
      >
        {why} When a wallet signs a challenge, its address is linked to your account.
      </EmptyState>
      {link.error && <ErrorState failure={link.error} onRetry={() => void link.run()} />}
    </>
  );
}
