// Builds dist/: by tsc, and then the engine of SRP with everything it needs inside. fast-srp-hap is
// written for Node, and no bundler of a frontend should have to be told what stands for its
// `crypto`, `assert` and `Buffer`.

import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const client = fileURLToPath(new URL('..', import.meta.url));

await rm(new URL('../dist/', import.meta.url), { recursive: true, force: true });
const tsc = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', client], { stdio: 'inherit' });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

await build({
  absWorkingDir: client,
  entryPoints: ['dist/srp/engine.js'],
  outfile: 'dist/srp/engine.js',
  allowOverwrite: true,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'inline',
  alias: { assert: './dist/srp/node/assert.js', crypto: './dist/srp/node/crypto.js' },
  inject: ['dist/srp/node/buffer.js'],
});
await rm(new URL('../dist/srp/node/', import.meta.url), { recursive: true });
