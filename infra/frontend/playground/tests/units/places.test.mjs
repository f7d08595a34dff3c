// The sections that the search for places offers are those of the panels.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

import ts from 'typescript';

const panels = new URL('../../src/panels/', import.meta.url);
const read = (path) => readFile(new URL(path, panels), 'utf8');
const anchorOf = (title) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');

/** The anchors of the sections in a file. */
function anchorsIn(text) {
  const anchors = [];
  const visit = (node) => {
    if ((ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) && node.tagName.getText() === 'Section') {
      const given = Object.fromEntries(node.attributes.properties.map((one) => [one.name?.getText(), one.initializer?.text]));
      if (given.anchor ?? given.title) anchors.push(given.anchor ?? anchorOf(given.title));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('panel.tsx', text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TSX));
  return anchors;
}

test('every section that is offered is a section of its panel', async () => {
  const source = ts.createSourceFile('index.ts', await read('index.ts'), ts.ScriptTarget.ES2023, true);
  const files = (await readdir(panels, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  let offered = 0;
  const check = async (id, wanted) => {
    const own = files.filter((name) => name === `${id}.tsx` || name.startsWith(`${id}/`));
    const anchors = (await Promise.all(own.map(async (name) => anchorsIn(await read(name))))).flat();
    assert.deepEqual(wanted.filter((anchor) => !anchors.includes(anchor)), [], `${id} has ${anchors.join()}`);
    offered += wanted.length;
  };
  const checks = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const fields = Object.fromEntries(node.properties.map((one) => [one.name?.getText(), one.initializer]));
      if (fields.id && fields.sections) checks.push(check(fields.id.text, fields.sections.properties.map((one) => one.name.text)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  await Promise.all(checks);
  assert.ok(offered >= 25, `${offered}`);
});
