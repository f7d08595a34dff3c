import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { accessible, ask, goTo, signOut, withPassword } from './harness.mjs';

export const title = 'Second factor: set up, a wrong code, a sign-in with a code, off';
export const panel = 'access';
export const weight = 3;
// A code holds for about a minute of the service's clock, which a block that another test mines would use up.
export const runs = 'exclusive';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** A code belongs to a time step of this length, in ms. */
const STEP = 30_000;

/** Computes a code like an authenticator app (RFC 6238). */
function totp(secret, now) {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const from = digest[19] & 15;
  return String((digest.readUInt32BE(from) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/**
 * A code that no earlier one has spent: the clock moves by a step. It is the code of the following step, which the service
 * takes early (RFC 6238, section 5.2), so that it holds for more than a minute.
 */
async function freshCode(secret) {
  const { now } = await ask('POST', '/_local/clock', { advanceMs: STEP });
  return totp(secret, now + STEP);
}

export async function run({ page }) {
  const person = { email: `factor.${crypto.randomUUID().slice(0, 8)}@example.com`, password: 'four old secret words' };
  const session = page.getByRole('heading', { name: 'Your session' });
  await withPassword(page, 'Sign up', person);
  await session.waitFor();
  await goTo(page, 'security');

  const factor = page.getByRole('region', { name: 'Second factor', exact: true }).first();
  const toggle = async (name, code) => {
    await factor.getByLabel('Code', { exact: true }).fill(code);
    await factor.getByRole('button', { name }).click();
  };
  await factor.getByRole('button', { name: 'Set up' }).click();
  const secret = (await factor.locator('dd code').first().innerText()).trim();
  // Drawn at its own size, so that all its modules are equally wide.
  const code = page.getByRole('img', { name: /QR code/ });
  await code.waitFor();
  const [drawn, own] = await code.evaluate(async (one) => {
    await one.decode();
    const { paddingLeft, paddingRight } = getComputedStyle(one);
    return [one.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight), one.naturalWidth];
  });
  assert.equal(drawn, own);
  await accessible(page, 'Security, while a second factor is set up');
  await toggle('Switch on', '000000');
  await factor.getByRole('alert').waitFor();
  await toggle('Switch on', await freshCode(secret));
  await factor.getByText('Recovery codes.').waitFor();
  // They stay until the user has saved them.
  await goTo(page, 'mail');
  await goTo(page, 'security');
  const [file] = await Promise.all([page.waitForEvent('download'), factor.getByRole('button', { name: 'Download the codes' }).click()]);
  assert.equal(file.suggestedFilename(), 'runeport-recovery-codes.txt');
  const codes = (await readFile(await file.path(), 'utf8')).trim();
  assert.equal(codes, (await factor.getByRole('group', { name: 'Recovery codes' }).innerText()).trim());
  await factor.getByRole('button', { name: 'I have saved them' }).click();
  await factor.getByText('Recovery codes.').waitFor({ state: 'detached' });

  // A sign-in asks for a code.
  await signOut(page);
  await page.getByText('You are not signed in').waitFor();
  await goTo(page, 'access');
  await withPassword(page, 'Sign in', person);
  const dialog = page.getByRole('dialog', { name: 'Second factor' });
  await dialog.waitFor();
  await accessible(page, 'the question for a code');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('This was cancelled', { exact: false }).waitFor();
  await withPassword(page, 'Sign in', person);
  // The page has proved the password once when it asks for a code, and proves it again with the code.
  await dialog.waitFor();
  // A wrong code is asked for again, in the same dialog.
  await dialog.getByLabel('Code').fill('000000');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText('The code is wrong', { exact: false }).waitFor();
  assert.equal(await dialog.getByLabel('Code').getAttribute('aria-invalid'), 'true');
  await accessible(page, 'a wrong code');
  await dialog.getByLabel('Code').fill(await freshCode(secret));
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await session.waitFor();

  await goTo(page, 'security');
  await toggle('Switch off', await freshCode(secret));
  await factor.getByText('off', { exact: true }).waitFor();
}
