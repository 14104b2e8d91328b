// A retracted article and its retraction, as JATS files of the journal Ocean Ledger of the demo.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

export const RETRACTED = 'A misread tide gauge';

/** A JATS file of the demo's journal. */
const jats = ({ name, type, lang, titles, more = '', abstract = '', body }) =>
  `<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="${type}" xml:lang="${lang}"><front>
<journal-meta><journal-id journal-id-type="publisher-id">ocean-ledger</journal-id>
<journal-title-group><journal-title xml:lang="en">Ocean Ledger</journal-title></journal-title-group><issn>9967-2049</issn></journal-meta>
<article-meta><article-id pub-id-type="doi">10.5555/ocl.2026.${name}</article-id>
<title-group>${titles}</title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lind</surname><given-names>B. O.</given-names></name></contrib>
<contrib contrib-type="author"><name><surname>Fei</surname><given-names>M.</given-names></name></contrib></contrib-group>
<pub-date date-type="pub" publication-format="electronic"><day>2</day><month>5</month><year>2026</year></pub-date>
<volume>6</volume><issue>2</issue><fpage>201</fpage><lpage>209</lpage>${more}${abstract}</article-meta></front>
<body><sec><title>${lang === 'zh' ? '引言' : 'Notice'}</title><p>${body}</p></sec></body>
<back><ack><title>${lang === 'zh' ? '致谢' : 'Acknowledgements'}</title><p>${body}</p></ack></back></article>`;

const ARTICLES = {
  'misread-gauge.xml': jats({
    name: '9001',
    type: 'research-article',
    lang: 'zh',
    titles: `<article-title>潮位站的一次误读</article-title><trans-title-group xml:lang="en"><trans-title>${RETRACTED}</trans-title></trans-title-group>`,
    abstract:
      '<abstract xml:lang="zh"><p>摘要一。</p></abstract><trans-abstract xml:lang="en"><p>We counted 10<sup>6</sup> tides and 3 mol of CO<sub>2</sub>.</p></trans-abstract>',
    body: '潮位。',
  }),
  'misread-gauge-retraction.xml': jats({
    name: '9002',
    type: 'retraction',
    lang: 'en',
    titles: '<article-title>Retraction: the tide gauge</article-title>',
    more: '<related-article related-article-type="retracted-article" ext-link-type="doi" xlink:href="10.5555/ocl.2026.9001"/>',
    body: 'The gauge was misread.',
  }),
};

/** Writes both beside the articles of the demo; `sites` is the configuration folder. */
export function addRetraction(sites) {
  for (const [name, text] of Object.entries(ARTICLES)) writeFileSync(path.join(sites, 'demo/ocean-ledger/articles', name), text);
}
