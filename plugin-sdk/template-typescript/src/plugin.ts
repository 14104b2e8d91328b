// Adds a query parameter to article links in search results. Replace this with the code of your plugin.
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
