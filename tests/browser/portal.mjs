// A demo host for browsers, and Chromium.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { send, startDemo } from '../demo-host.mjs';

const find = (...names) => {
  for (const name of names) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Not found: try the next name.
    }
  }
  throw new Error(`no browser: install Chromium (looked for ${names.join(', ')} on the PATH)`);
};

const address = (port) => (sld, path) => `http://${sld}.localhost:${port}${path}`;

/**
 * A host with the demo content on a copy of `sites/`, which `edit` may change before the start; `secrets` is the text of `secrets.toml`.
 * Without changes, it is the host that `run.mjs` has started for all files; `own` asks for one whose files the test may change.
 */
export async function startPortal({ edit, secrets, own = false } = {}) {
  const shared = Number(process.env.MASTHEAD_TEST_PORT);
  if (shared && !edit && !secrets && !own) return { port: shared, at: address(shared), stop: async () => {} };
  const prepare = (folders) => {
    edit?.(folders.sites);
    if (secrets) writeFileSync(path.join(folders.data, 'secrets.toml'), secrets, { mode: 0o600 });
  };
  const { port, sites, data, run, log, stop } = await startDemo('browser', { prepare });
  return {
    port,
    sites,
    data,
    /** Runs a command of the binary. */
    run,
    log,
    at: address(port),
    stop: async () => {
      const wrong = await stop();
      if (wrong) throw new Error(wrong);
    },
  };
}

/** The body of a page of a site, requested without a browser. The host name has no port, so that addresses in the page are the same in every run. */
export async function get(port, sld, address) {
  const { status, text } = await send(port, address, { headers: { host: `${sld}.localhost` } });
  if (status !== 200) throw new Error(`${sld} ${address}: ${status}`);
  return text;
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The program of the whole browser, for what measures it. */
export const chromiumPath = () => find(...BROWSERS);

/**
 * Chromium, which can access this machine only. Its headless shell, a package of its own, is the same engine without the browser around it: a page
 * takes a little over half of the processor time.
 */
const chromiumOptions = (executablePath = find('chromium-headless-shell', ...BROWSERS)) => ({
  executablePath,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP *.localhost 127.0.0.1',
  ],
});

/** Starts a Chromium that several processes use. */
export const startBrowserServer = () => chromium.launchServer({ ...chromiumOptions(), host: '127.0.0.1' });

/** Connects to the Chromium that `run.mjs` has started, or starts one: of `program`, if that is given. */
export const startBrowser = (program) => {
  const shared = process.env.MASTHEAD_TEST_BROWSER;
  return shared ? chromium.connect(shared) : chromium.launch(chromiumOptions(program));
};

/** The longest wait for something on a page, in ms: it ends a test that hangs, and is no measure of speed, because a busy machine may be slow. */
const HANG_MS = 120_000;

/** Opens a page that records console errors, exceptions and requests to other origins in `faults`. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(HANG_MS);
  const faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const host = new URL(request.url()).hostname;
    if (!host.endsWith('localhost') && !request.url().startsWith('data:')) faults.push(`another origin: ${request.url()}`);
  });
  if (options.javaScriptEnabled !== false) waitForShell(page);
  return { page, faults, close: () => context.close() };
}

/** Until when a page that waits for an idle network waits for the shell, in ms. Where its scripts cannot run, a test has nothing to wait for. */
const SHELL_MS = 5000;

/**
 * Has `page.goto` with `networkidle` wait for the shell, too: its scripts are requested when the document has been painted, and on a busy machine
 * the network is idle for half a second before that.
 */
function waitForShell(page) {
  const goto = page.goto.bind(page);
  page.goto = async (address, options) => {
    const response = await goto(address, options);
    if (options?.waitUntil === 'networkidle' && response?.headers()['content-type']?.startsWith('text/html')) {
      const started = () => !document.querySelector('head > template')?.content.firstElementChild;
      await page.waitForFunction(started, undefined, { timeout: SHELL_MS }).catch(() => undefined);
      if (await page.locator('body > script#bootstrap').count()) {
        await page.waitForSelector('#app .progress', { state: 'attached', timeout: SHELL_MS }).catch(() => undefined);
      }
    }
    return response;
  };
}

/**
 * The portal and the browser of a file of tests, which are started before its tests, and stopped after them. The portal has the options of
 * `startPortal`; `prepare` is called when both are there. Of the result, `at` gives addresses in the portal, `open` opens pages, `articleIn` gives
 * the address of the first article in a list of a site, of those whose title has a text, and `articleOf` that of the first one on a home page. A list is
 * read once, without scripts: a page with them takes many times the processor time.
 */
export function useDemo({ prepare, ...options } = {}) {
  const articles = new Map();
  const readArticle = async (list, title) => {
    const { page, close } = await demo.open({ javaScriptEnabled: false });
    await page.goto(list);
    const address = await firstArticle(page, title);
    await close();
    return address;
  };
  const demo = {
    at: (sld, path) => demo.portal.at(sld, path),
    open: (pageOptions) => openPage(demo.browser, pageOptions),
    articleIn: async (sld, list, title = '') => {
      const key = `${sld} ${list} ${title}`;
      if (!articles.has(key)) articles.set(key, await readArticle(demo.at(sld, list), title));
      return articles.get(key);
    },
    articleOf: (sld, lang) => demo.articleIn(sld, `/${lang}/home/`),
  };
  before(async () => {
    demo.portal = await startPortal(options);
    demo.browser = await startBrowser();
    await prepare?.(demo);
  });
  after(async () => {
    await demo.browser?.close();
    await demo.portal?.stop();
  });
  return demo;
}

/** Waits until the shell has taken a page over and, on an article, until the reader's tools are there. Pages without the site's frame have no shell. */
export async function waitForTools(page) {
  if (!(await page.locator('body > script#bootstrap').count())) return;
  await page.locator('#app .progress').waitFor({ state: 'attached' });
  if (await page.locator('article.reader').count()) await page.getByRole('toolbar').waitFor();
}

/** Waits until what has changed is drawn. */
export const drawn = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));

/** Waits until the upper edge of an element is `wanted` px below that of the window, give or take 2 px. */
export const waitForPlace = (page, selector, wanted) =>
  page
    .waitForFunction(([target, px]) => Math.abs(document.querySelector(target)?.getBoundingClientRect().top - px) <= 2, [selector, wanted])
    .catch(async (cause) => {
      const top = await page.evaluate((target) => document.querySelector(target)?.getBoundingClientRect().top, selector);
      throw new Error(`${selector} is ${top} px below the upper edge of the window, not ${wanted} px`, { cause });
    });

/** The tags of the axe rules for WCAG 2.2, levels A and AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** The tags of those and of all rules of good practice. axe applies the rule for the size of targets only where its tag is named. */
export const ALL_RULES = [...WCAG, 'best-practice'];

/**
 * What axe finds wrong on a page: for each rule, the elements that violate it. axe looks at the whole page or at what the selector `include`
 * names, in both cases without what the selectors `exclude` name, and applies the rules that it applies by itself, those with one of `tags`, or only `rules`.
 * It does not look into frames: where there are some, `exclude` has to say so. Its script comes once for each document, however often that is looked at,
 * and only violations are read: without the elements that pass, it takes half of the time.
 */
export async function violations(page, { include, exclude = [], tags, rules } = {}) {
  const without = [exclude].flat();
  if (page.frames().length > 1 && !without.includes('iframe')) throw new Error(`${page.url()} has frames, and \`exclude\` does not name 'iframe'`);
  if (await page.evaluate(() => !globalThis.axe)) await page.evaluate(axe.source);
  // What is half transparent, because it is just opening, has no contrast of its own.
  await page.evaluate(async () => {
    const ends = ({ playState, timeline, effect }) =>
      playState === 'running' && timeline instanceof DocumentTimeline && effect.getComputedTiming().endTime < Infinity;
    await Promise.all(
      document
        .getAnimations()
        .filter(ends)
        .map((one) => one.finished.catch(() => undefined)),
    );
  });
  const context = { include: [[include ?? 'html']], exclude: without.map((one) => [one]) };
  const only = tags ? { type: 'tag', values: tags } : rules && { type: 'rule', values: rules };
  const options = { iframes: false, resultTypes: ['violations'], ...(only && { runOnly: only }) };
  const found = await page.evaluate(async ([where, how]) => (await globalThis.axe.run(where, how)).violations, [context, options]);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target} ${html}`).join(' | ')}`);
}

/** Sums up the layout shifts of the documents that the page opens, in `globalThis.shift`. */
export const observeShifts = (page) =>
  page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** By how many px a page is wider than its window. */
export const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Whether each character of the element's text stands to the right of the one before it on its line. */
export const readsFromLeft = (locator) =>
  locator.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const places = [];
    while (texts.nextNode()) {
      const node = texts.currentNode;
      for (let at = 0; at < node.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, top, width } = range.getBoundingClientRect();
        if (width) places.push({ left, top });
      }
    }
    return places.length > 3 && places.every(({ left, top }, at) => !at || left >= places[at - 1].left || Math.abs(top - places[at - 1].top) > 4);
  });

/** The address of the first article listed on a page. */
export const firstArticle = (page, title = '') => page.locator('.article-card .card-title a', { hasText: title }).first().getAttribute('href');

/** The content of a download, which may be on the side of the browser only. */
export const bytesOf = async (download) => buffer(await download.createReadStream());
