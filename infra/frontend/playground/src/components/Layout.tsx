import { signal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { linkTo, panelId, panelParams, sectionId, visit } from '../app/router.ts';
import { Icon } from './Icon.tsx';

/** The navigation whose section was already shown. */
let shown = -1;

/** Goes to a section once, when it appears after a navigation to it. */
function useArrival(anchor: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const turn = visit.value;
  const isTarget = sectionId.value === anchor;
  useEffect(() => {
    if (!isTarget || shown === turn) return undefined;
    // After the panel has put the focus on its own heading.
    const timer = setTimeout(() => {
      shown = turn;
      heading.current?.scrollIntoView();
      heading.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [isTarget, turn]);
  return heading;
}

/** A section that is on the page. */
interface Place {
  anchor: string;
  title: string;
  heading: HTMLElement;
}
const places = signal<readonly Place[]>([]);

/** Below so many sections, a panel needs no list of them. */
const FEW = 3;

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');

/** The sections of the panel, as links that stay in view. */
export function Contents() {
  const [current, setCurrent] = useState<string | undefined>(undefined);
  const list = places.value;
  useEffect(() => {
    const look = () => {
      const above = list.filter(({ heading }) => heading.getBoundingClientRect().top < innerHeight / 3);
      setCurrent((above.at(-1) ?? list[0])?.anchor);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [list]);
  if (list.length < FEW) return null;
  const params = Object.fromEntries(panelParams.value);
  return (
    <nav class="contents" aria-label="Sections of this panel">
      <ul role="list">
        {list.map(({ anchor, title }) => (
          <li key={anchor}>
            <a href={linkTo(panelId.value, { ...params, section: anchor })} aria-current={anchor === current ? 'location' : undefined}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function usePlace(anchor: string, title: string, heading: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = heading.current;
    if (!own) return undefined;
    const place = { anchor, title, heading: own };
    places.value = [...places.peek(), place].sort((a, b) =>
      (a.heading.compareDocumentPosition(b.heading) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return () => { places.value = places.peek().filter((other) => other !== place); };
  }, [anchor, title]);
}

/** A section of a panel. */
export function Section({ title, description, actions, children, anchor = anchorOf(title) }: {
  title: string;
  /** The name by which links lead to this section: `linkTo('wallet', { section: 'withdraw' })`. Default: of the title. */
  anchor?: string;
  description?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const id = useId();
  const heading = useArrival(anchor);
  usePlace(anchor, title, heading);
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <div>
          <h2 id={id} ref={heading} tabIndex={-1}>{title}</h2>
          {description !== undefined && <p>{description}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      <div class="section-body">{children}</div>
    </section>
  );
}

/** Names and values, one below the other. Undefined values are left out. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => value !== undefined && (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** A few key figures. */
export function Figures({ of }: { of: readonly (readonly [string, ComponentChildren, string?])[] }) {
  return (
    <dl class="figures">
      {of.map(([name, value, unit]) => (
        <div class="figure" key={name}>
          <dt>{name}</dt>
          <dd>
            {value} {unit !== undefined && <small>{unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export type StepState = 'done' | 'now' | 'later' | 'failed';

export interface Step {
  title: string;
  state: StepState;
  body?: ComponentChildren;
}

const SPOKEN: Record<StepState, string> = { done: 'done', now: 'now', later: 'later', failed: 'failed' };

/** A process of several steps, and the current one. */
export function Steps({ steps, label }: { steps: readonly Step[]; label: string }) {
  const list = useRef<HTMLOListElement>(null);
  const now = steps.findIndex(({ state }) => state === 'now' || state === 'failed');
  const before = useRef(now);
  useEffect(() => {
    if (before.current === now) return;
    before.current = now;
    // The pressed button disappears with its step, so the focus moves to the next step.
    if (document.activeElement === document.body) {
      list.current?.querySelector<HTMLElement>('[aria-current="step"] h3')?.focus({ preventScroll: true });
    }
  }, [now]);
  return (
    <ol ref={list} class="steps" role="list" aria-label={label}>
      {steps.map(({ title, state, body }, index) => (
        <li key={title} class="step" data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <div class="step-mark" aria-hidden="true">
            <span>
              {state === 'done' ? <Icon name="check" size={13} /> : state === 'failed' ? <Icon name="close" size={12} /> : index + 1}
            </span>
          </div>
          <div>
            <h3 class="step-title" tabIndex={-1}>
              {title} <span class="visually-hidden">({SPOKEN[state]})</span>
            </h3>
            <div class="step-body">{body}</div>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Tabs, of which one is shown. */
export function Tabs<T extends string>({ tabs, value, onChange, label, size = 'medium', children }: {
  tabs: readonly { id: T; title: string }[];
  value: T;
  onChange: (id: T) => void;
  label: string;
  size?: 'small' | 'medium';
  children: ComponentChildren;
}) {
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} data-size={size} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}

/** Details that few users need, collapsed. */
export function More({ title, children, open = false }: { title: string; children: ComponentChildren; open?: boolean }) {
  return (
    <details class="more" open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
