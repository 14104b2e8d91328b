// Takes the screenshots of the README, of docs/reader.md and of docs/type.md: `npm run screenshots -w @masthead/browser-tests`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openPage, startBrowser, startPortal } from './portal.mjs';
import { addRetraction, RETRACTED } from './retraction.mjs';

const folder = path.resolve(import.meta.dirname, '../../docs/screenshots');
const DESKTOP = { viewport: { width: 1280, height: 960 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const BUOYS = 'How few buoys are enough';

mkdirSync(folder, { recursive: true });
const portal = await startPortal({
  edit: (sites) => {
    addRetraction(sites);
    const file = path.join(sites, 'oceanledger.toml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('languages = ["zh", "en"]', 'languages = ["zh", "en", "ara"]'));
  },
});
const browser = await startBrowser();

/** Opens the article with this title from a list, and takes a picture of what `show` has made of it. */
async function take(name, { sld = 'oceanledger', list = '/en/issue/2026/2', title = BUOYS, options = DESKTOP, fonts = true }, show = () => undefined) {
  const { page, close } = await openPage(browser, { reducedMotion: 'reduce', ...options });
  if (!fonts) await page.route('**/*.woff2', (route) => route.abort());
  await page.goto(portal.at(sld, list), { waitUntil: 'networkidle' });
  const href = await page.locator('.card-title a', { hasText: title }).first().getAttribute('href');
  await page.goto(portal.at(sld, href), { waitUntil: 'networkidle' });
  await page.locator('article .toolbar').waitFor();
  await show(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  await close();
}

// Home pages, which every site composes for itself.
for (const [name, sld, address, options] of [
  ['home-hsspress', 'hsspress', '/en/home/', DESKTOP],
  ['home-coastdesk-dark', 'coastdesk', '/zh/home/', { ...DESKTOP, colorScheme: 'dark' }],
  ['home-fieldnotes', 'fieldnotes', '/en/home/', DESKTOP],
  ['issues-arabic', 'oceanledger', '/ara/issues', DESKTOP],
]) {
  const { page, close } = await openPage(browser, { reducedMotion: 'reduce', ...options });
  await page.goto(portal.at(sld, address), { waitUntil: 'networkidle' });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  await close();
}
for (const sld of ['oceanledger', 'hssxiv']) await take(`article-${sld}`, { sld, list: `/en/search?q=buoys&site=${sld}` });
await take('reader-retracted', { title: RETRACTED });
await take('reader-arabic', { list: '/ara/issue/2026/2' });
await take('reader-range', {}, async (page) => {
  await page.locator('.reader-body a.xref[data-ref-type="bibr"][data-rids]').first().click();
  await page.locator('.xref-popover').waitFor();
});
await take('reader-bilingual', {}, async (page) => {
  // The reader's tools come with the first movement.
  await page.mouse.move(2, 2);
  await page.getByRole('button', { name: 'Side by side' }).click();
  await page.locator('[data-view="both"] .aligned').first().waitFor();
  await page.locator('.has-translation').first().scrollIntoViewIfNeeded();
});
for (const [name, options] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
]) {
  await take(`reader-bar-${name}`, { options }, async (page) => {
    await page.evaluate(() => scrollTo(0, 1200));
    await page.locator('.compact-bar').waitFor();
  });
}
// The same text with the fonts of the machine and with those that are shipped.
for (const [name, fonts] of [
  ['type-machine', false],
  ['type-shipped', true],
]) {
  await take(name, { options: { viewport: { width: 760, height: 620 } }, fonts }, (page) =>
    page.evaluate(() => document.querySelector('.reader-body h2')?.scrollIntoView()),
  );
}
await browser.close();
await portal.stop();
