import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { useTranslation } from '@masthead/ui-sdk';
import i18next from 'i18next';
import { Trans } from 'react-i18next';
import { build } from 'vite';
import { afterAll, expect, it } from 'vitest';
import { uiModule } from '../../plugin-sdk/ui/build/uiModule.ts';
import { loadModule } from '../src/loader/federation.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'masthead-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a built module has the i18next and the react-i18next of the shell', async () => {
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'module.json'), JSON.stringify({ id: 'third-party', slot: 'footer', contract: 1 }));
  writeFileSync(
    path.join(folder, 'src/module.ts'),
    `import { defineModule, useTranslation } from '@masthead/ui-sdk';
import i18next from 'i18next';
import { Trans } from 'react-i18next';
export default defineModule({ id: 'third-party', slot: 'footer', contract: 1, Component: Trans, useTranslation, i18next });`,
  );
  await build({ ...uiModule(folder), configFile: false, logLevel: 'silent' });
  const { entry, integrity } = JSON.parse(readFileSync(path.join(folder, 'dist/preload.json'), 'utf8')) as { entry: string; integrity: string };
  // As in the host's document, where the shell finds the script preloaded.
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = pathToFileURL(path.join(folder, 'dist', entry)).href;
  link.integrity = integrity;
  document.head.append(link);
  const module = await loadModule({ module: 'third-party', entry: link.href, integrity, css: [], props: {} });
  expect(module).toMatchObject({ id: 'third-party', Component: Trans, useTranslation, i18next });
}, 60_000);
