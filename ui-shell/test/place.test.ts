import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { placeIn, returnTo } from '../src/browser/place.ts';

const scrolled = vi.fn();
/** Elements at distances from the top of the page, 100 px wide; hidden ones have no box. */
const at = (tops: Record<string, number | null>, height = 5000) => {
  document.body.innerHTML = `<main>${Object.keys(tops)
    .map((id) => `<p id="${id}"></p>`)
    .join('')}</main>`;
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(height);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const top = tops[this.id];
    return { top: top == null ? 0 : top - scrollY, width: top == null ? 0 : 100 } as DOMRect;
  });
  return document.querySelector('main') as HTMLElement;
};
const scrollTo = (y: number) => Object.defineProperty(window, 'scrollY', { value: y, configurable: true });

beforeEach(() => {
  vi.stubGlobal('scrollTo', scrolled);
  Object.defineProperty(window, 'innerHeight', { value: 1000, configurable: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  scrolled.mockClear();
  scrollTo(0);
});

it('returns to the element above the reading line, at the same distance, where the text before it is longer', () => {
  scrollTo(2000);
  const place = placeIn(at({ first: 300, hidden: null, second: 1900, below: 2600 }));
  expect(place).toMatchObject({ id: 'second', top: -100 });
  scrollTo(0);
  at({ first: 500, second: 3100, below: 4000 });
  expect(place && returnTo(place)).toBe(document.getElementById('second'));
  expect(scrolled).toHaveBeenCalledWith({ top: 3200, behavior: 'instant' });
});

it('returns to the same share of a page that has no such element', () => {
  scrollTo(1000);
  const place = placeIn(at({}));
  scrollTo(0);
  at({}, 9000);
  expect(place && returnTo(place)).toBeUndefined();
  expect(scrolled).toHaveBeenCalledWith({ top: 2000, behavior: 'instant' });
});

it('keeps nothing at the top of a page', () => expect(placeIn(at({ first: 0 }))).toBeUndefined());
