import { call } from '@runeport/client';
import { useState } from 'preact/hooks';

import { AmountField, Button, Callout, ErrorState, Facts, Field, Form, Section, StatusPill, useCall, Value } from '../../components/index.ts';
import { type AmountRule, amountOrThrow, isAmount, readAmount } from '../../lib/amount.ts';
import { when } from '../../lib/format.ts';
import { isSure } from '../../stores/confirm.tsx';
import { api } from '../../stores/session.ts';
import { asked, fresh, opened, turn, type Webhook } from './model.ts';

/** The number of an event; 0 is before the first one. */
const EVENT: AmountRule = { decimals: 0, unit: 'event', least: 0n, most: BigInt(Number.MAX_SAFE_INTEGER) };

function Replay({ webhook }: { webhook: Webhook }) {
  const [after, setAfter] = useState(String(Math.max(0, (webhook.delivered ?? 0) - 1)));
  const read = readAmount(after, EVENT);
  const path = { id: webhook.id };
  const replay = useCall(async () => {
    await call(api, 'post', '/api/webhooks/{id}/replay', { params: { path }, body: { after: Number(amountOrThrow(read).units) } });
    turn.value += 1;
  }, { done: `The webhook goes on after event ${after}.` });
  return (
    <>
      <Form onSubmit={() => void replay.run()} failure={replay.error} label="Replay">
        <AmountField
          label="Replay after event" name="after" span={4} value={after} onInput={setAfter} rule={EVENT} error={replay.error?.fields.after}
          hint={`All later events are sent again, in their order. A higher number than ${webhook.delivered ?? 0} skips events.`}
        />
        <div class="row" data-span="8" style={{ alignSelf: 'center' }}>
          <Button type="submit" busy={replay.busy} disabled={!isAmount(read)}>Replay</Button>
        </div>
      </Form>
      {replay.error && <ErrorState failure={replay.error} />}
    </>
  );
}

function Move({ webhook }: { webhook: Webhook }) {
  const [url, setUrl] = useState(webhook.url);
  const path = { id: webhook.id };
  const move = useCall(async () => {
    await call(api, 'patch', '/api/webhooks/{id}', { params: { path }, body: { url } });
    turn.value += 1;
  }, { done: 'The address was changed.' });
  return (
    <>
      <Form onSubmit={() => void move.run()} failure={move.error} label="Address of the webhook">
        <Field label="Send to" name="url" span={8} mono value={url} onInput={setUrl} error={move.error?.fields.url} />
        <div class="row" data-span="4" style={{ alignSelf: 'end' }}>
          <Button type="submit" busy={move.busy} disabled={url === webhook.url}>Change the address</Button>
        </div>
      </Form>
      {move.error && <ErrorState failure={move.error} />}
    </>
  );
}

/** One webhook and what its owner can do with it. */
export function Details({ webhook }: { webhook: Webhook }) {
  const { id, state, failures, earlierSecretUntil, createdAt } = webhook;
  const path = { id };
  const params = { path };
  const test = useCall(async () => {
    await call(api, 'post', '/api/webhooks/{id}/test', { params });
    asked.value += 1;
  }, { done: state === 'unverified' ? 'The receiver is asked again.' : 'A test is on its way.' });
  const rotate = useCall(async () => {
    const { data } = await call(api, 'post', '/api/webhooks/{id}/rotate-secret', { params });
    if (data.secret !== undefined) fresh.value = { webhookId: id, secret: data.secret };
    turn.value += 1;
  }, { done: 'The webhook has another secret. Store it now.' });
  const turnOnOrOff = useCall(async () => {
    await call(api, 'patch', '/api/webhooks/{id}', { params, body: { enabled: state === 'off' } });
    turn.value += 1;
  }, { done: `The webhook is ${state === 'off' ? 'on' : 'off'}.` });
  const remove = useCall(async () => {
    await call(api, 'delete', '/api/webhooks/{id}', { params });
    if (fresh.peek()?.webhookId === id) fresh.value = undefined;
    opened.value = undefined;
    turn.value += 1;
  }, { done: 'The webhook was deleted.' });
  const ask = async () => {
    const text = `${webhook.url} receives no more events. Its secret and the list of its deliveries are lost.`;
    if (await isSure({ title: 'Delete the webhook?', text, yes: 'Delete it' })) void remove.run();
  };
  const failed = [test, rotate, turnOnOrOff, remove].find(({ error }) => error)?.error;
  return (
    <Section title="Webhook" description={<code class="hook-url">{webhook.url}</code>} actions={<StatusPill status={state} />}>
      <div class="row">
        <Button kind="primary" busy={test.busy} onClick={() => void test.run()}>{state === 'unverified' ? 'Ask the receiver again' : 'Send a test'}</Button>
        <Button icon="key" busy={rotate.busy} onClick={() => void rotate.run()}>Rotate the secret</Button>
        <Button busy={turnOnOrOff.busy} onClick={() => void turnOnOrOff.run()}>{state === 'off' ? 'Switch on' : 'Switch off'}</Button>
        <Button kind="quiet" icon="trash" busy={remove.busy} onClick={() => void ask()}>Delete the webhook</Button>
      </div>
      {failed && <ErrorState failure={failed} />}
      {state === 'unverified' && (
        <Callout tone="warn">
          The receiver has not confirmed yet that it wants the events. It is sent a <code>webhook.verification</code>, and answers with a JSON object that contains its <code>challenge</code>. Events wait until then.
        </Callout>
      )}
      {failures !== null && (
        <Callout tone="warn">
          Since {when(failures.since)} nothing was delivered: {failures.cause} The next try is at {when(failures.nextAt)}. Later events wait, so that their order is kept.
        </Callout>
      )}
      {earlierSecretUntil !== null && (
        <Callout>Until {when(earlierSecretUntil)} each request has two signatures, one by each secret, so that the receiver can change over.</Callout>
      )}
      <Facts
        of={[
          ['Added', when(createdAt)],
          ['Event types', webhook.types.length === 0 ? 'all' : <span class="row">{webhook.types.map((type) => <code key={type}>{type}</code>)}</span>],
          ['Note', webhook.note ?? undefined],
          ['Id', <Value text={id} ends={8} />],
        ]}
      />
      <Move key={webhook.url} webhook={webhook} />
      <Replay webhook={webhook} />
    </Section>
  );
}
