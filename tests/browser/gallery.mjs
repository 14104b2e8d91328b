// `make gallery`: target/gallery/index.html, with a picture of every screen and of every site's home page, in zh and en, light and dark, at 1280 and
// 390 px, and in Arabic. What screens there are is found by following links, so that a new one is in the gallery without an entry here.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bootstrapOf, screens, sites, visit } from './crawler.mjs';
import { openPage, startBrowser, startPortal } from './portal.mjs';

const folder = path.resolve(import.meta.dirname, '../../target/gallery');
/** The site whose pages stand for a screen where it has them; others give the screens that it has not. It gets Arabic here. */
const FIRST = 'oceanledger';
const WIDE = { name: '1280', viewport: { width: 1280, height: 900 } };
const PHONE = { name: '390', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const VIEWS = ['zh', 'en'].flatMap((lang) => ['light', 'dark'].flatMap((scheme) => [WIDE, PHONE].map((device) => ({ lang, scheme, device }))));
const ARABIC = [WIDE, PHONE].map((device) => ({ lang: 'ara', scheme: 'light', device }));
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const fileOf = (...parts) =>
  `${parts
    .join('-')
    .replace(/[^\w-]+/g, '_')
    .slice(0, 120)}.png`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const portal = await startPortal({
  edit: (copy) => {
    const file = path.join(copy, `${FIRST}.toml`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('languages = ["zh", "en"]', 'languages = ["zh", "en", "ara"]'));
  },
});
const browser = await startBrowser();

/** Takes a picture of a page in one view; undefined if the site has not the language. */
async function take(name, sld, address, { lang, scheme, device }) {
  const to = address.replace(/^\/en\//, `/${lang}/`).replace('lang=en', `lang=${lang}`);
  const { page, close } = await openPage(browser, { ...device, name: undefined, colorScheme: scheme, reducedMotion: 'reduce' });
  try {
    await page.goto(portal.at(sld, to), { waitUntil: 'networkidle' });
    if (new URL(page.url()).pathname.split('/')[1] !== lang && to.startsWith(`/${lang}/`)) return undefined;
    const file = fileOf(name, sld, lang, scheme, device.name);
    await page.screenshot({ path: path.join(folder, file) });
    return { file, caption: `${lang}, ${scheme}, ${device.name} px`, width: device.viewport.width };
  } finally {
    await close();
  }
}

async function section(title, name, sld, address, views) {
  const pictures = [];
  for (const view of views) {
    const picture = await take(name, sld, address, view);
    if (picture) pictures.push(picture);
  }
  console.log(`${title}: ${pictures.length} pictures`);
  const figures = pictures.map(
    ({ file, caption, width }) =>
      `<figure class="w${width}"><a href="${file}"><img src="${file}" alt="${escaped(`${title}: ${caption}`)}" loading="lazy"></a><figcaption>${caption}</figcaption></figure>`,
  );
  return `<section id="${escaped(name)}"><h2>${escaped(title)}</h2><p>${escaped(`${sld} ${address}`)}</p><div>${figures.join('\n')}</div></section>`;
}

const parts = [];
try {
  for (const [pattern, { sld, address }] of await screens({ port: portal.port, first: FIRST })) {
    const views = sld === FIRST ? [...VIEWS, ...ARABIC] : VIEWS;
    parts.push(await section(pattern, `screen-${pattern}`, sld, address, views));
  }
  for (const sld of sites) {
    const { text } = await visit(portal.port, sld, '/en/home/');
    const { site } = bootstrapOf(text);
    const title = `${site.name}: header style ${site.navStyle}, search style ${site.searchStyle}, colour ${site.colorId}`;
    parts.push(await section(title, `site-${sld}`, sld, '/en/home/', VIEWS));
  }
} finally {
  await browser.close();
  await portal.stop();
}

const style = `body{margin:2rem auto;max-width:100rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#222;background:#fff}
section>div{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}figure{margin:0}img{display:block;border:1px solid #ccc;width:100%;height:auto}
.w1280{width:26rem}.w390{width:9rem}figcaption,section>p{color:#595959;font-size:.85rem}h2{margin-block:3rem 0}`;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gallery</title><style>${style}</style>
<h1>Every screen and style</h1>\n${parts.join('\n')}\n</html>\n`;
writeFileSync(path.join(folder, 'index.html'), page);
console.log(`${parts.length} screens and sites in ${path.join(folder, 'index.html')}`);
