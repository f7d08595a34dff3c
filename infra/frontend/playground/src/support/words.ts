// What a support person reads aloud: where a thing is, in one sentence.

import { ago, count, plural, short, units, when } from '../lib/format.ts';
import type {
  Account, Batch, CrossChain, Deposit, Export, Hit, OneTransaction, Payout, Read, Token, Transaction, Webhook,
} from './shapes.ts';

/** After so many confirmations, the service counts a transaction as permanent. */
export const FINAL_AFTER = 7;

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const day = (time: number): string => new Date(time).toDateString();

/** A time of today as `12:04`, any other with its date. */
export const timeOf = (time: number, now: number): string => (day(time) === day(now) ? clock.format(time) : when(time));

/** The states of a transaction that can still change without a reorganisation. */
const UNDER_WAY: readonly string[] = ['unsigned', 'signing', 'broadcasting', 'inMempool'];
export const isUnderWay = ({ state }: Pick<Transaction, 'state'>): boolean => UNDER_WAY.includes(state);

/** The id of bitcoin among the tokens. */
export const BTC = '0:0';

/** An amount that a transaction pays, with its token. */
export function amountOf(tokenId: string | null, amount: string | null, token?: Token): string | undefined {
  if (tokenId === null || amount === null) return undefined;
  if (tokenId === BTC) return `${units(amount, 8)} BTC`;
  const known = token?.divisibility;
  return known === undefined || known === null
    ? `${units(amount, 0)} in the smallest unit of ${short(tokenId)}`
    : `${units(amount, known)} ${token?.symbol ?? short(tokenId)}`;
}

export const TYPES: Record<Transaction['type'], string> = {
  withdraw: 'Withdrawal to a Bitcoin address',
  'xchain-withdraw': 'Withdrawal through the hub',
  'renew-utxo': 'Renewal of coins',
  virtual_mint: 'Batch of a mint',
  refund: 'Refund',
};

/** How deep a block has buried a transaction. */
const depth = (confirmations: number): string => `${count(confirmations)} of ${FINAL_AFTER} confirmations`;

/**
 * Where a transaction of an account is. A row of a list says less than the transaction itself, which has a history and what
 * the worker noted.
 */
export function whereIs(row: Transaction | OneTransaction, now: number): string {
  const one = 'history' in row ? row : undefined;
  // Of rows of lists: when it was signed or, if it is not, created.
  const since = one?.history.findLast(({ state }) => state === row.state)?.at ?? row.createdAt;
  return [place(row, one, since, now), one && trouble(one, now)].filter(Boolean).join(' ');
}

function place(row: Transaction, one: OneTransaction | undefined, since: number, now: number): string {
  const at = timeOf(since, now);
  switch (row.state) {
    case 'unsigned': {
      const end = one?.expiresAt ? ` If it is not signed, it ends at ${timeOf(one.expiresAt, now)}.` : '';
      return `Waits for the customer’s signature since ${at}.${end}`;
    }
    case 'signing': return `The customer signed it at ${at}. It waits for the platform’s signature.`;
    case 'broadcasting': return `Signed by the customer and the platform. The service has been sending it to the network since ${at}.`;
    case 'inMempool': return `Broadcast ${ago(since, now)}. No block has it yet: 0 of ${FINAL_AFTER} confirmations.`;
    case 'confirmed': {
      const block = row.blockHeight === null ? 'a block' : `block ${count(row.blockHeight)}`;
      if (one?.isFinal) return `Confirmed in ${block}, permanently.`;
      return one?.confirmations ? `Confirmed in ${block}: ${depth(one.confirmations)}.` : `Confirmed in ${block}.`;
    }
    case 'expired': return 'Ended: it was not signed in time, or not signed correctly. Its coins are free again.';
    case 'replaced': return row.replacedByTxId === null
      ? 'Replaced by another version of it.'
      : `Replaced by the version ${short(row.replacedByTxId, 6)}.`;
    case 'failed': return 'Failed: another transaction has spent its coins, or one of them has been missing for a day.';
  }
}

const BLOCKED: Record<NonNullable<OneTransaction['blocked']>, string> = {
  promise: 'The platform does not sign it: a coin is gone, or it would no longer do what was promised.',
  permission: 'The platform does not sign it: a rule forbids it.',
};

/** What keeps a transaction from going on. */
function trouble({ failing, blocked }: OneTransaction, now: number): string {
  return [
    blocked !== null && BLOCKED[blocked],
    failing !== null && `${failing.stuckAt === null ? 'The worker has failed' : 'It is stuck: the worker has failed'} ${plural(failing.times, 'time')} since ${timeOf(failing.since, now)}: ${sentence(failing.cause)}`,
  ].filter(Boolean).join(' ');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Where a swap, or a withdrawal on the hub's side, is. */
export function whereIsCrossChain(row: CrossChain, now: number): string {
  const at = timeOf(row.updatedAt, now);
  switch (row.status) {
    case 'registered': return `Registered at ${timeOf(row.createdAt, now)}. The hub has not confirmed it yet.`;
    case 'pending': return row.type === 'swap'
      ? `The hub knows it, and has waited for its first transaction since ${at}.`
      : `The hub has not been told of it yet, or waits for its Bitcoin transaction. Last change at ${at}.`;
    case 'relaying': return `On its way to the hub’s chain since ${at}.`;
    case 'relayed': return `On the hub’s chain since ${at}. No solver has begun to fill it.`;
    case 'solving': return `A solver has been filling it since ${at}.`;
    case 'filled': return `Completed at ${at}.`;
    case 'failed': return [
      `Failed at ${at}${row.failedAtStep ? `, at the step ${row.failedAtStep}` : ''}.`, row.failureReason && sentence(row.failureReason),
    ].filter(Boolean).join(' ');
    case 'refunded': return `Not completed. The input was returned at ${at}.`;
  }
}

export function whereIsDeposit(row: Deposit, now: number): string {
  const block = row.blockHeight === null ? 'a block' : `block ${count(row.blockHeight)}`;
  const seen = timeOf(row.seenAt ?? row.createdAt, now);
  switch (row.state) {
    case 'awaited': return `Announced at ${timeOf(row.createdAt, now)}. The network does not know the transaction yet.`;
    case 'seen': return `Seen at ${seen}. No block has it yet.`;
    case 'confirmed': return `In ${block}: ${depth(row.confirmations)}.`;
    case 'final': return `In ${block}, permanently.`;
    case 'gone': return 'Gone: the network no longer knows its transaction, or never did.';
  }
}

export function whereIsBatch(row: Batch, now: number): string {
  const waiting = plural(row.requestsInMempoolCount, 'request');
  const taken = plural(row.requestsInBlocksCount, 'request');
  switch (row.state) {
    case 'unsigned': return `Waits for the customer’s signature since ${timeOf(row.createdAt, now)}.`;
    case 'broadcasting': return `Signed at ${timeOf(row.createdAt, now)}, and on its way to the network.`;
    case 'allInMempool': return `${waiting} of it wait for a virtual block.`;
    case 'partiallyInBlock': return `${taken} of it are in virtual blocks, ${count(row.requestsInMempoolCount)} wait.`;
    case 'allInBlock': return `All its requests (${count(row.requestsInBlocksCount)}) are in virtual blocks.`;
    case 'distributing': return 'The mint is minted out, and its runes are being sent.';
    case 'distributed': return row.distributeRuneAt === null ? 'Its runes have arrived.' : `Its runes were sent at ${timeOf(row.distributeRuneAt, now)}, and have arrived.`;
    case 'notTaken': return 'The mint has ended, and took none of its requests.';
    case 'expired': return 'Ended: it was not signed in time, or not signed correctly.';
    case 'replaced': return 'Replaced by a later batch.';
    case 'failed': return 'Failed: another transaction has spent its coins.';
  }
}

const REFUNDS: Record<Batch['refundState'], string | undefined> = {
  none: undefined, open: 'A refund waits for a signature.', broadcast: 'A refund is on its way.', refunded: 'Refunded.',
};

/** What a batch did not spend, and whether it went back. */
export function refundOf({ notTakenSats, refundState, isRefundable }: Batch): string | undefined {
  return REFUNDS[refundState] ?? (isRefundable ? `${count(notTakenSats)} sats can be refunded.` : undefined);
}

export function whereIsExport(row: Export, now: number): string {
  switch (row.status) {
    case 'pending': return `Requested at ${timeOf(row.createdAt, now)}. No worker has started it.`;
    case 'processing': return `A worker is writing the file: ${plural(row.rowCount, 'row')} so far.`;
    case 'completed': return `Ready${row.completedAt ? ` since ${timeOf(row.completedAt, now)}` : ''}: ${plural(row.rowCount, 'row')}, ${plural(row.sizeBytes, 'byte')}.`;
    case 'failed': return ['Failed.', row.error && sentence(row.error)].filter(Boolean).join(' ');
    case 'expired': return 'The file was deleted, after seven days or by its owner.';
  }
}

const OFF: Record<NonNullable<Webhook['offReason']>, string> = {
  owner: 'Switched off by its owner.',
  gone: 'Switched off: its receiver answered 410.',
  failing: 'Switched off: nothing was delivered for five days.',
  disabled: 'Switched off by an operator.',
};

export function howIsWebhook(row: Webhook, now: number): string {
  const failures = row.failures && `It has failed ${plural(row.failures.tries, 'time')} since ${timeOf(row.failures.since, now)}: ${sentence(row.failures.cause)} It tries again at ${timeOf(row.failures.nextAt, now)}.`;
  const state = row.state === 'off' ? (row.offReason === null ? 'Off.' : OFF[row.offReason])
    : row.state === 'unverified' ? 'Its receiver has not confirmed it yet, so events wait.'
      : failures ? 'On.' : 'On, and its last attempt succeeded or has not been made yet.';
  return row.state === 'off' || !failures ? state : `${state} ${failures}`;
}

export const KINDS: Record<Hit['kind'], string> = {
  account: 'Account',
  transaction: 'Transaction',
  batch: 'Batch of a mint',
  refund: 'Refund',
  payout: 'Payout of the platform',
  crossChain: 'Swap or hub withdrawal',
  mint: 'Mint',
  export: 'Export',
};

const FOUND_BY: Record<string, string> = {
  email: 'has this e-mail address',
  accountId: 'has this id',
  signInWallet: 'signs in with this address',
  linkedAddress: 'has linked this address',
  retiredAddress: 'signed in with this address earlier',
  tradingAddress: 'has this trading address',
  relatedAddress: 'pays or is paid at this address',
  txId: 'has this transaction id',
  intentHash: 'has this intent',
  sourceTx: 'has this transaction on its source chain',
  mintId: 'has this id',
  exportId: 'has this id',
  payoutId: 'has this id',
};

/** Why a search has found something. */
export const foundBy = ({ foundBy: by, verified }: Hit): string => (
  `${FOUND_BY[by] ?? by}${verified === false ? ', registered by this account, but not confirmed by the hub' : ''}`
);

const FORMS: Record<string, string> = {
  email: 'an e-mail address', uuid: 'an id', address: 'an address', hash: 'a transaction id', payoutId: 'the id of a payout', requestId: 'a request id',
};

/** How the service understood what was searched for. */
export function readAs(forms: readonly string[]): string {
  const names = forms.map((form) => FORMS[form] ?? form);
  return names.length === 0
    ? 'This is no e-mail address, address, account id, transaction id or request id.'
    : `Read as ${names.join(' or ')}.`;
}

const METHODS: Record<Account['authMethod'], string> = { srp: 'Password', passkey: 'Passkey', wallet: 'Wallet' };
export const methodOf = ({ authMethod }: Account): string => METHODS[authMethod];

/** The failed proofs of the last day, which say whether somebody is locked out or attacked; undefined if there are none. */
export function failedProofs({ failedProofs: hours }: Account, now: number): string | undefined {
  const recent = hours.filter(({ lastAt }) => now - lastAt < 86_400_000);
  const kinds = [
    ['password', 'wrong password'], ['secondFactor', 'wrong code'], ['passkey', 'refused passkey'], ['wallet', 'wrong signature'], ['emailToken', 'wrong link of a mail', 'wrong links of mails'],
  ] as const;
  const said = kinds.flatMap(([kind, one, many]) => {
    const sum = recent.reduce((all, hour) => all + hour[kind], 0);
    return sum === 0 ? [] : [plural(sum, one, many)];
  });
  if (said.length === 0) return undefined;
  return `${said.join(', ')}, the last at ${timeOf(Math.max(...recent.map(({ lastAt }) => lastAt)), now)}`;
}

/** The limits that refuse the account now. */
export function refusedBy({ limits }: Account, now: number): string[] {
  return limits.filter(({ left, until }) => left <= 0 && until > now)
    .map(({ counts, most, until }) => `${counts}: all ${count(most)} are used up until ${timeOf(until, now)}`);
}

export function whereIsPayout(row: Payout, now: number): string {
  switch (row.state) {
    case 'planned': return `Planned at ${timeOf(row.createdAt, now)}. It has no transaction yet.`;
    case 'issued': return 'It has a transaction, which the network has not shown yet.';
    case 'sent': return `Sent${row.sentAt === null ? '' : ` at ${timeOf(row.sentAt, now)}`}, and not final yet.`;
  }
}

const READS: Record<string, string> = {
  search: 'Search', account: 'Account', transactions: 'Transactions', crossChain: 'Swaps and hub withdrawals', deposits: 'Deposits', batches: 'Batches',
  refunds: 'Refunds', exports: 'Exports', activity: 'Activity', webhooks: 'Webhooks', deliveries: 'Deliveries of a webhook',
  transaction: 'One transaction', stuck: 'Stuck rows', payouts: 'Payouts', reads: 'This record',
};
export const whatWasRead = ({ read }: Read): string => READS[read] ?? read;
