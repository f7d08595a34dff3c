// Writes the support page for one service: static files, to be served behind the operator's own sign-in.
//
//   node scripts/support-page.mjs https://api.example.com some/folder

import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../dist/support/', import.meta.url));

/** The page for a service: it calls that service, and its policy allows no other. */
export function pageFor(html, service) {
  if (!URL.canParse(service)) throw new Error(`${service} is not an address such as https://api.example.com`);
  const url = new URL(service);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) throw new Error(`${service} does not begin with https://`);
  if (url.username !== '' || url.search !== '' || url.hash !== '') throw new Error(`${service} has more than a host and a path`);
  const replaced = (text, from, to) => {
    if (text.split(from).length !== 2) throw new Error(`the page has no ${from}, or several`);
    return text.replace(from, () => to);
  };
  const path = url.pathname.replace(/\/$/, '');
  const called = replaced(html, 'name="runeport-api" content=""', `name="runeport-api" content="${url.origin}${path}"`);
  return replaced(called, 'connect-src &#39;self&#39;;', `connect-src ${url.origin};`);
}

/** Writes the page and its files into a folder. */
export async function writePage(service, folder) {
  const page = pageFor(await readFile(join(built, 'index.html'), 'utf8'), service);
  await cp(built, folder, { recursive: true, filter: (path) => basename(path) !== '.vite' });
  await writeFile(join(folder, 'index.html'), page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [service = '', folder = ''] = process.argv.slice(2);
  try {
    if (folder === '') throw new Error('usage: node scripts/support-page.mjs <address of the service> <folder>');
    await writePage(service, folder);
    console.log(`${folder} is the support page of ${service}.`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
