// Writes the recorded pages of ui-shell/test/pages: `npm run record -w @masthead/browser-tests`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folder, recordPages } from './pages.mjs';

const pages = await recordPages();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(pages)) writeFileSync(path.join(folder, name), text);
console.log(`${Object.keys(pages).length} pages in ${folder}`);
