import type { Schemas } from '@runeport/client';
import { type Balance, type Coin, type Prepared, release, type SignedVersion, type TransactionStatus } from '@runeport/client/wallet';
import { describePsbt } from '@runeport/client/bitcoin';
import { computed, effect, signal } from '@preact/signals';

import { type AmountRule, BITCOIN } from '../../lib/amount.ts';
import { count, plural, units } from '../../lib/format.ts';
import { catalogued } from '../../stores/catalogue.ts';
import { changes } from '../../stores/live.ts';
import { keptFlow } from '../../stores/flows.ts';
import { chainTurn } from '../../stores/local.ts';
import { api } from '../../stores/session.ts';

export const BTC = '0:0';

/** A signed transaction of the account. */
export type OwnTransaction = Schemas['TransactionRow'];

/** What the wallet is doing: a transaction on its way from its draft to a block. */
export interface UnderWay {
  /** What it does, as a heading. */
  title: string;
  /** What it is, with an article. */
  what: string;
  prepared: Prepared;
  /** Addresses with a name. */
  names: Readonly<Record<string, string>>;
  /** Where it is submitted: as a transaction of the account, or through the hub. */
  route: 'account' | 'hub';
  signed?: string;
  status?: TransactionStatus;
}

/** The text of a PSBT contains its description, which has bytes that JSON does not. */
type Kept = Omit<UnderWay, 'prepared'> & { prepared: Omit<Prepared, 'psbt'> };

/** Ends the transaction on the service as well, so that its coins are free again. */
export async function discard(at: UnderWay): Promise<void> {
  await release(api, at.prepared.transaction.txId);
  underWay.value = undefined;
  walletTurn.value += 1;
}

/** The current transaction of the account. */
export const underWay = keptFlow<UnderWay>('transaction', {
  idOf: ({ prepared }) => prepared.transaction.txId,
  pack: ({ prepared: { transaction, notes }, ...rest }) => ({ ...rest, prepared: { transaction, notes } }) satisfies Kept,
  unpack: (kept) => {
    const { prepared: { transaction, notes }, ...rest } = kept as Kept;
    return { ...rest, prepared: { transaction, notes, psbt: describePsbt(transaction.base64Psbt, 'regtest') } };
  },
  offer: (at) => {
    if (at.status !== undefined) return undefined;
    const { expiresAt } = at.prepared.transaction;
    return {
      what: at.what, panel: 'wallet', params: { section: 'withdraw' }, discard: () => discard(at),
      // What is signed may have been submitted, although no answer came.
      ...(at.signed === undefined ? { state: 'waits for your signature', until: expiresAt } : { state: 'is signed, but not submitted' }),
    };
  },
});

/** Payments of the faucet that are not in a block yet. */
export const unmined = signal(0);
/** The last payment of the faucet that was not announced. */
export const paidTxId = signal<string | undefined>(undefined);
/** Increments with each change that this page makes to the wallet. */
export const walletTurn = signal(0);

/** The block and its events arrive within this time of each other, in ms. */
const SETTLES = 400;
/** Grows once for all changes of the chain and events that arrive together. */
const settled = signal(0);
let settling: ReturnType<typeof setTimeout> | undefined;
let heard = 0;
effect(() => {
  const now = chainTurn.value + changes(
    'transaction.stateChanged', 'refund.stateChanged', 'deposit.seen', 'deposit.confirmed', 'coins.renewalAdvised', 'coins.renewalNeeded',
  );
  if (now === heard) return;
  heard = now;
  clearTimeout(settling);
  settling = setTimeout(() => { settled.value += 1; }, SETTLES);
});

/** Keys of what shows the wallet: this page, a block, or an event has changed it. A block without an event still ages coins. */
export const walletKeys = (): readonly number[] => [walletTurn.value, settled.value];

const OVER = ['confirmed', 'failed', 'expired', 'replaced'];
export const isOver = computed(() => OVER.includes(underWay.value?.status?.state ?? ''));

/** Stores the status, unless the user has left this transaction. */
export function note(at: UnderWay, status: TransactionStatus): void {
  if (underWay.peek()?.prepared.transaction.txId === at.prepared.transaction.txId) underWay.value = { ...at, status };
  if (at.status?.state !== status.state) walletTurn.value += 1;
}

/** When a coin belongs to the user alone, in words. */
export function untilUserOnly({ expiresInBlocks, userOnlyFromHeight }: Coin): string {
  if (expiresInBlocks === null || userOnlyFromHeight === null) return 'counted from its block on';
  if (expiresInBlocks === 0) return `since block ${count(userOnlyFromHeight)}`;
  const days = Math.floor(expiresInBlocks / 144);
  return `in ${days === 0 ? plural(expiresInBlocks, 'block') : `about ${plural(days, 'day')}`}, from block ${count(userOnlyFromHeight)}`;
}

interface Why {
  /** What keeps the coin from being spent. */
  reason: string;
  /** What the user can do about it. */
  remedy: string;
}

const STATES: Record<Coin['state'], Why | undefined> = {
  free: undefined,
  reserved: {
    reason: 'An unsigned transaction reserves it.',
    remedy: 'Sign that transaction, release it, or wait until its ten minutes are over.',
  },
  spending: {
    reason: 'A signed transaction spends it.',
    remedy: 'Wait for a block. If that transaction was replaced, the coin is free seven blocks after its replacement confirmed.',
  },
  pending: { reason: 'No block has it yet.', remedy: 'Wait for a block.' },
  immature: {
    reason: 'It was mined less than 100 blocks ago, and the network does not let it be spent yet.',
    remedy: 'Wait until it has 100 confirmations.',
  },
  inscribed: {
    reason: 'It carries an inscription, which the service never spends.',
    remedy: 'Your key alone can move it once its delay is over.',
  },
  unknown: {
    reason: 'Its contents are not known yet.',
    remedy: 'Wait until the indexer has read its block. If this lasts, the indexer is behind.',
  },
  ignored: {
    reason: 'It holds more than the service reads: over 100 runes, or thousands of inscriptions.',
    remedy: 'Your key alone can move it once its delay is over.',
  },
};

/** Why a coin cannot pay a withdrawal, or cannot pay for a mint; undefined if it can do both. */
export function whyNot(coin: Coin): Why | undefined {
  const why = STATES[coin.state];
  if (why || coin.usableFor.includes('mint')) return why;
  if (coin.runes && coin.runes.length > 0) {
    return { reason: 'It holds runes, so a mint does not take it, and its sats pay no withdrawal of BTC.', remedy: 'Withdraw the runes; the sats beyond them return as a plain coin.' };
  }
  return { reason: 'Its delay ends soon or is over, so a mint refuses it. A withdrawal takes it.', remedy: 'Renew it.' };
}

/** Why the largest payment leaves coins. */
export const LEFT_OUT: Record<Schemas['Reason'], Why> = {
  notSpent: {
    reason: 'They hold the token, but do not fit into one transaction, cost more than they bring, or will soon be yours alone.',
    remedy: 'Send what fits, wait for a block, and send the rest. For a mint, renew the coins that are due.',
  },
  unconfirmed: { reason: 'No block has them yet.', remedy: 'Wait for a block.' },
  immature: { reason: 'They were mined less than 100 blocks ago.', remedy: 'Wait until they have 100 confirmations.' },
  reserved: { reason: 'Other transactions of the account hold them.', remedy: 'Sign or release those transactions, or wait for a block.' },
  inscribed: { reason: 'They carry inscriptions.', remedy: 'The service never spends them; your key alone can, after the delay.' },
  unknown: { reason: 'Their contents are unknown.', remedy: 'Wait until the indexer has read their blocks.' },
  notRead: { reason: 'They are among the least valuable of several thousand.', remedy: 'Withdraw or renew the more valuable coins first.' },
};

/** The tokens of a balance: the id, a label, the decimals, and the amount that can be spent now. */
export interface Held {
  tokenId: string;
  name: string;
  /** From the catalogue, if it has the token. */
  symbol?: string;
  /** Null until a block or the catalogue has the token: its decimals are not known, so amounts count its smallest unit. */
  divisibility: number | null;
  available: string;
}

export function tokensOf({ btc, runes }: Balance): Held[] {
  const known = (runes ?? []).flatMap(({ runeId, name, divisibility, available }): Held[] => {
    if (runeId === null) return [];
    const entry = catalogued(runeId);
    return [{ tokenId: runeId, name, divisibility: divisibility ?? entry?.divisibility ?? null, available, ...(entry && { symbol: entry.symbol }) }];
  });
  return [{ tokenId: BTC, name: 'BTC', divisibility: 8, available: String(btc.available) }, ...known];
}

/** The name of a token, with the symbol that the catalogue has for it. */
export const titleOf = ({ name, symbol }: Held): string => (symbol === undefined || symbol === name ? name : `${name} (${symbol})`);

const unitOf = ({ divisibility, name }: Held): string => (divisibility === null ? `of the smallest unit of ${name}` : name);

export const amountOf = (token: Held | undefined, amount: string): string =>
  (token ? `${units(amount, token.divisibility ?? 0)} ${unitOf(token)}` : `${amount} units`);

/** How an amount of a token is typed. */
export const ruleOf = (token: Held): AmountRule =>
  (token.tokenId === BTC ? BITCOIN : { decimals: token.divisibility ?? 0, unit: unitOf(token) });

const signedHere = (txId: string) => `signed ${txId}`;

/** Keeps a signed transaction in this tab, so that it can be replaced. */
export function keepSigned(txId: string, base64Psbt: string): void {
  sessionStorage.setItem(signedHere(txId), base64Psbt);
}

/**
 * All versions of a transaction that this tab has signed, the newest last.
 *
 * @throws if another page signed one of them.
 */
export function versionsOf(row: OwnTransaction, all: readonly OwnTransaction[]): [...SignedVersion[], SignedVersion] {
  const newest = signedVersion(row.txId);
  const earlier: SignedVersion[] = [];
  for (let txId = row.replaceTxId; txId !== null; txId = all.find((other) => other.txId === txId)?.replaceTxId ?? null) {
    earlier.unshift(signedVersion(txId));
  }
  return [...earlier, newest];
}

function signedVersion(txId: string): SignedVersion {
  const base64Psbt = sessionStorage.getItem(signedHere(txId));
  if (base64Psbt === null) {
    throw new Error(`This tab did not sign ${txId}. Replace it where it was signed: the client compares a replacement with what was signed.`);
  }
  return { txId, base64Psbt };
}
