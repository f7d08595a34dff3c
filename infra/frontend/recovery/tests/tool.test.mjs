// Recovery kits name the page of their time by its version and its hash. The service has both from its source.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = (path) => readFile(new URL(`../${path}`, import.meta.url));

test('the service names the page that is built here', async () => {
  const page = await read('dist/runeport-recovery.html');
  const { version } = JSON.parse(await read('package.json'));
  const source = String(await read('../../../functions/transactions/src/recovery_kit.rs'));
  const [, named] = /^const TOOL: RecoveryTool =\s*(RecoveryTool \{.*?\};)/ms.exec(source) ?? [];
  const sha256 = createHash('sha256').update(page).digest('hex');
  const built = `RecoveryTool { version: "${version}", sha256: "${sha256}" };`;
  const oneLine = named?.replace(/\s+/g, ' ').replace(', }', ' }');
  assert.equal(oneLine, built, 'the page has changed: write this into functions/transactions/src/recovery_kit.rs');
});
