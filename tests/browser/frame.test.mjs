// The frame of a page is drawn once: what the host sends is what the modules render, to the pixel, on every demo site, on light and on dark paper;
// on home pages, and on articles of the sites with the most of a frame.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapOf, sites, visit } from './crawler.mjs';
import { assertSame, openHeld, shots, SLOTS, takenOver } from './frame.mjs';
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

for (const sld of sites) {
  test(`the frame of ${sld} is the same before and after scripts`, async () => {
    const { languages } = bootstrapOf((await visit(demo.portal.port, sld, '/')).text);
    const views = [...picturesOf(sld), DARK].filter(({ lang }) => languages.some(({ code }) => code === lang));
    let compared = 0;
    for (const view of views) {
      const { width, lang, colorScheme = 'light' } = view;
      const { page, faults, reports, close, release } = await openHeld(demo, sld, `/${lang}/home/`, view);
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
      compared += 1;
      assert.deepEqual(reports, []);
      assert.deepEqual(faults, []);
      await close();
    }
    assert.ok(compared > 0, `${sld} has one of the languages: ${languages.map(({ code }) => code).join()}`);
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
      const { page, faults, reports, close, release } = await openHeld(demo, sld, `/${lang}/${path}`, view);
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
