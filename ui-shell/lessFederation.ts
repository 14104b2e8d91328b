import path from 'node:path';
import type { Plugin } from 'vite';

const own = (name: string) => path.resolve(import.meta.dirname, `src/loader/${name}.ts`);

/** Part of a package -> what the shell has in its place, and which package imports it. Each would be some hundred bytes of the first view. */
const PARTS: [name: RegExp, file: string, importer: RegExp][] = [
  [/^@module-federation\/error-codes(\/browser)?$/, own('errorCodes'), /@module-federation/],
  [/\/snapshot\/SnapshotHandler\.js$/, own('snapshots'), /@module-federation\/runtime-core/],
  [/\/utils\/preload\.js$/, own('snapshots'), /@module-federation\/runtime-core/],
  [/^use-sync-external-store\/shim$/, own('syncExternalStore'), /react-i18next/],
];

/** Leaves out the parts of packages that the shell does not use. Fails when a part is no longer there: a later version may need another one. */
export function lessFederation(): Plugin {
  const replaced = new Set<RegExp>();
  return {
    name: 'less-federation',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const part = PARTS.find(([name, , from]) => name.test(source) && from.test(importer));
      if (part) replaced.add(part[0]);
      return part?.[1];
    },
    buildEnd(error) {
      const missing = PARTS.filter(([name]) => !replaced.has(name));
      if (!error && missing.length)
        this.error(`no package imports ${missing.map(([name]) => String(name)).join(', ')} any more: see PARTS in ui-shell/lessFederation.ts`);
    },
  };
}
