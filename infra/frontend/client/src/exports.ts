/**
 * Exports of one's own history to files.
 *
 * @packageDocumentation
 */

import { type Api, call, type CallOptions, pause, type Schemas, tell } from './api.js';
import { clientError } from './error.js';
import { rows } from './lists.js';

/** What is exported: `{format: "csv", filter?: {chain?, type?, from?, to?}}`. */
export type ExportRequest = Schemas['CreateDownloadHistory'];

/** An export, and where it stands. */
export type Export = Schemas['DownloadHistory'];

/** How an export is watched. */
export interface WatchOptions {
  /** Milliseconds between two looks; 2,000 unless given. */
  readonly interval?: number | undefined;
  /** Ends it. The export goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What {@link exportHistory} takes beside the request. */
export interface ExportOptions extends WatchOptions {
  /** Is told at each look: `status`, and `rowCount` so far. */
  readonly onProgress?: ((row: Export) => void) | undefined;
}

/** Asks for a file of one's own history. */
export async function requestExport(api: Api, request: ExportRequest, options: CallOptions = {}): Promise<Export> {
  return (await call(api, 'post', '/api/download-histories', { ...options, body: request })).data;
}

/**
 * An export, looked at again and again until it is completed, failed or expired; the last one is that.
 *
 * @throws {@link RuneportError} `client.exportFailed` where the account has no such export.
 */
export async function* watchExport(
  api: Api,
  id: string,
  { interval = 2_000, signal }: WatchOptions = {},
): AsyncGenerator<Export, void, undefined> {
  for (;;) {
    const row = await find(api, id, signal);
    yield row;
    if (isOver(row)) return;
    await pause(interval, signal);
  }
}

/**
 * Asks for a file of one's own history, and waits until it is there.
 *
 * @returns The completed export: `url` is a link of 15 minutes.
 * @throws {@link RuneportError} `client.exportFailed`; what `POST /api/download-histories` refuses.
 */
export async function exportHistory(
  api: Api,
  request: ExportRequest,
  { onProgress, ...options }: ExportOptions = {},
): Promise<Export> {
  const asked = await requestExport(api, request, { signal: options.signal });
  tell(onProgress, asked);
  for await (const row of watchExport(api, asked.id, options)) {
    tell(onProgress, row);
    if (row.status === 'completed') return row;
    if (isOver(row)) throw clientError('client.exportFailed', row.error ?? `the export is ${row.status}`);
  }
  throw clientError('client.exportFailed', 'the export is gone');
}

function isOver({ status }: Export): boolean {
  return status === 'completed' || status === 'failed' || status === 'expired';
}

async function find(api: Api, id: string, signal: AbortSignal | undefined): Promise<Export> {
  const query = { sort: '-createdAt', pageSize: 20 };
  for await (const row of rows(api, '/api/download-histories', query, { signal })) {
    // Without `select`, rows have all their fields.
    if (row.id === id) return row as Export;
  }
  throw clientError('client.exportFailed', `there is no export ${id}`);
}
