// Names of 90 letters, and entities with nothing but such a title: no page that shows them is wider than its window, read from the left or from the
// right, and neither is the menu of a phone. Articles of this kind are in `extremes.test.mjs`.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { linksOf, visit } from './crawler.mjs';
import { drawn, tooWide, useDemo, waitForTools } from './portal.mjs';
import { fetchNothingAhead, follow } from './screen-checks.mjs';

/** A word of 90 letters, in which no browser breaks a line by itself. */
const WORD = 'LlanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochLlanfairpwllgwyngyllgogerychwyrn';
const TEXT = `{ zh = "${WORD}", en = "${WORD}" }`;
const HTML = `{ zh = "<p>${WORD}</p>", en = "<p>${WORD}</p>" }`;

/** A journal and resources of which every text is the word, and the same with nothing but a title. */
const CONTENT = {
  'long-names': {
    journal: `introduction = ${TEXT}\nsponsor = ${TEXT}\nsupervisor = ${TEXT}\neditorInChief = ${TEXT}\nfrequency = ${TEXT}\nreadership = ${TEXT}\n`,
    expert: `positionTitle = ${TEXT}\norganization = ${TEXT}\nfields = ${TEXT}\nbio = ${HTML}\n`,
    news: `type = "information"\ndate = "2026-05-02"\nsummary = ${TEXT}\ncontent = ${HTML}\nauthor = "${WORD}"\nsource = "${WORD}"\n`,
    book: `subtitle = ${TEXT}\nedition = "${WORD}"\npublisher = "${WORD}"\nchiefEditor = "${WORD}"\nintroduction = ${HTML}
catalogue = ["${WORD}"]\nsubjects = ["${WORD}"]
contributors = [{ name = "${WORD}", role = "author", bio = "<p>${WORD}</p>" }]\n`,
  },
  'bare-names': { journal: '', expert: '', news: '', book: '' },
};

/** A site with each header. */
const HEADERS = { longbar: 0, longhead: 9 };
const FIRST = 'longbar';
const channel = (id, code, name, rest = '') => `
[[channels]]
id = ${id}
code = "${code}"
name = "${name}"
enName = "${name}"
enable = "1"
${rest}
`;
const site = (id, style) => `id = ${id}
languages = ["en", "zh", "ara"]
demo = ["${Object.keys(CONTENT).join('", "')}"]
name = ${TEXT}

[header]
navStyle = ${style}
customButtonList = [
  { customButtonName = "${WORD}", enCustomButtonName = "${WORD}", customButtonLinkValue = "https://submit.example.org/", customButtonStatus = 1 },
]

[footer]
toolbarStyle = 2
copyright = "${WORD}"
enCopyright = "${WORD}"
${channel(1, 'home', 'Home')}
${channel(2, 'aboutus', WORD)}
${channel(3, 'item', WORD, 'parentId = 2\nroute = "issues"')}
`;

function writeContent(sites) {
  for (const [key, { journal, ...resources }] of Object.entries(CONTENT)) {
    const folder = path.join(sites, 'demo', key);
    mkdirSync(path.join(folder, 'resources'), { recursive: true });
    writeFileSync(path.join(folder, 'journal.toml'), `key = "${key}"\nshown = true\ntitle = ${TEXT}\n${journal}`);
    for (const [kind, rest] of Object.entries(resources)) {
      const title = `${kind === 'expert' ? 'name' : 'title'} = ${TEXT}\n`;
      writeFileSync(path.join(folder, 'resources', `${kind}.toml`), `[[item]]\nkey = "${key}-${kind}"\n${title}${rest}`);
    }
  }
}

/** Lists of the resources, and the addresses to which their entries lead. */
const LISTS = [
  ['/en/scholarList', /^\/en\/scholar\/\d+$/],
  ['/en/news', /^\/en\/newsDetails\/\d+$/],
  ['/en/bookList?type=book', /^\/en\/book\/\d+$/],
];
const pages = ['/en/home/', ...Object.keys(CONTENT).map((key) => `/en/mag/${key}`), ...LISTS.map(([list]) => list)];

const demo = useDemo({
  edit: (sites) => {
    writeContent(sites);
    Object.entries(HEADERS).forEach(([sld, style], at) => writeFileSync(path.join(sites, `${sld}.toml`), site(9441 + at, style)));
  },
  prepare: async ({ portal }) => {
    for (const [list, entry] of LISTS) {
      const { text } = await visit(portal.port, FIRST, list);
      const entries = new Set(linksOf(text).filter((href) => entry.test(href)));
      assert.equal(entries.size, Object.keys(CONTENT).length, `${list} leads to ${[...entries]}`);
      pages.push(...entries);
    }
  },
});

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

for (const lang of ['en', 'ara']) {
  test(`no page with a name of 90 letters is wider than its window, in ${lang}`, async () => {
    const { page, faults, close } = await demo.open({ reducedMotion: 'reduce' });
    await fetchNothingAhead(page);
    const wrong = [];
    for (const [sld, addresses] of [
      [FIRST, pages],
      ['longhead', ['/en/home/']],
    ]) {
      for (const [at, one] of addresses.entries()) {
        const address = one.replace('/en/', `/${lang}/`);
        await page.setViewportSize(WIDE);
        // The first page of a site comes as a document. What leads to the others is a link.
        if (at) {
          await follow(page, address);
        } else {
          const response = await page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
          assert.equal(response.status(), 200, address);
          await waitForTools(page);
        }
        assert.ok((await page.locator('main').textContent()).includes(WORD), `${address} shows the name`);
        for (const viewport of [WIDE, NARROW]) {
          await page.setViewportSize(viewport);
          await drawn(page);
          const wide = await tooWide(page);
          if (wide > 0) wrong.push(`${sld} ${address}, ${viewport.width} px: ${wide} px too wide`);
        }
      }
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(faults, []);
    await close();
  });
}

for (const sld of Object.keys(HEADERS)) {
  test(`the menu of a phone on ${sld} has its long names within the window, in en and ara`, async () => {
    const { page, faults, close } = await demo.open({ viewport: NARROW, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
    for (const lang of ['en', 'ara']) {
      await page.goto(demo.at(sld, `/${lang}/home/`), { waitUntil: 'networkidle' });
      await page.locator('.frame-mobile button').tap();
      const sheet = page.locator('.frame-sheet');
      await sheet.waitFor();
      await sheet.locator('.frame-sheet-row').first().tap();
      await sheet.locator('li ul a').last().waitFor();
      await sheet.locator('.frame-button').waitFor();
      assert.equal((await sheet.textContent()).split(WORD).length - 1, 4, 'the channel, its own page, the page below it, and the button');
      const outside = await sheet.evaluate((one) => {
        const isWider = (element) => element.scrollWidth > element.clientWidth;
        const isBeyond = (element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < 0 || right > document.documentElement.clientWidth;
        };
        const parts = [...one.querySelectorAll('a, button')].filter((part) => part.checkVisibility());
        return [
          ...[document.documentElement, one, one.querySelector('.frame-sheet-body')].filter(isWider).map((part) => `${part.className || 'the page'} scrolls`),
          ...[one, ...parts].filter(isBeyond).map((part) => `${part.className || part.textContent} is beyond the window`),
        ];
      });
      assert.deepEqual(outside, [], lang);
    }
    assert.deepEqual(faults, []);
    await close();
  });
}
