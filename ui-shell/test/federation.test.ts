import { pathToFileURL } from 'node:url';
import { useTranslation } from '@masthead/ui-sdk';
import i18next from 'i18next';
import { Trans } from 'react-i18next';
import { expect, it } from 'vitest';
import { buildThirdParty } from './thirdParty.ts';
import { loadModule } from '../src/loader/federation.ts';

it('a built module has the i18next and the react-i18next of the shell', async () => {
  const { script, integrity } = await buildThirdParty(
    `import { defineModule, useTranslation } from '@masthead/ui-sdk';
import i18next from 'i18next';
import { Trans } from 'react-i18next';
export default defineModule({ id: 'third-party', slot: 'footer', contract: 1, Component: Trans, useTranslation, i18next });`,
  );
  // As in the host's document, where the shell finds the script preloaded.
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = pathToFileURL(script).href;
  link.integrity = integrity;
  document.head.append(link);
  const module = await loadModule({ module: 'third-party', entry: link.href, integrity, css: [], props: {} });
  expect(module).toMatchObject({ id: 'third-party', Component: Trans, useTranslation, i18next });
}, 60_000);
