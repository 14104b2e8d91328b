// Whatever the browser, the network or a script does, the article stays.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { firstArticle, tooWide, useDemo, violations, waitForTools } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const MANIFEST = path.resolve(import.meta.dirname, '../../dist/ui/shell/manifest.json');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Language -> address of the first article of the home page. */
const articles = {};
const demo = useDemo({
  prepare: async ({ at, open }) => {
    const { page, close } = await open({ javaScriptEnabled: false });
    for (const lang of ['en', 'zh']) {
      await page.goto(at('oceanledger', `/${lang}/home/`));
      articles[lang] = await firstArticle(page);
    }
    await close();
  },
});

/** Opens a page on which `prepare` may do what it wants before the first document, and waits for it as `waitUntil` says. */
async function open(address, { prepare, waitUntil, ...options } = {}) {
  const opened = await demo.open({ reducedMotion: 'reduce', ...options });
  let documents = 0;
  opened.page.on('request', (request) => (documents += request.isNavigationRequest() && request.frame() === opened.page.mainFrame() ? 1 : 0));
  await prepare?.(opened.page);
  await opened.page.goto(demo.at('oceanledger', address), { waitUntil });
  return { ...opened, documents: () => documents };
}

/** Has nothing fetched ahead: a page that is at hand needs no network. */
const saving = (page) => page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) }));

/** Waits until the article can be read, whole. */
async function assertReadable(page, what) {
  // The document may be on its way a second time.
  const readable = page.waitForFunction(() => {
    const sections = [...document.querySelectorAll('.reader-section')];
    return (
      document.querySelector('header') &&
      sections.length > 3 &&
      sections.every((section) => section.offsetHeight > 0 && getComputedStyle(section).visibility === 'visible')
    );
  });
  await readable.catch((error) => assert.fail(`${what}: header and sections are not visible: ${error.message}`));
}

/** Follows a link of the frame and waits for its page, which a missing file may have loaded once more. */
async function assertLinksWork(page, what) {
  await page.locator('header a[href*="/home"]').first().click();
  await page.waitForURL(/\/home/);
  const shown = page.locator('.article-card').first().waitFor();
  await shown.catch((error) => assert.fail(`${what}: the page of the link is not shown: ${error.message}`));
}

/**
 * A host between the browser and the demo that sends a document in two halves: the second one, which begins in the text of the article, when
 * `release` has been called. `close` ends it.
 */
async function halvingHost(address) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const server = createServer(async (asked, answer) => {
    const headers = { ...asked.headers, 'accept-encoding': 'identity', host: `oceanledger.localhost:${demo.portal.port}` };
    const sent = await new Promise((resolve) => request({ port: demo.portal.port, path: asked.url, headers }, resolve).end());
    const body = await buffer(sent);
    const { 'content-length': _, ...rest } = sent.headers;
    answer.writeHead(sent.statusCode, rest);
    if (asked.url !== address) return answer.end(body);
    const half = body.indexOf('data-kind="body"') + 200;
    assert.ok(half > 200, 'the document has an article');
    answer.write(body.subarray(0, half));
    await released;
    return answer.end(body.subarray(half));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port, release, close: () => (server.close(), server.closeAllConnections()) };
}

test('a document whose second half comes late is whole, and the shell starts when it is there', async (context) => {
  const host = await halvingHost(articles.en);
  // Also when the test fails: an open connection would keep the process alive.
  context.after(() => host.close());
  const { page, faults, close } = await demo.open();
  const seen = page.waitForResponse((response) => /\/shell\/.*main-.*\.js/.test(response.url()));
  const loaded = page.goto(`http://oceanledger.localhost:${host.port}${articles.en}`, { waitUntil: 'load' });
  // The script of the shell is there and has run, and the document is not.
  await (await seen).finished();
  await page.waitForTimeout(1500);
  assert.equal(await page.locator('#app .progress').count(), 0, 'the shell waits for the rest');
  assert.ok(await page.locator('h1').isVisible(), 'what has come can be read');
  host.release();
  await loaded;
  await page.locator('#app .progress').waitFor({ state: 'attached' });
  await assertReadable(page, 'in two halves');
  const whole = await demo.open({ javaScriptEnabled: false });
  await whole.page.goto(demo.at('oceanledger', articles.en));
  const text = (opened) => opened.locator('.reader-section').allTextContents();
  assert.equal((await text(page)).length, (await text(whole.page)).length);
  assert.deepEqual(faults, []);
  await whole.close();
  await close();
});

for (const [what, script] of [
  [
    'that throws on access',
    () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('denied', 'SecurityError');
          },
        });
    },
  ],
  [
    'that takes nothing',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    },
  ],
]) {
  test(`a storage ${what} costs no tool`, async () => {
    const { page, faults, close } = await open(articles.en, { prepare: (opened) => opened.addInitScript(script) });
    await page.getByRole('toolbar').waitFor();
    await assertReadable(page, what);
    await page.getByRole('button', { name: 'Larger text' }).first().click();
    assert.equal(await page.locator('article').getAttribute('data-size'), '1');
    // The link home gives the choice up.
    await page.getByRole('link', { name: 'Current issue' }).first().click();
    await page.locator('body.page-issue main a[href*="/article/"]').first().click();
    await page.locator('article .toolbar').waitFor();
    assert.equal(await page.locator('article').getAttribute('data-size'), '1', 'the choice lasts as long as the document');
    assert.deepEqual(faults, []);
    await close();
  });
}

const manifest = () => Object.entries(JSON.parse(readFileSync(MANIFEST, 'utf8')));
/** The script of a chunk that several files share, by its name. */
const scriptOf = (wanted) => manifest().find(([, { name, file }]) => name === wanted && file.endsWith('.js'))[1].file;

/**
 * The files of the shell that an article in a language may need: scripts, with the messages of that language alone, and style sheets, but for that of
 * the entry. Fonts are no chunks.
 */
const filesFor = (lang) =>
  manifest()
    .filter(([name, { file }]) => file.endsWith('.js') && (!name.includes('locales/') || name.includes(`locales/${lang}/`)))
    .flatMap(([, { name: chunk, file, css = [] }]) => [file, ...css.filter(() => chunk !== 'main')]);

test('the shell starts where a browser paints no frame', async () => {
  const { page, faults, close } = await demo.open();
  await page.addInitScript(() => {
    globalThis.requestAnimationFrame = () => 0;
    // The ten seconds of the document.
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (call, ms, ...rest) => later(call, ms === 10_000 ? 10 : ms, ...rest);
  });
  await page.goto(demo.at('oceanledger', '/en/about'));
  await page.locator('.floating').waitFor({ state: 'attached' });
  assert.deepEqual(faults, []);
  await close();
});

test('each chunk of the shell may be missing: the article stays, links work, and the document is loaded twice at most', async () => {
  const [shell, reader] = ['main', 'reader'].map(scriptOf);
  /**
   * Opens an article, a popover in it, and another page by a link, without the files `missing`, for which the shell loads the document again if
   * `reloads`. Resolves to the files that were asked for.
   */
  const read = async (lang, missing, what, reloads = false) => {
    const asked = new Set();
    const prepare = async (page) => {
      page.on('request', (request) => asked.add(new URL(request.url()).pathname.replace('/assets/shell/', '')));
      if (missing.length) await page.route(new RegExp(`/assets/shell/(${missing.join('|')})$`), (route) => route.abort());
      await fetchNothingAhead(page);
    };
    const { page, documents, close } = await open(articles[lang], { prepare });
    if (!missing.includes(shell)) await page.locator('#app .progress').waitFor({ state: 'attached' });
    if (!missing.includes(shell) && !missing.includes(reader)) await waitForTools(page);
    // What is loaded when the browser is idle.
    if (!missing.length) await page.locator('[data-announces="title"]').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    await assertReadable(page, what);
    // What opens a popover, a dialog or a menu does so, or gives way.
    await page.locator('a[data-ref-type=table]').first().press('Enter');
    if (!missing.length) {
      await page.locator('.table-tools button').first().waitFor();
      await page.locator('.ref-cited').first().waitFor({ state: 'attached' });
    }
    await assertReadable(page, what);
    await page.keyboard.press('Escape');
    // A click would be lost if the document changed between the press of the button and its release.
    if (reloads) await page.waitForFunction(() => performance.getEntriesByType('navigation')[0].type === 'reload');
    assert.ok(documents() <= 2, `${what}: ${documents()} documents`);
    await assertLinksWork(page, what);
    await close();
    return asked;
  };

  const asked = await read('en', [], 'the whole shell');
  const files = filesFor('en');
  assert.ok(files.length > 10);
  const needed = files.filter((file) => asked.has(file));
  for (const name of ['main', 'reader', 'late', 'later', 'Beside', 'CitedIn', 'Tables']) assert.ok(needed.includes(scriptOf(name)), `${name} is asked for`);
  for (const file of needed) assert.ok((await read('en', [file], file, file !== shell)).has(file), `${file} was asked for`);
  // What an article does not ask for is missing at one time: each load would show the same. So are the messages of another language.
  const others = files.filter((file) => !needed.includes(file));
  await read('en', others, others.join(' '));
  const messages = filesFor('zh').filter((file) => !files.includes(file));
  await read('zh', messages, messages.join(' '));
});

test('a reader that is not served any more (404) loads the document again once, then the article stays without tools', async () => {
  const file = scriptOf('reader');
  const { page, documents, close } = await open(articles.en, {
    prepare: (opened) => opened.route(`**/assets/shell/${file}`, (route) => route.fulfill({ status: 404, body: 'gone' })),
  });
  await page.waitForFunction(() => performance.getEntriesByType('navigation')[0].type === 'reload');
  await page.locator('#app .progress').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await assertReadable(page, 'without the reader');
  assert.equal(await page.locator('.toolbar').count(), 0);
  await assertLinksWork(page, 'without the reader');
  await page.goBack();
  await assertReadable(page, 'again');
  assert.equal(documents(), 2);
  await close();
});

test('a chunk that is missing does not take the reader back from a link that was followed meanwhile', async () => {
  const { page, documents, close } = await open(articles.en, { prepare: saving });
  await page.locator('article .toolbar').waitFor();
  let answer, continued;
  const asked = new Promise((resolve) => (answer = resolve));
  // The question whether the host answers, before a reload, and the page that the link leads to are both still on their way.
  await page.route('**/*', (route) => (route.request().method() === 'HEAD' ? answer(route) : route.fallback()));
  await page.route('**/rc-pub/front/page?*', (route) => (continued = route));
  await page.locator('header a[href*="/home"]').first().click();
  await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')));
  await (await asked).fulfill({ status: 200 });
  await page.waitForURL(/\/home/);
  await page.locator('.article-card').first().waitFor();
  assert.ok(continued, 'the shell was fetching the page');
  assert.equal(documents(), 2, 'the reload led to the page of the link');
  await close();
});

test('a link that is followed while the document is loaded again is followed', async () => {
  const { page, close } = await open(articles.en, { prepare: saving });
  await page.locator('article .toolbar').waitFor();
  // The host takes its time for the document: the one before is still shown. Playwright would wait for the next one before a click of its own.
  await page.route(`**${articles.en}`, (route) => (route.request().method() === 'HEAD' ? route.fallback() : undefined));
  await page.evaluate(() => {
    const follow = () => document.querySelector('header a[href*="/home"]').click();
    addEventListener('beforeunload', () => setTimeout(follow, 200), { once: true });
    dispatchEvent(new Event('vite:preloadError'));
  });
  await page.waitForURL(/\/home/);
  await page.locator('.article-card').first().waitFor();
  await close();
});

test('a reader that comes with a later article has its tools there', async () => {
  const file = scriptOf('reader');
  const { page, close } = await demo.open();
  await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
  await page.locator('.card-title a').first().click();
  await page.locator('article .toolbar').waitFor();
  await page.goBack();
  await page.locator('.card-title a').nth(1).click();
  await page.locator('article .toolbar').waitFor();
  assert.ok(await page.evaluate((name) => performance.getEntriesByType('resource').some((one) => one.name.endsWith(name)), file));
  await close();
});

test('offline, page and address stay, a notice says so, and it tries again when the connection is back', async () => {
  const { page, documents, close } = await open('/en/issue', { prepare: saving, waitUntil: 'networkidle', viewport: { width: 390, height: 844 } });
  const here = page.url();
  await page.context().setOffline(true);
  await page.locator('.card-title a').first().click();
  const notice = page.locator('.notices[role=status] .notice');
  await notice.waitFor();
  assert.equal(page.url(), here);
  assert.ok(await page.locator('.article-card').first().isVisible());
  assert.deepEqual(await violations(page, { include: '.notices' }), []);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await notice.waitFor();
  assert.equal(page.url(), here);
  await page.context().setOffline(false);
  // The driver may be told of the new address after the page is drawn.
  await page.waitForURL(/\/article\/\d+$/);
  await page.locator('article h1').waitFor();
  await notice.waitFor({ state: 'detached' });
  await page.goBack();
  await page.locator('.article-card').first().waitFor();
  assert.equal(page.url(), here);
  assert.equal(documents(), 1);
  await close();
});

test('a page whose data cannot be had is loaded as a document', async () => {
  const { page, documents, close } = await open('/en/issue', {
    prepare: (opened) => opened.route('**/rc-pub/front/page?*', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<p>no</p>' })),
    waitUntil: 'networkidle',
  });
  await page.locator('.card-title a').first().click();
  await page.waitForURL(/\/article\/\d+$/);
  await assertReadable(page, 'the document');
  assert.equal(documents(), 2);
  await close();
});

test('on a slow network the page stays and a bar shows that another one is on its way', async () => {
  const { page, faults, close } = await open('/en/issue', { prepare: saving, waitUntil: 'networkidle' });
  let release = () => undefined;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/rc-pub/front/page?*', async (route) => {
    await held;
    await route.continue();
  });
  const here = page.url();
  await page.locator('.card-title a').first().click();
  await page.locator('.progress:not([hidden])').waitFor();
  assert.equal(page.url(), here);
  assert.ok(await page.locator('.article-card').first().isVisible());
  release();
  await page.locator('article .toolbar').waitFor();
  await page.locator('.progress').waitFor({ state: 'hidden' });
  assert.match(page.url(), /\/article\/\d+$/);
  assert.deepEqual(faults, []);
  await close();
});

test('on a slow processor the article can be read and scrolled before the scripts, and stays where the reader is', async () => {
  const { page, close } = await demo.open({ reducedMotion: 'reduce' });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await page.goto(demo.at('oceanledger', articles.en), { waitUntil: 'commit' });
  await page.locator('.reader-section[data-kind=references] li').first().waitFor();
  const heading = page.locator('.reader-body h2.sec-title').nth(1);
  await heading.evaluate((element) => element.scrollIntoView());
  const before = await heading.evaluate((element) => element.getBoundingClientRect().top);
  await page.locator('article .toolbar').waitFor({ state: 'attached' });
  const moved = (await heading.evaluate((element) => element.getBoundingClientRect().top)) - before;
  assert.ok(Math.abs(moved) < 60, `moved by ${moved} px`);
  await close();
});

test('at 390 px the outline is there without scripts, and with scripts that do not come', async () => {
  const still = await open(articles.en, { javaScriptEnabled: false, ...PHONE });
  assert.ok(await still.page.locator('.reader-outline a').first().isVisible());
  await still.close();
  const { page, close } = await open(articles.en, { prepare: (opened) => opened.route('**/assets/shell/**/*.js', (route) => route.abort()), ...PHONE });
  await page.locator('.reader-outline a').first().waitFor();
  await close();
});

for (const [lang, device, colorScheme] of [
  ['en', { viewport: { width: 1280, height: 860 } }, 'light'],
  ['zh', PHONE, 'dark'],
]) {
  test(`the compact bar of an article, ${lang} at ${device.viewport.width} px`, async () => {
    const { page, faults, close } = await open(articles[lang], { ...device, colorScheme });
    await page.locator('article .toolbar').waitFor();
    const bar = page.locator('.compact-bar');
    assert.equal(await bar.count(), 0);
    await page.evaluate(() => scrollTo(0, 600));
    await bar.waitFor();
    const box = await bar.boundingBox();
    assert.deepEqual([box.x, box.y, box.height], [0, 0, 48]);
    assert.ok((await tooWide(page)) <= 0);
    assert.deepEqual(await violations(page, { include: '.compact-bar' }), []);
    await bar.locator('.compact-outline').click();
    const outline = page.locator('.outline-popover');
    await outline.waitFor();
    if (device === PHONE) {
      const sheet = await outline.boundingBox();
      assert.deepEqual([sheet.x, sheet.width, Math.round(sheet.y + sheet.height)], [0, 390, 844]);
    }
    const link = outline.locator('a').nth(3);
    const id = decodeURIComponent((await link.getAttribute('href')).slice(1));
    await link.click();
    await outline.waitFor({ state: 'detached' });
    // The heading is clear of the bar and has the focus.
    await page.waitForFunction((wanted) => document.activeElement?.id === wanted && document.activeElement.getBoundingClientRect().top >= 48, id);
    // Nor does the bar cover what gets the focus on the way back.
    await page.keyboard.press('Shift+Tab');
    const top = await page.evaluate(() => document.activeElement.getBoundingClientRect().bottom);
    assert.ok(top > 48, `the focus is at ${top}`);
    assert.deepEqual(faults, []);
    await close();
  });
}

test('the place in an article is offered at the next visit, not taken', async () => {
  const { page, faults, close } = await open(articles.en);
  await page.locator('article .toolbar').waitFor();
  await page
    .locator('.reader-body h2.sec-title')
    .nth(2)
    .evaluate((element) => element.scrollIntoView());
  await page.waitForFunction(() => localStorage.getItem('masthead.places')?.includes('a-'));
  await page.goto(demo.at('oceanledger', '/en/home/'));
  await page.goto(demo.at('oceanledger', articles.en));
  const offer = page.locator('.toolbar-continue');
  await offer.waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await offer.click();
  await page.waitForFunction(() => scrollY > 300);
  assert.deepEqual(faults, []);
  await close();
});
