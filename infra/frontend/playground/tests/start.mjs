import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { accessible, demoUser, fits, focused, goTo, idle, until } from './harness.mjs';

export const title = 'Start, and the shell of the page';
export const panel = 'start';

/**
 * Answers no lever of a turn before all levers of the turn were pulled, so a page that pulls one after another hangs.
 */
async function sentTogether(page, turns) {
  const held = turns.map(() => []);
  await page.route('**/_local/**', async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/_local/', '');
    const turn = turns.findIndex((one) => one.includes(path));
    const wanted = turns[turn]?.filter((one) => one === path).length ?? 0;
    const same = held[turn]?.filter((one) => one.path === path).length ?? 0;
    // Other requests pass, and so do those of a turn that is over. A clock that does not move is a look at it.
    if (same >= wanted || route.request().postDataJSON()?.advanceMs === 0) return route.fallback();
    held[turn].push({ path, route });
    if (held[turn].length === turns[turn].length) await Promise.all(held[turn].map((one) => one.route.fallback()));
    return undefined;
  });
  return () => assert.deepEqual(held.map((one) => one.map(({ path }) => path).sort()), turns.map((one) => one.toSorted()));
}

export async function run({ page, context }) {
  await page.getByText('ready', { exact: true }).waitFor();
  await accessible(page, 'Start before a sign-in');

  // A demo user takes six round trips: what can be sent at the same time is, and nothing is asked that an answer has said.
  const sent = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const allSent = await sentTogether(page, [['bitcoin/fund', 'bitcoin/fund'], ['bitcoin/mine', 'clock']]);
  await demoUser(page);
  allSent();
  await page.unrouteAll({ behavior: 'wait' });
  assert.deepEqual(sent.filter((path) => path.startsWith('/output/')), [], 'the sum of the coins needs no look at each of them');
  await accessible(page, 'Start, signed in');

  // The inspector shows a call with its response, as curl and as code, without its tokens.
  const calls = page.getByRole('complementary', { name: 'Calls' });
  await calls.getByRole('button', { name: /POST \/auth\/authenticate/ }).click();
  const answer = calls.getByRole('group', { name: 'Response' });
  assert.match(await answer.innerText(), /"accessToken": "\*\*\*"/);
  // What the service did for the call: its own span, and one for each call to a table.
  await calls.getByRole('tab', { name: 'Spans' }).click();
  const spans = calls.getByRole('list', { name: 'Spans' }).getByRole('listitem');
  // The service sends its spans some time after it has answered.
  const again = calls.getByRole('button', { name: /^Look again/ });
  await until('the spans', async () => {
    await idle(page);
    if ((await spans.filter({ hasText: /^POST \/auth\/authenticate/ }).count()) > 0) return true;
    await again.click();
    return undefined;
  });
  const written = spans.filter({ hasText: 'DynamoDB TransactWriteItems' });
  assert.match(await written.first().innerText(), /ms[^]*accounts[^]*\d+ rows · [\d.]+ units/);
  await accessible(page, 'the spans of a call');
  await calls.getByRole('tab', { name: 'curl' }).click();
  assert.match(await calls.getByRole('group', { name: 'curl' }).innerText(), /^curl -s '.*\/auth\/authenticate'/);
  await calls.getByRole('tab', { name: 'Client code' }).click();
  assert.match(await calls.getByRole('group', { name: 'Client code' }).innerText(), /await signInWithWallet\(api, wallet\)/);
  await calls.getByRole('button', { name: 'Copy client code' }).click();
  await until('the copied code', async () => /createApi/.test(await page.evaluate(() => navigator.clipboard.readText())) || undefined);
  const [saved] = await Promise.all([page.waitForEvent('download'), calls.getByRole('button', { name: 'Download all calls as HAR' }).click()]);
  assert.equal(saved.suggestedFilename(), 'runeport.har');
  const har = await readFile(await saved.path(), 'utf8');
  assert.ok(JSON.parse(har).log.entries.some(({ request }) => request.url.endsWith('/auth/authenticate')));
  assert.doesNotMatch(har, /eyJ/);
  await accessible(page, 'the inspector');

  // The session survives a reload of the page. The inspector shows only the calls of the current panel.
  await page.reload();
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  await goTo(page, 'mail');
  await focused(page, /^Mailbox$/);
  await calls.getByText('/_local/mail').waitFor();

  // Start lists every panel of the navigation, and its links lead to the section that they name.
  await goTo(page, 'start');
  const titles = async (links) => (await links.allInnerTexts()).map((text) => text.split('\n')[0].trim()).filter((text) => text !== 'Start').sort();
  const navigation = page.getByRole('navigation', { name: 'Panels' });
  const listed = await titles(page.getByRole('region', { name: 'Panels' }).getByRole('link'));
  assert.deepEqual(listed, await titles(navigation.locator('a[href^="#/"]')));
  assert.ok(listed.includes('Webhooks') && listed.includes('Recovery'), listed.join());
  for (const [link, section] of [['Withdraw coins', 'Withdraw'], ['Take part in a mint', 'Take part']]) {
    await goTo(page, 'start');
    await page.getByRole('link', { name: link }).click();
    const heading = page.getByRole('heading', { level: 2, name: section, exact: true });
    await until(`${section} is in view`, async () => ((await heading.evaluate((one) => document.activeElement === one)) ? true : undefined));
    await idle(page);
    const { top, height } = await heading.evaluate((one) => ({ top: one.getBoundingClientRect().top, height: innerHeight }));
    assert.ok(top > 0 && top < height / 2, `${section} begins at ${top} of ${height}`);
  }
  // A long panel lists its sections, whose links can be sent.
  await goTo(page, 'wallet');
  const sections = page.getByRole('navigation', { name: 'Sections of this panel' });
  await sections.getByRole('link', { name: 'Own transactions' }).click();
  const own = page.getByRole('heading', { level: 2, name: 'Own transactions' });
  await until('the section is in view', async () => ((await own.evaluate((one) => document.activeElement === one)) ? true : undefined));
  assert.match(page.url(), /#\/wallet\/own-transactions$/);
  await sections.locator('[aria-current="location"]').waitFor();
  const below = await sections.evaluate((one) => one.getBoundingClientRect().bottom);
  assert.ok((await own.boundingBox()).y >= below, 'the list of sections does not cover the section');
  await accessible(page, 'the sections of a panel');
  await page.reload();
  await until('the section is in view again', async () => ((await own.evaluate((one) => document.activeElement === one)) ? true : undefined));
  // Back at the top with a link to the panel alone.
  await navigation.getByRole('link', { name: 'Trading wallet' }).click();
  await until('the top of the panel', async () => ((await page.evaluate(() => scrollY)) === 0 ? true : undefined));

  // A panel or a section is found by its name, with the keyboard alone.
  const search = page.getByRole('combobox', { name: 'Go to a panel or a section' });
  await page.keyboard.press('Control+k');
  await search.fill('wallet own');
  const option = page.getByRole('option', { name: 'Trading wallet: Own transactions' });
  assert.equal(await option.getAttribute('aria-selected'), 'true');
  await accessible(page, 'the search for a section');
  await page.keyboard.press('Enter');
  await until('the section that was searched', async () => ((await own.evaluate((one) => document.activeElement === one)) ? true : undefined));
  await navigation.getByRole('button', { name: 'Go to…' }).click();
  await search.fill('nothing of this name');
  await page.getByText('No panel or section has this name.').waitFor();
  await accessible(page, 'a search that finds nothing');
  await search.fill('mail');
  await page.keyboard.press('ArrowDown');
  assert.deepEqual(await page.locator('[role=option]').evaluateAll((all) => all.map((one) => [one.innerText, one.ariaSelected])), [
    ['Security: E-mail address', 'false'], ['Mailbox', 'true'],
  ]);
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();

  // A link to no panel says so.
  await page.evaluate(() => { location.hash = '#/nonsense'; });
  await page.getByRole('heading', { level: 1, name: 'There is no such panel' }).waitFor();
  assert.equal(await navigation.locator('a[aria-current="page"]').count(), 0);
  await accessible(page, 'no such panel');
  await page.getByRole('link', { name: 'Go to Start' }).click();
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();

  // The button overrides the system's colour scheme.
  await page.getByRole('button', { name: /^Colours/ }).click();
  await page.getByRole('button', { name: /^Colours/ }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(19, 18, 16)');
  await page.getByRole('button', { name: /^Colours/ }).click();

  // Without a network, the page shows a banner until the network returns.
  await context.setOffline(true);
  await page.getByText('The service cannot be reached.').first().waitFor();
  await accessible(page, 'offline');
  await context.setOffline(false);
  await page.getByText('The service cannot be reached.').first().waitFor({ state: 'detached' });

  // On a phone, buttons open the navigation and the inspector.
  await page.setViewportSize({ width: 390, height: 844 });
  await goTo(page, 'start');
  await fits(page, 'Start on a phone');
  await page.getByRole('button', { name: 'Menu' }).click();
  await accessible(page, 'the menu on a phone');
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Mailbox' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor();
  await page.getByRole('button', { name: /calls recorded/ }).click();
  await page.getByRole('complementary', { name: 'Calls' }).waitFor();
  await accessible(page, 'the inspector on a phone');
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Calls' }).waitFor({ state: 'detached' });
  await fits(page, 'Mailbox on a phone');
}
