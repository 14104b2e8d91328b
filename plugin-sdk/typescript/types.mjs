// `npm run types -w @masthead/plugin`: writes src/generated, the contract in TypeScript, from plugin-sdk/wit.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate, readContract } from './wit.mjs';

const folder = path.join(import.meta.dirname, 'src/generated');
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(generate(await readContract(path.join(import.meta.dirname, '../wit'))))) {
  await writeFile(path.join(folder, name), text);
}
