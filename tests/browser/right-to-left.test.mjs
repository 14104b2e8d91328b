// Arabic, which is read from the right: the sides on which things stand, the keys and gestures that turn, what opens over a page, and identifiers,
// which are read from the left. Titles and names in lists, and axe, are in `notices.test.mjs`; the search widgets are in `searching.test.mjs`.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { drawn, readsFromLeft, tooWide, useDemo, waitForTools } from './portal.mjs';
import { fetchNothingAhead, follow, reusing } from './screen-checks.mjs';

const texts = (file) => JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8'));
const T = texts('locales/ara/shell.json');
const NAVIGATION = texts('ui-modules/nav-default/src/messages/ara.json');
const SEARCHING = texts('plugin-sdk/ui/src/searching/messages/ara.json');

const WIDE = { width: 1280, height: 900 };
const DESKTOP = { reducedMotion: 'reduce', viewport: WIDE };
const PHONE = { reducedMotion: 'reduce', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** Pages of all kinds; the article comes with them. */
const PAGES = [
  '/ara/home/',
  '/ara/issues',
  '/ara/issue/2026/2',
  '/ara/onlineFirst',
  '/ara/search?q=tide',
  '/ara/seniorSearch?v1=tide+AND',
  '/ara/about',
  '/ara/news',
  '/ara/editorial-board',
  '/ara/scholarList',
  '/ara/mag',
  '/ara/collectionList',
  '/ara/textList?type=picture',
  '/ara/textList?type=table',
  '/ara/audioList?type=video',
  '/ara/homeNav',
];
/** Pages that come as documents: the first one has a frame of its own, and the second one is not there. */
const DOCUMENTS = ['/ara/login', '/ara/there/is/no/such/page/'];

let article;
const demo = useDemo({
  edit: (sites) => {
    for (const sld of ['oceanledger', 'quietcircuits']) {
      const file = path.join(sites, `${sld}.toml`);
      const text = readFileSync(file, 'utf8');
      assert.ok(text.includes('languages = ["zh", "en"]'), `${sld} has two languages`);
      writeFileSync(file, text.replace('languages = ["zh", "en"]', 'languages = ["zh", "en", "ara"]'));
    }
  },
  prepare: async ({ at, open }) => {
    const { page, close } = await open({ javaScriptEnabled: false });
    await page.goto(at('oceanledger', '/ara/issue/2026/2'));
    article = await page.locator('.card-title a', { hasText: 'How few buoys are enough' }).first().getAttribute('href');
    await close();
  },
});

const openPage = reusing(demo, fetchNothingAhead);

async function open(address, options = DESKTOP, sld = 'oceanledger') {
  const opened = await openPage(options);
  await opened.page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
  await waitForTools(opened.page);
  return opened;
}

/** The edges of the first element that a selector names and that is visible. */
async function edges(page, selector) {
  const { x, y, width, height } = await page.locator(selector).filter({ visible: true }).first().boundingBox();
  return { left: x, right: x + width, top: y, bottom: y + height, width };
}
const near = (a, b, most = 2) => Math.abs(a - b) <= most;

/** Asserts that what opened lies in the window, which is not wider for it, and is read from the right. */
async function assertInWindow(page, selector) {
  await page.locator(selector).first().waitFor();
  // What opens beside something is drawn before it has its place.
  await drawn(page);
  const box = await edges(page, selector);
  const { width } = page.viewportSize();
  assert.ok(box.left >= -1 && box.right <= width + 1, `${selector} goes from ${box.left} to ${box.right} px`);
  assert.ok((await tooWide(page)) <= 0, `${selector}: the page is wider than its window`);
  const direction = await page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).direction);
  assert.equal(direction, 'rtl', selector);
  return box;
}

test('no page is wider than its window, wide and narrow, and the frame is mirrored', async () => {
  const { page, faults, close } = await open(article);
  for (const address of [article, ...PAGES, ...DOCUMENTS]) {
    await page.setViewportSize(WIDE);
    if (DOCUMENTS.includes(address)) {
      await page.goto(demo.at('oceanledger', address), { waitUntil: 'load' });
      await waitForTools(page);
    } else if (address !== article) {
      await follow(page, address);
    }
    assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), ['ar', 'rtl'], address);
    const [logo, tools] = [await edges(page, '.frame-logo'), await edges(page, '.frame-tools')];
    assert.ok(logo.left > tools.right - 1, `${address}: the logo is left of the tools`);
    if (address === '/ara/mag') {
      // Without isolation, the two numbers would change places.
      const numbers = page.locator('dl.facts dd', { hasText: '9967-2049 · 9967-2189' });
      assert.ok(await readsFromLeft(numbers), 'the ISSNs are read from the left');
    }
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      // The menu measures itself again.
      await drawn(page);
      const wide = await tooWide(page);
      assert.ok(wide <= 0, `${address} is ${wide} px wider than ${width} px`);
    }
  }
  // The page that is not there is answered 404.
  assert.deepEqual(
    faults.filter((fault) => !/404/.test(fault)),
    [],
  );
  await close();
});

test('DOIs are read from the left, on results, in an article and in its references', async () => {
  const first = '/ara/search?q=tide';
  const { page, faults, close } = await open(first);
  for (const address of [first, '/ara/issue/2026/2', article]) {
    if (address !== first) await follow(page, address);
    const links = page.locator('main a[href^="https://doi.org/"]').filter({ hasText: /^\s*10\.\d/, visible: true });
    const count = await links.count();
    assert.ok(count > 0, `${address} has DOIs`);
    for (let at = 0; at < Math.min(count, 8); at += 1) {
      const link = links.nth(at);
      assert.ok(await readsFromLeft(link), `${address}: ${await link.innerText()}`);
    }
  }
  await page.locator('.reader-body a.xref[data-ref-type="bibr"]').first().click();
  await page.locator('.xref-popover .citation').first().waitFor();
  const cited = page.locator('.xref-popover a[href^="https://doi.org/"]');
  for (let at = 0; at < (await cited.count()); at += 1) assert.ok(await readsFromLeft(cited.nth(at)), await cited.nth(at).innerText());
  assert.deepEqual(faults, []);
  await close();
});

test('the outline stands to the right of the text and the column to its left; narrower, the column follows the text', async () => {
  const { page, faults, close } = await open(article);
  await page.setViewportSize({ width: 1440, height: 900 });
  await drawn(page);
  const box = (selector) => edges(page, selector);
  let [outline, text, column] = [await box('.reader-outline'), await box('.reader-body'), await box('.reader-aside')];
  const head = await box('.reader-head');
  assert.ok(outline.left >= text.right - 1, `the outline begins at ${outline.left} px, the text ends at ${text.right} px`);
  assert.ok(column.right <= text.left + 1, `the column ends at ${column.right} px, the text begins at ${text.left} px`);
  assert.ok(near(head.right, text.right), `the head begins at ${head.right} px, the text at ${text.right} px`);
  const [smaller, cite] = [await box(`.toolbar [aria-label="${T.font_smaller}"]`), await box('.toolbar > .toolbar-keep')];
  assert.ok(smaller.left > cite.right, 'the toolbar begins at the right');
  assert.equal(await page.locator('.reader-section[data-kind="body"]').evaluate((one) => getComputedStyle(one).direction), 'ltr', 'the text is English');

  await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
  await page.locator('.compact-bar').waitFor();
  const [title, button] = [await box('.compact-title'), await box('.compact-outline')];
  assert.ok(title.left >= button.right - 1, 'the title of the bar is right of its buttons');

  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.setViewportSize({ width: 1100, height: 900 });
  [outline, text, column] = [await box('.reader-outline'), await box('.reader-body'), await box('.reader-aside')];
  assert.ok(outline.left >= text.right - 1, 'at 1100 px, the outline is right of the text');
  assert.ok(column.top >= text.bottom - 1 && near(column.right, text.right), 'at 1100 px, the column follows the text');
  assert.deepEqual(faults, []);
  await close();
});

/** Which figure the viewer shows, from 0. The digits of its count are those of the language. */
const number = (page) => page.locator('.viewer-thumbs button').evaluateAll((all) => all.findIndex((one) => one.getAttribute('aria-current') === 'true'));
/** Does something in the viewer, and waits until it shows another figure. */
async function turned(page, act) {
  const before = await number(page);
  await act();
  await page.waitForFunction((at) => document.querySelectorAll('.viewer-thumbs button')[at].getAttribute('aria-current') !== 'true', before);
  return number(page);
}

test('in the figure viewer, the arrow to the left leads on, the buttons are mirrored, and so are the small pictures', async () => {
  const { page, faults, close } = await open(article);
  await page.locator('.reader-section[data-kind="body"] .fig-open').first().click();
  await page.locator('.viewer-stage img').waitFor();
  const first = await number(page);
  const second = await turned(page, () => page.keyboard.press('ArrowLeft'));
  assert.equal(second, first + 1);
  assert.equal(await turned(page, () => page.keyboard.press('ArrowRight')), first);
  assert.equal(await turned(page, () => page.keyboard.press('PageDown')), second);
  assert.equal(await turned(page, () => page.keyboard.press('PageUp')), first);
  const dialog = page.getByRole('dialog', { name: T.figures });
  const button = (name) => dialog.getByRole('button', { name, exact: true });
  assert.equal(await turned(page, () => button(T.next).click()), second);
  const [previous, next, closing] = [await button(T.previous).boundingBox(), await button(T.next).boundingBox(), await button(T.close).boundingBox()];
  assert.ok(previous.x > next.x, 'the way back is right of the way on');
  for (const name of [T.previous, T.next])
    assert.equal(
      await button(name)
        .locator('svg')
        .evaluate((icon) => new DOMMatrix(getComputedStyle(icon).transform).a),
      -1,
      `${name}: the arrow is mirrored`,
    );
  assert.ok(closing.x < 100, 'the viewer is closed at the left');
  const places = await page.locator('.viewer-thumbs button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => b - a),
    'the first picture is at the right',
  );
  await assertInWindow(page, '.viewer');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  await close();
});

test('on touch screens, a swipe to the right leads to the next figure', async () => {
  const { page, faults, close } = await open(article, PHONE);
  await page.locator('.reader-section[data-kind="body"] .fig-open').first().click();
  await page.locator('.viewer-stage img').waitFor();
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const { x, y, width, height } = await page.locator('.viewer-stage').boundingBox();
  const swipe = async (...ways) => {
    const [from, ...to] = ways.map((way) => [x + width * way, y + height / 2]);
    await touch('touchStart', from);
    for (const point of to) await touch('touchMove', point);
    await touch('touchEnd');
  };
  const first = await number(page);
  assert.equal(await turned(page, () => swipe(0.2, 0.4, 0.6, 0.8)), first + 1);
  assert.equal(await turned(page, () => swipe(0.8, 0.6, 0.4, 0.2)), first);
  assert.deepEqual(faults, []);
  await close();
});

test('menus, popovers and dialogs open within a wide window, on the side of what opens them', async () => {
  const { page, faults, close } = await open(article);
  const dialog = (name) => page.getByRole('dialog', { name });
  const escape = async (shown) => {
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'hidden' });
    await page.mouse.move(2, 2);
  };

  const items = page.locator('.frame-menu > li.has-children').filter({ visible: true });
  for (let at = 0; at < (await items.count()); at += 1) {
    await items.nth(at).locator(':scope > a').hover();
    const below = items.nth(at).locator(':scope > ul');
    await below.waitFor();
    const [entry, list] = [await items.nth(at).boundingBox(), await below.boundingBox()];
    assert.ok(near(entry.x + entry.width, list.x + list.width), `the entries begin at ${list.x + list.width} px, their channel at ${entry.x + entry.width} px`);
    assert.ok(list.x >= 0, `the entries go to ${list.x} px`);
    await escape(below);
  }
  for (const [opener, item] of [
    ['.frame-theme', NAVIGATION.theme_dark],
    ['button.frame-lang', 'English'],
  ]) {
    await page.locator(opener).click();
    const menu = page.getByRole('menu');
    await menu.waitFor();
    assert.ok(await menu.getByRole('menuitem', { name: item, exact: true }).isVisible(), item);
    await assertInWindow(page, '.mh-menu');
    await escape(menu);
  }

  await page.getByRole('button', { name: T.cite, exact: true }).click();
  await dialog(T.cite_title).waitFor();
  await assertInWindow(page, '.cite-popover');
  assert.equal(await page.locator('.cite-popover blockquote').evaluate((quote) => getComputedStyle(quote).direction), 'ltr', 'the citation is English');
  await escape(dialog(T.cite_title));

  const reference = page.locator('.reader-body a.xref[data-ref-type="bibr"]').first();
  await reference.click();
  const popover = await assertInWindow(page, '.xref-popover');
  assert.equal(popover.width, 450);
  await escape(page.locator('.xref-popover'));

  await page.locator('.reader-head [data-member="subscribe"]').click();
  const email = page.locator('[role="dialog"] input[type="email"]');
  await email.waitFor();
  const [box, closing] = [await assertInWindow(page, '[role="dialog"]'), await edges(page, '.mh-close')];
  assert.ok(closing.right < (box.left + box.right) / 2, 'the dialog is closed at the left');
  assert.equal(await email.evaluate((field) => getComputedStyle(field).direction), 'ltr', 'an address is written from the left');
  await escape(email);

  await page.locator('.frame-search [type="search"]').press('Enter');
  await dialog(SEARCHING.tips).waitFor();
  await assertInWindow(page, '[role="dialog"]');
  assert.ok(await page.getByText(SEARCHING.enter).isVisible());
  await escape(dialog(SEARCHING.tips));
  assert.deepEqual(faults, []);
  await close();
});

test('in a narrow window, the menu comes from the left, and sheets, filters and the table on the whole screen fit', async () => {
  const { page, faults, close } = await open(article, PHONE);
  const shown = async (opener, selector) => {
    await page.locator(opener).filter({ visible: true }).first().click();
    return assertInWindow(page, selector);
  };
  const escape = async (selector) => {
    await page.keyboard.press('Escape');
    await page.locator(selector).first().waitFor({ state: 'hidden' });
  };
  const menu = await shown('.frame-mobile button', '.frame-sheet');
  assert.ok(menu.left === 0 && menu.right < 390, `the menu goes from ${menu.left} to ${menu.right} px`);
  const [name, chevron] = [await edges(page, '.frame-sheet-row > span'), await edges(page, '.frame-sheet-row .frame-icon')];
  assert.ok(name.left > chevron.right, 'the name of an entry is right of its arrow');
  assert.ok((await edges(page, '.frame-sheet .mh-close')).right < 100, 'the menu is closed at the left');
  await escape('.frame-sheet');

  const popover = await shown('.reader-body a.xref[data-ref-type="bibr"]', '.xref-popover');
  assert.deepEqual([popover.left, popover.width], [0, 390]);
  await escape('.xref-popover');
  const outline = await shown('.compact-outline', '.outline-popover');
  assert.deepEqual([outline.left, outline.width], [0, 390]);
  await escape('.outline-popover');
  await shown('.table-tools button', '.table-full');
  await escape('.table-full');

  await page.goto(demo.at('oceanledger', '/ara/search?q=tide'), { waitUntil: 'networkidle' });
  await shown('.filters-open', '#filters:popover-open');
  await page.keyboard.press('Escape');
  await page.locator('#filters').waitFor({ state: 'hidden' });
  assert.deepEqual(faults, []);
  await close();
});

test('the slides of a home page come from the left, and its buttons are mirrored', async () => {
  const { page, faults, close } = await open('/ara/home/', DESKTOP, 'quietcircuits');
  const [back, on] = ['-1', '1'].map((step) => page.locator(`.carousel-button[data-step="${step}"]`).first());
  await on.waitFor();
  const place = page.locator('.carousel-place').first();
  const [, count] = (await place.textContent()).split(' / ').map(Number);
  assert.ok(count > 1);
  assert.ok((await back.boundingBox()).x > (await on.boundingBox()).x, 'the way back is right of the way on');
  for (let slide = 2; slide <= count; slide += 1) {
    await on.click();
    await page.waitForFunction((wanted) => document.querySelector('.carousel-place').textContent === wanted, `${slide} / ${count}`);
  }
  const [track, slide] = [await edges(page, '.carousel-track'), await edges(page, '.carousel-slide:not([inert])')];
  assert.ok(near(track.left, slide.left, 4) && near(track.right, slide.right, 4), 'the last slide is in sight');
  await back.click();
  await page.waitForFunction((wanted) => document.querySelector('.carousel-place').textContent === wanted, `${count - 1} / ${count}`);
  assert.ok((await tooWide(page)) <= 0);
  assert.deepEqual(faults, []);
  await close();
});
