import type { PagePayload } from '@masthead/ui-sdk';
import { setCookie } from '../browser/environment.ts';

export const pageName = (page: PagePayload['bootstrap']['page']): string => (page.kind === 'list' ? page.route : page.kind);

function link(rel: string, href: string, hreflang?: string): HTMLLinkElement {
  const element = document.createElement('link');
  element.rel = rel;
  element.href = href;
  if (hreflang) element.hreflang = hreflang;
  return element;
}

/** Updates the root element, title, canonical and alternate links to the page that replaced the previous one. */
export function updateHead(payload: PagePayload, previousLang: string): void {
  const { bootstrap } = payload;
  const root = document.documentElement;
  document.title = payload.title;
  root.lang = payload.tag;
  root.dir = payload.dir;
  root.dataset['color'] = String(bootstrap.site.colorId);
  root.dataset['gray'] = String(bootstrap.site.grayType);
  document.body.className = `page-${pageName(bootstrap.page)}`;
  // Metadata of the page that the document was loaded with.
  for (const stale of document.head.querySelectorAll(
    'link[rel=canonical], link[rel=alternate][hreflang], meta[name^="citation_"], meta[name=description], meta[property^="og:"], script[type="application/ld+json"]',
  ))
    stale.remove();
  const here = bootstrap.languages.find((language) => language.code === bootstrap.lang);
  if (here) document.head.append(link('canonical', new URL(here.href, location.href).href));
  for (const language of bootstrap.languages) document.head.append(link('alternate', new URL(language.href, location.href).href, language.tag));
  if (bootstrap.lang !== previousLang) setCookie('language', bootstrap.lang);
}
