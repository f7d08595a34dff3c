// Amounts that people type: what is read, what is refused, and that reading and writing agree.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApi, formatUnits, parseUnits } from '@runeport/client';
import { createHubWithdrawal, previewHubWithdrawal } from '@runeport/client/bitcoin';
import { createDeposit, approveBuilderFee, withdrawFromVenue } from '@runeport/client/venue';
import { prepareWithdrawal, previewWithdrawal } from '@runeport/client/wallet';

const refused = (details) => ({ key: 'client.amountInvalid', ...(details && { message: details }) });

/** The same numbers in every run (mulberry32). */
function generator(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most) => Math.floor(next() * most);
  const pick = (list) => list[below(list.length)];
  const digits = (length) => Array.from({ length }, () => below(10)).join('');
  return { below, pick, digits };
}

const CASES = process.env.RUNEPORT_CASES === 'all' ? 200_000 : 20_000;

test('an amount is read digit by digit', () => {
  for (const [text, decimals, units] of [
    ['12.5', 8, 1_250_000_000n], ['0.0005', 8, 50_000n], ['0', 8, 0n], ['0.0', 8, 0n], ['1.000', 8, 100_000_000n], ['21', 0, 21n],
    ['0.00000001', 8, 1n], ['9007199254740993', 0, 9_007_199_254_740_993n],
    ['340282366920938463463374607431768211455', 0, 2n ** 128n - 1n], ['0.000000000000000001', 18, 1n],
  ]) {
    assert.equal(parseUnits(text, decimals), units, text);
  }
  assert.deepEqual(
    [formatUnits(1_250_000_000n, 8), formatUnits(50_000n, 8), formatUnits(0n, 8), formatUnits(21n, 0), formatUnits(-5n, 1), formatUnits(100n, 2)],
    ['12.5', '0.0005', '0', '21', '-0.5', '1'],
  );
});

test('what two readers may read differently is refused, with the way to write it', () => {
  for (const [text, decimals, details] of [
    ['', 8, /Enter an amount, such as 12\.5\./],
    ['', 0, /Enter an amount, such as 12\./],
    ['12,5', 8, /Use a point for decimals, and no comma: 12\.5\./],
    ['0,001', 8, /Use a point for decimals/],
    ['1,000', 8, /Use a point for decimals/],
    ['1.000,5', 8, /Use a point for decimals/],
    ['1,000.5', 8, /Use a point for decimals/],
    ['1,000', 0, /Write a whole number without commas\./],
    ['1 000', 8, /without spaces or other separators/],
    ['1\u00a0000', 8, /without spaces/], ['1\u202f000', 8, /without spaces/], ['1\u2009000', 8, /without spaces/],
    [' 1', 8, /without spaces/], ['1\n', 8, /without spaces/], ["1'000", 8, /without spaces/], ['1’000', 8, /without spaces/], ['1_000', 8, /without spaces/],
    ['+1', 8, /without a sign/], ['-1', 8, /without a sign/], ['−1', 8, /without a sign/],
    ['1e3', 8, /digits 0 to 9, such as 12\.5\./], ['1E-3', 8, /digits 0 to 9/], ['0x10', 8, /digits 0 to 9/], ['0b1', 0, /digits 0 to 9, such as 12\./],
    ['abc', 8, /digits 0 to 9/], ['Infinity', 8, /digits 0 to 9/], ['NaN', 8, /digits 0 to 9/], ['1n', 0, /digits 0 to 9/], ['12.5 BTC', 8, /without spaces/],
    ['١٢', 8, /digits 0 to 9/], ['１２', 8, /digits 0 to 9/], ['१२', 8, /digits 0 to 9/], ['1٫5', 8, /digits 0 to 9/], ['1٬000', 8, /digits 0 to 9/],
    ['1·5', 8, /digits 0 to 9/], ['½', 8, /digits 0 to 9/], ['²', 8, /digits 0 to 9/], ['1\u200b0', 8, /digits 0 to 9/], ['1\u202e5', 8, /digits 0 to 9/],
    ['1.000.000', 8, /one point at most/], ['1..5', 8, /one point at most/],
    ['.5', 8, /a digit before and after the point/], ['5.', 8, /a digit before and after the point/], ['.', 8, /a digit before and after/],
    ['5.', 0, /a digit before and after/],
    ['007', 8, /without zeros in front/], ['00.5', 8, /without zeros in front/],
    ['0.123456789', 8, /at most 8 decimals/], ['0.100000000', 8, /at most 8 decimals/],
    ['1.0', 0, /there are no decimals/], ['1.000', 0, /there are no decimals/],
    ['9'.repeat(161), 0, /too many digits/], ['9'.repeat(10_000_000), 0, /too many digits/],
  ]) {
    assert.throws(() => parseUnits(text, decimals), refused(details), JSON.stringify(text.slice(0, 40)));
  }
  for (const value of [12.5, 1e21, 1n, null, undefined]) assert.throws(() => parseUnits(value, 8), refused(), String(value));
  for (const decimals of [-1, 1.5, NaN, Infinity, 256, '8', undefined]) {
    assert.throws(() => parseUnits('1', decimals), refused(/0 to 255 decimals/), String(decimals));
    assert.throws(() => formatUnits(1n, decimals), refused(/0 to 255 decimals/), String(decimals));
  }
});

test('random amounts: writing and reading agree', () => {
  const { below, digits } = generator(1);
  for (let turn = 0; turn < CASES; turn += 1) {
    const decimals = below(39);
    const units = BigInt(digits(1 + below(40)));
    const text = formatUnits(units, decimals);
    assert.match(text, /^(0|[1-9]\d*)(\.\d*[1-9])?$/);
    assert.equal(parseUnits(text, decimals), units, `${text}, ${decimals} decimals`);
    // Zeros at the end change nothing.
    const [, fraction = ''] = text.split('.');
    const zeros = '0'.repeat(below(decimals - fraction.length + 1));
    const longer = zeros === '' || text.includes('.') ? text + zeros : `${text}.${zeros}`;
    assert.equal(parseUnits(longer, decimals), units, longer);
  }
});

test('random texts: what is read is what plain arithmetic reads, and everything else is refused', () => {
  const { below, pick, digits } = generator(2);
  const odd = [',', '.', ' ', '\u00a0', '-', '+', 'e', 'E', 'x', '_', "'", '0', '٣', '９', '\n', '\u200b', '−', 'n', '/'];
  let read = 0;
  for (let turn = 0; turn < CASES; turn += 1) {
    const decimals = below(20);
    let text = digits(below(6)) + (below(2) === 0 ? '' : `.${digits(below(8))}`);
    for (let change = below(3); change > 0; change -= 1) {
      const at = below(text.length + 1);
      text = text.slice(0, at) + pick(odd) + text.slice(at + below(2));
    }
    // Another way to say what an amount is, and another way to compute it.
    const isAmount = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text) && (text.split('.')[1] ?? '').length <= decimals;
    if (!isAmount) {
      assert.throws(() => parseUnits(text, decimals), refused(/^[A-Z].*\.$/s), JSON.stringify([text, decimals]));
      continue;
    }
    read += 1;
    let expected = 0n;
    let places = decimals;
    let behind = false;
    for (const sign of text) {
      if (sign === '.') behind = true;
      else {
        expected = expected * 10n + BigInt(sign.charCodeAt(0) - 48);
        if (behind) places -= 1;
      }
    }
    assert.equal(parseUnits(text, decimals), expected * 10n ** BigInt(places), JSON.stringify([text, decimals]));
  }
  assert.ok(read > CASES / 10, `${read} amounts`);
});

test('no flow asks for an amount that is not clear', async () => {
  const fetch = async ({ url }) => assert.fail(`asked ${url}`);
  const api = createApi({ baseUrl: 'http://service', fetch, retryFor: 0 });
  const key = { publicKey: `02${'ab'.repeat(32)}` };
  const to = { tokenId: '0:0', withdrawTo: 'bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7muy' };
  for (const amount of ['12,5', '1,000', '1 000', '0.5', '1e3', '-1', '+1', '0', '007', '', '٣', 12]) {
    await assert.rejects(prepareWithdrawal(api, key, { ...to, amount }), refused(/in the smallest unit\. .* parseUnits/), String(amount));
    await assert.rejects(createHubWithdrawal(api, { ...to, amount, xchainData: '0x00' }), refused(/in the smallest unit/), String(amount));
    await assert.rejects(previewWithdrawal(api, { ...to, amount }), refused(/in the smallest unit/), String(amount));
    await assert.rejects(previewHubWithdrawal(api, { ...to, amount, xchainData: '0x00' }), refused(/in the smallest unit/), String(amount));
  }
  await assert.rejects(createHubWithdrawal(api, { ...to, amount: 'max', xchainData: '0x00' }), refused(/in the smallest unit/));
  const userAddress = `0x${'12'.repeat(20)}`;
  for (const amount of ['12,5', '1.000,5', '1 000', '1e3', '-1', '+1', '0', '0.0', '00.5', '.5', '5.', '1.0000001', '', '٣', ' 1', 12]) {
    await assert.rejects(createDeposit(api, { userAddress, amount }), refused(), String(amount));
    await assert.rejects(withdrawFromVenue(api, {}, { userAddress, amount }), refused(), String(amount));
  }
  for (const mostFeeRate of ['0,1%', '0.1', '1e-1%', '.1%', '', '-0.1%', '0.1 %', '١%', '0.1%0%']) {
    await assert.rejects(approveBuilderFee(api, {}, { mostFeeRate }), refused(/such as 0\.1%/), mostFeeRate);
  }
});
