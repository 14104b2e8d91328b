// Pages whose scripts are held back, and pictures of their frame: what the host sends beside what the modules have taken over.
import assert from 'node:assert/strict';

/** The slots of the frame, which the host draws. */
export const SLOTS = ['header', 'search', 'footer'];

/**
 * Opens a page of a site, in a language that the site has, whose scripts do not come before `release` is called. `demo` has `open` and `at` of
 * `useDemo`. Resolves when the frame is drawn, to the page with what it reports.
 */
export async function openHeld(demo, sld, address, { width, lang, colorScheme = 'light' }) {
  const { page, faults, close } = await demo.open({ viewport: { width, height: 900 }, colorScheme });
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route('**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  const reports = [];
  page.on('request', (request) => request.url().endsWith('/ui-failure') && reports.push(request.postData()));
  const answer = await page.goto(demo.at(sld, address), { waitUntil: 'commit' });
  assert.ok(new URL(answer.url()).pathname.startsWith(`/${lang}/`), `${sld} has the language ${lang}: ${answer.url()}`);
  await page.locator('[data-slot="footer"] footer').waitFor();
  // The bootstrap is behind the frame.
  await page.waitForFunction(() => document.readyState !== 'loading');
  await page.evaluate(() => document.fonts.ready);
  // A logo that arrives between the two pictures of a busy machine would be a difference of its own.
  await page.waitForFunction(() => [...document.querySelectorAll('#app > [data-slot] img')].every((image) => image.complete || image.loading === 'lazy'));
  return { page, faults, reports, close, release };
}

/**
 * Waits until the shell has taken the page over, and the modules the frame: React marks the elements that it has taken over. Takes the shell's own
 * button away: it is there after the scrolling to the footer, on top of it.
 */
export async function takenOver(page) {
  await page.locator('.floating').waitFor({ state: 'attached' });
  await page.waitForFunction(() => {
    const isTaken = (element) => Object.keys(element).some((key) => key.startsWith('__reactFiber'));
    return [...document.querySelectorAll('#app > [data-rendered] > :first-child')].every(isTaken);
  });
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => (document.querySelector('.floating').style.display = 'none'));
}

/** A picture of the first element of each slot that is shown: in a narrow window, the search may be a popup. */
export async function shots(page) {
  // A module of the account comes late, into a place of its size. On other pages, the account is the header's own.
  const isLate = await page.evaluate(() => {
    const { slots } = JSON.parse(document.querySelector('body > script#bootstrap').textContent);
    return Boolean(slots['header.account']?.length);
  });
  const mask = isLate ? [page.locator('.frame-account, .account-link')] : [];
  const taken = {};
  for (const slot of SLOTS) {
    const part = page.locator(`#app > [data-slot="${slot}"] > *`).first();
    if (await part.isVisible()) taken[slot] = (await part.screenshot({ animations: 'disabled', caret: 'initial', mask })).toString('base64');
  }
  return taken;
}

export function assertSame(before, after, where) {
  assert.deepEqual(Object.keys(after), Object.keys(before), `${where}: the same parts are shown`);
  for (const slot of Object.keys(before)) assert.ok(before[slot] === after[slot], `${where}: the ${slot} changed`);
}
