import { messageOf } from '../problem.js';

/** The element with this id, which the page has. */
export function at<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element as E;
}

/** A new element. Texts are texts, never HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Shows what became of a step. */
export function say(id: string, text: string, kind: 'good' | 'bad' | 'busy' | '' = ''): void {
  const place = at(id);
  place.textContent = text;
  place.className = `said ${kind}`;
}

/** Runs work when a button is pressed, and shows what goes wrong. */
export function onPress(id: string, told: string, work: () => Promise<void> | void): void {
  const button = at<HTMLButtonElement>(id);
  button.addEventListener('click', () => void run(button, told, work));
}

async function run(button: HTMLButtonElement, told: string, work: () => Promise<void> | void): Promise<void> {
  button.disabled = true;
  try {
    await work();
  } catch (error) {
    say(told, messageOf(error), 'bad');
  } finally {
    button.disabled = false;
  }
}

/** A read-only text with a button that copies it. */
export function copyable(text: string, label: string): HTMLElement {
  const area = make('textarea', { readOnly: true, value: text, rows: 3, spellcheck: false, ariaLabel: label });
  const button = make('button', { type: 'button', className: 'small', textContent: 'Copy' });
  button.addEventListener('click', () => {
    area.select();
    // From a disk, some browsers refuse the clipboard; the text is selected anyway.
    navigator.clipboard.writeText(text).then(
      () => { button.textContent = 'Copied'; },
      () => { button.textContent = 'Selected: press Ctrl+C'; },
    );
  });
  return make('div', { className: 'copyable' }, area, button);
}
