// How sites look: grey pages, classes of screens, logos, a style sheet of a site's own, the presets, and films that play.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observeShifts, useDemo, violations } from './portal.mjs';

const demo = useDemo();

const filterOf = (page, selector) => page.locator(selector).evaluate((element) => getComputedStyle(element).filter);
const isGrey = (filter) => /^grayscale\(1\)$/.test(filter);

test('grey mode is one filter: on the page, on the index element, or nowhere', async () => {
  for (const [sld, address, root, main] of [
    ['oceanledger', '/en/home/', false, false],
    ['southcampus', '/zh/home/', false, true],
    ['southcampus', '/zh/issues', false, false],
    ['islandcampus', '/zh/home/', true, false],
    ['islandcampus', '/en/issues', true, false],
  ]) {
    const { page, faults, close } = await demo.open();
    await page.goto(demo.at(sld, address), { waitUntil: 'domcontentloaded' });
    assert.deepEqual([isGrey(await filterOf(page, 'html')), isGrey(await filterOf(page, 'main'))], [root, main], `${sld} ${address}`);
    assert.deepEqual(faults, []);
    await close();
  }
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
  for (const [sld, lang, width, colorScheme, expected] of [
    ['hssxiv', 'zh', 1280, 'light', 'hssxiv-zh.svg'],
    ['hssxiv', 'en', 1280, 'light', 'hssxiv-en.svg'],
    ['hssxiv', 'zh', 390, 'light', 'hssxiv-mobile-zh.svg'],
    ['hssxiv', 'en', 390, 'light', 'hssxiv-mobile-en.svg'],
    ['hssxiv', 'en', 1280, 'dark', 'hssxiv-dark-en.svg'],
    ['oceanledger', 'en', 1280, 'dark', 'oceanledger-en.svg'],
  ]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(demo.at(sld, `/${lang}/home/`), { waitUntil: 'networkidle' });
    const shown = page.locator('.frame-logo img:visible');
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

for (const colorScheme of ['light', 'dark']) {
  test(`all eleven presets have enough contrast on ${colorScheme} paper`, async () => {
    const { page, faults, close } = await demo.open({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(demo.at('oceanledger', '/en/home/'), { waitUntil: 'networkidle' });
    for (let preset = 1; preset <= 11; preset += 1) {
      await page.evaluate(
        (href) =>
          new Promise((resolve, reject) => {
            const link = document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
            link.onload = resolve;
            link.onerror = reject;
          }),
        `/static/mobile/theme${preset}.css`,
      );
      assert.deepEqual(await violations(page, { rules: ['color-contrast', 'link-in-text-block'] }), [], `preset ${preset}`);
    }
    assert.deepEqual(faults, []);
    await close();
  });
}

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
