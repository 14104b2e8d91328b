// Differences between sites: header, search, footer and links.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { firstArticle, useDemo } from './portal.mjs';

const demo = useDemo({ own: true });

const expected = [
  { sld: 'oceanledger', header: 'nav-default', search: 'search-header-bar', friendshipLinks: true, article: /^\/en\/article\/\d+$/ },
  { sld: 'scriptstone', header: 'nav-alternate', search: 'search-style-one', friendshipLinks: true, article: /^\/en\/article\/\d+$/ },
  { sld: 'hssxiv', header: 'nav-alternate', search: 'search-style-one', friendshipLinks: false, article: /^\/en\/hssArticle\/\d+$/ },
  { sld: 'plainpress', header: 'nav-default', search: 'search-header-bar', friendshipLinks: false, article: /^\/en\/article\/\d+$/ },
];

for (const site of expected) {
  test(`${site.sld} has its own header, search, footer and links`, async () => {
    const { page, faults, close } = await demo.open();
    const friendship = async () => (await page.locator('footer .friendship').count()) > 0;
    await page.goto(demo.at(site.sld, '/en/home/'), { waitUntil: 'networkidle' });
    assert.equal(await page.locator('header[data-module]').getAttribute('data-module'), site.header);
    assert.equal(await page.locator('.frame-search').getAttribute('data-module'), site.search);
    assert.equal(await friendship(), site.friendshipLinks, 'friendship links');
    assert.match(await firstArticle(page), site.article);
    // The header was rendered by the module; the fallback of the host would still have data-slot.
    assert.equal(await page.locator('header[data-slot="header"]').count(), 0);
    await page.locator('.article-card .card-title a').first().click();
    await page.waitForSelector('article.reader');
    assert.match(new URL(page.url()).pathname, site.article);
    assert.deepEqual(faults, []);
    await close();
  });
}

test('plugins rewrite the links of search results', async () => {
  for (const [sld, pattern] of [
    ['hssxiv', /\/zh\/hssArticle\/\d+$/],
    ['oceanledger', /\/zh\/article\/\d+$/],
  ]) {
    const { page, faults, close } = await demo.open();
    await page.goto(demo.at(sld, '/zh/home/'), { waitUntil: 'networkidle' });
    await page.fill('.frame-search [type=search]', '潮');
    await page.keyboard.press('Enter');
    // The home page has cards, too.
    await page.waitForURL(/\/zh\/search\?q=/);
    await page.waitForSelector('.results .article-card');
    assert.match(await firstArticle(page), pattern);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('an empty search shows a message and does not navigate', async () => {
  const { page, close } = await demo.open();
  await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
  await page.locator('.frame-search [type=submit]').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /Tips[\s\S]*Please enter search content[\s\S]*OK/);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.match(page.url(), /\/en\/home/);
  await close();
});

test('enabling a plugin on another site takes effect on the next view, without a failed request', async () => {
  const { page, faults, close } = await demo.open();
  const plain = demo.at('plainpress', '/en/home/');
  await page.goto(plain, { waitUntil: 'networkidle' });
  assert.equal(await page.locator('.friendship').count(), 0);
  const ocean = readFileSync(path.join(demo.portal.sites, 'oceanledger.toml'), 'utf8');
  const block = ocean.slice(ocean.indexOf('[[plugins]]'));
  let asking = true;
  let failed = 0;
  let asked = 0;
  const load = (async () => {
    while (asking) {
      const answer = await fetch(`http://127.0.0.1:${demo.portal.port}/plainpress/en/home/`);
      await answer.arrayBuffer();
      asked += 1;
      if (answer.status !== 200) failed += 1;
    }
  })();
  const before = readFileSync(path.join(demo.portal.sites, 'plainpress.toml'), 'utf8');
  appendFileSync(path.join(demo.portal.sites, 'plainpress.toml'), `\n${block}`);
  const shown = async (wanted) => {
    // What bounds a hang, not the speed of the machine.
    const patience = performance.now() + 180_000;
    while (performance.now() < patience) {
      await page.reload({ waitUntil: 'networkidle' });
      if ((await page.locator('.friendship').count()) === wanted) return true;
      await page.waitForTimeout(100);
    }
    return false;
  };
  assert.ok(await shown(1), 'the row appears');
  writeFileSync(path.join(demo.portal.sites, 'plainpress.toml'), before);
  assert.ok(await shown(0), 'the row goes again');
  asking = false;
  await load;
  assert.equal(failed, 0, `${failed} of ${asked} requests failed`);
  assert.deepEqual(faults, []);
  await close();
});
