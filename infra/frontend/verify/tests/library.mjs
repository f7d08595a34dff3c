// The library of the page and the command, for the tests.

import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const { outputFiles: [{ text }] } = await build({
  entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
  bundle: true, format: 'esm', platform: 'node', target: 'es2022', write: false,
});

export const library = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
