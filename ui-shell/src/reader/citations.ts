import { all, first, valueOf } from './parts.ts';

/** A citation of the article in one style, as the host's HTML has it. */
export interface StyledCitation {
  id: string;
  name: string;
  text: string;
  /** The host's element. */
  element: HTMLDetailsElement;
}

/** The citations of the article; the reader's own style is the one that the host left open. */
export const citationsOf = (article: HTMLElement): StyledCitation[] =>
  all(article, 'citationStyle').map((element) => ({
    id: valueOf(element, 'citationStyle'),
    name: element.querySelector('summary')?.textContent?.trim() ?? '',
    text: first(element, 'citationText')?.textContent?.trim() ?? '',
    element,
  }));
