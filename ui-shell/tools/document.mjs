// Writes the document that the Rust host writes, for development, tests and pictures.
const DIR = { ara: 'rtl' };
const TAG = { ara: 'ar', spa: 'es', fra: 'fr', jp: 'ja', kor: 'ko' };
const LANGS = { zh: '中文', en: 'English', ara: 'العربية', ru: 'Русский', spa: 'Español', fra: 'Français', de: 'Deutsch', jp: '日本語', kor: '한국어' };
const text = (html) => html.replace(/<[^>]*>/g, '').trim();
const esc = (value) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function bootstrapOf({ name, lang, nav, search, main, slots, plugins = false, user = '', gray = 0 }) {
  const zh = lang === 'zh';
  const pick = (a, b) => (zh ? a : b);
  const page = name.startsWith('article')
    ? {
        kind: 'article',
        id: 17,
        doi: '10.1234/cor.2026.017',
        title: text(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(main)?.[1] ?? ''),
        language: zh ? 'zh' : 'en',
        outline: [...main.matchAll(/<li data-level="(\d)"><a href="#([^"]+)">([\s\S]*?)<\/a>/g)].map(([, level, id, title]) => ({
          id,
          level: Number(level),
          title: text(title),
        })),
        citation:
          'Lin Y, Okafor C, Haugen S. Sediment supply and the resilience of mangrove shorelines under accelerated sea-level rise[J]. Coastal and Ocean Research, 2026, 12(3): 201-214. DOI: 10.1234/cor.2026.017.',
      }
    : name === 'home'
      ? { kind: 'home' }
      : name === 'search'
        ? { kind: 'search', q: 'mangrove', total: 42 }
        : name === 'missing'
          ? { kind: 'message', status: 404, message: '' }
          : { kind: 'list', route: name };
  const channel = (id, code, label, href, children = [], newTab = false) => ({
    id,
    code,
    label,
    href: href.startsWith('http') ? href : `/${lang}/${href}`,
    newTab,
    current: href === `${name}/` || (name === 'home' && code === 'home'),
    children,
  });
  return {
    contract: 1,
    site: {
      id: 448,
      sld: 'coast',
      name: pick('海岸与海洋研究', 'Coastal and Ocean Research'),
      description: '',
      type: 'single',
      groupType: 0,
      colorId: 3,
      grayType: gray,
      navStyle: 1,
      searchStyle: 1,
      logo: '',
    },
    lang,
    base: '',
    languages: Object.entries(LANGS)
      .slice(0, plugins ? 9 : lang === 'ara' ? 3 : 2)
      .map(([code, label]) => ({ code, tag: TAG[code] ?? code, name: label, dir: DIR[code] ?? 'ltr', href: `/${code}/${name}/` })),
    menu: [
      channel(1, 'home', pick('首页', 'Home'), 'home/'),
      channel(2, 'browse', pick('文章浏览', 'Browse'), 'issues/', [
        channel(3, 'directory', pick('当期目录', 'Current issue'), 'issue/'),
        channel(4, 'latestOffer', pick('最新录用', 'Just accepted'), 'justAccepted/'),
        channel(8, 'backissue', pick('过刊浏览', 'All issues'), 'issues/'),
      ]),
      channel(5, 'periodIntroduce', pick('期刊介绍', 'About'), 'about/5/'),
      channel(7, 'editorial', pick('编委会', 'Editorial board'), 'editorial-board/7/1/'),
      channel(9, 'virtualAlbum', pick('专题文集', 'Collections'), 'collectionList/9/'),
      channel(6, 'jump', pick('投稿指南', 'For authors'), 'https://submit.example/', [], true),
    ],
    header: {
      homeHref: `/${lang}/home/`,
      loginHref: `/login?lang=${lang}&url=%2F`,
      switchLanguage: true,
      searchBox: true,
      groupEntrance: '',
      buttons: [{ label: pick('在线投稿', 'Submit'), href: 'https://submit.example/' }],
    },
    footer: {
      copyright: pick('版权所有 © 2026《海岸与海洋研究》编辑部', 'Copyright © 2026 Editorial Office of Coastal and Ocean Research. All rights reserved.'),
      icp: '京ICP备00000000号-1',
      icpHref: 'https://beian.miit.gov.cn/',
      picp: '京公网安备 00000000000000号',
      picpHref: 'https://beian.mps.gov.cn/',
    },
    search: {
      action: `/${lang}/search/`,
      title: pick('检索海岸与海洋文献', 'Search the literature of coasts and oceans'),
      slogans: [pick('自 2015 年起开放获取', 'Open access since 2015')],
      scopes: [
        { type: 'article', name: pick('论文', 'Article') },
        { type: 'publication', name: pick('期刊', 'Journal') },
        { type: 'picture', name: pick('图片', 'Figure') },
        { type: 'table', name: pick('表格', 'Table') },
      ],
      hotWords: pick(['红树林', '潮汐能', '微塑料', '海平面上升'], ['mangrove', 'tidal energy', 'microplastics', 'sea-level rise']),
    },
    slots:
      slots ??
      Object.fromEntries(
        slotsOf({ name, nav, search, plugins }).map(([slot, id, props]) => [slot, [{ module: id, entry: id, integrity: '', css: [], props }]]),
      ),
    ...(plugins ? { translate: ['zh', 'en', 'ru', 'ara', 'fra', 'spa', 'de'] } : {}),
    session: { signedIn: user !== '', userName: user },
    permissions: { visitPower: true, downloadPower: true },
    page,
  };
}

export const FRIENDSHIP_LINKS = {
  title: { zh: '友情链接', en: 'Friendship links' },
  links: [
    { name: { zh: '国家哲学社会科学文献中心', en: 'National Centre for Social Sciences Documentation' }, address: 'https://www.example.org/' },
    { name: { zh: '中国海洋学会', en: 'Chinese Society for Oceanography' }, address: 'https://ocean.example.org/' },
  ],
};

/** Slot, module and properties; with `plugins` also what plugins contribute, some of it on some pages only. */
export const slotsOf = ({ name, nav, search, plugins }) =>
  [
    ['header', nav, {}],
    ['search', search, {}],
    ['footer', 'footer-default', {}],
    ['footer.rows', 'footer-friendship-links', FRIENDSHIP_LINKS],
    ...(plugins
      ? [
          ['header.account', 'account-link', { label: { zh: '通过机构账号登录', en: 'Sign in with your institution' } }],
          name === 'home' && [
            'page.floating',
            'assistant-panel',
            {
              title: { zh: '智能问答', en: 'Ask the assistant', ara: 'اسأل المساعد' },
              frame: 'plugins/ai-assistant/frame?token={token}',
              width: 400,
              height: 600,
            },
          ],
          name.startsWith('article') && ['article.toolbar', 'article-languages', { languages: ['zh', 'en', 'ru', 'ara', 'fra', 'spa', 'de'] }],
        ]
      : []),
  ].filter((entry) => entry && entry[1]);

const badge = (tone, label) => `<li><span class="badge" data-tone="${tone}">${label}</span></li>`;
/** The HTML of a page with what plugins add to it. */
export const decorated = (main, lang) => {
  const zh = lang === 'zh';
  const badges = `<ul class="badges">${badge('good', zh ? '开放数据' : 'Open data')}${badge('neutral', zh ? '预注册' : 'Preregistered')}${badge('caution', zh ? '预印本' : 'Preprint')}${badge('bad', zh ? '已撤稿' : 'Retracted')}</ul>`;
  const section = `<section class="plugin-section" id="plugin-data"><h2>${zh ? '数据可用性核查' : 'Data availability check'}</h2><p>${zh ? '本文使用的数据已存入公开仓储，核查日期为 2026 年 6 月 21 日。' : 'The data of this article are in a public repository; last checked on 21 June 2026.'}</p><ul><li><a href="https://data.example.org/">data.example.org</a></li></ul></section>`;
  const downloads = `<section class="plugin-section" id="plugin-downloads"><h2>${zh ? '下载' : 'Downloads'}</h2><ul class="downloads">${['RIS', 'BibTeX', 'CSL-JSON'].map((kind) => `<li><a href="plugins/citation-export/${kind.toLowerCase()}?id=17" download>${kind}</a></li>`).join('')}</ul></section>`;
  return main
    .replace(/(<header class="reader-head">[\s\S]*?<\/h1>)/, `$1${badges}`)
    .replace(/(<\/div>\s*)(<aside class="reader-aside")/, `${section}${downloads}$1$2`)
    .replace(/(<h3 class="card-title"[^>]*>[\s\S]*?<\/h3>)/g, `$1${badges}`);
};

const link = (item) =>
  `<li><a href="${esc(item.href)}"${item.current ? ' aria-current="page"' : ''}>${esc(item.label)}</a>${item.children.length ? `<ul>${item.children.map(link).join('')}</ul>` : ''}</li>`;

export function payloadOf(options) {
  const bootstrap = bootstrapOf(options);
  return {
    title: `${text(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(options.main)?.[1] ?? options.name)} - ${bootstrap.site.name}`,
    tag: TAG[options.lang] ?? options.lang,
    dir: DIR[options.lang] ?? 'ltr',
    status: options.name === 'missing' ? 404 : 200,
    html: options.plugins ? decorated(options.main, options.lang) : options.main,
    bootstrap,
  };
}

export function renderFixture(options) {
  const { main, lang, script, nav, search, styles = [], preloads = [], nonce = 'fixture', theme, gray = 0 } = options;
  const payload = payloadOf(options);
  const { bootstrap } = payload;
  const page = bootstrap.page.kind === 'list' ? bootstrap.page.route : bootstrap.page.kind;
  const light = '--color-primary:#1f5f8b;--color-primary-hover:#174a6d;--color-other:#b4552d;--color-tint:#eef4f8;--color-line:#9cc0d8';
  const dark = '--color-primary:#86bce0;--color-primary-hover:#a9d0ea;--color-other:#e2a381;--color-tint:#1a2630;--color-line:#35546b';
  return `<!doctype html>
<html lang="${payload.tag}" dir="${payload.dir}" data-color="3" data-gray="${gray}"${theme ? ` data-theme="${theme}"` : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${esc(payload.title)}</title>
<link rel="icon" href="data:,">
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${preloads.map(({ href, integrity }) => `<link rel="modulepreload" href="${href}" nonce="${nonce}"${integrity ? ` integrity="${integrity}"` : ''}>`).join('\n')}
<style nonce="${nonce}">:root{${light}} @media(prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}} :root[data-theme=dark]{${dark}}</style></head>
<body class="page-${page}"><a class="skip-link" href="#main">${lang === 'zh' ? '跳到正文' : 'Skip to content'}</a>
<div id="app">
<header class="frame-header" data-slot="header" data-module="${nav}"><a class="frame-logo" href="${bootstrap.header.homeHref}">${esc(bootstrap.site.name)}</a><nav aria-label="${lang === 'zh' ? '导航菜单' : 'Menu'}"><ul class="frame-menu">${bootstrap.menu.map(link).join('')}</ul></nav><ul class="frame-langs">${bootstrap.languages
    .filter((language) => language.code !== lang)
    .map((language) => `<li><a href="${language.href}" hreflang="${language.tag}" lang="${language.tag}">${language.name}</a></li>`)
    .join('')}</ul></header>
${search ? `<div class="frame-search" data-slot="search" data-module="${search}"><form role="search" action="${bootstrap.search.action}" method="get"><label>${lang === 'zh' ? '检索词' : 'Search words'}<input type="search" name="q"></label><button>${lang === 'zh' ? '检索' : 'Search'}</button></form></div>` : ''}
<main id="main" tabindex="-1" data-page="${page}">${options.plugins ? decorated(main, lang) : main}</main>
<footer class="frame-footer" data-slot="footer" data-module="footer-default"><p>${esc(bootstrap.footer.copyright)}</p><ul><li><a href="${bootstrap.footer.icpHref}">${bootstrap.footer.icp}</a></li><li><a href="${bootstrap.footer.picpHref}">${bootstrap.footer.picp}</a></li></ul></footer>
</div>
<script type="application/json" id="bootstrap">${JSON.stringify(bootstrap).replaceAll('<', '\\u003c')}</script>
<script type="module" nonce="${nonce}" src="${script}"></script></body></html>
`;
}
