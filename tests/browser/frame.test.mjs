// The frame of a page is drawn once: what the host sends is what the modules render, to the pixel, on every demo site, on light and on dark paper;
// on home pages, and on articles of the sites with the most of a frame.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sites, visit } from './crawler.mjs';
import { useDemo } from './portal.mjs';

const demo = useDemo();

/** Sites with the most of a frame, which are looked at in every language at every width. */
const WHOLE = ['oceanledger', 'scriptstone', 'hssxiv', 'plainpress'];
const picturesOf = (sld) =>
  WHOLE.includes(sld) ? [390, 1280].flatMap((width) => ['zh', 'en', 'ara'].map((lang) => ({ width, lang }))) : [{ width: 390, lang: 'zh' }];
/** On dark paper, the home pages of all sites. */
const DARK = { width: 1280, lang: 'en', colorScheme: 'dark' };
const ARTICLES = [
  { width: 390, lang: 'zh', colorScheme: 'dark' },
  { width: 1280, lang: 'en', colorScheme: 'light' },
];
const SLOTS = ['header', 'search', 'footer'];

/**
 * Opens a page whose scripts do not come before `release` is called. Resolves to undefined if the site has not the language, and otherwise when the
 * frame is drawn, to the page with what it reports.
 */
async function openHeld(sld, address, { width, lang, colorScheme = 'light' }) {
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
  if (!new URL(answer.url()).pathname.startsWith(`/${lang}/`)) {
    release();
    await close();
    return undefined;
  }
  await page.locator('[data-slot="footer"] footer').waitFor();
  await page.evaluate(() => document.fonts.ready);
  // A logo that arrives between the two pictures of a busy machine would be a difference of its own.
  await page.waitForFunction(() => [...document.querySelectorAll('#app > [data-slot] img')].every((image) => image.complete || image.loading === 'lazy'));
  return { page, faults, reports, close, release };
}

/** Waits until the shell has taken the page over, and takes its own button away: it is there after the scrolling to the footer, on top of it. */
async function takenOver(page) {
  await page.locator('.floating').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => (document.querySelector('.floating').style.display = 'none'));
}

/** A picture of the first element of each slot that is shown: in a narrow window, the search may be a popup. */
async function shots(page) {
  // The module of the account comes late, into a place of its size.
  const mask = [page.locator('.frame-account, .account-link')];
  const taken = {};
  for (const slot of SLOTS) {
    const part = page.locator(`#app > [data-slot="${slot}"] > *`).first();
    if (await part.isVisible()) taken[slot] = (await part.screenshot({ animations: 'disabled', caret: 'initial', mask })).toString('base64');
  }
  return taken;
}

function assertSame(before, after, where) {
  assert.deepEqual(Object.keys(after), Object.keys(before), `${where}: the same parts are shown`);
  for (const slot of Object.keys(before)) assert.ok(before[slot] === after[slot], `${where}: the ${slot} changed`);
}

for (const sld of sites) {
  test(`the frame of ${sld} is the same before and after scripts`, async () => {
    for (const view of [...picturesOf(sld), DARK]) {
      const { width, lang, colorScheme = 'light' } = view;
      const held = await openHeld(sld, `/${lang}/home/`, view);
      if (!held) continue;
      const { page, faults, reports, close, release } = held;
      const where = `${lang} ${width} ${colorScheme}`;
      const input = page.locator('.frame-search [type=search]');
      const before = await shots(page);
      assert.deepEqual(Object.keys(before), SLOTS, where);
      await input.focus();
      await input.pressSequentially('ocean');
      release();
      await takenOver(page);
      assert.deepEqual(await input.evaluate((field) => [field.value, field === document.activeElement]), ['ocean', true], `${where}: what was typed stays`);
      await input.fill('');
      await input.evaluate((field) => field.blur());
      // The list of suggestions, which the typed word has opened.
      await page.locator('.search-suggestions').waitFor({ state: 'hidden' });
      assertSame(before, await shots(page), where);
      assert.deepEqual(reports, []);
      assert.deepEqual(faults, []);
      await close();
    }
  });

  if (!WHOLE.includes(sld)) continue;
  test(`the frame of an article of ${sld} is the same before and after scripts`, async () => {
    let path;
    for (const list of ['home/', 'issue', 'onlineFirst/', 'search?q=the']) {
      path ??= /class="card-title"[^>]*>\s*<a href="\/en\/([^"]+)"/.exec((await visit(demo.portal.port, sld, `/en/${list}`)).text)?.[1];
    }
    assert.ok(path, 'the site lists an article');
    for (const view of ARTICLES) {
      const { width, lang, colorScheme } = view;
      const { page, faults, reports, close, release } = await openHeld(sld, `/${lang}/${path}`, view);
      const where = `${lang} ${width} ${colorScheme}`;
      // The tools of an article change its height, and the place of the footer with it; a bar comes over the scrolled article. The frame is looked
      // at alone.
      const alone = (off) => page.locator('main').evaluate((main, hidden) => main.toggleAttribute('hidden', hidden), off);
      await alone(true);
      const before = await shots(page);
      await alone(false);
      release();
      await page.locator('article.reader .toolbar').waitFor();
      await takenOver(page);
      await alone(true);
      assertSame(before, await shots(page), where);
      assert.deepEqual(reports, []);
      assert.deepEqual(faults, []);
      await close();
    }
  });
}
