import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { hostPages } from './hostPages.ts';
import { lessFederation } from './lessFederation.ts';
import { mergeRuntime } from './mergeRuntime.ts';

/** The parts of the reader that every article needs. */
const READER = [
  ...['Reader', 'Toolbar', 'Outline', 'TextSize', 'Enlarge', 'FigureViewer', 'Formulas', 'Cite', 'Scholar', 'Xrefs', 'Icon'],
  ...['citations', 'links', 'sizes', 'parts', 'tools'],
];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: command === 'build' ? '/assets/shell/' : '/',
  plugins: [react(), hostPages(), lessFederation(), mergeRuntime()],
  resolve: {
    dedupe: ['react', 'react-dom'],
    alias: { '#loader': path.resolve(import.meta.dirname, `src/loader/${command === 'build' ? 'federation' : 'source'}.ts`) },
  },
  define: command === 'build' ? { ENV_TARGET: '"web"', FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true' } : {},
  server: { fs: { allow: [path.resolve(import.meta.dirname, '..')] } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/main.tsx',
      preserveEntrySignatures: 'allow-extension',
      // One chunk for the entry and all that it needs, packages included: each lazy part that is added would cut the first view into more
      // files, and two files are 2.3 KB larger than one when they are compressed. The entry must not await anything at its top level: lazy
      // parts import this chunk, and would wait for it. Dependencies of a chunk's modules stay out, or it would have all of react-i18next.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // What only modules use of this package, which the shell shares with them.
            { name: 'react-i18next', priority: 1, test: /react-i18next\/dist\/es\/(index|Icu|Trans|Translation|with|useSSR)|html-parse-stringify/ },
            // What the parts for members share with each other, which an article needs only where its readers may comment.
            { name: 'members', priority: 1, test: /ui-shell\/src\/members\// },
            { name: 'personal', priority: 1, minShareCount: 2, test: /ui-shell\/src\/personal\// },
            // What is loaded later on every page, with what the sign-in needs of it, and a few lines that parts of different pages share.
            { name: 'later', priority: 1, test: /ui-shell\/src\/(later\/|browser\/said\.ts|i18n\/times\.ts)/ },
            { name: 'main', tags: ['$initial'], test: (id) => !/\.css$/.test(id) },
            // The reader with what its lazy parts share, which a document of an article links.
            { name: 'reader', test: new RegExp(`ui-shell/src/reader/(${READER.join('|')})\\.tsx?$`) },
          ],
        },
      },
    },
  },
}));
