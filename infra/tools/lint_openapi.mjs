// Checks infra/openapi.json against the recommended rules of Redocly, one of which compares examples with their schemas, and
// against the default rules of Spectral. A warning fails too. A recorded example that no longer fits is removed from infra/local/tests/examples.json and recorded
// again (`make answers`).
//
// Redocly refuses fields that a part of a schema does not list. A condition lists only the fields that it is about, so the
// document is checked without conditions, and with them while further fields are allowed.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(new URL('../../.local/node/package.json', import.meta.url));
const { createConfig, lint, lintFromString } = await import(require.resolve('@redocly/openapi-core'));
const { Document, Spectral } = require('@stoplight/spectral-core');
const { Json } = require('@stoplight/spectral-parsers');
const { oas } = require('@stoplight/spectral-rulesets');

const CONDITIONS = new Set(['dependentSchemas', 'else', 'if', 'then']);
const ref = fileURLToPath(new URL('../openapi.json', import.meta.url));
const text = await readFile(ref, 'utf8');
const plain = JSON.parse(text, (_, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !CONDITIONS.has(name)));
});
const configure = (rules) => createConfig({ extends: ['recommended'], rules });
const further = { severity: 'warn', allowAdditionalProperties: true };
const problems = [
  ...await lintFromString({ source: JSON.stringify(plain), absoluteRef: ref, config: await configure({}) }),
  ...await lint({ ref, config: await configure({ 'no-invalid-media-type-examples': further }) }),
];
const told = problems.map(({ severity, ruleId, message, location }) =>
  `infra/openapi.json${location[0]?.pointer ?? ''}: ${severity}, ${ruleId}: ${message}`);
const spectral = new Spectral();
spectral.setRuleset({ extends: [oas] });
for (const { code, message, path } of await spectral.run(new Document(text, Json, ref))) {
  told.push(`infra/openapi.json#/${path.join('/')}: ${code}: ${message}`);
}
for (const problem of new Set(told)) console.error(problem);
process.exitCode = told.length === 0 ? 0 : 1;
