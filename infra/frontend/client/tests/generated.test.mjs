
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { generate, written } from '../scripts/generate.mjs';

test('the generated files match infra/openapi.json', async () => {
  for (const [name, text] of Object.entries(await generate())) {
    // `assert.equal` would print both texts.
    assert.ok(text === (await written(name)), `src/generated/${name} is out of date. Run \`npm run generate\`.`);
  }
});
