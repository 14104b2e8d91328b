// Marks open-access articles among search results. Replace by what your plugin does.
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
