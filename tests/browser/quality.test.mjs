// Accessibility, layout shift and script size of the main pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WCAG, drawn, observeShifts, tooWide, useDemo, violations } from './portal.mjs';

const demo = useDemo();

/** Language -> the views of its pages. A page is loaded once, in the first view; another window or paper comes while it is open. */
const VIEWS = {
  en: [{ width: 1280, colorScheme: 'light' }],
  zh: [
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
  ],
};

for (const sld of ['oceanledger', 'hssxiv', 'plainpress']) {
  for (const [lang, views] of Object.entries(VIEWS)) {
    const names = views.map(({ width, colorScheme }) => `${colorScheme} at ${width} px`);
    test(`${sld} in ${lang}, ${names.join(' and ')}: no accessibility violations, no horizontal scrolling`, async () => {
      const { page, close } = await demo.open({ reducedMotion: 'reduce' });
      const turn = async ({ width, colorScheme }) => {
        await page.setViewportSize({ width, height: 850 });
        await page.emulateMedia({ colorScheme });
      };
      for (const address of [`/${lang}/home/`, await demo.articleOf(sld, lang), `/${lang}/issues`, `/${lang}/search?q=a`]) {
        await turn(views[0]);
        await page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
        for (const [at, view] of views.entries()) {
          await turn(view);
          await drawn(page);
          assert.deepEqual(await violations(page, { tags: WCAG }), [], `${address}, ${names[at]}`);
          const wide = await tooWide(page);
          assert.ok(wide <= 1, `${address}, ${names[at]}: ${wide} px too wide`);
        }
      }
      await close();
    });
  }
}

// `budgets.test.mjs` has the first views of the sites with the most of a frame.
test('the first view of an article of a plain site has no layout shift and little script', async () => {
  const address = demo.at('plainpress', await demo.articleOf('plainpress', 'en'));
  // A busy machine may paint between two scripts, which adds layout shift: the best of three views counts.
  let view = { shift: 1, script: 0 };
  for (let attempt = 0; attempt < 3 && view.shift > 0.02; attempt += 1) {
    const { page, close } = await demo.open();
    await observeShifts(page);
    await page.goto(address, { waitUntil: 'load' });
    await page.waitForTimeout(1000);
    const seen = await page.evaluate(async () => {
      // Only scripts that the document links are counted; the shell loads more when it is idle.
      const html = await (await fetch(location.href)).text();
      const linked = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map((found) => new URL(found[1], location.href).href);
      const script = performance
        .getEntriesByType('resource')
        .filter((one) => linked.includes(one.name))
        .reduce((sum, one) => sum + one.encodedBodySize, 0);
      return { shift: globalThis.shift, script };
    });
    view = seen.shift < view.shift ? seen : view;
    await close();
  }
  const { shift, script } = view;
  assert.ok(shift <= 0.02, `layout shift ${shift}`);
  assert.ok(script > 20_000 && script <= 120 * 1024, `${script} bytes of script`);
});
