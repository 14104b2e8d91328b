import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { hostPages } from './hostPages.ts';

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: command === 'build' ? '/assets/shell/' : '/',
  plugins: [react(), hostPages()],
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
      // One chunk for what lazy parts share with the entry: without it each lazy part that is added cuts the first view into more files.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, test: /(ui-shell|plugin-sdk\/ui)\/src\// }] } },
    },
  },
}));
