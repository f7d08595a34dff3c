// The client code that the inspector shows for a call: all of it compiles.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { load } from './library.mjs';

const { clientCode } = await load('lib/client-code.ts');
const read = async (path) => JSON.parse(await readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8'));
const { paths } = await read('openapi.json');
const examples = await read('local/tests/examples.json');

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item).filter((method) => METHODS.has(method)).map((method) => `${method.toUpperCase()} ${path}`));

/** What the reader of a snippet has: a wallet, and the values of the own form. */
const OWN = [
  'account', 'accountId', 'amount', 'change', 'credential', 'email', 'encryptedBlob', 'file', 'filter', 'key', 'mintId', 'newEmail', 'newEncryptedBlob',
  'newPassword', 'params', 'password', 'q', 'refundableSats', 'requestCount', 'runeId', 'runeIds', 'satsNewRequests', 'swap', 'token', 'tokenId',
  'txId', 'txIdVouts', 'type', 'userAddress', 'versions', 'wallet', 'webhookId', 'withdrawTo', 'xchainData',
].map((name) => `declare const ${name}: any;`).join('\n');

/** The errors of each file that TypeScript finds. The files are in memory, next to this one. */
function errorsOf(files) {
  const folder = fileURLToPath(new URL('snippets', import.meta.url));
  const texts = new Map(files.map(([name, text]) => [`${folder}-${name}.ts`, text]));
  const options = {
    strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile: readText, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path);
  host.readFile = (path) => texts.get(path) ?? readText.call(host, path);
  host.getSourceFile = (path, ...rest) =>
    (texts.has(path) ? ts.createSourceFile(path, texts.get(path), rest[0]) : getSourceFile.call(host, path, ...rest));
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) =>
    `${file?.fileName.slice(folder.length + 1) ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}\n${texts.get(file?.fileName) ?? ''}`);
}

test('the client code of every operation compiles', () => {
  const known = operations.filter((operation) => operation in examples);
  assert.ok(known.length > 100, `${known.length} of ${operations.length}`);
  const snippets = known.map((operation, index) => {
    const [method] = operation.split(' ');
    const { path, body } = examples[operation];
    return [`${index}`, clientCode(method, new URL(path, 'http://localhost:9000'), body)];
  });
  assert.deepEqual(errorsOf([['own.d', OWN], ...snippets]), []);
});

test('a call that is only tried shows the preview that it belongs to', () => {
  const body = { type: 'withdraw', params: { tokenId: '0:0', amount: '1', withdrawTo: 'x' } };
  const renewal = { type: 'renew-utxo', params: {} };
  const hub = { type: 'xchain-withdraw', params: { ...body.params, xchainData: '0x00' } };
  const batch = { userAddress: 'x', runeId: '1:1', requestCount: 1, satsNewRequests: 1_000 };
  const snippets = [
    ['/api/transactions', body, 'previewWithdrawal'], ['/api/transactions', renewal, 'previewRenewal'],
    ['/api/xchain/transaction', hub, 'previewHubWithdrawal'], ['/api/vm-transactions', batch, 'previewMintRequest'],
  ].map(([path, sent, name], index) => {
    const code = clientCode('POST', new URL(`${path}?dryRun=true`, 'http://localhost:9000'), sent);
    assert.match(code, new RegExp(`await ${name}\\(`));
    assert.match(code, /query: \{\s+dryRun: true,?\s+\}/);
    return [`tried-${index}`, code];
  });
  assert.deepEqual(errorsOf([['own.d', OWN], ...snippets]), []);
  assert.match(clientCode('POST', new URL('/api/transactions', 'http://localhost:9000'), body), /await withdraw\(/);
});

test('a path with a word in the place of a parameter is its own', () => {
  const of = (method, path) => clientCode(method, new URL(path, 'http://localhost:9000'), undefined);
  assert.match(of('GET', '/api/refund/calculate'), /'get', '\/api\/refund\/calculate'/);
  assert.match(of('GET', '/api/account/me'), /'get', '\/api\/account\/me'\)/);
  assert.match(of('GET', '/api/runes/840000:1'), /'get', '\/api\/runes\/\{runeId\}', \{\s+params: \{\s+path: \{ runeId: '840000:1' \}/);
});
