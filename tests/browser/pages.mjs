// Pages of the demo as the host serves them. They are recorded for the tests of the shell, which run without a host.
import { appendFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { startPortal } from './portal.mjs';

/** The folder of the recorded pages, one document each. */
export const folder = path.resolve(import.meta.dirname, '../../ui-shell/test/pages');

/** The article with figures, tables, formulas, footnotes and references; its text is English, that of the other one Chinese. */
const BUOYS = /<a href="([^"]*\/article\/\d+)"[^>]*>[^<]*How few buoys are enough/;
const MANGROVE = /<a href="([^"]*\/article\/\d+)"[^>]*>[^<]*红树林潮沟/;

/** Recorded page -> site and address; the address of an article is read from the list of the current issue. */
const PAGES = {
  issue: ['oceanledger', '/en/issue'],
  'issue.zh': ['oceanledger', '/zh/issue'],
  article: ['oceanledger', '/en/issue', BUOYS],
  'plugins-home': ['tidesdesk', '/en/home'],
  'plugins-issue': ['tidesdesk', '/en/issue'],
  'plugins-article': ['tidesdesk', '/en/issue', BUOYS],
  'plugins-article.zh': ['tidesdesk', '/zh/issue', MANGROVE],
  'plugins-alternate': ['scriptstone', '/en/issue'],
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
const LANGUAGES = `
[[plugins]]
id = "multilingual-dissemination"
`;
const SECRETS = [665, 905].map((site) => `[${site}]\nidentity-client = "recorded"\ntranslate-gateway = "recorded"\n`).join('\n');

/** The body of a page, requested by the name of its site. */
function get(port, sld, address) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: address, headers: { host: `${sld}.localhost` } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => (response.statusCode === 200 ? resolve(body) : reject(new Error(`${sld} ${address}: ${response.statusCode}`))));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Removes what differs from build to build and from answer to answer: nonces, and hashes of scripts and style sheets. */
const withoutHashes = (html) =>
  html
    .replace(/nonce="[^"]*"/g, 'nonce="recorded"')
    .replace(/-[\w-]{8}\.(js|css)\b/g, '.$1')
    .replace(/ integrity="[^"]*"/g, '')
    .replace(/"integrity":"[^"]*"/g, '"integrity":""');

/** Starts the demo and resolves to the documents of all pages by name. */
export async function recordPages() {
  const edit = (sites) => {
    appendFileSync(path.join(sites, 'tidesdesk.toml'), IDENTITY + TRANSLATION + LANGUAGES);
    appendFileSync(path.join(sites, 'scriptstone.toml'), IDENTITY);
  };
  const portal = await startPortal({ edit, secrets: SECRETS });
  try {
    const recorded = {};
    for (const [name, [sld, address, link]] of Object.entries(PAGES)) {
      let html = await get(portal.port, sld, address);
      if (link) {
        const found = link.exec(html);
        if (!found) throw new Error(`${sld} ${address} lists no article ${link}`);
        html = await get(portal.port, sld, found[1]);
      }
      recorded[name] = withoutHashes(html);
    }
    return recorded;
  } finally {
    await portal.stop();
  }
}
