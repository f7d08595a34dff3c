import { deleteMedia, type UploadedMedia, uploadMedia } from '@runeport/client/media';
import { signal } from '@preact/signals';
import { useId, useState } from 'preact/hooks';

import { announce } from '../app/announce.tsx';
import { Button, Callout, CopyButton, EmptyState, ErrorState, Icon, Pill, Section, useCall } from '../components/index.ts';
import { type Failure, toFailure } from '../lib/failure.ts';
import { count, plural } from '../lib/format.ts';
import { inspector } from '../stores/calls.ts';
import { isSure } from '../stores/confirm.tsx';
import { api } from '../stores/session.ts';
import { type Trick, TRICKS, tryTrick } from './media/tricks.ts';
import '../styles/media.css';
import '../styles/progress.css';

/** A file and its progress. */
interface Item {
  id: number;
  file: File;
  /** Shows the file before it is uploaded. */
  preview: string;
  state: 'waiting' | 'sending' | 'done' | 'refused' | 'stopped';
  sent: number;
  media?: UploadedMedia;
  failure?: Failure;
}

/** The maximum number of files per request. */
const MOST = 20;
const ENDINGS = '.png, .jpg, .jpeg, .gif, .webp, .avif';

const items = signal<Item[]>([]);
const stops = new Map<number, AbortController>();
let next = 1;
let working = false;

const change = (id: number, more: Partial<Item>): void => {
  items.value = items.peek().map((item) => (item.id === id ? { ...item, ...more } : item));
};

async function send(item: Item): Promise<void> {
  const stop = new AbortController();
  stops.set(item.id, stop);
  change(item.id, { state: 'sending', sent: 0, failure: undefined });
  try {
    const [media] = await uploadMedia(api, [item.file], {
      signal: stop.signal,
      onProgress: ({ loaded }) => change(item.id, { sent: loaded }),
      onExchange: inspector.record,
    });
    change(item.id, { state: 'done', media, sent: item.file.size });
    announce(`${item.file.name} is uploaded.`);
  } catch (error) {
    if (stop.signal.aborted) change(item.id, { state: 'stopped' });
    else {
      change(item.id, { state: 'refused', failure: toFailure(error) });
      announce(`${item.file.name} was refused.`);
    }
  } finally {
    stops.delete(item.id);
  }
}

/** Uploads the waiting files one after another, so that each has its own progress. */
async function work(): Promise<void> {
  if (working) return;
  working = true;
  try {
    for (;;) {
      const waiting = items.peek().find(({ state }) => state === 'waiting');
      if (!waiting) return;
      await send(waiting);
    }
  } finally {
    working = false;
  }
}

function add(files: Iterable<File>): void {
  const added = [...files].slice(0, MOST).map((file): Item => ({
    id: next++, file, preview: URL.createObjectURL(file), state: 'waiting', sent: 0,
  }));
  items.value = [...added, ...items.peek()];
  void work();
}

function forget(item: Item): void {
  stops.get(item.id)?.abort();
  URL.revokeObjectURL(item.preview);
  items.value = items.peek().filter(({ id }) => id !== item.id);
}

const size = (bytes: number): string =>
  bytes < 1024 ? plural(bytes, 'byte') : bytes < 1_048_576 ? `${count(Math.round(bytes / 1024))} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;

/** A sentence about why the upload was refused. */
function reason({ file, failure }: Item): string {
  const said = `${failure?.title ?? ''} ${failure?.details ?? ''} ${Object.values(failure?.fields ?? {}).join(' ')}`;
  if (failure?.status === 400 && Object.keys(failure.fields).some((field) => field.includes('filename'))) {
    return `The service does not accept this file name. It must end in ${ENDINGS}.`;
  }
  if (/larger than|TooLarge|exceeds/i.test(said)) return `${failure?.details ?? failure?.title ?? ''} It has ${size(file.size)} and was not sent.`;
  if (/TooSmall|minimum|empty/i.test(said) || file.size === 0) return 'The file is empty. The storage does not accept empty files.';
  if (failure?.kind === 'offline') return 'The storage did not answer.';
  return 'The storage refused the file.';
}

/** Draws a sample image. */
async function drawn(): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 400;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw the image.');
  const random = () => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 256;
  const hue = Math.floor(random() * 360);
  const sky = context.createLinearGradient(0, 0, 640, 400);
  sky.addColorStop(0, `hsl(${hue} 70% 22%)`);
  sky.addColorStop(1, `hsl(${(hue + 50) % 360} 75% 55%)`);
  context.fillStyle = sky;
  context.fillRect(0, 0, 640, 400);
  for (let stone = 0; stone < 26; stone += 1) {
    context.fillStyle = `hsl(${(hue + 30 + random() * 60) % 360} 80% ${45 + random() * 40}% / ${0.25 + random() * 0.5})`;
    const edge = 20 + random() * 90;
    context.save();
    context.translate(random() * 640, random() * 400);
    context.rotate(random() * Math.PI);
    context.fillRect(-edge / 2, -edge / 2, edge, edge);
    context.restore();
  }
  const blob = await new Promise<Blob | null>((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  if (!blob) throw new Error('This browser cannot draw the image.');
  return new File([blob], `stones-${hue}.png`, { type: 'image/png' });
}

function DropZone() {
  const id = useId();
  const [over, setOver] = useState(false);
  const draw = useCall(async () => add([await drawn()]));
  return (
    <Section title="Upload images" description="For each file, the service signs a form. The page uploads the file directly to the storage, which checks it against the form.">
      <div
        class="drop"
        data-over={over}
        onDragOver={(event) => { event.preventDefault(); setOver(true); }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add(event.dataTransfer?.files ?? []);
        }}
      >
        <Icon name="upload" size={28} />
        <div>
          <input
            id={id}
            type="file"
            multiple
            class="visually-hidden"
            aria-describedby={`${id}-hint`}
            onChange={(event) => {
              add(event.currentTarget.files ?? []);
              event.currentTarget.value = '';
            }}
          />
          <label for={id}><span>Choose images</span> or drop them here</label>
          <p id={`${id}-hint`}>{ENDINGS}. Up to {MOST} at a time. Try other files too, to see why they are refused.</p>
        </div>
      </div>
      <div class="row">
        <Button icon="image" busy={draw.busy} onClick={() => void draw.run()}>Draw a sample image</Button>
        <Button kind="quiet" onClick={() => add([new File(['no image'], 'notes.txt', { type: 'text/plain' })])}>Try a text file</Button>
        <Button kind="quiet" onClick={() => add([new File([new Uint8Array(40 * 1_048_576)], 'huge.png', { type: 'image/png' })])}>Try 40 MiB</Button>
      </div>
      {draw.error && <ErrorState failure={draw.error} />}
    </Section>
  );
}

const TONE = { waiting: 'plain', sending: 'info', done: 'ok', refused: 'bad', stopped: 'warn' } as const;
const SAYS = { waiting: 'waiting', sending: 'uploading', done: 'uploaded', refused: 'refused', stopped: 'stopped' } as const;

function Upload({ item }: { item: Item }) {
  const { file, state, sent, media } = item;
  const [broken, setBroken] = useState(false);
  const name = file.name;
  const erase = useCall(async ({ key }: UploadedMedia) => {
    await deleteMedia(api, key);
    forget(item);
    announce(`${name} is deleted.`);
  });
  return (
    <li class="upload" data-state={state}>
      <div class="upload-picture">
        {broken
          ? <Icon name="image" size={26} />
          : <img src={media?.url ?? item.preview} alt={media ? `${name}, as the storage serves it` : ''} loading="lazy" onError={() => setBroken(true)} />}
      </div>
      <div class="upload-body">
        <div class="row">
          <strong class="upload-name">{name}</strong>
          <Pill tone={TONE[state]} moving={state === 'sending'}>{SAYS[state]}</Pill>
        </div>
        <span class="small muted num">{state === 'sending' ? `${size(Math.min(sent, file.size))} of ${size(file.size)}` : size(file.size)}</span>
        {(state === 'sending' || state === 'waiting') && (
          <progress class="bar-progress" aria-label={`Progress of ${name}`} value={sent} max={Math.max(1, file.size)} />
        )}
        {media && (
          <span class="row small">
            <a href={media.url} target="_blank" rel="noreferrer">Open it</a>
            <CopyButton text={media.url} label={`Copy the address of ${name}`} />
            <span class="muted">served as {media.mimeType}</span>
          </span>
        )}
        {erase.error && <ErrorState failure={erase.error} />}
        {state === 'refused' && item.failure && (
          <>
            <p class="small">{reason(item)}</p>
            <ErrorState failure={item.failure} />
          </>
        )}
      </div>
      <div class="upload-end">
        {state === 'sending' && <Button size="small" onClick={() => stops.get(item.id)?.abort()}>Stop<span class="visually-hidden"> {name}</span></Button>}
        {(state === 'refused' || state === 'stopped') && (
          <Button size="small" icon="refresh" onClick={() => { change(item.id, { state: 'waiting' }); void work(); }}>Try again<span class="visually-hidden">: {name}</span></Button>
        )}
        {media && (
          <Button
            size="small" busy={erase.busy}
            onClick={() => void isSure({
              title: `Delete ${name}?`, yes: 'Delete it', text: 'The storage deletes the file, and pages that show it lose it.',
            }).then((sure) => { if (sure) void erase.run(media); })}
          >
            Delete<span class="visually-hidden"> {name}</span>
          </Button>
        )}
        {state !== 'sending' && <Button size="small" kind="quiet" icon="close" iconOnly onClick={() => forget(item)}>{`Remove ${name} from the list`}</Button>}
      </div>
    </li>
  );
}

function Uploads() {
  const list = items.value;
  const done = list.filter(({ state }) => state === 'done').length;
  return (
    <Section
      title="Uploads of this tab"
      description={list.length === 0 ? undefined : `${count(done)} of ${plural(list.length, 'file')} uploaded`}
    >
      {list.length === 0 ? (
        <EmptyState title="Nothing uploaded yet">Each file appears here with its progress. After the upload, you see it as the storage serves it: publicly, from an origin without cookies.</EmptyState>
      ) : (
        <ul role="list" class="uploads">
          {list.map((item) => <Upload key={item.id} item={item} />)}
        </ul>
      )}
    </Section>
  );
}

function Tricks() {
  const trick = useCall(tryTrick, { done: ({ status }) => `The storage answered ${status}.` });
  return (
    <Section title="What the storage itself refuses" description="The signature of the form covers its conditions. If a client changes them, the storage refuses the upload by itself.">
      <div class="row" role="group" aria-label="Send a file that the form does not allow">
        {(Object.keys(TRICKS) as Trick[]).map((one) => (
          <Button key={one} disabled={trick.busy} onClick={() => void trick.run(one)}>{TRICKS[one].title}</Button>
        ))}
      </div>
      {trick.error && <ErrorState failure={trick.error} />}
      {trick.data && trick.state === 'ok' && (
        <Callout tone={trick.data.status >= 400 ? 'warn' : 'bad'}>
          <p>{TRICKS[trick.data.trick].does}</p>
          <p><strong>{trick.data.status >= 400 ? 'Refused' : 'Accepted'}: HTTP {trick.data.status} <code>{trick.data.code}</code></strong> {trick.data.message}</p>
        </Callout>
      )}
    </Section>
  );
}

function Media() {
  return (
    <>
      <DropZone />
      <Uploads />
      <Tricks />
    </>
  );
}

export default Media;
