// Serves the latest articles as JSON at `plugins/my-plugin/latest?limit=5`. Replace this with the code of your plugin.
import { content, encode, type Routes } from '@masthead/plugin';

export const routes = {
  handle(context, request) {
    if (request.path !== 'latest') return { status: 404, headers: [['content-type', 'text/plain']], body: encode('The only path is `latest`.') };
    const limit = Number(request.query.find(([name]) => name === 'limit')?.[1] ?? 5);
    const list = content.latest(limit).map(({ path, titles }) => {
      const title = titles.find(({ lang }) => lang === context.lang) ?? titles[0];
      return { address: `${context.address}/${path}`, title: title?.value ?? '' };
    });
    return {
      status: 200,
      headers: [
        ['content-type', 'application/json'],
        ['cache-control', 'public, max-age=300'],
      ],
      body: encode(JSON.stringify(list)),
    };
  },
} satisfies Routes;
