// The answers of `/api/support`.

import type { Schemas } from '@runeport/client';

/** A token of the catalogue, as `populate=token` adds it; null if the catalogue lacks it. */
export type Token = { symbol?: string; divisibility?: number | null } | null;

export type Transaction = Schemas['TransactionRow'] & { token?: Token };
export type Deposit = Schemas['DepositRow'];
export type CrossChain = Omit<Schemas['XchainRow'], 'replaceTxId' | 'replacedByTxId'> & { inputToken?: Token; outputToken?: Token };
export type Batch = Schemas['VmTransactionRow'];
export type Export = Omit<Schemas['DownloadHistory'], 'url' | 'urlExpiresAt'>;
export type Activity = Required<Schemas['ListedActivityRow']>;
/** A webhook without its URL, which may contain a secret. */
export type Webhook = Omit<Schemas['WebhookRow'], 'url' | 'scope' | 'secret' | 'earlierSecretUntil'> & {
  /** The host that receives the events. */
  host: string;
};
export type Delivery = Schemas['WebhookDelivery'];

export interface Hit {
  kind: 'account' | 'transaction' | 'batch' | 'refund' | 'payout' | 'crossChain' | 'mint' | 'export';
  id: string;
  /** Whom it belongs to; null if to the platform. */
  accountId: string | null;
  email: string | null;
  foundBy: string;
  /** Whether the hub has confirmed a cross-chain transaction; null for everything else. */
  verified: boolean | null;
  state: string;
  createdAt: number;
}

export interface Found {
  data: Hit[];
  metaData: {
    /** How the text was understood. */
    forms: string[];
    /** If the text may be a request id: the query that finds it in the logs. */
    logsQuery: string | null;
  };
}

interface Address {
  address: string;
  chain: string;
}

export interface Account {
  id: string;
  createdAt: number;
  status: 'active' | 'disabled';
  role: string;
  authMethod: 'srp' | 'passkey' | 'wallet';
  email: string | null;
  emailVerified: boolean;
  wallet: Address | null;
  addresses: Address[];
  /** The sign-in wallets before rotations. */
  earlierAddresses: Address[];
  tradingAddress: string | null;
  hasKeystore: boolean;
  totpEnabled: boolean;
  passkeys: number;
  referralCode: string;
  referredBy: string | null;
  lastSignInAt: number | null;
  failedProofs: { hour: number; lastAt: number; password: number; secondFactor: number; passkey: number; wallet: number; emailToken: number }[];
  /** The limits that the account has begun to use up. */
  limits: { name: string; counts: string; most: number; left: number; until: number }[];
  counts: Record<string, number>;
}

/** One transaction of any account. */
export type OneTransaction = Transaction & {
  expiresAt: number | null;
  confirmations: number | null;
  isFinal: boolean;
  history: { state: string; at: number }[];
  accountId: string;
  email: string | null;
  /** What the worker has noted, if it could not take the row further. */
  failing: { times: number; since: number; stuckAt: number | null; cause: string } | null;
  /** Why the platform does not sign: it would do something else than was promised, or a rule forbids it. */
  blocked: 'promise' | 'permission' | null;
};

export interface StuckRow {
  /** The key of the row. */
  id: string;
  kind: string;
  accountId: string | null;
  /** Empty for rows without one. */
  state: string;
  since: number;
  stuckAt: number | null;
  failures: number;
  cause: string;
}

export interface Queue {
  kind: string;
  waiting: number;
  stuck: number;
}

export interface Payout {
  id: string;
  mintId: string;
  number: number;
  leg: 'transfer' | 'distribution';
  state: 'planned' | 'issued' | 'sent';
  batches: number;
  requests: number;
  txId: string | null;
  sentAt: number | null;
  createdAt: number;
}

/** A read of an account's data by an admin. */
export interface Read {
  id: string;
  adminId: string;
  /** Whose data was answered. */
  accountIds: string[];
  read: string;
  /** What was searched for, the txid, or the webhook's id. */
  query: string | null;
  at: number;
  requestId: string;
}

/** A page of a list by number. */
export interface Paged<T> {
  data: T[];
  metaData: { totalItems: number; currentPage: number; totalPages: number; asOf?: number };
}

/** A page of a list by position. */
export interface Before<T> {
  data: T[];
  metaData: { next: string | null };
}

/** What each path answers. */
export interface Answers {
  '/api/support/search': Found;
  '/api/support/accounts/{accountId}': { data: Account };
  '/api/support/accounts/{accountId}/transactions': Paged<Transaction>;
  '/api/support/accounts/{accountId}/cross-chain': Paged<CrossChain>;
  '/api/support/accounts/{accountId}/deposits': Paged<Deposit>;
  '/api/support/accounts/{accountId}/batches': Paged<Batch>;
  '/api/support/accounts/{accountId}/refunds': Paged<Transaction>;
  '/api/support/accounts/{accountId}/exports': Paged<Export>;
  '/api/support/accounts/{accountId}/activity': Paged<Activity>;
  '/api/support/accounts/{accountId}/webhooks': { data: Webhook[] };
  '/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries': Before<Delivery>;
  '/api/support/transactions/{txId}': { data: OneTransaction };
  '/api/support/stuck': Paged<StuckRow> & { metaData: { queues: Queue[] } };
  '/api/support/payouts': { data: Payout[] };
  '/api/support/reads': Before<Read>;
}
