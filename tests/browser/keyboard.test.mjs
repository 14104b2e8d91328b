// Readers who have a keyboard alone: from the first stop of a page through the article reader, dialogs, menus, filters, and the popups of a narrow
// window. No test here moves the focus by itself, except to the stop at which it begins, and one begins with the mouse. Menus of two levels are in
// `navigation.test.mjs`, the search widget's own parts in `searching.test.mjs`, copying and exports in `tools.test.mjs`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertGoesRound, focused, hasFocus, tabTo, tabToPart, waitForFocus } from './keyboard.mjs';
import { useDemo, waitForTools } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const NARROW = { viewport: { width: 390, height: 844 } };
/** The article with figures, tables, formulas, notes and a graphical abstract. */
let article;
const demo = useDemo({
  prepare: async ({ at, open }) => {
    const { page, close } = await open({ javaScriptEnabled: false });
    await page.goto(at('oceanledger', '/en/issue/2026/2'));
    article = await page.locator('.card-title a', { hasText: 'How few buoys are enough' }).first().getAttribute('href');
    await close();
  },
});

/** Opens an address; `wanted` selects what a plugin adds, which a busy machine may leave out of an answer. */
async function open(sld, address, { wanted, ...options } = {}) {
  const opened = await demo.open({ reducedMotion: 'reduce', ...options });
  await fetchNothingAhead(opened.page);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await opened.page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
    await waitForTools(opened.page);
    if (!wanted || (await opened.page.locator(wanted).count())) break;
  }
  return opened;
}
/** The article as the test before has left it, with nothing open: to load it takes more time than a test. A test that fails leaves none. */
let left;
/**
 * The article at its first stop and at its top, after the first key, with which the tools come that only readers need. `close` leaves it for the next
 * test, `end` does not.
 */
async function openArticle() {
  const opened = left ?? (await open('oceanledger', article));
  left = undefined;
  const { page, faults } = opened;
  await page.evaluate(() => {
    document.querySelector('.skip-link').focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  });
  for (const gone of ['html[data-bar]', '.xref-popover']) await page.locator(gone).waitFor({ state: 'detached' });
  await page.keyboard.press('Shift');
  await page.locator('.table-tools button').first().waitFor();
  return { page, faults, close: () => (left = opened), end: opened.close };
}

const isOn = (page, id) => page.waitForFunction((wanted) => document.activeElement?.id === wanted, id);
/** Waits until the focus is on a control with this text or label. */
const returned = (page, name) =>
  page.waitForFunction((wanted) => [document.activeElement?.getAttribute('aria-label'), document.activeElement?.textContent].includes(wanted), name);

/** Goes to a section by the outline beside the text. */
async function goToSection(page, id) {
  await tabToPart(page, `.reader-outline a[href="#${id}"]`, { most: 150 });
  await page.keyboard.press('Enter');
  await isOn(page, id);
  const top = await page.evaluate(() => document.activeElement.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 900, `the section is at ${top} px`);
}

test('the first stop of every page leads past its frame', async () => {
  const opened = await demo.open({ reducedMotion: 'reduce' });
  const { page, faults } = opened;
  await fetchNothingAhead(page);
  for (const [sld, address] of [
    ['oceanledger', '/en/home/'],
    ['scriptstone', '/zh/issues'],
    ['hssxiv', '/en/search?q=the'],
    ['oceanledger', article],
  ]) {
    await page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
    await waitForTools(page);
    await page.keyboard.press('Tab');
    assert.ok(await hasFocus(page, '.skip-link'), `${sld} ${address}: ${await focused(page)}`);
    await page.waitForFunction(() => document.activeElement.getBoundingClientRect().top >= 0);
    await page.keyboard.press('Enter');
    await isOn(page, 'main');
    await page.keyboard.press('Tab');
    assert.ok(await hasFocus(page, 'main'), `${sld} ${address}: ${await focused(page)}`);
    assert.deepEqual(faults, []);
  }
  left = opened;
});

test('a card leads to its article, whose size is set and which is cited from its toolbar', async () => {
  const { page, faults, close } = await open('oceanledger', '/en/issue/2026/2');
  await tabToPart(page, `main .card-title a[href="${article}"]`, { most: 150 });
  await page.keyboard.press('Enter');
  await page.locator('article.reader .toolbar').waitFor();
  await waitForFocus(page, 'main h1');
  assert.equal(new URL(page.url()).pathname, article);
  await tabTo(page, 'Larger text', { most: 80 });
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('article').dataset.size === '1');
  await tabTo(page, 'Smaller text', { key: 'Shift+Tab', most: 2 });
  await page.keyboard.press('Space');
  await page.waitForFunction(() => document.querySelector('article').dataset.size === '0');

  await tabTo(page, 'Cite', { most: 10 });
  await page.keyboard.press('Enter');
  const popover = page.getByRole('dialog', { name: 'Cite this article' });
  await popover.waitFor();
  await waitForFocus(page, '.cite-popover select');
  const quote = popover.locator('blockquote');
  const before = await quote.innerText();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction((text) => document.querySelector('.cite-popover blockquote').innerText !== text, before);
  const names = await assertGoesRound(page, '.cite-popover');
  for (const name of ['Citation style', 'Copy', 'Copy link']) assert.ok(names.includes(name), `${name}: ${names.join(', ')}`);
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  await returned(page, 'Cite');
  assert.deepEqual(faults, []);
  await close();
});

test('a reference takes the focus into its popover by Enter, and gets it back by Escape', async () => {
  for (const [section, kind, heading] of [
    ['a-sec-intro', 'bibr', /^Reference/],
    ['a-sec-stop', 'fn', /^Footnote$/],
    ['a-sec-many', 'fig', /^Figure$/],
    ['a-sec-many', 'table', /^Table$/],
  ]) {
    const { page, faults, close } = await openArticle();
    const popover = page.locator('.xref-popover');
    await goToSection(page, section);
    const link = `a.xref[data-ref-type="${kind}"]`;
    await tabToPart(page, link, { most: 30 });
    await page.keyboard.press('Enter');
    await waitForFocus(page, '.xref-popover');
    assert.match(await popover.locator('h2').first().textContent(), heading);
    const names = await assertGoesRound(page, '.xref-popover');
    assert.ok(names.includes('Show in the text'), names.join(', '));
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
    await waitForFocus(page, link);
    // The next stop is not kept by what was closed.
    await page.keyboard.press('Tab');
    assert.ok(!(await hasFocus(page, '.xref-popover')));
    assert.deepEqual(faults, []);
    close();
  }
});

test('each of two references that follow one another opens while it has the focus, which it keeps', async () => {
  const { page, faults, close } = await openArticle();
  await goToSection(page, 'a-sec-many');
  for (const [kind, heading] of [
    ['fig', 'Figure'],
    ['table', 'Table'],
  ]) {
    await page.keyboard.press('Tab');
    assert.ok(await hasFocus(page, `a.xref[data-ref-type="${kind}"]`), await focused(page));
    await page.locator('.xref-popover > h2', { hasText: heading }).waitFor();
    // It stays, and the other one is closed, when the timers of the page have ended, which end in the order of their times.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    const titles = await page.locator('.xref-popover > h2').allTextContents();
    assert.deepEqual(titles, [heading], `what is open while the reference to the ${kind} has the focus`);
    assert.ok(await hasFocus(page, `a.xref[data-ref-type="${kind}"]`), 'the focus stays on the reference');
  }
  await page.keyboard.press('Escape');
  await page.locator('.xref-popover').waitFor({ state: 'detached' });
  assert.ok(await hasFocus(page, 'a.xref[data-ref-type="table"]'));
  assert.deepEqual(faults, []);
  close();
});

/** Asserts that one press of Tab leads to the button of the way back, and the button to the reference. */
async function goBackByTab(page, link) {
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Back to the text');
  await page.keyboard.press('Enter');
  await waitForFocus(page, link);
  await page.locator('.return-chip').waitFor({ state: 'detached' });
  assert.ok(await hasFocus(page, link), 'the focus stays on the reference');
}

test('from a reference, the reader shows the figure in the text', async () => {
  const { page, faults, close } = await openArticle();
  await goToSection(page, 'a-sec-many');
  await tabToPart(page, 'a.xref[data-ref-type="fig"]', { most: 5 });
  await page.keyboard.press('Enter');
  await waitForFocus(page, '.xref-popover');
  await tabTo(page, 'Show in the text', { most: 10 });
  await page.keyboard.press('Enter');
  await page.locator('.xref-popover').waitFor({ state: 'detached' });
  await isOn(page, 'a-f1');
  await goBackByTab(page, 'a.xref[data-ref-type="fig"]');
  assert.deepEqual(faults, []);
  close();
});

test('a click on a reference to a figure, a table or a formula leads there, and from there one press of Tab to the way back', async () => {
  const { page, faults, close } = await openArticle();
  for (const kind of ['fig', 'table', 'disp-formula']) {
    const name = `.reader-body a.xref[data-ref-type="${kind}"]`;
    const link = page.locator(name).first();
    // At the lower edge of the window, which is scrolled then.
    await link.evaluate((element) => element.scrollIntoView({ block: 'end', behavior: 'instant' }));
    const id = decodeURIComponent((await link.getAttribute('href')).slice(1));
    await link.click();
    await isOn(page, id);
    assert.equal(await link.getAttribute('data-open'), null, 'no popover is open at the link');
    // Not over another reference, which would open.
    await page.mouse.move(2, 2);
    await page.waitForFunction((wanted) => {
      const { top } = document.getElementById(wanted).getBoundingClientRect();
      return top >= 0 && top < innerHeight / 2;
    }, id);
    await goBackByTab(page, name);
    assert.ok(await link.evaluate((element) => element === document.activeElement), `the first reference to the ${kind} has the focus`);
  }
  assert.deepEqual(faults, []);
  close();
});

test('the button for another search service leaves the focus in the popover', async () => {
  const { page, faults, close } = await openArticle();
  await goToSection(page, 'a-sec-intro');
  await tabToPart(page, 'a.xref[data-ref-type="bibr"]', { most: 30 });
  await page.keyboard.press('Enter');
  await waitForFocus(page, '.xref-popover');
  await tabTo(page, 'Another search service', { most: 20 });
  await page.keyboard.press('Enter');
  await page.locator('.xref-popover a[href*="xueshu.baidu.com"]').first().waitFor();
  assert.ok(await hasFocus(page, '.xref-popover'), 'the button is gone, and the focus is in the popover');
  await page.keyboard.press('Escape');
  await waitForFocus(page, 'a.xref[data-ref-type="bibr"]');
  assert.deepEqual(faults, []);
  close();
});

/** Presses a key in the figure viewer, and waits for the figure with this number. */
async function turn(page, key, number) {
  await page.keyboard.press(key);
  await page
    .waitForFunction((wanted) => Number.parseInt(document.querySelector('.viewer-count')?.textContent, 10) === wanted, number)
    .catch((error) => assert.fail(`${key} does not lead to figure ${number}: ${error.message}`));
}

test('the figure viewer turns, zooms and is walked round by key, and gives the focus back', async () => {
  const { page, faults, close } = await openArticle();
  await goToSection(page, 'a-sec-many');
  await tabTo(page, 'Enlarge Figure 1', { most: 10 });
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'Figures' });
  await viewer.locator('.viewer-stage img').waitFor();
  await waitForFocus(page, '.viewer-stage');
  const [at, total] = await page.locator('.viewer-count').evaluate((count) => count.textContent.match(/\d+/g).slice(0, 2).map(Number));
  assert.ok(total > 2 && at < total, `${at} of ${total}`);
  await turn(page, 'ArrowRight', at + 1);
  await turn(page, 'ArrowLeft', at);
  await turn(page, 'PageDown', at + 1);
  await turn(page, 'PageUp', at);
  await turn(page, 'End', total);
  await turn(page, 'ArrowRight', 1);
  await turn(page, 'PageUp', total);
  await turn(page, 'Home', 1);

  const scale = () => page.locator('.viewer-stage img').evaluate((image) => image.style.transform);
  const whole = await scale();
  await page.keyboard.press('=');
  await page.waitForFunction(() => /scale\(1\.[1-9]/.test(document.querySelector('.viewer-stage img').style.transform));
  await page.keyboard.press('=');
  const larger = await scale();
  // What is larger than the stage is moved, and not turned.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.querySelector('.viewer-stage img').style.transform !== before, larger);
  assert.equal(await page.locator('.viewer-count').evaluate((count) => Number.parseInt(count.textContent, 10)), 1);
  await page.keyboard.press('0');
  await page.waitForFunction((before) => document.querySelector('.viewer-stage img').style.transform === before, whole);

  const names = await assertGoesRound(page, '[role="dialog"]');
  for (const name of ['Previous figure', 'Next figure', 'Zoom out', 'Zoom in', 'Original size', 'Download', 'Close'])
    assert.ok(names.includes(name), `${name}: ${names.join(', ')}`);
  await tabTo(page, 'Next figure', { most: 20 });
  await turn(page, 'Enter', 2);
  assert.equal(await focused(page), 'Next figure', 'the focus stays on the button');
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await returned(page, 'Enlarge Figure 1');
  await page.waitForFunction(() => location.hash === '' || location.hash === '#a-sec-many');

  // The button that closes does the same.
  await page.keyboard.press('Enter');
  await waitForFocus(page, '.viewer-stage');
  await tabTo(page, 'Close', { most: 20 });
  await page.keyboard.press('Enter');
  await viewer.waitFor({ state: 'detached' });
  await returned(page, 'Enlarge Figure 1');
  await page.waitForFunction(() => !location.hash.startsWith('#view'));
  assert.deepEqual(faults, []);
  close();
});

test('a table on the whole screen keeps the focus, is sorted by key, and gives the focus back', async () => {
  const { page, faults, close } = await openArticle();
  await goToSection(page, 'a-sec-many');
  await tabTo(page, 'Full screen', { most: 15 });
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Table 1/ });
  await dialog.locator('table').waitFor();
  await waitForFocus(page, '[role="dialog"]');
  const names = await assertGoesRound(page, '[role="dialog"]');
  assert.ok(names.includes('Close') && names.some((name) => name.startsWith('Sort by ')), names.join(', '));
  await tabTo(page, 'Sort by Loss', { most: 30 });
  await page.keyboard.press('Enter');
  await dialog.locator('th[aria-sort="ascending"]').waitFor();
  assert.equal(await page.locator('main th[aria-sort]').count(), 0, 'the table of the article is as it was');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await returned(page, 'Full screen');
  assert.deepEqual(faults, []);
  close();
});

test('the graphical abstract keeps the focus in its dialog, and gives it back', async () => {
  const { page, faults, close } = await openArticle();
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('GraphicAbstract')));
  const button = '.reader-section[data-kind="graphic-abstract"] .fig-open';
  await tabToPart(page, button, { most: 200 });
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Graphical abstract' });
  await dialog.locator('img').waitFor();
  assert.deepEqual(await assertGoesRound(page, '[role="dialog"]'), ['Close']);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await waitForFocus(page, button);
  assert.deepEqual(faults, []);
  close();
});

test('the bar of a scrolled article is the stop before the article, and its outline leads to a section', async () => {
  const { page, faults, close } = await openArticle();
  await tabToPart(page, '.search-advanced', { most: 60 });
  for (let presses = 0; presses < 5 && (await page.evaluate(() => scrollY)) <= 300; presses += 1) {
    await page.keyboard.press('PageDown');
    await page.waitForTimeout(200);
  }
  await page.locator('.compact-bar').waitFor();
  await page.keyboard.press('Tab');
  assert.ok(await hasFocus(page, '.compact-bar'), await focused(page));
  if (!(await hasFocus(page, '.compact-outline'))) await tabToPart(page, '.compact-outline', { most: 3 });
  await page.keyboard.press('Enter');
  await waitForFocus(page, '.outline-popover');
  const names = await assertGoesRound(page, '.outline-popover', 80);
  assert.ok(names.length > 10, names.join(', '));
  await tabToPart(page, '.outline-popover a[href="#a-sec-discussion"]', { most: 80 });
  await page.keyboard.press('Enter');
  await page.locator('.outline-popover').waitFor({ state: 'detached' });
  await isOn(page, 'a-sec-discussion');
  assert.deepEqual(faults, []);
  close();
});

test('dialogs take the focus, keep it, and give it back: a subscription, and the tips for an empty search', async () => {
  const { page, faults, end } = await openArticle();
  await tabTo(page, 'Subscribe', { most: 80 });
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type="email"]').waitFor();
  await waitForFocus(page, '[role="dialog"]');
  const names = await assertGoesRound(page, '[role="dialog"]');
  assert.ok(names.includes('Close'), names.join(', '));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await returned(page, 'Subscribe');

  await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
  await tabTo(page, 'Search words', { most: 60 });
  await page.keyboard.press('Enter');
  const tips = page.getByRole('dialog', { name: 'Tips' });
  await tips.waitFor();
  await waitForFocus(page, '[role="dialog"]');
  assert.deepEqual(await assertGoesRound(page, '[role="dialog"]'), ['OK']);
  await page.keyboard.press('Escape');
  await tips.waitFor({ state: 'detached' });
  await returned(page, 'Search words');
  assert.deepEqual(faults, []);
  await end();
});

test('from a search with suggestions through its results: a kind, a window of years, a range of years, and all filters back', async () => {
  const { page, faults, close } = await open('oceanledger', '/en/home/');
  const list = page.getByRole('listbox');
  await tabTo(page, 'Search words', { most: 60 });
  // The code of suggestions comes with the focus.
  await waitForFocus(page, '[role="combobox"]');
  await page.keyboard.type('tide');
  await list.waitFor();
  await page.keyboard.press('ArrowDown');
  await list.locator('[aria-selected="true"]').waitFor();
  // The list closes, and what was typed stays.
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.value), 'tide');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/en\/search\?.*q=tide/);
  await waitForFocus(page, 'main h1');

  await tabToPart(page, '.result-tabs a[href*="type=picture"]', { most: 20 });
  await page.keyboard.press('Enter');
  await page.waitForURL(/type=picture/);
  await waitForFocus(page, 'main h1');
  await tabToPart(page, '.result-tabs li:first-child a', { most: 20 });
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.search.includes('type=picture'));
  await waitForFocus(page, 'main h1');

  await tabToPart(page, '#filters a[href*="lastYears=5"]', { most: 60 });
  await page.keyboard.press('Enter');
  await page.waitForURL(/lastYears=5/);
  await waitForFocus(page, 'main h1');
  await tabToPart(page, '#filters input[name="yearFrom"]', { most: 60 });
  await page.keyboard.type('2025');
  await page.keyboard.press('Enter');
  await page.waitForURL(/yearFrom=2025/);
  await waitForFocus(page, 'main h1');
  await tabToPart(page, '.chosen-all', { most: 120 });
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !/yearFrom=2025|lastYears/.test(url.search));
  await page.locator('.chosen').waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  await close();
});

test('menus of one level open by an arrow, are walked by arrows and letters, and give the focus back', async () => {
  const { page, faults, close } = await open('scriptstone', '/en/home/', { wanted: 'button.frame-lang' });
  const items = page.getByRole('menuitem');
  const on = (name) =>
    page.waitForFunction((wanted) => document.activeElement?.getAttribute('role') === 'menuitem' && document.activeElement.textContent === wanted, name);
  await tabToPart(page, 'button.frame-lang', { most: 40 });
  await page.keyboard.press('ArrowDown');
  await items.first().waitFor();
  await waitForFocus(page, '[role="menu"]');
  const names = await items.allTextContents();
  await page.keyboard.press('End');
  await on(names.at(-1));
  await page.keyboard.press('ArrowDown');
  await on(names[0]);
  await page.keyboard.press('ArrowUp');
  await on(names.at(-1));
  await page.keyboard.press('Home');
  await on(names[0]);
  await page.keyboard.press('Escape');
  await items.first().waitFor({ state: 'detached' });
  await waitForFocus(page, 'button.frame-lang');

  await tabToPart(page, 'button.frame-theme', { most: 3 });
  await page.keyboard.press('Space');
  await items.first().waitFor();
  await waitForFocus(page, '[role="menu"]');
  await page.keyboard.press('d');
  await on('Dark');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await items.first().waitFor({ state: 'detached' });
  await waitForFocus(page, 'button.frame-theme');

  await tabToPart(page, 'button.frame-lang', { key: 'Shift+Tab', most: 3 });
  await page.keyboard.press('Enter');
  await items.first().waitFor();
  await waitForFocus(page, '[role="menu"]');
  await page.keyboard.press('d');
  await on('Deutsch');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.documentElement.lang === 'de');
  await items.first().waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  await close();
});

test('in a narrow window, the menu and the search are opened, walked and closed by key', async () => {
  const { page, faults, close } = await open('oceanledger', '/en/issues', NARROW);
  await tabTo(page, 'Menu', { most: 12 });
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Menu' });
  await sheet.waitFor();
  await waitForFocus(page, '[role="dialog"]');
  const names = await assertGoesRound(page, '[role="dialog"]');
  for (const name of ['Home', 'Entries under About', 'Close']) assert.ok(names.includes(name), `${name}: ${names.join(', ')}`);
  assert.ok(!names.includes('Guide for authors'), 'what is folded is no stop');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await returned(page, 'Menu');
  await page.keyboard.press('Space');
  await sheet.waitFor();
  await waitForFocus(page, '[role="dialog"]');
  await tabTo(page, 'Entries under About', { most: 30 });
  await page.keyboard.press('Space');
  await sheet.getByRole('link', { name: 'Guide for authors' }).waitFor();
  await tabTo(page, 'Guide for authors', { most: 6 });
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/en\/aboutus\/43/);
  await sheet.waitFor({ state: 'detached' });
  await waitForFocus(page, 'main h1');

  await tabToPart(page, '.frame-search-button', { key: 'Shift+Tab', most: 20 });
  await page.keyboard.press('Space');
  await waitForFocus(page, '.frame-search [type="search"]');
  const isOpen = () => page.evaluate(() => document.documentElement.hasAttribute('data-search'));
  assert.ok(await isOpen());
  // The first Escape may close the list of what others search for.
  for (let presses = 0; presses < 3 && (await isOpen()); presses += 1) {
    await page.keyboard.press('Escape');
    await page.waitForTimeout(100);
  }
  assert.ok(!(await isOpen()));
  await waitForFocus(page, '.frame-search-button');
  await page.keyboard.press('Enter');
  await waitForFocus(page, '.frame-search [type="search"]');
  await page.keyboard.type('seagrass');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/en\/search\?.*q=seagrass/);
  await page.waitForFunction(() => !document.documentElement.hasAttribute('data-search'));
  assert.deepEqual(faults, []);
  await close();
});
