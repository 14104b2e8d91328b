import type { PagePayload } from '@masthead/ui-sdk';
import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EndlessList, MOST_BY_ITSELF } from '../src/lists/EndlessList.ts';
import { forgetParts } from '../src/lists/listPart.ts';

const SIZE = 2;
const PATH = '/en/onlineFirst';
const address = (page: number) => (page === 1 ? PATH : `${PATH}?page=${page}`);
const items = (page: number) => Array.from({ length: SIZE }, (_, index) => `<li><a href="/en/article/${page}${index}">Item ${page}.${index}</a></li>`).join('');

/** A page of a list as the host draws it. */
function page(number: number, pages: number): string {
  const previous = number > 1 ? `<a rel="prev" href="${address(number - 1)}">Previous</a>` : '';
  const next = number < pages ? `<a rel="next" href="${address(number + 1)}">Show more</a>` : '';
  const reached = `${number * SIZE} of ${pages * SIZE}`;
  return `<ol data-list>${items(number)}</ol><nav data-more data-page="${number}">${previous}<p class="more-count">${reached}</p>${next}</nav>`;
}

const payload = (html: string) => ({ html, bootstrap: { base: '', lang: 'en', site: { id: 1 } } }) as unknown as PagePayload;
const envelope = (data: unknown, status = 0) => new Response(JSON.stringify({ status, data, message: '' }), { status: status || 200 });

let answer: (path: string) => Response | Promise<Response>;
const fetched = vi.fn(async (input: string) => answer(new URL(input, location.href).searchParams.get('path') ?? ''));
const said: string[] = [];
const onItems = vi.fn();
let list: EndlessList | undefined;

/** Shows a page of the list at its address, with the items and the end as the host draws them. */
function show(number: number, pages: number): HTMLElement {
  history.replaceState({ key: 'entry', index: 0 }, '', address(number));
  document.body.innerHTML = `<main>${page(number, pages)}</main>`;
  const main = document.querySelector('main') as HTMLElement;
  const text = (key: string, values?: Record<string, string | number>) => (values ? `${key} ${values['n']}.` : key);
  list = EndlessList.in(main, payload(main.innerHTML), { text, say: (words) => said.push(words), onItems });
  return main;
}
const names = (main: HTMLElement) => [...main.querySelectorAll('li')].map((item) => item.textContent);
const next = (main: HTMLElement) => main.querySelector<HTMLAnchorElement>('a[rel="next"]');
const pagesOf = (pages: number) => (path: string) => {
  const number = Number(new URL(path, location.href).searchParams.get('page') ?? 1);
  return envelope(payload(page(number, pages)));
};

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  answer = pagesOf(3);
});
afterEach(() => {
  list?.end();
  forgetParts();
  sessionStorage.clear();
  said.length = 0;
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

describe('a list of several pages', () => {
  it('gets the next page under its items, with the address of that page, and says so', async () => {
    const main = show(1, 3);
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(names(main)).toEqual(['Item 1.0', 'Item 1.1', 'Item 2.0', 'Item 2.1']));
    expect(location.pathname + location.search).toBe('/en/onlineFirst?page=2');
    expect(history.state).toEqual({ key: 'entry', index: 0 });
    expect(said).toEqual(['loading', 'list_added 2. 4 of 6']);
    expect(main.querySelector('.more-count')?.textContent).toBe('4 of 6');
    expect(onItems).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(next(main));
  });

  it('tries again by itself when the connection is back', async () => {
    answer = () => Promise.reject(new TypeError('offline'));
    const main = show(1, 3);
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(main.querySelector('.more-failed')).not.toBeNull());
    answer = pagesOf(3);
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(names(main)).toHaveLength(4));
    // Nothing has failed any more.
    dispatchEvent(new Event('online'));
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('ends with the last page, where the focus goes on at the first new item', async () => {
    const main = show(2, 3);
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(next(main)).toBeNull());
    expect(document.activeElement?.textContent).toBe('Item 3.0');
    expect(main.querySelector('a[rel="prev"]')?.getAttribute('href')).toBe('/en/onlineFirst');
  });

  it('shows bars while it waits, and asks once', async () => {
    let release: (response: Response) => void = () => undefined;
    answer = () => new Promise((resolve) => (release = resolve));
    const main = show(1, 3);
    await userEvent.dblClick(next(main) as HTMLElement);
    expect(main.querySelectorAll('.more-waiting i')).toHaveLength(3);
    expect([main.querySelector('ol')?.getAttribute('aria-busy'), next(main)?.getAttribute('aria-disabled')]).toEqual(['true', 'true']);
    release(envelope(payload(page(2, 3))));
    await waitFor(() => expect(names(main)).toHaveLength(4));
    expect(fetched).toHaveBeenCalledOnce();
    expect(main.querySelector('.more-waiting, [aria-busy], [aria-disabled]')).toBeNull();
  });

  it.each([
    ['the host fails', () => envelope(null, 500)],
    ['nobody answers', () => Promise.reject(new TypeError('offline'))],
    ['the page has moved', () => envelope({ location: '/en/home' })],
    ['the page has no list', () => envelope(payload('<p>none</p>'))],
  ])('offers to try again in place when %s', async (_, failing) => {
    answer = failing;
    const main = show(1, 3);
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(main.querySelector('.more-failed')?.textContent).toBe('list_failed'));
    expect([next(main)?.textContent, names(main).length, location.search]).toEqual(['retry', 2, '']);
    answer = pagesOf(3);
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(names(main)).toHaveLength(4));
    expect([main.querySelector('.more-failed'), next(main)?.textContent]).toEqual([null, 'Show more']);
  });

  it('leaves clicks that open a new tab to the browser', () => {
    const main = show(1, 3);
    const click = new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true });
    document.addEventListener('click', (event) => event.preventDefault(), { once: true });
    next(main)?.dispatchEvent(click);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('is left alone where a page shows all of it', () => {
    document.body.innerHTML = `<main><ol data-list>${items(1)}</ol></main>`;
    const main = document.querySelector('main') as HTMLElement;
    expect(EndlessList.in(main, payload(''), { text: String, say: () => undefined, onItems })).toBeUndefined();
  });
});

describe('near its end', () => {
  /** Observers that see the end of the list whenever they are asked. */
  class Near {
    readonly tell: (entries: { isIntersecting: boolean }[]) => void;
    constructor(tell: Near['tell']) {
      this.tell = tell;
    }
    observe = () => queueMicrotask(() => this.tell([{ isIntersecting: true }]));
    unobserve = () => undefined;
    disconnect = () => (this.observe = () => undefined);
  }

  it('loads by itself so many pages that the footer stays in reach, then waits for a click', async () => {
    vi.stubGlobal('IntersectionObserver', Near);
    answer = pagesOf(9);
    const main = show(1, 9);
    await waitFor(() => expect(names(main)).toHaveLength(SIZE * (1 + MOST_BY_ITSELF)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fetched).toHaveBeenCalledTimes(MOST_BY_ITSELF);
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(names(main).length).toBeGreaterThan(SIZE * (1 + MOST_BY_ITSELF)));
  });

  it('does not try by itself what has failed', async () => {
    vi.stubGlobal('IntersectionObserver', Near);
    answer = () => envelope(null, 500);
    const main = show(1, 3);
    await waitFor(() => expect(main.querySelector('.more-failed')).not.toBeNull());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fetched).toHaveBeenCalledOnce();
  });
});

describe('Back', () => {
  it('comes to all pages that were shown, at once if they are at hand', async () => {
    const before = show(1, 3);
    await userEvent.click(next(before) as HTMLElement);
    await waitFor(() => expect(names(before)).toHaveLength(4));
    list?.end();
    fetched.mockClear();
    const main = show(2, 3);
    expect(names(main)).toEqual(['Item 1.0', 'Item 1.1', 'Item 2.0', 'Item 2.1']);
    expect(main.querySelector('a[rel="prev"]')).toBeNull();
    expect(window.scrollTo).toHaveBeenCalled();
    expect(fetched).not.toHaveBeenCalled();
  });

  it('fetches them after the document was loaded again', async () => {
    const before = show(1, 3);
    await userEvent.click(next(before) as HTMLElement);
    await waitFor(() => expect(names(before)).toHaveLength(4));
    list?.end();
    forgetParts();
    const main = show(2, 3);
    await waitFor(() => expect(names(main)).toHaveLength(4));
    expect(names(main)[0]).toBe('Item 1.0');
  });

  it('comes to the item in view, though pages far before it are not fetched again', () => {
    const [shown, item] = [25, 40];
    sessionStorage.setItem('masthead.lists', JSON.stringify({ entry: { first: 1, last: shown, item, top: 7 } }));
    answer = pagesOf(shown + 1);
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return { top: 100 * [...(this.parentElement?.children ?? [])].indexOf(this) } as DOMRect;
    });
    const main = show(shown, shown + 1);
    return waitFor(() => {
      const first = Number(/\d+/.exec(names(main)[0] ?? '')?.[0]);
      expect(first).toBe(5);
      // The item of the 21st page: the four pages before the first one have two items each.
      expect(names(main)[item - 8]).toBe('Item 21.0');
      expect(window.scrollTo).toHaveBeenCalledWith({ top: 100 * (item - 8) - 7, behavior: 'instant' });
    });
  });

  it('stays with the page of its address when the others cannot be had', async () => {
    const before = show(1, 3);
    await userEvent.click(next(before) as HTMLElement);
    await waitFor(() => expect(names(before)).toHaveLength(4));
    list?.end();
    forgetParts();
    answer = () => envelope(null, 500);
    const main = show(2, 3);
    await waitFor(() => expect(console.warn).toHaveBeenCalled());
    expect(names(main)).toEqual(['Item 2.0', 'Item 2.1']);
    expect(main.querySelector('a[rel="prev"]')?.getAttribute('href')).toBe(PATH);
  });
});
