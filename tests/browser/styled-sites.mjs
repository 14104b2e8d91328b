// Sites for tests, one for each search style and for each style of the footer.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** The module of each search style, by the number that sites name. */
export const SEARCH_STYLES = {
  1: 'search-style-one',
  2: 'search-style-two',
  4: 'search-style-four',
  6: 'search-style-six',
  7: 'search-style-seven',
  13: 'search-banner',
  0: 'search-header-bar',
};

const NAMES = {
  article: ['文章', 'Articles'],
  publication: ['期刊', 'Journals'],
  picture: ['图片', 'Figures'],
  table: ['表格', 'Tables'],
  video: ['视频', 'Video'],
};
const TYPES = Object.entries(NAMES).map(
  ([type, [zh, en]]) => `  { type = "${type}", name = { zh = "${zh}", en = "${en}" }, isOpenConfig = ${Number(type === 'article')} },`,
);
const SEARCH = `
title = { zh = "检索海岸与海洋研究", en = "Coasts and oceans, in figures" }
slogans = [{ zh = "题名、作者与全文", en = "Titles, authors and full texts" }, { zh = "每周更新", en = "New every week" }]
hotWords = [{ zh = "碳收支", en = "carbon budget" }, { zh = "潮汐", en = "tides" }]
quickEntry = { name = { zh = "全部刊期", en = "All issues" }, linkValue = "/issues" }
resourceType = [
${TYPES.join('\n')}
]
`;

/** The configuration of a search style. */
export const searchOf = (style) => `[search]\nstyle = ${style}${SEARCH}`;

/** Adds a site for each search style, `styled1` for style 1. */
export function addStyledSites(sites) {
  for (const style of Object.keys(SEARCH_STYLES)) {
    const site = `id = ${9400 + Number(style)}\ncolorId = 3\nlanguages = ["en", "zh", "ara"]\nname = { zh = "样式", en = "A Styled Site" }\n`;
    writeFileSync(path.join(sites, `styled${style}.toml`), site + searchOf(style));
  }
}

/** The styles of the footer: a link to the whole navigation, links to all main pages, and these links with icons. */
export const FOOTER_STYLES = [0, 1, 2];

const FOOTER = `copyright = "© 2026 样式"
enCopyright = "© 2026 A Styled Site"
icp = "示例备字 09430 号"
linkAddress = "https://beian.miit.gov.cn/"
picp = "示例公网安备 094300 号"
picpLink = "https://beian.mps.gov.cn/"
`;

/** Adds a site for each style of the footer, `footer1` for style 1. */
export function addFooterSites(sites) {
  for (const style of FOOTER_STYLES) {
    const site = `id = ${9430 + style}\ncolorId = 3\nlanguages = ["en", "zh", "ara"]\nname = { zh = "样式", en = "A Styled Site" }\n`;
    writeFileSync(path.join(sites, `footer${style}.toml`), `${site}[footer]\ntoolbarStyle = ${style}\n${FOOTER}`);
  }
}
