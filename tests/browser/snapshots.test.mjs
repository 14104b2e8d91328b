// Visual snapshots: the first screen of every demo site and of every search style, compared with the picture of it in `snapshots/`.
//
// A snapshot is an eighth of the size, so that it shows layout, colours and pictures, and not how a machine smooths letters. Where a change
// of looks is wanted, `UPDATE_SNAPSHOTS=1 node run.mjs snapshots.test.mjs` writes the pictures anew; the difference is then reviewed as part
// of the commit.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { sites } from './crawler.mjs';
import { useDemo } from './portal.mjs';
import { SEARCH_STYLES, addStyledSites } from './styled-sites.mjs';

const folder = path.resolve(import.meta.dirname, 'snapshots');
/** Where a page that differs is put, in the size of a snapshot. */
const differing = path.resolve(import.meta.dirname, '../../target/snapshots');
const updating = Boolean(process.env.UPDATE_SNAPSHOTS);
/** How many pixels of a page are one of its snapshot, in each direction. */
const SCALE = 8;
/** A pixel differs if one of its channels (0 to 255) differs by more. */
const CHANNEL = 40;
/** The greatest part of a snapshot's pixels that may differ: a line of text that breaks elsewhere is less, a missing block is more. */
const MOST = 0.02;

const VIEWS = [
  { lang: 'en', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { lang: 'zh', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
];
const STYLED = [VIEWS[0], { lang: 'ara', colorScheme: 'dark', viewport: { width: 390, height: 844 } }];

let canvas;
const demo = useDemo({
  edit: addStyledSites,
  prepare: async ({ open }) => {
    if (updating) mkdirSync(folder, { recursive: true });
    canvas = await open();
  },
});

/** A picture made smaller, as PNG; or, with a snapshot to compare it with, the part of the pixels that differ. */
const reduced = (picture, snapshot) =>
  canvas.page.evaluate(
    async ({ picture, snapshot, scale, channel }) => {
      const bitmapOf = async (base64) => createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const drawn = (bitmap, width, height) => {
        const surface = new OffscreenCanvas(width, height);
        const context = surface.getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.drawImage(bitmap, 0, 0, width, height);
        return { surface, pixels: context.getImageData(0, 0, width, height).data };
      };
      const bitmap = await bitmapOf(picture);
      const [width, height] = [Math.round(bitmap.width / scale), Math.round(bitmap.height / scale)];
      const { surface, pixels } = drawn(bitmap, width, height);
      const bytes = new Uint8Array(await (await surface.convertToBlob({ type: 'image/png' })).arrayBuffer());
      const png = btoa(String.fromCharCode(...bytes));
      if (!snapshot) return { png };
      const kept = await bitmapOf(snapshot);
      if (kept.width !== width || kept.height !== height) return { png, share: 1 };
      const other = drawn(kept, width, height).pixels;
      let count = 0;
      for (let at = 0; at < pixels.length; at += 4) {
        if ([0, 1, 2].some((index) => Math.abs(pixels[at + index] - other[at + index]) > channel)) count += 1;
      }
      return { png, share: count / (width * height) };
    },
    { picture, snapshot, scale: SCALE, channel: CHANNEL },
  );

async function compare(sld, { lang, ...view }) {
  const name = `${sld}-${lang}-${view.colorScheme}-${view.viewport.width}.png`;
  const { page, close } = await demo.open({ ...view, reducedMotion: 'reduce' });
  try {
    await page.goto(demo.at(sld, `/${lang}/home/`), { waitUntil: 'networkidle' });
    if (!new URL(page.url()).pathname.startsWith(`/${lang}/`)) return;
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete || image.loading === 'lazy'));
    const picture = (await page.screenshot({ animations: 'disabled' })).toString('base64');
    const file = path.join(folder, name);
    if (!updating) assert.ok(existsSync(file), `${name} is missing: write it with UPDATE_SNAPSHOTS=1, and look at it`);
    const { png, share } = await reduced(picture, updating ? undefined : readFileSync(file).toString('base64'));
    if (updating) return writeFileSync(file, Buffer.from(png, 'base64'));
    if (share > MOST) {
      mkdirSync(differing, { recursive: true });
      const seen = path.join(differing, name);
      writeFileSync(seen, Buffer.from(png, 'base64'));
      assert.fail(`${name}: ${(share * 100).toFixed(1)} % of the picture differ; what was seen is in ${seen}`);
    }
  } finally {
    await close();
  }
}

for (const sld of sites) {
  test(`the first screen of ${sld} looks as in its snapshots`, async () => {
    for (const view of VIEWS) await compare(sld, view);
  });
}
for (const [style, module] of Object.entries(SEARCH_STYLES)) {
  test(`the first screen with ${module} looks as in its snapshots`, async () => {
    for (const view of STYLED) await compare(`styled${style}`, view);
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
