// Pages of the demo as the host serves them: documents and, for navigation within a site, data. The tests of the shell, which run without a host, read them.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { get, startPortal } from './portal.mjs';

/** The folder of the recorded pages. */
export const folder = path.resolve(import.meta.dirname, '../../ui-shell/test/pages');

/** The article with figures, tables, formulas, footnotes and references; its text is English, that of the other one Chinese. */
const BUOYS = /<a href="([^"]*\/article\/\d+)"[^>]*>[^<]*How few buoys are enough/;
const MANGROVE = /<a href="([^"]*\/article\/\d+)"[^>]*>[^<]*红树林潮沟/;

/** File -> site and address; the address of an article is read from the list of an issue. `.html` is the document of a page, `.json` the data of one. */
const PAGES = {
  'issue.html': ['oceanledger', '/en/issue'],
  'issue.zh.json': ['oceanledger', '/zh/issue'],
  'article.html': ['oceanledger', '/en/issue', BUOYS],
  'article.json': ['oceanledger', '/en/issue', BUOYS],
  'plugins-home.html': ['tidesdesk', '/en/home/'],
  'plugins-home.json': ['tidesdesk', '/en/home/'],
  'plugins-issue.html': ['tidesdesk', '/en/issue'],
  'plugins-issue.json': ['tidesdesk', '/en/issue'],
  'plugins-article.html': ['tidesdesk', '/en/issue', BUOYS],
  'plugins-article.zh.html': ['tidesdesk', '/zh/issue/2026/1', MANGROVE],
  'plugins-alternate.html': ['scriptstone', '/en/issue'],
};

const IDENTITY = `
[[plugins]]
id = "external-identity"
grants = { http = ["login.example.org"], secrets = ["identity-client"] }

[plugins.settings]
signInAddress = "https://login.example.org/authorize"
tokenAddress = "https://login.example.org/token"
userAddress = "https://login.example.org/user"
clientId = "masthead-demo"
label = { zh = "通过机构账号登录", en = "Sign in with your institution" }
`;
const TRANSLATION = `
[[plugins]]
id = "translate-gateway"
grants = { http = ["translate.example.org"], secrets = ["translate-gateway"] }
settings = { address = "https://translate.example.org/", appId = "a" }
`;
// The plugins that a site names replace those of its group: the assistant is named again.
const ASSISTANT = `
[[plugins]]
id = "ai-assistant"
grants = { content = true }
`;
const LANGUAGES = `
[[plugins]]
id = "multilingual-dissemination"
`;
const SECRETS = [665, 905].map((site) => `[${site}]\nidentity-client = "recorded"\ntranslate-gateway = "recorded"\n`).join('\n');

/** Removes what differs from build to build and from answer to answer: nonces, and hashes of scripts and style sheets. */
const withoutHashes = (text) =>
  text
    .replace(/ nonce="[^"]*"/g, ' nonce="recorded"')
    .replace(/\/assets\/styles\/[^"]+/g, (address) => address.replace(/-[\w-]{8}(?=\+)/g, ''))
    .replace(/-[\w-]{8}\.(js|css)\b/g, '.$1')
    .replace(/ integrity="[^"]*"/g, ' integrity="sha384-recorded"')
    .replace(/"integrity":"[^"]+"/g, '"integrity":"sha384-recorded"');

/** The same document with one tag a line, for comparison line by line: line breaks stand inside tags, where they mean nothing. */
const inLines = (html) => html.replace(/(?<=[^/])><(?!\/script)/g, '\n><');

/** Starts the demo and resolves to the texts of all files by name. */
export async function recordPages() {
  const edit = (sites) => {
    const file = (sld) => path.join(sites, `${sld}.toml`);
    for (const sld of ['oceanledger', 'tidesdesk', 'scriptstone'])
      writeFileSync(file(sld), readFileSync(file(sld), 'utf8').replace('[header]\n', '[header]\nshowLogin = true\n'));
    appendFileSync(file('tidesdesk'), ASSISTANT + IDENTITY + TRANSLATION + LANGUAGES);
    appendFileSync(file('scriptstone'), IDENTITY);
  };
  const portal = await startPortal({ edit, secrets: SECRETS });
  try {
    const recorded = {};
    for (const [name, [sld, list, link]] of Object.entries(PAGES)) {
      let address = list;
      if (link) {
        const found = link.exec(await get(portal.port, sld, list));
        if (!found) throw new Error(`${sld} ${list} lists no article ${link}`);
        address = found[1];
      }
      if (name.endsWith('.html')) {
        recorded[name] = `${inLines(withoutHashes(await get(portal.port, sld, address)))}\n`;
        continue;
      }
      const answer = JSON.parse(withoutHashes(await get(portal.port, sld, `/rc-pub/front/page?path=${encodeURIComponent(address)}`)));
      recorded[name] = `${JSON.stringify(answer, null, 1)}\n`;
    }
    return recorded;
  } finally {
    await portal.stop();
  }
}
