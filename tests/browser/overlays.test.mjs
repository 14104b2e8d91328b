// axe with everything that opens over a page open: dialogs, popovers, menus, sheets, suggestions; the page behind them is looked at, too. Those of
// members are in `members.test.mjs`, the assistant is in `plugins.test.mjs`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WCAG, tooWide, useDemo, violations, waitForTools } from './portal.mjs';
import { fetchNothingAhead, turnTo } from './screen-checks.mjs';

const VIEWS = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
];

/** Site -> address of an article with figures, tables, formulas and notes, and on the first site with a graphical abstract. */
const articles = {};
/** The page of all tests: each of its own would start a process and load all scripts again. */
let shown;
const demo = useDemo({
  prepare: async ({ at, open }) => {
    const { page, close } = await open({ javaScriptEnabled: false });
    for (const [sld, list, title] of [
      ['oceanledger', '/en/issue/2026/2', 'How few buoys are enough'],
      ['scriptstone', '/en/issue', ''],
    ]) {
      await page.goto(at(sld, list));
      articles[sld] = await page.locator('.card-title a', { hasText: title }).first().getAttribute('href');
    }
    await close();
    shown = await open({ reducedMotion: 'reduce' });
    await fetchNothingAhead(shown.page);
  },
});

/** Clicks what opens an overlay. */
const click = (selector) => async (page) => {
  const opener = page.locator(selector).filter({ visible: true }).first();
  await opener.scrollIntoViewIfNeeded();
  await opener.click();
};
/** Opens the popover of a reference. Not with the mouse, whose click leads to figures, tables and formulas. */
const reference = (kind) => (page) => page.locator(`.reader-body a.xref[data-ref-type="${kind}"]`).filter({ visible: true }).first().press('Enter');
const field = (page) => page.locator('.frame-search [type=search]').filter({ visible: true }).first();

/**
 * What opens on a page: its name, how it is opened, the selector of what is open then. `at` tells that it opens in a wide or in a narrow window only,
 * `stays` that Escape does not close it.
 */
const OVERLAYS = {
  article: [
    { name: 'a reference', open: reference('bibr'), shows: '.xref-popover' },
    { name: 'a range of references', open: click('.reader-body a.xref[data-rids]'), shows: '.xref-popover' },
    { name: 'a footnote', open: reference('fn'), shows: '.xref-popover' },
    { name: 'a figure that the text mentions', open: reference('fig'), shows: '.xref-popover' },
    { name: 'a table that the text mentions', open: reference('table'), shows: '.xref-popover' },
    { name: 'a formula that the text mentions', open: reference('disp-formula'), shows: '.xref-popover' },
    { name: 'the citation', open: (page) => page.getByRole('button', { name: 'Cite', exact: true }).click(), shows: '.cite-popover' },
    { name: 'the figure viewer', open: click('.reader-section[data-kind="body"] .fig-open'), shows: '.viewer .viewer-stage img' },
    { name: 'the graphical abstract', open: click('.reader-section[data-kind="graphic-abstract"] .fig-open'), shows: '.graphic-dialog' },
    { name: 'a table on the whole screen', open: (page) => page.getByRole('button', { name: 'Full screen' }).first().click(), shows: '.table-full table' },
    { name: 'the subscription', open: click('.reader-head [data-member="subscribe"]'), shows: '[role="dialog"] input[type="email"]' },
    {
      name: 'the outline of the bar',
      open: async (page) => {
        await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
        await page.locator('.compact-outline').click();
      },
      shows: '.outline-popover a',
    },
    {
      name: 'the outline beside the text, which folds,',
      at: 'wide',
      open: click('.outline-toggle'),
      shows: '.reader-outline:not([data-open]) .outline-toggle',
      stays: true,
    },
    { name: 'the outline of a narrow window', at: 'narrow', open: click('.outline-toggle'), shows: '.reader-outline[data-open] ol', stays: true },
  ],
  other: [
    { name: 'the languages of an article', open: click('.article-languages'), shows: '.mh-menu [role="menuitem"]' },
    { name: 'the languages of the site', open: click('button.frame-lang'), shows: '.mh-menu [role="menuitem"]' },
  ],
  issues: [
    { name: 'the choice of light and dark', at: 'wide', open: click('.frame-theme'), shows: '.mh-menu [role="menuitem"]' },
    {
      name: 'the entries of a channel',
      at: 'wide',
      // The pointer would unfold them, and its click fold them again.
      open: (page) => page.locator('.frame-sub').first().press('Enter'),
      shows: '.has-children[data-open] > ul a',
      // They lie over a part of this link as long as they are open.
      covers: 'target-size: .search-advanced',
    },
    { name: 'the menu', at: 'narrow', open: click('.frame-mobile button'), shows: '.frame-sheet a' },
    {
      name: 'the menu with an entry unfolded',
      at: 'narrow',
      open: async (page) => {
        await click('.frame-mobile button')(page);
        await page.locator('.frame-sheet-row').first().click();
      },
      shows: '.frame-sheet-row[aria-expanded="true"] + ul a',
    },
    { name: 'the search', at: 'narrow', open: click('.frame-search-button'), shows: 'html[data-search] .frame-search [type="search"]' },
  ],
  home: [
    {
      name: 'the suggestions',
      open: async (page) => {
        await field(page).focus();
        // What suggests words is loaded when the field has the focus.
        await page.locator('.frame-search [role="combobox"]').filter({ visible: true }).waitFor();
        await field(page).pressSequentially('tide');
      },
      shows: '.search-suggestions [role="option"]',
    },
    {
      name: 'the tips for an empty search',
      open: async (page) => {
        await field(page).fill('');
        await field(page).press('Enter');
      },
      shows: '[role="dialog"] .mh-dialog-actions button',
    },
  ],
  results: [
    { name: 'the filters', at: 'narrow', open: click('.filters-open'), shows: '#filters:popover-open a' },
    { name: 'further sorts', open: click('.sorts-more > summary'), shows: '.sorts-more[open] a', stays: true },
    { name: 'the bar of selected entries', open: click('[data-member="select"]'), shows: '.select-bar' },
  ],
  group: [{ name: 'the sites of a group', at: 'wide', open: click('button.frame-group'), shows: '.mh-menu [role="menuitem"]' }],
};
/** Where these pages are. */
const PAGES = {
  article: () => ['oceanledger', articles.oceanledger],
  other: () => ['scriptstone', articles.scriptstone],
  issues: () => ['oceanledger', '/en/issues'],
  home: () => ['oceanledger', '/en/home/'],
  results: () => ['oceanledger', '/en/search?q=tide'],
  group: () => ['plainpress', '/en/home/'],
};

/** The text of an article, which takes most of the time of axe; not that of a table on the whole screen. */
const TEXT = 'main .reader-body';

for (const view of VIEWS) {
  const { width } = view.viewport;
  for (const [name, overlays] of Object.entries(OVERLAYS)) {
    const those = overlays.filter(({ at }) => !at || (at === 'narrow') === width < 768);
    if (!those.length) continue;
    test(`axe has no finding with what opens on the page ${name} open, ${width} px, ${view.colorScheme}`, async () => {
      const { page, faults } = shown;
      const [sld, address] = PAGES[name]();
      faults.length = 0;
      await page.mouse.move(2, 2);
      await turnTo(page, view);
      await page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
      await waitForTools(page);
      const wrong = [];
      for (const [at, overlay] of those.entries()) {
        // Not over a reference, which would open.
        await page.mouse.move(2, 2);
        await overlay.open(page);
        const part = page.locator(overlay.shows).first();
        await part.waitFor().catch((error) => assert.fail(`${overlay.name} does not open: ${error.message}`));
        // The text is behind each of them the same: it is looked at once.
        const exclude = at ? ['iframe', TEXT] : 'iframe';
        assert.ok(!at || !(await part.evaluate((one, text) => one.closest(text) !== null, TEXT)), `${overlay.name} is not a part of the text`);
        const found = (await violations(page, { exclude, tags: WCAG })).filter((one) => !overlay.covers || !one.startsWith(overlay.covers));
        wrong.push(...found.map((one) => `${overlay.name}: ${one}`));
        const wide = await tooWide(page);
        if (wide > 1) wrong.push(`${overlay.name}: the page is ${wide} px too wide`);
        if (overlay.stays) continue;
        // Of two things that are open, such as suggestions in a search, each takes a key.
        for (let presses = 0; presses < 2 && (await part.isVisible()); presses += 1) {
          await page.keyboard.press('Escape');
          await page.waitForTimeout(100);
        }
        await part.waitFor({ state: 'hidden' }).catch((error) => assert.fail(`Escape does not close ${overlay.name}: ${error.message}`));
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(faults, []);
    });
  }
}
