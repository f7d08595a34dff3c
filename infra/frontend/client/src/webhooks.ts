/**
 * Verifies the requests that a webhook sends (Standard Webhooks).
 *
 * @packageDocumentation
 */

import type { Schemas } from './api.js';
import { bytesOf } from './bytes.js';
import { clientError } from './error.js';
import type { webhooks } from './generated/openapi.js';

/**
 * What a webhook receives, told apart by `type`: an event, which a webhook of the deployment sends with the id of its
 * account; a test; or the verification of the URL.
 */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** Asks whether the receiver wants events: answer 200 and `{"challenge": "…"}` as JSON. */
export type WebhookVerification = Schemas['WebhookVerificationEvent'];

/** What `POST /api/webhooks/{id}/test` sends. */
export type WebhookTest = Schemas['WebhookTestEvent'];

/** A request that arrived. */
export interface WebhookRequest {
  /** Its headers: of the Fetch API, or of Node, whose names are in lower case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Its body as it arrived, before any parsing. */
  readonly body: string | Uint8Array;
}

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /** How many seconds the request may be old, or early; default: 300. */
  readonly tolerance?: number | undefined;
}

/**
 * Verifies the signature and the age of a request, and returns its event. The service sends an event at least once: ignore
 * an `id` that you have had.
 *
 * @param secret As it was shown: `whsec_…`.
 * @throws {@link RuneportError} `client.webhookInvalid`.
 *
 * @example
 * const event = await verifyWebhook({ headers: request.headers, body: await request.text() }, process.env.WEBHOOK_SECRET);
 */
export async function verifyWebhook(
  { headers, body }: WebhookRequest,
  secret: string,
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string') throw invalid(`The header ${name} is missing.`);
    return value;
  };
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || !(age <= tolerance)) throw invalid('The request is too old, or too early.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  const raw = new Uint8Array(bytesOf(secret.replace(/^whsec_/, '')));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    const [version, value] = signature.split(',');
    if (version !== 'v1' || !value || !/^[A-Za-z0-9+/]{43}=$/.test(value)) continue;
    if (await crypto.subtle.verify('HMAC', key, new Uint8Array(bytesOf(value)), signed)) {
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
    }
  }
  throw invalid('No signature is by this secret.');
}

function invalid(message: string): Error {
  return clientError('client.webhookInvalid', message);
}
