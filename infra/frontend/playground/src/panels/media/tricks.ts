import { call } from '@runeport/client';

import { inspector } from '../../stores/calls.ts';
import { api } from '../../stores/session.ts';

export type Trick = 'large' | 'type' | 'key' | 'empty';

export const TRICKS: Record<Trick, { title: string; does: string }> = {
  large: { title: 'One byte too large', does: 'The file is one byte larger than the form allows.' },
  type: { title: 'Wrong type', does: 'The form is for image/png, but the file is sent as text/html.' },
  key: { title: 'Wrong key', does: 'The upload names another key than the form.' },
  empty: { title: 'Empty file', does: 'The file has zero bytes.' },
};

/** The storage's response: S3 returns XML with a code and a message. */
export interface Refusal {
  trick: Trick;
  status: number;
  code: string;
  message: string;
}

/** Sends an upload that the form does not allow. The client itself never sends one. */
export async function tryTrick(trick: Trick): Promise<Refusal> {
  const { data } = await call(api, 'post', '/api/medias/presigned-url', { body: { files: [{ filename: 'trick.png' }] } });
  const [upload] = data;
  if (!upload) throw new Error('The service returned no form.');
  const bytes = { large: upload.size + 1, type: 64, key: 64, empty: 0 }[trick];
  const fields: [string, string][] = Object.entries<string>({ ...upload.signedUrl.fields }).map(([name, value]) => [
    name,
    trick === 'type' && name === 'Content-Type' ? 'text/html' : trick === 'key' && name === 'key' ? `${value}x` : value,
  ]);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'trick.png');
  const startedAt = Date.now();
  const began = performance.now();
  const { url } = upload.signedUrl;
  const response = await fetch(url, { method: 'POST', body: form });
  const text = await response.text();
  inspector.record({
    method: 'POST', url, requestHeaders: { 'content-type': 'multipart/form-data' }, requestBody: [...fields, ['file', '@trick.png']],
    status: response.status, responseHeaders: {}, responseBody: text, startedAt, durationMs: performance.now() - began, error: undefined,
  });
  const answer = new DOMParser().parseFromString(text, 'application/xml');
  const said = (name: string) => answer.querySelector(name)?.textContent ?? '';
  return { trick, status: response.status, code: said('Code'), message: said('Message') };
}
