// The examples of the README: `readme.test.mjs` compiles them, `journey.mjs` and `browser.mjs` run them against the
// service, with the values that they mention. `commands.mjs` runs the commands.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import ts from 'typescript';

const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The TypeScript blocks, in order: `{name, code}`. A name is the heading, and the block's number below it. */
export const examples = [];
for (const section of text.split(/^(?=##+ )/m).slice(1)) {
  const [, heading] = /^##+ (.*)$/m.exec(section);
  [...section.matchAll(/^```ts\n(.*?)^```$/gms)].forEach(([, code], index) => examples.push({ name: `${heading} ${index + 1}`, code }));
}

/** The lines of the `sh` blocks. */
export const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block.trim().split('\n'));

const importLines = (code) => code.match(/^import .*$/gm) ?? [];

/** The block with the imports of the blocks before it in its chapter. */
export function whole({ name, code }) {
  const chapter = (one) => text.lastIndexOf('\n## ', text.indexOf(one.code));
  const own = chapter({ code });
  const earlier = examples.slice(0, examples.findIndex((one) => one.name === name)).filter((one) => chapter(one) === own);
  const lines = new Set([...earlier.flatMap((one) => importLines(one.code)), ...importLines(code)]);
  return `${[...lines].join('\n')}\n${code.replaceAll(/^import .*\n/gm, '')}`;
}

const ran = new Set();

/** Where the examples look for the service. */
export const BASE_URL = 'http://127.0.0.1:9000';

/** A block as the body of a function, in JavaScript; `returned` are the names that it returns. */
export function javascript(name, base, returned = []) {
  const example = examples.find((one) => one.name === name);
  assert.ok(example, `The README has no example ${name}.`);
  ran.add(name);
  const source = whole(example).replaceAll(BASE_URL, base);
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  const imports = importLines(outputText).map((line) => {
    const [, names, from] = /^import \{ (.*) \} from '(.*)';?$/.exec(line);
    return { names: names.split(', '), from };
  });
  const body = outputText.replaceAll(/^import .*\n/gm, '').replaceAll(/^export \{\};\n/gm, '');
  return { imports, body: `return await (async () => {\n${body}\nreturn { ${returned.join(', ')} };\n})()` };
}

/**
 * Runs a block.
 *
 * @param values What the block mentions and does not declare, by name.
 * @param returned The names that it declares and the test wants.
 */
export async function runExample(name, base, values, returned) {
  const { imports, body } = javascript(name, base, returned);
  const known = { console: { log: () => {} }, ...values };
  for (const { names, from } of imports) {
    const module = await import(from);
    for (const one of names) {
      assert.ok(one in module, `${from} does not export ${one}`);
      known[one] = module[one];
    }
  }
  const AsyncFunction = (async () => {}).constructor;
  return new AsyncFunction(...Object.keys(known), body)(...Object.values(known));
}

/** Fails if a block of these chapters did not run. */
export function allRan(except) {
  assert.deepEqual(examples.map(({ name }) => name).filter((name) => !ran.has(name) && !except.test(name)), []);
}
