// Results of a search and long lists, in a browser: the next page in place, Back, the filters as a sheet, the advanced search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from '../demo-host.mjs';
import { tooWide, useDemo, violations } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

/** A word that many articles of a demo site have. */
const MANY = { sld: 'hssxiv', path: '/en/search?q=the' };
const demo = useDemo();

/** One page for all tests with scripts, but for those that change what comes: each of its own would start a process and load all scripts again. */
let opened;
/** Shows a page in a window of this width, on paper of this colour. */
async function show(sld, path, { width = 1280, colorScheme = 'light' } = {}) {
  if (!opened) {
    opened = await demo.open();
    await fetchNothingAhead(opened.page);
  }
  const { page, faults } = opened;
  faults.length = 0;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto(demo.at(sld, path));
  return { page, faults };
}
const cards = (page) => page.locator('main [data-list] > li');
const faultless = (faults) => assert.deepEqual(faults, []);
/** What axe finds in a part of the page. Whole pages of results are in `shell.test.mjs`, in `quality.test.mjs` and, on a dark phone, in `overlays.test.mjs`. */
const findings = (page, include = 'main') => violations(page, { include });

/** Shows a list of three pages of two items each: what the host sends, with its list cut. */
async function shortPages(page) {
  const cut = (html, number) => {
    const items = [1, 2].map(
      (item) => `<li class="article-card"><h3 class="card-title"><a href="/en/about">Item ${number}.${item}</a></h3><p>${'word '.repeat(400)}</p></li>`,
    );
    const next = number < 3 ? `<a class="more-link" rel="next" href="/en/onlineFirst?page=${number + 1}">Show more</a>` : '';
    const previous = number > 1 ? `<a class="more-link" rel="prev" href="/en/onlineFirst${number > 2 ? `?page=${number - 1}` : ''}">Previous</a>` : '';
    const list = `<h1>List</h1><ol class="article-list" data-list>${items.join('')}</ol><nav class="more" data-more data-page="${number}" aria-label="Pages of the list">${previous}<p class="more-count">${number * 2} of 6</p>${next}</nav>`;
    return html.replace(/(<main[^>]*>)[\s\S]*<\/main>/, `$1${list}</main>`);
  };
  const numberOf = (address) => Number(new URL(address, 'http://a').searchParams.get('page') ?? 1);
  const asked = [];
  // Names under `localhost` mean nothing to Node on some machines.
  const answerOf = async (request) => {
    const { host, pathname, search } = new URL(request.url());
    const { status, headers, text } = await send(demo.portal.port, pathname + search, {
      headers: { ...request.headers(), host, 'accept-encoding': 'identity' },
    });
    delete headers['content-length'];
    return { status, headers, text };
  };
  await page.route(/\/en\/onlineFirst/, async (route) => {
    const { text, ...answer } = await answerOf(route.request());
    await route.fulfill({ ...answer, body: cut(text, numberOf(route.request().url())) });
  });
  await page.route(/\/rc-pub\/front\/page\?.*onlineFirst/, async (route) => {
    const wanted = new URL(route.request().url()).searchParams.get('path');
    asked.push(numberOf(wanted));
    const { text, ...answer } = await answerOf(route.request());
    const json = JSON.parse(text);
    json.data.html = cut(`<main>${json.data.html}</main>`, numberOf(wanted)).replace(/^<main>|<\/main>$/g, '');
    await route.fulfill({ ...answer, body: JSON.stringify(json) });
  });
  return asked;
}

test('the next pages of a list are added near its end, and Back comes to the same place', async () => {
  const { page, faults, close } = await demo.open({ viewport: { width: 390, height: 844 } });
  const asked = await shortPages(page);
  await page.goto(demo.at('oceanledger', '/en/onlineFirst'));
  assert.equal(await cards(page).count(), 2);
  await page.locator('.more-link[rel="next"]').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelectorAll('main [data-list] > li').length >= 4);
  await page.waitForURL(/page=[23]$/);
  const link = page.getByRole('link', { name: 'Item 2.1' });
  await link.scrollIntoViewIfNeeded();
  const top = async () => Math.round((await link.boundingBox()).y);
  const before = await top();
  await link.click();
  await page.waitForURL(/\/en\/about$/);
  await page.goBack();
  await link.waitFor();
  assert.equal(await page.getByRole('link', { name: 'Item 1.1' }).count(), 1, 'the pages before are there again');
  await page.waitForFunction((wanted) => {
    const found = [...document.querySelectorAll('main a')].find((one) => one.textContent === 'Item 2.1');
    return found && Math.abs(found.getBoundingClientRect().top - wanted) < 80;
  }, before);
  assert.ok(asked.includes(2));
  faultless(faults);
  await close();
});

test('a list whose next page fails offers to try again in place', async () => {
  const { page, close } = await demo.open();
  await shortPages(page);
  let fail = true;
  await page.route(/\/rc-pub\/front\/page\?.*page%3D2/, (route) => (fail ? route.abort() : route.fallback()));
  await page.goto(demo.at('oceanledger', '/en/onlineFirst'));
  await page.locator('.more-link[rel="next"]').scrollIntoViewIfNeeded();
  const retry = page.getByRole('link', { name: 'Try again' });
  await retry.waitFor();
  assert.match(await page.locator('.more').innerText(), /could not be loaded/);
  fail = false;
  await retry.click();
  await page.waitForFunction(() => document.querySelectorAll('main [data-list] > li').length >= 4);
  await close();
});

test('without scripts the end of a list is a link to the next page', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  await page.goto(demo.at(MANY.sld, MANY.path));
  const next = page.locator('.more-link[rel="next"]');
  if (await next.count()) {
    await next.click();
    assert.match(page.url(), /page=2/);
    assert.ok((await cards(page).count()) > 0);
    await page.locator('.more-link[rel="prev"]').click();
    assert.doesNotMatch(page.url(), /page=/);
  } else assert.ok((await cards(page).count()) <= 20);
  await close();
});

test('filters are a column on a desktop and a sheet on a phone, with keyboard and without scripts', async () => {
  const address = '/en/search?q=tide';
  const { page: shown, faults } = await show('oceanledger', address);
  assert.ok(await shown.locator('#filters').isVisible());
  assert.ok(await shown.locator('.filters-open').isHidden());
  assert.deepEqual(await findings(shown, '#filters'), []);
  faultless(faults);

  const narrow = { width: 390, height: 844 };
  await shown.setViewportSize(narrow);
  const still = await demo.open({ viewport: narrow, javaScriptEnabled: false });
  await still.page.goto(demo.at('oceanledger', address));
  for (const page of [shown, still.page]) {
    const sheet = page.locator('#filters');
    const opener = page.locator('.filters-open');
    await sheet.waitFor({ state: 'hidden' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await sheet.waitFor();
    if (page === shown) assert.deepEqual(await findings(page, '#filters'), []);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await opener.click();
    await sheet.getByRole('link', { name: 'Last 5 years' }).click();
    await page.waitForURL(/lastYears=5/);
    assert.ok(await sheet.isHidden());
    await page
      .locator('.chosen')
      .getByRole('link', { name: /Last 5 years/ })
      .click();
    await page.waitForURL((url) => !url.search.includes('lastYears'));
  }
  await still.close();
});

test('tabs and sorts are addresses which Back keeps', async () => {
  const { page, faults } = await show('oceanledger', '/en/search?q=seagrass');
  await page
    .locator('.result-tabs')
    .getByRole('link', { name: /Figures/ })
    .click();
  await page.waitForURL(/type=picture/);
  assert.equal(
    await page
      .locator('.result-tabs [aria-current]')
      .innerText()
      .then((text) => text.split(/\s/)[0]),
    'Figures',
  );
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('picture'));
  await page.locator('.sorts').getByRole('link', { name: 'Date', exact: true }).click();
  await page.waitForURL(/sort=date/);
  assert.ok((await tooWide(page)) <= 0);
  faultless(faults);
});

test('a group site shows the hits of its sites, of which one can be chosen, and leads to their own pages', async () => {
  for (const width of [390, 1280]) {
    const { page, faults } = await show('plainpress', '/en/search?q=sensor', { width });
    assert.ok((await cards(page).count()) > 0);
    assert.equal(await page.locator('main .card-site').count(), await cards(page).count(), 'each hit has the name of its site');
    assert.ok(await page.locator('.results-bar').getByRole('link', { name: 'Advanced search' }).isVisible());
    assert.ok((await tooWide(page)) <= 0);
    assert.deepEqual(await findings(page, '.results-bar, #filters, main [data-list] > li:nth-child(-n + 3)'), []);
    if (width < 500) await page.locator('.filters-open').click();
    const sites = page.locator('#filters section').filter({ hasText: 'Sites of the group' });
    const member = sites.getByRole('link', { name: /^Quiet Circuits/ });
    const count = Number(await member.locator('.count').innerText());
    await member.click();
    await page.waitForURL(/site=quietcircuits/);
    await page
      .locator('.chosen')
      .getByRole('link', { name: /Quiet Circuits/ })
      .waitFor();
    assert.equal(await cards(page).count(), Math.min(count, 20));
    assert.deepEqual([...new Set(await page.locator('main .card-site').allInnerTexts())], ['Quiet Circuits']);
    await page.locator('.card-title a').first().click();
    await page.waitForURL(/^http:\/\/quietcircuits\.localhost:\d+\/en\/article\/\d+/);
    assert.ok(await page.locator('main h1').first().isVisible());
    faultless(faults);
  }
});

test('the advanced search says where a mistake is, and leads to it', async () => {
  for (const width of [390, 1280]) {
    const { page, faults } = await show('oceanledger', '/en/seniorSearch', { width });
    const first = page.getByRole('textbox', { name: /^Condition 1/ });
    await first.fill('tide AND');
    await first.press('Enter');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    assert.equal(await alert.locator('.corrected').innerText(), 'Search for tide');
    await alert.getByRole('link').first().click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'search-v1');
    assert.equal(await page.locator('#search-v1').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await findings(page), []);
    await page.locator('#search-v1').fill('tide');
    await page.locator('#search-v1').press('Enter');
    await page.locator('.result-tabs').waitFor();
    assert.match(page.url(), /seniorSearch\?.*v1=tide/);
    faultless(faults);
  }
});

test('what was found is marked, and what is nearest is said, in both colour schemes', async () => {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ]) {
    const { page, faults } = await show('oceanledger', '/en/search?q=seagrass', { width, colorScheme });
    const marks = page.locator('main mark');
    assert.ok((await marks.count()) > 0);
    assert.match(await marks.first().innerText(), /^seagrass/i);
    assert.deepEqual(await findings(page, 'main mark'), []);
    await page.goto(demo.at('oceanledger', '/en/search?q=seagrsas'));
    assert.ok(await page.locator('.nearest').isVisible());
    await page.locator('.did-you-mean').getByRole('link', { name: 'seagrass' }).click();
    await page.waitForURL(/q=seagrass/);
    assert.equal(await page.locator('.nearest').count(), 0);
    assert.ok((await tooWide(page)) <= 0);
    faultless(faults);
  }
});

test('further sorts and the other direction are reached with the keyboard', async () => {
  const { page, faults } = await show('oceanledger', '/en/search?q=tide');
  const more = page.locator('.sorts-more > summary');
  await more.focus();
  await page.keyboard.press('Enter');
  await page.locator('.sorts-more').getByRole('link', { name: 'Year', exact: true }).click();
  await page.waitForURL(/sort=year/);
  assert.deepEqual(await findings(page, '.sorts'), []);
  await page.locator('.sort-reverse').click();
  await page.waitForURL(/order=asc/);
  assert.equal(await page.locator('.sort-reverse').innerText(), 'Descending order');
  faultless(faults);
});

test('a search without hits says what can be done, on a dark phone', async () => {
  const { page } = await show('oceanledger', '/en/search?q=nowhereatall', { width: 390, colorScheme: 'dark' });
  assert.ok(await page.getByRole('heading', { name: 'What you can do' }).isVisible());
  assert.deepEqual(await findings(page), []);
});

test('the pages of accounts lead back to where the reader was', async () => {
  const { page, faults } = await show('oceanledger', '/login?lang=en&url=%2Fen%2Fissues');
  assert.match(page.url(), /\/en\/login/);
  assert.deepEqual(await findings(page), []);
  await page.getByRole('link', { name: 'Back to the page you came from' }).click();
  await page.waitForURL(/\/en\/issues$/);
  faultless(faults);
});
