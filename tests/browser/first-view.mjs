// What the first view of a page costs, as the page itself has it: requests, bytes of script, layout shift. The browser knows the size of a file as
// it came over the wire also when it takes the file from its cache, so that a page costs the same with a full cache as with an empty one.
import { observeShifts } from './portal.mjs';

/** The greatest costs of a first view, in bytes of compressed script and in numbers of requests. */
export const BUDGET = {
  shift: 0.02,
  /** Scripts that no reader has asked for, except those for which no page waits (`idle`). */
  script: 120 * 1024,
  idle: 36 * 1024,
  /** Requests until the page can be used: document, style sheets, fonts, logo and scripts, without those of `ADDED`. */
  requests: 10,
};
/** No shell has less script: where less is measured, nothing was. */
const SOME_SCRIPT = 20_000;
/**
 * What the shell loads besides when the browser is idle, on every page: pages fetched ahead and messages (`later`, with the `members` that it needs),
 * and the code of dialogs, popovers and menus (`late`). No page waits for it.
 */
const IDLE = /\/assets\/shell\/assets\/(?:late|later|members)-[\w-]+\.js$/;
/**
 * What a site adds to the requests of the shell: pictures of its articles, news and buttons, and modules of plugins; so do the icon, which browsers ask
 * for, and the words that others search for.
 */
const ADDED = /\/media\/|\/assets\/sites\/(?!logos\/)|\/favicon\.ico$|\/modules\/footer-friendship-links\/|\/hisSearch\/hotWords\?/;

export const isScript = (url) => new URL(url).pathname.endsWith('.js');

/** Records, inside the page, the time at which the shell has taken over. */
const observeShell = () => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.back-to-top')) return;
    performance.mark('usable');
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
};

/** Has the documents that the page opens record what `viewOf` reads. */
export async function observeView(page) {
  await observeShifts(page);
  await page.addInitScript(observeShell);
}

/**
 * What the open page has cost until now. `usable` is the time at which the shell had taken over; a page without the site's frame has no shell, and can
 * be used at once. `begun` has the addresses that were requested before, `scripts` the bytes of each script.
 */
export async function viewOf(page) {
  const seen = await page.evaluate(() => {
    const hasShell = document.querySelector('body > script#bootstrap') !== null;
    const taken = hasShell ? performance.getEntriesByName('usable')[0].startTime : Infinity;
    const files = performance.getEntriesByType('resource').map(({ name, startTime, encodedBodySize }) => ({ name, startTime, bytes: encodedBodySize }));
    return { hasShell, taken, files, address: location.href, origin: performance.timeOrigin, shift: globalThis.shift };
  });
  const { hasShell, taken, files, address, origin, shift } = seen;
  const early = files.filter(({ name, startTime }) => startTime < taken && !name.startsWith('data:'));
  const scripts = Object.fromEntries(files.filter(({ name }) => isScript(name)).map(({ name, bytes }) => [name, bytes]));
  return { hasShell, usable: origin + taken, begun: [address, ...early.map(({ name }) => name)], scripts, shift };
}

/** Bytes of script that nobody has asked for: those that belong to the page, and those that come when the browser is idle. */
export function bytesOfScript(scripts) {
  const sumOf = (wanted) => Object.entries(scripts).reduce((sum, [url, bytes]) => sum + (wanted(url) ? bytes : 0), 0);
  return { first: sumOf((url) => !IDLE.test(url)), idle: sumOf((url) => IDLE.test(url)) };
}

/** How the scripts of a view exceed the budget, as texts. `own` has bounds that differ from it. */
export function faultsOfScripts({ scripts, hasShell }, own = {}) {
  const bound = { ...BUDGET, ...own };
  const { first, idle } = bytesOfScript(scripts);
  const list = Object.entries(scripts)
    .map(([url, bytes]) => `${bytes} ${url}`)
    .join('\n');
  return [
    ...(first <= bound.script && (first > SOME_SCRIPT || !hasShell) ? [] : [`${first} bytes of script without a reader:\n${list}`]),
    ...(idle <= bound.idle ? [] : [`${idle} bytes of script when the browser is idle:\n${list}`]),
  ];
}

/** How a view exceeds the budget, as texts: layout shift, scripts and requests. `own` has bounds that differ from it. */
export function faultsOfView(view, own = {}) {
  const bound = { ...BUDGET, ...own };
  const requests = view.begun.filter((url) => !ADDED.test(url));
  return [
    ...(view.shift <= bound.shift ? [] : [`layout shift ${view.shift}`]),
    ...faultsOfScripts(view, own),
    ...(requests.length <= bound.requests ? [] : [`${requests.length} requests until the page can be used:\n${requests.join('\n')}`]),
  ];
}

/**
 * This view, or a steadier one of two more. A busy machine may paint between two scripts, which adds layout shift: where the first view has too much,
 * the best of three counts.
 */
export async function steadiest(first, viewAgain) {
  let best = first;
  for (let again = 0; again < 2 && best.shift > BUDGET.shift; again += 1) {
    const other = await viewAgain();
    if (other.shift < best.shift) best = other;
  }
  return best;
}
