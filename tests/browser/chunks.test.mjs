// Scripts that do not come, or too late, one at a time: that of each module, and on pages other than articles each one of the shell;
// `steady.test.mjs` has those of the shell on an article. The page stays as the host sent it, nothing is thrown or asked, and links and the search
// lead on.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { failuresOf, send } from '../demo-host.mjs';
import { bootstrapOf, sites, visit } from './crawler.mjs';
import { tooWide, useDemo, violations } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const modules = readdirSync(path.resolve(import.meta.dirname, '../../dist/ui/modules'));
/** The slots of the frame, which the host draws. */
const FRAME = ['header', 'search', 'footer'];
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

/** Module -> the first page that has it: site, address and slot. Articles come before home pages. */
const used = new Map();
/** A page in which documents are read that are not shown. */
let blank;
/** The page on which scripts do not come: one for all tests, because each of its own would start a process and compile all scripts again. */
let opened;
/** What goes wrong on it, and the number of its documents. */
const seen = { wrong: [], documents: 0 };
// A host of its own, whose metrics can be read.
const demo = useDemo({
  own: true,
  prepare: async ({ portal, open }) => {
    for (const sld of sites) {
      const home = await visit(portal.port, sld, '/en/home/');
      const article = /class="card-title"[^>]*>\s*<a href="(\/en\/[^"]+)"/.exec(home.text)?.[1];
      for (const address of [article, '/en/home/'].filter(Boolean)) {
        const { slots } = bootstrapOf((await visit(portal.port, sld, address)).text);
        for (const [slot, refs] of Object.entries(slots)) for (const { module } of refs) if (!used.has(module)) used.set(module, { sld, address, slot });
      }
    }
    blank = (await open()).page;
    opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    page.on('pageerror', (error) => seen.wrong.push(`thrown: ${error.message}`));
    page.on('dialog', (dialog) => {
      seen.wrong.push(`asked: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => (seen.documents += request.isNavigationRequest() && request.frame() === page.mainFrame() ? 1 : 0));
    await fetchNothingAhead(page);
    // A document is loaded again once in a minute: the tab forgets that it was when the next case begins, but not when a document is loaded again.
    await page.addInitScript(() => {
      const named = /^#case-\d+$/.exec(location.hash)?.[0];
      if (!named || sessionStorage.getItem('case') === named) return;
      sessionStorage.clear();
      sessionStorage.setItem('case', named);
    });
  },
});

/** The number of the case. */
let begun = 0;
/** Begins a case: what matches `pattern` does not come, in a window of this size. */
async function lose(pattern, size = WIDE) {
  const { page } = opened;
  begun += 1;
  Object.assign(seen, { wrong: [], documents: 0 });
  await page.unrouteAll();
  // The case before may have ended at the address of this one, which would then load no document.
  await page.goto('about:blank');
  await page.route(pattern, (route) => route.abort());
  await page.setViewportSize(size);
  return page;
}
const addressOf = (sld, address) => `${demo.at(sld, address)}#case-${begun}`;

/** Waits until no document comes any more: a script that is missing may load it again. */
async function calm(page) {
  for (let before = -1; before !== seen.documents;) {
    before = seen.documents;
    await page.waitForTimeout(700);
    await page.waitForLoadState('networkidle');
  }
}

/** The headings of the content, and the links of each slot of the frame, without those for readers without scripts: as they are shown on a page. */
const contentOf = (page) => page.evaluate(contentIn, { slots: FRAME });
/** The same as the host sends it. */
const sentOn = async (sld, address) => {
  const { status, text } = await send(demo.portal.port, address, { headers: { host: `${sld}.localhost:${demo.portal.port}` } });
  assert.equal(status, 200, `${sld} ${address}`);
  return blank.evaluate(contentIn, { slots: FRAME, html: text });
};
function contentIn({ slots, html }) {
  const root = html === undefined ? document : new DOMParser().parseFromString(html, 'text/html');
  const headings = [...root.querySelectorAll('main :is(h1, h2, h3)')].map((heading) => heading.textContent.trim());
  const linksOf = (slot) => [...root.querySelectorAll(`[data-slot="${slot}"] a:not(noscript a)`)].map((link) => link.getAttribute('href'));
  return { headings, links: Object.fromEntries(slots.map((slot) => [slot, linksOf(slot)])) };
}

/** From an article home, and from a home page to an article. */
async function followLink(page) {
  const isArticle = (await page.locator('article.reader').count()) > 0;
  if (isArticle) {
    await page.locator('header a[href*="/home"]').first().click();
    await page.waitForURL(/\/home/);
    await page.locator('main h1').waitFor();
    return;
  }
  await page.locator('main .card-title a').first().click();
  await page.locator('article.reader h1').waitFor();
}

for (const module of modules) {
  test(`without the script of ${module}, its slot is as the host sent it, the page can be read, and links lead on`, async () => {
    assert.ok(used.has(module), `a demo site has ${module}`);
    const { sld, address, slot } = used.get(module);
    const sent = await sentOn(sld, address);
    const page = await lose(`**/assets/modules/${module}/**/*.js`);
    const reported = page.waitForRequest((request) => request.url().endsWith('/rc-pub/front/ui-failure') && request.postData().includes(`"${module}"`));
    await page.goto(addressOf(sld, address), { waitUntil: 'networkidle' });
    const { slot: where, reason } = JSON.parse((await reported).postData());
    assert.deepEqual([where, reason], [slot, 'load']);
    const shown = await contentOf(page);
    assert.deepEqual(
      sent.headings.filter((heading) => !shown.headings.includes(heading)),
      [],
      'headings that are gone',
    );
    assert.ok(await page.locator('main h1').first().isVisible());
    const [outer] = slot.split('.');
    if (FRAME.includes(outer)) {
      assert.deepEqual(shown.links[outer], sent.links[outer], `the links of the ${outer}`);
      // A slot has no box of its own.
      const isDrawn = (element) => [...element.querySelectorAll('*')].some((part) => part.getBoundingClientRect().height > 0);
      assert.ok(await page.locator(`[data-slot="${outer}"]`).first().evaluate(isDrawn), `the ${outer} is drawn`);
    }
    if (slot === 'article.toolbar') assert.ok(await page.getByRole('toolbar').isVisible(), 'the other tools are there');
    assert.ok((await tooWide(page)) <= 0);
    await followLink(page);
    assert.deepEqual(seen.wrong, []);
  });
}

test('in a narrow window, a header that does not come has its menu in a row, and a link to the search', async () => {
  for (const module of ['nav-default', 'nav-alternate']) {
    const { sld } = used.get(module);
    const page = await lose(`**/assets/modules/${module}/**/*.js`, NARROW);
    await page.goto(addressOf(sld, '/en/issues'), { waitUntil: 'networkidle' });
    assert.ok((await tooWide(page)) <= 0);
    const search = page.locator('.frame-search-button');
    assert.equal(await search.getAttribute('href'), '/en/search');
    await search.click();
    await page.waitForURL(/\/en\/search/);
    await page.locator('main h1').waitFor();
    // The button would open nothing. It goes when the shell has started, and the module has failed once more.
    await page.locator('.frame-mobile').waitFor({ state: 'hidden' });
    assert.deepEqual(await violations(page, { include: '[data-slot="header"]', rules: ['color-contrast'] }), []);
    const entries = page.locator('.frame-menu > li > a');
    assert.ok((await entries.count()) > 1);
    for (const entry of await entries.all()) assert.ok(await entry.isVisible());
    await entries.nth(1).scrollIntoViewIfNeeded();
    const href = await entries.nth(1).getAttribute('href');
    await entries.nth(1).click();
    await page.waitForURL((url) => url.href.startsWith(new URL(href, url).href.replace(/\/$/, '')));
    assert.deepEqual(seen.wrong, []);
  }
});

/** Pages with parts of the shell that articles have not, and what has to be seen there. */
const SCREENS = [
  { name: 'a home page with a carousel', sld: 'quietcircuits', address: '/en/home/', sees: '.carousel-slide' },
  { name: 'results', sld: 'oceanledger', address: '/en/search?q=tide', sees: '.results .article-card' },
  { name: 'the sign-in', sld: 'oceanledger', address: '/en/login', sees: 'form[data-account="login"]' },
];
const fieldOf = (page) => page.locator('.frame-search [type=search]').filter({ visible: true }).first();

for (const { name, sld, address, sees } of SCREENS) {
  test(`each script of the shell may be missing on ${name}: it stays, and the search leads to results`, async () => {
    const whole = await demo.open({ reducedMotion: 'reduce' });
    const scripts = new Set();
    whole.page.on('request', (request) => /\/assets\/shell\/.*\.js$/.test(request.url()) && scripts.add(new URL(request.url()).pathname));
    await whole.page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
    // What is loaded when the browser is idle, and when a reader turns to the search.
    await whole.page.locator('[data-announces="title"]').waitFor({ state: 'attached' });
    await fieldOf(whole.page).focus();
    await whole.page.waitForFunction(() => document.activeElement.getAttribute('role') === 'combobox');
    await whole.page.waitForLoadState('networkidle');
    assert.deepEqual(whole.faults, []);
    await whole.close();
    assert.ok(scripts.size >= 4, [...scripts].join(' '));
    const { headings } = await sentOn(sld, address);
    for (const script of scripts) {
      const page = await lose(`**${script}`);
      const failure = page.waitForEvent('requestfailed', (request) => request.url().endsWith(script));
      const missed = failure.then(
        () => true,
        () => false,
      );
      await page.goto(addressOf(sld, address));
      // Without its own script, the shell does not start.
      if (!script.includes('/main-')) await page.locator('#app .progress').waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      await page.locator(`main ${sees}`).first().waitFor();
      await fieldOf(page).focus();
      await calm(page);
      assert.ok(seen.documents <= 2, `${script}: ${seen.documents} documents`);
      assert.ok(await page.locator(`main ${sees}`).first().isVisible(), script);
      const shown = await contentOf(page);
      assert.deepEqual(
        headings.filter((heading) => !shown.headings.includes(heading)),
        [],
        `${script}: headings that are gone`,
      );
      await fieldOf(page).fill('carbon');
      await page.keyboard.press('Enter');
      await page.waitForURL(/[?&]q=carbon/);
      await page.locator('.result-tabs').waitFor();
      assert.ok(await missed, `${script} was asked for`);
      assert.deepEqual(seen.wrong, [], script);
    }
  });
}

/** How long the shell waits for a module: `LIMIT_MS` of ui-shell/src/slots/ModuleStore.ts. */
const LIMIT_MS = 10_000;

test('a module whose script is too slow is given up: its slot is as the host sent it, the page works, and the failure is counted', async () => {
  const [sld, address, module] = ['oceanledger', '/en/home/', 'nav-default'];
  const failures = () => failuresOf(demo.portal.data, module, 'timeout');
  const [sent, counted] = [await sentOn(sld, address), await failures()];
  const { page, faults, close } = await demo.open({ reducedMotion: 'reduce' });
  // The clock of the page, which is put forward: the test need not wait for as long as the shell.
  await page.clock.install();
  const held = [];
  await page.route(`**/assets/modules/${module}/**/*.js`, (route) => void held.push(route));
  const reported = page.waitForRequest((request) => request.url().endsWith('/rc-pub/front/ui-failure'));
  // Neither is its network idle, nor need it be loaded, before the script has come.
  await page.goto(demo.at(sld, address), { waitUntil: 'commit' });
  await page.locator('#app .progress').waitFor({ state: 'attached' });
  assert.ok(held.length > 0, 'the script is on its way');
  assert.equal(await page.locator('[data-failed]').count(), 0, 'the shell waits for it');
  await page.clock.fastForward(LIMIT_MS);
  const report = await reported;
  const { slot, module: id, reason } = JSON.parse(report.postData());
  assert.deepEqual([slot, id, reason], ['header', module, 'timeout']);
  assert.equal((await report.response()).status(), 200);
  assert.equal(await failures(), counted + 1);
  await page.locator('#app > [data-slot="header"][data-failed]').waitFor({ state: 'attached' });
  const shown = await contentOf(page);
  assert.deepEqual(shown.links.header, sent.links.header);
  assert.deepEqual(
    sent.headings.filter((heading) => !shown.headings.includes(heading)),
    [],
    'headings that are gone',
  );
  assert.ok(await page.locator('main h1').first().isVisible());
  assert.ok((await tooWide(page)) <= 0);
  // The module of the search is at work.
  await fieldOf(page).focus();
  await page.waitForFunction(() => document.activeElement.getAttribute('role') === 'combobox');
  assert.deepEqual(faults, []);
  await followLink(page);
  await close();
});
