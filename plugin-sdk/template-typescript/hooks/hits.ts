// Adds a badge to open-access articles in search results. Replace this with the code of your plugin.
import type { SearchDecorate } from '@masthead/plugin';

export const searchDecorate = {
  decorate(context, { hits }) {
    const label = context.lang === 'zh' ? '开放获取' : 'Open access';
    for (const hit of hits) {
      if (hit.openAccess) hit.badges.push({ label, hint: '', tone: 'good', href: '' });
    }
    return hits;
  },
} satisfies SearchDecorate;
