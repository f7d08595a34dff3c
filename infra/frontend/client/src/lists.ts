import type { PathsWithMethod } from 'openapi-typescript-helpers';

import { type Answer, type Api, call, type CallOptions, type Schemas } from './api.js';
import type { paths } from './generated/openapi.js';

/** The paths that return lists in pages. */
export type ListPath = {
  [P in PathsWithMethod<paths, 'get'>]: Answer<'get', P> extends { data: unknown[]; metaData: Schemas['MetaData'] } ? P : never;
}[PathsWithMethod<paths, 'get'>];

/** `page`, `pageSize`, `sort`, `select`, `populate`, and the filters of a list. */
export type ListQuery<P extends ListPath> = NonNullable<paths[P]['get']['parameters']['query']>;

/** One page of a list, as the envelope of its call. */
export type Page<P extends ListPath> = Answer<'get', P>;

/** A row of a list. With `select`, some of its fields may be missing. */
export type Row<P extends ListPath> = Page<P> extends { data: (infer R)[] } ? R : never;

/**
 * The pages of a list, starting at `query.page`. Each page is requested when it is needed, so a row that
 * is added during the iteration can shift others: they may appear twice or not at all.
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
    // `ListPath` already ensures that the path has a GET, and the type of its query.
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
 * The rows of a list, from all its pages; see {@link pages}.
 *
 * @throws {@link RuneportError} The same as {@link pages}.
 */
export async function* rows<P extends ListPath>(
  api: Api,
  path: P,
  query?: ListQuery<P>,
  options: CallOptions = {},
): AsyncGenerator<Row<P>, void, undefined> {
  for await (const page of pages(api, path, query, options)) yield* (page as { data: Row<P>[] }).data;
}
