import assert from 'node:assert/strict';
import { test } from 'node:test';

import { problemsOf } from './compiled.mjs';
import { examples, whole } from './readme.mjs';

test('the examples of the README compile', () => {
  const problems = problemsOf(examples.map((example) => ({ name: example.name, code: whole(example) })));
  assert.equal(problems.join('\n'), '');
  assert.ok(examples.length > 15);
});
