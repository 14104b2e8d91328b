// Walks by keyboard alone: where the focus is, and how Tab leads to a control.
import assert from 'node:assert/strict';

/** The label of what has the focus, else its text. */
export const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

/** Whether the focus is on what a selector names, or within it. */
export const hasFocus = (page, selector) => page.evaluate((wanted) => Boolean(document.activeElement?.closest(wanted)), selector);

/** Waits until the focus is on what a selector names, or within it: it moves with the next frame, or when a chunk has come. */
export const waitForFocus = (page, selector) => page.waitForFunction((wanted) => Boolean(document.activeElement?.closest(wanted)), selector);

/** Presses a key, Tab by default, until `isThere` holds; fails after `most` times. */
async function press(page, isThere, what, { key = 'Tab', most = 40 } = {}) {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press(key);
    if (await isThere()) return;
  }
  assert.fail(`${key} does not lead to ${what}`);
}

/** Presses Tab, or another key, until the focus is on a control with this name. */
export const tabTo = (page, name, options) => press(page, async () => (await focused(page)) === name, name, options);

/** Presses Tab, or another key, until the focus is on an element that the selector names. */
export const tabToPart = (page, selector, options) =>
  press(page, () => page.evaluate((wanted) => Boolean(document.activeElement?.matches(wanted)), selector), selector, options);

/**
 * Asserts that Tab goes round within what the selector names: through everything there, back to where it began, and never out of it. Resolves to the
 * names of the controls.
 */
export async function assertGoesRound(page, selector, most = 60) {
  await page.keyboard.press('Tab');
  await page.evaluate(() => {
    globalThis.cycle = document.activeElement;
  });
  const names = [];
  for (let presses = 0; presses < most; presses += 1) {
    const seen = await page.evaluate((wanted) => {
      const active = document.activeElement;
      const name = active?.getAttribute('aria-label') ?? active?.labels?.[0]?.textContent ?? active?.textContent ?? '';
      return { inside: Boolean(active?.closest(wanted)), name: name.trim() };
    }, selector);
    assert.ok(seen.inside, `the focus left ${selector} for "${seen.name}"`);
    names.push(seen.name);
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === globalThis.cycle)) return names;
  }
  return assert.fail(`Tab does not return to where it began in ${selector}: ${names.join(', ')}`);
}
