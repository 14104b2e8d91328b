// What stands around the text of an article: languages side by side, the graphical abstract, the column, the outline, print.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooWide, useDemo } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const demo = useDemo();

/** The article whose title begins so: English text with a Chinese abstract and a graphical abstract. */
const addressOf = (title = 'How few buoys are enough', list = '/en/issue/2026/2') => demo.articleIn('oceanledger', list, title);

/** Opens an article, and waits for its tools. */
async function open(address) {
  const opened = await demo.open();
  const { page } = opened;
  await fetchNothingAhead(page);
  await page.goto(demo.at('oceanledger', address), { waitUntil: 'networkidle' });
  // On a busy machine, the network may be idle before the reader's tools are there.
  await page.locator('[role="toolbar"]').waitFor();
  // What only readers who have begun to read need is loaded then.
  await page.mouse.move(2, 2);
  return opened;
}

/** The article as the test before has left it, with nothing open: to load it takes more time than a test. A test that fails leaves none. */
let left;
const WIDE = { width: 1280, height: 900 };

/** The article at its top, in a window of this size. `close` leaves it for the next test. */
async function openArticle(size = WIDE) {
  const opened = left ?? (await open(await addressOf()));
  left = undefined;
  const { page, faults } = opened;
  await page.mouse.move(2, 2);
  await page.setViewportSize(size);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.locator('html[data-bar]').waitFor({ state: 'detached' });
  return { page, faults, close: () => (left = opened) };
}

/** How far the tops of each paragraph and of its translation are apart, and whether one stands beside the other. */
const rows = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.has-translation')].map((original) => {
      const [left, right] = [original, original.nextElementSibling].map((element) => element.getBoundingClientRect());
      return { apart: Math.abs(left.top - right.top), beside: left.right <= right.left + 1, below: left.bottom <= right.top + 1 };
    }),
  );

test('without scripts, each language of the text has a link, and every style of citation can be opened', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  await page.goto(demo.at('oceanledger', await addressOf()));
  const link = page.locator('.text-languages a[lang="zh"]');
  const target = (await link.getAttribute('href')).slice(1);
  assert.equal(await page.locator(`[id="${target}"]`).getAttribute('lang'), 'zh');
  const style = page.locator('details[data-citation-style="vancouver"]');
  assert.equal(await style.locator('.citation-text').isVisible(), false);
  await style.locator('summary').click();
  assert.match(await style.locator('.citation-text').innerText(), /2026;\d+\(\d+\):[\d-]+\. doi: 10\.5555/);
  assert.equal(await page.locator('[data-metric="visits"]').isVisible(), true);
  await close();
});

test('every paragraph of the text stands beside its translation, and the text in one language is as it was', async () => {
  const { page, faults, close } = await openArticle();
  const body = page.locator('[data-section="body"]');
  const text = () => body.evaluate((section) => section.innerText);
  // The tools of tables are loaded after those of the article.
  const tables = await body.locator('table').count();
  await page.waitForFunction((count) => document.querySelectorAll('[data-section="body"] .table-tools:has(button)').length >= count, tables);
  const before = await text();
  const translation = page.locator('[data-section="sub-article"]');
  assert.equal(await translation.isVisible(), true, 'without a choice, the translation follows the article');
  const button = page.getByRole('button', { name: 'Side by side' });
  await button.click();
  await page.waitForSelector('[data-view="both"] [data-section="body"] .aligned[lang="zh"]');
  const pairs = await body.evaluate((section) =>
    [...section.querySelectorAll('p.has-translation')].map((original) => {
      const copy = original.nextElementSibling;
      const [left, right] = [original, copy].map((element) => element.getBoundingClientRect());
      return {
        said: [original.innerText.slice(0, 30), copy.innerText.slice(0, 10)],
        apart: Math.abs(left.top - right.top),
        beside: left.right <= right.left + 1,
      };
    }),
  );
  assert.ok(pairs.length >= 18, `only ${pairs.length} paragraphs`);
  for (const pair of pairs) assert.ok(pair.apart < 8 && pair.beside, JSON.stringify(pair));
  const said = pairs.map((pair) => pair.said);
  for (const [original, copy] of [
    ['Observing networks tend to', '观测网往往'],
    ['The answer to the question', '题目所问'],
    ['A covariance learned from', '一个由后报'],
  ])
    assert.ok(
      said.some(([one, other]) => one.startsWith(original) && other.startsWith(copy)),
      JSON.stringify(said),
    );
  assert.equal(await translation.isVisible(), false, 'the translation is shown once');
  // The figures and formulas of the original serve both; captions are there in both languages.
  assert.equal(await body.locator('.aligned-caption').count(), 4);
  // A link within the translation leads to the figure that is shown.
  assert.equal(await body.locator('.aligned a[data-ref-type="fig"]').first().getAttribute('href'), '#a-f1');
  await page.locator('.text-languages a[lang="zh"]').click();
  await page.waitForSelector('[data-view="translation"]');
  assert.equal(await body.locator('p.has-translation').first().isVisible(), false);
  assert.equal(await body.locator('p.aligned').first().isVisible(), true);
  const lines = page.locator('[data-outline] a[href^="#a-sec-"]');
  const [own, translated] = [/^2 Materials and methods/, /^2 \p{Script=Han}/u];
  assert.match((await lines.allInnerTexts()).join('\n'), new RegExp(translated.source, 'mu'), 'the outline has the headings that are shown');
  await page.locator('.text-languages a[lang="en"]').click();
  await page.waitForSelector('.reader:not([data-view])');
  assert.match((await lines.allInnerTexts()).join('\n'), new RegExp(own.source, 'm'));
  assert.equal(await text(), before);
  assert.equal(await translation.isVisible(), true);
  assert.deepEqual(faults, []);
  close();
});

test('an address may ask for the graphical abstract, which is open then', async () => {
  const { page, faults, close } = await demo.open();
  const address = await addressOf();
  await page.goto(demo.at('oceanledger', `${address}?graphicAbstract=1&type=picture`));
  const dialog = page.getByRole('dialog', { name: 'Graphical abstract' });
  await dialog.waitFor();
  assert.ok(await dialog.locator('img').evaluate((image) => image.complete || image.decode().then(() => true)));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(demo.at('oceanledger', `${address}?graphicAbstract=made-up`), { waitUntil: 'networkidle' });
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

test('a text and its translation stand side by side and scroll together', async () => {
  const { page, faults, close } = await openArticle();
  const button = page.getByRole('button', { name: 'Side by side' });
  await button.click();
  await page.waitForSelector('[data-view="both"] .aligned[lang="zh"]');
  for (const top of [0, 300]) {
    await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
    const found = await rows(page);
    assert.ok(found.length >= 2, 'the heading and the paragraph of the abstract');
    for (const row of found) assert.ok(row.apart < 8 && row.beside, JSON.stringify(found));
  }
  assert.equal(await page.locator('.is-beside').first().isVisible(), false, 'the translation is shown once');
  await button.click();
  assert.equal(await page.locator('.aligned').count(), 0);
  assert.deepEqual(faults, []);
  close();
});

test('on a phone, each paragraph is followed by its translation, and the links choose one language', async () => {
  const { page, faults, close } = await openArticle({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Side by side' }).click();
  await page.waitForSelector('[data-view="both"] .aligned');
  const found = await rows(page);
  assert.ok(found.length >= 2 && found.every((row) => row.below), JSON.stringify(found));
  assert.ok((await tooWide(page)) <= 0, 'nothing is wider than the window');
  await page.locator('.text-languages a[lang="zh"]').click();
  await page.waitForSelector('[data-view="translation"]');
  assert.equal(await page.locator('.has-translation').first().isVisible(), false);
  assert.equal(await page.locator('.aligned').first().isVisible(), true);
  await page.locator('#a-sec-methods').evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
  // The heading of its first part may be above the line, too.
  await page.waitForFunction(() => ['#a-sec-methods', '#a-sec-sound'].includes(document.querySelector('[data-outline] [aria-current]')?.hash));
  await page.locator('.text-languages a[lang="en"]').click();
  await page.waitForSelector('.reader:not([data-view])');
  assert.deepEqual(faults, []);
  close();
});

test('the graphical abstract opens over 90 % by 80 % of the window, and a click outside closes it', async () => {
  const { page, faults, close } = await openArticle();
  const button = page.locator('[data-kind="graphic-abstract"] .fig-open');
  // Until its code has come and is drawn, the button opens the viewer of all figures.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('GraphicAbstract')));
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Graphical abstract' });
  await dialog.waitFor();
  const { width, height } = await dialog.boundingBox();
  assert.ok(Math.abs(width - 0.9 * 1280) < 20 && Math.abs(height - 0.8 * 900) < 2, `${width} × ${height}`);
  await page.mouse.click(10, 10);
  await dialog.waitFor({ state: 'hidden' });
  await page.waitForFunction(() => document.activeElement?.matches('.fig-open'));
  await page.waitForFunction(() => !history.state?.covered);
  const { pathname } = new URL(page.url());
  await button.click();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(new URL(page.url()).pathname, pathname, 'Back closes it, and the article stays');
  assert.deepEqual(faults, []);
  close();
});

test('the column shows the figure of the section that is read, when the text no longer does', async () => {
  const { page, faults, close } = await openArticle({ width: 1400, height: 500 });
  await page.waitForSelector('.aside-following', { state: 'attached' });
  // A section that mentions a figure which is out of the window, as far down as the column's own parts reach.
  const found = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const link of document.querySelectorAll('.reader-body a.xref[data-ref-type="fig"]')) {
      link.scrollIntoView({ block: 'start', behavior: 'instant' });
      await frame();
      const figure = document.querySelector(link.hash).getBoundingClientRect();
      const beside = document.querySelector('.aside-following img')?.getBoundingClientRect();
      if ((figure.top > innerHeight || figure.bottom < 0) && beside && beside.top < innerHeight) return true;
    }
    return false;
  });
  assert.ok(found, 'the article mentions a figure far from it');
  const image = page.locator('.aside-following img');
  await image.waitFor();
  const box = await image.boundingBox();
  assert.ok(box.y >= 0 && box.y < 500, 'beside what is read');
  await page.locator('.following-figure').click();
  const viewer = page.getByRole('dialog', { name: 'Figures' });
  await viewer.waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await page.waitForFunction(() => location.hash === '');
  assert.deepEqual(faults, []);
  close();
});

test('the column shows the footnotes of the text in the window, and those only', async () => {
  const { page, faults, close } = await openArticle({ width: 1400, height: 900 });
  await page.waitForSelector('.aside-following', { state: 'attached' });
  const notes = page.locator('.following-notes');
  // The beginning of the article refers to no footnote.
  await notes.waitFor({ state: 'detached' });
  const marker = page.locator('.reader-body a.xref[data-ref-type="fn"]').first();
  await marker.evaluate((link) => link.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const note = notes.locator('li', { hasText: 'Nineteen pilots replied.' });
  await note.waitFor();
  const [box, place] = [await note.boundingBox(), await marker.boundingBox()];
  assert.ok(box.y >= 0 && box.y + box.height <= 900, `in the window: ${JSON.stringify(box)}`);
  assert.ok(box.x > place.x + place.width, 'beside the text');
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await notes.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  close();
});

test('the outline beside the text folds under its heading, and stays so in other articles and after a reload', async () => {
  const { page, faults, close } = await open(await addressOf());
  const toggle = page.locator('.outline-toggle');
  const list = page.locator('.reader-outline ol');
  const state = async () => [await toggle.getAttribute('aria-expanded'), await list.isVisible()];
  const reload = async () => {
    await page.reload({ waitUntil: 'networkidle' });
    await toggle.waitFor();
  };
  assert.deepEqual(await state(), ['true', true], 'it is open at first');
  await list.locator('a').nth(2).click();
  await page.waitForFunction(() => location.hash !== '');
  assert.deepEqual(await state(), ['true', true], 'an entry was followed');
  await toggle.click();
  await list.waitFor({ state: 'hidden' });
  assert.deepEqual(await state(), ['false', false]);

  const here = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Current issue' }).first().click();
  await page.locator(`body.page-issue main .card-title a:not([href="${here}"])`).first().click();
  await page.locator('body.page-article article .outline-toggle').waitFor();
  assert.notEqual(new URL(page.url()).pathname, here);
  assert.deepEqual(await state(), ['false', false], 'another article');
  await reload();
  assert.deepEqual(await state(), ['false', false], 'it was folded before a reload');
  await toggle.click();
  await list.waitFor();
  await reload();
  assert.deepEqual(await state(), ['true', true], 'it was open before a reload');

  // Above the text it is folded at first and when an entry was followed, which is nothing to the choice for wide windows.
  await page.setViewportSize({ width: 800, height: 900 });
  await list.waitFor({ state: 'hidden' });
  await toggle.click();
  await list.waitFor();
  await list.locator('a').nth(1).click();
  await list.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await list.waitFor();
  assert.deepEqual(await state(), ['true', true]);
  assert.deepEqual(faults, []);
  await close();
});

test('the second scholar search is hidden until it is asked for', async () => {
  const { page, faults, close } = await openArticle();
  await page.locator('a.xref[data-ref-type="bibr"]').first().click();
  const popover = page.locator('.xref-popover');
  await popover.waitFor();
  // The link may name several references, each with its own searches.
  const second = popover.locator('a[href*="xueshu.baidu.com"]').first();
  assert.deepEqual([await popover.locator('a[href*="scholar.google.com"]').first().isVisible(), await second.isVisible()], [true, false]);
  await popover.getByRole('button', { name: 'Another search service' }).first().click();
  assert.equal(await second.isVisible(), true);
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  close();
});

test('the PDF in the column is a file and not a page of the shell', async () => {
  const { page, close } = await open(await addressOf('Opening a carbon ledger', '/en/issue/2026/1'));
  const href = await page.locator('.aside-pdf a').getAttribute('href');
  const answer = page.waitForResponse((response) => response.url().endsWith(href));
  await page.locator('.aside-pdf a').click();
  assert.match((await answer).headers()['content-type'], /^application\/pdf/);
  await close();
});

test('in print, the article ends with its citation, and without numbers and controls', async () => {
  const { page, close } = await openArticle();
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('[data-citation-style="apa"] .citation-text').isVisible(), true);
  for (const part of ['.aside-metrics', '.cite-files', '.text-languages', '[data-citation-style="mla"] .citation-text'])
    assert.equal(await page.locator(part).first().isVisible(), false, part);
  await page.emulateMedia({ media: 'screen' });
  close();
});

test('places that links lead to stand below a bar at the top of the window', async () => {
  const { page } = await openArticle({ width: 390, height: 844 });
  await page.evaluate(() => document.documentElement.style.setProperty('--bar-height', '120px'));
  const section = page.locator('.reader-body section[id]').last();
  await section.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
  assert.ok((await section.boundingBox()).y >= 120);
});
