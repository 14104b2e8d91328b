// Pictures of the fixtures with the built files: node ui-shell/tools/shots.mjs <folder> [name filter]
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { start } from './serve.mjs';

const [folder = 'screenshots', filter = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { server, beacons, address } = await start();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
const CASES = [
  ['home-en', '/en/home/', 1280, 'light'],
  ['home-zh-m', '/zh/home/', 390, 'light'],
  ['home-zh-dark', '/zh/home/', 1280, 'dark'],
  ['home-alt-bar', '/zh/home/?nav=nav-alternate&search=search-header-bar', 1280, 'light'],
  ['home-alt-m', '/en/home/?nav=nav-alternate&search=search-header-bar', 390, 'dark'],
  ['article-en', '/en/article/', 1280, 'light'],
  ['article-zh', '/zh/article/', 1280, 'light'],
  ['article-dark', '/en/article/', 1280, 'dark'],
  ['article-en-m', '/en/article/', 390, 'light'],
  ['article-zh-m', '/zh/article/', 390, 'dark'],
  ['article-ara', '/ara/article/', 1280, 'light'],
  ['issues', '/en/issues/', 1280, 'light'],
  ['issue', '/en/issue/', 1280, 'light'],
  ['search', '/en/search/', 1280, 'light'],
  ['missing', '/en/nothing/', 1280, 'light'],
];
for (const [name, url, width, scheme] of CASES) {
  if (!name.includes(filter)) continue;
  const context = await browser.newContext({
    viewport: { width, height: width < 700 ? 844 : 900 },
    colorScheme: scheme,
    deviceScaleFactor: 1,
    hasTouch: width < 700,
  });
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(address + url, { waitUntil: 'networkidle' });
  const facts = await page.evaluate(() => ({
    shift: window.shift.toFixed(4),
    wide: document.documentElement.scrollWidth > innerWidth,
    modules: [...document.querySelectorAll('[data-module]')]
      .map((element) => `${element.dataset.module}${element.dataset.slot ? ' (server)' : ''}:${element.offsetHeight}`)
      .join(' '),
  }));
  console.log(name, JSON.stringify(facts), errors.join(' | '));
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: !name.includes('alt') });
  await context.close();
}
if (beacons.length) console.log('beacons', JSON.stringify(beacons));
await browser.close();
server.close();
