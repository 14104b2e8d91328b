import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

export interface HostShared {
  /** Versions that the module accepts, `^major.minor.patch`. */
  range: string;
  /** Exported names; by default those of the installed package. */
  names?: string[];
}

export interface ContainerOptions {
  /** The module's `module.json`. */
  manifest: { id: string; slot: string; contract: number; height?: unknown; propsSchema?: object };
  exposes: Record<string, string>;
  hostShared: Record<string, HostShared>;
}

const ENTRY = 'virtual:masthead-container';
const SHARE = 'virtual:masthead-share:';
const SHARES = 'virtual:masthead-shares';
/** Stands in the entry for the list of shares until it is known which of them the module imports. */
const TAKEN = '__MASTHEAD_TAKEN__';

/** The names of values in the `export { a, b } from` lines of a file. */
export function exportedNames(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap((match) =>
    (match[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );
}

const sri = (content: Uint8Array) => `sha384-${createHash('sha384').update(content).digest('base64')}`;

const SHARES_CODE = `
const libs = Object.create(null);
const parts = (v) => v.split('-')[0].split('.').map(Number);
export const accepts = (range, version) => {
  const [a, b, c] = parts(range.slice(1)), [x, y, z] = parts(version);
  return x === a && (a > 0 ? y > b || (y === b && z >= c) : y === b && z >= c);
};
export const share = (name) => {
  if (!(name in libs)) throw new Error('The host has not shared ' + name + ' yet');
  return libs[name];
};
export async function take(scope, name, range, id) {
  const versions = (scope && scope[name]) || {};
  const version = Object.keys(versions).find((v) => accepts(range, v));
  if (!version) throw new Error(id + ' needs ' + name + ' ' + range + '; the host has ' + (Object.keys(versions).join(', ') || 'none'));
  const found = versions[version];
  libs[name] = found.lib ? found.lib() : (await found.get())();
}
`;

/** Builds a module as one script, a module-federation container, and writes `preload.json` for the server. */
export function federationContainer(options: ContainerOptions): Plugin {
  const { manifest, exposes, hostShared } = options;
  const require = createRequire(import.meta.url);
  const namesOf = (name: string) => hostShared[name]?.names ?? Object.keys(require(name) as object);
  return {
    name: 'masthead-federation-container',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      build: {
        rolldownOptions: {
          input: { [manifest.id]: ENTRY },
          preserveEntrySignatures: 'strict' as const,
          output: { codeSplitting: false, entryFileNames: 'assets/[name]-[hash].js', assetFileNames: 'assets/[name]-[hash][extname]' },
        },
        modulePreload: false,
      },
    }),
    resolveId(id) {
      if (id === ENTRY || id === SHARES) return `\0${id}`;
      if (id in hostShared) return `\0${SHARE}${id}`;
      // A second copy of it would draw with state of its own.
      if (/^react-dom(\/|$)/.test(id)) return this.error(`${manifest.id} imports ${id}; a module imports React and the SDK, and the shell has the rest`);
      return undefined;
    },
    load(id) {
      if (id === `\0${SHARES}`) return SHARES_CODE;
      if (id === `\0${ENTRY}`) {
        const gets = Object.entries(exposes).map(
          ([name, file]) => `  if (id === ${JSON.stringify(name)}) { const m = await import(${JSON.stringify(file)}); return () => m; }`,
        );
        return `import { take } from '${SHARES}';
let ready;
export function init(scope) {
  return ready ??= Promise.all(${TAKEN}.map(([name, range]) => take(scope, name, range, ${JSON.stringify(manifest.id)}))).then(() => undefined);
}
export async function get(id) {
  await ready;
${gets.join('\n')}
  throw new Error(${JSON.stringify(manifest.id)} + ' does not expose ' + id);
}
`;
      }
      if (id.startsWith(`\0${SHARE}`)) {
        const name = id.slice(SHARE.length + 1);
        const names = namesOf(name).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
        return `import { share } from '${SHARES}';
const lib = /*#__PURE__*/ share(${JSON.stringify(name)});
export default /*#__PURE__*/ (() => lib.default ?? lib)();
${names.map((key) => `export const ${key} = /*#__PURE__*/ (() => lib.${key})();`).join('\n')}
`;
      }
      return undefined;
    },
    // A host needs to share only the packages that the module uses, and loads no others for it.
    renderChunk(code, chunk) {
      const taken = Object.entries(hostShared).flatMap(([name, { range }]) => (`\0${SHARE}${name}` in chunk.modules ? [[name, range]] : []));
      return code.replace(TAKEN, () => JSON.stringify(taken));
    },
    // Hashes of the files on disk, because Vite still rewrites chunks after generateBundle.
    writeBundle: {
      order: 'post',
      handler(output, bundle) {
        const dir = output.dir ?? '';
        const read = (file: string) => readFileSync(path.join(dir, file));
        const scripts = Object.values(bundle).filter((file) => file.type === 'chunk');
        const entry = scripts.find((file) => file.isEntry);
        if (!entry || scripts.length !== 1) return this.error(`${manifest.id}: a module is one script, this build has ${scripts.length}`);
        const listed = Object.values(bundle)
          .filter((file) => file.type === 'asset')
          .map(({ fileName }) => ({ file: fileName, integrity: sri(read(fileName)) }));
        const [css, files] = [true, false].map((sheets) => listed.filter(({ file }) => file.endsWith('.css') === sheets));
        const { id, slot, contract, height = null, propsSchema } = manifest;
        const preload = { id, slot, contract, entry: entry.fileName, integrity: sri(read(entry.fileName)), css, files, height, propsSchema };
        writeFileSync(path.join(dir, 'preload.json'), `${JSON.stringify(preload, null, 2)}\n`);
      },
    },
  };
}

/** The file that lists what modules may import: a source in the repository, compiled in the package. */
export const sdkIndex = ['index.ts', 'index.js'].map((name) => path.resolve(import.meta.dirname, '../src', name)).find((file) => existsSync(file)) ?? '';
