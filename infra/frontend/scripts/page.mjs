// A page in Node: its script, with as much of a document as it touches.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

class Element {
  children = [];
  className = '';
  checked = false;
  disabled = false;
  hidden = false;
  value = '';
  classList = { toggle: () => {} };
  #text = '';
  #listeners = new Map();

  get textContent() {
    return this.children.length > 0 ? this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('') : this.#text;
  }

  set textContent(text) {
    this.children = [];
    this.#text = text;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
    this.#text = '';
  }

  addEventListener(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  dispatch(type) {
    for (const listener of this.#listeners.get(type) ?? []) listener({ target: this });
  }

  scrollIntoView() {}
}

/** Builds the page of a package; returns a function that opens it with a `fetch`. Its timers run at once. */
export async function pageIn(here) {
  const { outputFiles: [{ text: script }] } = await build({
    entryPoints: [fileURLToPath(new URL('src/page/main.ts', here))],
    bundle: true, format: 'iife', platform: 'browser', target: 'es2022', write: false,
  });
  const html = await readFile(new URL('src/page/index.html', here), 'utf8');
  return (fetch) => open(script, html, fetch);
}

function open(script, html, fetch) {
  const elements = new Map();
  for (const [, name, attributes] of html.matchAll(/<(\w+)\b([^>]*)>/g)) {
    const [, id] = /\bid="([^"]+)"/.exec(attributes) ?? [];
    if (id === undefined) continue;
    const element = new Element();
    element.hidden = /\bhidden\b/.test(attributes);
    element.value = /\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? '';
    element.name = name;
    elements.set(id, element);
  }
  const document = {
    getElementById: (id) => elements.get(id) ?? null,
    createElement: () => new Element(),
    querySelectorAll: () => [],
  };
  const soon = (done) => setImmediate(done);
  new Function('document', 'fetch', 'navigator', 'setTimeout', script)(document, fetch, {}, soon);
  const at = (id) => {
    const element = elements.get(id);
    if (element === undefined) throw new Error(`the page has no ${id}`);
    return element;
  };
  return {
    at,
    /** The text of an element, or nothing where it is hidden. */
    text: (id) => (at(id).hidden ? '' : at(id).textContent),
    fill(id, value) {
      at(id).value = value;
      at(id).dispatch('input');
    },
    async press(id) {
      at(id).dispatch('click');
      while (at(id).disabled) await new Promise((done) => { setImmediate(done); });
    },
  };
}
