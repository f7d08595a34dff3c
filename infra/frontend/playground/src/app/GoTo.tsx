import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

import { groups } from '../panels/index.ts';
import { linkTo } from './router.ts';

interface Place {
  name: string;
  href: string;
}

/** All panels, each followed by its sections. */
const places: readonly Place[] = groups.flatMap(({ panels }) => panels).flatMap(({ id, title, sections = {} }) => [
  { name: title, href: linkTo(id) },
  ...Object.entries(sections).map(([section, name]) => ({ name: `${title}: ${name}`, href: linkTo(id, { section }) })),
]);

/** The places whose names have all of the words. */
function matching(text: string): readonly Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return places.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

const isOpen = signal(false);
export const openGoTo = (): void => { isOpen.value = true; };

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  if (document.querySelector('dialog[open]')) return;
  // Browsers put the focus on their own search.
  event.preventDefault();
  openGoTo();
});

function Search({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const found = matching(text);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, text]);
  const go = ({ href }: Place) => {
    // At once: it gives the focus back, and then the place takes it.
    onDone();
    location.hash = href;
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[at];
    if (step !== undefined && found.length > 0) setAt((at + step + found.length) % found.length);
    else if (event.key === 'Enter' && chosen) go(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div class="dialog-body">
      <input
        type="text" list={undefined} role="combobox" aria-label="Go to a panel or a section" placeholder="Panel or section" autocomplete="off" spellcheck={false}
        aria-expanded="true" aria-controls="goto-list" aria-activedescendant={found.length > 0 ? `goto-${at}` : undefined}
        value={text} onKeyDown={onKey} onInput={(event) => { setText(event.currentTarget.value); setAt(0); }}
      />
      <ul ref={list} id="goto-list" class="goto" role="listbox" aria-label="Panels and sections">
        {found.map((place, index) => (
          // The keys of the field do what a click does here.
          <li key={place.href} id={`goto-${index}`} role="option" aria-selected={index === at} onClick={() => go(place)}>{place.name}</li>
        ))}
      </ul>
      <p class="small muted" role="status">{found.length === 0 ? 'No panel or section has this name.' : ''}</p>
    </div>
  );
}

/** Finds a panel or a section by its name: Ctrl K, or ⌘ K. */
export function GoToDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = isOpen.value;
  useEffect(() => {
    if (open) {
      dialog.current?.showModal();
      dialog.current?.querySelector('input')?.focus();
    } else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="dialog" aria-label="Go to" onClose={() => { isOpen.value = false; }}>
      {open && <Search onDone={() => dialog.current?.close()} />}
    </dialog>
  );
}
