import { computed } from '@preact/signals';
import type { Row as ListedRow, Schemas } from '@runeport/client';

import { catalogue, catalogued, type Token as Catalogued } from '../../stores/catalogue.ts';

export type Row = ListedRow<'/api/xchain/transactions'>;
export type Status = Schemas['XchainStatus'];
export type Where = Schemas['SwapStatus'];

/** What a swap pays or receives. */
export interface Token {
  chain: number;
  address: string;
  symbol: string;
  decimals: number;
}

/** Sample tokens; the service accepts any. */
export const SAMPLES = [
  { chain: 42161, address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', symbol: 'USDC', decimals: 6 },
  { chain: 8453, address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', symbol: 'USDC', decimals: 6 },
  { chain: 8453, address: '0x4200000000000000000000000000000000000006', symbol: 'WETH', decimals: 18 },
  { chain: 1, address: '0xdac17f958d2ee523a2206206994597c13d831ec7', symbol: 'USDT', decimals: 6 },
] as const satisfies readonly Token[];

export const keyOf = ({ chain, address }: Token): string => `${chain}:${address}`;

/** The samples as entries of the catalogue. */
export const SAMPLE_ENTRIES: readonly Catalogued[] = SAMPLES.map((token) => ({
  tokenId: keyOf(token), chain: String(token.chain), symbol: token.symbol, divisibility: token.decimals, slots: token.symbol === 'USDC' ? ['usdc'] : [],
}));

/** An entry of the catalogue, if it is a token of an EVM chain. */
function evmToken({ tokenId, chain, symbol, divisibility }: Catalogued): Token[] {
  const address = tokenId.toLowerCase().replace(/^\d+:/, '');
  return /^\d+$/.test(chain) && /^0x[0-9a-f]{40}$/.test(address) ? [{ chain: Number(chain), address, symbol, decimals: divisibility }] : [];
}

/** The tokens that the form offers: those of the catalogue, and the samples that it lacks. */
export const tokens = computed<readonly Token[]>(() => {
  const entered = catalogue.value.flatMap(evmToken);
  const known = new Set(entered.map(keyOf));
  return [...SAMPLES.filter((token) => !known.has(keyOf(token))), ...entered];
});

export const CHAINS: Readonly<Record<number, string>> = { 1: 'Ethereum', 42161: 'Arbitrum', 8453: 'Base' };

export const chainName = (id: number | null | undefined): string =>
  id == null ? 'Bitcoin' : (CHAINS[id] ?? `chain ${id}`);

/** Symbol and decimals of a token, from the catalogue or the samples. */
export function tokenOf(id: string | null | undefined): { symbol: string; decimals: number } | undefined {
  if (id == null) return undefined;
  const entry = catalogued(id);
  return entry ? { symbol: entry.symbol, decimals: entry.divisibility } : tokens.value.find(({ address }) => address === id.toLowerCase());
}

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
