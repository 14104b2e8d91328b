// Home pages composed from configuration, issues as publications and the archive of covers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WCAG, tooWide, useDemo, violations, waitForPlace } from './portal.mjs';
import { FRAME, fetchNothingAhead, reusing, turnTo } from './screen-checks.mjs';

const demo = useDemo();
const openPage = reusing(demo, fetchNothingAhead);
const CALM = { reducedMotion: 'reduce' };

/** Whether every picture of the page that is in sight has been loaded, and none has failed. */
const pictures = () =>
  [...document.querySelectorAll('main img')].every((picture) => {
    picture.loading = 'eager';
    return picture.complete;
  });

const COMPOSITIONS = [
  ['oceanledger', 'journal'],
  ['quietcircuits', 'journal'],
  ['fieldnotes', 'newspaper'],
  ['hsspress', 'portal'],
];

for (const [sld, layout] of COMPOSITIONS) {
  test(`the home page of ${sld} is whole and accessible, in en at 1280 px and in zh at 390 px`, async () => {
    const { page, faults, close } = await openPage(CALM);
    for (const [lang, width, colorScheme] of [
      ['en', 1280, 'light'],
      ['zh', 390, 'dark'],
    ]) {
      await turnTo(page, { viewport: { width, height: 900 }, colorScheme });
      await page.goto(demo.at(sld, `/${lang}/home/`), { waitUntil: 'networkidle' });
      assert.equal(await page.locator('.home').getAttribute('data-layout'), layout, lang);
      await page.waitForFunction(pictures);
      const failed = await page.$$eval('main img', (all) => all.filter((one) => !one.naturalWidth).map((one) => one.src));
      assert.deepEqual(failed, [], lang);
      const wide = await tooWide(page);
      assert.ok(wide <= 1, `${lang}: ${wide} px too wide`);
      // `shell.test.mjs` has what axe finds on the home page of oceanledger, in the same views.
      if (sld !== 'oceanledger') assert.deepEqual(await violations(page, { tags: WCAG }), [], lang);
    }
    assert.deepEqual(faults, []);
    await close();
  });
}

const place = (page) => page.locator('.carousel-place').first().textContent();

test('the carousel is moved with its buttons and the keyboard, and stands still for readers who prefer that', async () => {
  const { page, close } = await openPage(CALM);
  await page.goto(demo.at('quietcircuits', '/en/home/'), { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Next slide' }).waitFor();
  assert.equal(await place(page), '1 / 3');
  await page.getByRole('button', { name: 'Next slide' }).click();
  await page.waitForFunction(() => document.querySelector('.carousel-place').textContent === '2 / 3');
  await page.getByRole('button', { name: 'Previous slide' }).press('Enter');
  await page.waitForFunction(() => document.querySelector('.carousel-place').textContent === '1 / 3');
  // It is paused from the beginning.
  await page.getByRole('button', { name: 'Play the slides' }).click();
  await page.getByRole('button', { name: 'Pause the slides' }).waitFor();
  await page.waitForFunction(() => document.querySelector('.carousel-place').textContent === '2 / 3');
  await page.getByRole('button', { name: 'Pause the slides' }).click();
  // The slide in sight is the only one that is reached.
  const reached = await page.$$eval('.carousel-slide', (slides) => slides.filter((slide) => !slide.inert).length);
  assert.equal(reached, 1);
  await page.locator('.carousel-slide:not([inert]) a').click();
  await page.waitForURL(/\/en\/(issues|onlineFirst|justAccepted)$/);
  await close();
});

test('without scripts the carousel is a row that is scrolled with the keyboard, and nothing has the place of buttons', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  await page.goto(demo.at('quietcircuits', '/en/home/'));
  const track = page.locator('.carousel-track').first();
  await track.focus();
  assert.equal(await page.locator('.carousel-button:visible').count(), 0);
  const second = page.locator('.carousel-slide').nth(1);
  await second.scrollIntoViewIfNeeded();
  assert.ok((await second.boundingBox()).x < 1280);
  await close();
});

test('another ranking is a link that Back returns from', async () => {
  const { page, faults, close } = await openPage(CALM);
  await page.goto(demo.at('quietcircuits', '/en/home/'), { waitUntil: 'networkidle' });
  const chosen = () => page.locator('[data-kind="rankings"] [aria-current]').allTextContents();
  assert.deepEqual(await chosen(), ['Downloads', '1 year']);
  await page.locator('[data-kind="rankings"]').getByRole('link', { name: 'Views' }).click();
  await page.waitForFunction(() => document.querySelector('[data-kind="rankings"] [aria-current]').textContent === 'Views');
  assert.match(page.url(), /\/en\/home\?by=visits&months=12#home-/);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('[data-kind="rankings"] [aria-current]').textContent === 'Downloads');
  assert.deepEqual(faults, []);
  await close();
});

test('the resources are a table whose bars are in proportion', async () => {
  const { page, close } = await openPage(CALM);
  await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
  const table = page.getByRole('table', { name: /Unit: / });
  const rows = await table.locator('tbody tr').evaluateAll((all) =>
    all.map((row) => ({
      name: row.querySelector('th').textContent,
      number: Number(row.querySelector('.chart-number').textContent),
      width: row.querySelector('rect').getBoundingClientRect().width,
    })),
  );
  assert.ok(rows.length >= 3 && rows.every((row) => row.name && row.number > 0 && row.width > 0), JSON.stringify(rows));
  const sorted = (key) => [...rows].sort((a, b) => a[key] - b[key]).map((row) => row[key]);
  const byNumber = [...rows].sort((a, b) => a.number - b.number).map((row) => row.width);
  assert.deepEqual(byNumber, sorted('width'));
  await close();
});

for (const [lang, width] of [
  ['en', 1280],
  ['zh', 390],
]) {
  // What axe finds in the archive, and in the header and the footer, is in `shell.test.mjs` and `quality.test.mjs`, in the same views.
  test(`an issue is accessible in ${lang} at ${width} px, and the years of the archive and the neighbours of an issue are reached`, async () => {
    const { page, faults, close } = await openPage(CALM);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(demo.at('oceanledger', `/${lang}/issues`), { waitUntil: 'networkidle' });
    await page.waitForFunction(pictures);
    const covers = await page.$$eval('.issue-card .cover', (all) => all.map((one) => [one.src, one.naturalWidth]));
    assert.equal(new Set(covers.map(([src]) => src)).size, covers.length);
    assert.ok(covers.every(([, natural]) => natural > 0));
    // In a window so low that the last year gets to its top.
    await page.setViewportSize({ width, height: 300 });
    await page.locator('.year-jump a').last().click();
    await waitForPlace(page, '#year-2025', width < 768 ? 5 : 40);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(demo.at('oceanledger', `/${lang}/issue/2026/1`), { waitUntil: 'networkidle' });
    assert.deepEqual(await violations(page, { tags: WCAG, exclude: FRAME }), []);
    await page.locator('.issue-nav a[rel="prev"]').click();
    await page.waitForURL(/\/issue\/2025\/4$/);
    await page.locator('.publication-head .cover').waitFor();
    await page.locator('.issue-nav a[rel="next"]').click();
    await page.waitForURL(/\/issue\/2026\/1$/);
    await page.locator('.card-pdf').first().waitFor();
    assert.deepEqual(faults, []);
    await close();
  });
}
