// Modules of the page, for tests in Node.

import { fileURLToPath } from 'node:url';

import { build } from 'vite';

/** Bundles a module of `src` and imports it. */
export async function load(path) {
  const { output: [{ code }] } = await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: fileURLToPath(new URL(`../../src/${path}`, import.meta.url)), write: false, target: 'es2023' },
    ssr: { noExternal: true },
  });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
