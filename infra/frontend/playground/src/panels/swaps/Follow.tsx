import { call } from '@runeport/client';
import { useEffect, useState } from 'preact/hooks';
import { signal } from '@preact/signals';

import { Button, Callout, ErrorState, Facts, Field, Form, Icon, Loaded, Pill, Section, Select, StatusPill, useCall, useLoad, Value } from '../../components/index.ts';
import { when, words } from '../../lib/format.ts';
import { changes } from '../../stores/live.ts';
import { levers } from '../../stores/local.ts';
import { api } from '../../stores/session.ts';
import { chainName, MEANS, randomHash, type Status, WAY, type Where } from './model.ts';

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

const lasted = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** The progress of a swap: past statuses with their times, and the remaining steps. */
function Timeline({ at }: { at: Where }) {
  const been = new Map(at.history.map((change) => [change.status, change.at]));
  const ended = at.status === 'failed' || at.status === 'refunded';
  const reached = WAY.findLastIndex((status) => been.has(status));
  const steps: readonly Status[] = ended
    ? [...WAY.slice(0, reached + 1), ...at.history.map(({ status }) => status).filter((status) => status === 'failed' || status === 'refunded')]
    : WAY;
  return (
    <ol role="list" class="way" aria-label="Status history" style={{ '--steps': steps.length }}>
      {steps.map((status, index) => {
        const since = been.get(status);
        const next = steps.slice(index + 1).map((later) => been.get(later)).find((moment) => moment !== undefined);
        const here = status === at.status;
        const state = status === 'failed' ? 'bad' : here ? (at.isFinal ? 'done' : 'now') : index < steps.indexOf(at.status) ? 'done' : 'later';
        return (
          <li key={status} data-state={state} aria-current={here ? 'step' : undefined}>
            <span class="way-mark" aria-hidden="true">
              {state === 'done' ? <Icon name="check" size={13} /> : state === 'bad' ? <Icon name="close" size={12} /> : null}
            </span>
            <div>
              <strong>{words(status)}</strong>
              {since !== undefined
                ? <time dateTime={new Date(since).toISOString()}>{clockTime.format(since)}</time>
                : <span class="way-time">{state === 'later' ? 'not yet' : 'not observed'}</span>}
              <small>{since !== undefined && next !== undefined ? `for ${lasted(next - since)}` : MEANS[status]}</small>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const HUB_STATES = ['pending', 'relaying', 'relayed', 'solving', 'filled', 'failed', 'refunded'] as const;
type HubState = (typeof HUB_STATES)[number];

type Mood = 'fine' | 'slow' | 'down' | 'garbled' | 'failing';
const MOODS: Record<Mood, { title: string; body: Record<string, unknown> }> = {
  fine: { title: 'answers', body: {} },
  slow: { title: 'is slow', body: { delayMs: 4000 } },
  down: { title: 'is down', body: { down: true } },
  garbled: { title: 'sends invalid data', body: { malformed: true } },
  failing: { title: 'answers HTTP 500', body: { status: 500 } },
};
const mood = signal<Mood>('fine');

/** Sets the status that the hub's stand-in reports for this swap. */
function Hub({ intentTxHash, onSet }: { intentTxHash: string; onSet: () => Promise<void> }) {
  const [status, setStatus] = useState<HubState>('solving');
  const [step, setStep] = useState('solving');
  const [reason, setReason] = useState('No solver accepted it.');
  const set = useCall(async () => {
    await levers.hub({
      intentTxHash, status,
      ...(status === 'failed' && { failedAtStep: step, failureReason: reason }),
      ...(status === 'filled' && { fillTxHash: randomHash() }),
    });
    await onSet();
  }, { done: () => `The hub now reports ${words(status)}.` });
  return (
    <Form onSubmit={() => void set.run()} label="The hub’s status of this swap" failure={set.error}>
      <Select label="Status at the hub" span={4} value={status} options={HUB_STATES.map((value) => ({ value, label: words(value) }))} onChange={setStatus} />
      {status === 'failed' && <Field label="Failed step" span={3} value={step} onInput={setStep} />}
      {status === 'failed' && <Field label="Reason" span={4} value={reason} onInput={setReason} />}
      <div class="row" data-span="8" style={{ alignSelf: 'end', minHeight: '36px' }}>
        <Button type="submit" busy={set.busy}>Set the status</Button>
        <span class="small muted">Until you set a status, the hub advances the swap every ten seconds.</span>
      </div>
      {set.error && <ErrorState failure={set.error} />}
    </Form>
  );
}

export function HubMood({ onSet }: { onSet: () => Promise<void> }) {
  const set = useCall(async (next: Mood) => {
    await levers.hub(MOODS[next].body);
    mood.value = next;
    await onSet();
  }, { done: () => `The hub now ${MOODS[mood.value].title}.` });
  return (
    <div class="stack-s">
      <div class="row" role="group" aria-label="How the hub answers">
        <span class="small muted">The hub</span>
        {(Object.keys(MOODS) as Mood[]).map((one) => (
          <Button key={one} size="small" pressed={mood.value === one} kind={mood.value === one ? 'primary' : 'secondary'} disabled={set.busy} onClick={() => void set.run(one)}>
            {MOODS[one].title}
          </Button>
        ))}
      </div>
      {set.error && <ErrorState failure={set.error} />}
    </div>
  );
}

/** The service asks the hub at most once in five seconds of its own time: after it, what no event tells is read again. In ms. */
const ASKED = 5_200;

/** One swap until it is final. The events of a swap go to its owner; none tells that the hub answers again. */
export function Follow({ txId, isOwn, onMoved, onClose }: {
  txId: string;
  isOwn: boolean;
  onMoved: () => void;
  onClose: () => void;
}) {
  const [moved, setMoved] = useState(0);
  const status = useLoad(async () => {
    const { data } = await call(api, 'get', '/api/xchain/transactions/{txId}/status', { params: { path: { txId } } });
    return data;
  }, [txId, moved, changes('xchain.statusChanged')], {
    again: ({ isFinal, stale }) => (stale || (!isOwn && !isFinal) ? ASKED : undefined),
  });
  useEffect(() => {
    if (status.data) onMoved();
  }, [status.data?.status]);
  // A lever of the hub has no event.
  const again = async () => {
    await levers.clock(ASKED);
    setMoved((turn) => turn + 1);
  };
  return (
    <Section
      title="Status"
      description={<>Swap <Value text={txId} ends={8} /></>}
      actions={<Button size="small" kind="quiet" icon="close" onClick={onClose}>Close</Button>}
    >
      <Loaded call={status} lines={4}>
        {(at) => (
          <>
            <div class="row">
              <StatusPill status={at.status} />
              {at.stale && <Pill tone="warn">stale: the hub does not answer</Pill>}
              <Pill tone={at.verified ? 'ok' : 'plain'}>{at.verified ? 'verified by the hub' : 'not verified yet'}</Pill>
              {at.isFinal && <Pill tone="info" dot={false}>final status</Pill>}
            </div>
            {at.stale && <Callout tone="warn">This was the status at {when(at.updatedAt)}. The service keeps asking the hub. The swap itself continues in the meantime.</Callout>}
            <Timeline at={at} />
            <Facts
              of={[
                ['From', chainName(at.srcChain)],
                ['To', chainName(at.dstChain)],
                ['Last change', when(at.updatedAt)],
                ['Filled by', at.fillTxHash == null ? undefined : <Value text={at.fillTxHash} ends={10} />],
                ['Failed at', at.failedAtStep ?? undefined],
                ['Reason', at.failureReason ?? undefined],
              ]}
            />
          </>
        )}
      </Loaded>
      <Hub intentTxHash={txId} onSet={again} />
      <HubMood onSet={again} />
    </Section>
  );
}
