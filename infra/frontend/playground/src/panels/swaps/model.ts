import type { Row as ListedRow, Schemas } from '@runeport/client';

export type Row = ListedRow<'/api/xchain/transactions'>;
export type Status = Schemas['XchainStatus'];
export type Where = Schemas['SwapStatus'];

/** Sample tokens; the service accepts any. */
export const TOKENS = [
  { chain: 42161, address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', symbol: 'USDC', decimals: 6 },
  { chain: 8453, address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', symbol: 'USDC', decimals: 6 },
  { chain: 8453, address: '0x4200000000000000000000000000000000000006', symbol: 'WETH', decimals: 18 },
  { chain: 1, address: '0xdac17f958d2ee523a2206206994597c13d831ec7', symbol: 'USDT', decimals: 6 },
] as const;

const CHAINS: Record<number, string> = { 1: 'Ethereum', 42161: 'Arbitrum', 8453: 'Base' };

export const chainName = (id: number | null | undefined): string =>
  id == null ? 'Bitcoin' : (CHAINS[id] ?? `chain ${id}`);

export const tokenOf = (address: string | null | undefined) => TOKENS.find((token) => token.address === address?.toLowerCase());

/** The steps of a successful swap; it may instead end as failed or refunded. */
export const WAY: readonly Status[] = ['registered', 'pending', 'relaying', 'relayed', 'solving', 'filled'];

export const MEANS: Record<Status, string> = {
  registered: 'The service knows the swap.',
  pending: 'The swap has not reached the hub’s chain yet.',
  relaying: 'The hub’s chain is relaying it.',
  relayed: 'The hub’s chain has accepted it.',
  solving: 'Solvers compete to fill it.',
  filled: 'Paid out on the destination chain.',
  failed: 'The swap failed.',
  refunded: 'The input was paid back.',
};

export const randomHash = (): string =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
