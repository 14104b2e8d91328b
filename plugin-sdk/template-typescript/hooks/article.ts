// Puts a mark beside the title of open-access articles. Replace by what your plugin does.
import { settings, type ArticleDecorate } from '@masthead/plugin';

interface Settings {
  label: string;
}

export const articleDecorate = {
  decorate(_context, article) {
    const additions: ArticleDecorate.Additions = { badges: [], sections: [], downloads: [] };
    if (article.openAccess) {
      const { label } = settings<Settings>();
      additions.badges.push({ label, hint: '', tone: 'good', href: article.licenseUrl });
    }
    return additions;
  },
} satisfies ArticleDecorate;
