/** Where the reader is in a page, so that the same page in another language can be shown at the same place. */
export interface Place {
  /** Id of the nearest element above the line at which one reads, and its distance from the top of the window. */
  id: string | undefined;
  top: number;
  /** How much of the page is above the window, for pages that do not have the id. */
  share: number;
}

/** Distance from the top of the window, in pixels, of the line at which one reads. */
const LINE = 180;

const height = () => Math.max(1, document.documentElement.scrollHeight - innerHeight);

/** The reader's place; undefined at the top of the page. Ids of an article are those of its source, and the same in every language. */
export function placeIn(main: HTMLElement): Place | undefined {
  if (scrollY < 1) return undefined;
  let found: { id: string; top: number } | undefined;
  for (const element of main.querySelectorAll<HTMLElement>('[id]')) {
    const { top, width } = element.getBoundingClientRect();
    // What is hidden has no width, and is nowhere.
    if (width && top <= LINE && (!found || top >= found.top)) found = { id: element.id, top };
  }
  return { id: found?.id, top: found?.top ?? 0, share: scrollY / height() };
}

/** Scrolls to a place; the element that was found by its id, if there is one. */
export function returnTo(place: Place): HTMLElement | undefined {
  const element = place.id ? document.getElementById(place.id) : null;
  const top = element ? scrollY + element.getBoundingClientRect().top - place.top : place.share * height();
  scrollTo({ top: Math.max(0, top), behavior: 'instant' });
  return element ?? undefined;
}
