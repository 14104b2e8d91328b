// Imported articles of extreme size, and one with nothing but a title: their pages stay usable on a desktop and on a phone.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { send } from '../demo-host.mjs';
import { drawn, tooWide, useDemo } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const REFERENCES = 3000;
const FIGURES = 300;
const AUTHORS = 50_000;
const COLUMNS = 200;
/** The height of all windows. */
const HEIGHT = 844;
const WORD = 'LlanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochLlanfairpwllgwyngyllgogerychwyrn';

const many = (count, of) => Array.from({ length: count }, (_, at) => of(at + 1)).join('');

const jats = (number, title, { front = '', body = '', back = '' } = {}) =>
  `<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" xml:lang="en"><front>
<journal-meta><journal-id journal-id-type="publisher-id">ocean-ledger</journal-id>
<journal-title-group><journal-title xml:lang="en">Ocean Ledger</journal-title></journal-title-group><issn>9967-2049</issn></journal-meta>
<article-meta><article-id pub-id-type="doi">10.5555/ocl.extreme.${number}</article-id>
<title-group><article-title>${title}</article-title></title-group>${front}
<pub-date date-type="pub" publication-format="electronic"><day>2</day><month>5</month><year>2026</year></pub-date></article-meta></front>
${body && `<body>${body}</body>`}${back && `<back>${back}</back>`}</article>`;

const ARTICLES = {
  large: jats(1, 'A ledger of everything', {
    front: `<contrib-group>${many(
      AUTHORS,
      (n) => `<contrib contrib-type="author"><name><surname>Author${n}</surname><given-names>A.</given-names></name></contrib>`,
    )}</contrib-group>`,
    body: `<sec id="s1"><title>Introduction</title><p>The word ${WORD} and the works <xref ref-type="bibr" rid="r1">1</xref>–<xref ref-type="bibr" rid="r${REFERENCES}">${REFERENCES}</xref>.</p>
<table-wrap id="t1"><label>Table 1</label><caption><p>Everything</p></caption><table><tbody>${many(
      3,
      () => `<tr>${many(COLUMNS, (n) => `<td>cell ${n}</td>`)}</tr>`,
    )}</tbody></table></table-wrap></sec>
<sec id="s2"><title>Figures</title>${many(
      FIGURES,
      (n) => `<fig id="f${n}"><label>Figure ${n}</label><caption><p>The tide of day ${n}</p></caption><graphic xlink:href="f${n}.png"/></fig>`,
    )}</sec>`,
    back: `<ref-list><title>References</title>${many(
      REFERENCES,
      (n) => `<ref id="r${n}"><label>${n}</label><mixed-citation>Reed A. The tide of day ${n}. Ledgers of the Sea. 2021.</mixed-citation></ref>`,
    )}</ref-list>`,
  }),
  title: jats(2, 'Salt and tides '.repeat(70_000), { body: '<sec><title>Introduction</title><p>A long title.</p></sec>' }),
  bare: jats(3, WORD),
};
/** An article of which every figure has its picture, and every reference is cited. It is imported as a folder. */
const ATLAS = jats(4, 'An atlas of tides', {
  body: `<sec id="s1"><title>The works</title><p>${many(REFERENCES, (n) => `<xref ref-type="bibr" rid="r${n}">${n}</xref> `)}</p></sec>
<sec id="s2"><title>The figures</title>${many(
    FIGURES,
    (n) => `<fig id="f${n}"><label>Figure ${n}</label><caption><p>The tide of day ${n}</p></caption><graphic xlink:href="f${n}.svg"/></fig>`,
  )}</sec>`,
  back: `<ref-list><title>References</title>${many(
    REFERENCES,
    (n) => `<ref id="r${n}"><label>${n}</label><mixed-citation>Reed A. The tide of day ${n}. Ledgers of the Sea. 2021.</mixed-citation></ref>`,
  )}</ref-list>`,
});
const picture = (n) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="500" viewBox="0 0 800 500"><rect width="800" height="500" fill="#dde"/><text x="40" y="90" font-size="60">Day ${n}</text></svg>`;

const demo = useDemo({
  own: true,
  prepare: async ({ portal }) => {
    for (const [name, text] of Object.entries(ARTICLES)) {
      const file = path.join(portal.data, '..', `${name}.xml`);
      writeFileSync(file, text);
      portal.run('import', 'jats', file, '--site', 'oceanledger', '--sites', portal.sites, '--data', portal.data);
    }
    const atlas = path.join(portal.data, '..', 'atlas');
    mkdirSync(atlas);
    writeFileSync(path.join(atlas, 'atlas.xml'), ATLAS);
    for (let n = 1; n <= FIGURES; n += 1) writeFileSync(path.join(atlas, `f${n}.svg`), picture(n));
    portal.run('import', 'jats', atlas, '--site', 'oceanledger', '--sites', portal.sites, '--data', portal.data);
  },
});

const address = (number) => demo.at('oceanledger', `/en/article/doi/10.5555/ocl.extreme.${number}`);

async function openArticle(number, width) {
  const opened = await demo.open({ viewport: { width, height: HEIGHT } });
  // The articles beside it are of extreme size, too.
  await fetchNothingAhead(opened.page);
  const response = await opened.page.goto(address(number), { waitUntil: 'networkidle' });
  assert.equal(response.status(), 200);
  return opened;
}

/** Has `check` look at an open article in windows of these widths, one after the other: the article is loaded in the first one. */
async function inEach(page, widths, check) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await drawn(page);
    const wide = await tooWide(page);
    assert.ok(wide <= 0, `the page is ${wide} px wider than its window of ${width} px`);
    await check(width);
  }
}

async function closePopover(page) {
  await page.keyboard.press('Escape');
  await page.locator('.xref-popover').waitFor({ state: 'detached' });
}

test(`an article with ${REFERENCES} references, ${FIGURES} figures and ${AUTHORS} authors is usable at 1280 and 390 px`, async () => {
  const { page, faults, close } = await openArticle(1, 1280);
  assert.equal(await page.locator('ol.ref-list > li').count(), REFERENCES);
  assert.equal(await page.locator('main figure').count(), FIGURES + 1, 'the figures, and the table');
  await inEach(page, [1280, 390], async (width) => {
    const head = await page.locator('.reader-head').boundingBox();
    assert.ok(head.height < 3 * HEIGHT, `the list of authors is folded: the head has ${head.height} px`);

    // The table scrolls in its frame and not with the page.
    const table = page.locator('main table').first();
    assert.ok((await table.evaluate((one) => one.closest('.table-scroll, .table-wrap, div').scrollWidth)) > width);

    await page.locator('a.xref[data-ref-type="bibr"]').first().click();
    const popover = page.locator('.xref-popover');
    await popover.waitFor();
    assert.ok((await popover.innerText()).includes('The tide of day 1'));
    await closePopover(page);

    const figure = page.locator('main figure').nth(FIGURES / 2);
    await figure.scrollIntoViewIfNeeded();
    assert.ok((await figure.innerText()).includes('The tide of day'));
    await page.locator('ol.ref-list > li').last().scrollIntoViewIfNeeded();
    assert.ok(await page.locator('ol.ref-list > li').last().isVisible());
  });
  // Files that did not come with the article are not requested.
  assert.deepEqual(faults, []);
  await close();
});

test(`${FIGURES} figures with their pictures and ${REFERENCES} cited references are usable at 390 and 1280 px`, async () => {
  const { page, faults, close } = await openArticle(4, 390);
  const pictures = page.locator('main figure img');
  assert.equal(await pictures.count(), FIGURES);
  // In the narrow window, pictures are small, and more of them are near.
  const loaded = await pictures.evaluateAll((all) => all.filter((one) => one.complete && one.naturalWidth > 0).length);
  assert.ok(loaded < FIGURES / 3, `${loaded} pictures are loaded before a reader comes to them`);
  await inEach(page, [390, 1280], async () => {
    const middle = FIGURES / 2;
    const figure = page.locator('main figure').nth(middle - 1);
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('img').click();
    const viewer = page.getByRole('dialog', { name: 'Figures' });
    const shows = (number) => page.waitForFunction((wanted) => Number.parseInt(document.querySelector('.viewer-count')?.textContent, 10) === wanted, number);
    await viewer.locator('.viewer-stage img').waitFor();
    await shows(middle);
    await page.keyboard.press('ArrowRight');
    await shows(middle + 1);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await page
      .locator('a.xref[data-ref-type="bibr"]')
      .nth(REFERENCES - 1)
      .click();
    const popover = page.locator('.xref-popover');
    await popover.waitFor();
    assert.ok((await popover.innerText()).includes(`The tide of day ${REFERENCES}`));
    await closePopover(page);
  });
  assert.deepEqual(faults, []);
  await close();
});

test('an article with a title of 1 MB, and one with nothing but a title, are usable at 1280 and 390 px', async () => {
  for (const number of [2, 3]) {
    const { page, faults, close } = await openArticle(number, 1280);
    assert.ok((await page.title()).length < 600, 'the title of the window is short');
    await inEach(page, [1280, 390], async () => {
      assert.ok(await page.locator('h1').first().isVisible());
      await page.keyboard.press('End');
      await page.waitForFunction(() => scrollY > 0 || document.documentElement.scrollHeight <= innerHeight);
    });
    assert.deepEqual(faults, []);
    await close();
  }
});

/** More than a feed with these articles has: the title of a megabyte, once, and short entries. All of the 50,000 authors would be two megabytes more. */
const FEED_BYTES = 1.5 * 2 ** 20;

test('the list, the feeds and a search that show these articles stay usable', async () => {
  const { page, faults, close } = await demo.open({ viewport: { width: 390, height: HEIGHT } });
  await fetchNothingAhead(page);
  for (const at of ['/en/home/', '/en/search?q=tides', '/zh/home/']) {
    await page.goto(demo.at('oceanledger', at), { waitUntil: 'networkidle' });
    assert.ok((await tooWide(page)) <= 0, at);
    const heights = await page.locator('.article-card').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.ok(heights.length && Math.max(...heights) < 1600, `${at}: a card has ${Math.max(...heights)} px`);
  }
  for (const at of ['/en/feed.rss', '/en/feed.atom']) {
    const { status, bytes, text } = await send(demo.portal.port, at, { headers: { host: 'oceanledger.localhost' } });
    assert.equal(status, 200, at);
    assert.ok(text.includes('A ledger of everything') && text.includes(WORD), `${at} lists the articles`);
    assert.ok(bytes.length < FEED_BYTES, `${at} has ${bytes.length} bytes`);
  }
  assert.deepEqual(faults, []);
  await close();
});
