// The time from an interaction to the next paint (INP), with the processor slowed down four times: `make inp`.
import { chromiumPath, firstArticle, openPage, startBrowser, startPortal } from './portal.mjs';

/** Greatest time in ms. */
const MOST = 100;
const SLOWER = 4;
/** Each interaction is made so often, in a page of its own; the median counts, because other work on the machine takes time, too. */
const TIMES = 5;
const WIDE = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Name, site, page, what is operated, and what it opens. The first selector that the page has counts. */
const INTERACTIONS = [
  ['menu, 390 px', 'scriptstone', 'home', PHONE, ['.frame-mobile button'], '.frame-sheet'],
  ['menu, 1280 px', 'scriptstone', 'home', WIDE, ['.frame-sub', '.frame-more button'], undefined],
  ['reference', 'oceanledger', 'article', WIDE, ['a.xref[data-ref-type=bibr]'], '.xref-popover'],
  ['figure viewer', 'oceanledger', 'article', WIDE, ['.reader-section[data-kind="body"] .fig-open'], '.viewer'],
  ['result filter, 1280 px', 'oceanledger', 'results', WIDE, ['main .filters a'], undefined],
  ['result filters, 390 px', 'oceanledger', 'results', PHONE, ['main .filters-open'], '#filters:popover-open'],
  ['result tabs, 1280 px', 'oceanledger', 'results', WIDE, ['main .result-tabs a:not([aria-current])'], undefined],
  ['result tabs, 390 px', 'oceanledger', 'results', PHONE, ['main .result-tabs a:not([aria-current])'], undefined],
  ['tabs of the search', 'hssxiv', 'home', WIDE, ['.search-scopes label:has(input:not(:checked))'], undefined],
];

const portal = await startPortal();
const browser = await startBrowser(chromiumPath());

async function addressOf(sld, screen) {
  if (screen !== 'article') return { home: '/en/home/', results: '/en/search?q=the' }[screen];
  const { page, close } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(portal.at(sld, '/en/issue'));
  const address = await firstArticle(page);
  await close();
  return address;
}

/** The longest event of one interaction, in ms; undefined if the page has nothing to operate. */
async function measure(sld, address, options, selectors, opens) {
  const { page, close } = await openPage(browser, { ...options, reducedMotion: 'reduce' });
  try {
    await page.goto(portal.at(sld, address), { waitUntil: 'networkidle' });
    const counts = await Promise.all(selectors.map((selector) => page.locator(`${selector} >> visible=true`).count()));
    const selector = selectors[counts.findIndex((count) => count > 0)];
    if (!selector) return undefined;
    const target = page.locator(`${selector} >> visible=true`).first();
    await target.scrollIntoViewIfNeeded();
    await page.evaluate(() => {
      globalThis.events = [];
      new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries()) if (interactionId) globalThis.events.push(duration);
      }).observe({ type: 'event', durationThreshold: 16 });
      // A navigation would end the page that measures.
      addEventListener('beforeunload', (event) => event.preventDefault());
    });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await (options.hasTouch ? target.tap() : target.click());
    if (opens) await page.locator(opens).first().waitFor();
    // Two frames, and a task in which the observer is told. What takes less than 16 ms is not told.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)))));
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    return await page.evaluate(() => Math.max(16, ...globalThis.events));
  } finally {
    await close();
  }
}

let slow = 0;
try {
  for (const [name, sld, screen, options, selectors, opens] of INTERACTIONS) {
    const address = await addressOf(sld, screen);
    const times = [];
    for (let time = 0; time < TIMES; time += 1) times.push(await measure(sld, address, options, selectors, opens));
    if (times.includes(undefined)) {
      console.log(`${name.padEnd(22)} ${sld} ${address}: nothing to operate`);
      slow += 1;
      continue;
    }
    const median = times.sort((a, b) => a - b)[Math.floor(TIMES / 2)];
    if (median >= MOST) slow += 1;
    console.log(`${name.padEnd(22)} ${String(median).padStart(4)} ms  (${times.join(', ')})  ${sld} ${address}${median < MOST ? '' : '  SLOW'}`);
  }
} finally {
  await browser.close();
  await portal.stop();
}
process.exitCode = slow ? 1 : 0;
