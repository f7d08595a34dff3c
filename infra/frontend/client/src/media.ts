/**
 * Uploads of images, and their deletion.
 *
 * @packageDocumentation
 */

import { type Api, call, type CallOptions, type Schemas } from './api.js';
import { clientError, RuneportError } from './error.js';
import { type Exchange, notify } from './exchange.js';
import { masked } from './masked.js';
import { dropUndefined } from './wallets.js';

/** An uploaded file; `url` is public. */
export type UploadedMedia = Pick<Schemas['MediaUpload'], 'key' | 'url' | 'fileName' | 'mimeType'>;

/** A file to upload, such as a `File`. */
export interface NamedBlob extends Blob {
  /** Must end in `.png`, `.jpg`, `.jpeg`, `.gif`, `.webp` or `.avif`. */
  readonly name: string;
}

/** The progress of an upload. */
export interface UploadProgress {
  /** Bytes sent so far, over all files. */
  readonly loaded: number;
  /** The sum of the bytes of all files. */
  readonly total: number;
  /** The index of the file in progress. */
  readonly file: number;
}

/** Options of {@link uploadMedia}. */
export interface UploadOptions {
  /** One of the account's own addresses, which the media are then assigned to. */
  readonly userAddress?: string | undefined;
  /** Called while bytes are sent, if the environment has `XMLHttpRequest`; otherwise after each file. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Receives the exchange with the storage of each file; the `record` of an inspector takes it. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Aborts the upload; completed files remain. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Uploads files one after another, directly to the storage.
 *
 * @param files 1 to 20 files.
 * @returns The uploaded files, in the same order.
 * @throws {@link RuneportError} `common.validation`, `client.uploadFailed`, `client.network`.
 *
 * @example
 * const [image] = await uploadMedia(api, [file], { onProgress: ({ loaded, total }) => console.log(loaded / total) });
 */
export async function uploadMedia(
  api: Api,
  files: readonly NamedBlob[],
  { userAddress, onProgress, onExchange, signal }: UploadOptions = {},
): Promise<UploadedMedia[]> {
  const body = { files: files.map(({ name }) => ({ filename: name })), ...dropUndefined({ userAddress }) };
  const { data: uploads } = await call(api, 'post', '/api/medias/presigned-url', { body, signal });
  // Check all sizes before the first file is sent.
  for (const [index, { size, fileName }] of uploads.entries()) {
    if ((files[index]?.size ?? 0) > size) {
      throw clientError('client.uploadFailed', `${fileName} is larger than ${sizeOf(size)}. Choose a smaller file.`);
    }
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  for (const [index, upload] of uploads.entries()) {
    const file = files[index];
    if (!file) throw clientError('client.answerMalformed', 'The response has more upload forms than there are files.');
    const report = (sent: number) => notify(onProgress, { loaded: before + Math.min(sent, file.size), total, file: index });
    report(0);
    await post(upload, file, report, onExchange, signal);
    report(file.size);
    before += file.size;
  }
  return uploads.map(({ key, url, fileName, mimeType }) => ({ key, url, fileName, mimeType }));
}

/**
 * Deletes an uploaded file of the account. If there is no such file, nothing changes. Caches may serve it for up to a day.
 *
 * @param key The `key` of {@link UploadedMedia}.
 *
 * @example
 * const [image] = await uploadMedia(api, [file]);
 * if (image) await deleteMedia(api, image.key);
 */
export async function deleteMedia(api: Api, key: string, options: CallOptions = {}): Promise<void> {
  const name = key.slice(key.lastIndexOf('/') + 1);
  await call(api, 'delete', '/api/medias/{name}', { ...options, params: { path: { name } } });
}

async function post(
  { signedUrl, fileName }: Schemas['MediaUpload'],
  file: NamedBlob,
  onSent: (bytes: number) => void,
  onExchange: ((exchange: Exchange) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const fields: [string, string][] = Object.entries(signedUrl.fields);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  // The file must be the last field: the storage ignores all fields after it.
  form.append('file', file, file.name);

  const startedAt = Date.now();
  const start = performance.now();
  const report = (answer: { status?: number; body?: string; error?: string }): void =>
    notify(onExchange, masked({
      method: 'POST',
      url: signedUrl.url,
      requestHeaders: { 'content-type': 'multipart/form-data' },
      requestBody: [...fields, ['file', `@${file.name}`]],
      status: answer.status,
      responseHeaders: {},
      responseBody: answer.body,
      startedAt,
      durationMs: performance.now() - start,
      error: answer.error,
    }));
  let answer: { status: number; body: string };
  try {
    answer = await (typeof XMLHttpRequest === 'undefined' ? sendWithFetch : sendWithProgress)(signedUrl.url, form, onSent, signal);
  } catch (error) {
    report({ error: error instanceof Error ? error.message : String(error) });
    signal?.throwIfAborted();
    throw clientError('client.network', `${fileName} was not uploaded: the storage did not answer. Check the network connection.`, error);
  }
  report(answer);
  if (answer.status >= 300) {
    // S3 returns XML with a code and a message; the message is for people.
    const [, reason = ''] = /<Message>([^<]*)<\/Message>/.exec(answer.body) ?? [];
    const message = `The storage rejected ${fileName} with HTTP ${answer.status}. ${reason}`.trim();
    throw new RuneportError({ code: '0', key: 'client.uploadFailed', message, status: answer.status });
  }
}

async function sendWithFetch(url: string, form: FormData, _onSent: (bytes: number) => void, signal: AbortSignal | undefined) {
  const response = await fetch(url, { method: 'POST', body: form, signal: signal ?? null });
  return { status: response.status, body: await response.text() };
}

/** Uses `XMLHttpRequest`, because `fetch` does not report upload progress. */
function sendWithProgress(url: string, form: FormData, onSent: (bytes: number) => void, signal: AbortSignal | undefined) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    if (signal?.aborted) throw signal.reason;
    const request = new XMLHttpRequest();
    const aborted = () => request.abort();
    request.open('POST', url);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => resolve({ status: request.status, body: request.responseText });
    request.onerror = () => reject(new TypeError('the network failed'));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener('abort', aborted);
    signal?.addEventListener('abort', aborted);
    request.send(form);
  });
}

const sizeOf = (bytes: number): string => (bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`);
