// What the shell and the modules do with a document of the host: nothing moves, the focus is where it belongs, sizes are as designed. The menu of a
// phone is in `navigation.test.mjs`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, observeShifts, tooWide, useDemo, violations } from './portal.mjs';
import { FRAME, TEXT, WHOLE, fetchNothingAhead, turnTo } from './screen-checks.mjs';

/** One page for all that is only looked at: styles and modules are fetched once for each site. */
let viewer;
const demo = useDemo({
  prepare: async ({ open: openPage }) => {
    ({ page: viewer } = await openPage({ reducedMotion: 'reduce' }));
    await observeShifts(viewer);
    await fetchNothingAhead(viewer);
  },
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Goes to an address of a site; `article` is the site's first article in the address's language. */
async function go(page, sld, address) {
  const isArticle = address.endsWith('/article');
  const target = isArticle ? await demo.articleOf(sld, address.split('/')[1]) : address;
  await page.goto(demo.at(sld, target), { waitUntil: 'networkidle' });
  // On a busy machine, the network may be idle before the reader's tools are there.
  if (isArticle) await page.locator('[role="toolbar"]').waitFor();
}

/** A page that sums up its layout shifts, opened at an address of a site. */
async function open(sld, address, options = {}) {
  const opened = await demo.open({ reducedMotion: 'reduce', ...options });
  await observeShifts(opened.page);
  await go(opened.page, sld, address);
  return opened;
}
const active = (page, key) => page.evaluate((name) => document.activeElement?.[name], key);
const findings = (page, { exclude = [], ...options } = {}) => violations(page, { exclude: ['iframe', ...exclude], ...options });

/** What has been looked at by axe: frames, by site, language, window and paper, and texts of articles, which are the same in each window. */
const seen = new Set();
const isNew = (...what) => seen.size < seen.add(what.join(' ')).size;

for (const [sld, address, width, colorScheme] of [
  ['oceanledger', '/en/home/', 1280, 'light'],
  ['oceanledger', '/zh/home/', 390, 'dark'],
  ['oceanledger', '/zh/article', 1280, 'dark'],
  ['oceanledger', '/en/article', 1280, 'light'],
  ['oceanledger', '/en/article', 390, 'light'],
  ['oceanledger', '/en/issue', 390, 'light'],
  ['oceanledger', '/en/issues', 1280, 'light'],
  ['oceanledger', '/en/search?q=wave', 1280, 'light'],
  ['oceanledger', '/en/nothing/', 1280, 'light'],
  ['scriptstone', '/zh/home/', 1280, 'dark'],
  ['scriptstone', '/en/home/', 390, 'light'],
  ['scriptstone', '/ara/home/', 390, 'dark'],
  ['scriptstone', '/ara/article', 1280, 'light'],
  ['scriptstone', '/en/article', 1280, 'dark'],
  ['northcampus', '/zh/article', 390, 'light'],
  ['tidesdesk', '/en/home/', 1280, 'light'],
  ['northcampus', '/en/issues', 1280, 'dark'],
]) {
  const lang = address.split('/')[1];
  const exclude = [];
  if (!isNew('frame', sld, lang, width, colorScheme)) exclude.push(...FRAME);
  if (address.endsWith('/article') && !isNew('text', sld, lang, colorScheme)) exclude.push(TEXT);
  // `quality.test.mjs` leaves these pages to this test, and the size of targets with them.
  const options = sld === 'oceanledger' ? { ...WHOLE, exclude } : { exclude };
  test(`${sld} ${address} ${width} px ${colorScheme}: modules are in place, nothing shifts or overflows, axe has no finding`, async () => {
    await turnTo(viewer, { viewport: { width, height: width < 700 ? 844 : 860 }, colorScheme });
    // A machine that stalls between two scripts paints in between: the quietest of three views counts.
    let quietest = 1;
    for (let attempt = 0; attempt < 3 && quietest > 0.02; attempt += 1) {
      await go(viewer, sld, address);
      const facts = await viewer.evaluate(() => ({
        shift: globalThis.shift,
        wide: document.documentElement.scrollWidth > innerWidth,
        server: document.querySelectorAll('#app > .slot > [data-slot]').length,
      }));
      assert.equal(facts.wide, false);
      assert.equal(facts.server, 0);
      quietest = Math.min(quietest, facts.shift);
      // The test of the assistant has what axe finds on its home page.
      if (!attempt && sld !== 'tidesdesk') assert.deepEqual(await findings(viewer, options), []);
    }
    assert.ok(quietest <= 0.02, `shift ${quietest}`);
  });
}

test('the header of a signed-in reader shifts nothing, and axe has no finding', async () => {
  const { page, close } = await demo.open({ colorScheme: 'dark', viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
  await observeShifts(page);
  // The host's own document, for a reader whom the institution has let in.
  const html = await get(demo.portal.port, 'northcampus', '/en/issue');
  const body = html.replace('"session":{"signedIn":false,"userName":""}', '"session":{"signedIn":true,"userName":"lin****wen"}');
  await page.route(demo.at('northcampus', '/en/issue'), (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await page.goto(demo.at('northcampus', '/en/issue'), { waitUntil: 'networkidle' });
  await page.locator('.account-link').waitFor();
  assert.match(await page.locator('header').first().innerHTML(), /lin\*\*\*\*wen/);
  const shift = await page.evaluate(() => globalThis.shift);
  assert.ok(shift <= 0.02, `shift ${shift}`);
  assert.ok((await tooWide(page)) <= 0);
  assert.deepEqual(await findings(page), []);
  await close();
});

/** One page for the tests of what is in an article, one after another. */
test('references, tables and figures of an article', async (context) => {
  const { page, faults, close } = await open('oceanledger', '/en/article');

  await context.test('a table is 600 px high at most, and its lines are 1 px, 2 px outside, 3 px where they are double', async () => {
    const lines = await page
      .locator('.table-wrap')
      .first()
      .evaluate((box) => {
        const edge = (element, side) => {
          const style = getComputedStyle(element);
          return `${style[`border${side}Width`]} ${style[`border${side}Style`]}`;
        };
        const head = box.querySelector('thead tr:first-child > *');
        const [first, last] = [box.querySelector('tbody tr:first-child > *'), box.querySelector('thead tr:last-child > *')];
        const found = { most: getComputedStyle(box).maxHeight, top: edge(head, 'Top'), bottom: edge(box, 'Bottom'), inside: edge(last, 'Bottom') };
        // Which class the host writes for a double line of JATS is tested where it is written.
        const { className } = first;
        first.className = 'line-bottom-double';
        const double = edge(first, 'Bottom');
        first.className = className;
        return { ...found, double };
      });
    assert.deepEqual(lines, { most: '600px', top: '2px solid', bottom: '2px solid', inside: '1px solid', double: '3px double' });
  });

  await context.test('a reference opens by hovering, 450 px wide, and closes when the pointer leaves', async () => {
    await page.locator('a.xref[data-ref-type=bibr]').first().hover();
    await page.locator('.xref-popover').waitFor();
    assert.equal((await page.locator('.xref-popover').boundingBox()).width, 450);
    await page.mouse.move(10, 500);
    await page.locator('.xref-popover').waitFor({ state: 'detached' });
  });

  await context.test('a popover is centred over its reference, and stays inside of the window within 225 px of its edges', async () => {
    const places = new Set();
    for (const width of [480, 900, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const links = page.locator('a.xref[data-ref-type=bibr]');
      for (let at = 0; at < Math.min(await links.count(), 6); at += 1) {
        await links.nth(at).scrollIntoViewIfNeeded();
        await links.nth(at).hover();
        const popover = page.locator('.xref-popover');
        await popover.waitFor();
        const [reference, box] = [await links.nth(at).boundingBox(), await popover.boundingBox()];
        const centre = (rectangle) => rectangle.x + rectangle.width / 2;
        const isNear = Math.min(centre(reference), width - centre(reference)) < 225;
        places.add(isNear);
        assert.ok(box.x >= 0 && box.x + box.width <= width, `${width} px, reference ${at}: from ${box.x} px`);
        // The popover keeps 12 px from the edge.
        const shift = Math.abs(centre(box) - centre(reference));
        if (!isNear) assert.ok(shift <= 13, `${width} px, reference ${at}: ${shift} px beside its reference`);
        await page.mouse.move(2, 2);
        await popover.waitFor({ state: 'detached' });
      }
    }
    assert.deepEqual([...places].sort(), [false, true], 'references near an edge, and far from both');
  });

  await context.test('the popover of a figure takes the focus by key, and Escape returns it', async () => {
    await page.locator('a.xref[data-ref-type=fig]').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.xref-popover')?.contains(document.activeElement));
    await page.keyboard.press('Escape');
    await page.locator('.xref-popover').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement.className === 'xref');
  });

  await context.test('a table that a reference leads to is clear of the header, and the way back returns to the reference', async () => {
    const link = page.locator('a.xref[data-ref-type=table]').first();
    const [text, id] = [await link.textContent(), decodeURIComponent((await link.getAttribute('href')).slice(1))];
    await link.click();
    await page.waitForFunction((target) => document.activeElement?.id === target, id);
    // The bar of a scrolled article comes meanwhile, and does not change the place.
    await page.locator('.compact-bar').waitFor();
    const top = await page.evaluate((target) => document.getElementById(target).getBoundingClientRect().top, id);
    assert.ok(Math.abs(top - 150) < 12, `top ${top}`);
    await page.getByRole('button', { name: 'Back to the text' }).click();
    assert.equal(await active(page, 'textContent'), text);
  });

  await context.test('figures have an address, turn by key, zoom by wheel and return the focus', async () => {
    // A graphical abstract, which may be the first figure, has a dialog of its own.
    await page.locator('.reader-section[data-kind="body"] .fig-open').first().click();
    const count = page.locator('.viewer-count');
    const place = async () => (await count.textContent()).match(/\d+/g).slice(0, 2).map(Number);
    await count.waitFor();
    const hash = await page.evaluate(() => location.hash);
    assert.match(hash, /^#view-./);
    const [first, total] = await place();
    assert.ok(total > first);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((before) => location.hash !== before, hash);
    assert.deepEqual(await place(), [first + 1, total]);
    const second = await page.evaluate(() => location.hash);
    assert.notEqual(second, hash);
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction(() => /scale\((?!1\))/.test(document.querySelector('.viewer-stage img').style.transform));
    await page.keyboard.press('Escape');
    await page.locator('.viewer').waitFor({ state: 'detached' });
    assert.match(await active(page, 'className'), /fig-open/);
    // Loaded with that address, the page opens the same figure.
    const { pathname } = new URL(page.url());
    await page.goto('about:blank');
    await page.goto(demo.at('oceanledger', pathname) + second, { waitUntil: 'networkidle' });
    await count.waitFor();
    assert.deepEqual(await place(), [first + 1, total]);
  });

  await context.test('a link with the id that a figure has in the source leads to the figure', async () => {
    const id = await page.locator('main figure.fig').last().getAttribute('id');
    assert.match(id, /^a-./);
    const { pathname } = new URL(page.url());
    await page.goto('about:blank');
    await page.goto(`${demo.at('oceanledger', pathname)}#${id.slice(2)}`, { waitUntil: 'networkidle' });
    await page.waitForFunction((wanted) => {
      const { top } = document.getElementById(wanted).getBoundingClientRect();
      return top >= 0 && top < innerHeight;
    }, id);
  });

  assert.deepEqual(faults, []);
  await close();
});

test('navigation keeps the document, moves the focus to the heading, and Back restores the position', async () => {
  const { page, faults, close } = await open('oceanledger', '/en/issue', { viewport: { width: 1280, height: 400 } });
  await page.evaluate(() => {
    globalThis.kept = true;
  });
  const card = page.locator('.card-title a').last();
  await card.scrollIntoViewIfNeeded();
  const y = await page.evaluate(() => scrollY);
  assert.ok(y > 0);
  await card.click();
  await page.locator('article.reader .toolbar').waitFor();
  assert.deepEqual(await page.evaluate(() => [globalThis.kept, document.body.className, scrollY, document.activeElement.tagName]), [
    true,
    'page-article',
    0,
    'H1',
  ]);
  await page.goBack();
  await page.locator('.article-card').first().waitFor();
  await page.waitForFunction((wanted) => scrollY === wanted, y);
  assert.deepEqual(faults, []);
  await close();
});

test('at 390 px a reference is a sheet at the bottom', async () => {
  const { page, faults, close } = await open('oceanledger', '/zh/article', PHONE);
  await page.locator('a.xref[data-ref-type=bibr]').first().tap();
  await page.locator('.xref-popover').waitFor();
  const box = await page.locator('.xref-popover').boundingBox();
  assert.deepEqual([box.x, box.width, Math.round(box.y + box.height)], [0, 390, 844]);
  assert.deepEqual(faults, []);
  await close();
});

test('the assistant opens above its button, moves nothing, closes by Escape, and leaves with its page', async () => {
  const { page, faults, close } = await open('tidesdesk', '/en/home/');
  const before = await page.evaluate(() => [globalThis.shift, document.documentElement.scrollHeight]);
  const button = page.getByRole('button', { name: 'Ask the assistant' });
  await button.click();
  await page.frameLocator('.assistant iframe').getByRole('searchbox').waitFor();
  await page.locator('.assistant iframe[data-status=open]').waitFor();
  const [panel, below] = [await page.locator('.assistant-panel').boundingBox(), await button.boundingBox()];
  assert.deepEqual([panel.width, panel.height, below.height], [400, 600, 44]);
  assert.ok(panel.y >= 0 && panel.y + panel.height <= below.y, 'the panel leaves its button free');
  assert.deepEqual(await page.evaluate(() => [globalThis.shift, document.documentElement.scrollHeight]), before);
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press('Escape');
  await page.locator('.assistant-panel').waitFor({ state: 'detached' });
  assert.match(await active(page, 'className'), /assistant-button/);
  await page.locator('.frame-menu a', { hasText: 'All issues' }).click();
  await page.waitForFunction(() => document.body.className === 'page-issues');
  assert.equal(await page.locator('.assistant').count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

test('at 390 px the assistant is a sheet over the whole width, and its button leaves the back-to-top button free', async () => {
  const { page, faults, close } = await open('tidesdesk', '/zh/home/', PHONE);
  await page.evaluate(() => scrollTo(0, 700));
  await page.locator('.back-to-top:not([hidden])').waitFor();
  const [top, button] = [await page.locator('.back-to-top').boundingBox(), await page.locator('.assistant-button').boundingBox()];
  assert.ok(top.y + top.height <= button.y && button.width === 44 && button.height === 44, JSON.stringify({ top, button }));
  await page.locator('.assistant-button').tap();
  await page.locator('.assistant iframe[data-status=open]').waitFor();
  const box = await page.locator('.assistant-panel').boundingBox();
  assert.deepEqual([box.x, box.width, Math.round(box.y + box.height)], [0, 390, 844]);
  await page.locator('.assistant-panel button').first().tap();
  await page.waitForFunction(() => document.activeElement?.className === 'assistant-button');
  assert.deepEqual(faults, []);
  await close();
});

/** What is loaded with the first sign of a reader, by the names of chunks. */
const OF_READERS = ['Beside', 'Bilingual', 'CitedIn', 'Tables'];

test('tools that only readers need come with the first key, and not before; the code of translations does not come where they are off', async () => {
  const { page, faults, close } = await open('oceanledger', '/en/article');
  const loaded = () =>
    page.evaluate((names) => {
      const files = performance.getEntriesByType('resource').map(({ name }) => name);
      return names.filter((name) => files.some((file) => file.includes(`/assets/${name}-`)));
    }, OF_READERS);
  const tools = page.locator('.table-tools button, .ref-cited');
  assert.ok(await page.locator('main .table-wrap table').count(), 'the article has a table');
  assert.deepEqual(await loaded(), []);
  assert.equal(await tools.count(), 0);
  await page.keyboard.press('Tab');
  await page.locator('.table-tools button').first().waitFor();
  await page.locator('.ref-cited').first().waitFor();
  const after = await loaded();
  for (const name of ['CitedIn', 'Tables']) assert.ok(after.includes(name), `${name}: ${after.join(', ')}`);
  assert.equal(await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('Translate')).length), 0);
  assert.deepEqual(faults, []);
  await close();
});

test('a page loads the messages of its language only, and no part of react-i18next that its modules do not use', async () => {
  const { page, faults, close } = await open('scriptstone', '/ara/article');
  assert.equal(await page.locator('.toolbar').getAttribute('aria-label'), 'أدوات المقالة');
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  assert.deepEqual(
    loaded.filter((name) => /^\/assets\/shell\/assets\/(shell|es|react-i18next)-/.test(name)),
    [],
    'the document has the messages',
  );
  assert.equal(await page.locator('body > script#messages').getAttribute('data-language'), 'ara');
  assert.deepEqual(faults, []);
  await close();
});

test("the toolbar's menu links each language of the article", async () => {
  const { page, faults, close } = await open('scriptstone', '/en/article');
  await page.getByRole('button', { name: 'Read this article in' }).click();
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  assert.deepEqual(await items.evaluateAll((all) => all.map((item) => item.hreflang)), ['zh', 'en', 'ru', 'ar', 'es', 'fr', 'de', 'ja']);
  assert.deepEqual(faults, []);
  await close();
});

/** What the menu of the header offers, each with the scheme that it fixes: none follows the system. */
const APPEARANCES = { Light: 'light', Dark: 'dark', 'As the system': undefined };

test('light, dark or as the system is chosen on a home page, an article, results and an error page: at once, and for the next document', async () => {
  const article = await demo.articleOf('oceanledger', 'en');
  const { page, faults, close } = await demo.open({ reducedMotion: 'reduce' });
  /** Scheme -> the colours of the paper that were seen with it. */
  const papers = { light: new Set(), dark: new Set() };
  /** The switch names the choice, and the document shows it, whatever the system prefers. */
  const assertShown = async (choice) => {
    await page.getByRole('button', { name: `Appearance: ${choice}`, exact: true }).waitFor();
    for (const system of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: system });
      const scheme = APPEARANCES[choice] ?? system;
      await page.waitForFunction(
        ([preferred, shown]) => matchMedia(`(prefers-color-scheme: ${preferred})`).matches && getComputedStyle(document.documentElement).colorScheme === shown,
        [system, scheme],
      );
      papers[scheme].add(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor));
    }
  };
  /** The choice with which the host has sent a document. */
  const sentIn = (html) => /<html[^>]* data-theme="(\w+)"/.exec(html)?.[1];
  let chosen = 'As the system';
  // Each with the choice with which it is left.
  for (const [address, kind, last] of [
    ['/en/home/', 'home', 'Dark'],
    ['/en/nothing/', 'message', 'Light'],
    ['/en/search?q=wave', 'search', 'As the system'],
    [article, 'article', 'Dark'],
  ]) {
    const answer = await page.goto(demo.at('oceanledger', address), { waitUntil: 'networkidle' });
    assert.equal(answer.status(), kind === 'message' ? 404 : 200, address);
    assert.equal(await page.locator(`body.page-${kind}`).count(), 1, `${address} is a page of the kind ${kind}`);
    assert.equal(sentIn(await answer.text()), APPEARANCES[chosen], `${address} is sent as was chosen before: ${chosen}`);
    await assertShown(chosen);
    await page.evaluate(() => {
      globalThis.kept = true;
    });
    const others = Object.keys(APPEARANCES).filter((choice) => choice !== last);
    for (const choice of [...others, last]) {
      await page.locator('.frame-theme').click();
      await page.getByRole('menuitem', { name: choice, exact: true }).click();
      await page.getByRole('menu').waitFor({ state: 'hidden' });
      await assertShown(choice);
      chosen = choice;
    }
    assert.equal(await page.evaluate(() => globalThis.kept), true, `${address} is the same document`);
  }
  const next = await page.evaluate(async () => (await fetch('/en/issues')).text());
  assert.equal(sentIn(next), APPEARANCES[chosen], `the next document is sent as was chosen before: ${chosen}`);
  assert.deepEqual([papers.light.size, papers.dark.size], [1, 1], 'each scheme has the same paper on all pages');
  assert.notDeepEqual(papers.light, papers.dark);
  // The page that is not there is answered 404.
  assert.deepEqual(
    faults.filter((fault) => !/404/.test(fault)),
    [],
  );
  await close();
});

test('a module that does not load leaves the markup of the host in its slot and is reported', async () => {
  const { page, close } = await demo.open();
  const reports = [];
  await page.route('**/nav-default*.js', (route) => route.abort());
  page.on('request', (request) => request.url().endsWith('/rc-pub/front/ui-failure') && reports.push(JSON.parse(request.postData())));
  await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
  const facts = await page.evaluate(() => {
    const header = document.querySelector('header');
    return [header.parentElement.dataset.slot, header.offsetHeight];
  });
  assert.deepEqual(facts, ['header', 72]);
  assert.deepEqual(
    reports.map((report) => [report.module, report.reason]),
    [['nav-default', 'load']],
  );
  await close();
});

test('without scripts every section of an article is visible', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  await page.goto(demo.at('oceanledger', await demo.articleOf('oceanledger', 'en')));
  const sections = page.locator('.reader-section');
  assert.ok((await sections.count()) > 3);
  assert.equal(await page.locator('.reader-section:visible').count(), await sections.count());
  await close();
});
