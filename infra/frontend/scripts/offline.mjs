// Builds an offline program: a page that contains everything that it needs, and a command, from the same code.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const asHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Writes `dist/<name>.html`, `dist/<name>.mjs` and `dist/LICENCES.txt` of the package in this folder. */
export async function buildOffline(here, name, { style }) {
  const read = (path) => readFile(new URL(path, here), 'utf8');
  const { version } = JSON.parse(await read('package.json'));

  /** Bundles a file; returns its text and the packages in it. */
  async function bundle(entry, options) {
    const { outputFiles: [{ text }], metafile } = await build({
      absWorkingDir: fileURLToPath(here),
      entryPoints: [entry],
      bundle: true, minify: true, format: 'esm', target: 'es2022', charset: 'utf8', legalComments: 'none', write: false, metafile: true,
      ...options,
    });
    const folders = Object.keys(metafile.inputs).flatMap((file) => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+\//)?.[0] ?? []);
    return { text, packages: [...new Set(folders)].sort() };
  }

  const page = await bundle('src/page/main.ts', { platform: 'browser' });
  const { text: css } = await bundle(style);
  const command = await bundle('src/cli.ts', { platform: 'node' });
  // A closing tag in the script would end it.
  const script = page.text.replaceAll('</', '<\\/');
  // Only this script and this style run, and the page may only ask servers for data. Its own files are not among them.
  const policy = [
    "default-src 'none'", `script-src ${hashOf(script)}`, `style-src ${hashOf(css)}`,
    'connect-src http: https:', "base-uri 'none'", "form-action 'none'",
  ].join('; ');

  const licences = [await readFile(new URL('../../../LICENSE', import.meta.url), 'utf8')];
  for (const folder of page.packages) {
    const { name: its, version: of } = JSON.parse(await read(`${folder}package.json`));
    licences.push(`${its} ${of}\n\n${await read(`${folder}LICENSE`)}`);
  }

  const html = Object.entries({
    CSP: `<meta http-equiv="content-security-policy" content="${policy}">`,
    STYLE: `<style>${css}</style>`,
    SCRIPT: `<script type="module">${script}</script>`,
    VERSION: version,
    LICENCES: asHtml(licences.join('\n\n')),
  }).reduce((text, [mark, value]) => text.replace(`<!-- ${mark} -->`, () => value), await read('src/page/index.html'));

  await rm(new URL('dist/', here), { recursive: true, force: true });
  await mkdir(new URL('dist/', here));
  await writeFile(new URL(`dist/${name}.html`, here), html);
  await writeFile(new URL(`dist/${name}.mjs`, here), `#!/usr/bin/env node\n${command.text}`, { mode: 0o755 });
  await writeFile(new URL('dist/LICENCES.txt', here), licences.join('\n\n'));
}
