// What a browser loads before it shows something, gzipped: the files of the build that Start needs, and those of each panel.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const dist = new URL('../../dist/', import.meta.url);
const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'));

/** The entries of the manifest that the browser loads for these, without what they load later. */
function needed(names, known = new Set()) {
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    needed(manifest[name].imports ?? [], known);
  }
  return known;
}

async function kilobytes(names) {
  const scripts = [...needed(names)].map((name) => manifest[name].file);
  const sizes = await Promise.all(scripts.map(async (file) => gzipSync(await readFile(new URL(file, dist)), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

const panels = Object.keys(manifest).filter((name) => /^src\/panels\/\w+\.tsx$/.test(name));

/** In kB: what they are, plus at most 5%. */
const MOST = { start: 110, venue: 224, other: 152 };

test('every panel is a file of its own', () => {
  assert.ok(panels.length >= 12 && panels.every((name) => manifest[name].isDynamicEntry), panels.join());
});

test('the scripts of Start', async (context) => {
  const size = await kilobytes(['index.html', 'src/panels/start.tsx']);
  context.diagnostic(`${size.toFixed(1)} kB`);
  assert.ok(size <= MOST.start, `${size} kB`);
});

for (const name of panels) {
  test(`the scripts of ${name}`, async (context) => {
    const size = await kilobytes(['index.html', name]);
    context.diagnostic(`${size.toFixed(1)} kB`);
    assert.ok(size <= (name.includes('venue') ? MOST.venue : MOST.other), `${size} kB`);
  });
}
