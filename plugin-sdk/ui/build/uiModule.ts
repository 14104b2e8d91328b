import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import * as i18next from 'i18next';
import * as reactI18next from 'react-i18next';
import { defineConfig, searchForWorkspaceRoot, type UserConfig } from 'vite';
import { CONTRACT, SDK_VERSION } from '../src/contract/version.ts';
import { exportedNames, federationContainer, sdkIndex } from './container.ts';
import { gallery } from './gallery.ts';

const sdk = path.resolve(import.meta.dirname, '..');
const slots = JSON.parse(readFileSync(path.join(sdk, 'slots.json'), 'utf8')) as object;

interface ModuleManifest {
  id: string;
  slot: string;
  contract: number;
  height?: unknown;
  propsSchema?: object;
  samples?: object;
}

/** Reads and checks `module.json`, whose faults would otherwise show when a host or a shell refuses the built module. */
export function readManifest(dir: string): ModuleManifest {
  const file = path.join(dir, 'module.json');
  if (!existsSync(file)) throw new Error(`${file} is missing: it has the module's id, slot and contract`);
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as ModuleManifest;
  const { id, slot, contract } = manifest;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 64) throw new Error(`${file}: the id has to be lower-case letters, digits and hyphens, at most 64`);
  if (!(slot in slots)) throw new Error(`${file}: there is no slot ${slot}; there are ${Object.keys(slots).join(', ')}`);
  if (contract !== CONTRACT) throw new Error(`${file}: contract is ${contract}; this SDK (${SDK_VERSION}) builds modules of contract ${CONTRACT}`);
  return manifest;
}

/** The whole Vite configuration of a UI module in folder `dir`. */
export function uiModule(dir: string): UserConfig {
  const manifest = readManifest(dir);
  return {
    root: dir,
    // Files of a module name each other relative to themselves: the host serves them below an address with their digest.
    base: './',
    appType: 'custom',
    plugins: [
      react(),
      federationContainer({
        manifest,
        exposes: { './module': path.join(dir, 'src/module.ts') },
        hostShared: {
          react: { range: '^19.0.0' },
          'react/jsx-runtime': { range: '^19.0.0' },
          // ES modules: the names of their CommonJS variants differ.
          i18next: { range: '^26.0.0', names: Object.keys(i18next) },
          'react-i18next': { range: '^17.0.0', names: Object.keys(reactI18next) },
          '@masthead/ui-sdk': { range: `^${SDK_VERSION}`, names: exportedNames(sdkIndex) },
        },
      }),
      gallery(dir, manifest.samples),
    ],
    // In a package, the page of the gallery and the module get the SDK from one bundle from the first request on.
    ...(sdk.includes('node_modules')
      ? { optimizeDeps: { include: ['', '/gallery', '/navigation', '/search', '/icons'].map((part) => `@masthead/ui-sdk${part}`) } }
      : {}),
    server: { fs: { allow: [searchForWorkspaceRoot(dir), sdk] } },
    build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, cssMinify: true, reportCompressedSize: false },
  };
}

// `export { default } from '@masthead/ui-sdk/build'` is a module's vite.config.ts: npm runs it in the module's folder.
export default defineConfig(() => uiModule(process.cwd()));
