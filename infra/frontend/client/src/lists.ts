import { type Api, call, type CallOptions, type Schemas } from './api.js';
import type { ListPath, ListQuery, Page, Row } from './rows.js';

/**
 * The pages of a list, starting at `query.page`. Each page is requested when it is needed. Rows that are added during the
 * iteration are left out: after the first page, the list stays as it was then. Only lists whose rows come and go cannot be
 * frozen (coins, and batches filtered by state): rows of them may appear twice or not at all.
 *
 * @throws {@link RuneportError} `common.validation` for an unknown field, …
 *
 * @example
 * for await (const { data, metaData } of pages(api, '/api/tokens', { pageSize: 100 })) console.log(metaData.currentPage, data.length);
 */
export async function* pages<P extends ListPath, const Select extends string = '', const Populate extends string = ''>(
  api: Api,
  path: P,
  query?: ListQuery<P, Select, Populate>,
  options: CallOptions = {},
): AsyncGenerator<Page<P, Select, Populate>, void, undefined> {
  const from = query as { page?: number; asOf?: number } | undefined;
  let frozen = {};
  for (let page = from?.page ?? 1; ; page += 1) {
    // `ListPath` already ensures that the path has a GET, and the type of its query.
    const get = call as unknown as GetPage<Page<P, Select, Populate>>;
    const answer = await get(api, 'get', path, { ...options, params: { query: { ...query, ...frozen, page } } });
    yield answer;
    const { asOf, currentPage, totalPages } = (answer as unknown as { metaData: Schemas['MetaData'] }).metaData;
    if (currentPage >= totalPages) return;
    if (asOf !== undefined) frozen = { asOf };
  }
}

type GetPage<Answered> = (
  api: Api,
  method: 'get',
  path: ListPath,
  init: CallOptions & { params: { query: object } },
) => Promise<Answered>;

/**
 * The rows of a list, from all its pages; see {@link pages}.
 *
 * @throws {@link RuneportError} The same as {@link pages}.
 *
 * @example
 * for await (const { change, createdAt } of rows(api, '/api/account/activity', { select: 'change,createdAt' })) console.log(change, createdAt);
 */
export async function* rows<P extends ListPath, const Select extends string = '', const Populate extends string = ''>(
  api: Api,
  path: P,
  query?: ListQuery<P, Select, Populate>,
  options: CallOptions = {},
): AsyncGenerator<Row<P, Select, Populate>, void, undefined> {
  for await (const page of pages(api, path, query, options)) yield* page.data;
}
