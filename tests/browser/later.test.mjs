// What the shell does besides showing pages: pages fetched ahead, calls and their headers, an ended session, messages, the way to the top.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDemo, violations } from './portal.mjs';

const SLD = 'oceanledger';
const PAGE_CALL = '**/rc-pub/front/page?*';
const demo = useDemo();

/** Opens a page and records its calls. */
async function open(address, { before: prepare, ...options } = {}) {
  const opened = await demo.open(options);
  const calls = [];
  opened.page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.includes('/rc-pub/')) calls.push({ url, headers: request.headers(), method: request.method() });
  });
  await prepare?.(opened.page);
  await opened.page.goto(demo.at(SLD, address), { waitUntil: 'load' });
  return { ...opened, calls };
}
/** What is loaded when the browser is idle is mounted: React shows it up to 300 ms after its script has come, and its effects run then. */
const isIdle = async (page) => {
  await page.locator('[data-announces="title"]').waitFor({ state: 'attached' });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 50), { timeout: 2000 })));
};
const ahead = (calls) => calls.filter(({ headers }) => headers['purpose'] === 'prefetch');

test('a few pages in view are fetched ahead as data, and the article that is shown then is told to the host', async () => {
  const { page, calls, faults, close } = await open('/en/issue');
  const titles = page.locator('main .card-title a');
  const first = new URL(await titles.first().evaluate((link) => link.href)).pathname;
  for (let waited = 0; !ahead(calls).some(({ url }) => url.searchParams.get('path') === first) && waited < 120_000; waited += 100)
    await page.waitForTimeout(100);
  const paths = ahead(calls).map(({ url }) => url.searchParams.get('path'));
  assert.ok(paths.includes(first) && paths.length <= 3 && new Set(paths).size === paths.length, String(paths));
  for (const { url, headers } of calls) {
    assert.match(url.searchParams.get('timestamps'), /^\d{13}$/, String(url));
    assert.deepEqual([headers['language'], headers['siteid'], headers['token']], ['en', '448', undefined]);
  }
  await page.waitForLoadState('networkidle');
  const before = calls.length;
  const told = page.waitForRequest(/\/rc-pub\/front\/front-article\/\d+\?/);
  await titles.first().click();
  await page.locator('article.reader').waitFor();
  await told;
  const asked = calls.slice(before).filter(({ url, headers }) => url.searchParams.get('path') === first && headers['purpose'] !== 'prefetch');
  assert.deepEqual(asked, [], 'the page was at hand');
  assert.equal(await page.locator('p[role=status]', { hasText: await page.title() }).count(), 1, 'its title is announced');
  assert.deepEqual(faults, []);
  await close();
});

for (const connection of [{ saveData: true }, { effectiveType: 'slow-2g' }]) {
  test(`nothing is fetched ahead with ${JSON.stringify(connection)}`, async () => {
    const prepare = (page) => page.addInitScript((line) => Object.defineProperty(Navigator.prototype, 'connection', { get: () => line }), connection);
    const { page, calls, close } = await open('/en/issue', { before: prepare });
    await isIdle(page);
    const link = page.locator('main .card-title a').first();
    await link.hover();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(ahead(calls), []);
    await link.click();
    await page.locator('article.reader').waitFor();
    await close();
  });
}

test('an answer 401 is told once, forgets the names, and leads to the sign-in with the return address', async () => {
  const { page, close } = await open('/en/issue');
  await isIdle(page);
  await page.evaluate(() => {
    document.cookie = 'userName=lin; path=/';
    document.cookie = 'commonToken=stale; path=/';
  });
  const refused = { status: 401, contentType: 'application/json', body: JSON.stringify({ status: 401, data: null, message: 'Please sign in again' }) };
  await page.route(PAGE_CALL, (route) => route.fulfill(refused));
  // The sign-in page itself is not part of this test. It answers when the message has been read: the document stays until then.
  let answer;
  const isRead = new Promise((resolve) => (answer = resolve));
  await page.route('**/login?*', async (route) => {
    await isRead;
    await route.fulfill({ contentType: 'text/html', body: '<title>sign-in</title>' });
  });
  const links = page.locator('header a, main .card-title a').filter({ visible: true });
  const since = Date.now();
  for (const link of [links.first(), links.last()]) await link.click();
  const toast = page.locator('.notices[role=status] .toast');
  await toast.waitFor();
  assert.equal(await toast.count(), 1);
  assert.equal(await toast.locator('p').textContent(), 'Please sign in again');
  assert.doesNotMatch(await page.evaluate(() => document.cookie), /userName|commonToken/);
  answer();
  await page.waitForURL(/\/login\?/);
  assert.ok(Date.now() - since >= 1100);
  assert.equal(new URL(page.url()).searchParams.get('url'), '/en/issue');
  await close();
});

test('a message is readable in light and dark, and can be closed by key', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { page, close } = await open('/en/issue', { colorScheme, reducedMotion: 'reduce', viewport: { width: 390, height: 844 } });
    await isIdle(page);
    // A link whose address the host decides: this item does not exist.
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: '/en/newsDetails/1', textContent: 'news' });
      link.dataset.jump = 'news 1000000000';
      document.querySelector('main h1').after(link);
    });
    await page.locator('a[data-jump]').click();
    const toast = page.locator('.notices .toast[data-kind=failed]');
    await toast.waitFor();
    assert.ok((await toast.locator('p').textContent()).length > 3, 'the message of the host');
    assert.deepEqual(await violations(page, { include: '.notices' }), []);
    await toast.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await toast.waitFor({ state: 'detached' });
    assert.match(page.url(), /\/en\/issue$/);
    await close();
  }
});

test('the way to the top begins at 400 px on a phone, takes about half a second, and none where motion is to be reduced', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const { page, close } = await open('/en/issue', { reducedMotion, viewport: { width: 390, height: 500 } });
    await isIdle(page);
    const button = page.locator('.back-to-top');
    await page.evaluate(() => scrollTo(0, 400));
    await page.waitForFunction(() => scrollY === 400);
    assert.ok(await button.isHidden());
    await page.evaluate(() => scrollTo(0, 700));
    await button.waitFor();
    const { took, between } = await button.evaluate(
      (element) =>
        new Promise((resolve) => {
          // The way goes by the times of frames, of which the clock may be far ahead.
          requestAnimationFrame((begin) => {
            const from = scrollY;
            let between = 0;
            const look = (now) => {
              if (scrollY > 0 && scrollY < from) between += 1;
              if (scrollY === 0) resolve({ took: now - begin, between });
              else requestAnimationFrame(look);
            };
            element.click();
            look(begin);
          });
        }),
    );
    // A slow machine draws fewer frames and begins late, but does not end earlier, and stops nowhere on a way that takes no time.
    if (reducedMotion === 'reduce') assert.equal(between, 0, `${between} frames between the place and the top`);
    else assert.ok(took >= 450, `${took} ms`);
    await close();
  }
});
