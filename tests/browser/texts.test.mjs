// Pages of text in the browser: the navigation beside them, tabs of news, boards, journals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooWide, useDemo, violations } from './portal.mjs';
import { FRAME, fetchNothingAhead, reusing } from './screen-checks.mjs';

const demo = useDemo();
const openPage = reusing(demo, fetchNothingAhead);

/** Opens an address; `inPlace` tells whether the document is still the one that was opened. */
async function open(sld, address) {
  const opened = await openPage({ reducedMotion: 'reduce' });
  const { page } = opened;
  await page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
  await page.evaluate(() => {
    globalThis.opened = true;
  });
  return { ...opened, inPlace: () => page.evaluate(() => globalThis.opened === true) };
}
const path = (page) => new URL(page.url()).pathname + new URL(page.url()).search;
const heading = (page) => page.locator('main h1').first();

test('the navigation beside a text leads through the texts without loading the document again', async () => {
  const { page, faults, inPlace, close } = await open('oceanledger', '/en/about');
  const side = page.locator('main .side-nav');
  const links = side.locator('a:not([aria-current])');
  const name = await links.first().innerText();
  await links.first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction((title) => document.querySelector('main h1')?.textContent === title, name);
  assert.equal(await side.locator('[aria-current="page"]').innerText(), name);
  assert.ok(await inPlace());
  await page.goBack();
  await page.waitForURL(/\/en\/about$/);
  await page.waitForFunction((title) => document.querySelector('main h1')?.textContent !== title, name);
  assert.deepEqual(faults, []);
  await close();
});

test('a tab of the news shows its type, opens an item, and Back returns to the tab', async () => {
  const { page, faults, inPlace, close } = await open('oceanledger', '/en/news');
  const tabs = page.locator('main .tabs');
  const all = await page.locator('.news-item').count();
  await tabs.getByRole('link', { name: /^Statements/ }).click();
  await page.waitForURL(/newsDataType=statement/);
  await page.waitForFunction((count) => document.querySelectorAll('.news-item').length < count, all);
  assert.match(await tabs.locator('[aria-current="page"]').innerText(), /^Statements/);
  const title = await page.locator('.news-item .card-title a').first().innerText();
  await page.locator('.news-item .card-title a').first().click();
  await page.waitForURL(/\/en\/newsDetails\/\d+$/);
  await page.waitForFunction((text) => document.querySelector('main h1')?.textContent === text, title);
  await page.goBack();
  await page.waitForURL(/newsDataType=statement/);
  await page.locator('.news-item').first().waitFor();
  assert.ok(await inPlace());
  assert.deepEqual(faults, []);
  await close();
});

test('a board is walked by keyboard: a member opens in detail, then on a page with articles', async () => {
  const { page, faults, close } = await open('oceanledger', '/zh/editorial-board');
  const member = page.locator('.people a').first();
  const name = await member.innerText();
  await member.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/zh\/editorial-board\/0\/\d+$/);
  const detail = page.locator('.person-open');
  await detail.waitFor();
  assert.ok((await detail.innerText()).includes(name));
  assert.equal(await page.locator('.people [aria-current="true"]').innerText(), name);
  await detail.locator('.block-more').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/zh\/scholar\/\d+$/);
  await page.waitForFunction((text) => document.querySelector('main h1')?.textContent === text, name);
  assert.deepEqual(faults, []);
  await close();
});

test('the tabs of a journal are links that keep the document', async () => {
  const { page, faults, inPlace, close } = await open('oceanledger', '/en/mag');
  const tabs = page.locator('main .tabs');
  for (const [name, expected] of [
    ['Columns', '.column-list'],
    ['Editorial board', '.people'],
    ['Current issue', '.article-card'],
  ]) {
    await tabs.getByRole('link', { name, exact: true }).click();
    await page.locator(`main ${expected}`).first().waitFor();
    assert.equal(await tabs.locator('[aria-current="page"]').innerText(), name);
  }
  assert.equal(await heading(page).innerText(), 'Ocean Ledger');
  assert.match(path(page), /^\/en\/mag\?tab=current$/);
  assert.ok(await inPlace());
  assert.deepEqual(faults, []);
  await close();
});

test('without scripts a text has its navigation, and tabs and pages of news are links', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  await page.goto(demo.at('scriptstone', '/en/news'));
  await page.locator('main .tabs a:not([aria-current])').first().click();
  await page.waitForURL(/newsDataType=/);
  assert.ok((await page.locator('.news-item').count()) > 0);
  await page.goto(demo.at('scriptstone', '/en/about'));
  await page.locator('main .side-nav a').last().click();
  await page.waitForURL(/\/en\/info\/\d+$/);
  assert.ok(await heading(page).isVisible());
  await close();
});

for (const [sld, width, colorScheme, addresses] of [
  ['oceanledger', 1280, 'light', ['/en/about', '/en/news', '/en/editorial-board', '/en/scholarList', '/en/mag?tab=columns', '/en/newArticle?code=conference']],
  ['oceanledger', 390, 'dark', ['/zh/about', '/zh/news', '/zh/editorial-board', '/zh/mag?tab=issues', '/zh/newLink1', '/zh/contact']],
  ['scriptstone', 390, 'light', ['/ara/about', '/ara/news', '/ara/editorial-board', '/ara/scholarList', '/ara/newLeaguage?styleId=4', '/ara/mag']],
  ['hsspress', 1280, 'dark', ['/en/about', '/en/mag', '/en/info', '/en/newsInfo/0/0', '/errorPage?lang=en']],
]) {
  test(`${sld} at ${width} px, ${colorScheme}: pages of text fit the window and axe has no finding`, async () => {
    const { page, close } = await demo.open({ reducedMotion: 'reduce', colorScheme, viewport: { width, height: 860 } });
    for (const [at, address] of addresses.entries()) {
      await page.goto(demo.at(sld, address));
      await page.locator('h1').first().waitFor();
      assert.ok((await tooWide(page)) <= 0, `${address} is wider than the window`);
      assert.deepEqual(await violations(page, { exclude: ['iframe', ...(at ? FRAME : [])] }), [], address);
    }
    await close();
  });
}
