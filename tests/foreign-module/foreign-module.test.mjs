// Modules built outside of this repository, with the packed SDK: a header, a row of the footer, and a row that lies beside a plugin. They are tested,
// built, put into folders, and served by the real binary.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSame, openHeld, shots, SLOTS, takenOver } from '../browser/frame.mjs';
import { drawn, openPage, startBrowser } from '../browser/portal.mjs';
import { failuresOf, metrics, send, startDemo } from '../demo-host.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const SITE = 'oceanledger';
/** The longest wait for something that a host does, in ms: it ends a test that hangs. */
const HANG = 180_000;
/** How long the shell waits for a module: `LIMIT_MS` of ui-shell/src/slots/ModuleStore.ts. */
const LIMIT_MS = 10_000;
/** The module beside a plugin, and the built-in module that the plugin names before it is changed. */
const [BESIDE, BUILT_IN] = ['harbour-partner-beacons', 'footer-friendship-links'];
const PLUGIN = 'my-plugin';
const PROJECTS = ['harbour-nav', 'harbour-tides', BESIDE];
/** What the file of the site gets: the plugin, with the settings that it hands to its module, and the row of the footer with its properties. */
const OF_SITE = `
[[plugins]]
id = "${PLUGIN}"
settings = { links = [{ name = { zh = "示例灯塔", en = "Example Lighthouse" }, address = "https://lighthouse.example.org/" }] }

[[slots."footer.rows"]]
module = "harbour-tides"
props = { station = { zh = "示例港", en = "Example Harbour" }, tides = [{ time = "06:12", metres = 3.25 }, { time = "18:40", metres = 3 }] }
`;
/** What the row shows with these properties. */
const TIDES = {
  en: ['High water at Example Harbour', '06:12: 3.25 m', '18:40: 3.00 m'],
  zh: ['示例港高潮', '06:12：3.25 米', '18:40：3.00 米'],
};
let outside;
let module;
let modules;
let plugins;
let host;
let masthead;
let browser;

const node = (script, words, cwd) => execFileSync(process.execPath, [script, ...words], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const installed = (file) => path.join(outside, 'node_modules', file);

/** A folder without the repository above it: the SDK from its archive, the other packages as they are installed here. */
function prepare() {
  outside = mkdtempSync(path.join(tmpdir(), 'masthead-outside-'));
  const packages = path.join(outside, 'node_modules');
  const sdk = path.join(packages, '@masthead/ui-sdk');
  mkdirSync(sdk, { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (!name.startsWith('@masthead') && !name.startsWith('.')) symlinkSync(path.join(root, 'node_modules', name), path.join(packages, name));
  }
  const archive = node(path.join(root, 'plugin-sdk/ui/build/pack.mjs'), ['--to', outside], outside).trim().split('\n').at(-1);
  execFileSync('tar', ['-xzf', archive, '-C', sdk, '--strip-components=1']);
  // An author begins with the project of the archive.
  const sourceOf = (id) => (id === 'harbour-nav' ? path.join(sdk, 'example') : path.join(import.meta.dirname, id));
  for (const id of PROJECTS) cpSync(sourceOf(id), path.join(outside, id), { recursive: true });
  module = path.join(outside, 'harbour-nav');
}

/** Builds a module and puts it into a folder of modules, as an operator does. */
function build(id, folder) {
  const project = path.join(outside, id);
  node(installed('vite/bin/vite.js'), ['build', '--logLevel', 'warn'], project);
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(project, 'dist'), path.join(folder, id), { recursive: true });
}

/**
 * Puts a plugin that shows a module on home pages into the folder of plugins, and the module beside it. The component is the frozen one, so that nothing
 * has to be compiled. The component names a built-in module; a name of the same length can take the place of that name in its bytes.
 */
function putPlugin() {
  const own = path.join(plugins, PLUGIN);
  mkdirSync(own, { recursive: true });
  assert.equal(BESIDE.length, BUILT_IN.length);
  for (const name of ['plugin.toml', 'plugin.wasm']) {
    // In this encoding, each byte is one character.
    const bytes = readFileSync(path.join(root, 'plugin-sdk/frozen/0.1/layout', name), 'latin1');
    assert.ok(bytes.includes(BUILT_IN), `${name} names ${BUILT_IN}`);
    writeFileSync(path.join(own, name), bytes.replaceAll(BUILT_IN, BESIDE), 'latin1');
  }
  build(BESIDE, path.join(own, 'modules'));
}

/** A file or page of the site without a browser. */
const request = (address) => send(host.port, address, { headers: { host: `${SITE}.localhost` } });

/** A page of the site without a browser, with the module of its header and those of the rows of its footer. */
async function read(address) {
  const { status, text, headers } = await request(address);
  assert.equal(status, 200);
  const json = /<script type="application\/json" id="bootstrap">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}';
  const { slots } = JSON.parse(json);
  return { text, policy: headers['content-security-policy'], header: slots.header?.[0], rows: slots['footer.rows'] ?? [] };
}
const home = () => read('/en/home');

/** The document links the script of a module, below an address with a digest, and what is served has the digest of the script. */
async function assertLinked(text, { module: id, entry, integrity }) {
  assert.match(entry, new RegExp(`^/assets/modules/${id}/[0-9a-f]{16}/assets/${id}-[\\w-]+\\.js$`));
  assert.ok(text.includes(`<link rel="modulepreload" href="${entry}" integrity="${integrity}"`), `${id} is linked`);
  const script = await request(entry);
  assert.equal(script.status, 200);
  assert.equal(`sha384-${createHash('sha384').update(script.bytes).digest('base64')}`, integrity);
}

/** Waits for what a running host does after a file has changed. */
async function until(what, holds) {
  const end = Date.now() + HANG;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `${what} did not happen: ${host.log().slice(-2000)}`);
    await sleep(100);
  }
}

/** Pages of the host, as the browser tests open them. */
const demo = { at: (sld, address) => `http://${sld}.localhost:${host.port}${address}`, open: (options) => openPage(browser, options) };
const at = (address) => demo.at(SITE, address);
/** How often the module failed in a browser for a reason. */
const failures = (reason) => failuresOf(host.data, 'harbour-nav', reason);
/** Waits for the report that the module failed for a reason, and returns its slot and its module. */
const reportOf = (page, reason) =>
  page
    .waitForRequest((asked) => asked.url().endsWith('/rc-pub/front/ui-failure') && JSON.parse(asked.postData()).reason === reason)
    .then((asked) => (({ slot, module: id }) => [slot, id])(JSON.parse(asked.postData())));
/** Waits until React has taken over all elements that a selector names: it marks them. */
const taken = (page, selector) =>
  page.waitForFunction((names) => {
    const found = [...document.querySelectorAll(names)];
    return found.length > 0 && found.every((element) => Object.keys(element).some((key) => key.startsWith('__reactFiber')));
  }, selector);

/** The header stands as the host has rendered it, the failure is counted, and a link leads on. */
async function assertStands(page, reason, counted) {
  await page.locator('#app > [data-slot="header"][data-failed]').waitFor({ state: 'attached' });
  assert.equal(await page.locator('header').count(), 1);
  assert.ok(await page.locator('header .harbour-motto').isVisible());
  await until('the count', async () => (await failures(reason)) > counted);
  await page.locator('main a[href*="/article/"]').first().click();
  await page.locator('article.reader h1').waitFor();
}

before(async () => {
  prepare();
  [modules, plugins] = ['modules', 'plugins'].map((name) => path.join(outside, name));
  build('harbour-nav', modules);
  build('harbour-tides', modules);
  putPlugin();
  host = await startDemo('foreign-module', {
    prepare: ({ sites, data, run }) => {
      masthead = (...words) => run(...words, '--sites', sites, '--data', data, '--modules', modules, '--plugins', plugins);
      const edit = (name, from, to) => {
        const file = path.join(sites, name);
        const text = readFileSync(file, 'utf8');
        assert.ok(text.includes(from), `${name} has no ${from}`);
        writeFileSync(file, text.replace(from, to));
      };
      // The one line of configuration, and a site that has this style.
      edit('platform.toml', '9 = "nav-alternate"', '9 = "harbour-nav"');
      edit(`${SITE}.toml`, 'navStyle = 0', 'navStyle = 9');
      appendFileSync(path.join(sites, `${SITE}.toml`), OF_SITE);
    },
    serve: ['--modules', modules, '--plugins', plugins],
  });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  const wrong = await host?.stop();
  if (outside) rmSync(outside, { recursive: true, force: true });
  assert.equal(wrong, undefined);
});

test('the package has types for the modules and helpers for their tests', () => {
  for (const id of PROJECTS) node(installed('typescript/bin/tsc'), ['--noEmit'], path.join(outside, id));
  assert.match(node(installed('vitest/vitest.mjs'), ['run'], module), /2 passed/);
});

test('a property that the slot does not give is an error of types', () => {
  const file = path.join(module, 'src/View.tsx');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, good.replace('{ motto, site }', '{ motto, site, footer }'));
  try {
    assert.throws(
      () => node(installed('typescript/bin/tsc'), ['--noEmit'], module),
      (error) => /Property 'footer' does not exist/.test(error.stdout),
    );
  } finally {
    writeFileSync(file, good);
  }
});

test('the document links the module with its digest, below an address with a digest', async () => {
  const { text, policy, header } = await home();
  assert.equal(header.module, 'harbour-nav');
  await assertLinked(text, header);
  assert.match(policy, /script-src 'nonce-[^']+' 'strict-dynamic'/);
  assert.match(masthead('site', 'check'), /no problems/);
});

test('a browser shows the module with its styles and its picture, without a fault', async () => {
  const { page, faults, close } = await openPage(browser);
  const pictures = [];
  page.on('response', (response) => response.url().includes('/tide-') && pictures.push([response.status(), new URL(response.url()).pathname]));
  await page.goto(at('/en/home'), { waitUntil: 'networkidle' });
  await page.locator('.harbour-motto', { hasText: 'The tides of' }).waitFor();
  assert.equal(await page.locator('#app > .slot > [data-slot=header]').count(), 0);
  assert.equal(await page.locator('header').evaluate((header) => header.offsetHeight >= 96), true);
  assert.equal(pictures.length, 1);
  assert.equal(pictures[0][0], 200);
  assert.match(pictures[0][1], /^\/assets\/modules\/harbour-nav\/[0-9a-f]{16}\/assets\/tide-[\w-]+\.svg$/);
  assert.deepEqual(faults, []);
  await close();
});

test('a row of the footer shows the properties that the site gives it, also without scripts', async () => {
  const texts = (page) => page.locator('#app > [data-slot="footer"][data-rendered] .harbour-tides :is(h2, li)').allTextContents();
  for (const [lang, shown] of Object.entries(TIDES)) {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(at(`/${lang}/home`));
    assert.deepEqual(await texts(page), shown);
    const row = page.locator('.harbour-tides');
    assert.ok(await row.isVisible());
    assert.equal(await row.evaluate((element) => getComputedStyle(element).display), 'flex', 'it has its style sheet');
    await close();
  }
  const { page, faults, close } = await openPage(browser);
  await page.goto(at('/en/home'), { waitUntil: 'networkidle' });
  await taken(page, '.harbour-tides');
  assert.deepEqual(await texts(page), TIDES.en);
  assert.deepEqual(faults, []);
  await close();
});

test('a module beside a plugin is served with its digest and shown where the plugin puts it', async () => {
  let found;
  // On a busy machine, a plugin may exceed its time: the page lacks its module then, and is not kept.
  await until('the contribution', async () => {
    const { text, rows } = await home();
    const row = rows.find(({ module: id }) => id === BESIDE);
    found = row && { text, row };
    return found;
  });
  await assertLinked(found.text, found.row);
  const { integrity } = JSON.parse(readFileSync(path.join(plugins, PLUGIN, 'modules', BESIDE, 'preload.json'), 'utf8'));
  assert.equal(found.row.integrity, integrity, 'it is that of the plugin');
  const { page, faults, close } = await openPage(browser);
  await page.goto(at('/en/home'), { waitUntil: 'networkidle' });
  await taken(page, `#app > [data-slot="footer"][data-rendered] .${BESIDE}`);
  const links = await page.locator(`.${BESIDE} a`).evaluateAll((all) => all.map((link) => [link.textContent, link.href]));
  assert.deepEqual(links, [['Example Lighthouse', 'https://lighthouse.example.org/']]);
  const elsewhere = (await read('/en/issues')).rows.map(({ module: id }) => id);
  assert.ok(elsewhere.includes('harbour-tides') && !elsewhere.includes(BESIDE), `on another page: ${elsewhere.join()}`);
  assert.deepEqual(faults, []);
  await close();
});

for (const view of [
  { width: 1280, lang: 'en', colorScheme: 'light' },
  { width: 390, lang: 'zh', colorScheme: 'light' },
  { width: 1280, lang: 'zh', colorScheme: 'dark' },
]) {
  const where = `${view.lang} ${view.width} ${view.colorScheme}`;
  test(`the frame with the module is the same before and after scripts, ${where}`, async () => {
    const { page, faults, reports, close, release } = await openHeld(demo, SITE, `/${view.lang}/home/`, view);
    assert.ok(await page.locator('#app > [data-slot="header"][data-rendered] .harbour-motto').isVisible(), 'the host has rendered the module');
    // No element waits for a picture that a style sheet names.
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.includes('/tide-') && responseEnd > 0));
    await drawn(page);
    const before = await shots(page);
    assert.deepEqual(Object.keys(before), SLOTS);
    release();
    await takenOver(page);
    assertSame(before, await shots(page), where);
    assert.deepEqual(reports, []);
    assert.deepEqual(faults, []);
    await close();
  });
}

test('a script that is not the announced one is not run: the markup of the host stays, and the failure is counted', async () => {
  const { page, close } = await openPage(browser);
  const { header } = await home();
  // Read by the loopback address: `route.fetch` would look up the name of the site, which not every resolver knows.
  const script = await request(header.entry);
  assert.equal(script.status, 200);
  await page.route(`**${header.entry}`, (route) =>
    route.fulfill({ contentType: script.headers['content-type'], body: `globalThis.tampered = true;\n${script.text}` }),
  );
  const counted = await failures('load');
  const reported = reportOf(page, 'load');
  await page.goto(at('/en/home'));
  assert.deepEqual(await reported, ['header', 'harbour-nav']);
  assert.equal(await page.evaluate(() => globalThis.tampered), undefined);
  // The host has rendered the module that it trusts, so that its markup is there without the script.
  assert.equal(await page.locator('.slot[data-slot=header] .harbour-motto').isVisible(), true);
  await until('the count', async () => (await failures('load')) > counted);
  await close();
});

test('a module that is replaced is swapped without a restart, also for a reader who follows a link', async () => {
  const { page, faults, close } = await openPage(browser);
  // With the data saver, no page is fetched ahead: one that was fetched before the replacement names the former module.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await page.goto(at('/en/home'), { waitUntil: 'networkidle' });
  await page.locator('.harbour-motto').waitFor();
  const before = (await home()).header;
  const catalogue = path.join(module, 'src/messages/en.json');
  writeFileSync(catalogue, readFileSync(catalogue, 'utf8').replace('The tides of', 'The shores of'));
  build('harbour-nav', modules);
  await until('the swap', async () => (await home()).header?.entry !== before.entry);
  const former = await request(before.entry);
  assert.equal(former.status, 200, 'documents that were sent before name the former script');
  await page.locator('main a[href*="/article/"]').first().click();
  await page.locator('.harbour-motto', { hasText: 'The shores of' }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

/** How the module fails in browsers only: the host, which has no document, renders it. */
const FAILING = [
  { what: 'throws on import', file: 'src/module.ts', place: 'export default', reason: 'load' },
  { what: 'throws when it is rendered', file: 'src/View.tsx', place: '  const t = useT();', reason: 'render' },
];
for (const { what, file, place, reason } of FAILING) {
  test(`a module that ${what} leaves the markup of the host, the rest of the page works, and the failure is counted`, async () => {
    const [source, folder, kept] = [path.join(module, file), path.join(modules, 'harbour-nav'), path.join(outside, 'kept')];
    const good = readFileSync(source, 'utf8');
    assert.ok(good.includes(place), `${file} has ${place}`);
    cpSync(folder, kept, { recursive: true });
    const { entry } = (await home()).header;
    const counted = await failures(reason);
    try {
      writeFileSync(source, good.replace(place, `if (typeof document !== 'undefined') throw new Error('adrift');\n${place}`));
      build('harbour-nav', modules);
      await until('the swap', async () => (await home()).header?.entry !== entry);
      const { page, close } = await openPage(browser);
      const reported = reportOf(page, reason);
      await page.goto(at('/en/home'));
      assert.deepEqual(await reported, ['header', 'harbour-nav']);
      await assertStands(page, reason, counted);
      await close();
    } finally {
      writeFileSync(source, good);
      cpSync(kept, folder, { recursive: true });
      rmSync(kept, { recursive: true });
    }
    await until('the way back', async () => (await home()).header?.entry === entry);
  });
}

test('a module that never answers leaves the markup of the host, the rest of the page works, and the failure is counted', async () => {
  const { page, faults, close } = await openPage(browser, { reducedMotion: 'reduce' });
  const { header } = await home();
  // The clock of the page is put forward: the test need not wait for as long as the shell.
  await page.clock.install();
  const held = [];
  await page.route(`**${header.entry}`, (route) => void held.push(route));
  const counted = await failures('timeout');
  const reported = reportOf(page, 'timeout');
  // The page is never loaded, because the script does not come.
  await page.goto(at('/en/home'), { waitUntil: 'commit' });
  // The other modules have come when the clock is put forward: they would be given up, too.
  await taken(page, '#app > [data-rendered]:not([data-slot="header"]) > :first-child, .harbour-tides');
  assert.ok(held.length > 0, 'the script is on its way');
  assert.equal(await page.locator('[data-failed]').count(), 0, 'the shell waits for it');
  await page.clock.fastForward(LIMIT_MS);
  assert.deepEqual(await reported, ['header', 'harbour-nav']);
  // The module of the search is at work.
  await page.locator('.frame-search [type=search]').filter({ visible: true }).first().focus();
  await page.waitForFunction(() => document.activeElement.getAttribute('role') === 'combobox');
  assert.deepEqual(await page.locator('.harbour-tides :is(h2, li)').allTextContents(), TIDES.en);
  assert.deepEqual(faults, []);
  await assertStands(page, 'timeout', counted);
  await close();
});

test('a broken replacement changes nothing for readers and is named by the check and the metrics', async () => {
  const { header } = await home();
  const script = path.join(modules, 'harbour-nav', header.entry.split('/').slice(5).join('/'));
  const good = readFileSync(script);
  writeFileSync(script, good.subarray(0, good.length / 2));
  await until('the report', async () => (await metrics(host.data)).includes('masthead_module_refused{module="harbour-nav"'));
  assert.deepEqual((await home()).header, header);
  assert.equal((await request(header.entry)).text, good.toString());
  assert.match(host.log(), /harbour-nav.*has not the digest/);
  assert.throws(
    () => masthead('site', 'check'),
    (error) => /module harbour-nav: .*has not the digest/.test(error.stdout),
  );
  writeFileSync(script, good);
  await until('the recovery', async () => !(await metrics(host.data)).includes('masthead_module_refused{'));
});

test('a module that is gone leaves the header of the host', async () => {
  rmSync(path.join(modules, 'harbour-nav'), { recursive: true });
  await until('the fallback', async () => (await home()).header === undefined);
  const { page, faults, close } = await openPage(browser);
  await page.goto(at('/en/home'), { waitUntil: 'networkidle' });
  assert.equal(await page.locator('header[data-slot=header] nav').isVisible(), true);
  assert.deepEqual(faults, []);
  await close();
});

test('the gallery shows the module alone, in every language, and right to left', async () => {
  const server = spawn(process.execPath, [installed('@masthead/ui-sdk/build/gallery.mjs'), module], {
    cwd: module,
    env: { ...process.env, INIT_CWD: module, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const address = await new Promise((resolve, reject) => {
      let said = '';
      server.stdout.on('data', (chunk) => {
        said += chunk;
        const found = /http:\/\/localhost:\d+\//.exec(said)?.[0];
        if (found) resolve(found);
      });
      server.once('exit', (code) => reject(new Error(`the gallery ended with ${code}: ${said}`)));
    });
    const { page, faults, close } = await openPage(browser);
    await page.goto(`${address}?language=ara&width=390&preset=7&theme=dark`);
    const frame = page.frameLocator('iframe');
    await frame.locator('.harbour-motto', { hasText: 'Since the last flood' }).waitFor({ timeout: HANG });
    const facts = await frame
      .locator('html')
      .evaluate((html) => [html.dir, html.lang, html.dataset.theme, html.style.getPropertyValue('--color-primary'), innerWidth]);
    assert.deepEqual(facts, ['rtl', 'ar', 'dark', '#39c4ce', 388]);
    await page.getByLabel(/^language/).selectOption('every');
    await page.waitForFunction(() => document.querySelectorAll('iframe').length === 9);
    assert.deepEqual(faults, []);
    await close();
  } finally {
    server.kill();
  }
});
