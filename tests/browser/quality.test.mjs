// Accessibility of the main pages, and layout shift and script size of a plain one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WCAG, drawn, observeShifts, tooWide, useDemo, violations, waitForTools } from './portal.mjs';
import { FRAME, TEXT, fetchNothingAhead, turnTo } from './screen-checks.mjs';

/** One page for all loads: styles and modules are fetched once for each site. */
let page;
const demo = useDemo({
  prepare: async ({ open }) => {
    ({ page } = await open({ reducedMotion: 'reduce' }));
    await fetchNothingAhead(page);
  },
});

/** Language -> the views of its pages. A page is loaded once, in the first view; another window or paper comes while it is open. */
const VIEWS = {
  en: [{ width: 1280, colorScheme: 'light' }],
  zh: [
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
  ],
};
const ALL = ['home', 'article', 'issues', 'search'];
/** Site -> language -> pages. The other pages of oceanledger are in `shell.test.mjs`, in the same views and with all rules of axe. */
const PAGES = {
  oceanledger: { zh: ALL.filter((name) => name !== 'article') },
  hssxiv: { en: ALL, zh: ALL },
  plainpress: { en: ALL, zh: ALL },
};
const addressOf = async (sld, lang, name) =>
  name === 'article' ? demo.articleOf(sld, lang) : { home: `/${lang}/home/`, issues: `/${lang}/issues`, search: `/${lang}/search?q=a` }[name];

for (const [sld, languages] of Object.entries(PAGES)) {
  for (const [lang, pages] of Object.entries(languages)) {
    const views = VIEWS[lang].map(({ width, colorScheme }) => ({ viewport: { width, height: 850 }, colorScheme }));
    const names = VIEWS[lang].map(({ width, colorScheme }) => `${colorScheme} at ${width} px`);
    test(`${sld} in ${lang}, ${names.join(' and ')}: no accessibility violations, no horizontal scrolling`, async () => {
      for (const [number, name] of pages.entries()) {
        const address = await addressOf(sld, lang, name);
        await turnTo(page, views[0]);
        await page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
        for (const [at, view] of views.entries()) {
          await turnTo(page, view);
          await drawn(page);
          // The text of an article on light paper is that of the English page.
          const exclude = [...(number ? FRAME : []), ...(at ? [TEXT] : [])];
          assert.deepEqual(await violations(page, { tags: WCAG, exclude }), [], `${address}, ${names[at]}`);
          const wide = await tooWide(page);
          assert.ok(wide <= 1, `${address}, ${names[at]}: ${wide} px too wide`);
        }
      }
    });
  }
}

// `budgets.test.mjs` has the first views of the sites with the most of a frame.
test('the first view of an article of a plain site has no layout shift and little script', async () => {
  const address = demo.at('plainpress', await demo.articleOf('plainpress', 'en'));
  // A busy machine may paint between two scripts, which adds layout shift: the best of three views counts.
  let view = { shift: 1, script: 0 };
  for (let attempt = 0; attempt < 3 && view.shift > 0.02; attempt += 1) {
    const { page: first, close } = await demo.open();
    await observeShifts(first);
    await first.goto(address, { waitUntil: 'networkidle' });
    await waitForTools(first);
    await drawn(first);
    const seen = await first.evaluate(async () => {
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
