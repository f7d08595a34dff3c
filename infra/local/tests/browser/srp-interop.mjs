// The client of SRP handshakes, as npm's fast-srp-hap has them, over lines of JSON:
//
//   node srp-interop.mjs 3072 500
//
// registers and proves 500 times in the group of 3072 bits. A round, binary values in base64:
//
//   out {identity, salt, verifier, clientPublic}      in {serverPublic}
//   out {clientProof}                                 in {serverProof}, null where it is refused
//
// Every fifth round proves another password, which must be refused. Every other has a salt that
// begins with zeros, and all have random identities and passwords.

import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

// The packages of infra/tools/package.json, where `make` installs them.
const require = createRequire(new URL('../../../../.local/node/package.json', import.meta.url));
const { SRP, SrpClient } = require('fast-srp-hap');

const [group, rounds] = process.argv.slice(2).map(Number);
const params = SRP.params[group];
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

function write(values) {
  const texts = Object.entries(values).map(([name, value]) => [name, value.toString('base64')]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(texts))}\n`);
}

async function read(name) {
  const { value, done } = await lines.next();
  assert(!done, `the service ended before its ${name}`);
  const text = JSON.parse(value)[name];
  return text === null ? null : Buffer.from(text, 'base64');
}

for (let round = 0; round < rounds; round++) {
  const identity = Buffer.from(`${randomBytes(randomInt(1, 24)).toString('hex')}@example.com`);
  const password = randomBytes(randomInt(1, 64));
  const salt = randomBytes(32);
  if (round % 2) salt.fill(0, 0, randomInt(1, 5));
  const verifier = SRP.computeVerifier(params, salt, identity, password);

  const wrong = round % 5 === 4;
  const proved = wrong ? Buffer.concat([password, Buffer.alloc(1)]) : password;
  const client = new SrpClient(params, salt, identity, proved, randomBytes(32), true);
  write({ identity, salt, verifier, clientPublic: client.computeA() });
  client.setB(await read('serverPublic'));
  write({ clientProof: client.computeM1() });
  const serverProof = await read('serverProof');
  if (wrong) {
    assert.equal(serverProof, null, 'another password was accepted');
  } else {
    assert(serverProof, 'the password was refused');
    client.checkM2(serverProof);
  }
}
process.stdin.destroy();
