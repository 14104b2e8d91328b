// `make gallery`: target/gallery/index.html, with a picture of every screen and of every site's home page, in zh, en and Arabic, light and dark, at 1280
// and 390 px, and on every site with the menu, the search and the assistant open. What screens there are is found by following links, so that a new one
// is in the gallery without an entry here; those that no link needs to lead to are named in `screen-list.mjs`, and those of members are seen by one.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allScreens, bootstrapOf, sites, visit } from './crawler.mjs';
import { startMailbox } from './mailbox.mjs';
import { sendMailTo, signedIn } from './member.mjs';
import { drawn, openPage, startBrowser, startPortal } from './portal.mjs';
import { show } from './screen-checks.mjs';
import { PERSONAL } from './screen-list.mjs';

const folder = path.resolve(import.meta.dirname, '../../target/gallery');
/** The site whose pages stand for a screen where it has them; others give the screens that it has not. */
const FIRST = 'oceanledger';
const WIDE = { name: '1280', viewport: { width: 1280, height: 900 } };
const PHONE = { name: '390', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const VIEWS = ['zh', 'en', 'ara'].flatMap((lang) => ['light', 'dark'].flatMap((scheme) => [WIDE, PHONE].map((device) => ({ lang, scheme, device }))));
/** Greatest height of a picture, in px: some lists go on for as long as one scrolls. */
const MOST = 6000;
/** Longest wait for the pictures of a page, in ms: one that does not come is missing in the gallery, too. */
const PICTURES_MS = 10_000;
const ON_PHONES = [
  { lang: 'en', scheme: 'light', device: PHONE },
  { lang: 'ara', scheme: 'dark', device: PHONE },
];
/**
 * What opens over the pages of a site: its name, whether the site has it by the bootstrap data of its home page, the page, what is clicked, what is there
 * then, and the views.
 */
const OPENED = [
  { name: 'menu', has: ({ menu }) => menu.length > 0, address: '/en/issues', by: '.frame-mobile button', shows: '.frame-sheet a', views: ON_PHONES },
  {
    name: 'search',
    has: ({ header }) => header.searchBox,
    address: '/en/issues',
    by: '.frame-search-button',
    shows: 'html[data-search] .frame-search',
    views: ON_PHONES,
  },
  {
    name: 'assistant',
    has: ({ slots }) => slots['page.floating']?.some(({ module }) => module === 'assistant-panel'),
    address: '/en/home/',
    by: '.assistant-button',
    shows: '.assistant iframe[data-status="open"]',
    views: [
      { lang: 'en', scheme: 'light', device: WIDE },
      { lang: 'ara', scheme: 'dark', device: PHONE },
    ],
  },
];
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const fileOf = (...parts) =>
  `${parts
    .join('-')
    .replace(/[^\w-]+/g, '_')
    .slice(0, 120)}.png`;

/** Adds Arabic to the languages of all sites: behind the others, of which the first one may be that of new readers. */
function addArabic(copy) {
  for (const name of readdirSync(copy).filter((one) => one.endsWith('.toml') && one !== 'platform.toml')) {
    const file = path.join(copy, name);
    const text = readFileSync(file, 'utf8');
    const added = text.replace(/^languages = \[(?!.*"ara")(.+)\]$/m, 'languages = [$1, "ara"]');
    if (!/^languages = \[.*"ara"\]$/m.test(added)) throw new Error(`${name} has no list of languages in one line`);
    writeFileSync(file, added);
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const mailbox = await startMailbox();
const portal = await startPortal({
  edit: (copy) => {
    addArabic(copy);
    sendMailTo(mailbox, copy);
  },
});
const browser = await startBrowser();

/** Takes a picture of the whole page, after its pictures have come, which some do when they are scrolled to. */
async function takeWhole(page, file) {
  const height = await page.evaluate(async (most) => {
    const whole = () => Math.min(document.documentElement.scrollHeight, most);
    for (let top = 0; top < whole(); top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
    }
    scrollTo({ top: 0, behavior: 'instant' });
    return whole();
  }, MOST);
  const there = (most) => [...document.images].every((image) => image.complete || !image.checkVisibility() || image.getBoundingClientRect().top >= most);
  await page.waitForFunction(there, height, { timeout: PICTURES_MS }).catch(() => undefined);
  await drawn(page);
  await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width: page.viewportSize().width, height } });
}

/** Takes a picture of a page in one view, whole or with what `opened` names open; undefined if the site has not the language. */
async function take(name, sld, address, { lang, scheme, device }, { storageState, opened } = {}) {
  const to = address.replace(/^\/en\//, `/${lang}/`).replace('lang=en', `lang=${lang}`);
  const { page, close } = await openPage(browser, { ...device, name: undefined, colorScheme: scheme, reducedMotion: 'reduce', storageState });
  try {
    await show(page, portal.at(sld, to));
    if (new URL(page.url()).pathname.split('/')[1] !== lang && to.startsWith(`/${lang}/`)) return undefined;
    const file = fileOf(name, sld, lang, scheme, device.name);
    const picture = path.join(folder, file);
    if (opened) {
      await page.locator(opened.by).filter({ visible: true }).first().click();
      await page.locator(opened.shows).first().waitFor();
      await drawn(page);
      await page.screenshot({ path: picture });
    } else await takeWhole(page, picture);
    return { file, caption: `${lang}, ${scheme}, ${device.name} px`, width: device.viewport.width };
  } finally {
    await close();
  }
}

async function section(title, name, sld, address, { views = VIEWS, ...how } = {}) {
  const pictures = [];
  for (const view of views) {
    const picture = await take(name, sld, address, view, how);
    if (picture) pictures.push(picture);
  }
  console.log(`${title}: ${pictures.length} pictures`);
  const figures = pictures.map(
    ({ file, caption, width }) =>
      `<figure class="w${width}"><a href="${file}"><img src="${file}" alt="${escaped(`${title}: ${caption}`)}" loading="lazy"></a><figcaption>${caption}</figcaption></figure>`,
  );
  return `<section id="${escaped(name)}"><h2>${escaped(title)}</h2><p>${escaped(`${sld} ${address}`)}</p><div>${figures.join('\n')}</div></section>`;
}

/** What keeps the sign-in of a member of the first site. */
async function signIn() {
  const { page, close } = await openPage(browser);
  try {
    return await signedIn({ page, at: portal.at, mailbox, slds: [FIRST] });
  } finally {
    await close();
  }
}

const parts = [];
try {
  for (const [pattern, { sld, address }] of await allScreens({ port: portal.port, first: FIRST })) {
    parts.push(await section(pattern, `screen-${pattern}`, sld, address));
  }
  const member = await signIn();
  for (const tab of PERSONAL) parts.push(await section(tab, `screen-${tab}`, FIRST, `/en/${tab}`, { storageState: member }));
  for (const sld of sites) {
    const { text } = await visit(portal.port, sld, '/en/home/');
    const bootstrap = bootstrapOf(text);
    const { site } = bootstrap;
    const title = `${site.name}: header style ${site.navStyle}, search style ${site.searchStyle}, colour ${site.colorId}`;
    parts.push(await section(title, `site-${sld}`, sld, '/en/home/'));
    for (const { name, address, views, by, shows } of OPENED.filter((one) => one.has(bootstrap))) {
      parts.push(await section(`${site.name}: the ${name} open`, `open-${name}-${sld}`, sld, address, { views, opened: { by, shows } }));
    }
  }
} finally {
  await browser.close();
  await portal.stop();
  await mailbox.stop();
}

const style = `body{margin:2rem auto;max-width:100rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#222;background:#fff}
section>div{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}figure{margin:0}
img{display:block;border:1px solid #ccc;width:100%;height:auto;max-height:40rem;object-fit:cover;object-position:top}
.w1280{width:26rem}.w390{width:9rem}figcaption,section>p{color:#595959;font-size:.85rem}h2{margin-block:3rem 0}`;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gallery</title><style>${style}</style>
<h1>Every screen and style</h1>\n${parts.join('\n')}\n</html>\n`;
writeFileSync(path.join(folder, 'index.html'), page);
console.log(`${parts.length} screens and sites in ${path.join(folder, 'index.html')}`);
