import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

/** What the page may load and call; `scripts/support-page.mjs` adds the service. Argon2 is WebAssembly. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The support page: files of its own, which work in any folder of any server.
export default defineConfig({
  root: at('support'),
  base: './',
  publicDir: at('public'),
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    outDir: at('dist/support'),
    emptyOutDir: true,
    manifest: true,
  },
  plugins: [{
    name: 'policy',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'content-security-policy', content: POLICY }, injectTo: 'head-prepend' },
    ],
  }],
});
