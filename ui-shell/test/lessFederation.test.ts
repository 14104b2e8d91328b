// @vitest-environment node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';
import { afterAll, expect, it } from 'vitest';
import { lessFederation } from '../lessFederation.ts';

const ENTRY = path.resolve(import.meta.dirname, 'entry.js');
const CODE = `
  import { createInstance } from '@module-federation/runtime';
  export { useTranslation } from 'react-i18next';
  export async function load(name, entry, shared) {
    const federation = createInstance({ name: 'shell', remotes: [], shared });
    federation.registerRemotes([{ name, entry, type: 'module' }]);
    return federation.loadRemote(name + '/module');
  }
`;

const folder = mkdtempSync(path.join(tmpdir(), 'masthead-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Built {
  load(name: string, entry: string, shared: object): Promise<unknown>;
  useTranslation: unknown;
}

async function built(): Promise<{ code: string; exports: Built }> {
  const result = (await build({
    configFile: false,
    logLevel: 'silent',
    root: path.resolve(import.meta.dirname, '..'),
    define: { ENV_TARGET: '"web"', FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true', 'process.env.NODE_ENV': '"production"' },
    plugins: [lessFederation(), { name: 'entry', enforce: 'pre', resolveId: (id) => (id === ENTRY ? id : null), load: (id) => (id === ENTRY ? CODE : null) }],
    build: { write: false, minify: false, lib: { entry: ENTRY, formats: ['es'] }, rolldownOptions: { external: ['react', 'i18next'] } },
  })) as Rolldown.RolldownOutput[];
  const code = result[0]?.output[0].code ?? '';
  // React is that of the tests.
  const own = code.replace(/from "(react|i18next)"/g, (_, name: string) => `from ${JSON.stringify(import.meta.resolve(name))}`);
  const file = path.join(folder, 'built.mjs');
  writeFileSync(file, own);
  return { code, exports: (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Built };
}

it('without the parts that the shell does not use, a module is loaded with what is shared', async () => {
  const { code, exports } = await built();
  // `true` or `false`: a failure is not to print the whole code.
  const has = (part: string) => code.includes(part);
  expect(['generateSnapshotFromManifest', 'manifestLoading', 'use-sync-external-store', 'defaultPreloadArgs'].filter(has)).toEqual([]);
  expect(typeof exports.useTranslation).toBe('function');
  const module = `
    let shared;
    export const init = (scope) => { shared = scope; };
    export const get = async () => {
      const [version] = Object.values(shared.greeting);
      const lib = version.lib ? version.lib() : (await version.get())();
      return () => ({ default: lib.word });
    };`;
  const shared = {
    greeting: { version: '1.2.0', scope: 'default', shareConfig: { singleton: true, requiredVersion: '^1.2.0', eager: true }, lib: () => ({ word: 'hello' }) },
  };
  expect(await exports.load('own', `data:text/javascript,${encodeURIComponent(module)}`, shared)).toEqual({ default: 'hello' });
  await expect(exports.load('other', 'data:text/javascript,export const nothing = 1', shared)).rejects.toThrow(/RUNTIME-00\d .*troubleshooting/);
});
