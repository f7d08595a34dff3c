// Amount fields: what the page says is what it sends, and what is not clear is refused at its field.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { load } from './library.mjs';

const { BITCOIN, isAmount, readAmount, SATS } = await load('lib/amount.ts');
const { units } = await load('lib/format.ts');

const CASES = process.env.RUNEPORT_CASES === 'all' ? 200_000 : 20_000;

/** The same numbers in every run (a linear congruential generator of 31 bits). */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** The number at the beginning of a text, in the smallest unit, by other means than the page's. */
function spoken(said, decimals) {
  const [, whole, fraction = ''] = /^([0-9]+)(?:\.([0-9]+))? [^0-9]*$/.exec(said);
  assert.ok(fraction.length <= decimals, said);
  let value = BigInt(whole);
  for (let place = 0; place < decimals; place += 1) value = value * 10n + BigInt(fraction[place] ?? '0');
  return value;
}

test('the amount of the button is the amount that is sent', () => {
  const random = generator(7);
  const signs = ['0', '1', '5', '9', '.', ',', ' ', '-', '+', 'e', '\u00a0', "'", '٣', '０', 'x'];
  let read = 0;
  for (let turn = 0; turn < CASES; turn += 1) {
    const rule = { decimals: random(20), unit: 'COIN', units: 'COINS' };
    const length = 1 + random(12);
    // Mostly digits and one point, as people type.
    const text = Array.from({ length }, () => (random(4) === 0 ? signs[random(signs.length)] : signs[random(5)])).join('');
    const amount = readAmount(text, rule);
    if (!isAmount(amount)) {
      assert.match(amount.problem, /^[A-Z].*\.$/, text);
      continue;
    }
    read += 1;
    assert.equal(spoken(amount.said, rule.decimals), amount.units, text);
    assert.equal(spoken(`${amount.decimal} COINS`, rule.decimals), amount.units, text);
    // Only digits and a point were typed: nothing was left out.
    assert.match(text.trim(), /^[0-9]+(\.[0-9]+)?$/);
    assert.equal(spoken(`${text.trim()} COINS`, rule.decimals), amount.units, text);
    // What is said can be typed again.
    assert.equal(readAmount(amount.decimal, rule).units, amount.units);
    assert.equal(units(amount.units, rule.decimals).replaceAll(',', ''), amount.decimal);
  }
  assert.ok(read > CASES / 20, `${read} of ${CASES} were amounts`);
});

test('a comma, a space, a sign, an exponent or another digit is refused, and the field says how to write it', () => {
  for (const [text, problem] of [
    ['12,5', /Use a point for decimals, and no comma/], ['0,001', /Use a point/], ['1.000,5', /Use a point/], ['1,000', /Use a point/],
    ['1 000', /without spaces/], ['1\u202f000', /without spaces/], ['-1', /without a sign/], ['+1', /without a sign/],
    ['1e3', /digits 0 to 9/], ['abc', /digits 0 to 9/], ['١', /digits 0 to 9/], ['', /Enter an amount/], ['   ', /Enter an amount/],
    ['0', /above zero/], ['0.00000000', /above zero/], ['0.000000001', /at most 8 decimals/], ['21000000.00000001', /at most 21000000 BTC/],
  ]) {
    const read = readAmount(text, BITCOIN);
    assert.equal(isAmount(read), false, text);
    assert.match(read.problem, problem, text);
  }
  assert.equal(readAmount(' 0.0005\n', BITCOIN).units, 50_000n);
  assert.equal(readAmount('0.00050', BITCOIN).said, '0.0005 BTC');
  assert.equal(readAmount('1', SATS).said, '1 sat');
  assert.equal(readAmount('25000', SATS).said, '25000 sats');
  assert.match(readAmount('329', { ...SATS, least: 330n }).problem, /at least 330 sats/);
});

test('every amount of a panel is typed in an amount field', async () => {
  const panels = new URL('../../src/panels/', import.meta.url);
  const files = (await readdir(panels, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  let fields = 0;
  for (const file of files) {
    const source = await readFile(new URL(file, panels), 'utf8');
    fields += source.match(/<AmountField/g)?.length ?? 0;
    // The codes of the second factor are digits, but no amounts.
    const numeric = source.split('\n').filter((line) => line.includes('inputMode=') && !line.includes('name="otpCode"'));
    assert.deepEqual(numeric, [], file);
    assert.doesNotMatch(source, /parseFloat|parseInt|replaceAll\(','|parseUnits[^;]*from 'viem'/, file);
  }
  assert.ok(fields >= 14, `${fields} fields`);
});
