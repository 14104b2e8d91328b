// Every entry of every menu leads to a page, in Chinese and English: over HTTP on all sites. In the browser, every code that the menus of six sites
// have is followed on one of them, by the menu of a wide window and by that of a phone. And every screen of the specification is there on these sites,
// over HTTP; `screens.test.mjs` has them in the browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapOf, faultsOf, faultsOfContent, sites, visit } from './crawler.mjs';
import { useDemo } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';
import { LANGUAGES, SCREENS, SIX } from './screen-list.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const demo = useDemo();

/** What a menu leads to: the entries of both levels, with their places. */
const entriesOf = (menu) => menu.flatMap((item, at) => [{ item, at }, ...item.children.map((child, below) => ({ item: child, at, below }))]);
/** The text of the first heading of a document. */
const headingOf = (html) =>
  /<h1\b[^>]*>([\s\S]*?)<\/h1>/
    .exec(html)?.[1]
    .replace(/<[^>]*>/g, '')
    .trim() ?? '';
const pathOf = (address) => address.split(/[?#]/)[0].replace(/\/$/, '');

for (const sld of sites) {
  test(`every entry of the menu of ${sld} leads to a page with a heading and data, where the menu marks it`, async () => {
    const { port } = demo.portal;
    const wrong = [];
    let followed = 0;
    for (const lang of LANGUAGES) {
      const home = await visit(port, sld, `/${lang}/home/`);
      assert.equal(home.status, 200);
      const { menu, languages } = bootstrapOf(home.text);
      assert.ok(menu.length > 1, `${lang}: ${menu.length} entries`);
      for (const { item } of entriesOf(menu)) {
        const where = `${lang} ${item.label} (${item.code}) ${item.href}`;
        if (!item.label) wrong.push(`${where}: no name`);
        if (item.newTab) {
          if (!/^https?:\/\//.test(item.href)) wrong.push(`${where}: a new tab for a page of the site`);
          continue;
        }
        const page = await visit(port, sld, item.href);
        followed += 1;
        const bootstrap = page.status === 200 && bootstrapOf(page.text);
        if (!bootstrap) {
          wrong.push(`${where}: status ${page.status}`);
          continue;
        }
        const shown = languages.find(({ code }) => code === bootstrap.lang);
        const faults = [...faultsOf(page.text, shown), ...faultsOfContent(page.text, sld, item.code)];
        wrong.push(...faults.map((fault) => `${where}: ${fault}`));
        if (!headingOf(page.text)) wrong.push(`${where}: an empty heading`);
        // A channel that switches the language leads to the same page in another one.
        if (item.code === 'setStyle') {
          if (bootstrap.lang === lang) wrong.push(`${where}: the same language`);
          continue;
        }
        if (bootstrap.lang !== lang) wrong.push(`${where}: the page is in ${bootstrap.lang}`);
        const marked = entriesOf(bootstrap.menu).filter((entry) => entry.item.current);
        if (!marked.some((entry) => pathOf(entry.item.href) === pathOf(item.href))) wrong.push(`${where}: no entry is marked as the current one`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(followed >= 2 * LANGUAGES.length);
  });
}

test('every screen of the specification is on six sites in both languages, with one heading and its language', async (context) => {
  const wrong = [];
  for (const sld of SIX) {
    for (const lang of LANGUAGES) {
      for (const screen of SCREENS) {
        const page = await visit(demo.portal.port, sld, `/${lang}/${screen}`);
        const where = `${sld} /${lang}/${screen}`;
        const bootstrap = page.status === 200 && bootstrapOf(page.text);
        if (!bootstrap) {
          wrong.push(`${where}: status ${page.status}`);
          continue;
        }
        const language = bootstrap.languages.find(({ code }) => code === lang);
        wrong.push(...faultsOf(page.text, language).map((fault) => `${where}: ${fault}`));
        if (!headingOf(page.text)) wrong.push(`${where}: an empty heading`);
      }
    }
  }
  context.diagnostic(`${SIX.length * LANGUAGES.length * SCREENS.length} pages`);
  assert.deepEqual(wrong, []);
});

/** Window -> the page of all its tests, which counts its documents: each test with a page of its own would start a process. */
const pages = new Map();

/** Opens the home page of a site, and reads its menu. */
async function openHome(sld, lang, options) {
  const key = JSON.stringify(options);
  if (!pages.has(key)) {
    const opened = { ...(await demo.open({ reducedMotion: 'reduce', ...options })), documents: 0 };
    const { page } = opened;
    page.on('request', (request) => (opened.documents += request.isNavigationRequest() && request.frame() === page.mainFrame() ? 1 : 0));
    await fetchNothingAhead(page);
    pages.set(key, opened);
  }
  const opened = pages.get(key);
  const { page, faults } = opened;
  // What unfolds under the pointer stays folded.
  await page.mouse.move(5, 500);
  opened.documents = 0;
  faults.length = 0;
  await page.goto(demo.at(sld, `/${lang}/home/`), { waitUntil: 'networkidle' });
  const menu = await page.evaluate(() => JSON.parse(document.getElementById('bootstrap').text).menu);
  return { page, faults, menu, documents: () => opened.documents };
}

/** Waits until the page of an entry is shown: its address, a heading that has the focus, and the mark in the document. */
async function arrived(page, { item }, what) {
  const wanted = new URL(item.href, page.url());
  const there = ({ pathname, searchParams }) =>
    pathOf(pathname) === pathOf(wanted.pathname) && searchParams.get('columnId') === wanted.searchParams.get('columnId');
  await page.waitForURL(there).catch((error) => assert.fail(`${what} does not lead to ${item.href}: ${error.message}`));
  await page
    .waitForFunction(() => document.activeElement?.matches('main h1'))
    .catch((error) => assert.fail(`${what}: the heading has not the focus: ${error.message}`));
  assert.ok((await page.locator('main h1').first().textContent()).trim(), what);
}

/** Follows an entry of the menu of a wide window: by the pointer, or in the menu of those that do not fit. */
async function follow(page, { item, at, below }) {
  const top = page.locator('.frame-menu > li').nth(at);
  if (!(await top.isVisible())) {
    await page.locator('.frame-more').click();
    await page.getByRole('menuitem', { name: item.label, exact: true }).first().click();
    return;
  }
  if (below === undefined) return top.locator(':scope > a').click();
  // An entry that was followed stays closed until the pointer has left it.
  await page.mouse.move(5, 500);
  await top.locator(':scope > a').hover();
  await top.locator(':scope > ul > li').nth(below).locator('a').click();
}

/** Follows an entry of the menu of a phone, in which an entry with others is the first below itself. */
async function tap(page, menu, { at, below }) {
  await page.locator('.frame-mobile button').tap();
  const row = page.locator('.frame-sheet-body > ul > li').nth(at);
  await row.waitFor();
  const { children, href, code } = menu[at];
  if (!children.length || code === 'home') await row.locator('a').tap();
  else {
    // The entry of the page that is open is unfolded.
    const unfolds = row.locator('.frame-sheet-row');
    if ((await unfolds.getAttribute('aria-expanded')) !== 'true') await unfolds.tap();
    const own = href ? 1 : 0;
    await row
      .locator('ul a')
      .nth(below === undefined ? 0 : below + own)
      .tap();
  }
  await page.locator('.frame-sheet').waitFor({ state: 'detached' });
}

const MENUS = [
  ['en', 'a wide window', {}, (page, menu, entry) => follow(page, entry)],
  ['zh', 'a phone', PHONE, tap],
];
/** The codes that were followed in each kind of menu. To follow all entries of six sites would take minutes, and all are requested above. */
const walked = new Map(MENUS.map(([, name]) => [name, new Set()]));

/** The entries that lead to other pages of the site in the same language, each address once. */
function pagesOf(menu) {
  const entries = entriesOf(menu).filter(({ item }) => item.href && !item.newTab && !item.current && item.code !== 'setStyle');
  return entries.filter(({ item }, index) => entries.findIndex((other) => other.item.href === item.href) === index);
}

for (const sld of SIX) {
  for (const [lang, name, options, go] of MENUS) {
    test(`the menu of ${sld} leads through the site on ${name}, in ${lang}, without another document`, async () => {
      const codes = walked.get(name);
      const { page, faults, menu, documents } = await openHome(sld, lang, options);
      const each = pagesOf(menu).filter(({ item }) => !codes.has(item.code));
      assert.ok(each.length > 0, 'each of the sites has a code of its own');
      for (const entry of each) {
        await go(page, menu, entry);
        await arrived(page, entry, `${lang} ${entry.item.label}`);
        codes.add(entry.item.code);
      }
      assert.equal(documents(), 1);
      assert.deepEqual(faults, []);
    });
  }
}

for (const [lang, name] of MENUS) {
  test(`every code of the menus of six sites was followed on ${name}`, async () => {
    const missed = [];
    for (const sld of SIX) {
      const { menu } = bootstrapOf((await visit(demo.portal.port, sld, `/${lang}/home/`)).text);
      missed.push(...pagesOf(menu).filter(({ item }) => !walked.get(name).has(item.code)));
    }
    assert.deepEqual(
      missed.map(({ item }) => `${item.code} ${item.href}`),
      [],
    );
    assert.ok(walked.get(name).size > 20, [...walked.get(name)].join(' '));
  });
}
