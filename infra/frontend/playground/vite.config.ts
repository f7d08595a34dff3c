import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import { defineConfig, type Plugin } from 'vite';

// The service that Vite forwards the page's calls to. With `make dev`, the service itself serves the page.
const service = process.env.SERVICE ?? 'http://127.0.0.1:9000';
const proxied = ['/api', '/auth', '/.well-known', '/_local', '/socket'];
const server = {
  host: 'localhost',
  port: Number(process.env.PLAYGROUND_PORT ?? 5173),
  strictPort: true,
  proxy: Object.fromEntries(proxied.map((path) => [path, { target: service, ws: path === '/socket' }])),
};

/** Writes a gzipped copy next to each file of text, which the local world sends to browsers that accept it. */
const gzipped: Plugin = {
  name: 'gzipped',
  async writeBundle({ dir }, files) {
    const texts = Object.keys(files).filter((name) => /^assets\/.*\.(js|css|svg|html)$/.test(name));
    await Promise.all(texts.map(async (name) => writeFile(`${dir}/${name}.gz`, gzipSync(await readFile(`${dir}/${name}`), { level: 9 }))));
  },
};

export default defineConfig({
  base: '/playground/',
  plugins: [gzipped],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // The test of the sizes reads it.
    manifest: true,
  },
  server,
  preview: server,
});
