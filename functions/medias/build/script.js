'use strict';
// The page works without this: it only searches, marks where the reader is, and names this server in the samples. It runs once
// the browser has read the navigation, and again at the end of the page, so that nothing moves that is already shown.
(() => {
  const $ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (name, values, ...children) => {
    const made = Object.assign(document.createElement(name), values);
    made.append(...children);
    return made;
  };
  const nav = document.querySelector('nav');
  const links = new Map($('nav a[href^="#"]').map((link) => [link.hash.slice(1), link]));
  const isLocal = ['127.0.0.1', 'localhost'].includes(location.hostname);
  // Reserves the place of the links to the playground.
  if (isLocal) document.documentElement.className = 'local';
  let headings = [];

  // What can be found: each heading with the text below it, and each code.
  const textBelow = (heading) => {
    const texts = [];
    for (let next = heading.nextElementSibling; next && !/^H[123]$/.test(next.tagName); next = next.nextElementSibling) texts.push(next.textContent);
    return texts.join(' ').toLowerCase();
  };
  const titleOf = (heading) => {
    const link = links.get(heading.id);
    return (heading.tagName === 'H3' && link ? link : heading).textContent.replace(/\s+/g, ' ').trim();
  };
  const codes = () => $('main b[id^="code-"]').map((code) => ({ id: code.id, title: $('td', code.closest('tr')).map((cell) => cell.textContent).join(' '), below: '' }));
  let found;
  const everything = () => (headings.length === 0 ? [] : found ??= [
    ...headings.map((heading) => ({ id: heading.id, title: titleOf(heading), below: textBelow(heading) })), ...codes(),
  ]);

  const MOST = 40;
  const search = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const ranked = everything().flatMap((entry) => {
      const title = entry.title.toLowerCase();
      const isIn = (word) => title.includes(word) || entry.id.toLowerCase().includes(word);
      if (!words.every((word) => isIn(word) || entry.below.includes(word))) return [];
      return [{ entry, missed: words.filter((word) => !isIn(word)).length }];
    });
    return ranked.sort((a, b) => a.missed - b.missed).map(({ entry }) => entry);
  };

  const field = make('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: false });
  const results = make('ul', { id: 'results', hidden: true });
  const count = make('p', { id: 'count' });
  count.setAttribute('role', 'status');
  const groups = $('nav > details');
  const show = () => {
    const text = field.value.trim();
    results.hidden = text === '';
    for (const group of groups) group.hidden = text !== '';
    if (text === '') {
      count.textContent = '';
      results.replaceChildren();
      return;
    }
    const all = search(text);
    count.textContent = all.length === 0 ? 'Nothing was found.' : `${all.length} found${all.length > MOST ? `, the first ${MOST} shown` : ''}`;
    results.replaceChildren(...all.slice(0, MOST).map(({ id, title }) => make('li', {}, make('a', { href: `#${id}` }, title))));
  };
  field.addEventListener('input', show);
  const hint = make('kbd', {}, '/');
  const place = nav.querySelector('#find');
  place.append(make('p', {}, make('label', { htmlFor: 'search' }, 'Search ', hint), field), count);
  place.after(results);

  // `/` or Ctrl-K goes to the field, the arrows through the results, Enter to the first one, Escape ends the search.
  const isText = (element) => element.matches('input, textarea, select, [contenteditable]');
  addEventListener('keydown', (event) => {
    const isSearch = (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isText(event.target))
      || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
    if (isSearch) {
      event.preventDefault();
      field.focus();
      field.select();
      return;
    }
    const places = [field, ...$('a', results)];
    const at = places.indexOf(document.activeElement);
    if (event.key === 'Escape' && field.value !== '') {
      field.value = '';
      show();
      if (at >= 0) field.focus();
    }
    if (at < 0) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      places[Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), places.length - 1)].focus();
    } else if (event.key === 'Enter' && at === 0 && places.length > 1) {
      event.preventDefault();
      places[1].click();
    }
  });

  // Where the reader is: the last heading that has passed the upper part of the window.
  const isWide = matchMedia('(min-width: 60rem)');
  let current;
  let opened;
  const mark = () => {
    if (headings.length === 0) return;
    let [first, last] = [0, headings.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if (headings[middle].getBoundingClientRect().top <= innerHeight / 5) first = middle;
      else last = middle - 1;
    }
    // A schema has no link of its own.
    const ids = [headings[first].id, ...headings.slice(0, first).reverse().filter(({ tagName }) => tagName !== 'H3').map(({ id }) => id)];
    const link = links.get(ids.find((id) => links.has(id)));
    if (link === current) return;
    current?.removeAttribute('aria-current');
    current = link;
    current?.setAttribute('aria-current', 'location');
    const group = current?.closest('details');
    if (!isWide.matches || group === opened) {
      if (isWide.matches) current?.scrollIntoView({ block: 'nearest' });
      return;
    }
    // What the reader has opened stays open.
    if (opened) opened.open = false;
    opened = group && !group.open ? group : undefined;
    if (opened) opened.open = true;
    current?.scrollIntoView({ block: 'nearest' });
  };
  let isWaiting = false;
  const look = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  addEventListener('scroll', look, { passive: true });
  addEventListener('resize', look);
  addEventListener('hashchange', look);

  // A link to an operation opens its group before anything is shown.
  const target = isWide.matches ? links.get(location.hash.slice(1))?.closest('details') : undefined;
  if (target) {
    opened = target;
    opened.open = true;
  }

  /** The samples call the server that this page is from. */
  const nameServer = () => {
    const DEV = 'http://127.0.0.1:9000';
    if (location.origin === DEV) return;
    for (const sample of $('main pre code')) {
      if (sample.textContent.includes(DEV)) sample.textContent = sample.textContent.replaceAll(DEV, location.origin);
    }
  };

  const PANELS = {
    auth: 'access', account: 'security', credentials: 'security', 'trading-wallet': 'wallet', transactions: 'wallet', wallets: 'wallet',
    bitcoin: 'wallet', xchain: 'swaps', 'vm-transactions': 'mint', refund: 'mint', 'perp-venue': 'venue', medias: 'media',
    'download-histories': 'export', events: 'webhooks', webhooks: 'webhooks',
  };
  const linkToPlayground = () => {
    let panel;
    for (const heading of headings) {
      if (heading.tagName !== 'H3') {
        const [, group] = /^group-(.+)$/.exec(heading.id) ?? [];
        // The service sends the requests of webhooks, and no reader does.
        panel = group ? (id) => `${PANELS[group] ?? 'start'}?operation=${id}` : heading.id === 'events' ? () => 'webhooks' : undefined;
      } else if (panel) {
        const url = `http://localhost:${location.port}/playground/#/${panel(heading.id)}`;
        heading.after(make('p', { className: 'try' }, make('a', { href: url }, 'Open in the playground')));
      }
    }
  };

  addEventListener('DOMContentLoaded', () => {
    headings = $('main h1[id], main h2[id], main h3[id]');
    nameServer();
    // Only the local world has a playground.
    if (isLocal) linkToPlayground();
    // The browser itself goes there a little later, and back to where the reader was after a reload.
    if (performance.getEntriesByType('navigation')[0]?.type === 'navigate') document.getElementById(location.hash.slice(1))?.scrollIntoView();
    mark();
    if (field.value !== '') show();
  });
})();
