#!/usr/bin/env node
// `npm run gallery -w @masthead/ui-sdk -- PATH`, or `npx masthead-gallery PATH` with the package: shows the module in a folder alone.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createServer } from 'vite';

// npm runs scripts in the folder of the package; the path is meant from where npm was started.
const dir = path.resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? '.');
if (!existsSync(path.join(dir, 'module.json'))) {
  console.error(`${dir} has no module.json: give the path of a module's folder`);
  process.exit(1);
}
process.chdir(dir);
const configFile = ['uiModule.ts', 'uiModule.js'].map((name) => path.join(import.meta.dirname, name)).find((file) => existsSync(file));
const server = await createServer({ root: dir, configFile });
await server.listen();
server.printUrls();
