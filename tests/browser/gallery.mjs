// `make gallery`: target/gallery/index.html, with a picture of every screen and of every site's home page, in zh and en, light and dark, at 1280 and
// 390 px, and in Arabic. What screens there are is found by following links, so that a new one is in the gallery without an entry here; those that no
// link needs to lead to are named in `screen-list.mjs`, and those of members are seen by one.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allScreens, bootstrapOf, sites, visit } from './crawler.mjs';
import { startMailbox } from './mailbox.mjs';
import { sendMailTo, signedIn } from './member.mjs';
import { openPage, startBrowser, startPortal } from './portal.mjs';
import { show } from './screen-checks.mjs';
import { PERSONAL } from './screen-list.mjs';

const folder = path.resolve(import.meta.dirname, '../../target/gallery');
/** The site whose pages stand for a screen where it has them; others give the screens that it has not. */
const FIRST = 'oceanledger';
const WIDE = { name: '1280', viewport: { width: 1280, height: 900 } };
const PHONE = { name: '390', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const VIEWS = [
  ...['zh', 'en'].flatMap((lang) => ['light', 'dark'].flatMap((scheme) => [WIDE, PHONE].map((device) => ({ lang, scheme, device })))),
  ...[WIDE, PHONE].map((device) => ({ lang: 'ara', scheme: 'light', device })),
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

/** Takes a picture of a page in one view; undefined if the site has not the language. */
async function take(name, sld, address, { lang, scheme, device }, storageState) {
  const to = address.replace(/^\/en\//, `/${lang}/`).replace('lang=en', `lang=${lang}`);
  const { page, close } = await openPage(browser, { ...device, name: undefined, colorScheme: scheme, reducedMotion: 'reduce', storageState });
  try {
    await show(page, portal.at(sld, to));
    if (new URL(page.url()).pathname.split('/')[1] !== lang && to.startsWith(`/${lang}/`)) return undefined;
    const file = fileOf(name, sld, lang, scheme, device.name);
    await page.screenshot({ path: path.join(folder, file) });
    return { file, caption: `${lang}, ${scheme}, ${device.name} px`, width: device.viewport.width };
  } finally {
    await close();
  }
}

async function section(title, name, sld, address, storageState) {
  const pictures = [];
  for (const view of VIEWS) {
    const picture = await take(name, sld, address, view, storageState);
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
  for (const tab of PERSONAL) parts.push(await section(tab, `screen-${tab}`, FIRST, `/en/${tab}`, member));
  for (const sld of sites) {
    const { text } = await visit(portal.port, sld, '/en/home/');
    const { site } = bootstrapOf(text);
    const title = `${site.name}: header style ${site.navStyle}, search style ${site.searchStyle}, colour ${site.colorId}`;
    parts.push(await section(title, `site-${sld}`, sld, '/en/home/'));
  }
} finally {
  await browser.close();
  await portal.stop();
  await mailbox.stop();
}

const style = `body{margin:2rem auto;max-width:100rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#222;background:#fff}
section>div{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}figure{margin:0}img{display:block;border:1px solid #ccc;width:100%;height:auto}
.w1280{width:26rem}.w390{width:9rem}figcaption,section>p{color:#595959;font-size:.85rem}h2{margin-block:3rem 0}`;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gallery</title><style>${style}</style>
<h1>Every screen and style</h1>\n${parts.join('\n')}\n</html>\n`;
writeFileSync(path.join(folder, 'index.html'), page);
console.log(`${parts.length} screens and sites in ${path.join(folder, 'index.html')}`);
