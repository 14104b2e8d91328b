// Searches recent years only, unless the reader selected years. Replace this with the code of your plugin.
import { settings, type SearchRewrite } from '@masthead/plugin';

interface Settings {
  year: number;
}

export const searchRewrite = {
  rewrite(_context, query) {
    const { year } = settings<Settings>();
    const chosen = query.filters.some(({ tag }) => tag === 'year-from' || tag === 'year-to');
    if (!chosen) query.filters.push({ tag: 'year-from', val: year });
    return query;
  },
} satisfies SearchRewrite;
