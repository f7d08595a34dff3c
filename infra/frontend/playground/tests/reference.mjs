// The reference is no panel, but a page of the service: without the playground's styles, under a policy of its own.

import assert from 'node:assert/strict';

import { accessible, base, fits } from './harness.mjs';

export const title = 'Reference';
export const panel = 'start';
export const runs = 'passive';

/** The contrast of the page's text to what it declares as its background. */
const contrast = (page) => page.evaluate(() => {
  const luminance = (color) => {
    const parts = color.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const { color, backgroundColor } = getComputedStyle(document.body);
  if (/^rgba\(.*, 0\)$/.test(backgroundColor)) return 0;
  const [dark, light] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
});

export async function run({ page }) {
  await page.goto(`${base}/api/docs`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const navigation = page.getByRole('navigation');
  await page.evaluate(() => document.querySelectorAll('nav details').forEach((one) => { one.open = true; }));
  const wide = await navigation.evaluate((nav) => nav.scrollWidth - nav.clientWidth);
  assert.ok(wide <= 0, `an entry of the navigation is ${wide} px too long`);

  // Each colour scheme, a page of forced colours and a printed one declare both colours.
  for (const media of [{ colorScheme: 'dark' }, { colorScheme: 'light' }, { forcedColors: 'active' }, { media: 'print', colorScheme: 'dark' }]) {
    await page.emulateMedia(media);
    const found = await contrast(page);
    assert.ok(found > 7, `${JSON.stringify(media)}: ${found}`);
    assert.equal(await navigation.isVisible(), media.media !== 'print');
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null });
  }
  await accessible(page, 'the reference');

  // A link leads to a whole row, which is marked, and not to one that the edge of the window cuts.
  for (const [anchor, shown] of [['code-2005', 'tr'], ['guide-errors', 'h2'], ['listMints', 'h3']]) {
    await page.goto(`${base}/api/docs#${anchor}`);
    const place = page.locator(shown).and(page.locator(`#${anchor}, :has(#${anchor})`));
    const { top, outline } = await place.evaluate((one) => ({
      top: one.getBoundingClientRect().top, outline: getComputedStyle(one).outlineStyle,
    }));
    assert.ok(top >= 2, `#${anchor} is at ${top} px`);
    assert.equal(outline, 'solid', `#${anchor} is not marked`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'the reference on a phone');
}
