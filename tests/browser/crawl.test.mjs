// Every link in the demo's pages leads somewhere, from site to site, too, and every page is a good document: over HTTP, on all sites and in all languages.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { bootstrapOf, crawl, faultsOf, faultsOfContent, linksOf, menuOf, patternOf, sites } from './crawler.mjs';
import { startPortal } from './portal.mjs';

/**
 * Time in ms for all pages. What is not visited by then are further pages of kinds that were visited, the farthest from the home pages. With
 * `CRAWL_SECONDS` (`make crawl`), there is time for every page, and none may be left.
 */
const WHOLE = Number(process.env.CRAWL_SECONDS ?? 0) * 1000;
const TIME = WHOLE || 75_000;

/** The fewest kinds of pages that the demo has. */
const KINDS = 40;

/** How many pages of a kind are visited: two in the languages of the texts, one in the others, which differ in the frame alone. */
const samples = ({ language }) => (/^(zh|en)$/.test(language.code) ? 2 : 1);
/**
 * With `CRAWL_SECONDS`, every page and every state that a page leads to, such as the results for each author. States of states are samples even then:
 * filters can be combined without end.
 */
const each = (task) => (WHOLE && task.states < 2 ? Infinity : samples(task));

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
  const withEmpty = (parts) => `<p class="empty">frame</p><main id="main"><h1>A</h1>${'<p class="empty">No data</p>'.repeat(parts)}</main>`;
  for (const [parts, code, faults] of [
    [0, 'news', []],
    [1, 'news', ['parts without data: 1']],
    [1, 'latestOffer', []],
    [2, 'latestOffer', ['parts without data: 2']],
  ])
    assert.deepEqual(faultsOfContent(withEmpty(parts), 'oceanledger', code), faults);
  for (const [address, pattern] of [
    ['/en/home/', 'home'],
    ['/en/article/64', 'article/N'],
    ['/zh/article/doi/10.5555/a', 'article/doi/x/x'],
    ['/en/textList?type=picture&index=-1', 'textList?index&type=picture'],
  ])
    assert.equal(patternOf(address), pattern);
});

test('without a limit no page and no state of a page is left out, and of states of states one of each kind is visited', async () => {
  const links = (address) => {
    const state = (href) => `<a href="${href}" rel="nofollow">state</a>`;
    if (address.includes('?')) return ['1', '2'].map((year) => state(`${address}&year=${year}`)).concat('<a href="/en/article/4">4</a>');
    if (address !== '/en/home/') return [];
    return [1, 2, 3].map((id) => `<a href="/en/article/${id}">${id}</a>`).concat(['a', 'b', 'c'].map((word) => state(`/en/search?q=${word}`)));
  };
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<script id="bootstrap">{"languages":[{"code":"en"}]}</script>${links(url).join('')}`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const visits = async (limit, pagesFirst) => {
    const visited = [];
    const { left, beyond } = await crawl({ port: server.address().port, slds: ['one'], each: limit, pagesFirst, onPage: ({ asked }) => visited.push(asked) });
    return { visited: visited.map((address) => address.replace('/en/', '')).sort(), left, beyond };
  };
  try {
    const whole = await visits(({ states }) => (states < 2 ? Infinity : 1), true);
    const articles = ['article/1', 'article/2', 'article/3', 'article/4'];
    const searches = ['search?q=a', 'search?q=b', 'search?q=c'];
    const filtered = whole.visited.filter((address) => address.includes('year'));
    assert.deepEqual(
      whole.visited.filter((address) => !address.includes('year')),
      [...articles, 'home/', ...searches],
    );
    assert.deepEqual([filtered.length, whole.left], [1, 0]);
    const limited = await visits(() => 1, false);
    assert.deepEqual(limited.visited, ['article/1', 'home/', 'search?q=a', 'search?q=a&year=1']);
    assert.ok(limited.beyond > whole.beyond && whole.beyond >= 5, JSON.stringify([limited.beyond, whole.beyond]));
  } finally {
    server.close();
  }
});

test('links and redirects from one site to another are followed, and a dead one is found', async () => {
  const languages = { one: ['en', 'zh'], two: ['zh'] };
  const pages = {
    'one /en/home/': [
      'http://two.localhost/zh/article/1',
      'http://two.localhost/zh/article/2',
      'http://gone.localhost/en/home/',
      'https://away.example.org/',
      '/en/jump',
      '/zh/home/',
    ],
    'one /zh/home/': [],
    'one /zh/mag': [],
    'two /zh/home/': ['/zh/article/3'],
    'two /zh/article/1': ['http://one.localhost/zh/mag'],
    'two /zh/article/3': [],
  };
  const server = createServer(({ url, headers }, response) => {
    const sld = headers.host.split('.')[0];
    const links = url === '/' ? languages[sld] && [] : pages[`${sld} ${url}`];
    if (url === '/en/jump') return response.writeHead(302, { location: 'http://two.localhost/zh/album/9' }).end();
    response.writeHead(links ? 200 : 404, { 'content-type': 'text/html' });
    const bootstrap = JSON.stringify({ languages: (languages[sld] ?? []).map((code) => ({ code })) });
    return response.end(`<script id="bootstrap">${bootstrap}</script>${(links ?? []).map((href) => `<a href="${href}">link</a>`).join('')}`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const visits = async (each) => {
    const visited = [];
    const dead = [];
    const onPage = ({ sld, asked, from, language, status }) => {
      visited.push(`${sld} ${asked} ${language.code}`);
      if (status >= 400) dead.push(`${sld} ${asked}, linked on ${from}`);
    };
    await crawl({ port: server.address().port, slds: ['one', 'two'], each, onPage });
    return { visited: visited.sort(), dead: dead.sort() };
  };
  try {
    const { visited, dead } = await visits(() => 2);
    assert.deepEqual(dead, [
      'gone /en/home/, linked on one /en/home/',
      'two /zh/album/9, linked on one /en/jump',
      'two /zh/article/2, linked on one /en/home/',
    ]);
    assert.deepEqual(
      visited.filter((one) => one.startsWith('one')),
      ['one /en/home/ en', 'one /en/jump en', 'one /zh/home/ zh', 'one /zh/mag zh'],
    );
    assert.ok(visited.includes('two /zh/article/1 zh') && visited.includes('two /zh/article/3 zh'), visited.join());
    // One of each kind of link from one site to the other, and one of each kind of page.
    assert.equal((await visits(() => 1)).visited.filter((one) => one.includes('two /zh/article/')).length, 2);
  } finally {
    server.close();
  }
});

test('no internal link is dead, pages have one heading, their language, no id twice, and menus lead to data', { timeout: TIME + 95_000 }, async (context) => {
  const wrong = [];
  const homes = new Set();
  const patterns = new Map();
  const menus = new Map();
  const wanted = new Map();
  const { visited, left, beyond, unseen } = await crawl({
    port: portal.port,
    until: Date.now() + TIME,
    each,
    pagesFirst: WHOLE > 0,
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
      for (const [to, code] of menuOf(bootstrap, sld, address)) menus.set(`${sld} ${to}`, code);
      // The pages whose menus have the entry came before its page.
      const code = menus.get(`${sld} ${asked}`);
      const faults = [...faultsOf(text, shown), ...(code ? faultsOfContent(text, sld, code) : [])];
      wrong.push(...faults.map((fault) => `${where}: ${fault}`));
    },
  });
  context.diagnostic(`${visited} pages of ${patterns.size} kinds on ${sites.length} sites, ${left} not visited for lack of time`);
  context.diagnostic(`${beyond} further ${WHOLE ? 'states of states' : 'pages'} of these kinds`);
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
