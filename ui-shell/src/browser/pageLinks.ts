import { internalPath } from '@masthead/ui-sdk/shell';

/** Whether a link opens a page of this site in place. */
export const isPageLink = (link: HTMLAnchorElement, base: string): boolean =>
  link.target !== '_blank' && !link.hasAttribute('download') && !/\bexternal\b/.test(link.rel) && internalPath(link.href, base) !== undefined;

/** The link that an event happens to, if it opens a page of this site in place. */
export function pageLinkOf(event: Event, base: string): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  return link && isPageLink(link, base) ? link : undefined;
}
