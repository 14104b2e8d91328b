import * as sdk from '@masthead/ui-sdk';
import type { SlotModule } from '@masthead/ui-sdk';
import { createInstance } from '@module-federation/runtime';
import * as React from 'react';
import * as JsxRuntime from 'react/jsx-runtime';
import { nonce } from '../browser/environment.ts';

const share = (version: string, lib: () => unknown) => ({
  version,
  scope: 'default',
  lib,
  shareConfig: { singleton: true, requiredVersion: `^${version}` as const, eager: true },
});

const federation = createInstance({
  name: 'shell',
  remotes: [],
  shared: {
    react: share(React.version, () => React),
    'react/jsx-runtime': share(React.version, () => JsxRuntime),
    '@masthead/ui-sdk': share('0.1.0', () => sdk),
  },
});

/** Preloads the script with its integrity hash; the import that follows uses the preloaded script. */
function fetchChecked(ref: SlotModule): Promise<void> {
  const linked = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].some(
    (link) => link.href === new URL(ref.entry, location.href).href && link.integrity === ref.integrity,
  );
  if (linked) return Promise.resolve();
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
  const name = ref.module.replaceAll('-', '_');
  federation.registerRemotes([{ name, entry: ref.entry, type: 'module' }]);
  const loaded = await federation.loadRemote<{ default: unknown }>(`${name}/module`);
  if (!loaded) throw new Error(`${ref.module}: nothing was loaded`);
  return loaded.default;
}
