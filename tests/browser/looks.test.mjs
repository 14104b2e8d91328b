// How sites look: grey pages, classes of screens, logos, a style sheet of a site's own, the presets, and films that play.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, observeShifts, useDemo, violations } from './portal.mjs';
import { CONTRAST, choose, fetchNothingAhead, turnTo } from './screen-checks.mjs';
import { PAPERS, PRESETS } from './screen-list.mjs';

const demo = useDemo();

const filterOf = (page, selector) => page.locator(selector).evaluate((element) => getComputedStyle(element).filter);
const isGrey = (filter) => /^grayscale\(1\)$/.test(filter);

test('grey mode is one filter: on the page, on the index element, or nowhere', async () => {
  // The host writes the filter into the document. Navigation keeps it, see the next test.
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  for (const [sld, address, root, main] of [
    ['oceanledger', '/en/home/', false, false],
    ['southcampus', '/zh/home/', false, true],
    ['southcampus', '/zh/issues', false, false],
    ['islandcampus', '/zh/home/', true, false],
    ['islandcampus', '/en/issues', true, false],
  ]) {
    await page.goto(demo.at(sld, address));
    assert.deepEqual([isGrey(await filterOf(page, 'html')), isGrey(await filterOf(page, 'main'))], [root, main], `${sld} ${address}`);
  }
  await close();
});

test('on a grey page, fixed elements stay at the window, and navigation keeps the grey', async () => {
  const { page, faults, close } = await demo.open({ viewport: { width: 1280, height: 500 }, reducedMotion: 'reduce' });
  await page.goto(demo.at('islandcampus', '/en/home/'), { waitUntil: 'networkidle' });
  const mark = () =>
    page.evaluate(() => {
      const fixed = document.querySelector('.floating') ?? document.body.appendChild(document.createElement('div'));
      fixed.style.setProperty('position', 'fixed');
      fixed.style.setProperty('inset-block-end', '10px');
      return Math.round(fixed.getBoundingClientRect().bottom);
    });
  const before = await mark();
  await page.evaluate(() => window.scrollTo(0, 400));
  await page.waitForFunction(() => window.scrollY > 200);
  assert.equal(await mark(), before);
  assert.equal(before, 490);
  await page.locator('.card-title a').first().click();
  await page.waitForSelector('article.reader');
  assert.ok(isGrey(await filterOf(page, 'html')));
  assert.deepEqual(faults, []);
  await close();
});

for (const [name, size, deviceScaleFactor] of [
  ['720p', { width: 1280, height: 720 }, 1],
  ['1080p', { width: 1920, height: 1080 }, 1],
  ['1080p', { width: 1280, height: 720 }, 1.5],
]) {
  test(`a screen of ${size.width} by ${size.height} at ${deviceScaleFactor} has the class ${name}, and nothing moves when it comes`, async () => {
    const { page, faults, close } = await demo.open({ viewport: size, screen: size, deviceScaleFactor });
    await observeShifts(page);
    await page.goto(demo.at('plainpress', '/en/issues'), { waitUntil: 'networkidle' });
    await page.waitForFunction((wanted) => document.documentElement.classList.contains(wanted), name);
    const boxes = () => page.evaluate(() => [...document.querySelectorAll('main *')].map((element) => JSON.stringify(element.getBoundingClientRect())).join());
    const without = await page.evaluate((wanted) => document.documentElement.classList.toggle(wanted), name);
    assert.equal(without, false);
    const plain = await boxes();
    await page.evaluate((wanted) => document.documentElement.classList.toggle(wanted), name);
    assert.equal(await boxes(), plain, 'the class changes no box');
    assert.deepEqual(await page.evaluate(() => [...document.documentElement.classList].filter((one) => one.endsWith('p'))), [name]);
    assert.ok((await page.evaluate(() => globalThis.shift)) <= 0.02);
    assert.deepEqual(faults, []);
    await close();
  });
}

test('the logo is that of the language, the width and the paper', async () => {
  const { page, faults, close } = await demo.open();
  // A page is loaded in the first of its views; other windows and papers come while it is open.
  for (const [sld, lang, views] of [
    [
      'hssxiv',
      'zh',
      [
        [1280, 'light', 'hssxiv-zh.svg'],
        [390, 'light', 'hssxiv-mobile-zh.svg'],
      ],
    ],
    [
      'hssxiv',
      'en',
      [
        [390, 'light', 'hssxiv-mobile-en.svg'],
        [1280, 'light', 'hssxiv-en.svg'],
        [1280, 'dark', 'hssxiv-dark-en.svg'],
      ],
    ],
    ['oceanledger', 'en', [[1280, 'dark', 'oceanledger-en.svg']]],
  ]) {
    for (const [at, [width, colorScheme, expected]] of views.entries()) {
      await turnTo(page, { viewport: { width, height: 800 }, colorScheme });
      if (!at) await page.goto(demo.at(sld, `/${lang}/home/`), { waitUntil: 'networkidle' });
      const shown = page.locator('.frame-logo img:visible');
      // The browser keeps a picture until the other one has come. What is there instead of an expected one is told below.
      const isThere = (name) => [...document.querySelectorAll('.frame-logo img')].some((image) => image.complete && image.currentSrc.endsWith(name));
      await page.waitForFunction(isThere, `/${expected}`).catch(() => undefined);
      assert.equal(await shown.count(), 1, `${sld} ${lang} ${width} ${colorScheme}`);
      const { source, plate, height } = await shown.evaluate((image) => ({
        source: image.currentSrc,
        plate: getComputedStyle(image).backgroundColor,
        height: image.getBoundingClientRect().height,
      }));
      assert.ok(source.endsWith(`/${expected}`), `${source} is not ${expected}`);
      assert.ok(height >= 24, `${expected} is ${height} px high`);
      // A logo without a form for dark paper stands on a light plate.
      assert.equal(plate === 'rgb(255, 255, 255)', colorScheme === 'dark' && sld === 'oceanledger', expected);
    }
  }
  assert.deepEqual(faults, []);
  await close();
});

test('the style sheet of a site applies below its root only, under the content security policy', async () => {
  const { page, faults, close } = await demo.open();
  await page.goto(demo.at('openshelf', '/zh/home/'), { waitUntil: 'networkidle' });
  const shadow = (selector) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).boxShadow);
  assert.match(await shadow('.frame-header'), /inset/);
  // The same sheet, and a header that is not below the root.
  const outside = await page.evaluate(() => {
    const header = document.createElement('div');
    header.className = 'frame-header';
    document.body.append(header);
    return getComputedStyle(header).boxShadow;
  });
  assert.doesNotMatch(outside, /inset/);
  await page.goto(demo.at('plainpress', '/zh/home/'), { waitUntil: 'networkidle' });
  assert.doesNotMatch(await shadow('.frame-header'), /inset/);
  assert.deepEqual(faults, []);
  await close();
});

/**
 * Notes the colours of each element on this paper, those of its text and of what it stands on, and marks the elements that had others when they were
 * noted before. Resolves to the number of marked elements.
 */
const noteColours = (page, paper) =>
  page.evaluate((wanted) => {
    const notes = (globalThis.notes ??= new Map());
    const before = notes.get(wanted);
    const now = new Map();
    for (const element of document.body.querySelectorAll('*')) {
      const { color, backgroundColor, backgroundImage } = getComputedStyle(element);
      now.set(element, [color, backgroundColor, backgroundImage].join());
      if (before?.has(element) && before.get(element) !== now.get(element)) element.dataset.coloured = '';
    }
    notes.set(wanted, now);
    return document.querySelectorAll('[data-coloured]').length;
  }, paper);

test('all eleven presets have enough contrast on light and on dark paper', async () => {
  const { page, faults, close } = await demo.open({ reducedMotion: 'reduce' });
  await fetchNothingAhead(page);
  await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
  await page.locator('[data-announces="title"]').waitFor({ state: 'attached' });
  const turn = async (colorScheme) => {
    await turnTo(page, { colorScheme });
    await drawn(page);
  };
  let coloured = 0;
  for (const preset of PRESETS.slice(0, 2)) {
    await choose(page, preset);
    for (const paper of PAPERS) {
      await turn(paper);
      coloured = await noteColours(page, paper);
    }
  }
  assert.ok(coloured > 5, `${coloured} links, buttons and tinted boxes have the colours of the preset`);
  for (const preset of PRESETS) {
    await choose(page, preset);
    for (const paper of PAPERS) {
      await turn(paper);
      // What no preset colours is the same in all of them: axe looks at it in the first one.
      const include = preset === PRESETS[0] ? undefined : '[data-coloured]';
      assert.deepEqual(await violations(page, { ...CONTRAST, include }), [], `preset ${preset}, ${paper}`);
    }
  }
  assert.deepEqual(faults, []);
  await close();
});

test('films and recordings of the demo play', async () => {
  const { page, faults, close } = await demo.open();
  for (const sld of ['oceanledger', 'scriptstone']) {
    await page.goto(demo.at(sld, '/en/home/'), { waitUntil: 'domcontentloaded' });
    for (const [kind, list] of [
      ['video', '/rc-pub/front/vod/video/list'],
      ['audio', '/rc-pub/front/vod/audio/list'],
    ]) {
      const found = await page.evaluate(async (address) => (await fetch(address, { headers: { language: 'en' } })).json(), list);
      const files = found.data.content.map((one) => one.file);
      assert.ok(files.length >= 2 && files.every(Boolean), `${sld} ${kind}: ${files}`);
      for (const file of files) {
        const played = await page.evaluate(
          async ([name, source]) => {
            const element = document.body.appendChild(Object.assign(document.createElement(name), { src: source, muted: true }));
            await element.play();
            await new Promise((resolve) => element.addEventListener('timeupdate', () => element.currentTime > 0 && resolve()));
            const result = { seconds: element.duration, width: element.videoWidth ?? 0 };
            element.remove();
            return result;
          },
          [kind, file],
        );
        assert.ok(played.seconds > 1 && (kind === 'audio' || played.width === 480), `${file}: ${JSON.stringify(played)}`);
      }
    }
  }
  assert.deepEqual(faults, []);
  await close();
});
