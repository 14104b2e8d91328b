// A module imports React, the SDK and its own files: anything else would not be shared with the shell.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const allowed = new Set(['react', '@masthead/ui-sdk']);
let wrong = 0;
for (const id of readdirSync(root)) {
  const src = path.join(root, id, 'src');
  if (!existsSync(path.join(root, id, 'module.json'))) continue;
  for (const name of readdirSync(src, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const source = readFileSync(path.join(src, name), 'utf8');
    for (const [, from] of source.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
      if (from.startsWith('.') || allowed.has(from)) continue;
      console.error(`ui-modules/${id}/src/${name}: imports ${from}; a module imports only ${[...allowed].join(' and ')}`);
      wrong += 1;
    }
  }
}
process.exitCode = wrong ? 1 : 0;
