import * as sdk from '@masthead/ui-sdk';
import type { SlotModule } from '@masthead/ui-sdk';
import { SHARED_VERSIONS } from '@masthead/ui-sdk/shell';
import { createInstance } from '@module-federation/runtime';
import * as i18next from 'i18next';
import { version as i18nextVersion } from 'i18next/package.json';
import * as React from 'react';
import { version as reactI18nextVersion } from 'react-i18next/package.json';
import * as JsxRuntime from 'react/jsx-runtime';
import { nonce } from '../browser/environment.ts';
import { remoteName } from './remoteName.ts';

const singleton = (version: string, eager: boolean) => ({
  version,
  scope: 'default',
  shareConfig: { singleton: true, requiredVersion: `^${version}` as const, eager },
});
const share = (version: string, lib: () => unknown) => ({ ...singleton(version, true), lib });

const federation = createInstance({
  name: 'shell',
  remotes: [],
  shared: {
    react: share(React.version, () => React),
    'react/jsx-runtime': share(React.version, () => JsxRuntime),
    i18next: share(i18nextVersion, () => i18next),
    // Those parts that the shell does not use are loaded for the first module that imports the package.
    'react-i18next': { ...singleton(reactI18nextVersion, false), get: () => import('react-i18next').then((lib) => () => lib) },
    '@masthead/ui-sdk': SHARED_VERSIONS.map((version) => share(version, () => sdk)),
  },
});
// Until then, modules would find only the first version of each package.
federation.initializeSharing();

/**
 * Preloads the script with its integrity hash; the import that follows uses the preloaded script. The links of the document are no proof: a browser
 * forgets a preload that failed, and would import the script again without the hash. What is preloaded already is not fetched again.
 */
function fetchChecked(ref: SlotModule): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.integrity = ref.integrity;
    if (nonce) link.nonce = nonce;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${ref.module}: not fetched, or not the script that the host announced`));
    link.href = ref.entry;
    document.head.append(link);
  });
}

export async function loadModule(ref: SlotModule): Promise<unknown> {
  await fetchChecked(ref);
  const name = remoteName(ref);
  federation.registerRemotes([{ name, entry: ref.entry, type: 'module' }]);
  const loaded = await federation.loadRemote<{ default: unknown }>(`${name}/module`);
  if (!loaded) throw new Error(`${ref.module}: nothing was loaded`);
  return loaded.default;
}
