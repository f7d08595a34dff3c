// Builds dist/ with tsc, then bundles two files with their dependencies. fast-srp-hap of the SRP engine is written for
// Node; bundling it here means that frontends need no polyfills for `crypto`, `assert` and `Buffer`. The worker for
// passwords is a file that browsers load as it is.

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

/** Replaces a file of dist/ by its bundle; returns the files that are in it. */
async function bundle(file, options) {
  const { metafile } = await build({
    absWorkingDir: client,
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    ...options,
  });
  return Object.keys(metafile.inputs);
}

const { isGroup } = await import('../dist/srp/groups.js');
const isOwn = (bits) => isGroup(Number(bits));
/** Leaves out the primes of groups that no account has: the library computes each of them when a page loads it. */
const ownGroups = {
  name: 'own groups',
  setup({ onLoad }) {
    onLoad({ filter: /fast-srp-hap.lib.params\.js$/ }, async ({ path }) => {
      const left = [];
      const contents = (await readFile(path, 'utf8')).replaceAll(/^ {4}(\w+): \{\n[^]*?^ {4}\},\n/gm, (group, bits) => {
        left.push(bits);
        return isOwn(bits) ? group : '';
      });
      if (!left.some(isOwn) || left.every(isOwn)) throw new Error(`fast-srp-hap has other groups than expected: ${left}`);
      return { contents };
    });
  },
};
const engine = await bundle('dist/srp/engine.js', {
  plugins: [ownGroups],
  alias: { assert: './dist/srp/node/assert.js', crypto: './dist/srp/node/crypto.js' },
  inject: ['dist/srp/node/buffer.js'],
});
await rm(new URL('../dist/srp/node/', import.meta.url), { recursive: true });
const worker = await bundle('dist/srp/worker.js');

// The licences of the bundled packages require a copy next to the bundles.
const packages = new Set([...engine, ...worker].flatMap((file) => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+\//)?.[0] ?? []));
const licences = await Promise.all([...packages].sort().map(async (path) => {
  const { name, version } = JSON.parse(await readFile(join(client, path, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${await readFile(join(client, path, 'LICENSE'), 'utf8')}`;
}));
await writeFile(join(client, 'dist/srp/LICENCES.txt'), licences.join('\n\n'));
// npm packs no file from outside the folder.
await copyFile(join(client, '../../../LICENSE'), join(client, 'dist/LICENSE'));
