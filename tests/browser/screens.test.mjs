// Every screen of the specification in the browser, each loaded once and checked with all rules of axe: sites, languages, windows, papers and presets
// take turns. The first view of each keeps its budget. `make accessibility` loads each screen on each site, and checks it in every preset; it has the
// personal centre of a member, too, because its host sends mail, which a registration needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksOf, screenOf, visit } from './crawler.mjs';
import { BUDGET, faultsOfView, observeView, steadiest, viewOf } from './first-view.mjs';
import { useDemo } from './portal.mjs';
import { WHOLE, faultsOn, fetchNothingAhead, primary, show } from './screen-checks.mjs';
import { DETAILS, LANGUAGES, PAPERS, PRESETS, SCREENS, SIX, turn } from './screen-list.mjs';

/** The sites begin one further in each round of them, so that each has both languages. */
const LOADS = [...SCREENS.map((screen) => ({ screen })), ...DETAILS].map(({ screen, list, slds = SIX }, at) => ({
  screen,
  list,
  sld: slds[(at + Math.floor(at / slds.length)) % slds.length],
  ...turn(at),
}));

/** What the screens with forms of accounts may cost. */
const OF_ACCOUNTS = {
  reason: 'its form needs at once the parts for members and for messages with their texts, which other pages load when the browser is idle',
  bounds: { requests: BUDGET.requests + 2, idle: BUDGET.idle + 4 * 1024 },
};
/** Screens whose first view may cost more than `BUDGET`: the reason, and the bounds of their own. */
const COSTLY = new Map([
  ...['login', 'register', 'quickLogin', 'forgetCode', 'accountBinding'].map((screen) => [screen, OF_ACCOUNTS]),
  [
    'article?type=article&index=-1&q=a',
    {
      reason: 'it is loaded on the dark paper of openshelf, which has a style sheet of its own and a second logo for dark paper',
      bounds: { requests: BUDGET.requests + 2 },
    },
  ],
]);

/** One page for all loads: styles and modules are fetched once for each site. */
let opened;
const demo = useDemo({
  prepare: async ({ open }) => {
    opened = await open({ reducedMotion: 'reduce' });
    await observeView(opened.page);
    await fetchNothingAhead(opened.page);
  },
});

/** The address of the screen of a load below its site: for one of `DETAILS`, the first link of its list that leads to such a screen. */
async function addressOf({ screen, list, sld, lang }) {
  if (!list) return `/${lang}/${screen}`;
  const { text } = await visit(demo.portal.port, sld, `/${lang}/${list}`);
  const found = linksOf(text).find((href) => href.startsWith(`/${lang}/`) && screenOf(href) === screen);
  assert.ok(found, `/${lang}/${list} of ${sld} leads to no ${screen}`);
  return found;
}

/** How the first view of the screen that is open exceeds its budget, as texts. */
async function faultsOfCosts(page, address, screen, response) {
  const encoding = response.headers()['content-encoding'];
  const seen = await steadiest(await viewOf(page), async () => {
    await show(page, address);
    return viewOf(page);
  });
  return [...(encoding === 'br' ? [] : [`the document has the encoding ${encoding ?? 'identity'}, not br`]), ...faultsOfView(seen, COSTLY.get(screen)?.bounds)];
}

test('the loads have each site in both languages, windows and papers, and each preset on both papers', () => {
  const count = (of) => new Set(LOADS.map((load) => of(load).join(' '))).size;
  assert.deepEqual(
    {
      screens: count(({ screen }) => [screen]),
      languages: count(({ sld, lang }) => [sld, lang]),
      windows: count(({ sld, viewport }) => [sld, viewport.width]),
      papers: count(({ sld, colorScheme }) => [sld, colorScheme]),
      presets: count(({ preset, colorScheme }) => [preset, colorScheme]),
    },
    {
      screens: SCREENS.length + DETAILS.length,
      languages: SIX.length * LANGUAGES.length,
      windows: SIX.length * 2,
      papers: SIX.length * PAPERS.length,
      presets: PRESETS.length * PAPERS.length,
    },
  );
});

/** The colours that were seen, by preset and paper. */
const colours = new Map();
for (const load of LOADS) {
  const { screen, sld, lang, viewport, colorScheme, preset } = load;
  test(`/${lang}/${screen} on ${sld} is whole and keeps its budget at ${viewport.width} px on ${colorScheme} paper in preset ${preset}`, async () => {
    const { page, faults } = opened;
    faults.length = 0;
    const address = demo.at(sld, await addressOf(load));
    assert.deepEqual(await faultsOn(page, address, load, WHOLE, (response) => faultsOfCosts(page, address, screen, response)), []);
    assert.deepEqual(faults, []);
    colours.set(`${preset} ${colorScheme}`, await primary(page));
  });
}

test('each preset had colours of its own on either paper', () => {
  assert.equal(colours.size, PRESETS.length * PAPERS.length);
  assert.equal(new Set(colours.values()).size, colours.size, JSON.stringify([...colours]));
});
