// Marks links to articles with a query parameter. Replace by what your plugin does.
import { settings, type Links } from '@masthead/plugin';

interface Settings {
  from: string;
}

export const links = {
  rewrite(_context, links) {
    const { from } = settings<Settings>();
    for (const link of links) {
      if (link.kind === 'result-article') link.query.push(['from', from]);
    }
    return links;
  },
} satisfies Links;
