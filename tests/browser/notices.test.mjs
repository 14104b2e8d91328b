// What the host says of an article beside its text: notices and marks, the reader's language, and texts of another direction.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { WCAG, drawn, get, readsFromLeft, tooWide, useDemo, violations } from './portal.mjs';
import { addRetraction, RETRACTED } from './retraction.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const LONG = 'Read the stone, then the hand, then the ledger in which the price of both was written down, and at last the letters of those who paid';

const demo = useDemo({
  edit: (sites) => {
    addRetraction(sites);
    const change = (file, from, to) => {
      const text = readFileSync(path.join(sites, file), 'utf8');
      assert.ok(text.includes(from), `${file} has ${from}`);
      writeFileSync(path.join(sites, file), text.replace(from, to));
    };
    // A host imports the articles of a site that has none, such as one with a new number: those of the other sites are there already.
    change('oceanledger.toml', 'id = 448', 'id = 9448');
    change('oceanledger.toml', 'languages = ["zh", "en"]', 'languages = ["zh", "en", "ara"]');
    change('scriptstone.toml', 'en = "Read the stone, then the hand"', `en = "${LONG}"`);
  },
});

const ISSUE = '/issue/2026/2';
const card = (page, title) => page.locator('.article-card', { has: page.locator('.card-title', { hasText: title }) });

/** The address of the article with a title in the issue in a language. */
const addressOf = (lang, title) => demo.articleIn('oceanledger', `/${lang}${ISSUE}`, title);

/** The pages with scripts and without, one for all tests: each of its own would start a process and load all scripts again. */
const pages = new Map();
const WIDE = { width: 1280, height: 900 };

/** Shows an address of a site on light paper, in a wide window. */
async function show(sld, address, { javaScriptEnabled = true } = {}) {
  if (!pages.has(javaScriptEnabled)) {
    const opened = await demo.open({ javaScriptEnabled, reducedMotion: 'reduce' });
    await fetchNothingAhead(opened.page);
    pages.set(javaScriptEnabled, opened);
  }
  const { page, faults } = pages.get(javaScriptEnabled);
  faults.length = 0;
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.setViewportSize(WIDE);
  await page.goto(demo.at(sld, address), { waitUntil: javaScriptEnabled ? 'networkidle' : 'load' });
  return { page, faults };
}

/** Shows the article with a title from the issue in a language. */
async function showArticle(lang, title, options) {
  const href = await addressOf(lang, title);
  return { ...(await show('oceanledger', href, options)), href };
}
/** For what the host sends, to which scripts add nothing. */
const STILL = { javaScriptEnabled: false };

/** The edges of the text of an element, without the room around it. */
const textBox = (locator) =>
  locator.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return { left, right };
  });

for (const javaScriptEnabled of [false, true]) {
  test(`a retraction is read before the title, and leads there and back, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const { page, faults, href } = await showArticle('en', RETRACTED, { javaScriptEnabled });
    const region = page.getByRole('region', { name: 'Notices about this article' });
    const heading = region.getByRole('heading', { name: 'This article has been retracted.' });
    assert.ok(await heading.isVisible());
    const [above, title] = [await heading.boundingBox(), await page.locator('h1').boundingBox()];
    assert.ok(above.y + above.height <= title.y, 'above the title');
    assert.match(await page.title(), /^RETRACTED: /);
    await region.getByRole('link', { name: 'Retraction: the tide gauge' }).click();
    await page.getByRole('note').getByText('This notice retracts the article:').waitFor();
    assert.equal(await page.getByRole('heading', { name: /has been retracted/ }).count(), 0, 'the notice itself is valid');
    await page.getByRole('note').getByRole('link', { name: RETRACTED }).click();
    await heading.waitFor();
    assert.equal(new URL(page.url()).pathname, href);
    if (javaScriptEnabled) assert.deepEqual(faults, []);
  });
}

test('lists and results mark a retracted article, and no other', async () => {
  for (const address of [`/en${ISSUE}`, '/en/search?q=tide+gauge']) {
    const { page, faults } = await show('oceanledger', address);
    assert.equal(await card(page, RETRACTED).locator('.badge[data-notice]').innerText(), 'Retracted', address);
    assert.equal(await page.locator('[data-notice="retracted"]').count(), 1, address);
    assert.deepEqual(faults, []);
  }
});

test('each printed page of a retracted article says so', async () => {
  const { page } = await showArticle('en', RETRACTED);
  const mark = page.locator('.retraction-watermark');
  assert.ok(!(await mark.isVisible()), 'on the screen the banner says it');
  await page.emulateMedia({ media: 'print' });
  assert.ok(await mark.isVisible());
  assert.equal(await mark.evaluate((one) => getComputedStyle(one).position), 'fixed', 'a fixed element is repeated on each page');
  assert.ok(await page.getByRole('heading', { name: 'This article has been retracted.' }).isVisible());
  assert.ok(await page.getByText('https://doi.org/10.5555/ocl.2026.9002').isVisible(), 'the address of the notice is printed');
});

test('a corrected article says so in lists, before its title and in print, and is not marked as retracted', async () => {
  const { page } = await show('quietcircuits', '/en/issue/2025/4', STILL);
  const listed = card(page, 'Sleeping Between Drops');
  assert.equal(await listed.locator('.badge[data-notice]').innerText(), 'Corrected');
  assert.equal(await page.locator('[data-notice]').count(), 1, 'no other article of the list is marked');
  await listed.locator('.card-title a').click();
  const note = page.getByRole('region', { name: 'Notices about this article' }).getByRole('note');
  await note.waitFor();
  assert.match(await note.innerText(), /^This article has been corrected\. Correction: Sleeping Between Drops/);
  const [above, title] = [await note.boundingBox(), await page.locator('h1').boundingBox()];
  assert.ok(above.y + above.height <= title.y, 'above the title');
  assert.match(await note.getByRole('link').getAttribute('href'), /^\/en\/article\/\d+$/, 'the correction has a page here');
  assert.match(await page.title(), /^Sleeping Between Drops/);
  const doi = note.getByText('https://doi.org/10.5555/qc.2026.130290');
  assert.ok(!(await doi.isVisible()), 'on the screen the link says it');
  await page.emulateMedia({ media: 'print' });
  assert.ok(await note.isVisible());
  assert.ok(await doi.isVisible(), 'the address of the correction is printed');
  assert.equal(await page.locator('.retraction-watermark').count(), 0);
});

test('summaries keep superscripts and subscripts', async () => {
  const { page, href } = await showArticle('en', RETRACTED, STILL);
  const description = await page.locator('meta[name="description"]').getAttribute('content');
  assert.ok(description.startsWith('We counted') && !description.includes('<'), `metadata is plain text, in the language of the page: ${description}`);
  for (const address of [`/en${ISSUE}`, '/en/search?q=tide+gauge']) {
    await page.goto(demo.at('oceanledger', address));
    const summary = page.locator('.article-card', { has: page.locator(`a[href="${href}"]`) }).locator('.card-summary');
    assert.deepEqual(await summary.locator('sup, sub').allInnerTexts(), ['6', '2'], address);
  }
});

test('readers of a language without a title get the English one', async () => {
  const { page } = await showArticle('ara', RETRACTED, STILL);
  assert.equal(await page.locator('h1').innerText(), RETRACTED);
  assert.equal(await page.locator('h1').getAttribute('lang'), 'en');
  assert.match(await page.locator('.alt-title').innerText(), /潮位站/, 'the original title follows');
});

test('the headings that the page gives are in its language', async () => {
  // The documents are read without showing them: no page is loaded.
  const { page, close } = await demo.open();
  const headingsOf = (html) =>
    page.evaluate((text) => {
      const sent = new DOMParser().parseFromString(text, 'text/html');
      return [...sent.querySelectorAll('.reader-section:not([data-kind="body"]) > h2')].map((heading) => heading.textContent.trim());
    }, html);
  for (const [lang, script] of [
    ['ara', 'Arabic'],
    ['en', 'Latin'],
    ['zh', 'Han'],
  ]) {
    const href = await addressOf(lang, lang === 'zh' ? '潮位站' : RETRACTED);
    const headings = await headingsOf(await get(demo.portal.port, 'oceanledger', href));
    assert.ok(headings.length >= 3, headings.join());
    const other = headings.filter((heading) => !new RegExp(`^\\p{Script=${script}}`, 'u').test(heading));
    assert.deepEqual(other, [], lang);
  }
  await close();
});

test('the headings of a home page, an issue, results and a page about the journal are in the language of the page', async () => {
  // The documents are read without showing them: no page is loaded.
  const { page, close } = await demo.open();
  /** The headings in the language of the page: without names and without texts that have a language of their own. */
  const headingsOf = (html) =>
    page.evaluate((text) => {
      const sent = new DOMParser().parseFromString(text, 'text/html');
      return [...sent.querySelectorAll('main :is(h1, h2)')].flatMap((heading) => {
        if (heading.closest('[lang]') !== sent.documentElement) return [];
        const copy = heading.cloneNode(true);
        for (const own of copy.querySelectorAll('[lang], bdi')) own.remove();
        return copy.textContent.trim() || [];
      });
    }, html);
  for (const [lang, script] of [
    ['en', 'Latin'],
    ['zh', 'Han'],
    ['ara', 'Arabic'],
  ]) {
    for (const address of ['/home/', ISSUE, '/search?q=tide', '/about']) {
      const headings = await headingsOf(await get(demo.portal.port, 'oceanledger', `/${lang}${address}`));
      assert.ok(headings.length > 0, `/${lang}${address} has no heading of its own`);
      const isOwn = new RegExp(`^\\P{L}*(\\p{Script=${script}}\\P{L}*)+$`, 'u');
      const other = headings.filter((heading) => !isOwn.test(heading));
      assert.deepEqual(other, [], `/${lang}${address}`);
    }
  }
  await close();
});

test('in Arabic, identifiers keep their order, and title, authors and summary stand on one side', async () => {
  const { page, faults } = await show('oceanledger', `/ara${ISSUE}`);
  const first = card(page, RETRACTED);
  for (const selector of ['.card-doi', '.card-meta bdi >> nth=-1']) assert.ok(await readsFromLeft(first.locator(selector)), selector);
  const edges = [];
  for (const selector of ['.card-title', '.card-authors', '.card-summary']) edges.push((await textBox(first.locator(selector))).right);
  assert.ok(Math.max(...edges) - Math.min(...edges) < 3, `right edges ${edges}`);
  const menu = await page.locator('.frame-menu > li > a').allTextContents();
  assert.ok(menu.length > 2, menu.join());
  assert.deepEqual(
    menu.filter((name) => !/\p{Script=Arabic}/u.test(name)),
    [],
    'the menu is in Arabic',
  );
  await first.locator('.card-title a').click();
  await page.waitForSelector('article.reader');
  for (const selector of ['.reader-facts a[href*="doi.org"]', '.reader-facts time >> nth=0', '.kicker bdi >> nth=-1'])
    assert.ok(await readsFromLeft(page.locator(`.reader-head ${selector}`)), selector);
  const head = [];
  for (const selector of ['h1', '.authors', '.kicker']) head.push((await textBox(page.locator(`.reader-head ${selector}`))).right);
  assert.ok(Math.max(...head) - Math.min(...head) < 30, `right edges of the head ${head}`);
  assert.equal(await page.locator('.reader-section[data-kind="body"]').evaluate((one) => getComputedStyle(one).direction), 'ltr');
  assert.deepEqual(faults, []);
});

test('in Arabic, light and dark, 1280 and 390 px: no accessibility violations, no horizontal scrolling', async () => {
  for (const address of [await addressOf('ara', RETRACTED), '/ara/home/', `/ara${ISSUE}`, '/ara/search?q=tide', '/ara/about']) {
    const { page } = await show('oceanledger', address);
    // A page is loaded once: the other window and paper come while it is open.
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ]) {
      await page.setViewportSize({ width, height: 850 });
      await page.emulateMedia({ colorScheme });
      await drawn(page);
      assert.deepEqual(await violations(page, { tags: WCAG }), [], `${address}, ${colorScheme}, ${width} px`);
      const wide = await tooWide(page);
      assert.ok(wide <= 1, `${address}, ${colorScheme}, ${width} px: ${wide} px too wide`);
    }
  }
});

test('a long title above the search is shown whole', async () => {
  const { page } = await show('scriptstone', '/en/home/');
  const title = page.getByText(LONG);
  await title.waitFor();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 850 });
    await drawn(page);
    const whole = await title.evaluate((one) => {
      const band = one.closest('.frame-search').getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(one);
      const text = range.getBoundingClientRect();
      return one.scrollHeight <= one.clientHeight + 1 && text.top >= band.top && text.bottom <= band.bottom;
    });
    assert.ok(whole, `${width} px`);
  }
});
