import type { PagePayload } from '@masthead/ui-sdk';
import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { reducedMotion } from '../browser/environment.ts';

const NAME = 'article-title';

/** The number of the article that a page shows. */
const articleOf = ({ bootstrap }: PagePayload) => (bootstrap.page.kind === 'article' ? bootstrap.page.id : undefined);

/** The titles of an article in lists: those of its cards, and headlines, whose address alone has its number. */
const titlesOf = (main: HTMLElement, article: number | undefined) =>
  article === undefined ? [] : [...main.querySelectorAll<HTMLElement>(`.article-card[data-article="${article}"] .card-title, .headline[href$="/${article}"]`)];

/** Gives a title in a list the name that the style sheet gives the title of the article. */
function name(title: HTMLElement | undefined): void {
  title?.style.setProperty('view-transition-name', NAME);
}

/**
 * The page to show: `next`, and during the one task in which the browser takes its picture of the page before, that page. Between a list and
 * an article of it the title moves from one place to the other; every other change has no transition.
 */
export function useTransition(next: PagePayload, main: HTMLElement): PagePayload {
  const [shown, setShown] = useState(next);
  // A page may list an article several times: the place of the title that was followed among those of the same article.
  const place = useRef(0);
  useLayoutEffect(() => {
    if (shown === next) return;
    const from = articleOf(shown);
    const to = articleOf(next);
    const related = (from === undefined) !== (to === undefined);
    const titles = titlesOf(main, to);
    // A link that is followed has the focus, in most browsers after a click, too.
    if (titles.length)
      place.current = Math.max(
        0,
        titles.findIndex((title) => title.contains(document.activeElement)),
      );
    if (!related || (to !== undefined && !titles.length) || !document.startViewTransition || reducedMotion() || document.hidden) return setShown(next);
    name(titles[place.current]);
    let returned: HTMLElement | undefined;
    const transition = document.startViewTransition(() => {
      flushSync(() => setShown(next));
      const listed = titlesOf(main, from);
      returned = listed[place.current] ?? listed[0];
      name(returned);
    });
    // A transition that is skipped (another one begins, or the page is hidden) changes the page all the same.
    const skipped = () => undefined;
    transition.ready.catch(skipped);
    transition.updateCallbackDone.catch(skipped);
    transition.finished.then(() => returned?.style.removeProperty('view-transition-name'), skipped);
  }, [next, shown, main]);
  return shown;
}
