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
  // jsdom fetches nothing, and says nothing of it.
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) node.dispatchEvent(new Event('load'));
  }).observe(document.head, { childList: true });
  const entry = pathToFileURL(script).href;
  const module = await loadModule({ module: 'third-party', entry, integrity, css: [], props: {} });
  expect(document.head.querySelector<HTMLLinkElement>(`link[rel=modulepreload][href="${entry}"]`)?.integrity).toBe(integrity);
  expect(module).toMatchObject({ id: 'third-party', Component: Trans, useTranslation, i18next });
}, 60_000);
