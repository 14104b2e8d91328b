// The time from an interaction to the next paint (INP), with the processor slowed down four times: `make inp`.
import { chromiumPath, firstArticle, openPage, startBrowser, startPortal } from './portal.mjs';

/** Greatest time in ms. */
const MOST = 100;
const SLOWER = 4;
/** Longest waits for what an interaction opens, and for its events, in ms: they end a measurement that hangs. */
const OPENS_MS = 60_000;
const EVENTS_MS = 5000;
/** Each interaction is made so often, in a page of its own; the median counts, because other work on the machine takes time, too. */
const TIMES = 5;
const WIDE = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** How a control is operated. */
const click = (target) => target.click();
const tap = (target) => target.tap();
const enter = (target) => target.press('Enter');

/** Name, site, page, window, how and what is operated, and what it opens. */
const INTERACTIONS = [
  ['menu, 390 px', 'scriptstone', 'home', PHONE, tap, '.frame-mobile button', '.frame-sheet'],
  // The pointer would unfold the entries, and its click fold them again.
  ['menu, 1280 px', 'scriptstone', 'home', WIDE, enter, '.frame-sub', '.has-children[data-open] > ul a'],
  ['reference', 'oceanledger', 'article', WIDE, click, 'a.xref[data-ref-type=bibr]', '.xref-popover'],
  ['figure viewer', 'oceanledger', 'article', WIDE, click, '.reader-section[data-kind="body"] .fig-open', '.viewer'],
  ['result filter, 1280 px', 'oceanledger', 'results', WIDE, click, 'main .filters a', undefined],
  ['result filters, 390 px', 'oceanledger', 'results', PHONE, tap, 'main .filters-open', '#filters:popover-open'],
  ['result tabs, 1280 px', 'oceanledger', 'results', WIDE, click, 'main .result-tabs a:not([aria-current])', undefined],
  ['result tabs, 390 px', 'oceanledger', 'results', PHONE, tap, 'main .result-tabs a:not([aria-current])', undefined],
  ['tabs of the search', 'hssxiv', 'home', WIDE, click, '.search-scopes label:has(input:not(:checked))', undefined],
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

/**
 * Has the page record the duration of the events of interactions. An event below 16 ms is told of as the first input of a page only, which each of these
 * interactions is.
 */
const recordEvents = () => {
  globalThis.events = [];
  const observer = new PerformanceObserver((list) => {
    for (const { entryType, interactionId, duration } of list.getEntries()) {
      if (interactionId || entryType === 'first-input') globalThis.events.push(duration);
    }
  });
  observer.observe({ type: 'event', durationThreshold: 16 });
  observer.observe({ type: 'first-input', buffered: true });
  // A navigation would end the page that measures.
  addEventListener('beforeunload', (event) => event.preventDefault());
};

/** Whether an element appears within the time for it. */
const appears = (element) =>
  element.waitFor({ timeout: OPENS_MS }).then(
    () => true,
    () => false,
  );

/** The longest event of one interaction, in ms; a text that says what is wrong if there was nothing to measure. */
async function measure(sld, address, options, operate, selector, opens) {
  const { page, close } = await openPage(browser, { ...options, reducedMotion: 'reduce' });
  try {
    await page.goto(portal.at(sld, address), { waitUntil: 'networkidle' });
    const target = page.locator(`${selector} >> visible=true`).first();
    if (!(await target.count())) return 'nothing to operate';
    await target.scrollIntoViewIfNeeded();
    if (opens && (await page.locator(opens).first().isVisible())) return `${opens} is open before`;
    await page.evaluate(recordEvents);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await operate(target);
    if (opens && !(await appears(page.locator(opens).first()))) return `${opens} does not open`;
    // Two frames, and a task in which the observer is told.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)))));
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.waitForFunction(() => globalThis.events.length > 0, undefined, { timeout: EVENTS_MS }).catch(() => undefined);
    const events = await page.evaluate(() => globalThis.events);
    return events.length ? Math.max(16, ...events) : 'no event was recorded';
  } finally {
    await close();
  }
}

let slow = 0;
try {
  for (const [name, sld, screen, ...how] of INTERACTIONS) {
    const address = await addressOf(sld, screen);
    const times = [];
    for (let time = 0; time < TIMES; time += 1) times.push(await measure(sld, address, ...how));
    const fault = times.find((one) => typeof one === 'string');
    if (fault) {
      console.log(`${name.padEnd(22)} ${sld} ${address}: FAILED, ${fault}`);
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
