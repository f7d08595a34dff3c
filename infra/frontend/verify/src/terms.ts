import { Problem } from '../../recovery/src/problem.js';

/** What a mint has promised in public. */
export interface Terms {
  readonly id: string;
  readonly runeId: string;
  readonly runeName: string;
  readonly state: string;
  readonly treasuryAddress: string;
  readonly poolAddress: string;
  readonly proceedsAddress: string;
  /** In the rune's smallest unit. */
  readonly tokensPerRequest: bigint;
  readonly totalRequests: number;
  readonly requestsPerBlock: number;
  readonly minSatsPerRequest: number;
  /** Ms since the epoch. */
  readonly createdAt: number;
  readonly closesAt: number;
}

/** A batch as the service lists it. Prices are the service's word. */
export interface Row {
  readonly txId: string;
  readonly mintId: string;
  readonly replaceTxId: string | undefined;
  readonly tradingAddress: string;
  readonly satsPerNewRequest: number;
  readonly satsNewRequests: number;
  readonly replacedRequestsCount: number;
  readonly satsPreviousRequests: number;
  readonly requestsInBlocksCount: number;
  readonly paidSats: number;
}

/** A virtual block. Prices are in sats. */
export interface Block {
  readonly height: number;
  readonly requests: number;
  readonly batches: number;
  readonly lowestPrice: number;
  readonly averagePrice: number;
  readonly highestPrice: number;
}

type Json = Readonly<Record<string, unknown>>;

function field<T>(json: Json, name: string, is: (value: unknown) => value is T): T {
  const value = json[name];
  if (!is(value)) throw new Problem(`The service's answer has no valid ${name}. Save it again from the address in the guide.`);
  return value;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isDigits = (value: unknown): value is string => typeof value === 'string' && /^\d{1,39}$/.test(value);
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositive = (value: unknown): value is number => isNumber(value) && value > 0;

export function termsOf(json: Json): Terms {
  return {
    id: field(json, 'id', isText),
    runeId: field(json, 'runeId', isText),
    runeName: field(json, 'runeName', isText),
    state: field(json, 'state', isText),
    treasuryAddress: field(json, 'treasuryAddress', isText),
    poolAddress: field(json, 'poolAddress', isText),
    proceedsAddress: field(json, 'proceedsAddress', isText),
    tokensPerRequest: BigInt(field(json, 'tokensPerRequest', isDigits)),
    totalRequests: field(json, 'totalRequests', isPositive),
    requestsPerBlock: field(json, 'requestsPerBlock', isPositive),
    minSatsPerRequest: field(json, 'minSatsPerRequest', isNumber),
    createdAt: field(json, 'createdAt', isNumber),
    closesAt: field(json, 'closesAt', isNumber),
  };
}

export function rowOf(json: Json): Row {
  return {
    txId: field(json, 'txId', isText),
    mintId: field(json, 'mintId', isText),
    replaceTxId: isText(json['replaceTxId']) ? json['replaceTxId'] : undefined,
    tradingAddress: field(json, 'tradingAddress', isText),
    satsPerNewRequest: field(json, 'satsPerNewRequest', isPositive),
    satsNewRequests: field(json, 'satsNewRequests', isPositive),
    replacedRequestsCount: field(json, 'replacedRequestsCount', isNumber),
    satsPreviousRequests: field(json, 'satsPreviousRequests', isNumber),
    requestsInBlocksCount: field(json, 'requestsInBlocksCount', isNumber),
    paidSats: field(json, 'paidSats', isNumber),
  };
}

export function blockOf(json: Json): Block {
  return {
    height: field(json, 'height', isNumber),
    requests: field(json, 'requests', isNumber),
    batches: field(json, 'batches', isNumber),
    lowestPrice: field(json, 'lowestPrice', isNumber),
    averagePrice: field(json, 'averagePrice', isNumber),
    highestPrice: field(json, 'highestPrice', isNumber),
  };
}
