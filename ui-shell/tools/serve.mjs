// Serves the built files with fixture documents under the host's CSP: node ui-shell/tools/serve.mjs [port]
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { payloadOf, renderFixture, slotsOf } from './document.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
// What the first view does without: the document links none of it.
const LATE = new Set(['header.account', 'article.toolbar', 'page.floating']);
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.jpg': 'image/jpeg', '.png': 'image/png' };

// What the plugins' gateways would answer.
const TRANSLATED = {
  zh: [
    '红树林会造陆，但泥沙来得多快，它才能造得多快。五个海湾四十年的高程记录表明，悬沙浓度超过每升 0.25 克的站位能够跟上每年 4.3 毫米的海平面上升，低于此值的站位则不能。',
    '根系的生长贡献了五分之一的抬升，但不能弥补泥沙的缺失。',
  ],
  en: [
    'Mangroves build land, but only as fast as mud arrives. Forty years of surface-elevation records in five bays show that stations with more than 0.25 g of suspended sediment per litre keep pace with the sea.',
    'Root growth adds a fifth of the lift.',
  ],
  ara: [
    'تبني أشجار المانغروف اليابسة، ولكن بالسرعة التي يصل بها الطين فقط. وتُظهر سجلات أربعين عامًا في خمسة خلجان أن المحطات التي يزيد فيها الرسوبي المعلّق على 0.25 غرام في اللتر تواكب ارتفاع البحر.',
    'ويضيف نمو الجذور خُمس الارتفاع.',
  ],
};
const FRAME =
  '<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Assistant</title><style>body{font:14px/1.6 system-ui;margin:16px}form{display:flex;gap:8px}input{flex:1}</style><p>Ask about this journal.</p><form method="get"><input name="q" aria-label="Question"><button>Ask</button></form></html>';

export function assets({ name, lang, nav, search, plugins }) {
  const manifest = json('ui-shell/dist/.vite/manifest.json');
  const entry = manifest['src/main.tsx'];
  const shell = (file) => `/assets/shell/${file}`;
  const keys = [`../locales/${lang}/shell.json`, ...(name.startsWith('article') ? ['src/reader/Reader.tsx'] : [])];
  const chunks = new Set();
  const walk = (key) => {
    const chunk = manifest[key];
    if (!chunk || chunks.has(chunk.file)) return;
    chunks.add(chunk.file);
    for (const other of chunk.imports ?? []) walk(other);
  };
  for (const key of [...(entry.imports ?? []), ...keys]) walk(key);
  const styles = (entry.css ?? []).map(shell);
  const preloads = [...chunks].filter((file) => file !== entry.file).map((file) => ({ href: shell(file) }));
  const slots = {};
  for (const [slot, id, props] of slotsOf({ name, nav, search, plugins })) {
    const module = json(`ui-modules/${id}/dist/preload.json`);
    const css = module.css.map(({ file }) => module.base + file);
    if (!LATE.has(slot)) {
      styles.push(...css);
      preloads.push({ href: module.base + module.entry, integrity: module.integrity });
    }
    slots[slot] = [{ module: id, entry: module.base + module.entry, integrity: module.integrity, css, props }];
  }
  return { script: shell(entry.file), styles, preloads, slots };
}

export function start(port = 0, { slow = 0 } = {}) {
  const beacons = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const send = (status, type, body, headers = {}) => response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    const options = (pathname, query) => {
      const [, lang = 'en', name = 'home'] = pathname.split('/');
      const file = (id) => path.join(root, 'ui-shell/fixtures', `${id}.main.html`);
      const wanted = lang === 'zh' && existsSync(file(`${name}.zh`)) ? `${name}.zh` : existsSync(file(name)) ? name : 'missing';
      const nav = query.get('nav') ?? 'nav-default';
      const search = query.get('search') ?? 'search-style-one';
      const plugins = query.has('plugins');
      const shown = wanted.replace('.zh', '');
      const known = ['zh', 'en', 'ara', ...(plugins ? ['ru', 'spa', 'fra', 'de', 'jp', 'kor'] : [])];
      return {
        name: shown,
        main: readFileSync(file(wanted), 'utf8'),
        lang: known.includes(lang) ? lang : 'en',
        nav,
        search,
        plugins,
        user: query.get('user') ?? '',
        theme: query.get('theme') ?? undefined,
        gray: Number(query.get('gray') ?? 0),
        ...assets({ name: shown, lang, nav, search, plugins }),
      };
    };
    if (url.pathname === '/rc-pub/front/ui-failure') {
      let body = '';
      for await (const part of request) body += part;
      beacons.push(JSON.parse(body));
      return send(204, 'text/plain', '');
    }
    if (url.pathname.endsWith('/generateSecureParams')) return send(200, 'application/json', JSON.stringify({ status: 0, data: 'a-token', message: '' }));
    if (url.pathname.endsWith('/getAiTranslateResult')) {
      let body = '';
      for await (const part of request) body += part;
      const { to, q } = JSON.parse(body);
      await new Promise((resolve) => setTimeout(resolve, slow || 600));
      const data =
        to === 'ru'
          ? { errorCode: '52003' }
          : { from: 'en', transResult: q.split('\n').map((src, line) => ({ src, dst: (TRANSLATED[to] ?? TRANSLATED.zh)[line % 2] })) };
      return send(200, 'application/json', JSON.stringify({ status: 0, data, message: '' }));
    }
    if (url.pathname.includes('/plugins/ai-assistant/frame'))
      return send(200, 'text/html; charset=utf-8', FRAME, {
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'self'; sandbox allow-forms allow-popups allow-top-navigation-by-user-activation",
      });
    if (url.pathname === '/rc-pub/front/page') {
      const wanted = new URL(url.searchParams.get('path'), 'http://localhost');
      await new Promise((resolve) => setTimeout(resolve, slow));
      if (wanted.pathname.includes('broken')) return send(500, 'application/json', JSON.stringify({ status: 500, data: null, message: 'Broken on purpose' }));
      const opts = options(wanted.pathname, new URLSearchParams(new URL(request.headers.referer ?? 'http://x/').search));
      return send(200, 'application/json', JSON.stringify({ status: 0, data: payloadOf(opts), message: '' }));
    }
    const asset = /^\/assets\/(shell|modules\/[\w-]+)\/(.+)$/.exec(url.pathname);
    const image = /^\/data\/(.+)$/.exec(url.pathname);
    const file = asset
      ? path.join(root, asset[1] === 'shell' ? 'ui-shell/dist' : asset[1].replace('modules', 'ui-modules') + '/dist', asset[2])
      : image
        ? path.join(root, 'ui-shell/fixtures', image[1])
        : undefined;
    if (file) {
      if (!existsSync(file)) return send(404, 'text/plain', 'no such file');
      const br = existsSync(`${file}.br`) && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
      return send(200, TYPES[path.extname(file)] ?? 'application/octet-stream', readFileSync(br ? `${file}.br` : file), br ? { 'content-encoding': 'br' } : {});
    }
    const html = renderFixture({
      ...options(url.pathname, url.searchParams),
      nonce: 'n0nce',
      ...(url.searchParams.has('noscript') ? { script: 'data:,' } : {}),
    });
    send(200, 'text/html; charset=utf-8', html, {
      'content-security-policy':
        "default-src 'none'; script-src 'nonce-n0nce' 'strict-dynamic'; style-src 'self' 'nonce-n0nce'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'",
    });
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve({ server, beacons, address: `http://127.0.0.1:${server.address().port}` })));
}

if (process.argv[1] === import.meta.filename)
  start(Number(process.argv[2] ?? 4173)).then(({ address }) => console.log(address, readdirSync(path.join(root, 'ui-shell/fixtures')).join(' ')));
