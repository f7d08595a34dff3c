// The examples in the documentation of the exported functions: each function has one, and each one compiles.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { compilerOptions, problemsOf } from './compiled.mjs';

const { name: root, exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const source = ({ types }) => fileURLToPath(new URL(types.replace(/^\.\/dist\/(.*)\.d\.ts$/, '../src/$1.ts'), import.meta.url));
const entries = Object.entries(exports)
  .filter(([path, { types }]) => types !== undefined && !path.includes('*'))
  .map(([path, entry]) => ({ from: root + path.slice(1), file: source(entry) }));
const program = ts.createProgram(entries.map(({ file }) => file), compilerOptions());
const checker = program.getTypeChecker();

/** The values that each entry exports, by name. */
const exported = entries.map(({ from, file }) => {
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter(({ flags }) => flags & ts.SymbolFlags.Value);
  return { from, symbols: new Map(symbols.map((symbol) => [symbol.name, symbol])) };
});

/** The signatures that a caller sees: of an overloaded function, all but that of the implementation. */
const signatures = [];
for (const { from, symbols } of exported) {
  for (const { name, declarations, flags } of symbols.values()) {
    if (!(flags & ts.SymbolFlags.Function)) continue;
    const visible = declarations.length > 1 ? declarations.filter(({ body }) => body === undefined) : declarations;
    visible.forEach((declaration, index) => {
      // An entry exports some functions of another one again.
      if (signatures.some((known) => known.declaration === declaration)) return;
      const tags = ts.getJSDocTags(declaration).filter(({ tagName }) => tagName.text === 'example');
      const codes = tags.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');
      signatures.push({ from, name: `${from}: ${name}${index === 0 ? '' : ` (${index + 1})`}`, declaration, codes, of: name });
    });
  }
}

/** The names that a text uses and does not declare. */
function usedNames(code) {
  const [used, declared] = [new Set(), new Set()];
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isDeclared = (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent) || ts.isParameter(parent)) && parent.name === node;
      const isMember = (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node
        || ts.isBindingElement(parent) && parent.propertyName === node;
      if (isDeclared) declared.add(node.text);
      else if (!isMember) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2022, true));
  return [...used].filter((name) => !declared.has(name));
}

/** The example with its imports. A name comes from the entry of the function, or else from the first entry that exports it. */
function withImports(from, code) {
  const own = exported.find((entry) => entry.from === from);
  const lines = usedNames(code).flatMap((name) => {
    const found = [own, ...exported].find(({ symbols }) => symbols.has(name));
    return found ? [`import { ${name} } from '${found.from}';`] : [];
  });
  return [...lines, code].join('\n');
}

test('every exported function has an example, which calls it', () => {
  assert.ok(signatures.length > 90, `${signatures.length}`);
  assert.deepEqual(signatures.filter(({ codes }) => codes.length === 0).map(({ name }) => name), []);
  const others = signatures.filter(({ codes, of }) => !codes.some((code) => usedNames(code).includes(of)));
  assert.deepEqual(others.map(({ name }) => name), []);
});

test('the examples of the functions compile', () => {
  const examples = signatures.flatMap(({ from, name, codes }) => codes.map((code) => ({ name, code: withImports(from, code) })));
  assert.equal(problemsOf(examples).join('\n'), '');
});

test('a name is one thing, whichever entry it is imported from', () => {
  const meanings = new Map();
  for (const { from, file } of entries) {
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))) {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const known = meanings.get(symbol.name) ?? new Map();
      meanings.set(symbol.name, known.set(meant, [...(known.get(meant) ?? []), from]));
    }
  }
  assert.ok(meanings.size > 200, `${meanings.size}`);
  const twice = [...meanings].filter(([, known]) => known.size > 1).map(([name, known]) => `${name}: ${[...known.values()].join(', ')}`);
  assert.deepEqual(twice, []);
});
