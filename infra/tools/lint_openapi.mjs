// Checks infra/openapi.json against the recommended rules of Redocly, one of which compares examples with their schemas. A
// warning fails too. A recorded example that no longer fits is removed from infra/local/tests/examples.json and recorded
// again (`make answers`).

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(new URL('../../.local/node/package.json', import.meta.url));
const { createConfig, lint } = await import(require.resolve('@redocly/openapi-core'));

const ref = fileURLToPath(new URL('../openapi.json', import.meta.url));
const problems = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) });
for (const { severity, ruleId, message, location } of problems) {
  console.error(`infra/openapi.json${location[0]?.pointer ?? ''}: ${severity}, ${ruleId}: ${message}`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
