import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { onTestFinished } from 'vitest';
import { uiModule } from '../../plugin-sdk/ui/build/uiModule.ts';

/** Builds the footer `third-party` from its source outside the repository, in a folder that exists until the test ends. Returns its script. */
export async function buildThirdParty(source: string): Promise<{ script: string; integrity: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'masthead-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'module.json'), JSON.stringify({ id: 'third-party', slot: 'footer', contract: 1 }));
  writeFileSync(path.join(folder, 'src/module.ts'), source);
  await build({ ...uiModule(folder), configFile: false, logLevel: 'silent' });
  const { entry, integrity } = JSON.parse(readFileSync(path.join(folder, 'dist/preload.json'), 'utf8')) as { entry: string; integrity: string };
  return { script: path.join(folder, 'dist', entry), integrity };
}
