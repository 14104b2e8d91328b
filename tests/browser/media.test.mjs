// Lists and pages of figures, audio and video, books and special issues: as readers see them, with the keyboard, and with a player that plays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, tooWide, useDemo, violations } from './portal.mjs';
import { FRAME, fetchNothingAhead, reusing, turnTo } from './screen-checks.mjs';

/** The demo site with all journals and the library. */
const SITE = 'openshelf';

const demo = useDemo();
const openPage = reusing(demo, fetchNothingAhead);
const CALM = { reducedMotion: 'reduce' };

/** Where the title of the first entry of a list leads. */
const firstEntry = (page) => page.locator('.media-card .media-title a').first();

/** Screens, each with what has to be seen there; `first` opens the first entry of the list. */
const SCREENS = [
  { name: 'figures', address: '/en/textList?type=picture&index=-1', sees: '.media-grid img' },
  { name: 'a figure', address: '/zh/textList?type=picture', first: true, sees: '.exhibit figure img' },
  { name: 'a table', address: '/en/textList?type=table', first: true, sees: '.exhibit table' },
  { name: 'books', address: '/zh/bookList?type=book&issearch=1&index=-1', sees: '[data-kind="book"] img' },
  { name: 'a book', address: '/en/bookList', first: true, sees: '.catalogue li' },
  { name: 'special issues', address: '/en/collectionList', sees: '.media-grid img' },
  { name: 'all resources', address: '/zh/currencyList?type=mixed&issearch=1&index=-1', sees: '.media-list' },
  { name: 'a patent', address: '/en/currencyList?type=patent', first: true, sees: '.facts dd' },
];

const WIDTHS = [1280, 390];
/** The languages and papers in which axe has looked at a header and a footer. */
const frames = new Set();
for (const [index, { name, address, first, sees }] of SCREENS.entries()) {
  const colorScheme = index % 2 ? 'dark' : 'light';
  const frame = `${address.split('/')[1]} ${colorScheme}`;
  const exclude = frames.has(frame) ? ['iframe', ...FRAME] : 'iframe';
  frames.add(frame);
  test(`${name}: ${WIDTHS.join(' and ')} px ${colorScheme}`, async () => {
    const { page, faults, close } = await openPage(CALM);
    await turnTo(page, { colorScheme });
    await page.goto(demo.at(SITE, address));
    if (first) {
      await firstEntry(page).click();
      await page.locator('article.resource').waitFor();
    }
    // The page is loaded once: the narrow window comes while it is open.
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 850 });
      await drawn(page);
      await page.locator(`main ${sees}`).first().waitFor();
      assert.ok((await tooWide(page)) <= 0, `nothing is wider than the window of ${width} px`);
      assert.deepEqual(await violations(page, { exclude }), [], `${width} px`);
    }
    assert.deepEqual(faults, []);
    await close();
  });
}

/** Opens the first recording of the list of a kind, and waits for its player. */
async function openPlayer(kind) {
  const opened = await demo.open();
  await opened.page.goto(demo.at(SITE, `/en/audioList?type=${kind}&index=-1`));
  await firstEntry(opened.page).click();
  const player = opened.page.locator(`main ${kind}`);
  await player.waitFor();
  return { ...opened, player };
}

test('a sound recording plays, and its words stand below it', async () => {
  const { page, player, faults, close } = await openPlayer('audio');
  await player.evaluate(async (audio) => {
    audio.muted = true;
    await audio.play();
  });
  await page.waitForFunction(() => document.querySelector('main audio').currentTime > 0);
  assert.ok((await player.evaluate((audio) => audio.duration)) > 0);
  assert.match(await page.locator('main').innerText(), /Transcript/);
  assert.deepEqual(faults, []);
  await close();
});

test('a video plays, with captions in the language of the page', async () => {
  const { page, player, faults, close } = await openPlayer('video');
  const shown = await player.evaluate(async (video) => {
    video.muted = true;
    await video.play();
    return [...video.textTracks].filter((track) => track.mode === 'showing').map((track) => track.language);
  });
  assert.deepEqual(shown, ['en']);
  await page.waitForFunction(() => document.querySelector('main video').currentTime > 0);
  assert.deepEqual(faults, []);
  await close();
});

test('the button of a figure leads to its place in the article, by the keyboard', async () => {
  const { page, faults, close } = await openPage(CALM);
  await page.goto(demo.at(SITE, '/en/textList?type=picture'));
  await firstEntry(page).focus();
  await page.keyboard.press('Enter');
  const place = page.locator('.actions a').first();
  await place.waitFor();
  await place.focus();
  await page.keyboard.press('Enter');
  await page.locator('article.reader').waitFor();
  const id = new URL(page.url()).hash.slice(1);
  assert.match(id, /^a-/);
  await page.waitForFunction((name) => {
    const box = document.getElementById(name)?.getBoundingClientRect();
    return box && box.top >= 0 && box.top < innerHeight;
  }, id);
  assert.deepEqual(faults, []);
  await close();
});

test('the tabs of a special issue change its content, and Back returns', async () => {
  const { page, faults, close } = await openPage(CALM);
  await page.goto(demo.at(SITE, '/en/collectionList'));
  await page.locator('[data-kind="collection"] .media-title a').first().click();
  const current = page.locator('.tabs [aria-current="page"]');
  await current.waitFor();
  assert.match(await current.innerText(), /Papers/);
  await page.locator('.tabs a', { hasText: 'Experts' }).click();
  await page.locator('main [data-kind="expert"]').first().waitFor();
  assert.match(page.url(), /tab=experts/);
  await page.goBack();
  await page.locator('main .article-card').first().waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('lists and pages are readable without scripts, and from right to left', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false, viewport: { width: 390, height: 850 } });
  await page.goto(demo.at(SITE, '/en/othersList?type=science'));
  await firstEntry(page).click();
  await page.locator('article.resource h1').waitFor();
  await close();
  const arabic = await demo.open({ viewport: { width: 390, height: 850 }, reducedMotion: 'reduce' });
  await arabic.page.goto(demo.at('scriptstone', '/ara/textList?type=picture'));
  assert.equal(await arabic.page.locator('html').getAttribute('dir'), 'rtl');
  assert.ok((await tooWide(arabic.page)) <= 0);
  assert.deepEqual(await violations(arabic.page, { exclude: 'iframe' }), []);
  await arabic.close();
});
