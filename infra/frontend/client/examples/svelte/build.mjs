// Bundles the example, and serves it at localhost:5173, or at PORT. In a project with Vite, its plugin for Svelte does this.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { context, transform } from 'esbuild';
import { compile, compileModule } from 'svelte/compiler';

const folder = fileURLToPath(new URL('.', import.meta.url));

const svelte = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path: filename }) =>
      ({ contents: compile(await readFile(filename, 'utf8'), { filename }).js.code, loader: 'js' }));
    onLoad({ filter: /\.svelte\.ts$/ }, async ({ path: filename }) => {
      const { code } = await transform(await readFile(filename, 'utf8'), { loader: 'ts', target: 'esnext' });
      return { contents: compileModule(code, { filename }).js.code, loader: 'js' };
    });
  },
};

/** Options of esbuild. */
export const options = { entryPoints: [`${folder}main.ts`], outdir: folder, bundle: true, format: 'esm', plugins: [svelte], logLevel: 'warning' };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bundle = await context({ ...options, write: false });
  const port = Number(process.env.PORT ?? 5173);
  await bundle.serve({ servedir: folder, host: 'localhost', port });
  console.log(`http://localhost:${port}`);
}
