// What is checked on a screen in the browser, in the windows, papers and presets that a caller names, and how pages are opened that are only looked at.
import { ALL_RULES, drawn, tooWide, violations, waitForTools } from './portal.mjs';

/** All rules of axe, those about colours included. */
export const WHOLE = { tags: ALL_RULES };

/** The rules of axe about colours, which differ from preset to preset and, in the same window, from paper to paper. */
export const CONTRAST = { rules: ['color-contrast', 'link-in-text-block'] };

/** The header and the footer: they are the same on all pages of a site in one language, window and paper, and axe looks at them on one of these. */
export const FRAME = ['[data-slot="header"]', '[data-slot="footer"]'];

/** The text of an article, which takes most of the time of axe. It is the same in each window, and axe looks at it in one. */
export const TEXT = '.reader-body';

/**
 * Has the document fetch no pages ahead: the host makes up to three for each that is shown, and nobody opens them where pages are only looked at. The
 * shell fetches none where data is to be saved. It does not ask before it has loaded the part that fetches them, so that all else is loaded as ever.
 * Runs inside the page.
 */
export const nothingAhead = () => {
  const get = () => ({ saveData: document.querySelector('[data-announces]') !== null });
  Object.defineProperty(Navigator.prototype, 'connection', { configurable: true, get });
};

/** The same for all documents that the page opens. */
export const fetchNothingAhead = (page) => page.addInitScript(nothingAhead);

/**
 * Goes to an address of the site that is open as by a link in its content: the shell fetches the page and shows it in the same document, which takes a
 * part of the time of a new one.
 */
export async function follow(page, address) {
  await page.evaluate((href) => {
    const link = document.querySelector('#app > main').appendChild(document.createElement('a'));
    Object.assign(link, { id: 'followed', href });
    link.click();
  }, address);
  // The content of the next page takes the place of that with the link.
  await page.locator('#followed').waitFor({ state: 'detached' });
  await page.waitForLoadState('load');
  await waitForTools(page);
}

/** The window of a page that is opened without one, see `openPage` of `portal.mjs`. */
const WINDOW = { width: 1280, height: 900 };

/**
 * What opens pages as `open` of `useDemo` does, but in the context of a test before with the same options, if that has closed its page: scripts and
 * styles are fetched and compiled once. `prepare` is called with each new page. A test that changes more than windows, papers and cookies, such as
 * routes, opens a page of its own.
 */
export function reusing(demo, prepare = async () => {}) {
  const free = new Map();
  return async (options = {}) => {
    const key = JSON.stringify(options);
    const kept = free.get(key);
    free.delete(key);
    const opened = kept ?? (await demo.open(options));
    const { page, faults } = opened;
    if (kept) {
      const { viewport = WINDOW, colorScheme = 'light', reducedMotion = 'no-preference' } = options;
      await page.context().clearCookies();
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion });
      faults.length = 0;
    } else await prepare(page);
    const close = async () => {
      // Nothing of the next page is under the pointer.
      await page.mouse.move(0, 0);
      free.set(key, opened);
    };
    return { page, faults, close };
  };
}

/** Puts the style sheet of a preset in place of that of the one before. */
export const choose = (page, preset) =>
  page.evaluate(
    (href) =>
      new Promise((resolve, reject) => {
        const before = document.querySelector('link[data-preset]');
        const link = document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
        link.dataset.preset = '';
        link.onload = () => {
          before?.remove();
          resolve();
        };
        link.onerror = () => reject(new Error(href));
      }),
    `/static/mobile/theme${preset}.css`,
  );

/** The colour of links and buttons, by which presets and papers differ. */
export const primary = (page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-primary').trim());

/** Gives the page another window or paper. */
export async function turnTo(page, { viewport, colorScheme }) {
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
}

/** What a tab of the personal centre has when it is there. */
export const PERSONAL_TAB = '[data-personal] :is(.records, .albums, .entries, .empty, form, .panel)';

/** Opens an address, and waits until its tools are there, or what a tab of the personal centre has. Resolves to the response. */
export async function show(page, address) {
  const response = await page.goto(address, { waitUntil: 'networkidle' });
  await waitForTools(page);
  if (await page.locator('[data-personal]').count()) {
    await page.locator(PERSONAL_TAB).first().waitFor();
  }
  return response;
}

/** What is wrong with the page that is open, in its window and colours: its width, and what axe finds with these options. */
export async function faultsIn(page, options) {
  await drawn(page);
  const wide = await tooWide(page);
  // axe cannot run in the frame of the assistant, which has no scripts.
  const found = await violations(page, { exclude: 'iframe', ...options });
  return wide > 0 ? [`${wide} px too wide`, ...found] : found;
}

/**
 * What is wrong with a screen in its turn (`turn` of `screen-list.mjs`): it answers, has one heading, and nothing that `faultsIn` finds. `loaded` is
 * called with the response before the style sheet of the preset is added to what the page has loaded, and resolves to further faults.
 */
export async function faultsOn(page, address, { viewport, colorScheme, preset }, options, loaded = async () => []) {
  await turnTo(page, { viewport, colorScheme });
  const response = await show(page, address);
  const status = response.status();
  const further = await loaded(response);
  const headings = await page.locator('h1').count();
  await choose(page, preset);
  return [
    ...(status === 200 ? [] : [`status ${status}`]),
    ...further,
    ...(headings === 1 ? [] : [`${headings} headings of level 1`]),
    ...(await faultsIn(page, options)),
  ];
}
