// What a browser loads before it shows something, gzipped: the files of the build that Start needs, those of each panel, and
// those of the support page.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

const dist = new URL('../../dist/', import.meta.url);
/** The support page, which is a build of its own. */
const support = new URL('support/', dist);
const manifestOf = async (folder) => JSON.parse(await readFile(new URL('.vite/manifest.json', folder), 'utf8'));
const manifest = await manifestOf(dist);

/** The entries of the manifest that the browser loads for these, without what they load later. */
function needed(manifest, names, known = new Set()) {
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    needed(manifest, manifest[name].imports ?? [], known);
  }
  return known;
}

async function kilobytes(names, folder = dist) {
  const known = await manifestOf(folder);
  const scripts = [...needed(known, names)].map((name) => known[name].file);
  const sizes = await Promise.all(scripts.map(async (file) => gzipSync(await readFile(new URL(file, folder)), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

const panels = Object.keys(manifest).filter((name) => /^src\/panels\/\w+\.tsx$/.test(name));

/** In kB: what they are, plus at most 5%. */
const MOST = { start: 110, venue: 224, other: 152, support: 39 };

test('every panel is a file of its own', () => {
  assert.ok(panels.length >= 12 && panels.every((name) => manifest[name].isDynamicEntry), panels.join());
});

test('every script has a gzipped copy, which the local world sends', async () => {
  const files = Object.values(manifest).map(({ file }) => file).filter((file) => /\.(js|css)$/.test(file));
  // Workers are not in the manifest.
  const workers = (await readdir(new URL('assets/', dist))).filter((name) => /^worker-.*\.js$/.test(name)).map((name) => `assets/${name}`);
  assert.equal(workers.length, 1);
  for (const file of [...files, ...workers]) {
    const [whole, packed] = await Promise.all([readFile(new URL(file, dist)), readFile(new URL(`${file}.gz`, dist))]);
    assert.ok(gunzipSync(packed).equals(whole), file);
  }
});

test('the scripts of Start', async (context) => {
  const size = await kilobytes(['index.html', 'src/panels/start.tsx']);
  context.diagnostic(`${size.toFixed(1)} kB`);
  assert.ok(size <= MOST.start, `${size} kB`);
});

test('the page names all files that Start needs, so the browser loads them at the same time', async () => {
  const html = await readFile(new URL('index.html', dist), 'utf8');
  for (const name of needed(manifest, ['index.html', 'src/panels/start.tsx'])) {
    for (const file of [manifest[name].file, ...(manifest[name].css ?? [])]) assert.ok(html.includes(file), file);
  }
});

for (const name of panels) {
  test(`the scripts of ${name}`, async (context) => {
    const size = await kilobytes(['index.html', name]);
    context.diagnostic(`${size.toFixed(1)} kB`);
    assert.ok(size <= (name.includes('venue') ? MOST.venue : MOST.other), `${size} kB`);
  });
}

test('the scripts of the support page, before a sign-in', async (context) => {
  const size = await kilobytes(['index.html'], support);
  context.diagnostic(`${size.toFixed(1)} kB`);
  assert.ok(size <= MOST.support, `${size} kB`);
});
