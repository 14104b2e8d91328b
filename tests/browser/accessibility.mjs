// `make accessibility`, which takes too long for `make test`. Every screen with all rules of axe, wide on light paper and narrow on dark paper, and
// its contrast in all eleven presets, light and dark; and the screens of the specification on six sites, where languages, windows, papers and presets
// take turns. What screens there are is found by following links; those of the specification that no link of the demo needs are named, and those of
// members are seen by one. It is run without `node --test`, which would end it after the time of a file.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allScreens, linksOf, screenOf, visit } from './crawler.mjs';
import { startMailbox } from './mailbox.mjs';
import { sendMailTo, signedIn } from './member.mjs';
import { useDemo } from './portal.mjs';
import { CONTRAST, WHOLE, choose, faultsIn, faultsOn, primary, show, turnTo } from './screen-checks.mjs';
import { PAPERS, PERSONAL, PRESETS, SCREENS, SIX, turn } from './screen-list.mjs';

/** The site whose pages stand for a screen where it has them. */
const [FIRST] = SIX;
const VIEWS = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
];
/** Pages with parts that those of the first site have not, or not in this state: `article` stands for the first article of the site's issue. */
const OTHERS = [
  ['scriptstone', 'article'],
  [FIRST, '/en/search?q=seagrass&lastYears=5'],
  ['openshelf', '/en/textList?type=picture'],
  // Each search style and each header, and compositions of the home page.
  ['scriptstone', '/en/home/'],
  ['quietcircuits', '/en/home/'],
  ['hsspress', '/en/home/'],
  ['stonesdesk', '/en/home/'],
  ['openshelf', '/en/home/'],
  ['coastdesk', '/en/home/'],
  ['fieldnotes', '/en/home/'],
  ['hssxiv', '/en/issues'],
];
/** The routes of the specification's section 2 and of its other targets. */
const ROUTES = (
  'home issues justAccepted onlineFirst article about aboutus collectionList collections info newcomposite news newsDetails editorial-board issue newsInfo ' +
  'login seniorSearch homeNav newLink1 newLeaguage newArticle currencyList searchPublication textList audioList othersList informationList bookList ' +
  'scholarList scholar mag search personal'
).split(' ');
/** The browser pages that work at the same time, each in one context for all of its screens. */
const WORKERS = 2;

const mailbox = await startMailbox();
/** What keeps the sign-in of a member of the six sites. */
let storageState;
const demo = useDemo({
  edit: (sites) => sendMailTo(mailbox, sites),
  prepare: async ({ at, open }) => {
    const { page, close } = await open();
    storageState = await signedIn({ page, at, mailbox, slds: SIX });
    await close();
  },
});
// Not waited for: the mailbox ends when the host has closed its connection.
after(() => void mailbox.stop());

/** Has pages, those of a member among them, work off tasks. Resolves to what `check` finds wrong, each with the place of its task. */
async function faultsOf(tasks, check) {
  const queue = [...tasks];
  const wrong = [];
  const work = async () => {
    const visitor = await demo.open({ reducedMotion: 'reduce' });
    const member = await demo.open({ reducedMotion: 'reduce', storageState });
    for (let task = queue.shift(); task; task = queue.shift()) {
      const { page, faults } = /\/personal\b/.test(task.address) ? member : visitor;
      faults.length = 0;
      const found = await check(page, task, faults).catch((error) => [`not checked: ${error.message}`]);
      wrong.push(...found.map((fault) => `${task.sld} ${task.address}, ${fault}`));
    }
    await visitor.close();
    await member.close();
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return wrong;
}

/** The screens that links lead to, those that are named, and those of members, each once; then the pages with other parts. */
async function pagesToSee() {
  const { port } = demo.portal;
  const found = await allScreens({ port, first: FIRST, kindOf: screenOf });
  const pages = found.map(([, page]) => page).concat(PERSONAL.map((tab) => ({ sld: FIRST, address: `/en/${tab}` })));
  for (const [sld, wanted] of OTHERS) {
    const list = wanted === 'article' && linksOf((await visit(port, sld, '/en/issue')).text);
    pages.push({ sld, address: list ? list.find((href) => /^\/en\/article\/\d+$/.test(href)) : wanted });
  }
  return pages;
}

/** What is wrong with a page in each view and each preset. It is loaded once: a preset is a style sheet more, and the paper follows the system. */
async function faultsInAll(page, { sld, address }) {
  const wrong = [];
  await turnTo(page, VIEWS[0]);
  await show(page, demo.at(sld, address));
  for (const view of VIEWS) {
    await turnTo(page, view);
    wrong.push(...(await faultsIn(page, WHOLE)).map((one) => `${view.viewport.width} px, ${view.colorScheme}: ${one}`));
  }
  await turnTo(page, VIEWS[0]);
  const colours = new Set();
  for (const preset of PRESETS) {
    await choose(page, preset);
    for (const colorScheme of PAPERS) {
      await turnTo(page, { colorScheme });
      colours.add(await primary(page));
      wrong.push(...(await faultsIn(page, CONTRAST)).map((one) => `preset ${preset}, ${colorScheme}: ${one}`));
    }
  }
  if (colours.size !== PAPERS.length * PRESETS.length) wrong.push(`the presets have ${colours.size} colours on both papers`);
  return wrong;
}

test('axe has no finding on any screen in either view, none is wider than its window, and all have enough contrast in every preset', async (context) => {
  const pages = await pagesToSee();
  const shown = new Set(pages.map(({ address }) => address.split(/[/?]/)[2]));
  assert.deepEqual(
    ROUTES.filter((route) => !shown.has(route)),
    [],
    'every route of the specification has a screen here',
  );
  context.diagnostic(`${pages.length} pages in ${VIEWS.length} views and ${PAPERS.length * PRESETS.length} pairs of preset and paper`);
  assert.deepEqual(await faultsOf(pages, faultsInAll), []);
});

test('every screen of the specification is whole on each of six sites', async (context) => {
  // The personal centre has another tab on each site.
  const tasks = SIX.flatMap((sld, site) =>
    [...SCREENS, PERSONAL[site]].map((screen, at) => {
      // The step is odd, so that a screen changes its language from site to site, as the screens of a site do.
      const own = turn(at + 13 * site);
      return { sld, address: `/${own.lang}/${screen}`, ...own };
    }),
  );
  context.diagnostic(`${tasks.length} pages`);
  const check = async (page, task, faults) => {
    const found = await faultsOn(page, demo.at(task.sld, task.address), task, WHOLE);
    return [...found, ...faults].map((one) => `${task.viewport.width} px, ${task.colorScheme}, preset ${task.preset}: ${one}`);
  };
  assert.deepEqual(await faultsOf(tasks, check), []);
});
