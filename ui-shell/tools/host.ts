import { request } from 'node:http';
import type { Plugin } from 'vite';

const HOST = new URL(process.env['MASTHEAD_HOST'] ?? 'http://127.0.0.1:8448');
const SITE = process.env['MASTHEAD_SITE'] ?? 'oceanledger';

/**
 * Development against a running host (`make run`): every page is the host's document with the shell's sources instead of the built files;
 * pictures, the API and the rest are passed on. MASTHEAD_HOST is the host's address, MASTHEAD_SITE the site's sld.
 */
export const hostPages = (): Plugin => ({
  name: 'masthead-host-pages',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use((incoming, response, next) => {
      const address = incoming.url ?? '/';
      if (/^\/(@|src\/|node_modules\/|__)/.test(address)) return next();
      const headers = { ...incoming.headers, host: `${SITE}.localhost`, 'accept-encoding': 'identity' };
      const sent = request({ host: HOST.hostname, port: HOST.port, path: address, method: incoming.method, headers }, (answer) => {
        if (!answer.headers['content-type']?.startsWith('text/html') || address.includes('/plugins/')) {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          return void answer.pipe(response);
        }
        let html = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (html += chunk));
        answer.on('end', () => {
          const sources = html
            .replace(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>|<link rel="stylesheet" href="\/assets\/shell\/[^>]*>/g, '')
            .replace('</body>', '<script type="module" src="/src/main.tsx"></script></body>');
          server.transformIndexHtml(address, sources).then((text) => response.setHeader('content-type', 'text/html').end(text), next);
        });
      });
      sent.on('error', () => next(new Error(`No host at ${HOST.origin}: start one with make run`)));
      incoming.pipe(sent);
    });
  },
});
