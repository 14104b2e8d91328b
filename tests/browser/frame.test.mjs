// The frame of a page is drawn once: what the host sends is what the modules render, to the pixel, on every demo site, on light and on dark paper;
// on home pages, and on articles of the sites with the most of a frame.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapOf, sites, visit } from './crawler.mjs';
import { assertSame, openHeld, shots, SLOTS, takenOver } from './frame.mjs';
import { drawn, useDemo } from './portal.mjs';
import { nothingAhead } from './screen-checks.mjs';

const demo = useDemo();

const NARROW = { width: 390, colorScheme: 'light' };
const WIDE = { width: 1280, colorScheme: 'light' };
const DARK = { width: 1280, colorScheme: 'dark' };
/** Sites with the most of a frame, which are looked at in every language at every width. */
const WHOLE = ['oceanledger', 'scriptstone', 'hssxiv', 'plainpress'];
/**
 * The loads of a home page: the language, and the views in which it is looked at before and after its scripts. These take it over in the last view: on
 * each of these sites at both widths, and on the other sites on both papers.
 */
const loadsOf = (sld) =>
  WHOLE.includes(sld)
    ? [
        { lang: 'zh', views: [WIDE, NARROW] },
        { lang: 'en', views: [NARROW, DARK, WIDE] },
        { lang: 'ara', views: [WIDE, NARROW] },
      ]
    : [
        { lang: 'zh', views: [NARROW] },
        { lang: 'en', views: [DARK] },
      ];
const ARTICLES = [
  { width: 390, lang: 'zh', colorScheme: 'dark' },
  { width: 1280, lang: 'en', colorScheme: 'light' },
];

/** Opens a page whose scripts do not come before `release` is called, and which fetches no pages ahead. */
async function open(sld, address, view) {
  const opened = await openHeld(demo, sld, address, view);
  await opened.page.evaluate(nothingAhead);
  return opened;
}

/** Gives a page another view, and waits until the frame is drawn with its pictures: those of a window or paper come when they are shown. */
async function turn(page, { width, colorScheme }) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await drawn(page);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('#app > [data-slot] img')].every((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      if (!image.checkVisibility() || bottom <= 0 || top >= innerHeight) return true;
      const sources = [...(image.closest('picture')?.querySelectorAll('source') ?? [])];
      const { srcset } = sources.find(({ media }) => matchMedia(media).matches) ?? { srcset: image.src };
      return image.complete && image.currentSrc === new URL(srcset, location.href).href;
    }),
  );
}

for (const sld of sites) {
  test(`the frame of ${sld} is the same before and after scripts`, async () => {
    const { languages } = bootstrapOf((await visit(demo.portal.port, sld, '/')).text);
    const loads = loadsOf(sld).filter(({ lang }) => languages.some(({ code }) => code === lang));
    for (const { lang, views } of loads) {
      const { page, faults, reports, close, release } = await open(sld, `/${lang}/home/`, { lang, ...views[0] });
      const nameOf = ({ width, colorScheme }) => `${lang} ${width} ${colorScheme}`;
      const before = [];
      for (const view of views) {
        await turn(page, view);
        const pictures = await shots(page);
        assert.deepEqual(Object.keys(pictures), SLOTS, nameOf(view));
        before.push(pictures);
      }
      const input = page.locator('.frame-search [type=search]');
      await input.focus();
      await input.pressSequentially('ocean');
      release();
      await takenOver(page);
      const typed = await input.evaluate((field) => [field.value, field === document.activeElement]);
      assert.deepEqual(typed, ['ocean', true], `${nameOf(views.at(-1))}: what was typed stays`);
      await input.fill('');
      await input.evaluate((field) => field.blur());
      // The list of suggestions, which the typed word has opened.
      await page.locator('.search-suggestions').waitFor({ state: 'hidden' });
      for (const [at, view] of [...views.entries()].reverse()) {
        await turn(page, view);
        assertSame(before[at], await shots(page), nameOf(view));
      }
      assert.deepEqual(reports, []);
      assert.deepEqual(faults, []);
      await close();
    }
    assert.ok(loads.length > 0, `${sld} has one of the languages: ${languages.map(({ code }) => code).join()}`);
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
      const { page, faults, reports, close, release } = await open(sld, `/${lang}/${path}`, view);
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
