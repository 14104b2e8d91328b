// Type and colours: one serif everywhere, light and dark, the place in another language, and content that is too long for a line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, observeShifts, tooWide, useDemo, violations, waitForTools } from './portal.mjs';
import { CONTRAST, fetchNothingAhead, reusing, turnTo } from './screen-checks.mjs';

const demo = useDemo();
const openPage = reusing(demo, fetchNothingAhead);

const SERIF = '**/source-serif-4-*.woff2';
const DARK = 'rgb(20, 22, 26)';
const paper = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
/** Waits until a choice has reached the paper: React applies it after the click. */
const turned = (page, colour) => page.waitForFunction((wanted) => getComputedStyle(document.documentElement).backgroundColor === wanted, colour);

/** A page opened at the first article of a site in a language. */
async function openArticle(sld, lang, options) {
  const href = await demo.articleOf(sld, lang);
  const opened = await openPage({ reducedMotion: 'reduce', ...options });
  await opened.page.goto(demo.at(sld, href), { waitUntil: 'networkidle' });
  return { ...opened, href };
}

test('titles and articles are in the serif of the site, which is fetched once for the first view, and whose faces the browser knows', async () => {
  const href = await demo.articleOf('oceanledger', 'en');
  const { page, faults, close } = await demo.open({ reducedMotion: 'reduce' });
  const fetched = [];
  page.on('request', (request) => request.url().endsWith('.woff2') && fetched.push(new URL(request.url()).pathname));
  await page.goto(demo.at('oceanledger', href), { waitUntil: 'networkidle' });
  const { loaded, unknown } = await page.evaluate(async () => {
    await document.fonts.ready;
    const bare = (family) => family.trim().replace(/^["']|["']$/g, '');
    const faces = [...document.fonts].map(({ family, status }) => ({ family: bare(family), status }));
    const named = getComputedStyle(document.documentElement).getPropertyValue('--serif-latin').split(',').map(bare);
    return {
      loaded: faces.filter(({ status }) => status === 'loaded').map(({ family }) => family),
      unknown: named.filter((name) => !faces.some(({ family }) => family === name)),
    };
  });
  assert.ok(loaded.includes('Source Serif 4 Variable'), loaded.join());
  assert.deepEqual(unknown, [], 'faces that the tokens name');
  assert.ok(fetched.filter((file) => file.includes('latin-wght-normal')).length <= 1, fetched.join());
  assert.deepEqual(faults, []);
  await close();
});

for (const [lang, width] of [
  ['en', 1280],
  ['en', 390],
  ['zh', 1280],
]) {
  test(`the serif moves nothing when it comes late: an article in ${lang}, ${width} px`, async () => {
    const href = await demo.articleOf('oceanledger', lang);
    const { page, close } = await demo.open({ viewport: { width, height: 850 }, reducedMotion: 'reduce' });
    await observeShifts(page);
    let release;
    const free = new Promise((resolve) => (release = resolve));
    await page.route(SERIF, async (route) => {
      await free;
      await route.continue();
    });
    await page.goto(demo.at('oceanledger', href), { waitUntil: 'domcontentloaded' });
    await page.locator('article.reader .toolbar').waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const before = await page.evaluate(() => globalThis.shift);
    release();
    await page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    const shift = (await page.evaluate(() => globalThis.shift)) - before;
    assert.ok(shift <= 0.02, `shift ${shift}`);
    await close();
  });
}

for (const sld of ['oceanledger', 'scriptstone']) {
  test(`${sld}: the choice of dark paper holds on every page, without scripts too, and the logo stays legible`, async () => {
    const { page, faults, close } = await demo.open({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(demo.at(sld, '/en/home/'), { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Appearance: As the system' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await turned(page, DARK);
    await page.locator('.card-title a').first().click();
    await page.waitForSelector('article.reader');
    assert.equal(await paper(page), DARK);
    const cookies = await page.context().cookies();
    assert.deepEqual(faults, []);
    await close();
    // What the host sends is dark before any script runs.
    const next = await demo.open({ javaScriptEnabled: false, colorScheme: 'light' });
    await next.page.context().addCookies(cookies);
    for (const address of ['/en/issues', '/en/about', '/en/search?q=a']) {
      await next.page.goto(demo.at(sld, address));
      assert.equal(await paper(next.page), DARK, address);
    }
    const plate = await next.page.locator('.frame-logo img').evaluate((image) => getComputedStyle(image).backgroundColor);
    assert.equal(plate, 'rgb(255, 255, 255)');
    await next.close();
  });
}

test('pages of accounts, of members and of errors have the choice of light and dark, too', async () => {
  const { page, faults, close } = await demo.open({ reducedMotion: 'reduce', colorScheme: 'light' });
  const button = page.locator('.frame-theme');
  const choose = async (name, colour) => {
    await button.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await turned(page, colour);
    await page.getByRole('menu').waitFor({ state: 'hidden' });
  };
  for (const address of ['/en/login', '/en/register', '/en/personal', '/en/there/is/no/such/page/']) {
    await page.goto(demo.at('oceanledger', address), { waitUntil: 'networkidle' });
    assert.ok(await button.isVisible(), `${address} has the choice`);
    const light = await paper(page);
    assert.notEqual(light, DARK, address);
    await choose('Dark', DARK);
    await choose('Light', light);
  }
  // The page that is not there is answered 404.
  assert.deepEqual(
    faults.filter((fault) => !/404/.test(fault)),
    [],
  );
  await close();
});

test('at 390 px light and dark are chosen in the menu, which axe finds well', async () => {
  const { page, faults, close } = await demo.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
  await page.locator('.frame-mobile button').tap();
  await page.getByRole('button', { name: 'Dark', exact: true }).tap();
  await turned(page, DARK);
  assert.deepEqual(await violations(page, { include: '[role="dialog"]' }), []);
  assert.deepEqual(faults, []);
  await close();
});

test('another language shows the same section at the same height', async () => {
  const { page, faults, close } = await openArticle('oceanledger', 'en');
  const id = await page.evaluate(() => {
    const sections = [...document.querySelectorAll('.reader-section[id]')];
    const section = sections[Math.floor(sections.length / 2)];
    section.scrollIntoView({ behavior: 'instant' });
    scrollBy({ top: -20, behavior: 'instant' });
    return section.id;
  });
  const top = () => page.evaluate((wanted) => document.getElementById(wanted)?.getBoundingClientRect().top, id);
  const before = await top();
  await page.locator('.compact-bar').getByRole('link', { name: '中文' }).click();
  await page.waitForFunction(() => document.documentElement.lang === 'zh');
  await page.locator('article.reader .toolbar').waitFor();
  await page.waitForFunction(([wanted, place]) => Math.abs(document.getElementById(wanted).getBoundingClientRect().top - place) < 60, [id, before]);
  assert.deepEqual(faults, []);
  await close();
});

test('a link to another language keeps the fragment', async () => {
  const { page, close } = await openArticle('oceanledger', 'en');
  await page.locator('.reader-outline a').nth(2).click();
  const hash = await page.evaluate(() => location.hash);
  assert.notEqual(hash, '');
  await page.locator('.compact-bar').getByRole('link', { name: '中文' }).click();
  await page.waitForFunction(() => document.documentElement.lang === 'zh');
  assert.equal(await page.evaluate(() => location.hash), hash);
  await close();
});

test('names, columns and keywords lead to searches that find the article', async () => {
  const { page, faults, close, href } = await openArticle('oceanledger', 'en');
  for (const link of ['.author-name', '.kicker-subject', '.keyword a', '.affiliation']) {
    await page.locator(link).first().click();
    await page.waitForFunction(() => document.body.className === 'page-search');
    const found = await page.locator('.card-title a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    assert.ok(found.includes(href), `${link}: ${found.join()}`);
    await page.goBack();
    await page.waitForFunction(() => document.body.className === 'page-article');
    await waitForTools(page);
  }
  assert.deepEqual(faults, []);
  await close();
});

/** An article on a touch screen, which is open for both papers. */
let touched;
for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in the popover of a reference and in formula tools on touch screens, ${colorScheme}`, async () => {
    touched ??= await openArticle('oceanledger', 'en', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const { page } = touched;
    await turnTo(page, { colorScheme });
    await drawn(page);
    // On the other paper, colours alone are others.
    const findings = (include) => violations(page, { include, ...(colorScheme === 'light' ? {} : CONTRAST) });
    if (await page.locator('.formula-tools button').count()) assert.deepEqual(await findings('.formula-tools'), []);
    const popover = page.locator('.xref-popover');
    await page.locator('a.xref[data-ref-type=bibr]').first().tap();
    await popover.locator('.citation').first().waitFor();
    assert.deepEqual(await findings('.xref-popover'), []);
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
  });
}

test('long words, a title of a megabyte and a table of 200 columns keep the page usable, at 390 and 1280 px', async () => {
  const { page, close } = await demo.open({ reducedMotion: 'reduce', viewport: { width: 390, height: 850 } });
  await fetchNothingAhead(page);
  await page.goto(demo.at('oceanledger', await demo.articleOf('oceanledger', 'en')), { waitUntil: 'networkidle' });
  await page.evaluate(() => {
    const word = 'x'.repeat(90);
    for (const part of ['.reader-head h1', '.reader-section h2', '.reader-section p', '.author-name', '.keyword', '.affiliation', '.kicker a', 'figcaption p'])
      for (const one of [...document.querySelectorAll(part)].slice(0, 3)) one.textContent = word;
    const table = document.querySelector('.table-wrap table');
    const cells = (name) => Array.from({ length: 200 }, (_, at) => `${name}${at}`);
    table.replaceChildren();
    for (let row = 0; row < 3; row += 1) {
      const line = table.insertRow();
      for (const text of cells(row)) line.insertCell().textContent = text;
    }
  });
  const inEachWidth = async (check) => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 850 });
      await drawn(page);
      await check(`${width} px`);
    }
  };
  await inEachWidth(async (where) => {
    assert.ok((await tooWide(page)) <= 1, `${where}: the page is as wide as the window`);
    const box = page.locator('.table-wrap').first();
    const scrolls = await box.evaluate((one) => {
      one.focus();
      return [
        one.scrollWidth > one.clientWidth,
        document.activeElement === one,
        Boolean(one.getAttribute('aria-label') ?? one.getAttribute('aria-labelledby')),
      ];
    });
    assert.deepEqual(scrolls, [true, true, true], where);
  });
  await page.evaluate(() => {
    const title = document.querySelector('.reader-head h1');
    title.className = 'long-title';
    title.textContent = 'word '.repeat(200_000);
  });
  await inEachWidth(async (where) => {
    const height = await page.locator('.reader-head h1').evaluate((one) => one.getBoundingClientRect().height);
    assert.ok(height <= 0.4 * 850 + 1, `${where}: the title is ${height} px high`);
  });
  await close();
});

test('a card becomes its article by a transition, and not for readers who want no motion', async () => {
  const { page, faults, close } = await demo.open();
  await page.addInitScript(() => {
    globalThis.transitions = 0;
    const start = document.startViewTransition?.bind(document);
    if (start)
      document.startViewTransition = (update) => {
        globalThis.transitions += 1;
        return start(update);
      };
  });
  for (const reducedMotion of ['no-preference', 'reduce']) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(demo.at('oceanledger', '/en/issue'), { waitUntil: 'networkidle' });
    await page.locator('.card-title a').first().click();
    await page.waitForSelector('article.reader .toolbar');
    assert.equal(await page.evaluate(() => globalThis.transitions), reducedMotion === 'reduce' ? 0 : 1);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
    await page.goBack();
    await page.waitForSelector('.article-card');
    assert.deepEqual(faults, []);
  }
  await close();
});

test('in Arabic, DOIs are in their order, and titles stand on the side of their list', async () => {
  const { page, close } = await demo.open({ reducedMotion: 'reduce' });
  await page.goto(demo.at('scriptstone', '/ara/home/'), { waitUntil: 'networkidle' });
  const cards = await page.locator('.article-card').evaluateAll((all) =>
    all.slice(0, 4).map((card) => {
      const range = document.createRange();
      range.selectNodeContents(card.querySelector('.card-title a'));
      const doi = card.querySelector('.card-doi');
      return { gap: card.getBoundingClientRect().right - range.getBoundingClientRect().right, doi: doi && getComputedStyle(doi).direction };
    }),
  );
  assert.ok(cards.length > 0);
  for (const { gap, doi } of cards) {
    assert.ok(gap < 40, `a title ends ${gap} px before the side where the line begins`);
    assert.ok(doi === null || doi === 'ltr', doi);
  }
  await close();
});
