/**
 * Uploads of images.
 *
 * @packageDocumentation
 */

import { type Api, call, type Schemas, tell } from './api.js';
import { clientError, RuneportError } from './error.js';
import { given } from './wallets.js';

/** A file that was uploaded: `url` serves it to everybody. */
export type UploadedMedia = Pick<Schemas['MediaUpload'], 'key' | 'url' | 'fileName' | 'mimeType'>;

/** A file to be uploaded. A `File` is one. */
export interface NamedBlob extends Blob {
  /** Ends in `.png`, `.jpg`, `.jpeg`, `.gif`, `.webp` or `.avif`. */
  readonly name: string;
}

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes that were sent, of all files together. */
  readonly loaded: number;
  /** Bytes of all files together. */
  readonly total: number;
  /** The index of the file that is being sent. */
  readonly file: number;
}

/** How files are uploaded. */
export interface UploadOptions {
  /** An address of the account's own, to which the media belong. */
  readonly userAddress?: string | undefined;
  /** Is told as bytes are sent, where the environment has `XMLHttpRequest`; else after each file. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Aborts it; files before the one that is being sent stay. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Uploads files, one after another, straight to the storage.
 *
 * @param files 1 to 20.
 * @returns As many, in their order.
 * @throws {@link RuneportError} `common.validation`, `client.uploadFailed`, `client.network`.
 */
export async function uploadMedia(
  api: Api,
  files: readonly NamedBlob[],
  { userAddress, onProgress, signal }: UploadOptions = {},
): Promise<UploadedMedia[]> {
  const body = { files: files.map(({ name }) => ({ filename: name })), ...given({ userAddress }) };
  const { data: uploads } = await call(api, 'post', '/api/medias/presigned-url', { body, signal });
  // Before any is sent, rather than after those before it.
  for (const [index, { size, fileName }] of uploads.entries()) {
    if ((files[index]?.size ?? 0) > size) throw clientError('client.uploadFailed', `${fileName} has more than ${size} bytes`);
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  for (const [index, upload] of uploads.entries()) {
    const file = files[index];
    if (!file) throw clientError('client.answerMalformed', 'forms for other files than were asked for');
    const told = (sent: number) => tell(onProgress, { loaded: before + Math.min(sent, file.size), total, file: index });
    told(0);
    await post(api, upload, file, told, signal);
    told(file.size);
    before += file.size;
  }
  return uploads.map(({ key, url, fileName, mimeType }) => ({ key, url, fileName, mimeType }));
}

async function post(
  api: Api,
  { signedUrl, fileName }: Schemas['MediaUpload'],
  file: NamedBlob,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const fields: [string, string][] = Object.entries(signedUrl.fields);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  // The storage reads nothing behind it.
  form.append('file', file, file.name);

  const startedAt = Date.now();
  const start = performance.now();
  const told = (answer: { status?: number; body?: string; error?: string }): void =>
    tell(api.onExchange, {
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
    });
  let answer: { status: number; body: string };
  try {
    answer = await (typeof XMLHttpRequest === 'undefined' ? fetched : sent)(signedUrl.url, form, onSent, signal);
  } catch (error) {
    told({ error: error instanceof Error ? error.message : String(error) });
    signal?.throwIfAborted();
    throw clientError('client.network', `${fileName}: the storage did not answer`, error);
  }
  told(answer);
  if (answer.status >= 300) {
    // S3 answers XML, with a code for machines and a message for people.
    const [, reason = ''] = /<Message>([^<]*)<\/Message>/.exec(answer.body) ?? [];
    const details = `${fileName}: the storage answered ${answer.status} ${reason}`.trim();
    throw new RuneportError({ code: '0', message: 'client.uploadFailed', details, status: answer.status });
  }
}

async function fetched(url: string, form: FormData, _onSent: (bytes: number) => void, signal: AbortSignal | undefined) {
  const response = await fetch(url, { method: 'POST', body: form, signal: signal ?? null });
  return { status: response.status, body: await response.text() };
}

/** `fetch` tells nobody how much it has sent. */
function sent(url: string, form: FormData, onSent: (bytes: number) => void, signal: AbortSignal | undefined) {
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
