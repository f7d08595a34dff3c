import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { generate, written, writtenNames } from '../scripts/generate.mjs';
import { compilerOptions } from './compiled.mjs';

const expected = await generate();
const { paths, components } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));

test('the generated files match infra/openapi.json', async () => {
  for (const [name, text] of Object.entries(expected)) {
    // `assert.equal` would print both texts.
    assert.ok(text === (await written(name)), `src/generated/${name} is out of date. Run \`npm run generate\`.`);
  }
  assert.deepEqual(await writtenNames(), Object.keys(expected).sort());
});

test('each area has a file that an editor opens quickly', () => {
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item)).flatMap((operation) => operation.tags ?? []));
  assert.ok(tags.size > 15, [...tags].join());
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8').split(/^(?=### )/m).find((one) => one.startsWith('### Types'));
  for (const tag of tags) {
    assert.ok(`types/${tag}.ts` in expected, tag);
    assert.ok(readme.includes(`\`${tag}\``), `The README does not name ${tag}.`);
  }
  for (const [name, text] of Object.entries(expected)) {
    assert.ok(text.length < 160_000, `${name} has ${text.length} characters. Divide the area.`);
  }
});

test('each type of the document is declared under its own name, once', () => {
  const declared = Object.values(expected).flatMap((text) => [...text.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name));
  assert.deepEqual(declared.sort(), Object.keys(components.schemas).sort());
});

/** An editor with one file open that has this code. */
function editor(code) {
  const file = fileURLToPath(new URL('edited.ts', import.meta.url));
  const text = (name) => (name === file ? code : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    getCompilationSettings: () => compilerOptions(),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => (text(name) === undefined ? undefined : ts.ScriptSnapshot.fromString(text(name))),
    getCurrentDirectory: () => fileURLToPath(new URL('.', import.meta.url)),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: text,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const at = (word) => code.lastIndexOf(word);
  return {
    problems: () => service.getSemanticDiagnostics(file).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    hover(word) {
      const { displayParts, documentation } = service.getQuickInfoAtPosition(file, at(word));
      return [displayParts, documentation].map(ts.displayPartsToString);
    },
    definition(word) {
      return service.getDefinitionAtPosition(file, at(word)).map(({ fileName, textSpan }) => {
        const before = ts.sys.readFile(fileName).slice(0, textSpan.start);
        return { file: fileName.replace(/^.*\/generated\//, ''), line: before.split('\n').at(-1) };
      });
    },
  };
}

test('a type of an area is read by its name, and its definition is a page away', () => {
  const { problems, hover, definition } = editor([
    `import type { Me } from '@runeport/client/types/account';`,
    `import type { OneRefund, TransactionState } from '@runeport/client/types/refund';`,
    `import type { Schemas } from '@runeport/client';`,
    `export const shown = (me: Me, refund: OneRefund): [Schemas['Me'], TransactionState] => [me, refund.state];`,
  ].join('\n'));
  assert.deepEqual(problems(), []);
  assert.deepEqual(definition('OneRefund)'), [{ file: 'types/refund.d.ts', line: 'export type ' }]);
  assert.deepEqual(definition('Me,'), [{ file: 'types/shared.d.ts', line: 'export type ' }]);
  assert.match(hover('refund: OneRefund')[0], /^\(parameter\) refund: OneRefund$/);
  const [shown, about] = hover('refund.state');
  assert.match(shown, /refund: OneRefund$/);
  assert.equal(about, '');
  const [state] = hover('state]');
  assert.match(state, /^\(property\) state: TransactionState$/);
});

test('what an editor shows of a type has no tag before its text', () => {
  const { hover } = editor(`import type { OneRefund } from '@runeport/client/types/refund';\nexport type Fee = OneRefund['feeSats'];\nexport const fee = (one: OneRefund): Fee => one.feeSats;`);
  assert.match(hover('feeSats;')[1], /The fee in sats, which is taken from the refund\./);
  for (const [name, text] of Object.entries(expected)) {
    assert.doesNotMatch(text, /@description|added by openapi-typescript/, name);
  }
});
