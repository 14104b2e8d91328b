import { internalPath } from '@masthead/ui-sdk/shell';
import { useEffect } from 'react';
import { mayPrefetch, whenIdle } from '../browser/environment.ts';
import { isPageLink, pageLinkOf } from '../browser/pageLinks.ts';
import { standing } from '../slots/SlotView.tsx';

/** How many of the links in view are fetched ahead on one page. */
export const MOST_IN_VIEW = 3;
/** How many links are looked at: what is below them is not in view. */
const MOST_LOOKED_AT = 200;
/** Time in ms for which a link is pointed at before its page is fetched. */
const POINTED_MS = 80;

/**
 * Searches cost the host more than other pages, and few of these links are followed. Those of accounts and jumps are not pages of content, and a
 * list fetches its next page itself.
 */
const isLikely = (link: HTMLAnchorElement, base: string) =>
  isPageLink(link, base) &&
  !/\bnofollow\b/.test(link.rel) &&
  link.dataset['jump'] === undefined &&
  !link.closest('[data-more]') &&
  !/^\/(\w+\/)?(login|personal)\b/.test(link.pathname.slice(base.length));

/** What a page is fetched by: the address below the site's prefix, without the fragment. */
const addressOf = (link: HTMLAnchorElement, base: string) => (internalPath(link.href, base) ?? '').replace(/#.*/, '');

const isInView = (link: HTMLAnchorElement) => {
  const { top, bottom, width } = link.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
};

/**
 * The pages that will probably be opened next, among the links in view: first the one that the page itself calls the next, then what it lists,
 * whose titles are headings, then the others.
 */
export function likelyPages(main: HTMLElement, base: string, path: string): string[] {
  const links = [...main.querySelectorAll<HTMLAnchorElement>('a[href]')].slice(0, MOST_LOOKED_AT);
  const inView = links.filter((link) => isLikely(link, base) && isInView(link));
  const next = inView.filter((link) => /\bnext\b/.test(link.rel));
  const listed = inView.filter((link) => link.closest('h2, h3, h4'));
  const wanted = new Set([...next, ...listed, ...inView].map((link) => addressOf(link, base)));
  wanted.delete(path);
  return [...wanted].slice(0, MOST_IN_VIEW);
}

/**
 * Fetches pages ahead, as data only: a few that are in view when the browser is idle, one after the other, and the one whose link is pointed at.
 * None where data is to be saved, and none after one that may not be kept.
 */
export function usePrefetch(main: HTMLElement, base: string, path: string, prefetch: (path: string) => Promise<boolean>): void {
  useEffect(() => {
    if (!mayPrefetch()) return;
    let left = false;
    const inView = async () => {
      for (const wanted of standing.size ? [] : likelyPages(main, base, path)) if (left || !(await prefetch(wanted))) return;
    };
    const giveUp = whenIdle(() => void inView());
    let timer = 0;
    const point = (event: Event) => {
      clearTimeout(timer);
      const link = pageLinkOf(event, base);
      if (!link || standing.size || !isLikely(link, base) || !mayPrefetch()) return;
      const wanted = addressOf(link, base);
      if (wanted !== path) timer = window.setTimeout(() => void prefetch(wanted), POINTED_MS);
    };
    main.addEventListener('pointerover', point);
    main.addEventListener('focusin', point);
    return () => {
      left = true;
      giveUp();
      clearTimeout(timer);
      main.removeEventListener('pointerover', point);
      main.removeEventListener('focusin', point);
    };
  }, [main, base, path, prefetch]);
}
