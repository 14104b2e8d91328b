// Takes the screenshots of the README: `npm run screenshots -w @masthead/browser-tests`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openPage, startBrowser, startPortal } from './portal.mjs';

const folder = path.resolve(import.meta.dirname, '../../docs/screenshots');
mkdirSync(folder, { recursive: true });
const portal = await startPortal();
const browser = await startBrowser();
const title = 'How few buoys are enough';
for (const sld of ['oceanledger', 'hssxiv']) {
  const { page, close } = await openPage(browser, { viewport: { width: 1280, height: 960 } });
  await page.goto(portal.at(sld, '/en/search?q=buoys'), { waitUntil: 'networkidle' });
  await page.locator('.card-title a', { hasText: title }).first().click();
  await page.waitForSelector('article.reader');
  await page.waitForTimeout(400);
  await page.screenshot({ path: path.join(folder, `article-${sld}.png`) });
  await close();
}
await browser.close();
await portal.stop();
