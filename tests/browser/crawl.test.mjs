// Every link in the demo's pages leads somewhere, and every page is a good document: over HTTP, on all sites and in all languages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bootstrapOf, crawl, faultsOf, linksOf, patternOf, sites } from './crawler.mjs';
import { startPortal } from './portal.mjs';

/**
 * Time in ms for all pages. What is not visited by then are further pages of kinds that were visited, the farthest from the home pages. With
 * `CRAWL_SECONDS` (`make crawl`), there is time for every page, and none may be left.
 */
const WHOLE = Number(process.env.CRAWL_SECONDS ?? 0) * 1000;
const TIME = WHOLE || 75_000;

/** The fewest kinds of pages that the demo has. */
const KINDS = 40;

let portal;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.stop());

test('links, headings, ids and languages are read from markup alone', () => {
  const html = `<html lang="en" dir="ltr"><body><!-- <a href="/no"> --><script>'<a href="/no"> id="a"'</script>
    <h1 id="a">A</h1><a class="x" href="/en/b?c=1&amp;d=2">b</a><a href='#a'>a</a></body></html>`;
  assert.deepEqual(linksOf(html), ['/en/b?c=1&d=2', '#a']);
  assert.deepEqual(faultsOf(html, { tag: 'en', dir: 'ltr' }), []);
  assert.deepEqual(faultsOf(html.replace('<h1', '<p id="a"></p><h2').replace("'#a'", '#b'), { tag: 'ar', dir: 'rtl' }), [
    'lang is en, not ar',
    'dir is ltr, not rtl',
    '0 headings of level 1',
    'ids that occur twice: a',
    'a link leads to #b, which is not in the page',
  ]);
  for (const [address, pattern] of [
    ['/en/home/', 'home'],
    ['/en/article/64', 'article/N'],
    ['/zh/article/doi/10.5555/a', 'article/doi/x/x'],
    ['/en/textList?type=picture&index=-1', 'textList?index&type=picture'],
  ])
    assert.equal(patternOf(address), pattern);
});

test('no internal link is dead, and every page has one heading, its language and no id twice', { timeout: TIME + 95_000 }, async (context) => {
  const wrong = [];
  const homes = new Set();
  const patterns = new Map();
  const wanted = new Map();
  const { visited, left, unseen } = await crawl({
    port: portal.port,
    until: Date.now() + TIME,
    // Two pages of each kind in the languages of the texts, one in the others: these differ in the frame alone.
    each: ({ language }) => (/^(zh|en)$/.test(language.code) ? 2 : 1),
    onPage: ({ sld, language, asked, from, status, text, isPage, address }) => {
      const where = `${sld} ${asked} (linked on ${from})`;
      // These lead to the sign-in of another server, which the demo does not have.
      if (/\/login\/external\?/.test(asked) && status === 502) return;
      if (status >= 400) return void wrong.push(`${where}: status ${status}`);
      const bootstrap = isPage && bootstrapOf(text);
      if (!bootstrap) return;
      patterns.set(patternOf(asked), (patterns.get(patternOf(asked)) ?? 0) + 1);
      if (bootstrap.page.kind === 'home') homes.add(`${sld} ${language.code}`);
      wanted.set(sld, bootstrap.languages.length);
      const shown = bootstrap.languages.find(({ code }) => code === bootstrap.lang);
      if (shown.code !== language.code) wrong.push(`${where}: ${address} is in ${shown.code}`);
      wrong.push(...faultsOf(text, shown).map((fault) => `${where}: ${fault}`));
    },
  });
  context.diagnostic(`${visited} pages of ${patterns.size} kinds on ${sites.length} sites, ${left} not visited for lack of time`);
  assert.deepEqual(wrong, []);
  assert.equal(
    homes.size,
    [...wanted.values()].reduce((sum, count) => sum + count, 0),
    'each site was visited in each of its languages',
  );
  assert.deepEqual(unseen, [], 'a page of every kind that a link leads to was visited');
  assert.ok(patterns.size >= KINDS, `only ${patterns.size} kinds: ${[...patterns.keys()]}`);
  if (WHOLE) assert.equal(left, 0, 'every page was visited');
});
