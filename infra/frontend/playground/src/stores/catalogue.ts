import { computed, signal } from '@preact/signals';
import { rows, type Schemas } from '@runeport/client';

import { levers } from './local.ts';
import { api } from './session.ts';

/** A token as operators enter it. */
export type Token = Omit<Schemas['TokenRow'], 'id'>;

/** The catalogue as the page last read it, by symbol. */
export const catalogue = signal<readonly Token[]>([]);

const byId = computed(() => new Map(catalogue.value.map((token) => [token.tokenId.toLowerCase(), token])));

export async function loadCatalogue(): Promise<readonly Token[]> {
  const read: Token[] = [];
  for await (const { id, chain, symbol = id, divisibility = 0, slots = [] } of rows(api, '/api/tokens', { sort: 'symbol', pageSize: 100 })) {
    if (chain !== undefined) read.push({ tokenId: id, chain, symbol, divisibility, slots });
  }
  catalogue.value = read;
  return read;
}

/** A token of the catalogue; the id of an EVM token may begin with its chain. */
export const catalogued = (tokenId: string): Token | undefined => byId.value.get(tokenId.toLowerCase());

/** Adds tokens, or replaces their entries, as operators do. */
export async function enterTokens(tokens: readonly Token[]): Promise<void> {
  for (const token of tokens) await levers.token(token);
  await loadCatalogue();
}
