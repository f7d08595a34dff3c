import { defineConfig } from 'vite';

// The service that the page talks to while Vite serves it: in `make dev` the service serves both.
const service = process.env.SERVICE ?? 'http://127.0.0.1:9000';
const proxied = ['/api', '/auth', '/.well-known', '/_local'];
const server = {
  host: 'localhost',
  port: Number(process.env.PLAYGROUND_PORT ?? 5173),
  strictPort: true,
  proxy: Object.fromEntries(proxied.map((path) => [path, { target: service }])),
};

export default defineConfig({
  base: '/playground/',
  build: {
    target: 'es2023',
    // Wallet libraries and the stretching of passwords: served from this machine, and needed at once.
    chunkSizeWarningLimit: 1500,
    assetsInlineLimit: 0,
  },
  server,
  preview: server,
});
