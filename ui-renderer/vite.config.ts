import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const require = createRequire(import.meta.url);
const out = path.resolve(import.meta.dirname, 'dist');
/** The part of react-dom that renders to a text. Its package exports it together with the streams, which need much more of a browser. */
const legacy = path.join(path.dirname(require.resolve('react-dom/package.json')), 'cjs/react-dom-server-legacy.browser.production.js');

/** The script of the renderer, and the engine that runs it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    {
      name: 'masthead-closed',
      enforce: 'pre',
      // Menus and dialogs are closed on a page that was just sent, and no reader has turned to the search.
      resolveId: (id) => (/\/(late\.ts|searching\.tsx)$/.test(id) ? '\0closed' : undefined),
      load: (id) => (id === '\0closed' ? 'export {};' : undefined),
    },
    { name: 'masthead-engine', writeBundle: () => copyFileSync(require.resolve('quickjs-wasi/quickjs.wasm'), path.join(out, 'quickjs.wasm')) },
  ],
  resolve: { dedupe: ['react', 'react-dom'], alias: { 'react-dom/server': legacy } },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/renderer.tsx',
      output: { format: 'iife', entryFileNames: 'renderer.js', codeSplitting: false },
    },
  },
});
