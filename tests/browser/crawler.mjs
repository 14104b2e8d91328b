// Follows the links of the demo's pages over HTTP, without a browser: which screens there are, and what is wrong with a page.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import { send } from '../demo-host.mjs';
import { NAMED, SCREENS } from './screen-list.mjs';

const folder = path.resolve(import.meta.dirname, '../../sites');

/** The short names of the demo's sites. */
export const sites = readdirSync(folder)
  .filter((name) => name.endsWith('.toml') && name !== 'platform.toml')
  .map((name) => /^sld = "([^"]+)"/m.exec(readFileSync(path.join(folder, name), 'utf8'))?.[1] ?? path.basename(name, '.toml'));

const CODES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", '#39': "'", '#x27': "'" };
const decoded = (text) => text.replace(/&(lt|gt|amp|quot|apos|#39|#x27);/g, (_, name) => CODES[name]);
const attribute = (tag, name) => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`).exec(tag);
  return found && decoded(found[1] ?? found[2] ?? found[3] ?? '');
};
/** Without what is no markup of the page: scripts, styles and comments. */
const markupOf = (html) => html.replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, '');

/** The links of a page: their addresses, and whether they are marked for search engines not to follow them. */
const anchorsOf = (html) =>
  [...markupOf(html).matchAll(/<a\b[^>]*>/gi)]
    .map(([tag]) => ({ href: attribute(tag, 'href'), marked: /\bnofollow\b/.test(attribute(tag, 'rel') ?? '') }))
    .filter(({ href }) => href);

/** The addresses that the links of a page lead to. */
export const linksOf = (html) => anchorsOf(html).map(({ href }) => href);

/** The bootstrap data of a page. */
export function bootstrapOf(html) {
  const found = /<script\b[^>]*\bid="bootstrap"[^>]*>([\s\S]*?)<\/script>/.exec(html);
  return found && JSON.parse(found[1]);
}

/** What kind of page an address leads to: numbers and names of items mean nothing, a type or a code does. */
export function patternOf(address) {
  const { pathname, searchParams } = new URL(address, 'http://site');
  const [, , route = 'home', ...rest] = pathname.split('/');
  const shape = rest.filter(Boolean).map((part) => (/^\d+$/.test(part) ? 'N' : part === 'doi' ? part : 'x'));
  const query = [...new Set([...searchParams].map(([name, value]) => (/^(type|code|tab|issearch|styleId|sort)$/.test(name) ? `${name}=${value}` : name)))];
  return [route, ...shape].join('/') + (query.length ? `?${query.sort().join('&')}` : '');
}

/** What screen an address leads to: its route, and the parameters that choose what is shown there. */
export function screenOf(address) {
  const [route, query = ''] = patternOf(address).split('?');
  const chosen = query.split('&').filter((one) => /^(type|code|tab)=./.test(one));
  return chosen.length ? `${route}?${chosen.join('&')}` : route;
}

/** What is wrong with a page of a language, as texts. */
export function faultsOf(html, language) {
  const faults = [];
  const markup = markupOf(html);
  const root = /<html\b[^>]*>/i.exec(html)?.[0] ?? '';
  for (const [name, wanted] of [
    ['lang', language.tag],
    ['dir', language.dir],
  ]) {
    const found = attribute(root, name);
    if (found !== wanted) faults.push(`${name} is ${found}, not ${wanted}`);
  }
  const headings = markup.match(/<h1\b/gi)?.length ?? 0;
  if (headings !== 1) faults.push(`${headings} headings of level 1`);
  const all = [...markup.matchAll(/<[a-z][^>]*\sid\s*=\s*"([^"]*)"/gi)].map(([, id]) => decoded(id));
  const ids = new Set(all);
  const twice = ids.size === all.length ? [] : all.filter((id, index) => all.indexOf(id) !== index);
  if (twice.length) faults.push(`ids that occur twice: ${[...new Set(twice)].slice(0, 5).join(', ')}`);
  for (const href of linksOf(html).filter((one) => /^#./.test(one))) {
    const id = decodeURIComponent(href.slice(1));
    if (!ids.has(id) && id !== 'top') faults.push(`a link leads to #${id}, which is not in the page`);
  }
  return faults;
}

/**
 * Entries of menus whose pages have parts without data in the demo of the tests: site and code -> the number of these parts. Articles that are accepted
 * or online first are generated only, and the tests generate none.
 */
const WITHOUT_DATA = new Map([
  // The section of articles that are online first.
  ['oceanledger home', 1],
  ['fieldnotes home', 1],
  // The section of accepted articles.
  ['quietcircuits home', 1],
  // The lists of these articles.
  ['oceanledger latestOffer', 1],
  ['oceanledger singleFirst', 1],
  ['scriptstone singleFirst', 1],
  ['hsspress prePublication', 1],
]);

/** What is wrong with the content of the page behind an entry of a site's menu, as texts: parts that say that they have no data. */
export function faultsOfContent(html, sld, code) {
  const main = /<main\b[\s\S]*<\/main>/i.exec(markupOf(html))?.[0] ?? '';
  const empty = main.match(/<p class="empty">/g)?.length ?? 0;
  return empty > (WITHOUT_DATA.get(`${sld} ${code}`) ?? 0) ? [`parts without data: ${empty}`] : [];
}

/** The entries of both levels of a menu that lead to pages of the site in the language of the menu: address -> code. */
export function menuOf({ menu }, sld, from) {
  const entries = menu.flatMap((item) => [item, ...item.children]).filter(({ href, newTab, code }) => href && !newTab && code !== 'setStyle');
  return new Map(entries.map(({ href, code }) => [internal(href, sld, from), code]));
}

/** More links than any page is away from a home page. */
const FAR = 1000;

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
let client = 1;
/** A request of a client of its own: limits are those of one reader. It is sent again when the host has closed the kept connection meanwhile. */
const request = (port, sld, address) => {
  client = (client % 250) + 1;
  const options = { headers: { host: `${sld}.localhost`, 'accept-encoding': 'identity', accept: 'text/html' }, from: `127.0.0.${client}` };
  return send(port, address, { ...options, agent }).catch((error) => {
    if (error.code !== 'ECONNRESET') throw error;
    return send(port, address, options);
  });
};

/** Follows redirects within the site. Where one leads out of it, `away` is that address. */
export async function visit(port, sld, address) {
  let to = address;
  for (let moves = 0; moves < 5; moves += 1) {
    const answer = await request(port, sld, to);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status > 399 || !location) return { ...answer, address: to };
    const url = new URL(location, `http://${sld}.localhost${to}`);
    if (url.hostname !== `${sld}.localhost`) return { ...answer, status: 200, away: url.href, address: to };
    to = url.pathname + url.search;
  }
  return { status: 508, headers: {}, text: '', address: to };
}

/**
 * The site that an address leads to, and the address below it, without a fragment; undefined for one outside of the host, which serves all names below
 * `localhost`.
 */
function placeOf(href, sld, from) {
  const url = new URL(href, `http://${sld}.localhost${from}`);
  const [, to] = /^([\w-]+)\.localhost$/.exec(url.hostname) ?? [];
  return url.protocol === 'http:' && to ? { sld: to, address: url.pathname + url.search } : undefined;
}

/** The address below the site, without a fragment; undefined for one of another site or scheme. */
function internal(href, sld, from) {
  const place = placeOf(href, sld, from);
  return place?.sld === sld ? place.address : undefined;
}

/** An address without the way back that a sign-in keeps: it makes no other page. */
const withoutReturn = (address) => address.replace(/(?<=[?&]url=)[^&]*/, '');

/**
 * The addresses that are to be visited, each once, and of each pattern as many as `each` allows. The links from one site to another are patterns of
 * their own: the pages to which they lead may be others than those that the site itself links.
 */
function openList({ each, pagesFirst }) {
  const queue = [];
  const seen = new Set();
  const beyond = new Set();
  const samples = new Map();
  const shown = new Set();
  const add = (task) => {
    const key = `${task.sld} ${withoutReturn(task.address)}`;
    const whole = patternOf(task.address);
    const route = whole.split('?')[0];
    const pattern = `${task.via ?? ''} ${task.sld} ${task.language.code} ${whole}`;
    const count = samples.get(pattern) ?? 0;
    if (seen.has(key)) return;
    if (count >= each(task)) {
      beyond.add(key);
      return;
    }
    beyond.delete(key);
    seen.add(key);
    samples.set(pattern, count + 1);
    queue.push({ ...task, kind: task.via ? `${route} of ${task.sld}, linked on ${task.via}` : route });
  };
  const place = ({ kind, depth, states }) => depth + (shown.has(kind) ? FAR * (1 + (pagesFirst ? states : 0)) : 0);
  const next = () => {
    let least = 0;
    let nearest = Infinity;
    queue.forEach((task, index) => {
      const at = place(task);
      if (at < nearest) [least, nearest] = [index, at];
    });
    const [task] = queue.splice(least, 1);
    shown.add(task.kind);
    return task;
  };
  const unseen = () => [...new Set(queue.map(({ kind }) => kind).filter((kind) => !shown.has(kind)))];
  return { queue, beyond, add, next, unseen };
}

/** The code of the language of an address, or undefined. */
const codeOf = (address) => /^\/(zh|en|ru|ara|spa|fra|de|jp|kor)(?=[/?]|$)/.exec(address)?.[1];

/**
 * The language of the page on another site to which a link in the language `code` leads, or a link without one; undefined if that site is not visited in it.
 * `own` has the languages of that site; a site without any does not exist, and a language that it has not leads nowhere: both are asked for.
 */
function languageThere(own, code, here) {
  const wanted = code ?? here.code;
  const found = own?.visited.find((one) => one.code === wanted);
  if (found || !own) return found ?? here;
  if (own.all.some((one) => one.code === wanted)) return undefined;
  return code ? here : own.visited[0];
}

/**
 * Where a link on the page of a task leads: the next task, or undefined if it is not followed there. `languages` has for each site those that it has and
 * those in which it is visited.
 */
function taskOf({ href, marked }, task, page, languages) {
  const place = placeOf(href, task.sld, page);
  if (!place) return undefined;
  const { sld, address } = place;
  const crosses = sld !== task.sld;
  const code = codeOf(address);
  // A link to another language is followed from the pages of that language. On another site, the page may be in another language than the one before.
  if (!crosses && code && code !== task.language.code) return undefined;
  const language = crosses ? languageThere(languages.get(sld), code, task.language) : task.language;
  if (!language) return undefined;
  // What has no query is a page, whatever leads to it.
  const states = address.includes('?') ? task.states + Number(marked) : 0;
  const from = crosses ? `${task.sld} ${task.address}` : task.address;
  return { sld, language, address, from, depth: task.depth + 1, states, ...(crosses && { via: task.sld }) };
}

/**
 * Visits the home page of each site in each language, and from there `each` pages of each pattern that a link leads to, on the same site or on another one.
 * Pages of a pattern that no site has shown yet, with whatever query, come first, then those near the home page, and sites take turns. Ends when
 * everything is visited, or at `until` (ms since 1970). Calls `onPage` for each page; resolves to the number of pages, the number of those that were not
 * visited, the number of addresses beyond `each`, and the patterns, without queries, of which no page was visited.
 *
 * The `states` of a task count the links that are marked for search engines and led to it, from one query to the next: results are a state of a page,
 * and results under a filter are a state of that state. With `pagesFirst`, pages are visited before their states.
 */
export async function crawl({ port, slds = sites, languagesOf = (all) => all, each = () => 1, until = Infinity, workers = 6, pagesFirst = false, onPage }) {
  const { queue, beyond, add, next, unseen } = openList({ each, pagesFirst });
  const languages = new Map();
  let visited = 0;
  for (const sld of slds) {
    const home = await visit(port, sld, '/');
    const bootstrap = bootstrapOf(home.text);
    if (!bootstrap) throw new Error(`${sld} / answers ${home.status} without a page`);
    languages.set(sld, { all: bootstrap.languages, visited: languagesOf(bootstrap.languages, sld) });
  }
  for (const [sld, own] of languages) {
    for (const language of own.visited) add({ sld, language, address: `/${language.code}/home/`, from: '/', depth: 0, states: 0 });
  }
  const work = async () => {
    while (queue.length && Date.now() < until) {
      const task = next();
      const answer = await visit(port, task.sld, task.address);
      visited += 1;
      const isPage = /^text\/html/.test(answer.headers['content-type'] ?? '') && !answer.away;
      await onPage({ ...task, ...answer, asked: task.address, isPage });
      const links = isPage ? anchorsOf(answer.text) : answer.away ? [{ href: answer.away, marked: false }] : [];
      for (const link of links) {
        const found = taskOf(link, task, answer.address, languages);
        if (found) add(found);
      }
    }
  };
  // A worker that finds the queue empty may have links to follow soon after.
  while (queue.length && Date.now() < until) await Promise.all(Array.from({ length: workers }, work));
  return { visited, left: queue.length, beyond: beyond.size, unseen: unseen() };
}

/** Pages that no link leads to. */
export const UNLINKED = ['/errorPage?lang=en', '/forbiddenPage?lang=en', '/en/there/is/no/such/page/', '/en/search?q=zqxjvwk'];

const byKind = ([one], [other]) => one.localeCompare(other);

/**
 * One English page for each kind of page that links lead to, and those without links: the kind -> its site and address. Kinds are told apart by
 * `kindOf`. Where the site `first` has a page of a kind, it is that one; the other sites give the kinds that it has not.
 */
export async function screens({ port, first, kindOf = patternOf }) {
  const found = new Map();
  await crawl({
    port,
    slds: [first, ...sites.filter((sld) => sld !== first)],
    languagesOf: (all) => all.filter(({ code }) => code === 'en'),
    each: ({ sld, address }) => (sld === first || !found.has(kindOf(address)) ? 1 : 0),
    onPage: ({ sld, address, status, isPage, text }) => {
      const kind = kindOf(address);
      const kept = found.get(kind);
      if (status < 400 && isPage && bootstrapOf(text) && (!kept || (sld === first && kept.sld !== first))) found.set(kind, { sld, address });
    },
  });
  for (const address of UNLINKED) found.set(address, { sld: first, address });
  return [...found].sort(byKind);
}

/** The same with the screens that no link of the demo needs: those that are named, and those of the specification. */
export async function allScreens({ port, first, kindOf = patternOf }) {
  const found = new Map(await screens({ port, first, kindOf }));
  const shown = new Set([...found.values()].map(({ address }) => screenOf(address)));
  for (const asked of [...NAMED, ...SCREENS.map((screen) => `/en/${screen}`)]) {
    const { status, address } = await visit(port, first, asked);
    if (status >= 400) throw new Error(`${first} ${asked}: status ${status}`);
    if (shown.has(screenOf(address))) continue;
    shown.add(screenOf(address));
    found.set(kindOf(address), { sld: first, address });
  }
  return [...found].sort(byKind);
}
