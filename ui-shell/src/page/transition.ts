import type { PagePayload } from '@masthead/ui-sdk';
import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { reducedMotion } from '../browser/environment.ts';

const NAME = 'article-title';

/** The number of the article that a page shows. */
const articleOf = ({ bootstrap }: PagePayload) => (bootstrap.page.kind === 'article' ? bootstrap.page.id : undefined);

/** The title of the card of an article in a list. */
const cardOf = (main: HTMLElement, article: number | undefined) =>
  article === undefined ? null : main.querySelector<HTMLElement>(`.article-card[data-article="${article}"] .card-title`);

/** Gives the title of a card the name that the style sheet gives the title of the article. */
function name(card: HTMLElement | null): void {
  card?.style.setProperty('view-transition-name', NAME);
}

/**
 * The page to show: `next`, and during the one task in which the browser takes its picture of the page before, that page. Between a list and
 * an article of it the title moves from one place to the other; every other change has no transition.
 */
export function useTransition(next: PagePayload, main: HTMLElement): PagePayload {
  const [shown, setShown] = useState(next);
  useLayoutEffect(() => {
    if (shown === next) return;
    const from = articleOf(shown);
    const to = articleOf(next);
    const related = (from === undefined) !== (to === undefined);
    const card = cardOf(main, to);
    if (!related || (to !== undefined && !card) || !document.startViewTransition || reducedMotion() || document.hidden) return setShown(next);
    name(card);
    const transition = document.startViewTransition(() => {
      flushSync(() => setShown(next));
      name(cardOf(main, from));
    });
    // A transition that is skipped (another one begins, or the page is hidden) changes the page all the same.
    const skipped = () => undefined;
    transition.ready.catch(skipped);
    transition.updateCallbackDone.catch(skipped);
    transition.finished.then(() => cardOf(main, from)?.style.removeProperty('view-transition-name'), skipped);
  }, [next, shown, main]);
  return shown;
}
