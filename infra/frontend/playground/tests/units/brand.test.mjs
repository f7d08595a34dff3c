// What users see of the service has one colour: the playground, the recovery page, the reference, mails, the local world's page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../../../../', import.meta.url);
const read = (path) => readFile(new URL(path, root), 'utf8');
const tokens = await read('infra/frontend/playground/src/styles/tokens.css');
const [light, dark] = Array.from(tokens.matchAll(/--accent: (#[0-9a-f]{6});/g), ([, colour]) => colour);

/** The colours of a text that are not grey. */
const coloured = (text) => (text.match(/#[0-9a-f]{6}\b/g) ?? []).filter((hex) => new Set(hex.slice(1).match(/../g)).size > 1);

test('the pages of the service have the accent of the playground', async () => {
  const both = `light-dark(${light}, ${dark})`;
  for (const [page, rule] of [['functions/medias/build/style.css', `--link: ${both};`], ['infra/local/templates/front_page.html', `color: ${both}; }`]]) {
    assert.ok((await read(page)).includes(rule), page);
  }
  const recovery = await read('infra/frontend/recovery/src/page/style.css');
  assert.deepEqual(Array.from(recovery.matchAll(/--accent: (#[0-9a-f]{6});/g), ([, colour]) => colour), [light, dark]);
});

test('mails have no other colour', async () => {
  assert.deepEqual(coloured(await read('functions/mail-worker/templates/letter.html')), [light]);
});
