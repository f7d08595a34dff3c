import { call } from '@runeport/client';
import { useState } from 'preact/hooks';

import { Button, Check, ErrorState, Field, Form, Section, Select, useCall, useLoad } from '../../components/index.ts';
import { account, api } from '../../stores/session.ts';
import { type EventType, fresh, opened, turn, TYPES } from './model.ts';

type Answer = '204' | '503' | '410';
const ANSWERS: readonly { value: Answer; label: string }[] = [
  { value: '204', label: 'accepts each event (204)' },
  { value: '503', label: 'fails (503)' },
  { value: '410', label: 'is gone (410)' },
];

/** The address of the local receiver; the service calls it by its own address, which is that of its sockets. */
async function localReceiver(accountId: string): Promise<string> {
  const { data } = await call(api, 'get', '/api/config');
  return `http://${new URL(data.socketUrl).host}/_local/hooks/${accountId}`;
}

/** The event types of a webhook; none means all. */
export function TypeChecks({ types, onChange }: { types: readonly EventType[]; onChange: (types: EventType[]) => void }) {
  return (
    <fieldset class="hook-types">
      <legend>Event types <small>none chosen: all</small></legend>
      {TYPES.map((type) => (
        <Check
          key={type} label={<code>{type}</code>} checked={types.includes(type)}
          onChange={(on) => onChange(on ? [...types, type] : types.filter((other) => other !== type))}
        />
      ))}
    </fieldset>
  );
}

/** Adds a webhook, to the local receiver unless the user enters another address. */
export function Add() {
  const id = account.value?.id ?? '';
  const receiver = useLoad(() => localReceiver(id), [id]);
  const [answer, setAnswer] = useState<Answer>('204');
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [note, setNote] = useState('');
  const [types, setTypes] = useState<EventType[]>([]);
  const suggested = receiver.data === undefined ? '' : `${receiver.data}${answer === '204' ? '' : `?status=${answer}`}`;
  const url = typed ?? suggested;
  const add = useCall(async () => {
    const { data } = await call(api, 'post', '/api/webhooks', { body: { url, types, note: note.trim() === '' ? null : note.trim() } });
    if (data.secret !== undefined) fresh.value = { webhookId: data.id, secret: data.secret };
    opened.value = data.id;
    setTyped(undefined);
    setNote('');
    setTypes([]);
    turn.value += 1;
  }, { done: 'The webhook was added. Store its secret now.' });
  const fields = add.error?.fields ?? {};
  return (
    <Section
      title="Add a webhook"
      description="The service sends each event of the account to this address, signed, from now on. An account may have three. If your last sign-in is older than 15 minutes, the page asks you to confirm that it is you."
    >
      <Form onSubmit={() => void add.run()} failure={add.error} label="Webhook">
        <Field
          label="Address" name="url" mono value={url} onInput={setTyped} error={fields.url}
          hint="In a deployment: https, a public host. In the local world also http://127.0.0.1."
        />
        <Select<Answer>
          label="The local receiver" span={6} value={answer} options={ANSWERS}
          onChange={(next) => { setAnswer(next); setTyped(undefined); }}
        />
        <Field label="Note" name="note" span={6} value={note} onInput={setNote} error={fields.note} hint="For yourself, at most 100 characters" />
        <TypeChecks types={types} onChange={setTypes} />
        <div class="row"><Button type="submit" kind="primary" icon="plus" busy={add.busy} disabled={url === ''}>Add the webhook</Button></div>
      </Form>
      {(add.error ?? receiver.error) && <ErrorState failure={(add.error ?? receiver.error)!} />}
    </Section>
  );
}
