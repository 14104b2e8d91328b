// A module built outside of this repository, with the packed SDK: it is tested, built, put into a folder, and served by the real binary.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSame, openHeld, shots, SLOTS, takenOver } from '../browser/frame.mjs';
import { drawn, openPage, startBrowser } from '../browser/portal.mjs';
import { failuresOf, metrics, send, startDemo } from '../demo-host.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const SITE = 'oceanledger';
const HANG = 60_000;
let outside;
let module;
let modules;
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
  module = path.join(outside, 'harbour-nav');
  cpSync(path.join(import.meta.dirname, 'harbour-nav'), module, { recursive: true });
}

/** Builds the module and puts it into the folder of modules, as an operator does. */
function build() {
  node(installed('vite/bin/vite.js'), ['build', '--logLevel', 'warn'], module);
  cpSync(path.join(module, 'dist'), path.join(modules, 'harbour-nav'), { recursive: true });
}

/** A page of the site without a browser, and the module of its header. */
async function home() {
  const { status, text, headers } = await send(host.port, '/en/home', { headers: { host: `${SITE}.localhost` } });
  assert.equal(status, 200);
  const json = /<script type="application\/json" id="bootstrap">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}';
  return { text, policy: headers['content-security-policy'], header: JSON.parse(json).slots.header?.[0] };
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

before(async () => {
  prepare();
  modules = path.join(outside, 'modules');
  mkdirSync(modules);
  build();
  host = await startDemo('foreign-module', {
    prepare: ({ sites, data, run }) => {
      masthead = (...words) => run(...words, '--sites', sites, '--data', data, '--modules', modules);
      const edit = (name, from, to) => {
        const file = path.join(sites, name);
        const text = readFileSync(file, 'utf8');
        assert.ok(text.includes(from), `${name} has no ${from}`);
        writeFileSync(file, text.replace(from, to));
      };
      // The one line of configuration, and a site that has this style.
      edit('platform.toml', '9 = "nav-alternate"', '9 = "harbour-nav"');
      edit(`${SITE}.toml`, 'navStyle = 0', 'navStyle = 9');
    },
    serve: ['--modules', modules],
  });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  const wrong = await host?.stop();
  if (outside) rmSync(outside, { recursive: true, force: true });
  assert.equal(wrong, undefined);
});

test('the package has types for the module and helpers for its tests', () => {
  node(installed('typescript/bin/tsc'), ['--noEmit'], module);
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
  assert.match(header.entry, /^\/assets\/modules\/harbour-nav\/[0-9a-f]{16}\/assets\/harbour-nav-[\w-]+\.js$/);
  assert.ok(text.includes(`<link rel="modulepreload" href="${header.entry}" integrity="${header.integrity}"`));
  assert.match(policy, /script-src 'nonce-[^']+' 'strict-dynamic'/);
  const script = await send(host.port, header.entry, { headers: { host: `${SITE}.localhost` } });
  assert.equal(`sha384-${createHash('sha384').update(script.bytes).digest('base64')}`, header.integrity);
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
  const script = await send(host.port, header.entry, { headers: { host: `${SITE}.localhost` } });
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
  build();
  await until('the swap', async () => (await home()).header?.entry !== before.entry);
  const former = await send(host.port, before.entry, { headers: { host: `${SITE}.localhost` } });
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
      build();
      await until('the swap', async () => (await home()).header?.entry !== entry);
      const { page, close } = await openPage(browser);
      const reported = reportOf(page, reason);
      await page.goto(at('/en/home'));
      assert.deepEqual(await reported, ['header', 'harbour-nav']);
      await page.locator('#app > [data-slot="header"][data-failed]').waitFor({ state: 'attached' });
      assert.equal(await page.locator('header').count(), 1);
      assert.ok(await page.locator('header .harbour-motto').isVisible());
      await until('the count', async () => (await failures(reason)) > counted);
      await page.locator('main a[href*="/article/"]').first().click();
      await page.locator('article.reader h1').waitFor();
      await close();
    } finally {
      writeFileSync(source, good);
      cpSync(kept, folder, { recursive: true });
      rmSync(kept, { recursive: true });
    }
    await until('the way back', async () => (await home()).header?.entry === entry);
  });
}

test('a broken replacement changes nothing for readers and is named by the check and the metrics', async () => {
  const { header } = await home();
  const script = path.join(modules, 'harbour-nav', header.entry.split('/').slice(5).join('/'));
  const good = readFileSync(script);
  writeFileSync(script, good.subarray(0, good.length / 2));
  await until('the report', async () => (await metrics(host.data)).includes('masthead_module_refused{module="harbour-nav"'));
  assert.deepEqual((await home()).header, header);
  assert.equal((await send(host.port, header.entry, { headers: { host: `${SITE}.localhost` } })).text, good.toString());
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
