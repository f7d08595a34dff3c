import type { RecoveryKit, Schemas } from '@runeport/client';

import { localCall } from '../../stores/local.ts';

/** What became of a coin of the kit. `elsewhere`: something else than the recovery has spent it. */
export type Fate = 'there' | 'onItsWay' | 'arrived' | 'elsewhere';

export interface Arrival {
  coin: Schemas['KitCoin'];
  fate: Fate;
  /** The transaction that has spent it. */
  txid?: string;
}

export interface Seen {
  arrivals: Arrival[];
  /** The sats at the address, of transactions in blocks. */
  sats: number;
  /** Whether every coin of the kit has arrived. */
  isOver: boolean;
}

interface Outspend {
  spent: boolean;
  txid?: string;
  status?: { confirmed: boolean };
}

/** The page asks Esplora about at most this many coins of a kit. */
const MOST = 40;

const ask = <T>(esplora: string, path: string): Promise<T> => localCall<T>(`${esplora}${path}`, { quiet: true });

async function arrivalOf(esplora: string, coin: Schemas['KitCoin'], to: string): Promise<Arrival> {
  const [txid = '', vout = ''] = coin.id.split(':');
  const spent = await ask<Outspend>(esplora, `/tx/${txid}/outspend/${vout}`);
  if (!spent.spent || spent.txid === undefined) return { coin, fate: 'there' };
  const { vout: outputs } = await ask<{ vout: { scriptpubkey_address?: string }[] }>(esplora, `/tx/${spent.txid}`);
  // What a coin carries goes to the first output.
  if (outputs[0]?.scriptpubkey_address !== to) return { coin, fate: 'elsewhere', txid: spent.txid };
  return { coin, fate: spent.status?.confirmed ? 'arrived' : 'onItsWay', txid: spent.txid };
}

/** What became of the coins of a kit, as the Bitcoin network says. */
export async function arrivalsOf(esplora: string, { coins }: RecoveryKit, to: string): Promise<Seen> {
  const arrivals = await Promise.all((coins ?? []).slice(0, MOST).map((coin) => arrivalOf(esplora, coin, to)));
  const unspent = await ask<{ value: number; status: { confirmed: boolean } }[]>(esplora, `/address/${to}/utxo`);
  return {
    arrivals,
    sats: unspent.filter(({ status }) => status.confirmed).reduce((sum, { value }) => sum + value, 0),
    isOver: arrivals.length > 0 && arrivals.every(({ fate }) => fate === 'arrived'),
  };
}
