import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

import type { DemoWallet } from './wallets.ts';

export const evmAccountOf = (secret: string): PrivateKeyAccount => privateKeyToAccount(`0x${secret}`);

/** A local viem account for transactions that an EVM key of this tab sends; undefined for a browser wallet. */
export const evmAccountOfWallet = (wallet: DemoWallet): PrivateKeyAccount | undefined =>
  wallet.chain === 'evm' && wallet.origin !== 'browser' ? evmAccountOf(wallet.secret) : undefined;
