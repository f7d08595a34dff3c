import assert from 'node:assert/strict';
import { createServer } from 'node:http';

import { accessible, base, demoUser, fits, goTo, sure } from './harness.mjs';

export const title = 'Webhooks: add, secret, test, deliveries, redeliver, rotate, replay, verify, a receiver that is gone, delete';
export const panel = 'webhooks';
export const weight = 3;

/** A receiver that keeps what arrives. */
async function listen() {
  const got = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { type, data } = JSON.parse(body);
    if (type === 'webhook.verification') {
      response.writeHead(200).end(JSON.stringify({ challenge: data.challenge }));
      return;
    }
    got.push({ headers: request.headers, body });
    response.writeHead(200).end('thanks');
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { got, server, url: `http://127.0.0.1:${server.address().port}/hooks` };
}

export async function run({ page }) {
  const main = page.getByRole('main');
  await main.getByText('You are not signed in').waitFor();
  await demoUser(page);
  await main.getByText('No webhook yet').waitFor();
  const region = (name) => main.getByRole('region', { name, exact: true });
  const deliveries = main.getByRole('table', { name: 'Deliveries' });
  const received = main.getByRole('table', { name: 'Received requests' });
  const button = (name) => main.getByRole('button', { name, exact: true });
  const url = main.getByLabel('Address', { exact: true });
  await page.waitForFunction(() => document.querySelector('input[name="url"]')?.value.includes('/_local/hooks/'));
  const local = await url.inputValue();

  // The answer of the local receiver is readable: nothing of the longest one is cut.
  await page.setViewportSize({ width: 1440, height: 900 });
  const { needed, has } = await main.getByLabel('The local receiver', { exact: true }).evaluate((select) => {
    const has = select.clientWidth;
    select.style.width = 'max-content';
    const needed = select.clientWidth;
    select.style.width = '';
    return { needed, has };
  });
  assert.ok(needed <= has, `the select needs ${needed} px and has ${has}`);
  await page.setViewportSize({ width: 1360, height: 900 });

  // An address that is not public is refused.
  await url.fill('http://example.com/hooks');
  await button('Add the webhook').click();
  await main.getByRole('alert').first().waitFor();
  await accessible(page, 'a refused webhook');

  // The secret is shown once.
  await url.fill(local);
  await main.getByLabel('Note').fill('the shop');
  await button('Add the webhook').click();
  const secret = region('The secret of the webhook');
  await secret.getByText(/^whsec_/).waitFor();
  const first = (await secret.getByRole('group', { name: 'Secret' }).locator('code').first().innerText()).trim();
  await main.getByRole('table', { name: 'Webhooks', exact: true }).getByText('the shop').waitFor();
  await accessible(page, 'a new webhook');
  await secret.getByRole('button', { name: 'I have stored it' }).click();
  await secret.waitFor({ state: 'detached' });

  // A test and an event are delivered, and the receiver’s view of them appears.
  await button('Send a test').click();
  await deliveries.getByText('webhook.test').first().waitFor();
  await received.getByText('1 signature holds').first().waitFor();
  const { accessToken } = JSON.parse(await page.evaluate(() => sessionStorage.getItem('runeport.playground.tokens')));
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', accept: 'application/json' };
  const requestExport = async () => {
    const answer = await fetch(`${base}/api/download-histories`, { method: 'POST', headers, body: JSON.stringify({ format: 'csv' }) });
    assert.ok(answer.ok, await answer.text());
  };
  await requestExport();
  await deliveries.getByText('export.completed').first().waitFor();
  await received.getByText('export.completed').first().waitFor();
  await received.getByText('Body', { exact: true }).nth(1).click();
  await accessible(page, 'deliveries');

  // The owner asks for the event again, and for all of them.
  await deliveries.getByRole('button', { name: /^Redeliver event / }).first().click();
  await deliveries.getByText('redelivery').waitFor();
  const exports = received.getByRole('cell', { name: 'export.completed', exact: true });
  await exports.nth(1).waitFor();
  await main.getByLabel('Replay after event').fill('0');
  await button('Replay').click();
  await exports.nth(2).waitFor();

  // After a rotation both secrets sign.
  await button('Rotate the secret').click();
  await secret.getByText(/^whsec_/).waitFor();
  const second = (await secret.getByRole('group', { name: 'Secret' }).locator('code').first().innerText()).trim();
  assert.notEqual(second, first);
  await main.getByText('each request has two signatures', { exact: false }).waitFor();
  await button('Send a test').click();
  await received.getByText('2 signatures hold').first().waitFor();

  // What the local receiver got is verified in the page.
  const valid = main.getByText('The signature holds, and the request is recent.');
  await received.getByRole('button', { name: /^Verify / }).first().click();
  await button('Verify').click();
  await valid.waitFor();
  await region('Verify a request').getByText('webhook.test').first().waitFor();

  // A request to a receiver of one’s own is verified in the page, by either secret, and not if a byte is another.
  const receiver = await listen();
  try {
    await main.getByLabel('Send to').fill(receiver.url);
    await button('Change the address').click();
    await region('Webhook').getByText(receiver.url).first().waitFor();
    await button('Send a test').click();
    await deliveries.getByText('thanks').first().waitFor();
  } finally {
    receiver.server.close();
  }
  const [{ headers: sent, body }] = receiver.got;
  const lines = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => `${name}: ${sent[name]}`);
  await main.getByLabel('Headers').fill(lines.join('\n'));
  await main.getByLabel('Body', { exact: true }).fill(body);
  await button('Verify').click();
  await valid.waitFor();
  await main.getByLabel('Secret', { exact: true }).and(main.locator('input')).fill(first);
  await button('Verify').click();
  await valid.waitFor();
  await accessible(page, 'a verified request');
  await main.getByLabel('Body', { exact: true }).fill(`${body} `);
  await button('Verify').click();
  await region('Verify a request').getByText('client.webhookInvalid').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'Webhooks on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });

  // A receiver that fails, and a webhook that its owner switches off and on.
  await main.getByLabel('Send to').fill(`${local}?status=503`);
  await button('Change the address').click();
  await region('Webhook').getByText('status=503').first().waitFor();
  await button('Send a test').click();
  await deliveries.getByText('503').first().waitFor();
  await button('Switch off').click();
  await main.getByText('You switched it off.').waitFor();
  await button('Switch on').click();
  await button('Switch off').waitFor();

  // A receiver that answers 410 wants no more: the webhook is off, and says why. Nothing is lost once it is on again.
  await main.getByLabel('Send to').fill(`${local}?status=410`);
  await button('Change the address').click();
  await region('Webhook').getByText('status=410').first().waitFor();
  await requestExport();
  await main.getByText('The receiver answered 410.').waitFor();
  await button('Switch on').waitFor();
  await deliveries.getByText('410').first().waitFor();
  await accessible(page, 'a webhook whose receiver is gone');
  const before = await exports.count();
  await requestExport();
  await main.getByLabel('Send to').fill(local);
  await button('Change the address').click();
  await region('Webhook').getByText('status=410').waitFor({ state: 'detached' });
  await button('Switch on').click();
  await button('Switch off').waitFor();
  await exports.nth(before + 1).waitFor();
  assert.equal(await main.getByText('The receiver answered 410.').count(), 0);

  // The secret does not survive a visit to another panel, and the inspector never has it.
  await goTo(page, 'start');
  await goTo(page, 'webhooks');
  await button('Delete the webhook').waitFor();
  assert.equal(await page.getByText(/^whsec_/).count(), 0);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('button', { name: /POST\s*\/api\/webhooks\/[^/]+\/rotate-secret/ }).first().click();
  assert.equal((await page.locator('#calls').innerText()).includes(second), false);

  await sure(page, button('Delete the webhook'), 'Delete it');
  await main.getByText('No webhook yet').waitFor();
}
