// Builds dist/ with tsc, then bundles the SRP engine with its dependencies. fast-srp-hap is written for
// Node; bundling it here means that frontends need no polyfills for `crypto`, `assert` and `Buffer`.

import { spawnSync } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const client = fileURLToPath(new URL('..', import.meta.url));

await rm(new URL('../dist/', import.meta.url), { recursive: true, force: true });
const tsc = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', client], { stdio: 'inherit' });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const { metafile } = await build({
  absWorkingDir: client,
  entryPoints: ['dist/srp/engine.js'],
  outfile: 'dist/srp/engine.js',
  allowOverwrite: true,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  metafile: true,
  alias: { assert: './dist/srp/node/assert.js', crypto: './dist/srp/node/crypto.js' },
  inject: ['dist/srp/node/buffer.js'],
});
await rm(new URL('../dist/srp/node/', import.meta.url), { recursive: true });

// The licences of the bundled packages require a copy next to the bundle.
const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+\//)?.[0] ?? []));
const licences = await Promise.all([...packages].sort().map(async (path) => {
  const { name, version } = JSON.parse(await readFile(join(client, path, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${await readFile(join(client, path, 'LICENSE'), 'utf8')}`;
}));
await writeFile(join(client, 'dist/srp/engine.LICENCES.txt'), licences.join('\n\n'));
// npm packs no file from outside the folder.
await copyFile(join(client, '../../../LICENSE'), join(client, 'dist/LICENSE'));
