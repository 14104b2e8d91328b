// Plugins in the browser: the assistant, external sign-in, languages, translation, citation downloads, modules of home pages that fail.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { bootstrapOf } from './crawler.mjs';
import { WCAG, bytesOf, firstArticle, get, openPage, startBrowser, startPortal, tooWide, violations } from './portal.mjs';

const SECRET = 'browser-secret';
let portal;
let browser;
let gateway;
/** Site -> address of the first article on its home page. */
const articles = {};

/** A fake translation gateway: takes signed forms and returns translated lines. `mode` selects a failure. */
async function startGateway() {
  const state = { mode: 'good' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    const md5 = createHash('md5')
      .update(`${form.get('appid')}${form.get('q')}${form.get('salt')}${SECRET}`)
      .digest('hex');
    response.setHeader('content-type', 'application/json');
    if (state.mode === 'unauthorized') return response.end('{"error_code":"52003"}');
    if (state.mode === 'broken' || form.get('sign') !== md5) return response.end('{"error_code":"54001"}');
    const lines = form
      .get('q')
      .split('\n')
      .map((src) => ({ src, dst: `译：${src.slice(0, 12)}` }));
    response.end(JSON.stringify({ from: 'en', to: form.get('to'), trans_result: lines }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { state, origin: `http://127.0.0.1:${server.address().port}`, stop: () => new Promise((resolve) => server.close(resolve)) };
}

before(async () => {
  gateway = await startGateway();
  const { origin } = gateway;
  const edit = (sites) =>
    appendFileSync(
      path.join(sites, 'oceanledger.toml'),
      `\n[[plugins]]\nid = "translate-gateway"\ngrants = { privateHttp = ["${origin}"], secrets = ["translate-gateway"] }\nsettings = { address = "${origin}/", appId = "a" }\n`,
    );
  portal = await startPortal({ edit, secrets: `[448]\ntranslate-gateway = "${SECRET}"\n[942]\nidentity-client = "recorded"\n` });
  browser = await startBrowser();
  const { page, close } = await openPage(browser, { javaScriptEnabled: false });
  for (const sld of ['oceanledger', 'scriptstone', 'plainpress']) {
    await page.goto(portal.at(sld, '/en/home/'));
    articles[sld] = await firstArticle(page);
  }
  await close();
});
after(async () => {
  await browser?.close();
  await portal?.stop();
  await gateway?.stop();
});

const devices = [
  { colorScheme: 'light', viewport: { width: 1280, height: 850 }, reducedMotion: 'reduce' },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' },
];

/** Requests an address without the browser, by path under 127.0.0.1, which needs no name resolution. */
const fetchDirect = (sld, address) => fetch(`http://127.0.0.1:${portal.port}/${sld}${address}`, { redirect: 'manual' });

/** Checks the width, and the accessibility of the page or of what the selector `part` names, without the frames. */
async function assertAccessible(page, what, part) {
  assert.deepEqual(await violations(page, { include: part, exclude: 'iframe', tags: WCAG }), [], what);
  const wide = await tooWide(page);
  assert.ok(wide <= 1, `${what} is ${wide} px too wide`);
}

for (const device of devices) {
  const width = device.viewport.width;

  test(`the assistant answers with passages that link to their articles, ${width} px`, async () => {
    const { page, faults, close } = await openPage(browser, device);
    await page.goto(portal.at('tidesdesk', '/en/home/'), { waitUntil: 'networkidle' });
    const button = page.locator('.assistant-button');
    await button.click();
    const panel = page.getByRole('dialog');
    await panel.waitFor();
    const frame = page.frameLocator('.assistant-panel iframe');
    await frame.getByRole('searchbox').waitFor();
    await page.locator('iframe[data-status="open"]').waitFor();
    await assertAccessible(page, 'the open assistant');
    await frame.getByRole('searchbox').fill('How much carbon does a seagrass meadow hold?');
    await frame.getByRole('button').click();
    await frame.locator('blockquote').first().waitFor();
    assert.ok((await frame.locator('li a').count()) > 0);
    // The same answer loaded as a page of its own, so that it can be checked.
    const answer = await (await fetchDirect('tidesdesk', '/en/plugins/ai-assistant/ask?q=carbon')).text();
    const bare = await page.context().newPage();
    await bare.setContent(answer);
    await assertAccessible(bare, 'the answer');
    await bare.close();
    // Escape closes the panel and returns the focus.
    await panel.getByRole('button').focus();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.ok(await button.evaluate((one) => one === document.activeElement), 'the focus is back');
    await button.click();
    await frame.getByRole('searchbox').fill('carbon');
    await page.keyboard.press('Enter');
    const link = frame.locator('li a').first();
    const title = await link.innerText();
    await link.click();
    await page.waitForURL(/\/en\/article\/\d+$/);
    assert.equal((await page.locator('h1').first().innerText()).trim(), title.trim());
    assert.equal(await page.locator('iframe').count(), 0, 'the article is not inside the frame');
    assert.equal(await page.locator('.assistant').count(), 0, 'only the home page has the assistant');
    assert.deepEqual(faults, []);
    await close();
  });

  test(`the account icon links to the external sign-in, ${width} px`, async () => {
    const { page, faults, close } = await openPage(browser, device);
    const link = page.locator('.account-link a');
    await page.goto(portal.at('northcampus', '/en/issues'), { waitUntil: 'networkidle' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), '/en/login/external?url=%2Fen%2Fissues');
    assert.ok(await link.isVisible());
    const box = await link.boundingBox();
    assert.ok(box.width >= 24 && box.height >= 24 && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
    assert.ok((await link.getAttribute('aria-label')).length > 3);
    const answer = await fetchDirect('northcampus', await link.getAttribute('href'));
    assert.equal(answer.status, 303, `${await answer.text()}\n${portal.log()}`);
    assert.ok(answer.headers.get('location').startsWith('https://login.example.org/authorize?'));
    await assertAccessible(page, 'the header', '[data-slot="header"]');
    assert.deepEqual(faults, []);
    await close();
  });

  test(`an article of the multilingual site is read in another language, ${width} px`, async () => {
    const { page, faults, close } = await openPage(browser, device);
    await page.goto(portal.at('scriptstone', articles.scriptstone), { waitUntil: 'networkidle' });
    const menu = page.locator('.article-languages');
    await menu.click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    // What axe finds with the menu open is in `overlays.test.mjs`.
    assert.equal(await items.count(), 8);
    await items.filter({ hasText: 'العربية' }).click();
    await page.waitForFunction(() => document.documentElement.lang === 'ar' && document.documentElement.dir === 'rtl');
    assert.match(page.url(), /\/ara\/article\/\d+$/);
    // `shell.test.mjs` has the Arabic page in a wide window on light paper.
    if (width === 390) await assertAccessible(page, 'the page in Arabic');
    assert.deepEqual(faults, []);
    await close();
  });

  /** The article that the test of translations has left. */
  let left;
  const openArticle = async () => {
    const opened = await openPage(browser, device);
    await opened.page.goto(portal.at('oceanledger', articles.oceanledger), { waitUntil: 'networkidle' });
    return opened;
  };
  /** What translations add to a section. The article without them is in `shell.test.mjs` and `overlays.test.mjs`. */
  const added = '.translate-tools, .translate-panel, .translate-text, .translate-failure';

  test(`a section is translated, and a failure is reported, ${width} px`, async () => {
    const opened = await openArticle();
    const { page, faults } = opened;
    const buttons = page.locator('.translate-tools button');
    await buttons.first().waitFor();
    gateway.state.mode = 'good';
    await buttons.nth(0).click();
    const result = page.locator('.translate-panel[data-status="result"]');
    await result.waitFor();
    assert.match(await result.locator('.translate-text').innerText(), /译：/);
    await assertAccessible(page, 'a translated section', added);
    // Each further translation stands below a heading that does not move, in the direction of its language.
    const heading = page.locator('#a-sec-results > h2');
    const place = () => heading.evaluate((element) => [element.offsetHeight, Math.round(element.getBoundingClientRect().top + scrollY)]);
    const at = await place();
    await page.locator('#a-sec-results .translate-tools button').first().click();
    await page.locator('#a-sec-results .translate-text:lang(zh)').first().waitFor();
    assert.deepEqual(await place(), at);
    await page.locator('#a-sec-results select').first().selectOption('ara');
    await page.locator('#a-sec-results .translate-text[dir=rtl]').first().waitFor();
    await assertAccessible(page, 'a section in Arabic', added);
    // The host caches translations, so each device fails on sections of its own.
    const first = width === 390 ? 3 : 1;
    for (const [at, mode, words] of [
      [first, 'unauthorized', /not authorized/],
      [first + 1, 'broken', /timed out/],
    ]) {
      gateway.state.mode = mode;
      await buttons.nth(at).click();
      const failure = page.locator('.translate-failure').last();
      await failure.waitFor();
      await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('main').innerText), words.source);
    }
    await assertAccessible(page, 'failed translations', added);
    gateway.state.mode = 'good';
    await page.locator('.translate-failure button').click();
    await page.waitForFunction(() => document.querySelectorAll('.translate-text').length === 3);
    assert.deepEqual(faults, []);
    left = opened;
  });

  test(`an article's citation is downloaded as a file, ${width} px`, async () => {
    const { page, faults, close } = left ?? (await openArticle());
    const links = page.locator('.reader-aside a[download]');
    assert.deepEqual(await links.allInnerTexts(), ['RIS', 'BibTeX', 'CSL-JSON'], 'each file once');
    await assertAccessible(page, 'the list of files', '.reader-aside');
    const [download] = await Promise.all([page.waitForEvent('download'), links.first().click()]);
    assert.match(download.suggestedFilename(), /^article-\d+\.ris$/);
    const text = (await bytesOf(download)).toString('utf8');
    assert.match(text, /^TY {2}- JOUR\r\n[\s\S]*\r\nER {2}- \r\n$/);
    assert.ok(text.includes(await page.locator('h1').first().innerText()));
    assert.match(page.url(), /\/en\/article\/\d+$/, 'the reader stays on the article');
    assert.deepEqual(faults, []);
    await close();
  });
}

test('sites without these plugins do not show their features', async () => {
  const { page, faults, close } = await openPage(browser);
  for (const [sld, addresses, absent] of [
    ['oceanledger', ['/en/home/', articles.oceanledger], '.assistant, .account-link, .article-languages'],
    ['plainpress', ['/en/home/', '/en/issues', articles.plainpress], '.assistant, .account-link, .article-languages, .downloads, .translate-tools'],
  ]) {
    for (const address of addresses) {
      await page.goto(portal.at(sld, address), { waitUntil: 'networkidle' });
      assert.equal(await page.locator(absent).count(), 0, `${sld} ${address}`);
    }
  }
  assert.deepEqual(faults, []);
  await close();
});

test('a script that a plugin serves does not run', async () => {
  const { page, close } = await openPage(browser);
  const path = '/en/plugins/ai-assistant/frame';
  const address = portal.at('tidesdesk', path);
  // The headers of the host with a hostile body.
  const { headers } = await fetchDirect('tidesdesk', path);
  const body = '<!doctype html><title>a</title><p id="p">still</p><script>document.title = "ran"</script><img src="x" onerror="document.title = \'ran\'">';
  const kept = ['content-type', 'content-security-policy', 'x-content-type-options'].map((name) => [name, headers.get(name)]);
  await page.route(address, (route) => route.fulfill({ headers: Object.fromEntries(kept), body }));
  await page.goto(address);
  await page.waitForTimeout(300);
  // The page runs no scripts, so its title is read over the DevTools protocol.
  const cdp = await page.context().newCDPSession(page);
  const { targetInfo } = await cdp.send('Target.getTargetInfo');
  assert.equal(targetInfo.title, 'a');
  // Without the policy the script runs, which shows that the test would detect it.
  await page.unroute(address);
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  await page.waitForFunction(() => document.title === 'ran');
  await close();
});

/** How long the shell waits for a module: `LIMIT_MS` of ui-shell/src/slots/ModuleStore.ts. */
const LIMIT_MS = 10_000;

/** The script of a module of home pages with this component, in the form in which a build writes it. */
const scriptOf = (id, component) => `
const module = { $type: 'masthead.ui-module', id: '${id}', slot: 'home.sections', contract: 1, Component: ${component} };
export const init = () => undefined;
export const get = async () => () => ({ default: module });
`;
const SECTIONS = {
  'home-silent': scriptOf('home-silent', '() => "silent"'),
  'home-throwing': scriptOf('home-throwing', '() => { throw new Error("adrift"); }'),
  'home-tampered': scriptOf('home-tampered', '() => "tampered"'),
  'home-working': scriptOf('home-working', '({ layout }) => `at work in a ${layout}`'),
};
/** What the working one shows: `layout` of the site's home page is `journal`. */
const AT_WORK = 'at work in a journal';

/** A home page of the host as it is with these modules in its slot, which no plugin of the demo fills. */
function withSections(html) {
  const bootstrap = bootstrapOf(html);
  bootstrap.slots['home.sections'] = Object.entries(SECTIONS).map(([module, script]) => ({
    module,
    entry: `/assets/modules/${module}/0/${module}.js`,
    integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
    css: [],
    props: {},
  }));
  const json = JSON.stringify(bootstrap).replaceAll('<', String.raw`\u003c`);
  return html.replace(/(id="bootstrap">).*?(?=<\/script>)/s, (_, start) => start + json);
}

test('modules of a home page that never answer, throw or have another digest are left out and reported, and everything else works', async () => {
  const address = portal.at('oceanledger', '/en/home');
  const html = await get(portal.port, 'oceanledger', '/en/home');
  const { page, close } = await openPage(browser, { reducedMotion: 'reduce' });
  // React logs what a module throws; nothing gets past the shell.
  const uncaught = [];
  page.on('pageerror', (error) => uncaught.push(error.message));
  const isReport = (request) => request.url().endsWith('/rc-pub/front/ui-failure');
  const reports = [];
  page.on('request', (request) => isReport(request) && reports.push(JSON.parse(request.postData())));
  const reported = (reason) => page.waitForRequest((request) => isReport(request) && JSON.parse(request.postData()).reason === reason);
  // The clock of the page, which is put forward: the test need not wait for as long as the shell.
  await page.clock.install();
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: withSections(html) }));
  const held = [];
  await page.route('**/assets/modules/home-*/**', (route) => {
    const id = new URL(route.request().url()).pathname.split('/')[3];
    if (id === 'home-silent') return void held.push(route);
    const body = id === 'home-tampered' ? `globalThis.tampered = true;\n${SECTIONS[id]}` : SECTIONS[id];
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  // The host does not know these modules, and would refuse their reports.
  await page.route('**/rc-pub/front/ui-failure', (route) => route.fulfill({ json: {} }));

  const early = Promise.all(['load', 'render'].map(reported));
  // The page is never loaded, because a script does not come.
  await page.goto(address, { waitUntil: 'commit' });
  await early;
  const slot = page.locator('main [data-slot="home.sections"]');
  await slot.filter({ hasText: AT_WORK }).waitFor();
  // The modules of the frame have come when the clock is put forward: they would be given up, too.
  await page.waitForFunction(() => {
    const parts = [...document.querySelectorAll('#app > [data-rendered] > :first-child')];
    return parts.length > 0 && parts.every((part) => Object.keys(part).some((key) => key.startsWith('__reactFiber')));
  });
  assert.ok(held.length > 0, 'the script is on its way');
  assert.equal(reports.length, 2, 'the shell waits for it');
  const late = reported('timeout');
  await page.clock.fastForward(LIMIT_MS);
  await late;

  assert.equal(await slot.textContent(), AT_WORK, 'the others show nothing');
  assert.equal(await page.evaluate(() => globalThis.tampered), undefined, 'the script with another digest did not run');
  assert.deepEqual(reports.map(({ slot: name, module, reason }) => [name, module, reason]).sort(), [
    ['home.sections', 'home-silent', 'timeout'],
    ['home.sections', 'home-tampered', 'load'],
    ['home.sections', 'home-throwing', 'render'],
  ]);
  const [sent, shown] = await page.evaluate((text) => {
    const headings = (root) => [...root.querySelectorAll('main :is(h1, h2, h3)')].map((heading) => heading.textContent.trim());
    return [headings(new DOMParser().parseFromString(text, 'text/html')), headings(document)];
  }, html);
  assert.ok(sent.length > 3, sent.join());
  assert.deepEqual(
    sent.filter((heading) => !shown.includes(heading)),
    [],
    'headings that are gone',
  );
  // The module of the search is at work.
  await page.locator('.frame-search [type=search]').filter({ visible: true }).first().focus();
  await page.waitForFunction(() => document.activeElement.getAttribute('role') === 'combobox');
  await page.evaluate(() => {
    globalThis.kept = true;
  });
  await page.locator('main .card-title a').first().click();
  await page.locator('article.reader h1').waitFor();
  assert.equal(await page.evaluate(() => globalThis.kept), true, 'links are followed in the same document');
  assert.deepEqual(uncaught, []);
  await close();
});
