/**
 * Exports of the account's history to files.
 *
 * @packageDocumentation
 */

import { type Api, call, type CallOptions, pause, type Schemas } from './api.js';
import { clientError } from './error.js';
import { notify } from './exchange.js';
import { rows } from './lists.js';

/** Format and filter of an export: `{format: "csv", filter?: {chain?, type?, from?, to?}}`. */
export type ExportRequest = Schemas['CreateDownloadHistory'];

/** An export with its status. */
export type Export = Schemas['DownloadHistory'];

/** Options of {@link watchExport}. */
export interface ExportWatchOptions {
  /** Milliseconds between two polls; default: 2,000. */
  readonly interval?: number | undefined;
  /** Stops watching. The export itself continues. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link exportHistory}. */
export interface ExportOptions extends ExportWatchOptions {
  /** Receives the export at each poll, with `status` and the current `rowCount`. */
  readonly onProgress?: ((row: Export) => void) | undefined;
}

/**
 * Requests an export of the account's history.
 *
 * @example
 * const { id } = await requestExport(api, { format: 'csv', filter: { type: 'swap' } });
 */
export async function requestExport(api: Api, request: ExportRequest, options: CallOptions = {}): Promise<Export> {
  return (await call(api, 'post', '/api/download-histories', { ...options, body: request })).data;
}

/**
 * Polls an export and yields each state. The last one is completed, failed or expired.
 *
 * @throws {@link RuneportError} `client.exportFailed` if the account has no such export.
 *
 * @example
 * for await (const { status, rowCount } of watchExport(api, id)) console.log(status, rowCount);
 */
export async function* watchExport(
  api: Api,
  id: string,
  { interval = 2_000, signal }: ExportWatchOptions = {},
): AsyncGenerator<Export, void, undefined> {
  for (;;) {
    const row = await find(api, id, signal);
    yield row;
    if (isOver(row)) return;
    await pause(interval, signal);
  }
}

/**
 * Requests an export of the account's history and waits for its file.
 *
 * @returns The completed export; its `url` is valid for 15 minutes.
 * @throws {@link RuneportError} `client.exportFailed`, or an error of `POST /api/download-histories`.
 *
 * @example
 * const { url } = await exportHistory(api, { format: 'csv' }, { onProgress: ({ rowCount }) => console.log(rowCount) });
 */
export async function exportHistory(
  api: Api,
  request: ExportRequest,
  { onProgress, ...options }: ExportOptions = {},
): Promise<Export> {
  const asked = await requestExport(api, request, { signal: options.signal });
  notify(onProgress, asked);
  for await (const row of watchExport(api, asked.id, options)) {
    notify(onProgress, row);
    if (row.status === 'completed') return row;
    if (isOver(row)) throw clientError('client.exportFailed', row.error ?? `The export has ${row.status}. Request a new one.`);
  }
  throw clientError('client.exportFailed', 'The export no longer exists. Request a new one.');
}

function isOver({ status }: Export): boolean {
  return status === 'completed' || status === 'failed' || status === 'expired';
}

async function find(api: Api, id: string, signal: AbortSignal | undefined): Promise<Export> {
  const query = { sort: '-createdAt', pageSize: 20 };
  for await (const row of rows(api, '/api/download-histories', query, { signal })) {
    if (row.id === id) return row;
  }
  throw clientError('client.exportFailed', `The account has no export ${id}.`);
}
