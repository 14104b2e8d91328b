// The article page: readable without scripts, with enhancements by scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDemo, waitForTools } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const demo = useDemo();

/** The article as the test before has left it, with nothing open: to load it takes more time than a test. A test that fails leaves none. */
let left;
/** Opens an article. `leave` leaves it for the next test. */
async function openArticle() {
  const opened = left ?? (await demo.open());
  const { page } = opened;
  if (!left) await page.goto(demo.at('oceanledger', await demo.articleOf('oceanledger', 'en')), { waitUntil: 'networkidle' });
  left = undefined;
  await waitForTools(page);
  return { ...opened, leave: () => (left = opened) };
}

test('an article is readable without scripts', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  await page.goto(demo.at('oceanledger', await demo.articleOf('oceanledger', 'en')));
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
  const { page, leave } = await openArticle();
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
  leave();
});

test('every figure, cross-reference and outline entry has a target', async () => {
  for (const sld of ['oceanledger', 'scriptstone', 'plainpress']) {
    const { page, faults, close } = await demo.open({ reducedMotion: 'reduce' });
    await fetchNothingAhead(page);
    await page.goto(demo.at(sld, '/en/home/'), { waitUntil: 'networkidle' });
    const hrefs = await page.locator('.article-card .card-title a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    assert.ok(hrefs.length > 0, sld);
    // A home page may list an article in several of its sections. The shell shows each in place, with the content that a document has.
    for (const href of new Set(hrefs)) {
      const card = page.locator(`.article-card .card-title a[href="${href}"]`).first();
      await card.evaluate((link) => link.click());
      await page.waitForURL((url) => url.pathname === href);
      await page.locator('body.page-article article.reader').waitFor();
      await waitForTools(page);
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
      await page.goBack();
      await page.locator('body.page-home .article-card').first().waitFor();
    }
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a reference shows its citation, and Escape returns the focus', async () => {
  const { page, faults, leave } = await openArticle();
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
  leave();
});

test('a figure opens full screen and closes with Escape', async () => {
  const { page, faults, leave } = await openArticle();
  await page.locator('main figure.fig button').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  assert.ok((await dialog.locator('img').count()) > 0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.waitForFunction(() => location.hash === '');
  assert.deepEqual(faults, []);
  leave();
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
  const { page, faults, close } = await openArticle();
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
  const { page, close } = await demo.open();
  let answer;
  await page.route('**/assets/modules/nav-default/**/*.js', (route) => {
    if (answer === 'missing') return route.fulfill({ status: 404, body: '' });
    if (answer === 'html') return route.fulfill({ contentType: 'text/html', body: '<p>no</p>' });
    return route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' });
  });
  for (answer of ['missing', 'html', 'throws']) {
    const reported = page.waitForRequest((request) => request.url().endsWith('/rc-pub/front/ui-failure') && request.postData().includes('"nav-default"'));
    await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
    await reported;
    assert.ok((await page.locator('.frame-menu a').count()) > 0, `${answer}: the host's own menu stays`);
    await page.locator('.article-card .card-title a').first().click();
    await page.waitForSelector('article.reader');
  }
  await close();
});
