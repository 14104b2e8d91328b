// Circles of imports between folders: a folder that is imported from another one, directly or not, must not import it back.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const IMPORT = /(?:\bfrom|\bimport\(|^import)\s*['"](\.{1,2}\/[^'"]+|@masthead\/[^'"]+|#[^'"]+)['"]/gm;

/** Folder -> folders that its files import -> one such import, as text. `packages`: folder of a package's name. */
export function folderImports(root, folders, packages = {}) {
  const graph = new Map();
  for (const folder of folders) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true })) {
      const file = path.join(folder, entry);
      if (!/\.(tsx?|mjs)$/.test(file) || /(^|\/)(node_modules|dist|generated)\//.test(file)) continue;
      const from = path.dirname(file);
      const targets = graph.get(from) ?? graph.set(from, new Map()).get(from);
      for (const [, name] of readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)) {
        const own = name.startsWith('.') ? path.dirname(path.join(from, name)) : packages[name.split('/').slice(0, 2).join('/')];
        if (own && own !== from && !targets.has(own)) targets.set(own, `${file} imports ${name}`);
      }
    }
  }
  return graph;
}

/** Each circle once, as the imports that make it. */
export function circles(graph) {
  const found = [];
  const done = new Set();
  const visit = (folder, trail) => {
    const at = trail.findIndex((step) => step.folder === folder);
    if (at >= 0) return void found.push(trail.slice(at).map((step) => step.why));
    if (done.has(folder)) return;
    for (const [target, why] of graph.get(folder) ?? []) visit(target, [...trail, { folder, why }]);
    done.add(folder);
  };
  for (const folder of graph.keys()) visit(folder, []);
  return found;
}
