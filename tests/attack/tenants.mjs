// One site asks for the content of another one.
import { createHash } from 'node:crypto';
import { article, freshWord, png, tar } from './documents.mjs';
import { NotTried, visibleText } from './host.mjs';

const OWNER = { id: 101, sld: 'plainpress' };
const OTHER = { id: 448, sld: 'oceanledger' };
const word = freshWord();
const doi = `10.5555/${word}`;
const figure = png(300, 200, 30);
const digest = createHash('sha256').update(figure).digest('hex');

let stored;
const owned = (host) => {
  const body = `<sec id="s1"><title>S</title><p>${word}body</p><table-wrap id="t1"><table><tbody><tr><td>${word}cell</td></tr></tbody></table></table-wrap><fig id="f1"><label>1</label><graphic xlink:href="f.png"/></fig></sec>`;
  const files = { 'a.xml': article({ doi, title: `${word}title`, body }), 'f.png': figure };
  return (stored ??= host.uploadedArticle(OWNER.id, 'a.tar', tar(files)).then(({ id }) => id));
};

/** The same request to the owner of the article, who gets it, and to another site, which must not. */
function crossing(name, address, headers = {}) {
  return {
    name: `another site reads an article: ${name}`,
    success: `the host of ${OTHER.sld} returns content of ${OWNER.sld}`,
    async run(host) {
      const id = await owned(host);
      const asked = (site) => host.send(address(id, site), { site: site.sld, headers });
      const own = await asked(OWNER);
      if (own.status !== 200 || !visibleText(own.bytes).includes(word))
        throw new NotTried(`the owner does not get it either (${own.status} for ${address(id, OWNER)})`);
      const other = await asked(OTHER);
      return visibleText(other.bytes).includes(`${word}body`) || visibleText(other.bytes).includes(`${word}title`)
        ? `${address(id, OTHER)}: ${other.status}`
        : undefined;
    },
  };
}

export const tenants = [
  crossing('the page by number', (id) => `/en/article/${id}`),
  crossing('the page by DOI', () => `/en/article/doi/${doi}`),
  crossing('the navigation of the shell', (id) => `/rc-pub/front/page?path=${encodeURIComponent(`/en/article/${id}`)}`),
  crossing('the API by number', (id) => `/rc-pub/front/front-article/${id}`),
  crossing('the API with a header that names the owner', (id) => `/rc-pub/front/front-article/${id}`, { siteId: String(OWNER.id) }),
  crossing('the API with a parameter that names the owner', (id) => `/rc-pub/front/front-article/${id}?siteId=${OWNER.id}`),
  crossing('the body', (id) => `/rc-pub/front/front-article/getBody?id=${id}`),
  crossing('the download', (id) => `/rc-pub/front/front-article/download?id=${id}&type=xml`),
  crossing('JATS', (id) => `/en/article/${id}?format=jats`),
  crossing('a table', (id) => `/rc-pub/front/front-article/downloadTable?type=csv&tableId=${id}%2Ft1`),
  crossing('OAI-PMH', (id, site) => `/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=${encodeURIComponent(`oai:${site.sld}.localhost:article/${id}`)}`),
  {
    name: 'another site reads an article: its figure',
    success: `the host of ${OTHER.sld} serves a file of ${OWNER.sld}`,
    async run(host) {
      const id = await owned(host);
      const page = await host.send(`/en/article/${id}`, { site: OWNER.sld });
      const address = /\/media\/\d+\/[0-9a-f]{64}\.\w+/.exec(page.text)?.[0];
      if (!address || (await host.send(address, { site: OWNER.sld })).status !== 200)
        throw new NotTried(`the owner does not get ${address ?? 'a figure'} either`);
      const own = address.replace(`/media/${OWNER.id}/`, `/media/${OTHER.id}/`);
      for (const tried of [address, own, `/media/${OTHER.id}/${digest}.png`, `/media/${OWNER.id}/${digest}.png`]) {
        const answer = await host.send(tried, { site: OTHER.sld });
        if (answer.status === 200) return tried;
      }
      return undefined;
    },
  },
  {
    name: 'another site reads an article: by a call that names the owner in its address',
    success: 'the call answers for the other site',
    async run(host) {
      const asked = (sld) => host.send(`/rc-pub/front/site/${OWNER.id}/search-config`, { site: sld });
      const own = await asked(OWNER.sld);
      if (own.status !== 200) throw new NotTried(`the owner is answered with ${own.status}`);
      const other = await asked(OTHER.sld);
      return other.status === 200 && JSON.parse(other.text).status === 0 ? other.text.slice(0, 200) : undefined;
    },
  },
];
