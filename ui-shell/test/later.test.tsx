import { ApiError, type PagePayload, type Shell } from '@masthead/ui-sdk';
import { ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aheadOf } from '../src/calls/api.ts';
import { documents } from '../src/browser/documents.ts';
import { sayNext, takeSaid } from '../src/browser/said.ts';
import { forgetMemory, read, TEXT_SIZE, write } from '../src/browser/storage.ts';
import { ensureLanguage, showLanguage } from '../src/i18n/i18n.ts';
import Later, { addToast } from '../src/later/Later.tsx';
import { likelyPages, MOST_IN_VIEW } from '../src/later/prefetch.ts';
import { resetSelections } from '../src/later/selections.ts';
import { signIn } from '../src/members/signIn.ts';
import { forgetToasts } from '../src/later/Toasts.tsx';
import { pageOf } from './fixture.ts';

const issue = pageOf('issue.zh');
const article = pageOf('article');
let main: HTMLElement;
let region: HTMLElement;
const get = vi.fn(async (_path: string, _query?: object): Promise<unknown> => '');
const notify = vi.fn();
const prefetch = vi.fn(async (_path: string) => true);
const navigate = vi.fn();

/** In a real window, links have a size; the first five are in view. */
const inView = () =>
  vi.spyOn(HTMLAnchorElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLAnchorElement) {
    const index = [...main.querySelectorAll('a')].indexOf(this);
    return { top: index * 150, bottom: index * 150 + 20, width: 100 } as DOMRect;
  });

function show(payload: PagePayload, path = '/en/issue') {
  const shell: Shell = {
    ...fakeShell(undefined).shell,
    bootstrap: payload.bootstrap,
    api: { get, post: get, put: get, delete: get } as Shell['api'],
    notify,
    navigate,
  };
  return (
    <ShellProvider value={shell}>
      <Later main={main} payload={payload} region={region} path={path} prefetch={prefetch} used={undefined} />
    </ShellProvider>
  );
}

beforeEach(async () => {
  await ensureLanguage('en');
  showLanguage('en');
  document.body.innerHTML = '<main></main><div class="notices" role="status"></div>';
  main = document.querySelector('main') as HTMLElement;
  region = document.querySelector('.notices') as HTMLElement;
  vi.stubGlobal('requestIdleCallback', (work: () => void, { timeout }: { timeout: number }) => {
    expect(timeout).toBe(2000);
    return setTimeout(work);
  });
  vi.stubGlobal('cancelIdleCallback', clearTimeout);
  forgetMemory();
  forgetToasts();
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const mock of [get, notify, prefetch, navigate]) mock.mockClear();
});

describe('pages fetched ahead', () => {
  const LINKS = `
    <a href="/en/article/1">1</a> <a href="/en/article/1#a-fig">again</a> <a href="/en/search?q=a" rel="nofollow">search</a>
    <a href="/en/article/2" target="_blank">tab</a> <a href="/en/issue?page=2" rel="next">next</a> <a href="/en/article/3">3</a>`;

  it('are the next one of a list and the first links in view, at most three', () => {
    inView();
    main.innerHTML = LINKS;
    expect(likelyPages(main, '', '/en/issue')).toEqual(['/en/issue?page=2', '/en/article/1', '/en/article/3']);
    expect(likelyPages(main, '', '/en/article/1')).toEqual(['/en/issue?page=2', '/en/article/3']);
    main.innerHTML = [4, 5, 6, 7].map((id) => `<a href="/en/article/${id}">x</a>`).join('');
    expect(likelyPages(main, '', '/en/issue')).toHaveLength(MOST_IN_VIEW);
    main.innerHTML = '<a href="/en/mag/a">Journal</a> <a href="/en/issues">All</a> <h3><a href="/en/article/9">Listed</a></h3>';
    expect(likelyPages(main, '', '/en/issue')).toEqual(['/en/article/9', '/en/mag/a', '/en/issues']);
    main.innerHTML =
      '<a href="/login?lang=en">in</a> <a href="/files/a.pdf">pdf</a> <a href="https://x.test/">x</a> <a href="/en/b" data-jump="news 1">j</a><nav data-more><a href="/en/issue?page=2" rel="next">more</a></nav>';
    expect(likelyPages(main, '', '/en/issue')).toEqual([]);
  });

  it('come when the browser is idle, one after the other, and none after one that may not be kept', async () => {
    inView();
    main.innerHTML = LINKS;
    prefetch.mockImplementationOnce(async () => true).mockImplementationOnce(async () => false);
    render(show(issue));
    expect(prefetch).not.toHaveBeenCalled();
    await waitFor(() => expect(prefetch).toHaveBeenCalledTimes(2));
    await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(prefetch.mock.calls).toEqual([['/en/issue?page=2'], ['/en/article/1']]);
  });

  it.each([
    ['data saver', { saveData: true }],
    ['2g', { effectiveType: '2g' }],
    ['slow-2g', { effectiveType: 'slow-2g' }],
  ])('are none where data is to be saved (%s)', async (_, connection) => {
    inView();
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { connection }));
    main.innerHTML = LINKS;
    render(show(issue));
    main.querySelector('a')?.dispatchEvent(new Event('focusin', { bubbles: true }));
    await act(async () => new Promise((resolve) => setTimeout(resolve, 150)));
    expect(prefetch).not.toHaveBeenCalled();
  });

  it('are told to the host when the article is shown, once', async () => {
    const { rerender } = render(show(issue));
    aheadOf.add(article);
    rerender(show(article));
    rerender(show(issue));
    rerender(show(article));
    const id = article.bootstrap.page.kind === 'article' ? article.bootstrap.page.id : 0;
    expect(get.mock.calls.map(([path]) => path)).toEqual([`/rc-pub/front/front-article/${id}`]);
  });
});

describe('messages', () => {
  it('are shown in the live region, once each, at most three, and can be closed', async () => {
    render(show(issue));
    for (const text of ['Link copy failed', 'No data selected', 'Link copy failed', '']) act(() => addToast(text, 'failed'));
    const texts = () => [...region.querySelectorAll('.notice')].map((one) => one.textContent);
    expect(texts()).toEqual(['No data selected', 'Link copy failed']);
    await userEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    expect(texts()).toEqual(['Link copy failed']);
    for (const text of ['1', '2', '3']) act(() => addToast(text, 'done'));
    expect(texts()).toEqual(['1', '2', '3']);
  });

  it('leave after a time in which they can be read, which stands still in the background', async () => {
    vi.useFakeTimers();
    render(show(issue));
    act(() => addToast('Submitted successfully', 'done'));
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
    expect(region.textContent).toBe('Submitted successfully');
    hidden.mockReturnValue(false);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await act(async () => vi.advanceTimersByTimeAsync(5900));
    expect(region.textContent).toBe('Submitted successfully');
    await act(async () => vi.advanceTimersByTimeAsync(200));
    expect(region.textContent).toBe('');
  });

  it('tell the title of each page that replaces another one', () => {
    const { rerender } = render(show(issue));
    const told = () => document.querySelector('p[role=status]')?.textContent;
    expect(told()).toBe('');
    rerender(show(article));
    expect(told()).toBe(article.title);
  });
});

describe('jumps', () => {
  const follow = async (html: string) => {
    main.innerHTML = html;
    render(show(article));
    await userEvent.click(main.querySelector('a') as HTMLElement);
  };

  it('lead where the host says, in place or away', async () => {
    const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    get.mockResolvedValueOnce('/en/newsDetails/4').mockResolvedValueOnce('https://press.test/').mockResolvedValueOnce('javascript:alert(1)');
    await follow('<a href="/en/newsDetails/4" data-jump="news 4">news</a>');
    await waitFor(() => expect(navigate.mock.calls).toEqual([['/en/newsDetails/4']]));
    const { site } = article.bootstrap;
    expect(get.mock.calls[0]).toEqual(['/rc-pub/front/front-news/getJumpUrl', { siteId: site.id, id: '4', language: 'en' }]);
    await userEvent.click(main.querySelector('a') as HTMLElement);
    await waitFor(() => expect(assign.mock.calls).toEqual([['https://press.test/']]));
    await userEvent.click(main.querySelector('a') as HTMLElement);
    await act(async () => Promise.resolve());
    expect([navigate.mock.calls.length, assign.mock.calls.length]).toEqual([1, 1]);
  });

  it('open a new tab where the link says so', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    get.mockResolvedValueOnce('https://press.test/');
    await follow('<a href="/en/article/4" data-jump="article 4" target="_blank">article</a>');
    await waitFor(() => expect(open.mock.calls).toEqual([['https://press.test/', '_blank', 'noopener']]));
    expect(get.mock.calls[0]).toEqual(['/rc-pub/front/front-article/getJumpUrl', { siteId: article.bootstrap.site.id, id: '4' }]);
  });

  it('show the message of the host when they fail, and the page stays', async () => {
    get.mockRejectedValueOnce(new ApiError(404, 'No data')).mockResolvedValueOnce({ status: 1, message: 'Not yet' });
    await follow('<a href="/en/newsDetails/4" data-jump="news 4">news</a>');
    await waitFor(() => expect(notify.mock.calls).toEqual([['No data', 'failed']]));
    await userEvent.click(main.querySelector('a') as HTMLElement);
    await waitFor(() => expect(notify).toHaveBeenLastCalledWith('Not yet', 'failed'));
    expect(navigate).not.toHaveBeenCalled();
  });

  it('show a message of the catalogue when the host cannot be reached, and none when the session is over', async () => {
    get
      .mockRejectedValueOnce(new ApiError(401, 'Please sign in again'))
      .mockRejectedValueOnce(new ApiError(500, 'TypeError: Failed to fetch', undefined, 'unreachable'))
      .mockRejectedValueOnce(new ApiError(502, 'Bad Gateway', undefined, 'unreadable'));
    await follow('<a href="/en/newsDetails/4" data-jump="news 4">news</a>');
    await act(async () => Promise.resolve());
    expect(notify).not.toHaveBeenCalled();
    for (const times of [1, 2]) {
      await userEvent.click(main.querySelector('a') as HTMLElement);
      await waitFor(() => expect(notify.mock.calls).toEqual(Array(times).fill(['The connection failed. Please try again.', 'failed'])));
    }
    expect(navigate).not.toHaveBeenCalled();
  });
});

describe('what is stored', () => {
  const home = { kind: 'home' } as const;
  const search = (q: string) => ({ ...article.bootstrap.page, kind: 'search', q, scope: 'article' }) as PagePayload['bootstrap']['page'];
  const fill = () => {
    for (const name of [
      'val',
      'searchTypeNav',
      'analyzeArray',
      'Cat',
      'Cat1',
      'Year',
      'Text',
      'oa',
      'oa1',
      'periodId',
      'periodId1',
      'download',
      'subId',
      'page',
    ])
      localStorage.setItem(name, name);
    localStorage.setItem('selectvalue', 'keyword_tic');
    localStorage.setItem('masthead.size', '2');
  };
  const left = () => Object.keys(localStorage).sort();

  it('of a search form is reset after a navigation, and the condition is all again', () => {
    fill();
    resetSelections(home, issue.bootstrap.page);
    expect(['val', 'searchTypeNav', 'selectvalue', 'analyzeArray'].filter((name) => left().includes(name))).toEqual([]);
    expect(localStorage.getItem('Cat')).toBe('Cat');
  });

  it('of the results is cleared by a new search, not by another page of the same one', () => {
    fill();
    resetSelections(search('wave'), search('wave'));
    expect(localStorage.getItem('Year')).toBe('Year');
    resetSelections(search('wave'), search('tide'));
    expect(left()).toEqual(['analyzeArray', 'masthead.size', 'searchTypeNav', 'selectvalue', 'val']);
  });

  it('costs nothing where storage is blocked or full', () => {
    fill();
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    resetSelections(home, home);
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    resetSelections(home, search('tide'));
    expect(() => render(show(issue))).not.toThrow();
  });

  it('as text size is the usual one after the link to the home page', async () => {
    write('local', TEXT_SIZE, 2);
    render(show(article));
    const { homeHref } = article.bootstrap.header;
    main.innerHTML = `<a href="/en/issues">issues</a> <a href="${homeHref}">home</a>`;
    const [other, link] = main.querySelectorAll('a');
    await userEvent.click(other as HTMLElement);
    expect(read('local', TEXT_SIZE, 0)).toBe(2);
    await userEvent.click(link as HTMLElement);
    expect(read('local', TEXT_SIZE, 0)).toBe(0);
  });
});

it('the way to the sign-in has the present address, and the names of the site where several share a host', () => {
  vi.useFakeTimers();
  const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
  history.replaceState(null, '', '/coast/en/article/7?type=1#a-fig');
  const page = { ...article.bootstrap, base: '/coast', header: { ...article.bootstrap.header, loginHref: '' } };
  expect([signIn(page), signIn(page)]).toEqual([true, false]);
  vi.advanceTimersByTime(1099);
  expect(assign).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(assign.mock.calls).toEqual([[`/coast/login?lang=en&url=${encodeURIComponent('/coast/en/article/7?type=1#a-fig')}`]]);
  // A later answer 401, of a page that the reader returned to.
  expect(signIn(page)).toBe(true);
  vi.advanceTimersByTime(1100);
});

describe('the sign-out', () => {
  const signedIn = { ...issue, bootstrap: { ...issue.bootstrap, session: { signedIn: true, userName: 'l****wei1' } } };
  const { base, lang, site } = signedIn.bootstrap;
  const assign = vi.fn();
  let asked: string[] = [];
  const answer = (status: number, message: string) =>
    vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
      asked.push(`${method} ${new URL(address, location.href).pathname}`);
      return new Response(JSON.stringify({ status, data: status ? null : true, message }), { status: status || 200 });
    });
  /** Another window of the same browser. */
  const other = async () => {
    const messages: unknown[] = [];
    const channel = new BroadcastChannel('masthead.session');
    channel.onmessage = ({ data }: MessageEvent<unknown>) => void messages.push(data);
    return { channel, messages };
  };

  beforeEach(() => {
    asked = [];
    assign.mockClear();
    sessionStorage.clear();
    vi.spyOn(documents, 'assign').mockImplementation(assign);
    history.replaceState(null, '', `${base}/${lang}/issue?page=2#a-1`);
    main.innerHTML = `<a href="${base}/${lang}/logout"><b>Sign out</b></a>`;
    for (const pair of ['userName=l****wei1', 'commonToken=t', 'aesPassword=k']) document.cookie = `${pair}; path=/`;
  });
  const follow = () => userEvent.click(main.querySelector('b') as HTMLElement);

  it('is a call; the host says what has come of it, names are forgotten, and the sign-in leads back', async () => {
    answer(0, '退出成功');
    const { channel, messages } = await other();
    sessionStorage.setItem('masthead.comments', '{"448 1":{"by":"l****wei1","text":"Tides"}}');
    render(show(signedIn));
    await follow();
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
    expect(sessionStorage.getItem('masthead.comments'), 'what was typed').toBeNull();
    expect(asked).toEqual([`DELETE ${base}/rc-pub/api/logout`]);
    expect(new URL(String(assign.mock.calls[0]?.[0]), location.href).searchParams.get('url')).toBe(`${base}/${lang}/issue?page=2#a-1`);
    expect(takeSaid()).toMatchObject({ text: '退出成功', kind: 'done' });
    expect(document.cookie).toBe('aesPassword=k');
    await waitFor(() => expect(messages).toEqual([{ site: site.id, message: '退出成功' }]));
    channel.close();
  });

  it('that the host answers on the next page is told everywhere, and leads to the sign-in', async () => {
    let end: (answer: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (end = resolve)));
    const { channel, messages } = await other();
    const { rerender } = render(show(signedIn));
    await follow();
    rerender(show({ ...signedIn, bootstrap: { ...signedIn.bootstrap } }));
    await act(async () => end(new Response(JSON.stringify({ status: 0, data: true, message: '退出成功' }))));
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
    expect(takeSaid()?.text).toBe('退出成功');
    await waitFor(() => expect(messages).toHaveLength(1));
    expect(notify).not.toHaveBeenCalled();
    channel.close();
  });

  it.each([
    ['does not make', () => answer(503, 'Out of service'), 'Out of service'],
    ['never hears of', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch'))), 'The connection failed. Please try again.'],
  ])('that the host %s is told, and the reader is still signed in', async (_, begin, text) => {
    begin();
    render(show(signedIn));
    await follow();
    await waitFor(() => expect(notify.mock.calls).toEqual([[text, 'failed']]));
    expect([assign.mock.calls, /userName/.test(document.cookie)]).toEqual([[], true]);
  });

  it('in a window whose reader is signed out already leads to the sign-in as well', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    answer(401, 'Please sign in again');
    render(show(signedIn));
    main.querySelector('b')?.click();
    await waitFor(() => expect(notify.mock.calls).toEqual([['Please sign in again', 'failed']]));
    await act(async () => vi.advanceTimersByTimeAsync(1100));
    expect(assign).toHaveBeenCalledTimes(1);
  });

  it('in another window is told here, and leads to the sign-in after a moment; that of another site is not', async () => {
    const { channel } = await other();
    render(show(signedIn));
    channel.postMessage({ site: site.id + 1, message: 'Signed out' });
    await act(async () => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(notify).not.toHaveBeenCalled();
    channel.postMessage({ site: site.id, message: 'Signed out' });
    await waitFor(() => expect(notify.mock.calls).toEqual([['Signed out', 'plain']]));
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
    expect(document.cookie).toBe('aesPassword=k');
    channel.close();
  });

  it('of another window is nothing to somebody who is not signed in here', async () => {
    const { channel } = await other();
    render(show(issue));
    channel.postMessage({ site: site.id, message: 'Signed out' });
    await act(async () => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(notify).not.toHaveBeenCalled();
    channel.close();
  });

  it('is left to the browser where a key is held, for another window', async () => {
    answer(0, '');
    render(show(signedIn));
    main.querySelector('b')?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
    expect(asked).toEqual([]);
  });
});

it('what the document before had to say is shown once, while it is fresh', () => {
  sayNext('Login successful', 'done');
  render(show(issue));
  expect([...region.querySelectorAll('.notice')].map((one) => one.textContent)).toEqual(['Login successful']);
  expect(takeSaid()).toBeUndefined();
  vi.useFakeTimers();
  sayNext('Login successful', 'done');
  vi.setSystemTime(Date.now() + 60_000);
  expect(takeSaid()).toBeUndefined();
});
