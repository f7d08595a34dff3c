import assert from 'node:assert/strict';

import { accessible, demoUser, fits, goTo, until } from './harness.mjs';

export const title = 'Amounts: what a button says is what is sent, and what is not clear is refused at its field';
export const panel = 'wallet';
export const weight = 2;

/** Each can be read in two ways, or in none. */
const REFUSED = ['12,5', '0,001', '1.000,5', '1,000', '1 000', '1\u202f000', '-1', '+1', '1e3', '.5', '5.', '007', '٣', '１', '0x1', 'abc', '0'];

/** The same numbers in every run. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
const random = generator(11);
const whole = (digits) => String(1 + random(10 ** digits - 1));
const decimal = (digits, decimals) => `${random(10 ** digits)}.${String(1 + random(10 ** decimals - 1)).padStart(decimals, '0')}`;

/** A decimal in the smallest unit. */
function scaled(text, decimals) {
  const [integer, fraction = ''] = text.split('.');
  assert.ok(fraction.length <= decimals, text);
  return String(BigInt(integer + fraction.padEnd(decimals, '0')));
}

/** Answers POSTs to a path in the place of the service, and keeps their bodies. */
async function intercept(page, path) {
  const bodies = [];
  await page.route((url) => url.pathname === path, (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.fallback();
    bodies.push(request.postDataJSON());
    const body = { code: '2001', message: 'common.validation', details: 'Refused by the test.', requestId: 'test', errors: [] };
    return route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify(body) });
  });
  return async () => until(`a call of ${path}`, async () => bodies.shift());
}

export async function run({ page }) {
  const main = page.getByRole('main');
  await demoUser(page);

  /** No text that is not clear can be sent, and the field says how to write it. */
  const refuses = async (field, button) => {
    for (const text of REFUSED) {
      await field.fill(text);
      await until(`${JSON.stringify(text)} is refused`, async () => ((await field.getAttribute('aria-invalid')) === 'true' ? true : undefined));
      assert.equal(await button.getAttribute('aria-disabled'), 'true', text);
      const [id] = (await field.getAttribute('aria-describedby')).split(' ');
      assert.match(await page.locator(`[id="${id}"]`).innerText(), /[a-z] ?.*\.$/, text);
      await field.press('Enter');
    }
  };

  // A withdrawal of BTC.
  const create = main.getByRole('button', { name: /^Create the transaction/ });
  const amount = main.getByLabel('Amount', { exact: true });
  await amount.waitFor();
  const withdrawal = await intercept(page, '/api/transactions');
  await refuses(amount, create);
  await accessible(page, 'a refused amount');
  for (const text of ['0.0005', '1.000', ' 0.00012 ', decimal(2, 8), decimal(1, 3), whole(3)]) {
    await amount.fill(text);
    await main.getByRole('button', { name: /^Create the transaction: pay / }).waitFor();
    const [, said, start, end] = /: pay ([0-9.]+) BTC to (\w+)…(\w+)$/.exec(await create.innerText());
    assert.equal(scaled(said, 8), scaled(text.trim(), 8));
    await create.click();
    const { params } = await withdrawal();
    assert.equal(params.amount, scaled(said, 8), text);
    assert.ok(params.withdrawTo.startsWith(start) && params.withdrawTo.endsWith(end), params.withdrawTo);
  }
  // An amount below what nodes relay to the address, and addresses that are none.
  await amount.fill('0.00000293');
  await main.getByText('Enter at least 0.00000294 BTC.').waitFor();
  assert.equal(await create.getAttribute('aria-disabled'), 'true');
  await amount.fill('0.00000294');
  const to = main.getByLabel('To', { exact: true });
  const own = await to.inputValue();
  for (const [text, problem] of [
    ['', 'Enter the address that receives the payment.'], [own.slice(0, -1), 'This is not a regtest address.'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'This address belongs to another network.'],
  ]) {
    await to.fill(text);
    await main.getByText(problem, { exact: false }).waitFor();
    assert.deepEqual([await to.getAttribute('aria-invalid'), await create.getAttribute('aria-disabled')], ['true', 'true'], text);
  }
  await to.fill(own);
  await main.getByRole('button', { name: /^Create the transaction: pay 0\.00000294 BTC to / }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'the button of a withdrawal on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });

  // The faucet: whole sats.
  const sats = main.getByLabel('Sats from the faucet');
  const pay = main.getByRole('button', { name: /^Pay/ });
  const paid = await intercept(page, '/_local/bitcoin/fund');
  await refuses(sats, pay);
  for (const text of ['330', '70000', whole(8).padEnd(4, '0')]) {
    await sats.fill(text);
    await main.getByRole('button', { name: new RegExp(`^Pay ${text} sats to `) }).click();
    assert.equal((await paid()).sats, Number(text));
  }

  // A batch of a mint: a count, and sats.
  await goTo(page, 'mint');
  const batch = main.getByRole('button', { name: /^Create the (batch|replacement)/ });
  if (await batch.waitFor({ timeout: 8_000 }).then(() => true, () => false)) {
    const [requests, price] = [main.getByLabel('Requests', { exact: true }), main.getByLabel('Sats per request')];
    const bid = await intercept(page, '/api/vm-transactions');
    await refuses(requests, batch);
    await requests.fill('3');
    await refuses(price, batch);
    for (const [count, each] of [['1', '1000'], [whole(2), whole(5)]]) {
      await requests.fill(count);
      await price.fill(each);
      await main.getByRole('button', { name: `pay ${Number(count) * Number(each)} sats to the treasury` }).click();
      const body = await bid();
      assert.deepEqual([body.requestCount, body.satsNewRequests], [Number(count), Number(count) * Number(each)]);
    }
  }

  // A swap: two tokens with their own decimals.
  await goTo(page, 'swaps');
  await main.getByRole('button', { name: 'Link an EVM wallet of this tab' }).click();
  const register = main.getByRole('button', { name: /^Register / });
  const [given, least] = [main.getByLabel('Amount', { exact: true }), main.getByLabel('At least')];
  await given.waitFor();
  const registered = await intercept(page, '/api/xchain/transactions/register');
  await refuses(given, register);
  await given.fill('25');
  await refuses(least, register);
  for (const [input, output] of [['12.5', '0.006'], [decimal(6, 6), decimal(1, 9)], [whole(7), '0.000000000000000001']]) {
    await given.fill(input);
    await least.fill(output);
    await main.getByRole('button', { name: / for at least / }).waitFor();
    const [, pays, gets] = /^Register ([0-9.]+) USDC for at least ([0-9.]+) WETH to /.exec(await register.innerText());
    assert.deepEqual([scaled(pays, 6), scaled(gets, 18)], [scaled(input, 6), scaled(output, 18)]);
    await register.click();
    const body = await registered();
    assert.deepEqual([body.inputAmount, body.minOutputAmount], [scaled(pays, 6), scaled(gets, 18)]);
  }

  // The venue: decimals of USDC.
  await goTo(page, 'venue');
  const usdc = main.getByLabel('USDC to deposit');
  const deposit = main.getByRole('button', { name: /^Create the deposit/ });
  await usdc.waitFor();
  const asked = await intercept(page, '/api/perp-venue/deposit');
  await refuses(usdc, deposit);
  for (const text of ['10.50', decimal(3, 6), whole(4)]) {
    await usdc.fill(text);
    await main.getByRole('button', { name: /^Create the deposit: / }).waitFor();
    const [, said] = /: ([0-9.]+) USDC to /.exec(await deposit.innerText());
    await deposit.click();
    const body = await asked();
    assert.deepEqual([body.amount, scaled(body.amount, 6)], [said, scaled(text, 6)]);
  }
  await main.getByRole('tab', { name: 'Withdraw' }).click();
  const back = main.getByLabel('USDC to withdraw');
  const request = main.getByRole('button', { name: /^Request the withdrawal/ });
  const wanted = await intercept(page, '/api/perp-venue/withdraw');
  await refuses(back, request);
  for (const text of ['2.5', decimal(2, 6)]) {
    await back.fill(text);
    await main.getByRole('button', { name: /^Request the withdrawal: / }).waitFor();
    const [, said] = /: ([0-9.]+) USDC to /.exec(await request.innerText());
    await request.click();
    const body = await wanted();
    assert.deepEqual([body.amount, scaled(body.amount, 6)], [said, scaled(text, 6)]);
  }
  await accessible(page, 'amounts of the venue');
}
