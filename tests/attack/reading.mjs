// A stranger reads the full text of an article that only readers from partner hosts may read: one attack for each door.
import { createHash } from 'node:crypto';
import { article, freshWord, png, tar } from './documents.mjs';
import { NotTried, until, visibleText } from './host.mjs';

/** A site of the demo whose full texts are for readers who arrive from these hosts. */
const SITE = { id: 763, sld: 'fieldnotes' };
const PARTNER = { referer: 'https://teachers.example.org/reading' };
const PARTS = ['body', 'cell', 'note', 'data', 'pdf', 'appendix'];

const word = freshWord();
const doi = `10.5555/${word}`;
/** Words of the restricted parts; those of title and abstract are open. */
const secrets = PARTS.map((part) => word + part);
const files = {
  'a.pdf': `%PDF-1.4\n% ${word}pdf\n%%EOF\n`,
  'data.csv': `name,value\n${word}data,1\n`,
  'f.png': png(400, 300, 90),
};

function source() {
  const body =
    `<sec id="s1"><title>Findings</title><p>The ${word}lamp stands beside the ${word}body, and both are seen from the shore.</p>` +
    `<table-wrap id="t1"><label>Table 1</label><caption><title>Counts</title></caption><table><tbody><tr><td>${word}cell</td><td>1</td></tr></tbody></table></table-wrap>` +
    `<fig id="f1"><label>Figure 1</label><caption><title>Levels</title><p>Here is the ${word}note of it.</p></caption><graphic xlink:href="f.png"/></fig></sec>` +
    `<sec sec-type="supplementary-material"><title>Data</title><supplementary-material id="d1" xlink:href="data.csv"><label>Data 1</label></supplementary-material></sec>`;
  const back = `<back><app-group><app id="a1"><title>Appendix</title><p>At its end is the ${word}appendix.</p></app></app-group></back>`;
  return article({ doi, title: `The ${word}title of it`, front: `<abstract><p>An ${word}abstract for everyone.</p></abstract>`, body, back });
}

let stored;
/** The number of the restricted article, which is imported once. */
const restricted = (host) => (stored ??= host.uploadedArticle(SITE.id, 'secret.tar', tar({ 'a.xml': source(), ...files })).then(({ id }) => id));

const ask = (host, address, headers = {}) => host.send(address, { site: SITE.sld, headers });
const leaked = (answer) => secrets.filter((secret) => visibleText(answer.bytes).includes(secret));

/**
 * A door. `control` shows that it is the right one: 'partner' = a reader from a partner host gets restricted text by it; 'title' = a stranger gets
 * the title of the article; a number = the status of the response.
 */
function door(name, address, control, headers = {}) {
  return {
    name: `a stranger reads a restricted article: ${name}`,
    success: 'the response has text of its body, tables, captions, files or appendix',
    async run(host) {
      const id = await restricted(host);
      const path = address(id);
      const given = typeof headers === 'function' ? headers(host) : headers;
      // First the stranger, so that nothing that the partner read can be cached for strangers; then again after the partner.
      const before = await ask(host, path, given);
      if (control === 'partner') {
        const partner = await ask(host, path, { ...given, ...PARTNER });
        if (!leaked(partner).length) throw new NotTried(`a reader from a partner host gets nothing by ${path} either (${partner.status})`);
      }
      const after = await ask(host, path, given);
      for (const answer of [before, after]) {
        const found = leaked(answer);
        if (found.length) return `${path}: ${found.map((secret) => secret.slice(word.length)).join(', ')} (${answer.status})`;
      }
      if (control === 'title' && !visibleText(after.bytes).includes(`${word}title`)) throw new NotTried(`${path} does not list the article (${after.status})`);
      if (typeof control === 'number' && after.status !== control) throw new NotTried(`${path} is answered with ${after.status}`);
      return undefined;
    },
  };
}

const api = (call) => (id) => `/rc-pub/front/${call.replaceAll('ID', id)}`;
const oai = (query) => (id) => `/oai?${query.replace('ID', encodeURIComponent(`oai:${SITE.sld}.localhost:article/${id}`))}`;
const searches = {
  'search in articles': 'search?q=WORD',
  'search in everything': 'search?type=all&q=WORD',
  'search in figures': 'search?type=picture&q=WORD',
  'search in tables': 'search?type=table&q=WORD',
  'quick search': 'front-article/quickSearch?q=WORD',
  'advanced search': `advSearch?conditions=${encodeURIComponent('[{"field":"thesis_tic","value":"WORD","matchType":1}]')}`,
};

export const reading = [
  door('the page', (id) => `/en/article/${id}`, 'partner'),
  door('the page by DOI', () => `/en/article/doi/${doi}`, 'partner'),
  door(
    'the page on the host of the platform',
    (id) => `/${SITE.sld}/en/article/${id}`,
    'partner',
    (host) => ({ host: `127.0.0.1:${host.port}` }),
  ),
  door('the navigation of the shell', api(`page?path=${encodeURIComponent('/en/article/')}ID`), 'partner'),
  door('the rendered sections', api('front-article/getHtml?id=ID'), 'partner'),
  door('the body as nodes', api('front-article/getBody?id=ID'), 'partner'),
  door('a table as CSV', api('front-article/downloadTable?type=csv&tableId=ID%2Ft1'), 'partner'),
  door('a table as a spreadsheet', api('front-article/downloadTable?tableId=ID%2Ft1'), 'partner'),
  door('the figures of the article', api('pictures?article=ID'), 'partner'),
  door('the tables of the article', api('tables?article=ID'), 200),
  door('the figures of the site', api('pictures?size=100'), 200),
  door('the tables of the site', api('tables?size=100'), 200),
  door('the download as XML', api('front-article/download?id=ID&type=xml'), 'partner'),
  door('the download as text', api('front-article/download?id=ID&type=txt'), 'partner'),
  door('the download as a package', api('front-article/download?id=ID&type=zip'), 'partner'),
  door('the download of the PDF', api('front-article/download?id=ID&type=pdf'), 'partner'),
  door(
    'the download of a file by digest',
    api(`front-article/download?id=ID&type=file&file=${createHash('sha256').update(files['data.csv']).digest('hex')}`),
    'partner',
  ),
  door('JATS by format', (id) => `/en/article/${id}?format=jats`, 'partner'),
  door('JATS by content negotiation', (id) => `/en/article/${id}`, 'partner', { accept: 'application/xml' }),
  door('the PDF by format', (id) => `/en/article/${id}?format=pdf`, 'partner'),
  door('JSON-LD', (id) => `/en/article/${id}?format=jsonld`, 'title'),
  door('citations', (id) => `/en/article/${id}?format=bibtex`, 'title'),
  door('the data of the article', api('front-article/ID'), 'title'),
  door('the references', api('front-article/getReference?id=ID'), 200),
  door('typed links', (id) => `/en/article/${id}/linkset`, 200),
  door('Atom', () => '/en/feed.atom', 200),
  door('RSS', () => '/en/feed.rss', 200),
  door('OAI-PMH, JATS', oai('verb=GetRecord&metadataPrefix=jats&identifier=ID'), 'title'),
  door('OAI-PMH, all records', oai('verb=ListRecords&metadataPrefix=jats'), 200),
  door('OAI-PMH, Dublin Core', oai('verb=GetRecord&metadataPrefix=oai_dc&identifier=ID'), 'title'),
  ...Object.entries(searches).map(([name, call]) => {
    const tried = door(`passages of the ${name}`, api(call.replace('WORD', `${word}lamp`)), 200);
    return {
      ...tried,
      async run(host) {
        await restricted(host);
        const listed = await until(30, async () => (await ask(host, api(`search?q=${word}title`)(0))).text.includes(doi));
        if (!listed) throw new NotTried('the article is not in the search index');
        return tried.run(host);
      },
    };
  }),
  door('the assistant of the site', () => `/en/plugins/ai-assistant/ask?q=${word}lamp`, 200),
  {
    name: 'a stranger reads a restricted article: its files under /media/',
    success: 'a file is served that only the page for partners names',
    async run(host) {
      const id = await restricted(host);
      const addresses = async (headers) =>
        new Set([...(await ask(host, `/en/article/${id}`, headers)).text.matchAll(/\/media\/\d+\/[0-9a-f]{64}\.\w+/g)].map(([address]) => address));
      const [open, partner] = [await addresses({}), await addresses(PARTNER)];
      const closed = [...partner].filter((address) => !open.has(address));
      if (!closed.length) throw new NotTried('the page for partners names no file that the page for strangers does not name');
      // The digest of a file can be known from elsewhere, whether or not a page names it.
      for (const [name, bytes] of Object.entries(files)) {
        closed.push(`/media/${SITE.id}/${createHash('sha256').update(bytes).digest('hex')}.${name.split('.')[1]}`);
      }
      for (const address of closed) {
        const first = await ask(host, address, PARTNER);
        for (const site of [SITE.sld, '', 'oceanledger']) {
          const answer = await host.send(address, { site });
          if (answer.status === 200) return `${address} on the host of ${site || 'the platform'} (for a partner: ${first.status})`;
        }
      }
      return undefined;
    },
  },
  {
    name: 'a stranger reads a restricted article: with a forged session or referrer cookie',
    success: 'the page has restricted text',
    async run(host) {
      const id = await restricted(host);
      const partner = await ask(host, `/en/article/${id}`, PARTNER);
      const cookies = [partner.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]);
      if (!cookies.length) throw new NotTried('a visit from a partner sets no cookie');
      const [name, value] = cookies[0].split(/=(.*)/s);
      const flipped = value.slice(0, -3) + (value.at(-3) === 'A' ? 'B' : 'A') + value.slice(-2);
      const forged = [flipped, value.slice(0, value.length / 2), Buffer.from('{"host":"teachers.example.org"}').toString('base64'), 'teachers.example.org'];
      for (const one of forged) {
        const answer = await ask(host, `/en/article/${id}`, { cookie: `${name}=${one}` });
        if (leaked(answer).length) return `${name}=${one}`;
      }
      // A visit to another site with the same partners gives rights on that site only.
      const visit = await host.send('/en/home', { site: 'quietcircuits', headers: { referer: 'https://library.example.edu/' } });
      const cookie = [visit.headers['set-cookie'] ?? []].flat()[0]?.split(';')[0];
      if (!cookie) throw new NotTried('a visit to quietcircuits sets no cookie');
      return leaked(await ask(host, `/en/article/${id}`, { cookie })).length ? 'the cookie of another site is accepted' : undefined;
    },
  },
];
