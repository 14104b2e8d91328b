import { targetOf } from '../browser/scroll.ts';

/** The language in which an element is; undefined where the document does not say it. */
export const langOf = (element: Element | null | undefined): string | undefined => element?.closest<HTMLElement>('[lang]')?.lang || undefined;

/** The language of a line of the outline: that of the heading to which it leads, which marks what is in the page's language in a section of another one. */
export function langOfLine(id: string): string | undefined {
  const target = targetOf(`#${id}`);
  return langOf(target?.querySelector(':scope > :is(h2, h3, h4, h5, h6) > bdi[lang]') ?? target);
}
