// Adds links to the DOI and the licence of an article to the head of its page. Replace this with the code of your plugin.
import type { Head } from '@masthead/plugin';

function link(rel: string, href: string): Head.Tag {
  return { tag: 'link', val: { rel, href, mediaType: '', title: '' } };
}

export const head = {
  contribute(_context, { article }) {
    const tags: Head.Tag[] = [];
    if (article?.doi) tags.push(link('cite-as', `https://doi.org/${article.doi}`));
    if (article?.licenseUrl) tags.push(link('license', article.licenseUrl));
    return tags;
  },
} satisfies Head;
