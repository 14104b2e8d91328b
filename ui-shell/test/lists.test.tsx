import { ApiError, type PagePayload } from '@masthead/ui-sdk';
import { ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureLanguage, showLanguage } from '../src/i18n/i18n.ts';
import { EndlessList, MOST_BY_ITSELF } from '../src/lists/EndlessList.ts';
import List from '../src/lists/List.tsx';
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

const header = { loginHref: '/login?lang=en&url=%2F' };
const payload = (html: string) => ({ html, bootstrap: { base: '', lang: 'en', site: { id: 1 }, header } }) as unknown as PagePayload;
const envelope = (data: unknown, status = 0) => new Response(JSON.stringify({ status, data, message: '' }), { status: status || 200 });

let answer: (path: string) => Response | Promise<Response>;
const fetched = vi.fn(async (input: string) => answer(new URL(input, location.href).searchParams.get('path') ?? ''));
const said: string[] = [];
const onItems = vi.fn();
/** As the shell's: an answer 401 is handled, which no other failure is. */
const onFailure = vi.fn((error: unknown) => error instanceof ApiError && error.status === 401);
let list: EndlessList | undefined;

/** Shows a page of the list at its address, with the items and the end as the host draws them. */
function show(number: number, pages: number): HTMLElement {
  history.replaceState({ key: 'entry', index: 0 }, '', address(number));
  document.body.innerHTML = `<main>${page(number, pages)}</main>`;
  const main = document.querySelector('main') as HTMLElement;
  const text = (key: string, values?: Record<string, string | number>) => (values ? `${key} ${values['n']}.` : key);
  list = EndlessList.in(main, payload(main.innerHTML), { text, say: (words) => said.push(words), onItems, onFailure });
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

  it('leads to the sign-in and back here when the session is over, in place of another try', async () => {
    answer = () => envelope(null, 401);
    const main = show(1, 3);
    await userEvent.click(next(main) as HTMLElement);
    const link = await waitFor(() => {
      const found = main.querySelector<HTMLAnchorElement>('.more-failed a');
      expect(found).not.toBeNull();
      return found as HTMLAnchorElement;
    });
    expect(onFailure.mock.calls.map(([error]) => (error as ApiError).status)).toEqual([401]);
    expect(main.querySelector('.more-failed')?.textContent).toBe('session_ended sign_in_again');
    expect([link.getAttribute('href'), link.rel]).toEqual([`/login?lang=en&url=${encodeURIComponent(PATH)}`, 'external nofollow']);
    expect(document.activeElement).toBe(link);
    expect([next(main), names(main).length, said.at(-1)]).toEqual([null, 2, 'session_ended']);
    expect(main.querySelector('.more-waiting, [aria-busy], [aria-disabled]')).toBeNull();
    // Nothing is asked for again by itself, until the reader comes back to the document as it was left.
    dispatchEvent(new Event('online'));
    expect(fetched).toHaveBeenCalledOnce();
    answer = pagesOf(3);
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect([main.querySelector('.more-failed'), next(main)?.textContent]).toEqual([null, 'Show more']);
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(names(main)).toHaveLength(4));
  });

  it('has the words and the failures of the shell', async () => {
    await ensureLanguage('en');
    showLanguage('en');
    answer = () => envelope(null, 401);
    history.replaceState({ key: 'entry', index: 0 }, '', PATH);
    document.body.innerHTML = `<main>${page(1, 3)}</main>`;
    const main = document.querySelector('main') as HTMLElement;
    render(
      <ShellProvider value={fakeShell(undefined).shell}>
        <List main={main} payload={payload(main.innerHTML)} onItems={onItems} onFailure={onFailure} />
      </ShellProvider>,
    );
    await userEvent.click(next(main) as HTMLElement);
    await waitFor(() => expect(main.querySelector('.more-failed')?.textContent).toBe('Your session has ended. Sign in again'));
    expect(onFailure).toHaveBeenCalledOnce();
    expect(await screen.findByText('Your session has ended.', { selector: '[role=status]' })).toBeTruthy();
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
    expect(EndlessList.in(main, payload(''), { text: String, say: () => undefined, onItems, onFailure })).toBeUndefined();
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

  it('tells the shell when the session is over, and stays with the page of its address', async () => {
    const before = show(1, 3);
    await userEvent.click(next(before) as HTMLElement);
    await waitFor(() => expect(names(before)).toHaveLength(4));
    list?.end();
    forgetParts();
    answer = () => envelope(null, 401);
    const main = show(2, 3);
    await waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
    expect(names(main)).toEqual(['Item 2.0', 'Item 2.1']);
  });
});
