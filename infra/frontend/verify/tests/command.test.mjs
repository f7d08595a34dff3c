// The command, as it is built.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { paidOut } from './world.mjs';

const command = fileURLToPath(new URL('../dist/runeport-verify.mjs', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'verify-'));
after(() => rm(folder, { recursive: true }));

const { world } = paidOut();
const server = createServer(async (request, response) => {
  const answer = await world.fetch(`http://world${request.url}`);
  response.writeHead(answer.status).end(await answer.text());
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
after(() => server.close());
const base = `http://127.0.0.1:${server.address().port}`;

const run = (...given) => new Promise((done) => {
  execFile(process.execPath, [command, ...given], (error, stdout, stderr) => { done({ code: error?.code ?? 0, stdout, stderr }); });
});

async function saved(name, data) {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify({ data }));
  return file;
}

test('addresses and files say the same, and the exit code says whether there is a difference', async () => {
  const mint = `${base}/api/vm-transactions/mints/m1`;
  const live = await run(mint, base, '--claims', `${mint}/blocks`, '--json');
  assert.equal(live.code, 0, live.stderr);
  const files = [await saved('mint.json', world.terms), base, '--bids', await saved('bids.json', world.rows), '--claims', await saved('blocks.json', world.claimed)];
  assert.deepEqual(JSON.parse((await run(...files, '--json')).stdout), JSON.parse(live.stdout));
  assert.match((await run(...files)).stdout, /^Everything agrees[\s\S]*The virtual blocks that the service shows are the same\.[\s\S]*\d+ requests, /);

  const other = await saved('other.json', [{ ...world.claimed[0], requests: 4 }, world.claimed[1]]);
  const differs = await run(mint, base, '--claims', other);
  assert.equal(differs.code, 1);
  assert.match(differs.stdout, /^A difference\. In block 100: expected a virtual block of 5 requests/);
});

test('what cannot be checked ends with 2', async () => {
  assert.equal((await run()).code, 2);
  assert.equal((await run('--help')).code, 0);
  const alone = await run(await saved('mint.json', world.terms), base);
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /add --bids/);
  const nowhere = await run(`${base}/api/vm-transactions/mints/m2`, base);
  assert.equal(nowhere.code, 2);
});
