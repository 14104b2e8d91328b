// axe on every screen, with all of its rules: at 1280 px on light paper and at 390 px on dark paper. What screens there are is found by following
// links; those of the specification that no link of the demo needs are named here. Each screen is loaded once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { screenOf, screens, visit } from './crawler.mjs';
import { ALL_RULES, drawn, tooWide, useDemo, violations, waitForTools } from './portal.mjs';

/** The site whose pages stand for a screen where it has them. */
const FIRST = 'oceanledger';
const VIEWS = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
];
/** Screens that a site may do without links to. */
const NAMED = [
  '/en/homeNav',
  '/en/newLink1',
  '/en/newLeaguage?styleId=4',
  '/en/newArticle?code=conference',
  '/en/newArticle?code=prePublication',
  '/en/newsInfo/0/0',
  '/en/contact',
  '/en/scholarList',
  '/en/seniorSearch?v1=tide+AND',
  '/en/article?type=article&index=-1&q=tide',
  '/en/searchPublication?type=publication&searchType=singleSearch&index=-1&q=ocean',
  '/en/textList?type=picture&index=-1',
  '/en/textList?type=table&index=-1',
  '/en/audioList?type=video&index=-1',
  '/en/audioList?type=audio&index=-1',
  '/en/othersList?type=other&index=-1',
  '/en/informationList?type=news&index=-1',
  '/en/informationList?type=wechat&index=-1',
  '/en/currencyList?type=mixed&issearch=1&index=-1',
  '/en/bookList?type=book&issearch=1&index=-1',
  '/en/login',
  '/en/quickLogin',
  '/en/register',
  '/en/forgetCode',
  '/en/accountBinding',
];
/** The routes of the specification's section 2 and of its other targets. `personal` is that of members, see `members.test.mjs`. */
const ROUTES = (
  'home issues justAccepted onlineFirst article about aboutus collectionList collections info newcomposite news newsDetails editorial-board issue newsInfo ' +
  'login seniorSearch homeNav newLink1 newLeaguage newArticle currencyList searchPublication textList audioList othersList informationList bookList ' +
  'scholarList scholar mag search'
).split(' ');
/** The browser pages that work at the same time, each in one context for all of its screens. */
const WORKERS = 2;

const demo = useDemo();

/** The screens that links lead to, and those that are named, each once. */
async function allScreens() {
  const { port } = demo.portal;
  const found = new Map(await screens({ port, first: FIRST, kindOf: screenOf }));
  for (const asked of NAMED) {
    const { status, address } = await visit(port, FIRST, asked);
    assert.ok(status < 400, `${asked}: ${status}`);
    if (!found.has(screenOf(address))) found.set(screenOf(address), { sld: FIRST, address });
  }
  return found;
}

/** What is wrong with a screen in each view, as texts. */
async function faultsIn(page, sld, address) {
  const wrong = [];
  await page.setViewportSize(VIEWS[0].viewport);
  await page.emulateMedia({ colorScheme: VIEWS[0].colorScheme });
  await page.goto(demo.at(sld, address), { waitUntil: 'load' });
  await waitForTools(page);
  for (const { viewport, colorScheme } of VIEWS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await drawn(page);
    const where = `${sld} ${address}, ${viewport.width} px, ${colorScheme}`;
    // axe cannot run in the frame of the assistant, which has no scripts.
    wrong.push(...(await violations(page, { exclude: 'iframe', tags: ALL_RULES })).map((one) => `${where}: ${one}`));
    const wide = await tooWide(page);
    if (wide > 1) wrong.push(`${where}: ${wide} px too wide`);
  }
  return wrong;
}

test('axe has no finding on any screen, wide and light, and narrow and dark, and no screen is wider than its window', async (context) => {
  const found = await allScreens();
  const shown = new Set([...found.values()].map(({ address }) => address.split(/[/?]/)[2]));
  assert.deepEqual(
    ROUTES.filter((route) => !shown.has(route)),
    [],
    'every route of the specification has a screen here',
  );
  context.diagnostic(`${found.size} screens`);
  const queue = [...found.values()];
  const wrong = [];
  const work = async () => {
    const { page, close } = await demo.open({ ...VIEWS[0], reducedMotion: 'reduce' });
    for (let next = queue.shift(); next; next = queue.shift()) wrong.push(...(await faultsIn(page, next.sld, next.address)));
    await close();
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  assert.deepEqual(wrong, []);
});
