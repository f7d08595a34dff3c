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

/** Names what Start loads in the page: without it, the browser knows of these files once the first ones run. */
const preloaded: Plugin = {
  name: 'preloaded',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const files = new Set<string>();
      const add = (name: string): void => {
        const chunk = bundle[name];
        if (files.has(name) || chunk?.type !== 'chunk') return;
        files.add(name);
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
        chunk.imports.forEach(add);
      };
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/src/panels/start.tsx')) add(chunk.fileName);
      }
      return [...files].filter((name) => !html.includes(name)).map((name) => ({
        tag: 'link',
        attrs: { ...(name.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' }), crossorigin: true, href: `/playground/${name}` },
        injectTo: 'head' as const,
      }));
    },
  },
};

export default defineConfig({
  base: '/playground/',
  plugins: [gzipped, preloaded],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // The test of the sizes reads it.
    manifest: true,
  },
  server,
  preview: server,
});
