// What is checked on a screen in the browser, in the windows, papers and presets that a caller names.
import { ALL_RULES, drawn, tooWide, violations, waitForTools } from './portal.mjs';

/** All rules of axe, those about colours included. */
export const WHOLE = { tags: ALL_RULES };

/** The rules of axe about colours, which differ from preset to preset. */
export const CONTRAST = { rules: ['color-contrast', 'link-in-text-block'] };

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

/** Opens an address, and waits until its tools are there, or what a tab of the personal centre has. Resolves to the response. */
export async function show(page, address) {
  const response = await page.goto(address, { waitUntil: 'networkidle' });
  await waitForTools(page);
  if (await page.locator('[data-personal]').count()) {
    await page.locator('[data-personal] :is(.records, .albums, .entries, .empty, form, .panel)').first().waitFor();
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
