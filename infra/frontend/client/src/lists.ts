import type { PathsWithMethod } from 'openapi-typescript-helpers';

import { type Answer, type Api, call, type CallOptions, type Schemas } from './api.js';
import type { paths } from './generated/openapi.js';

/** The paths that answer lists in pages. */
export type ListPath = {
  [P in PathsWithMethod<paths, 'get'>]: Answer<'get', P> extends { data: unknown[]; metaData: Schemas['MetaData'] } ? P : never;
}[PathsWithMethod<paths, 'get'>];

/** `page`, `pageSize`, `sort`, `select`, `populate`, and the filters of a list. */
export type ListQuery<P extends ListPath> = NonNullable<paths[P]['get']['parameters']['query']>;

/** A page of a list. */
export type Page<P extends ListPath> = Answer<'get', P>;

/** A row of a list: all of its fields, unless `select` leaves some out. */
export type Row<P extends ListPath> = Page<P> extends { data: (infer R)[] } ? R : never;

/**
 * The pages of a list, from `query.page` on. Each is asked for when it is wanted, so rows that come
 * to the list meanwhile may show twice, or not.
 *
 * @throws {@link RuneportError} `common.validation` for an unknown field, …
 */
export async function* pages<P extends ListPath>(
  api: Api,
  path: P,
  query?: ListQuery<P>,
  options: CallOptions = {},
): AsyncGenerator<Page<P>, void, undefined> {
  const from = query as { page?: number } | undefined;
  for (let page = from?.page ?? 1; ; page += 1) {
    // That a path of a list is one of GET, and what its query is, `ListPath` says.
    const get = call as unknown as GetPage<P>;
    const answer = await get(api, 'get', path, { ...options, params: { query: { ...query, page } } });
    yield answer;
    const { currentPage, totalPages } = (answer as { metaData: Schemas['MetaData'] }).metaData;
    if (currentPage >= totalPages) return;
  }
}

type GetPage<P extends ListPath> = (
  api: Api,
  method: 'get',
  path: P,
  init: CallOptions & { params: { query: object } },
) => Promise<Page<P>>;

/**
 * The rows of a list, page after page. See {@link pages}.
 *
 * @throws {@link RuneportError} As {@link pages}.
 */
export async function* rows<P extends ListPath>(
  api: Api,
  path: P,
  query?: ListQuery<P>,
  options: CallOptions = {},
): AsyncGenerator<Row<P>, void, undefined> {
  for await (const page of pages(api, path, query, options)) yield* (page as { data: Row<P>[] }).data;
}
