import type { Bootstrap } from '@masthead/ui-sdk';

/** The sign-in page, with the way back to the present address. Not among the parts for members: lists of every page lead there, too. */
export function signInAddress({ base, lang, header }: Pick<Bootstrap, 'base' | 'lang' | 'header'>): string {
  const [path, query] = (header.loginHref || `${base}/login`).split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('lang', lang);
  parameters.set('url', location.pathname + location.search + location.hash);
  return `${path}?${parameters}`;
}
