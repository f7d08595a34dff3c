import { verifyWebhook } from '@runeport/client/webhooks';
import { useEffect, useState } from 'preact/hooks';

import { Button, Callout, ErrorState, Field, Form, JsonView, Section, TextArea, useCall } from '../../components/index.ts';
import { clockAhead } from '../../lib/clock.ts';
import { fresh, request } from './model.ts';

/** The age that a receiver allows, in seconds. */
const TOLERANCE = 300;

function headersOf(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) headers.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return headers;
}

/** The id of the element around the form. */
export const VERIFY_FORM = 'verify-webhook';

/** Verifies a request in the page, as a receiver does. */
export function Verify() {
  const { headers, body } = request.value;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const secret = typed ?? fresh.value?.secret ?? '';
  const verify = useCall(
    // The service signs by its own clock, which levers move.
    () => verifyWebhook({ headers: headersOf(headers), body }, secret.trim(), { tolerance: TOLERANCE + Math.abs(clockAhead.peek()) / 1_000 }),
    { done: ({ type }) => `The signature holds: ${type}.` },
  );
  const { reset } = verify;
  // A verdict belongs to its request.
  useEffect(reset, [headers, body, secret, reset]);
  return (
    <Section
      title="Verify a request"
      description="Take a request from the list above, or paste one that a receiver of yours got, as it arrived. The page verifies it with verifyWebhook of the client, and sends nothing."
    >
      <div id={VERIFY_FORM}>
        <Form onSubmit={() => void verify.run()} failure={verify.error} label="Request">
          <TextArea
            label="Headers" span={6} mono rows={4} value={headers} onInput={(next) => { request.value = { headers: next, body }; }}
            hint="webhook-id, webhook-timestamp and webhook-signature, one per line"
          />
          <TextArea label="Body" span={6} mono rows={4} value={body} onInput={(next) => { request.value = { headers, body: next }; }} hint="Every byte counts" />
          <Field label="Secret" span={8} type="password" value={secret} onInput={setTyped} hint="It begins with whsec_. While a secret is shown above, it is that one." />
          <div class="row" data-span="4" style={{ alignSelf: 'center' }}>
            <Button type="submit" busy={verify.busy} disabled={headers.trim() === '' || secret.trim() === ''}>Verify</Button>
          </div>
        </Form>
      </div>
      {verify.error && <ErrorState failure={verify.error} />}
      {verify.data && !verify.error && !verify.busy && (
        <>
          <Callout tone="ok">The signature holds, and the request is recent.</Callout>
          <JsonView value={verify.data} label="Verified event" />
        </>
      )}
    </Section>
  );
}
