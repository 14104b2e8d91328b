// The built shell and modules in Chromium under the host's CSP, with fixture documents: node ui-shell/tools/check.mjs
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { start } from './serve.mjs';

const { server, address, beacons } = await start();
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
const errors = [];
let failed = 0;

async function open(url, width = 1280, more = {}) {
  const context = await browser.newContext({ viewport: { width, height: width < 700 ? 844 : 860 }, reducedMotion: 'reduce', ...more });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('500') && errors.push(`${url}: ${message.text()}`));
  page.on('pageerror', (error) => errors.push(`${url}: ${error}`));
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(address + url, { waitUntil: 'networkidle' });
  return page;
}
async function check(name, work) {
  try {
    await work();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}
const active = (page, what = 'className') => page.evaluate((key) => document.activeElement?.[key], what);

for (const [url, width, scheme] of [
  ['/en/home/', 1280, 'light'],
  ['/zh/home/', 390, 'dark'],
  ['/zh/home/?nav=nav-alternate&search=search-header-bar', 1280, 'dark'],
  ['/en/home/?nav=nav-alternate&search=search-header-bar', 390, 'light'],
  ['/en/article/', 1280, 'light'],
  ['/zh/article/', 1280, 'dark'],
  ['/en/article/', 390, 'light'],
  ['/ara/article/', 1280, 'light'],
  ['/en/home/?plugins', 1280, 'light'],
  ['/ara/home/?plugins&nav=nav-alternate', 390, 'dark'],
  ['/en/article/?plugins', 1280, 'dark'],
  ['/zh/article/?plugins', 390, 'light'],
  ['/en/issue/?plugins&user=lin****wen', 1280, 'dark'],
  ['/en/issues/', 1280, 'light'],
  ['/en/issue/', 390, 'light'],
  ['/en/search/', 1280, 'light'],
  ['/en/nothing/', 1280, 'light'],
]) {
  await check(`${url} ${width} ${scheme}: modules stand, nothing shifts, nothing overflows, axe is content`, async () => {
    const page = await open(url, width, { colorScheme: scheme });
    const facts = await page.evaluate(() => ({
      shift: window.shift,
      wide: document.documentElement.scrollWidth > innerWidth,
      server: document.querySelectorAll('#app > .slot > [data-slot]').length,
    }));
    assert.ok(facts.shift <= 0.02, `shift ${facts.shift}`);
    assert.equal(facts.wide, false);
    assert.equal(facts.server, 0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(
      violations.map((violation) => `${violation.id} ${violation.nodes[0].target}`),
      [],
    );
    await page.context().close();
  });
}

let page = await open('/en/article/');
await check('a reference opens by hovering, 450 px wide, and closes when the pointer leaves', async () => {
  await page.locator('a.xref[data-ref-type=bibr]').first().hover();
  await page.locator('.xref-popover').waitFor();
  assert.equal((await page.locator('.xref-popover').boundingBox()).width, 450);
  await page.mouse.move(10, 500);
  await page.locator('.xref-popover').waitFor({ state: 'detached' });
});
await check('by key: focus in, Escape, focus back', async () => {
  await page.locator('a.xref[data-ref-type=fig]').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.xref-popover')?.contains(document.activeElement));
  await page.keyboard.press('Escape');
  await page.locator('.xref-popover').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement.className === 'xref');
});
await check('go to lands clear of the header, back to the text returns', async () => {
  await page.locator('a.xref[data-ref-type=table]').first().click();
  await page.getByRole('button', { name: 'Show in the text' }).click();
  await page.waitForTimeout(400);
  const top = await page.evaluate(() => document.getElementById('t1').getBoundingClientRect().top);
  assert.ok(Math.abs(top - 158) < 12, `top ${top}`);
  await page.getByRole('button', { name: 'Back to the text' }).click();
  assert.equal(await active(page, 'textContent'), 'Table 1');
});
await check('figures: deep link, keys, wheel, Escape', async () => {
  await page.locator('.fig-open').first().click();
  await page.locator('.viewer').waitFor();
  assert.equal(await page.evaluate(() => location.hash), '#view-f1');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.viewer-count').textContent(), '2 of 2');
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction(() => /scale\((?!1\))/.test(document.querySelector('.viewer-stage img').style.transform));
  await page.keyboard.press('Escape');
  await page.locator('.viewer').waitFor({ state: 'detached' });
  assert.match(await active(page), /fig-open/);
});
await check('a deep link opens its figure', async () => {
  const linked = await open('/en/article/#view-f2');
  await linked.locator('.viewer').waitFor();
  assert.equal(await linked.locator('.viewer-count').textContent(), '2 of 2');
  await linked.context().close();
});
await check('navigation keeps the document, Back restores the place', async () => {
  page = await open('/en/issue/');
  await page.evaluate(() => {
    window.kept = true;
  });
  await page.locator('.card-title a').nth(3).scrollIntoViewIfNeeded();
  const y = await page.evaluate(() => scrollY);
  await page.locator('.card-title a').nth(3).click();
  await page.locator('article.reader .toolbar').waitFor();
  assert.deepEqual(await page.evaluate(() => [window.kept, document.body.className, scrollY, document.activeElement.tagName]), [true, 'page-article', 0, 'H1']);
  await page.goBack();
  await page.locator('.issue-nav').waitFor();
  await page.waitForFunction((wanted) => scrollY === wanted, y);
});
await check('language switch in place', async () => {
  page = await open('/en/home/');
  await page.evaluate(() => {
    window.kept = true;
  });
  await page.locator('.frame-lang').click();
  await page.waitForFunction(() => document.documentElement.lang === 'zh');
  assert.deepEqual(await page.evaluate(() => [window.kept, location.pathname, /language=zh/.test(document.cookie)]), [true, '/zh/home/', true]);
});
await check('mobile menu navigates and unlocks the page', async () => {
  page = await open('/zh/home/?nav=nav-alternate', 390, { hasTouch: true, isMobile: true });
  await page.locator('.frame-mobile button').tap();
  await page.locator('.frame-sheet-row button').tap();
  await page.locator('.frame-sheet a', { hasText: '当期目录' }).tap();
  await page.locator('.issue-nav').waitFor();
  await page.locator('.frame-sheet').waitFor({ state: 'detached' });
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).overflow), 'hidden');
});
await check('at 390 px a reference is a sheet at the bottom', async () => {
  page = await open('/zh/article/', 390, { hasTouch: true, isMobile: true });
  await page.locator('a.xref[data-ref-type=bibr]').first().tap();
  await page.locator('.xref-popover').waitFor();
  const box = await page.locator('.xref-popover').boundingBox();
  assert.deepEqual([box.x, box.width, Math.round(box.y + box.height)], [0, 390, 844]);
});
await check('the assistant opens above its button, takes no script, closes by Escape, and goes with its page', async () => {
  page = await open('/en/home/?plugins');
  const before = await page.evaluate(() => [window.shift, document.documentElement.scrollHeight]);
  const button = page.getByRole('button', { name: 'Ask the assistant' });
  await button.click();
  await page.frameLocator('.assistant iframe').getByText('Ask about this journal.').waitFor();
  const [panel, below] = [await page.locator('.assistant-panel').boundingBox(), await button.boundingBox()];
  assert.deepEqual([panel.width, panel.height, below.height], [400, 600, 44]);
  assert.ok(panel.y >= 0 && panel.y + panel.height <= below.y, 'the panel leaves its button free');
  assert.deepEqual(await page.evaluate(() => [window.shift, document.documentElement.scrollHeight]), before);
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  assert.deepEqual(
    violations.map((violation) => `${violation.id} ${violation.nodes[0].target}`),
    [],
  );
  await page.keyboard.press('Escape');
  await page.locator('.assistant-panel').waitFor({ state: 'detached' });
  assert.match(await active(page), /assistant-button/);
  await page.locator('.frame-menu a', { hasText: 'Browse' }).click();
  await page.waitForFunction(() => document.body.className === 'page-issues');
  assert.equal(await page.locator('.assistant').count(), 0);
});
await check('at 390 px the assistant is a sheet over the whole width, and its button clears the way to the top', async () => {
  page = await open('/zh/home/?plugins', 390, { hasTouch: true, isMobile: true });
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
});
await check('a section is translated below its heading, which does not move', async () => {
  page = await open('/en/article/?plugins');
  const heading = page.locator('#s2 > h2');
  const place = () => heading.evaluate((element) => [element.offsetHeight, Math.round(element.getBoundingClientRect().top + scrollY)]);
  const at = await place();
  await page.locator('#s2 > .translate button').click();
  await page.locator('#s2 .translate-text:lang(zh)').waitFor();
  assert.deepEqual(await place(), at);
  await page.locator('#s2 select').selectOption('ara');
  await page.locator('#s2 .translate-text[dir=rtl]').waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(
    violations.map((violation) => `${violation.id} ${violation.nodes[0].target}`),
    [],
  );
  await page.locator('#s2 select').selectOption('ru');
  await page.getByText('This user is not authorized to translate.').last().waitFor();
});
await check('the code of translations is not fetched where they are off', async () => {
  page = await open('/en/article/');
  assert.equal(await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('Translate')).length), 0);
});
await check('the toolbar lists the languages of the article', async () => {
  page = await open('/en/article/?plugins');
  await page.getByRole('button', { name: 'Read this article in' }).click();
  assert.deepEqual(await page.getByRole('menuitem').evaluateAll((items) => items.map((item) => item.hreflang)), ['zh', 'en', 'ru', 'ar', 'fr', 'es', 'de']);
});
assert.deepEqual(errors.splice(0), []);
await check('a module that does not come leaves the markup of the server and is reported', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  page = await context.newPage();
  await page.route('**/nav-default*.js', (route) => route.abort());
  await page.goto(`${address}/en/home/`, { waitUntil: 'networkidle' });
  assert.deepEqual(
    await page.evaluate(() => [
      document.querySelector('header').dataset.slot,
      document.querySelector('header').offsetHeight,
      document.querySelector('.frame-search').dataset.slot,
    ]),
    ['header', 72, undefined],
  );
  assert.deepEqual(
    beacons.map((beacon) => [beacon.module, beacon.reason]),
    [['nav-default', 'load']],
  );
});
await check('without scripts everything reads', async () => {
  page = await open('/en/article/', 1280, { javaScriptEnabled: false });
  assert.equal(await page.locator('.reader-section:visible').count(), await page.locator('.reader-section').count());
});
await browser.close();
server.close();
process.exitCode = failed ? 1 : 0;
