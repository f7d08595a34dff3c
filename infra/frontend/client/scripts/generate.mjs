// Writes src/generated/ from infra/openapi.json: the types of the API, one file per area (the tag of the operations), and the
// list of calls that accept an Idempotency-Key. A test checks that these files are up to date.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const document = new URL('../../../openapi.json', import.meta.url);
const generated = new URL('../src/generated/', import.meta.url);

const BANNER = '// Generated from infra/openapi.json by `npm run generate`.\n';
/** The file of the types that several areas use. */
const SHARED = 'shared';
/** The file of the errors. */
const ERRORS = 'errors';
/** Admins read rows of the other areas, which keep them. */
const READER = 'support';
/** The area of what a webhook receives. */
const WEBHOOKS = 'webhooks';

/** The expected contents of the generated files, by file name. */
export async function generate() {
  const { paths, tags } = JSON.parse(await readFile(document, 'utf8'));
  const takesKey = Object.entries(paths)
    .filter(([, { post }]) => post?.parameters?.some(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key'))
    .map(([path]) => path)
    .sort();
  const described = new Map(tags.map(({ name, description }) => [name, description]));
  return {
    ...typesByArea(astToString(await openapiTS(document)), (path) => areaOf(path, paths[path]), described),
    'idempotent.ts': [
      BANNER,
      '/** The paths whose POST takes an `Idempotency-Key`. */',
      'export const IDEMPOTENT: ReadonlySet<string> = /* @__PURE__ */ new Set([',
      ...takesKey.map((path) => `  '${path}',`),
      ']);\n',
    ].join('\n'),
  };
}

/** The tag that all operations of a path have. */
function areaOf(path, item) {
  const tags = new Set(Object.values(item).flatMap((operation) => operation.tags ?? []));
  if (tags.size !== 1) throw new Error(`The operations of ${path} have the tags ${[...tags]}, and not one.`);
  return [...tags][0];
}

/** Divides what openapi-typescript makes of the document: types/<area>.ts, and openapi.ts, which puts them together. */
function typesByArea(text, areaOfPath, described) {
  const source = ts.createSourceFile('openapi.ts', text, ts.ScriptTarget.ES2022, true);
  const roots = new Map(source.statements.filter(ts.isInterfaceDeclaration).map((root) => [root.name.text, root.members]));
  const parts = new Map(roots.get('components').map(({ name, type }) => [name.text, type.members]));
  const named = (members) => new Map((members ?? []).map((member) => [member.name.text, member]));
  const [paths, operations, webhooks] = ['paths', 'operations', 'webhooks'].map((root) => named(roots.get(root)));
  const [schemas, responses] = ['schemas', 'responses'].map((part) => named(parts.get(part)));

  const pathsOf = groupedBy(paths, ([path]) => areaOfPath(path));
  const webhooksOf = new Map([[WEBHOOKS, [...webhooks]]]);
  const areas = [...pathsOf.keys()].sort();
  for (const area of areas) {
    if (area === SHARED || area === ERRORS) throw new Error(`The tag ${area} is the name of a file that is no area's.`);
  }

  // Which schemas each area reaches, and so where each is declared.
  const operationsOf = new Map();
  const reached = new Map();
  for (const area of areas) {
    const items = [...(pathsOf.get(area) ?? []), ...(webhooksOf.get(area) ?? [])].map(([, item]) => item);
    const own = items.flatMap((item) => uses(item, 'operations')).map((id) => [id, operations.get(id)]);
    operationsOf.set(area, own);
    reached.set(area, reachable(own.map(([, operation]) => operation), schemas));
  }
  reached.set(ERRORS, reachable([...responses.values()], schemas));
  const homes = groupedBy(schemas, ([name]) => {
    const users = [...reached].filter(([, names]) => names.has(name)).map(([area]) => area);
    const owners = users.length > 1 ? users.filter((area) => area !== READER) : users;
    return owners.length === 1 ? owners[0] : SHARED;
  });
  const homeOf = new Map([...homes].flatMap(([area, members]) => members.map(([name]) => [name, area])));

  const contentsOf = (area) => [
    ...(homes.get(area) ?? []).map(([name, member]) => alias(name, member)),
    table('schemas', (homes.get(area) ?? []).map(([name]) => `    ${name}: ${name};`)),
    ...[['paths', pathsOf], ['webhooks', webhooksOf], ['operations', operationsOf]]
      .map(([root, members]) => table(root, (members.get(area) ?? []).map(([, member]) => textOf(member, 4)))),
  ];
  const files = new Map(areas.map((area) => [area, contentsOf(area)]));
  files.set(SHARED, [...contentsOf(SHARED), table('headers', (parts.get('headers') ?? []).map((member) => textOf(member, 4, 8)))]);
  files.set(ERRORS, [...contentsOf(ERRORS), table('responses', [...responses.values()].map((member) => textOf(member, 4, 8)))]);

  const written = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([area, contents]) => {
    const body = contents.filter(Boolean).join('\n');
    const code = asRead(withoutReferences(body));
    const imports = importsOf(area, body, homeOf);
    const others = [...(reached.get(area) ?? [])].filter((name) => ![area, ERRORS].includes(homeOf.get(name)));
    const again = area === ERRORS ? [] : from('export', groupedBy(new Map(others.map((name) => [name])), ([name]) => homeOf.get(name)));
    const about = described.get(area) ?? (area === ERRORS ? 'The errors of the service.' : 'Types that several areas use.');
    return [`types/${area}.ts`, `${[BANNER, `/**\n * ${about}\n *\n * @packageDocumentation\n */`, '', ...imports, ...again, '', code].join('\n')}`];
  });

  const having = (root) => written.filter(([, code]) => code.includes(`\nexport interface ${root} {`)).map(([file]) => file.slice(6, -3));
  const variable = (area) => `${area.replace(/-./g, ([, letter]) => letter.toUpperCase())}Types`;
  const all = (root, is = root) => {
    const bases = having(root).map((area) => `${variable(area)}.${root}`);
    return `export interface ${is} extends ${bases.join(', ')} {}`;
  };
  const index = [
    BANNER,
    ...written.map(([file]) => `import type * as ${variable(file.slice(6, -3))} from './${file.replace(/\.ts$/, '.js')}';`),
    '',
    ...['paths', 'webhooks', 'operations', 'schemas'].map((root) => all(root)),
    `export interface components {\n    schemas: schemas;\n    responses: ${variable(ERRORS)}.responses;\n    headers: ${variable(SHARED)}.headers;\n}`,
    '',
  ].join('\n');
  return { 'openapi.ts': index, ...Object.fromEntries(written) };
}

function groupedBy(entries, keyOf) {
  const groups = new Map();
  for (const entry of entries) {
    const key = keyOf(entry);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return groups;
}

/** The names of `root`, such as the schemas, that a piece of code refers to. */
function uses(node, root) {
  const text = typeof node === 'string' ? node : node.getText();
  return [...new Set([...text.matchAll(REFERENCE)].filter(([, part, whole]) => (part ?? whole) === root).map(([, , , name]) => name))];
}

const REFERENCE = /\b(?:components\["(\w+)"\]|(operations))\["([^"]+)"\]/g;

/** The schemas that these pieces of code lead to, but for those of the errors. */
function reachable(nodes, schemas) {
  const found = new Set();
  const visit = (node) => {
    for (const name of uses(node, 'schemas')) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas.get(name));
    }
  };
  nodes.forEach(visit);
  return found;
}

/** `components["schemas"]["Me"]` is `Me`; other parts keep their tables. */
const withoutReferences = (code) =>
  code.replace(REFERENCE, (_, part, whole, name) => (part === 'schemas' ? name : `${part ?? whole}["${name}"]`));

/** Comments as an editor shows them well: a description needs no tag, and the library's own remark says nothing. */
const asRead = (code) => code
  .replace(/ & \{\n *\/\*\*\n *\* @description discriminator enum [^/]*\*\/\n *code: "\d+";\n *\}/g, '')
  .replace(/ *\/\*\*\n *\* @description discriminator enum [^/]*\*\/\n/g, '')
  .replaceAll('/** @description ', '/** ')
  .replace(/(\/\*\*\n *\*) @description /g, '$1 ')
  .replace(/(\n *\*) @description /g, '$1$1 ');

/** A member of an interface with its comment, indented by `to` instead of `by` spaces. */
function textOf(member, to, by = 4) {
  const margin = new RegExp(`^ {0,${by}}`);
  return member.getFullText().replace(/^\n+/, '').trimEnd().split('\n').map((line) => ' '.repeat(to) + line.replace(margin, '')).join('\n');
}

/** A schema under its own name. */
function alias(name, member) {
  const comment = member.getFullText().slice(0, member.getStart() - member.getFullStart());
  const text = textOf(member, 0, 8).slice(textOf({ getFullText: () => comment }, 0, 8).length).replace(/^\s+/, '');
  const head = comment.trim() === '' ? '' : `${textOf({ getFullText: () => comment }, 0, 8)}\n`;
  return `${head}export type ${name} = ${text.slice(text.indexOf(':') + 1).trimStart()}\n`;
}

const table = (name, lines) => (lines.length === 0 ? '' : `export interface ${name} {\n${lines.join('\n')}\n}\n`);

/** The imports of a file, whose contents still have the references of the whole document. */
function importsOf(area, body, homeOf) {
  const names = new Map(uses(body, 'schemas').map((name) => [name, homeOf.get(name)]));
  if (area !== SHARED && uses(body, 'headers').length > 0) names.set('headers', SHARED);
  if (area !== ERRORS && uses(body, 'responses').length > 0) names.set('responses', ERRORS);
  const others = new Map([...names].filter(([, home]) => home !== area));
  return from('import', groupedBy(others, ([, home]) => home));
}

function from(verb, groups) {
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([home, members]) => {
    const names = members.map(([name]) => name).sort();
    return `${verb} type {\n${names.map((name) => `    ${name},\n`).join('')}} from './${home}.js';`;
  });
}

/** The current contents of a generated file. */
export const written = (name) => readFile(new URL(name, generated), 'utf8');

/** The names of the files that are there. */
export async function writtenNames() {
  const entries = await readdir(generated, { recursive: true, withFileTypes: true });
  const root = fileURLToPath(generated);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length).replace(/^\//, '')).sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await generate();
  await rm(generated, { recursive: true, force: true });
  await mkdir(new URL('types/', generated), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, generated), text);
}
