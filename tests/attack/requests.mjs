// Hostile requests: poisoned caches, forged headers, traversal, other origins, large bodies.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { article, tar } from './documents.mjs';
import { inParallel, NotTried } from './host.mjs';

const SITE = { id: 448, sld: 'oceanledger' };

let targets;
/** Articles that nobody has read: their pages are in no cache. Each attack takes its own. */
const freshPages = (host) =>
  (targets ??= (async () => {
    const files = Object.fromEntries(Array.from({ length: 16 }, (_, number) => [`a${number}.xml`, article({ title: `Fresh ${number}` })]));
    const { items } = await host.upload(SITE.id, 'fresh.tar', tar(files));
    const ids = items.flatMap((item) => item.article ?? []);
    if (ids.length < 16) throw new NotTried(`only ${ids.length} of 16 articles were imported`);
    return ids.map((id) => `/en/article/${id}`);
  })());

/** What differs from one response to the next one. */
const withoutNonce = (text) => text.replace(/nonce(-|=")[\w+/=-]+/g, 'nonce$1');

/** A first request with forged headers must change nothing for the reader who comes next. */
function poison(name, forged, traces) {
  return {
    name: `the cache: ${name}`,
    success: 'the next reader gets a page that names what the attacker sent, or another page than without the attack',
    async run(host) {
      const pages = await freshPages(host);
      const [page, untouched] = [pages.pop(), pages.pop()];
      if (!untouched) throw new NotTried('no page is left');
      const headers = forged(host);
      const attacked = await host.send(page, { headers });
      const own = attacked.text + JSON.stringify(attacked.headers);
      const next = await host.send(page);
      const inner = await host.send(`/rc-pub/front/page?path=${encodeURIComponent(page)}`);
      const clean = await host.send(untouched);
      if (clean.status !== 200) throw new NotTried(`a clean page is answered with ${clean.status}`);
      if (next.status !== 200) return `the next reader is answered with ${next.status}`;
      for (const [who, text] of [
        ['the next reader', next.text + JSON.stringify(next.headers)],
        ['the shell of the next reader', inner.text],
        ...(attacked.status === 200 && !headers.host ? [['the attacker', own]] : []),
      ]) {
        const trace = traces(host).find((one) => text.includes(one));
        if (trace) return `${who} gets ${trace}`;
      }
      // The articles are alike; their numbers, titles and names may be a little longer or shorter.
      const length = (answer) => withoutNonce(answer.text).length;
      const [got, expected] = [length(next), length(clean)];
      return Math.abs(got - expected) > 40 ? `the page has ${got} characters in place of ${expected}` : undefined;
    },
  };
}

const evil = () => ['evil.example'];
const insecure = (host) => [`https://${SITE.sld}.localhost`, `https://${SITE.sld}.localhost:${host.port}`];

/** A request that a page of another site makes a reader's browser send. */
function foreign(name, headers, body) {
  return {
    name: `another origin: ${name}`,
    success: 'the call is carried out for a reader whose browser sends cookies',
    async run(host) {
      const call = '/rc-pub/front/ui-failure';
      const value = JSON.stringify({ slot: 'header', module: 'nav-default', reason: 'attack' });
      const sent = (more, text = value) =>
        host.send(call, { method: 'POST', body: text, headers: { cookie: 'language=en', 'content-type': 'application/json', ...more } });
      const own = await sent({ origin: `http://${SITE.sld}.localhost:${host.port}`, 'sec-fetch-site': 'same-origin' });
      if (own.status !== 200) throw new NotTried(`a page of the site itself is answered with ${own.status}: ${own.text.slice(0, 120)}`);
      const other = await sent(headers, body?.(value));
      return other.status < 300 && JSON.parse(other.text).status === 0 ? `the call is answered with ${other.status}` : undefined;
    },
  };
}

/** Paths that climb out of the folder behind a prefix. */
function climbs(prefix, target) {
  const up = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '..\\', '....//', '%252e%252e%252f', '..;/', '..%00/', '.%00./', '%c0%ae%c0%ae/'];
  return up.flatMap((step) => [1, 2, 4].map((times) => `${prefix}${step.repeat(times)}${target}`));
}

export const requests = [
  poison('X-Forwarded-Host', () => ({ 'x-forwarded-host': 'evil.example' }), evil),
  poison(
    'Forwarded',
    () => ({ forwarded: 'for=192.0.2.1;host=evil.example;proto=https' }),
    (host) => [...evil(), ...insecure(host)],
  ),
  poison('X-Forwarded-Proto', () => ({ 'x-forwarded-proto': 'https' }), insecure),
  poison(
    'another port in Host',
    () => ({ host: `${SITE.sld}.localhost:4444` }),
    () => [':4444'],
  ),
  poison(
    'capital letters and a user in Host',
    (host) => ({ host: `${SITE.sld.toUpperCase()}.LOCALHOST:${host.port}` }),
    () => [SITE.sld.toUpperCase()],
  ),
  poison('X-Original-URL and X-Rewrite-URL', () => ({ 'x-original-url': '/evil.example', 'x-rewrite-url': '/evil.example' }), evil),
  poison(
    'Accept-Language, language and cookies',
    () => ({ 'accept-language': 'zh', language: 'zh', cookie: 'language=zh' }),
    () => ['lang="zh-CN"'],
  ),
  {
    name: 'the cache: odd values of Accept-Encoding',
    success: 'a reader who takes no compression gets compressed bytes, or a response has an encoding that was refused',
    async run(host) {
      const page = (await freshPages(host)).pop();
      if (!page) throw new NotTried('no page is left');
      for (const odd of [
        'br',
        'gzip',
        'gzip;q=0, br;q=0',
        'identity;q=0',
        'gzip, gzip, gzip',
        'zstd',
        '*',
        'br;q=1.5',
        `gzip${','.repeat(500)}`,
        'x'.repeat(4000),
      ]) {
        const answer = await host.send(page, { headers: { 'accept-encoding': odd } });
        const encoding = answer.headers['content-encoding'] ?? 'identity';
        if (/gzip;q=0|zstd|^x/.test(odd) && encoding !== 'identity') return `${odd.slice(0, 40)} is answered with ${encoding}`;
        const plain = await host.send(page);
        if (plain.headers['content-encoding'] || !plain.text.startsWith('<!'))
          return `after ${odd.slice(0, 40)}, a reader without compression gets ${plain.headers['content-encoding']}`;
        if (!/accept-encoding/i.test(answer.headers.vary ?? '')) return `${odd.slice(0, 40)}: the response has no Vary: Accept-Encoding`;
      }
      return undefined;
    },
  },
  {
    name: 'the host name: names of nobody, and odd forms',
    success: 'a page of a site is returned for a name that is not its own',
    async run(host) {
      for (const name of [
        'evil.example',
        `${SITE.sld}.localhost@evil.example`,
        `${SITE.sld}.localhost.evil.example`,
        `evil.example#${SITE.sld}.localhost`,
        '',
        ' ',
        '"><script>',
        `${SITE.sld}.localhost/x`,
      ]) {
        const answer = await host.raw(`GET /en/home HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
        if (/^HTTP\/1\.1 200/.test(answer)) return `${name}: ${answer.slice(0, 100)}`;
        if (/<script>/.test(answer.split('\r\n\r\n')[1] ?? '') && name.includes('<script>')) return `${name} is written into the page`;
      }
      const twice = await host.raw(`GET /en/home HTTP/1.1\r\nHost: ${SITE.sld}.localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
      return /^HTTP\/1\.1 200/.test(twice) && twice.includes('evil.example') ? 'two Host headers: the page names the second one' : undefined;
    },
  },
  {
    name: 'metrics on the readers’ address',
    success: 'the metrics of the host are returned',
    async run(host) {
      for (const [site, address] of [
        ['', '/metrics'],
        [SITE.sld, '/metrics'],
        ['', `/${SITE.sld}/metrics`],
        ['', '/metrics/'],
        ['', '//metrics'],
        ['', '/%6detrics'],
      ]) {
        const answer = await host.send(address, { site, headers: { accept: 'text/plain' } });
        if (/^masthead_|# TYPE/m.test(answer.text)) return `${address}: ${answer.status}`;
      }
      return undefined;
    },
  },
  foreign('JSON with a foreign Origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
  foreign('JSON with a foreign Origin, from a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }),
  foreign('JSON from another site of the platform', { origin: 'http://hssxiv.localhost', 'sec-fetch-site': 'same-site' }),
  foreign('JSON from a sandboxed frame (Origin: null)', { origin: 'null' }),
  foreign('JSON as text/plain', { 'content-type': 'text/plain' }),
  foreign('JSON as a form', { 'content-type': 'application/x-www-form-urlencoded' }),
  foreign(
    'JSON in a form of several parts',
    { 'content-type': 'multipart/form-data; boundary=x' },
    (value) => `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${value}\r\n--x--`,
  ),
  {
    name: 'another origin: signs a reader out',
    success: 'the session cookie is deleted by a link on another site',
    async run(host) {
      const asked = (headers) => host.send('/en/logout', { headers });
      const own = await asked({ 'sec-fetch-site': 'same-origin' });
      if (!own.headers['set-cookie']) throw new NotTried(`a reader cannot sign out (${own.status})`);
      const other = await asked({ 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' });
      return other.headers['set-cookie'] ? String(other.headers['set-cookie']) : undefined;
    },
  },
  {
    name: 'the administrators’ call without a token',
    success: 'an upload is accepted, or its body is read to the end before it is refused',
    async run(host) {
      const address = `/rc-pub/admin/import?siteId=${SITE.id}&name=a.xml`;
      for (const headers of [
        {},
        { token: '' },
        { token: '0' },
        { token: host.token.slice(1) },
        { token: `${host.token}0` },
        { authorization: `Bearer ${host.token}` },
        { cookie: `token=${host.token}` },
      ]) {
        const answer = await host.send(address, {
          site: '',
          method: 'POST',
          body: '<article/>',
          headers: { 'content-type': 'application/octet-stream', ...headers },
        });
        if (answer.status < 300) return `${JSON.stringify(Object.keys(headers))}: ${answer.status}`;
      }
      // A body that is announced but never sent: the refusal must not wait for it.
      const head = `POST ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\nContent-Length: 4000000000\r\n\r\n`;
      const answer = await host.raw(head, { timeout: 5000 });
      return /^HTTP\/1\.1 4\d\d/.test(answer) ? undefined : `an announced body of 4 GB is answered with ${JSON.stringify(answer.slice(0, 60))}`;
    },
  },
  {
    name: 'traversal in the addresses of files',
    success: 'a file outside the folders of media, assets and modules is returned',
    async run(host) {
      const secrets = {
        'the signing key': readFileSync(path.join(host.data, 'cookie.key')).toString('latin1'),
        'the platform’s configuration': 'pathHosts',
        '/etc/passwd': 'root:x:0:',
        'the database': 'SQLite format 3',
      };
      const targets = ['cookie.key', 'data/cookie.key', 'admin-tokens.json', 'masthead.db', 'platform.toml', 'sites/platform.toml', 'etc/passwd'];
      const prefixes = [
        '/media/',
        `/media/${SITE.id}/`,
        `/media/${SITE.id}/ab/`,
        '/assets/',
        '/assets/sites/',
        '/assets/sites/logos/',
        '/static/mobile/',
        `/${SITE.sld}/assets/`,
        '/en/',
        '/',
      ];
      const paths = [
        ...prefixes.flatMap((prefix) => targets.flatMap((target) => climbs(prefix, target))),
        `/media/${SITE.id}//etc/passwd`,
        '/assets//etc/passwd',
        '/assets/C:\\',
        '/assets/sites/%2fetc%2fpasswd',
      ];
      let answered = 0;
      const found = await inParallel(paths, async (one, agent) => {
        const answer = await host.send(one, { site: '', agent }).catch(() => undefined);
        if (!answer) return undefined;
        answered += 1;
        const text = answer.bytes.toString('latin1');
        const what = Object.keys(secrets).find((name) => text.includes(secrets[name]));
        return what && `${what}, by ${one}`;
      });
      if (found) return found;
      if (answered < paths.length * 0.9) throw new NotTried(`only ${answered} of ${paths.length} requests were answered`);
      return undefined;
    },
  },
  {
    name: 'line breaks in addresses',
    success: 'a response has a header that the address contains',
    async run(host) {
      const inject = '%0d%0aX-Injected:%201%0d%0a';
      for (const address of [
        `/en/article/doi/10.5555/${inject}`,
        `/en/search?q=${inject}`,
        `/en/login/external?url=/${inject}`,
        `/${inject}`,
        `/en/article/1?format=${inject}`,
        `/rc-pub/front/search?q=${inject}`,
      ]) {
        const answer = await host.send(address, { headers: { 'x-request-id': 'a' } });
        if (answer.headers['x-injected']) return address;
      }
      return undefined;
    },
  },
  {
    name: 'a huge body: announced length',
    success: 'a call reads more than a megabyte',
    async run(host) {
      const call = '/rc-pub/front/ui-failure';
      const value = { slot: 'header', module: 'nav-default', reason: 'x' };
      const small = await host.post(call, value);
      if (small.status !== 200) throw new NotTried(`a small body is answered with ${small.status}`);
      const answer = await host
        .post(call, { ...value, reason: 'x'.repeat(8 << 20) })
        .catch((error) => ({ status: error.code === 'EPIPE' || error.code === 'ECONNRESET' ? 413 : error.message }));
      return answer.status === 413 ? undefined : `8 MiB are answered with ${answer.status}`;
    },
  },
  {
    name: 'a huge body: in chunks, without a length',
    success: 'a call reads more than a megabyte, or keeps it in memory',
    async run(host) {
      const before = host.peakMemory();
      const head = `POST /rc-pub/front/ui-failure HTTP/1.1\r\nHost: ${SITE.sld}.localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const chunk = `100000\r\n${' '.repeat(1 << 20)}\r\n`;
      const answer = await host.raw(`${head}${chunk.repeat(64)}0\r\n\r\n`, { timeout: 20_000 });
      const grown = host.peakMemory() - before;
      if (grown > 256) return `the memory of the host grew by ${Math.round(grown)} MiB`;
      return /^HTTP\/1\.1 2/.test(answer) ? answer.slice(0, 80) : undefined;
    },
  },
  {
    name: 'long addresses and many headers',
    success: 'the host returns an internal error, or stops',
    async run(host) {
      const long = 'x'.repeat(60_000);
      for (const address of [`/en/search?q=${long}`, `/rc-pub/front/search?q=${long}`, `/en/${'a/'.repeat(20_000)}`]) {
        const answer = await host.send(address).catch(() => ({ status: 0 }));
        if (answer.status >= 500) return `${address.slice(0, 30)}: ${answer.status}`;
      }
      const many = Object.fromEntries(Array.from({ length: 90 }, (_, number) => [`x-${number}`, 'y'.repeat(100)]));
      const answer = await host.send('/en/home', { headers: many });
      return answer.status >= 500 ? `90 headers: ${answer.status}` : undefined;
    },
  },
  {
    name: 'a frame of a page in another site',
    success: 'a page may be shown in a frame of another origin, or runs scripts without a nonce',
    async run(host) {
      const policy = (await host.send('/en/home')).headers['content-security-policy'];
      if (!policy) return 'the home page has no content security policy';
      if (!/frame-ancestors '(self|none)'/.test(policy)) return policy;
      return /script-src[^;]*'unsafe-(inline|eval)'/.test(policy) || !/script-src[^;]*'nonce-/.test(policy) ? policy : undefined;
    },
  },
];
