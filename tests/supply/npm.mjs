// The npm packages of package-lock.json with their licences and sources, compared with npm-licences.json.
//   node tests/supply/npm.mjs   prints the packages by licence, and exits with 1 if one is not allowed
// Packages that the browser loads (`shipped`) may have fewer licences than those that only build or test (`tools`).
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const REGISTRY = 'https://registry.npmjs.org/';
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Whether an SPDX expression can be met with the allowed licences; throws if it is no such expression. */
export function isAllowed(expression, allowed) {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const licence = () => {
    const name = words[at++];
    if (name === '(') {
      const inner = either();
      if (words[at++] !== ')') throw new Error(`${expression}: a parenthesis is not closed`);
      return inner;
    }
    if (!name || !/^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(name) || /^(AND|OR|WITH)$/.test(name)) throw new Error(`"${expression}" is no SPDX expression`);
    if (words[at] !== 'WITH') return allowed.includes(name);
    at += 2;
    return allowed.includes(`${name} WITH ${words[at - 1]}`);
  };
  const both = () => {
    let met = licence();
    while (words[at] === 'AND') {
      at += 1;
      met = licence() && met;
    }
    return met;
  };
  const either = () => {
    let met = both();
    while (words[at] === 'OR') {
      at += 1;
      met = both() || met;
    }
    return met;
  };
  const met = either();
  if (at !== words.length) throw new Error(`"${expression}" is no SPDX expression`);
  return met;
}

/** The place of a dependency in the lock file, as Node resolves it from a package at `from`. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
    if (packages[place]) return packages[place].link ? packages[place].resolved : place;
    if (!folder) return undefined;
  }
}

/** The packages that the shell and the modules load in the browser: everything that their `dependencies` lead to. */
export function shipped(packages) {
  const found = new Set();
  const waiting = Object.keys(packages).filter((place) => /^(ui-shell|ui-renderer|plugin-sdk\/ui|ui-modules\/(?!build$)[^/]+)$/.test(place));
  while (waiting.length) {
    const place = waiting.pop();
    if (found.has(place)) continue;
    found.add(place);
    const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = packages[place];
    for (const name of Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })) {
      const target = resolve(packages, place, name);
      if (target) waiting.push(target);
    }
  }
  return found;
}

/** Each package as { name, version, licence, use, fault }. `installed` returns the licence in a package's own package.json, if it is installed. */
export function check(lock, rules, installed = () => undefined) {
  const browser = shipped(lock.packages);
  const rows = [];
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (entry.link || !/(^|\/)node_modules\//.test(place)) continue;
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const own = installed(place);
    const licence = own ?? entry.license ?? rules.stated[name]?.licence ?? '';
    const use = browser.has(place) ? 'shipped' : 'tools';
    const row = { name, version: entry.version, licence, use };
    try {
      if (!licence) row.fault = 'names no licence; read its files and state it in npm-licences.json';
      else if (own && entry.license && own !== entry.license) row.fault = `its package.json says ${own}, but package-lock.json says ${entry.license}`;
      else if (!isAllowed(licence, rules[use])) row.fault = `the licence ${licence} is not allowed for ${use === 'shipped' ? 'what readers load' : 'tools'}`;
    } catch (error) {
      row.fault = error.message;
    }
    if (entry.resolved && !entry.resolved.startsWith(REGISTRY)) row.fault = `it comes from ${entry.resolved}, not from the registry`;
    else if (!entry.integrity && !entry.inBundle) row.fault = 'package-lock.json has no digest of it';
    rows.push(row);
  }
  return rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The text of the field in its older forms too: `{ "type": "MIT" }`, `[{ "type": "MIT" }]`. */
export function licenceOf({ license, licenses }) {
  const text = (one) => (typeof one === 'string' ? one : one?.type);
  if (Array.isArray(licenses ?? license)) return (licenses ?? license).map(text).join(' OR ');
  return text(license) ?? text(licenses);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(import.meta.dirname, '../..');
  const rows = check(json(path.join(root, 'package-lock.json')), json(path.join(import.meta.dirname, 'npm-licences.json')), (place) => {
    const file = path.join(root, place, 'package.json');
    return existsSync(file) ? licenceOf(json(file)) : undefined;
  });
  const groups = new Map();
  for (const { use, licence, name, version } of rows) {
    const group = `${use}, ${licence}`;
    groups.set(group, [...(groups.get(group) ?? []), `${name} ${version}`]);
  }
  for (const group of [...groups.keys()].sort()) console.log(`${group} (${groups.get(group).length}): ${groups.get(group).join(', ')}`);
  const faults = rows.filter((row) => row.fault);
  for (const { name, version, fault } of faults) console.error(`${name} ${version}: ${fault}`);
  const loaded = rows.filter((row) => row.use === 'shipped').length;
  console.log(`npm licences: ${rows.length} packages, of which readers load ${loaded}; ${faults.length} not allowed`);
  process.exitCode = faults.length ? 1 : 0;
}
