// The package as it is published: packed once, then read by the tools that look for mistakes in packages.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const client = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'runeport-client-'));
after(() => rmSync(folder, { recursive: true }));

// Without scripts: `npm test` has just built `dist`.
const pack = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder], {
  cwd: client, encoding: 'utf8', shell: process.platform === 'win32',
});
assert.equal(pack.status, 0, pack.stderr);
const [{ filename, files }] = JSON.parse(pack.stdout);
const tarball = readFileSync(join(folder, filename));
const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));

test('publint finds nothing', async () => {
  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg, { color: false })), []);
});

test('every entry has types, in each way of resolving modules that the package supports', async () => {
  const areas = files.flatMap(({ path }) => path.match(/^dist\/generated\/(types\/.+)\.d\.ts$/)?.[1] ?? []).map((area) => `./${area}`);
  assert.ok(areas.includes('./types/account'), areas.join());
  const { types, problems, entrypoints } =
    await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)), { includeEntrypoints: areas });
  assert.equal(types.kind, 'included');
  // The package is ESM, so `require` of TypeScript's commonjs and the resolution of Node 10 do not apply.
  const supported = problems.filter(({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind));
  assert.deepEqual(supported, []);
  const entries = [...Object.keys(manifest.exports).filter((entry) => !/\.json$|\*/.test(entry)), ...areas];
  assert.deepEqual(Object.keys(entrypoints).filter((entry) => !/\.json$|\*/.test(entry)).sort(), entries.sort());
  for (const entry of entries) {
    for (const kind of ['node16-esm', 'bundler']) {
      assert.match(entrypoints[entry].resolutions[kind].resolution?.fileName ?? '', /\.d\.ts$/, `${entry}, ${kind}`);
    }
  }
});

test('the package contains what it needs, and nothing of the repository', () => {
  const names = files.map(({ path }) => path);
  for (const needed of ['README.md', 'CHANGELOG.md', 'dist/LICENSE', 'dist/srp/LICENCES.txt', 'dist/srp/worker.js', 'dist/index.d.ts']) {
    assert.ok(names.includes(needed), `${needed} is missing`);
  }
  assert.deepEqual(names.filter((name) => !/^(dist\/.+|README\.md|CHANGELOG\.md|package\.json)$/.test(name)), []);
});

test('its dependencies are ranges', () => {
  for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    assert.match(range, /^\^\d/, `${name}: ${range}`);
  }
  assert.equal(manifest.private, undefined);
});

test('the changelog has a section for the version', () => {
  const changelog = readFileSync(join(client, 'CHANGELOG.md'), 'utf8');
  assert.match(changelog, new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')}$`, 'm'));
});
