import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { useT, useTranslation } from '@masthead/ui-sdk';
import { SDK_VERSION } from '@masthead/ui-sdk/shell';
import i18next from 'i18next';
import { Trans } from 'react-i18next';
import { expect, it, onTestFinished } from 'vitest';
import { buildThirdParty } from './thirdParty.ts';
import { loadModule } from '../src/loader/federation.ts';

/** jsdom fetches nothing, and says nothing of it: links get this event as soon as they are in the document. */
function answerLinks(type: 'load' | 'error') {
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) node.dispatchEvent(new Event(type));
  });
  observer.observe(document.head, { childList: true });
  onTestFinished(() => observer.disconnect());
}

it('a built module has the i18next and the react-i18next of the shell', async () => {
  const { script, integrity } = await buildThirdParty(
    `import { defineModule, useTranslation } from '@masthead/ui-sdk';
import i18next from 'i18next';
import { Trans } from 'react-i18next';
export default defineModule({ id: 'third-party', slot: 'footer', contract: 1, Component: Trans, useTranslation, i18next });`,
  );
  answerLinks('load');
  const entry = pathToFileURL(script).href;
  const module = await loadModule({ module: 'third-party', entry, integrity, css: [], props: {} });
  expect(document.head.querySelector<HTMLLinkElement>(`link[rel=modulepreload][href="${entry}"]`)?.integrity).toBe(integrity);
  expect(module).toMatchObject({ id: 'third-party', Component: Trans, useTranslation, i18next });
}, 60_000);

it('a module that was built with the version 0.1 of the SDK has the SDK of the shell', async () => {
  const { script, integrity } = await buildThirdParty(
    `import { defineModule, useT } from '@masthead/ui-sdk';
export default defineModule({ id: 'third-party', slot: 'footer', contract: 1, Component: () => null, useT });`,
  );
  const built = readFileSync(script, 'utf8');
  expect(built).toContain(`^${SDK_VERSION}`);
  writeFileSync(script, built.replaceAll(`^${SDK_VERSION}`, '^0.1.0'));
  answerLinks('load');
  const module = await loadModule({ module: 'third-party', entry: pathToFileURL(script).href, integrity, css: [], props: {} });
  expect(module).toMatchObject({ id: 'third-party', useT });
}, 60_000);

it('a script with another hash is not imported, also where the document links it', async () => {
  const { script } = await buildThirdParty('globalThis.tampered = true; export default {};');
  const [entry, integrity] = [pathToFileURL(script).href, 'sha384-other'];
  const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href: entry, integrity });
  document.head.append(link);
  answerLinks('error');
  await expect(loadModule({ module: 'third-party', entry, integrity, css: [], props: {} })).rejects.toThrow(/not the script that the host announced/);
  expect('tampered' in globalThis).toBe(false);
}, 60_000);
