// The request that the inspector shows for an operation of the reference.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { load } from './library.mjs';

const { draftOf } = await load('lib/draft.ts');
const document = JSON.parse(await readFile(new URL('../../../../openapi.json', import.meta.url), 'utf8'));
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
const operations = Object.entries(document.paths).flatMap(([template, item]) =>
  Object.entries(item).filter(([method]) => METHODS.has(method)).map(([method, operation]) => ({ template, method, operation })));

test('every operation has a whole request', () => {
  assert.ok(operations.length > 100, `${operations.length}`);
  for (const { template, method, operation: { operationId, summary, parameters = [], requestBody } } of operations) {
    const draft = draftOf(document, operationId);
    assert.deepEqual([draft.method, draft.title], [method.toUpperCase(), summary], operationId);
    const { pathname, searchParams } = new URL(draft.path, 'http://service');
    assert.match(pathname, new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/{}]+')}$`));
    for (const { name, required } of parameters.filter((one) => one.in === 'query')) {
      if (required) assert.ok(searchParams.get(name), `${operationId}: ${name}`);
    }
    assert.equal(draft.body !== undefined, requestBody !== undefined, operationId);
  }
});

test('values are escaped, and parameters without an example are left out', () => {
  const parameters = [
    { name: 'name', in: 'path', example: 'a/b ?' }, { name: 'at', in: 'query', example: '1&2' }, { name: 'page', in: 'query' },
    { name: 'If-None-Match', in: 'header', example: 'x' },
  ];
  const paths = { '/files/{name}': { parameters: [], delete: { operationId: 'deleteFile', parameters } } };
  assert.deepEqual(draftOf({ paths }, 'deleteFile'), {
    title: 'deleteFile', method: 'DELETE', path: '/files/a%2Fb%20%3F?at=1%262', body: undefined,
  });
});

test('an operation of no path, such as the request of a webhook, has none', () => {
  const [name] = Object.keys(document.webhooks);
  assert.equal(draftOf(document, document.webhooks[name].post.operationId), undefined);
  assert.equal(draftOf(document, 'absent'), undefined);
});
