import { readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { exportedNames, federationContainer, sdkIndex } from './container.ts';

/** Serves the page of `npm run dev -w ui-modules/<id>`: the module alone, with the sample properties of its `module.json`. */
const bench = (dir: string, samples: unknown): Plugin => ({
  name: 'masthead-module-bench',
  apply: 'serve',
  resolveId: (id) => (id === '/@bench' ? '\0bench.js' : undefined),
  load: (id) =>
    id === '\0bench.js'
      ? `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import '@masthead/ui-sdk/tokens.css';
import '@masthead/ui-sdk/primitives.css';
import '/@fs${path.resolve(import.meta.dirname, '../../ui-shell/src/styles/base.css')}';
import module from '/src/module.ts';
import { ModuleBench } from '@masthead/ui-sdk/testing';
createRoot(document.getElementById('app')).render(createElement(ModuleBench, { module, samples: ${JSON.stringify(samples ?? {})} }));`
      : undefined,
  configureServer(server) {
    return () => {
      server.middlewares.use((request, response, next) => {
        if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return next();
        const page = `<!doctype html><html lang="zh"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${path.basename(dir)}</title></head><body><div id="app"></div><script type="module" src="/@bench"></script></body></html>`;
        server.transformIndexHtml('/', page).then((html) => response.setHeader('content-type', 'text/html').end(html), next);
      });
    };
  },
});

/** The whole Vite configuration of a UI module in folder `dir`. */
export function uiModule(dir: string): UserConfig {
  const manifest = JSON.parse(readFileSync(path.join(dir, 'module.json'), 'utf8'));
  return {
    root: dir,
    base: `/assets/modules/${manifest.id}/`,
    appType: 'custom',
    plugins: [
      react(),
      federationContainer({
        manifest,
        exposes: { './module': path.join(dir, 'src/module.ts') },
        hostShared: {
          react: { range: '^19.0.0' },
          'react/jsx-runtime': { range: '^19.0.0' },
          '@masthead/ui-sdk': { range: '^0.1.0', names: exportedNames(sdkIndex) },
        },
      }),
      bench(dir, manifest.samples),
    ],
    server: { fs: { allow: [path.resolve(import.meta.dirname, '../..')] } },
    build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, cssMinify: true, reportCompressedSize: false },
  };
}

// `export { default } from '../build/uiModule.ts'` is a module's vite.config.ts: npm runs it in the module's folder.
export default defineConfig(() => uiModule(process.cwd()));
