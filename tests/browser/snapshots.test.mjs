// Visual snapshots: the first screen of every demo site and of every search style, and the parts that open or stand below it, compared with the
// picture of each in `snapshots/`.
//
// A snapshot is an eighth of the size, or a quarter for a small part, so that it shows layout, colours and pictures, and not how a machine smooths
// letters. Where a change of looks is wanted, `UPDATE_SNAPSHOTS=1 node run.mjs snapshots.test.mjs` writes the pictures anew; the difference is then
// reviewed as part of the commit.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { sites } from './crawler.mjs';
import { waitForFocus } from './keyboard.mjs';
import { drawn, useDemo } from './portal.mjs';
import { FOOTER_STYLES, SEARCH_STYLES, addFooterSites, addStyledSites } from './styled-sites.mjs';

const folder = path.resolve(import.meta.dirname, 'snapshots');
/** Where a page that differs is put, in the size of a snapshot. */
const differing = path.resolve(import.meta.dirname, '../../target/snapshots');
const updating = Boolean(process.env.UPDATE_SNAPSHOTS);
/** How many pixels of a page are one of its snapshot, in each direction; and of a part. */
const SCALE = 8;
const PART_SCALE = 4;
/** A pixel differs if one of its channels (0 to 255) differs by more. */
const CHANNEL = 40;
/** The greatest part of a snapshot's pixels that may differ: a line of text that breaks elsewhere is less, a missing block is more. */
const MOST = 0.02;
/** How many times that part two styles differ at least, so that they are told apart at a glance. */
const APART = 3;

const VIEWS = [
  { lang: 'en', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { lang: 'zh', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
];
const [WIDE, NARROW] = VIEWS;
/** The views of sites that are made for this test, which have Arabic. */
const STYLED = [WIDE, { ...NARROW, lang: 'ara' }];

let canvas;
const demo = useDemo({
  edit: (copy) => {
    addStyledSites(copy);
    addFooterSites(copy);
  },
  prepare: async ({ open }) => {
    if (updating) mkdirSync(folder, { recursive: true });
    canvas = await open();
    await canvas.page.evaluate(installComparison);
  },
});

/** Puts into the page of the canvas what its pictures are compared with: PNG in base64 as a bitmap, a bitmap as pixels, and two of these. */
function installComparison() {
  globalThis.bitmapOf = async (base64) => createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  globalThis.drawn = (bitmap, [width, height], [across, down] = [width, height]) => {
    const surface = new OffscreenCanvas(width, height);
    const context = surface.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, across, down);
    return { surface, pixels: context.getImageData(0, 0, width, height).data };
  };
  // The part of the pixels of which a channel differs by more.
  globalThis.shareOf = (pixels, others, most) => {
    let count = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      if ([0, 1, 2, 3].some((index) => Math.abs(pixels[at + index] - others[at + index]) > most)) count += 1;
    }
    return count / (pixels.length / 4);
  };
}

/** A picture made smaller, as PNG; or, with a snapshot to compare it with, the part of the pixels that differ. */
const reduced = (picture, snapshot, scale = SCALE) =>
  canvas.page.evaluate(
    async ({ picture, snapshot, scale, channel }) => {
      const { bitmapOf, drawn, shareOf } = globalThis;
      const bitmap = await bitmapOf(picture);
      const size = [bitmap.width, bitmap.height].map((length) => Math.round(length / scale));
      const { surface, pixels } = drawn(bitmap, size);
      const bytes = new Uint8Array(await (await surface.convertToBlob({ type: 'image/png' })).arrayBuffer());
      const png = btoa(String.fromCharCode(...bytes));
      if (!snapshot) return { png };
      const kept = await bitmapOf(snapshot);
      if (kept.width !== size[0] || kept.height !== size[1]) return { png, share: 1 };
      return { png, share: shareOf(pixels, drawn(kept, size).pixels, channel) };
    },
    { picture, snapshot, scale, channel: CHANNEL },
  );

const fileOf = (name) => path.join(folder, `${name}.png`);
const read = (name) => readFileSync(fileOf(name)).toString('base64');
/** A picture of a page, or of what a locator finds. */
const pictureOf = async (shown) => (await shown.screenshot({ animations: 'disabled' })).toString('base64');
/** The name of the snapshot of a site's first screen in a view, or of a part of a page. */
const nameOf = (sld, { lang, colorScheme, viewport }, part) => [sld, part, lang, colorScheme, viewport.width].filter(Boolean).join('-');

/** Compares a picture with the snapshot of this name, or writes the snapshot. */
async function compare(name, picture, scale) {
  if (!updating) assert.ok(existsSync(fileOf(name)), `${name}.png is missing: write it with UPDATE_SNAPSHOTS=1, and look at it`);
  const { png, share } = await reduced(picture, updating ? undefined : read(name), scale);
  if (updating) return writeFileSync(fileOf(name), Buffer.from(png, 'base64'));
  if (share > MOST) {
    mkdirSync(differing, { recursive: true });
    const seen = path.join(differing, `${name}.png`);
    writeFileSync(seen, Buffer.from(png, 'base64'));
    assert.fail(`${name}: ${(share * 100).toFixed(1)} % of the picture differ; what was seen is in ${seen}`);
  }
}

/** Opens a page in a view, and hands it to `use` when its letters and pictures are there. A site without the language is left out. */
async function inView(sld, { lang, ...view }, route, use) {
  const { page, close } = await demo.open({ ...view, reducedMotion: 'reduce' });
  try {
    await page.goto(demo.at(sld, `/${lang}/${route}`), { waitUntil: 'networkidle' });
    if (!new URL(page.url()).pathname.startsWith(`/${lang}/`)) return;
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete || image.loading === 'lazy'));
    await use(page);
  } finally {
    await close();
  }
}

for (const sld of sites) {
  test(`the first screen of ${sld} looks as in its snapshots`, async () => {
    for (const view of VIEWS) await inView(sld, view, 'home/', async (page) => compare(nameOf(sld, view), await pictureOf(page)));
  });
}
for (const [style, module] of Object.entries(SEARCH_STYLES)) {
  const sld = `styled${style}`;
  test(`the first screen with ${module} looks as in its snapshots, and so does the search alone, which is a popup on other pages of a phone`, async () => {
    const [wide, narrow] = STYLED;
    await inView(sld, wide, 'home/', async (page) => {
      await compare(nameOf(sld, wide), await pictureOf(page));
      await compare(nameOf(sld, wide, 'search'), await pictureOf(page.locator('.frame-search')));
    });
    await inView(sld, narrow, 'home/', async (page) => {
      await compare(nameOf(sld, narrow), await pictureOf(page));
      await page.goto(demo.at(sld, `/${narrow.lang}/issues`), { waitUntil: 'networkidle' });
      await page.locator('.frame-search-button').click();
      await waitForFocus(page, '.frame-search');
      await drawn(page);
      await compare(nameOf(sld, narrow, 'popup'), await pictureOf(page.locator('.frame-search')), PART_SCALE);
    });
  });
}

for (const style of FOOTER_STYLES) {
  const sld = `footer${style}`;
  test(`the footer of style ${style} looks as in its snapshots`, async () => {
    for (const view of STYLED) {
      await inView(sld, view, 'home/', async (page) => {
        await compare(nameOf(sld, view, 'footer'), await pictureOf(page.locator('.frame-footer')), PART_SCALE);
        // The links are a small part of the footer, and what its styles differ in.
        await compare(nameOf(sld, view, 'toolbar'), await pictureOf(page.locator('.footer-toolbar')), PART_SCALE);
      });
    }
  });
}

// A site with each header.
for (const sld of ['oceanledger', 'scriptstone']) {
  test(`the menu of a phone on ${sld} looks as in its snapshot`, async () => {
    await inView(sld, NARROW, 'issues', async (page) => {
      await page.locator('.frame-mobile button').click();
      await waitForFocus(page, '.frame-sheet');
      await drawn(page);
      await compare(nameOf(sld, NARROW, 'menu'), await pictureOf(page.locator('.frame-sheet')), PART_SCALE);
    });
  });
}

test('the panel of the assistant looks as in its snapshots', async () => {
  for (const view of VIEWS) {
    await inView('tidesdesk', view, 'home/', async (page) => {
      const button = page.locator('.assistant-button');
      await button.click();
      await page.locator('.assistant iframe[data-status=open]').waitFor();
      await page.frameLocator('.assistant iframe').getByRole('searchbox').waitFor();
      await compare(nameOf('tidesdesk', view, 'assistant'), await pictureOf(page.locator('.assistant-panel')), PART_SCALE);
    });
  }
});

/** The part of the pixels in which two snapshots differ. What only one of them covers differs. */
const difference = (one, other) =>
  canvas.page.evaluate(
    async ({ pictures, channel }) => {
      const { bitmapOf, drawn, shareOf } = globalThis;
      const bitmaps = await Promise.all(pictures.map(bitmapOf));
      const size = ['width', 'height'].map((side) => Math.max(...bitmaps.map((bitmap) => bitmap[side])));
      const [first, second] = bitmaps.map((bitmap) => drawn(bitmap, size, [bitmap.width, bitmap.height]).pixels);
      return shareOf(first, second, channel);
    },
    { pictures: [read(one), read(other)], channel: CHANNEL },
  );

for (const [what, names] of [
  ['seven search styles', Object.keys(SEARCH_STYLES).map((style) => nameOf(`styled${style}`, WIDE, 'search'))],
  ['three footers', FOOTER_STYLES.map((style) => nameOf(`footer${style}`, WIDE, 'toolbar'))],
  ['three footers of a phone', FOOTER_STYLES.map((style) => nameOf(`footer${style}`, STYLED[1], 'toolbar'))],
]) {
  test(`the ${what} are told apart at a glance: any two snapshots differ by ${APART} times the tolerance`, async () => {
    const alike = [];
    for (const [at, one] of names.entries()) {
      for (const other of names.slice(at + 1)) {
        const share = await difference(one, other);
        if (share < APART * MOST) alike.push(`${one} and ${other} differ by ${(share * 100).toFixed(1)} %`);
      }
    }
    assert.deepEqual(alike, []);
  });
}

test('a snapshot differs from a page in other colours, and from one without its search', async () => {
  const { page, close } = await demo.open({ viewport: VIEWS[0].viewport, colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(demo.at('styled1', '/en/home/'), { waitUntil: 'networkidle' });
  const shot = async () => (await page.screenshot({ animations: 'disabled' })).toString('base64');
  const { png } = await reduced(await shot());
  assert.ok((await reduced(await shot(), png)).share <= MOST, 'the same page');
  await page.evaluate(() => document.querySelector('.frame-search').setAttribute('hidden', ''));
  assert.ok((await reduced(await shot(), png)).share > MOST, 'without its search');
  await page.evaluate(() => document.querySelector('.frame-search').removeAttribute('hidden'));
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.ok((await reduced(await shot(), png)).share > MOST, 'in other colours');
  await close();
});
