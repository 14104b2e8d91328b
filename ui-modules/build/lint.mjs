// What ESLint does not know: which packages a module may import, and that no two folders import each other.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { circles, folderImports } from './circles.mjs';

const root = path.resolve(import.meta.dirname, '..');
// A module imports its own files and what the shell shares with it or the SDK has: anything else would be in its script once more, or not be there
// for third parties.
const parts = ['', '/navigation', '/search', '/icons', '/navigation.css', '/search.css'].map((part) => `@masthead/ui-sdk${part}`);
const allowed = new Set(['react', 'i18next', 'react-i18next', ...parts]);
let wrong = 0;
for (const id of readdirSync(root)) {
  const src = path.join(root, id, 'src');
  if (!existsSync(path.join(root, id, 'module.json'))) continue;
  for (const name of readdirSync(src, { recursive: true })) {
    if (!/\.(tsx?|css)$/.test(name)) continue;
    const source = readFileSync(path.join(src, name), 'utf8');
    for (const [, from] of source.matchAll(/(?:from|import\(?)\s*['"]([^'"]+)['"]/g)) {
      const own = from.startsWith('.') && !path.relative(src, path.resolve(src, path.dirname(name), from)).startsWith('..');
      if (own || allowed.has(from)) continue;
      console.error(`ui-modules/${id}/src/${name}: imports ${from}; a module imports only its own files, ${[...allowed].join(', ')}`);
      wrong += 1;
    }
  }
}
const repository = path.resolve(root, '..');
const packages = { '@masthead/ui-sdk': 'plugin-sdk/ui/src', '@masthead/plugin': 'plugin-sdk/typescript/src', '#loader': 'ui-shell/src/loader' };
const folders = ['ui-shell', 'ui-renderer', 'ui-modules', 'plugin-sdk/ui', 'plugin-sdk/typescript', 'tests/browser'];
for (const circle of circles(folderImports(repository, folders, packages))) {
  console.error(`Folders import each other:\n  ${circle.join('\n  ')}`);
  wrong += 1;
}
process.exitCode = wrong ? 1 : 0;
