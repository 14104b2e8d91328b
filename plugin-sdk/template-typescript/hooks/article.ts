// Adds a badge to the title of open-access articles. Replace this with the code of your plugin.
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
