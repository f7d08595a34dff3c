// What is generated is what infra/openapi.json says now.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { generate, written } from '../scripts/generate.mjs';

test('the types are those of infra/openapi.json', async () => {
  for (const [name, text] of Object.entries(await generate())) {
    // Not by `equal`, which would print both.
    assert.ok(text === (await written(name)), `src/generated/${name} differs: npm run generate`);
  }
});
