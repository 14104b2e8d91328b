// The frame of a page is drawn once: what the host sends is what the modules render, to the pixel, on every demo site.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sites } from './crawler.mjs';
import { useDemo } from './portal.mjs';

const demo = useDemo();

/** Every language at every width on the sites with the most of a frame; on the others, a phone in one language and a desktop in the other. */
const WHOLE = ['oceanledger', 'scriptstone', 'hssxiv', 'plainpress'];
const picturesOf = (sld) =>
  WHOLE.includes(sld)
    ? [390, 1280].flatMap((width) => ['zh', 'en', 'ara'].map((lang) => ({ width, lang })))
    : [
        { width: 390, lang: 'zh' },
        { width: 1280, lang: 'en' },
      ];

for (const sld of sites) {
  test(`the frame of ${sld} is the same before and after scripts`, async () => {
    for (const { width, lang } of picturesOf(sld)) {
      const { page, faults, close } = await demo.open({ viewport: { width, height: 900 } });
      let release;
      const released = new Promise((resolve) => (release = resolve));
      await page.route('**/*.js', async (route) => {
        await released;
        await route.continue();
      });
      const reports = [];
      page.on('request', (request) => request.url().endsWith('/ui-failure') && reports.push(request.postData()));
      const answer = await page.goto(demo.at(sld, `/${lang}/home/`), { waitUntil: 'commit' });
      if (!new URL(answer.url()).pathname.startsWith(`/${lang}/`)) {
        release();
        await close();
        continue;
      }
      await page.locator('[data-slot="footer"] footer').waitFor();
      await page.evaluate(() => document.fonts.ready);
      // A logo that arrives between the two pictures of a busy machine would be a difference of its own.
      await page.waitForFunction(() => [...document.querySelectorAll('#app > [data-slot] img')].every((image) => image.complete || image.loading === 'lazy'));
      const input = page.locator('.frame-search [type=search]');
      const slots = ['header', 'search', 'footer'].map((slot) => page.locator(`#app > [data-slot="${slot}"] > *`).first());
      // The module of the account comes late, into a place of its size.
      const account = page.locator('.frame-account, .account-link');
      const shots = async () => {
        const taken = [];
        for (const slot of slots) taken.push((await slot.screenshot({ animations: 'disabled', caret: 'initial', mask: [account] })).toString('base64'));
        return taken;
      };
      const before = await shots();
      await input.focus();
      await input.pressSequentially('ocean');
      release();
      await page.locator('.floating').waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      assert.deepEqual(
        await input.evaluate((field) => [field.value, field === document.activeElement]),
        ['ocean', true],
        `${lang} ${width}: what was typed stays`,
      );
      await input.fill('');
      await input.evaluate((field) => field.blur());
      // The list of suggestions, which the typed word has opened.
      await page.locator('.search-suggestions').waitFor({ state: 'hidden' });
      // The button to the top is there after the scrolling to the footer, on top of it.
      await page.evaluate(() => (document.querySelector('.floating').style.display = 'none'));
      const after = await shots();
      for (const [index, name] of ['header', 'search', 'footer'].entries()) assert.ok(before[index] === after[index], `${lang} ${width}: the ${name} changed`);
      assert.deepEqual(reports, []);
      assert.deepEqual(faults, []);
      await close();
    }
  });
}
