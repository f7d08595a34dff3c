// Checks the types: `npm test` compiles this file but does not run it.

import { type Api, call, pages, rows, type RuneportError, type Schemas, type TokenStore } from '@runeport/client';
import { createDeposit, type DepositPlace, VENUE_DEPLOYMENTS } from '@runeport/client/venue';

export async function answers(api: Api): Promise<void> {
  const { data, metaData } = await call(api, 'get', '/api/prizes', { params: { query: { page: 2, sort: '-prizeNumber' } } });
  metaData.totalItems satisfies number;
  // `select` may leave out every field except the id.
  data[0]?.name satisfies string | undefined;
  data[0]?.id satisfies string | undefined;
  (await call(api, 'post', '/api/account/2fa/setup')).data.otpauthUri satisfies string;
  (await call(api, 'get', '/.well-known/jwks.json')).keys satisfies Schemas['Jwk'][];
  (await call(api, 'get', '/api/perp-venue/status', { params: { query: { userAddress: '0x' } } })).metaData.gates satisfies string[];
  await call(api, 'delete', '/api/account/passkeys/{id}', { params: { path: { id: 'x' } }, signal: AbortSignal.timeout(1) });
  for await (const row of rows(api, '/api/xchain/transactions', { relatedAddress_eq: 'x' })) row.status satisfies string | undefined;
  for await (const page of pages(api, '/api/tokens')) page.metaData.currentPage satisfies number;
}

export async function mistakes(api: Api): Promise<void> {
  // @ts-expect-error The body lacks fields.
  await call(api, 'post', '/api/xchain/transaction', { body: { type: 'xchain-withdraw' } });
  // @ts-expect-error The path needs its parameter.
  await call(api, 'delete', '/api/account/passkeys/{id}');
  // @ts-expect-error The path does not have this method.
  await call(api, 'get', '/api/account/passkeys/init');
  // @ts-expect-error The path does not exist.
  await call(api, 'get', '/api/nothing');
  // @ts-expect-error The filter does not exist.
  await call(api, 'get', '/api/prizes', { params: { query: { name_eq: 'x' } } });
  // @ts-expect-error The path does not return a list.
  for await (const row of rows(api, '/api/account/me')) void row;
}

export const store: TokenStore = { get: async () => undefined, set: async () => {} };
export const codeOf = ({ code, message, errors, retryAfter }: RuneportError): unknown => [code, message, errors[0]?.field, retryAfter];

const own = { usdcToken: '0x1', depositContract: '0x2' };
export const places: DepositPlace[] = [{}, { chainId: 999 }, { chainId: 31_337, deployment: own }];
// @ts-expect-error `deployment` requires `chainId`.
export const nowhere: DepositPlace = { deployment: own };
export const deposit = (api: Api): unknown =>
  createDeposit(api, { userAddress: '0x', amount: '1' }, { chainId: 998, signal: AbortSignal.timeout(1) });
VENUE_DEPLOYMENTS[998]?.usdcToken satisfies string | undefined;
