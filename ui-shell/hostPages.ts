import { request } from 'node:http';
import type { Plugin } from 'vite';

const HOST = new URL(process.env['MASTHEAD_HOST'] ?? 'http://127.0.0.1:8448');
const SITE = process.env['MASTHEAD_SITE'] ?? 'oceanledger';

/** Style sheets of modules are compiled from source with the modules: the built ones are left out. */
const withoutModuleStyles = (text: string) => text.replace(/"css":\["\/assets\/modules\/[^\]]*\]/g, '"css":[]');

const withSources = (html: string) =>
  withoutModuleStyles(html)
    .replace(
      /<script type="module" src="[^>]*><\/script>|<link rel="modulepreload"[^>]*>|<link rel="stylesheet" href="\/assets\/(?:shell|modules)\/[^>]*>/g,
      '',
    )
    .replace('</body>', '<script type="module" src="/src/main.tsx"></script></body>');

/**
 * Development against a running host (`make run`): every page is the host's document with the shell's and the modules' sources instead of
 * the built files; pictures, the API and the rest are passed on. MASTHEAD_HOST is the host's address, MASTHEAD_SITE the site's short name.
 */
export const hostPages = (): Plugin => ({
  name: 'masthead-host-pages',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use((incoming, response, next) => {
      const address = incoming.url ?? '/';
      // Vite's own addresses, sources and the packages beside them.
      if (/^\/(@|src\/|node_modules\/|__)/.test(address)) return next();
      const headers = { ...incoming.headers, host: `${SITE}.localhost`, 'accept-encoding': 'identity' };
      const sent = request({ host: HOST.hostname, port: HOST.port, path: address, method: incoming.method, headers }, (answer) => {
        const type = answer.headers['content-type'] ?? '';
        const page = type.startsWith('text/html') && !address.includes('/plugins/');
        const data = address.startsWith('/rc-pub/front/page?');
        if (!page && !data) {
          response.writeHead(answer.statusCode ?? 503, answer.headers);
          return void answer.pipe(response);
        }
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => {
          // Without the host's Content-Security-Policy: Vite adds scripts without a nonce.
          response.statusCode = answer.statusCode ?? 503;
          response.setHeader('content-type', type);
          if (data) return void response.end(withoutModuleStyles(text));
          server.transformIndexHtml(address, withSources(text)).then((html) => response.end(html), next);
        });
      });
      sent.on('error', (error) => next(new Error(`No host at ${HOST.origin} (start one with make run): ${error.message}`)));
      incoming.pipe(sent);
    });
  },
});
