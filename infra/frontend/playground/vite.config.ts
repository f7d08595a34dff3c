import { defineConfig } from 'vite';

// The service that Vite forwards the page's calls to. With `make dev`, the service itself serves the page.
const service = process.env.SERVICE ?? 'http://127.0.0.1:9000';
const proxied = ['/api', '/auth', '/.well-known', '/_local', '/socket'];
const server = {
  host: 'localhost',
  port: Number(process.env.PLAYGROUND_PORT ?? 5173),
  strictPort: true,
  proxy: Object.fromEntries(proxied.map((path) => [path, { target: service, ws: path === '/socket' }])),
};

export default defineConfig({
  base: '/playground/',
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // The test of the sizes reads it.
    manifest: true,
  },
  server,
  preview: server,
});
