// `npm run build`: builds the shell, the renderer and every module in one process and writes the compressed copies.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { compress } from './compress.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const only = process.argv.slice(2);
const modules = readdirSync(path.join(root, 'ui-modules')).filter((name) => existsSync(path.join(root, 'ui-modules', name, 'module.json')));
process.env.NODE_ENV = 'production';

for (const dir of ['ui-shell', 'ui-renderer', ...modules.map((name) => `ui-modules/${name}`)]) {
  if (only.length && !only.includes(path.basename(dir))) continue;
  const started = Date.now();
  const folder = path.join(root, dir);
  process.chdir(folder);
  await build({ root: folder, logLevel: 'warn', configFile: path.join(folder, 'vite.config.ts') });
  compress(path.join(folder, 'dist'));
  console.log(`${dir}: ${Date.now() - started} ms`);
}
