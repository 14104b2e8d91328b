// The search widgets: seven looks, the form without scripts, types, conditions, suggestions, and what happens before the results.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { WCAG, drawn, useDemo, violations } from './portal.mjs';
import { fetchNothingAhead, follow, turnTo } from './screen-checks.mjs';
import { SEARCH_STYLES, addStyledSites, searchOf } from './styled-sites.mjs';

const demo = useDemo({
  edit: (sites) => {
    addStyledSites(sites);
    const ocean = path.join(sites, 'oceanledger.toml');
    writeFileSync(ocean, readFileSync(ocean, 'utf8').replace(/\[search\][\s\S]*?(?=\n\[)/, searchOf(1)));
  },
});

const home = (lang) => demo.at('oceanledger', `/${lang}/home/`);
const fieldOf = (page) => page.locator('.frame-search [type=search]');
/** Opens the home page, and waits until the widget answers to its reader. */
async function openHome(lang, options) {
  const opened = await demo.open(options);
  await fetchNothingAhead(opened.page);
  await opened.page.goto(home(lang), { waitUntil: 'networkidle' });
  return { ...opened, field: fieldOf(opened.page) };
}

for (const [style, module] of Object.entries(SEARCH_STYLES)) {
  test(`${module} is whole, in light and dark, narrow and wide, from left and from right`, async () => {
    const { page, faults, close } = await demo.open({ reducedMotion: 'reduce' });
    await fetchNothingAhead(page);
    const load = (address) => page.goto(demo.at(`styled${style}`, address), { waitUntil: 'networkidle' });
    // A page of both widths is opened once: the narrow window comes while it is open.
    for (const [address, width, colorScheme, come] of [
      ['/en/home/', 1280, 'light', load],
      ['/ara/home/', 390, 'dark', load],
      ['/ara/issues', 1280, 'dark', (next) => follow(page, next)],
      ['/ara/issues', 390, 'dark'],
    ]) {
      const at = `${address} ${colorScheme} ${width}`;
      await turnTo(page, { viewport: { width, height: 900 }, colorScheme });
      await come?.(address);
      await drawn(page);
      const widget = page.locator('.frame-search');
      // On a phone it is a popup, except on the home page.
      const popup = page.locator('.frame-search-button:visible');
      if (await popup.count()) await popup.click();
      await fieldOf(page).waitFor();
      assert.equal(await widget.getAttribute('data-module'), module, at);
      const seen = await page.evaluate(() => {
        const inside = (element) => {
          const { left, right, width: wide } = element.getBoundingClientRect();
          return wide > 0 && left >= -1 && right <= innerWidth + 1;
        };
        const parts = [...document.querySelectorAll('.search-line, .search-line > *:not(p), .search-title, .search-entry')];
        return {
          scrolls: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          outside: parts.filter((part) => !part.hidden && !inside(part)).map((part) => part.className || part.name),
          field: document.querySelector('.frame-search [type=search]').getBoundingClientRect().width,
        };
      });
      assert.ok(seen.scrolls <= 1, `${at}: ${seen.scrolls} px too wide`);
      assert.deepEqual(seen.outside, [], at);
      assert.ok(seen.field >= 96, `${at}: a field of ${seen.field} px`);
      assert.deepEqual(await violations(page, { include: '.frame-search', tags: WCAG }), [], at);
    }
    assert.deepEqual(faults, []);
    await close();
  });
}

test('the stage of style seven is the width of the window times 0.6 high, with 0.4 of it above the title', async () => {
  const { page, close } = await demo.open();
  await page.goto(demo.at('styled7', '/en/home/'), { waitUntil: 'networkidle' });
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    const [height, top] = await page.locator('.search-stage').evaluate((stage) => [stage.offsetHeight, parseFloat(getComputedStyle(stage).paddingBlockStart)]);
    assert.ok(Math.abs(height - width * 0.6) <= 1, `${width}: ${height}`);
    assert.ok(Math.abs(top - width * 0.24) <= 1, `${width}: ${top}`);
  }
  await close();
});

test('without scripts, the form opens the results of the type, and hot words are links', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  await page.goto(home('en'));
  await page.locator('.search-scopes label', { hasText: 'Figures' }).click();
  await fieldOf(page).fill('tides');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/en\/search\?/);
  const { searchParams } = new URL(page.url());
  assert.deepEqual([searchParams.get('q'), searchParams.get('type'), searchParams.get('field')], ['tides', 'picture', '0']);
  await page.goto(home('en'));
  await page.getByRole('list', { name: 'Often searched' }).getByRole('link', { name: 'carbon budget' }).click();
  await page.waitForURL(/\/en\/search\?q=carbon\+budget&type=article$/);
  await close();
});

test('a reader with a keyboard chooses type and condition, types, and takes a suggestion', async () => {
  const { page, faults, field, close } = await openHome('en');
  const calls = [];
  page.on('request', (request) => calls.push(new URL(request.url())));
  await page.getByRole('radio', { name: 'Articles' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('radio', { name: 'Journals' }).isChecked(), true);
  assert.equal(await page.locator('.search-option').count(), 0, 'isOpenConfig is not 1');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Tab');
  const option = page.locator('.search-option');
  await page.waitForFunction(() => document.querySelector('.search-option')?.options.length > 1);
  assert.equal(await option.inputValue(), '0');
  await field.fill('words of before');
  await option.selectOption('resName_tic');
  assert.equal(await field.inputValue(), '', 'another condition clears the words');
  await option.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type('tide');
  await page.getByRole('listbox').waitFor();
  assert.equal(await field.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('ArrowDown');
  const active = page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`);
  assert.equal(await active.innerText(), 'tides');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/en\/search\?q=tides&type=article&field=resName_tic$/);
  const asked = (end) => calls.filter(({ pathname }) => pathname.endsWith(end)).map(({ searchParams }) => searchParams);
  assert.deepEqual([...new Set(asked('/search-conditions').map((query) => query.get('type')))], ['article']);
  assert.deepEqual(
    asked('/analyze').map((query) => [query.get('q'), query.get('type')]),
    [['tides', 'article']],
  );
  assert.equal(asked('/front/search').length, 0, 'typing is not a search');
  assert.equal(asked('/search/suggest').at(-1)?.get('q'), 'tide');
  assert.equal(await fieldOf(page).inputValue(), 'tides');
  assert.deepEqual(faults, []);
  await close();
});

test('a search that is not analyzed leaves the reader where he is, and says so', async () => {
  const { page, field, close } = await openHome('en');
  await page.route('**/rc-pub/front/analyze*', (route) => route.abort());
  await field.fill('tides');
  await page.keyboard.press('Enter');
  const said = page.locator('.search-said');
  await page.waitForFunction(() => (document.querySelector('.search-said')?.textContent ?? '') !== '');
  assert.match(await said.innerText(), /^The search did not answer/);
  assert.equal(await said.getAttribute('role'), 'status');
  assert.match(page.url(), /\/en\/home\/$/);
  await page.unroute('**/rc-pub/front/analyze*');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/en\/search\?q=tides/);
  await close();
});

test('a text without words is refused in the words of the host', async () => {
  const { page, field, close } = await openHome('zh');
  await field.fill('?!');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => (document.querySelector('.search-said')?.textContent ?? '') !== '');
  assert.match(page.url(), /\/zh\/home\/$/);
  await field.fill('');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '提示' });
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /请输入检索内容[\s\S]*确定/);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await field.evaluate((input) => input === document.activeElement), true);
  await close();
});

test('the results of journals open in a new tab', async () => {
  const { page, field, close } = await openHome('en');
  await page.getByRole('radio', { name: 'Journals' }).check({ force: true });
  await field.fill('ocean');
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const tab = await opening;
  await tab.waitForURL(/\/en\/searchPublication\?type=publication&searchType=singleSearch&index=-1&q=ocean$/);
  assert.equal(await tab.evaluate(() => window.opener), null);
  assert.match(page.url(), /\/en\/home\/$/);
  await close();
});

test('the results of figures have their tabs, and the widget keeps the type', async () => {
  const { page, field, close } = await openHome('en');
  await page.getByRole('radio', { name: 'Figures' }).check({ force: true });
  await field.fill('seagrass');
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const tab = await opening;
  await tab.waitForURL(/\/en\/textList\?type=picture&index=-1&q=seagrass$/);
  assert.match(await tab.locator('.result-tabs [aria-current="page"]').innerText(), /^Figures/);
  await tab.waitForFunction(() => document.querySelector('.search-scope')?.value === 'picture');
  await tab
    .locator('.result-tabs')
    .getByRole('link', { name: /^Tables/ })
    .click();
  await tab.waitForURL(/\/en\/search\?q=seagrass&type=table$/);
  await close();
});

test('a navigation clears the words and selects the first type again', async () => {
  const { page, field, close } = await openHome('en');
  await page.getByRole('radio', { name: 'Tables' }).check({ force: true });
  await field.fill('unfinished');
  await page.locator('main a[href*="/article/"]').first().click();
  await page.waitForSelector('article.reader');
  assert.equal(await fieldOf(page).inputValue(), '');
  assert.equal(await page.locator('.search-scope').inputValue(), 'article');
  await close();
});

test('in a narrow window, the field opens what others search for', async () => {
  const { page, field, faults, close } = await openHome('zh', { viewport: { width: 390, height: 800 } });
  await field.click();
  const list = page.getByRole('listbox');
  await list.waitFor();
  assert.match(await list.innerText(), /碳收支/);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  await field.click();
  await page.keyboard.press('ArrowDown');
  await list.getByRole('option', { name: '潮汐' }).click();
  await page.waitForURL(/\/zh\/search\?q=/);
  assert.deepEqual(faults, []);
  await close();
});
