// Hostile content: articles, pictures, resources and configuration.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { article, freshWord, laughs, tar } from './documents.mjs';
import { NotTried, until } from './host.mjs';

/** A site that runs no plugin. */
const SITE = { id: 101, sld: 'plainpress' };

const RUNNING = /(?:href|src|srcset|action|formaction|poster|data|xlink:href)\s*=\s*["']?\s*(?:javascript|vbscript|data:text)/i;

/** The page of an article as the host writes it, and the HTML that the shell receives. */
async function pagesOf(host, id, { sld } = SITE) {
  const address = `/en/article/${id}`;
  const page = await host.send(address, { site: sld });
  const inner = await host.send(`/rc-pub/front/page?path=${encodeURIComponent(address)}`, { site: sld });
  if (page.status !== 200 || inner.status !== 200) throw new NotTried(`the page of the article is answered with ${page.status} and ${inner.status}`);
  return { page: page.text, inner: JSON.parse(inner.text).data.html, headers: page.headers };
}

/** The ids of a document, in order, each with its tag. */
const idsOf = (html) => [...html.matchAll(/<([a-z][\w-]*)\b[^>]*?\sid\s*=\s*["']?([^"'\s>]+)/gi)].map(([tag, name, id]) => ({ tag, name, id }));

/** Uploads a bomb; returns how it did harm. */
async function explode(host, name, bytes) {
  const before = host.peakMemory();
  const { job } = await host.upload(SITE.id, name, bytes, { seconds: 40 });
  if (job.state === 'running') return 'the import did not end within 40 s';
  const grown = host.peakMemory() - before;
  if (grown > 512) return `the memory of the host grew by ${Math.round(grown)} MiB`;
  return { job };
}

/** An attack with an SVG picture: the article may be imported, but the markup of the picture must not come out. */
function picture(name, success, svg, forbidden) {
  return {
    name: `a figure: ${name}`,
    success,
    async run(host) {
      const doi = `10.5555/${freshWord()}`;
      const body = `<fig id="f1"><label>1</label><caption><p>x</p></caption><graphic xlink:href="f.svg"/></fig>`;
      const bomb = await explode(host, 'picture.tar', tar({ 'a.xml': article({ doi, body }), 'f.svg': svg }));
      if (typeof bomb === 'string') return bomb;
      const page = await host.send(`/en/article/doi/${doi}`, { site: SITE.sld });
      // The whole article may have been refused because of its figure.
      for (const [, address] of page.text.matchAll(/(?:src|href|data-[a-z]+)="(\/media\/[^"]+)"/g)) {
        const file = await host.send(address, { site: SITE.sld });
        const sandboxed = /default-src 'none'.*sandbox/.test(file.headers['content-security-policy'] ?? '');
        if (file.status === 200 && (forbidden.test(file.text) || !sandboxed))
          return `${address} has ${sandboxed ? '' : 'no sandbox, and '}${file.text.slice(0, 120)}`;
      }
      return undefined;
    },
  };
}

/** An XML document that is no article but harm. */
function bomb(name, success, bytes) {
  return {
    name: `an article: ${name}`,
    success,
    async run(host) {
      const result = await explode(host, 'a.xml', bytes());
      if (typeof result === 'string') return result;
      return result.job.created > 0 ? 'the article was imported' : undefined;
    },
  };
}

/** Saves a configuration file of a new site, and waits until the host serves it or says why not. */
async function saveSite(host, sld, id, change) {
  const text = readFileSync(path.join(host.sites, `${SITE.sld}.toml`), 'utf8');
  writeFileSync(path.join(host.sites, `${sld}.toml`), change(text.replace(/^id = .*$/m, `id = ${id}`).replace(/^demo = .*$/m, '')));
  return until(20, async () => {
    const home = await host.send('/en/home', { site: sld });
    if (home.status === 200) return { served: true, home: home.text };
    // The reason is in the log.
    const { log } = host;
    return log.includes(sld) && { served: false, problems: log.slice(log.indexOf(sld)) };
  });
}

/** A new site whose link is `href`; first an ordinary one, to see that the host reads new files. */
const configured = (name, id, key, change) => ({
  name: `a configuration: javascript: in ${name}`,
  success: 'the host serves a site with a configured link that runs a script',
  async run(host) {
    const control = await saveSite(host, `ordinary-${id}`, id, (text) => change(text, 'https://a.example/'));
    if (!control?.served) throw new NotTried(`a site with an ordinary link is not served: ${control?.problems ?? 'the host did not read the file'}`);
    const sld = `hostile-${id}`;
    const result = await saveSite(host, sld, id + 1, (text) => change(text, 'javascript:alert(1)'));
    rmSync(path.join(host.sites, `${sld}.toml`));
    if (!result) throw new NotTried('the host did not read the file');
    if (result.served) return RUNNING.test(result.home) ? 'its home page has the link' : 'the site is served';
    return result.problems.includes(key) ? undefined : `the reason does not name ${key}: ${result.problems.slice(0, 300)}`;
  },
});

export const content = [
  {
    name: 'an article: ids of the host (bootstrap, main)',
    success: 'an element of the article has an id of the page, or an id occurs twice',
    async run(host) {
      const fake = '{"contract":1,"base":"//evil.example"}';
      const ids = ['bootstrap', 'main', 'root', 'masthead'];
      const parts = ids.map((id) => `<sec id="${id}"><title>${id}</title><p id="${id}">${fake}</p><fig id="${id}"><label>1</label></fig></sec>`);
      const { id } = await host.uploadedArticle(SITE.id, 'a.xml', article({ body: parts.join('') }));
      const { page } = await pagesOf(host, id);
      const found = idsOf(page);
      const bootstrap = found.filter((one) => one.id === 'bootstrap');
      if (bootstrap.length !== 1 || bootstrap[0].name !== 'script') return bootstrap.map(({ tag }) => tag).join('\n');
      const own = idsOf(page.slice(page.indexOf('<article'), page.lastIndexOf('</article>')));
      const taken = own.find((one) => ids.includes(one.id));
      if (taken) return taken.tag;
      const twice = found.find((one, at) => found.findIndex((other) => other.id === one.id) !== at);
      return twice && `twice: ${twice.tag}`;
    },
  },
  {
    name: 'an article: scripts and event handlers in text and attributes',
    success: 'a page has a script, an event handler or a style of the article',
    async run(host) {
      const word = freshWord();
      const close = `&quot;&gt;&lt;script&gt;${word}()&lt;/script&gt;&lt;img src=x onerror=${word}() x=&quot;`;
      const body =
        `<sec id="${close}"><title>&lt;script&gt;${word}()&lt;/script&gt;</title><p>${close}<named-content content-type="${close}">x</named-content>` +
        `<styled-content style="background:url(https://evil.example)">y</styled-content><xref rid="${close}">z</xref><script>${word}()</script></p>` +
        `<fig id="f1"><label>${close}</label><caption><title>${close}</title></caption><alt-text>${close}</alt-text><graphic xlink:href="${close}"/></fig>` +
        `<disp-formula><mml:math><mml:mi onclick="${word}()" href="javascript:${word}()">x</mml:mi><mml:mtext>&lt;/math&gt;${close}</mml:mtext></mml:math></disp-formula></sec>`;
      const source = article({ title: close, body });
      const { id } = await host.uploadedArticle(SITE.id, 'a.xml', source);
      const { page, inner } = await pagesOf(host, id);
      // Blocks of data end, as in browsers, at the first end of a script, whatever is quoted in them; nothing in them is a tag or runs.
      const data = /<script[^>]*type="application\/(?:ld\+)?json"[^>]*>[^]*?<\/script/g;
      for (const html of [page.replace(data, '<script></script'), inner]) {
        for (const [tag] of html.matchAll(/<[a-z][^<>]*(?:"[^"]*"[^<>]*)*>/gi)) {
          const bare = tag.replace(/"[^"]*"/g, '""');
          if (/\son[a-z]+\s*=|\sstyle\s*=/i.test(bare) || /^<img[^>]*src=x/i.test(bare)) return tag;
        }
        const script = new RegExp(`<script[^>]*>(?:(?!</script>)[^<])*${word}\\(`).exec(html);
        if (script) return script[0];
      }
      return undefined;
    },
  },
  {
    name: 'an article: links that run scripts (javascript:, data:, vbscript:)',
    success: 'a page, a feed or a header has such a link',
    async run(host) {
      const addresses = [
        'javascript:alert(1)',
        ' JaVa&#9;Script:alert(1)',
        'data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;',
        'vbscript:x',
        'javascript://a.example/%0aalert(1)',
      ];
      const links = addresses.map(
        (href) =>
          `<p><ext-link xlink:href="${href}">x</ext-link><uri xlink:href="${href}">x</uri><uri>${href}</uri><email xlink:href="${href}">x</email>` +
          `<inline-supplementary-material xlink:href="${href}">x</inline-supplementary-material></p><media mimetype="video" xlink:href="${href}"/>` +
          `<supplementary-material xlink:href="${href}"/><fig><graphic xlink:href="${href}"/></fig>`,
      );
      const front = `<article-id pub-id-type="vas-link">${addresses[0]}</article-id><related-article related-article-type="x" xlink:href="${addresses[0]}"/><permissions><license xlink:href="${addresses[0]}"><license-p>x</license-p></license></permissions>`;
      const references = addresses.map(
        (href, at) => `<ref id="r${at}"><mixed-citation>x <ext-link xlink:href="${href}">x</ext-link><uri>${href}</uri></mixed-citation></ref>`,
      );
      const source = article({ front, body: links.join(''), back: `<back><ref-list>${references.join('')}</ref-list></back>` });
      const { id, item } = await host.uploadedArticle(SITE.id, 'a.xml', source);
      const { page, inner, headers } = await pagesOf(host, id);
      const others = await Promise.all(
        [`/en/article/${id}/linkset`, '/en/feed.atom', '/en/feed.rss', `/rc-pub/front/front-article/getHtml?id=${id}`].map((address) =>
          host.send(address, { site: SITE.sld }),
        ),
      );
      for (const text of [page, inner, String(headers.link), ...others.map((answer) => answer.text.replaceAll('\\"', '"'))]) {
        const found = RUNNING.exec(text) ?? /<\s*javascript:[^>]*>\s*;\s*rel|"(?:href|licenseUrl)":"\s*(?:javascript|vbscript|data:)[^"]*/i.exec(text);
        if (found) return text.slice(Math.max(0, found.index - 60), found.index + 120);
      }
      const data = JSON.parse((await host.send(`/rc-pub/front/front-article/${id}`, { site: SITE.sld })).text).data;
      if (RUNNING.test(`href=${data.vasDocLink}`)) return `vasDocLink is ${data.vasDocLink}`;
      return item.warnings.some((line) => line.includes('javascript:')) ? undefined : 'the report of the import does not name the links';
    },
  },
  bomb('XML that expands without end (billion laughs)', 'it is imported, or takes the host’s time or memory', () =>
    article({ doi: '10.5555/laughs', doctype: laughs('article'), body: '<p>&l9;</p>' }),
  ),
  bomb('XML with a long entity many times (quadratic expansion)', 'it is imported, or takes the host’s time or memory', () =>
    article({ doi: '10.5555/quadratic', doctype: `<!DOCTYPE article [<!ENTITY q "${'q'.repeat(200_000)}">]>`, body: `<p>${'&q;'.repeat(200_000)}</p>` }),
  ),
  bomb('XML with a hundred thousand levels', 'it is imported, or stops the host', () =>
    article({ doi: '10.5555/deep', body: `${'<sec>'.repeat(100_000)}${'</sec>'.repeat(100_000)}` }),
  ),
  {
    name: 'an article: an external entity (/etc/passwd)',
    success: 'a page has the text of a file of the server',
    async run(host) {
      const doi = `10.5555/${freshWord()}`;
      const doctype = '<!DOCTYPE article SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY f SYSTEM "file:///etc/passwd">]>';
      const { items } = await host.upload(SITE.id, 'a.xml', article({ doi, doctype, body: '<p>&f;</p>' }));
      const page = await host.send(`/en/article/doi/${doi}`, { site: SITE.sld });
      return /root:[^:]*:0:/.test(page.text + JSON.stringify(items)) ? page.text.slice(0, 300) : undefined;
    },
  },
  picture(
    'SVG that expands without end (billion laughs)',
    'the host stores or serves its entities, or it takes time or memory',
    `${laughs('svg')}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&l9;</text></svg>`,
    /<!ENTITY|<!DOCTYPE/i,
  ),
  picture(
    'SVG with an external entity',
    'the picture has the text of a file of the server, or its DTD',
    '<!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&f;</text></svg>',
    /root:[^:]*:0:|<!DOCTYPE/i,
  ),
  picture(
    'SVG with a script',
    'the script comes out in a document that may run it',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><script>alert(1)</script></svg>',
    /(?!)/,
  ),
  {
    name: 'a resource: javascript: as its address',
    success: 'the news is stored, or the address is returned',
    async run(host) {
      const key = freshWord();
      const news = (link) => `[[item]]\nkey = "${key}"\ntitle = { en = "${key}" }\nlinkValue = "${link}"\n`;
      const control = await host.upload(SITE.id, 'news.toml', news('https://a.example/'), { format: 'resources' });
      if (control.job.created !== 1) throw new NotTried(`news with an ordinary link is not imported: ${JSON.stringify(control.items).slice(0, 300)}`);
      const { job, items } = await host.upload(SITE.id, 'news.toml', news('javascript:alert(1)'), { format: 'resources' });
      const jump = await host.send(`/rc-pub/front/front-news/getJumpUrl?id=${key}`, { site: SITE.sld });
      if (jump.text.includes('javascript:')) return jump.text;
      return job.failed === 1 ? undefined : `the item was accepted: ${JSON.stringify(items)}`;
    },
  },
  configured('a header button', 9900, 'header.customButtonList', (text, href) =>
    text.replace(
      '[header]',
      `[header]\ncustomButtonList = [{ customButtonName = "x", enCustomButtonName = "x", customButtonStatus = 1, customButtonLinkValue = "${href}" }]`,
    ),
  ),
  configured('the footer', 9910, 'footer.linkAddress', (text, href) => text.replace(/^linkAddress = .*$/m, `linkAddress = "${href}"`)),
];
