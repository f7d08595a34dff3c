// Writes src/generated/ from infra/openapi.json: the types of the API, and the list of calls that accept
// an Idempotency-Key. A test checks that these files are up to date.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import openapiTS, { astToString } from 'openapi-typescript';

const document = new URL('../../../openapi.json', import.meta.url);
const generated = new URL('../src/generated/', import.meta.url);

/** The expected contents of the generated files, by file name. */
export async function generate() {
  const { paths } = JSON.parse(await readFile(document, 'utf8'));
  const takesKey = Object.entries(paths)
    .filter(([, { post }]) => post?.parameters?.some(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key'))
    .map(([path]) => path)
    .sort();
  return {
    'openapi.ts': `// Generated from infra/openapi.json by \`npm run generate\`.\n\n${astToString(await openapiTS(document))}`,
    'idempotent.ts': [
      '// Generated from infra/openapi.json by `npm run generate`.\n',
      '/** The paths whose POST takes an `Idempotency-Key`. */',
      'export const IDEMPOTENT: ReadonlySet<string> = /* @__PURE__ */ new Set([',
      ...takesKey.map((path) => `  '${path}',`),
      ']);\n',
    ].join('\n'),
  };
}

/** The current contents of a generated file. */
export const written = (name) => readFile(new URL(name, generated), 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await generate())) await writeFile(new URL(name, generated), text);
}
