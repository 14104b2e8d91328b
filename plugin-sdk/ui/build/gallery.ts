import path from 'node:path';
import type { Plugin } from 'vite';

const ENTRY = '/@gallery';

/** Serves the page of `npm run gallery`: the module alone, with its sample properties, in every language, preset, width and direction. */
export const gallery = (dir: string, samples: object = {}): Plugin => ({
  name: 'masthead-gallery',
  apply: 'serve',
  resolveId: (id) => (id === ENTRY ? '\0gallery.js' : undefined),
  load: (id) =>
    id === '\0gallery.js'
      ? `import '@masthead/ui-sdk/tokens.css';
import '@masthead/ui-sdk/base.css';
import '@masthead/ui-sdk/primitives.css';
import '@masthead/ui-sdk/gallery.css';
import { showGallery } from '@masthead/ui-sdk/gallery';
import module from '/src/module.ts';
showGallery(module, ${JSON.stringify(samples)});`
      : undefined,
  configureServer(server) {
    return () => {
      server.middlewares.use((request, response, next) => {
        if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return next();
        const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${path.basename(dir)}</title>`;
        const page = `<!doctype html><html lang="en"><head>${head}</head><body><div id="app"></div><script type="module" src="${ENTRY}"></script></body></html>`;
        server.transformIndexHtml('/', page).then((html) => response.setHeader('content-type', 'text/html').end(html), next);
      });
    };
  },
});
