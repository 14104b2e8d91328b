// The contrast of screens of different parts in all eleven presets, light and dark. Each screen is loaded once: a preset is a style sheet more, and
// the paper follows the system. The home page of a journal is in `looks.test.mjs`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstArticle, useDemo, violations, waitForTools } from './portal.mjs';

const PRESETS = Array.from({ length: 11 }, (_, at) => at + 1);
const RULES = ['color-contrast', 'link-in-text-block'];

/** Screens that together have the parts of which the others consist; `article` stands for the first article of the site's issue. */
const SCREENS = [
  ['an article', 'oceanledger', 'article'],
  ['an article under the other header', 'scriptstone', 'article'],
  ['results with a filter', 'oceanledger', '/en/search?q=seagrass&lastYears=5'],
  ['the advanced search with a mistake', 'oceanledger', '/en/seniorSearch?v1=tide+AND'],
  ['an issue', 'oceanledger', '/en/issue/2026/2'],
  ['the archive', 'oceanledger', '/en/issues'],
  ['news under tabs', 'oceanledger', '/en/news'],
  ['a text with its navigation', 'oceanledger', '/en/about'],
  ['figures', 'openshelf', '/en/textList?type=picture'],
  ['the sign-in', 'oceanledger', '/en/login'],
  ['a page that is not there', 'oceanledger', '/en/there/is/no/such/page/'],
  ['a home page with a carousel and search style one', 'quietcircuits', '/en/home/'],
  ['a group with search style two', 'hsspress', '/en/home/'],
  ['search style four', 'stonesdesk', '/en/home/'],
  ['search style six', 'openshelf', '/en/home/'],
  ['search style seven', 'coastdesk', '/en/home/'],
  ['a newspaper with the banner', 'fieldnotes', '/en/home/'],
  ['a header with buttons', 'hssxiv', '/en/issues'],
];

const demo = useDemo();

async function open(sld, address) {
  const opened = await demo.open({ reducedMotion: 'reduce' });
  const { page } = opened;
  let target = address;
  if (address === 'article') {
    await page.goto(demo.at(sld, '/en/issue'));
    target = await firstArticle(page);
  }
  await page.goto(demo.at(sld, target), { waitUntil: 'networkidle' });
  await waitForTools(page);
  return opened;
}

/** Puts the style sheet of a preset in place of that of the one before. */
const choose = (page, preset) =>
  page.evaluate(
    (href) =>
      new Promise((resolve, reject) => {
        const before = document.querySelector('link[data-preset]');
        const link = document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
        link.dataset.preset = '';
        link.onload = () => {
          before?.remove();
          resolve();
        };
        link.onerror = () => reject(new Error(href));
      }),
    `/static/mobile/theme${preset}.css`,
  );

const primary = (page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-primary').trim());

for (const [name, sld, address] of SCREENS) {
  test(`${name} (${sld}) has enough contrast in every preset, light and dark`, async () => {
    const { page, close } = await open(sld, address);
    const wrong = [];
    const colours = new Set();
    for (const preset of PRESETS) {
      await choose(page, preset);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        colours.add(await primary(page));
        wrong.push(...(await violations(page, { rules: RULES })).map((one) => `preset ${preset}, ${colorScheme}: ${one}`));
      }
    }
    assert.deepEqual(wrong, []);
    assert.equal(colours.size, 2 * PRESETS.length, 'each preset has colours of its own on either paper');
    await close();
  });
}
