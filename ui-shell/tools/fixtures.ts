import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { renderFixture } from './document.mjs';

/** Development: /fixtures/<name> shows a document as the host writes it, with the sources instead of the built files. */
export const fixtures = (): Plugin => ({
  name: 'masthead-fixtures',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const image = /^\/data\/img\/([\w-]+\.svg)$/.exec(url.pathname)?.[1];
      if (image) return response.setHeader('content-type', 'image/svg+xml').end(readFileSync(path.join(import.meta.dirname, '../fixtures/img', image)));
      const file = path.join(import.meta.dirname, '../fixtures', `${path.basename(url.pathname) || 'article'}.main.html`);
      if (!/^\/(fixtures\/\w+)?$/.test(url.pathname) || !existsSync(file)) return next();
      const lang = url.searchParams.get('lang') ?? 'en';
      const html = renderFixture({
        name: path.basename(file, '.main.html'),
        main: readFileSync(file, 'utf8'),
        lang,
        script: '/src/main.tsx',
        nav: url.searchParams.get('nav') ?? 'nav-default',
        search: url.searchParams.get('search') ?? 'search-style-one',
        plugins: url.searchParams.has('plugins'),
      });
      server.transformIndexHtml(url.pathname, html).then((text) => response.setHeader('content-type', 'text/html').end(text), next);
    });
  },
});
