// The article page: readable without scripts, with enhancements by scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDemo } from './portal.mjs';

const demo = useDemo();

async function openArticle(sld, options) {
  const href = await demo.articleOf(sld, 'en');
  const opened = await demo.open(options);
  await opened.page.goto(demo.at(sld, href), { waitUntil: 'networkidle' });
  return { ...opened, href };
}

test('an article is readable without scripts', async () => {
  const { page, close } = await openArticle('oceanledger', { javaScriptEnabled: false });
  const text = await page.locator('main').innerText();
  for (const word of ['Abstract', 'Introduction', 'References']) assert.ok(text.includes(word), word);
  assert.ok((await page.locator('main math').count()) > 0, 'formulas are MathML');
  assert.ok((await page.locator('main figure img').count()) > 0);
  assert.ok((await page.locator('main table td').count()) > 0);
  assert.ok((await page.locator('nav a').count()) > 0, 'the menu is there');
  assert.ok((await page.locator('ol.ref-list li').count()) > 5);
  await close();
});

test('sections stand in the order of the specification', async () => {
  const { page, close } = await openArticle('oceanledger');
  const kinds = await page.locator('.reader-section').evaluateAll((all) => all.map((one) => one.dataset.kind));
  const order = [
    'abstract',
    'graphic-abstract',
    'keywords',
    'ocis',
    'highlights',
    'body',
    'expert-comment',
    'contributions',
    'acknowledgements',
    'supplementary',
    'conflict',
    'ethics',
    'funding',
    'supporting-data',
    'glossary',
    'appendix',
    'footnotes',
    'references',
    'sub-article',
  ];
  const places = kinds.map((kind) => order.indexOf(kind));
  assert.ok(!places.includes(-1), kinds.join());
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
    kinds.join(),
  );
  await close();
});

test('every figure, cross-reference and outline entry has a target', async () => {
  for (const sld of ['oceanledger', 'scriptstone', 'plainpress']) {
    const { page, faults, close } = await demo.open();
    await page.goto(demo.at(sld, '/en/home/'));
    const hrefs = await page.locator('.article-card .card-title a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    // A home page may list an article in several of its sections.
    for (const href of new Set(hrefs)) {
      await page.goto(demo.at(sld, href), { waitUntil: 'networkidle' });
      const broken = await page.evaluate(async () => {
        const lost = [...document.querySelectorAll('main a[href^="#"]')]
          .filter((link) => !document.getElementById(decodeURIComponent(link.getAttribute('href').slice(1))))
          .map((link) => link.outerHTML);
        for (const image of document.querySelectorAll('main img')) {
          const answer = await fetch(image.src);
          if (!answer.ok) lost.push(image.src);
        }
        const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
        return [...lost, ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `twice: ${id}`)];
      });
      assert.deepEqual(broken, [], href);
    }
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a reference shows its citation, and Escape returns the focus', async () => {
  const { page, faults, close } = await openArticle('oceanledger');
  const reference = page.locator('a.xref[data-ref-type="bibr"]').first();
  await reference.scrollIntoViewIfNeeded();
  await reference.focus();
  await page.keyboard.press('Enter');
  const popover = page.locator('[role="dialog"], .popover').first();
  await popover.waitFor();
  const id = (await reference.getAttribute('href')).slice(1);
  const citation = await page.locator(`[id="${id}"] .citation`).first().innerText();
  assert.ok((await popover.innerText()).includes(citation.slice(0, 30)));
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'hidden' });
  // The focus returns with the next frame.
  await page.waitForFunction(() => document.activeElement?.matches('a.xref'));
  assert.deepEqual(faults, []);
  await close();
});

test('a figure opens full screen and closes with Escape', async () => {
  const { page, faults, close } = await openArticle('oceanledger');
  await page.locator('main figure.fig button').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  assert.ok((await dialog.locator('img').count()) > 0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.deepEqual(faults, []);
  await close();
});

test('following links loads no document, and Back returns to the same place', async () => {
  const { page, faults, close } = await demo.open();
  let documents = 0;
  page.on('request', (request) => (documents += request.resourceType() === 'document' ? 1 : 0));
  await page.goto(demo.at('hssxiv', '/en/home/'), { waitUntil: 'networkidle' });
  const last = page.locator('.article-card .card-title a').last();
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  await last.click();
  await page.waitForSelector('article.reader');
  await page.waitForFunction(() => scrollY < 200);
  await page.goBack();
  await page.waitForSelector('.article-card');
  await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 120, place);
  assert.equal(documents, 1);
  assert.deepEqual(faults, []);
  await close();
});

test('switching the language changes the page in place', async () => {
  const { page, faults, close } = await openArticle('oceanledger');
  await page.locator('header').getByRole('link', { name: '中文' }).click();
  await page.waitForFunction(() => document.documentElement.lang === 'zh');
  assert.match(page.url(), /\/zh\/article\/\d+$/);
  assert.match(await page.locator('main').innerText(), /收稿日期[\s\S]*利益冲突/);
  const cookies = await page.context().cookies();
  assert.equal(cookies.find((cookie) => cookie.name === 'language')?.value, 'zh');
  assert.deepEqual(faults, []);
  await close();
});

test('a module that fails affects its slot only, not the page', async () => {
  for (const answer of ['missing', 'html', 'throws']) {
    const { page, close } = await demo.open();
    await page.route('**/assets/modules/nav-default/**/*.js', (route) => {
      if (answer === 'missing') return route.fulfill({ status: 404, body: '' });
      if (answer === 'html') return route.fulfill({ contentType: 'text/html', body: '<p>no</p>' });
      return route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' });
    });
    await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
    await page.waitForTimeout(500);
    assert.ok((await page.locator('.frame-menu a').count()) > 0, `${answer}: the host's own menu stays`);
    await page.locator('.article-card .card-title a').first().click();
    await page.waitForSelector('article.reader');
    await close();
  }
});
