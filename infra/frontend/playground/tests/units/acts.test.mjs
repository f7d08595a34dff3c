// What caused a call: the groups of the inspector.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './library.mjs';

globalThis.addEventListener = () => undefined;
const { acts, beginAct, causeOf, noteVisit } = await load('stores/acts.ts');

test('what a panel calls at first belongs to the visit, and later it is a reload', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  noteVisit('Trading wallet');
  const cause = (time) => {
    const { act, isReload } = causeOf(time, acts.value);
    return [act.label, isReload];
  };
  assert.deepEqual(cause(1_000_300), ['Trading wallet', false]);
  assert.deepEqual(cause(1_005_000), ['Trading wallet', true]);
});

test('what reloads after an act is a reload of that act, also soon after a visit', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 2_000_000 });
  noteVisit('Trading wallet');
  context.mock.timers.setTime(2_000_200);
  const end = beginAct();
  context.mock.timers.setTime(2_000_250);
  end();
  const cause = (time) => {
    const { act, isReload } = causeOf(time, acts.value);
    return [act.startedAt, isReload];
  };
  assert.deepEqual(cause(2_000_100), [2_000_000, false]);
  assert.deepEqual(cause(2_000_220), [2_000_200, false]);
  assert.deepEqual(cause(2_000_650), [2_000_200, true]);
  assert.deepEqual(cause(2_002_000), [2_000_200, true]);
});
