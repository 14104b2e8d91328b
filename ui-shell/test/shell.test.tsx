import type { Bootstrap, SlotModule } from '@masthead/ui-sdk';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressOf, muteConsole, pageOf, showDocument } from './fixture.ts';

const broken = vi.hoisted(() => ({ how: {} as Record<string, 'throw' | 'render' | 'never' | 'contract'> }));
vi.mock('#loader', async () => {
  const real = await vi.importActual<typeof import('../src/loader/source.ts')>('../src/loader/source.ts');
  return {
    loadModule: async (ref: SlotModule) => {
      const how = broken.how[ref.module];
      if (how === 'throw') throw new Error('404');
      if (how === 'never') return new Promise(() => undefined);
      const module = (await real.loadModule(ref)) as object;
      if (how === 'contract') return { ...module, contract: 9 };
      if (how === 'render')
        return {
          ...module,
          Component: () => {
            throw new Error('broke while rendering');
          },
        };
      return module;
    },
  };
});

const { boot, readBootstrap } = await import('../src/boot.tsx');
const store = await import('../src/slots/ModuleStore.ts');
const { i18n } = await import('../src/i18n/i18n.ts');
const { standing } = await import('../src/slots/SlotView.tsx');
const { documents } = await import('../src/browser/documents.ts');
/** Receives the addresses that the browser itself is to load. */
const assign = vi.fn((_address: string) => undefined);

let root: Root | undefined;
/** Receives the reports of failed modules: address, content type, body. */
const report = vi.fn((_url: string, _type: string | null, _body: string) => true);
const answers = new Map<string, () => Response | Promise<Response>>();
const envelope = (data: unknown, status = 0, message = '') => new Response(JSON.stringify({ status, data, message }), { status: status ? 500 : 200 });
const fetched = vi.fn(async (input: string, init?: RequestInit) => {
  if (init?.method === 'POST') return envelope(report(input, new Headers(init.headers).get('content-type'), String(init.body)));
  const path = new URL(input, location.href).searchParams.get('path') ?? '';
  const answer = answers.get(path);
  if (!answer) throw new Error(`no answer for ${input}`);
  return answer();
});
/** The site of a recorded page. */
const readSite = () => ({ base: '', lang: 'en' as const, site: pageOf('article').bootstrap.site });
const start = async () => {
  await act(async () => {
    root = await boot();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  // A slow machine may need more than the 150 ms that the shell waits.
  if (root && !Object.keys(broken.how).length) await waitFor(() => expect(standing.size).toBe(0));
};

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(documents, 'assign').mockImplementation(assign);
  muteConsole();
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  store.forget();
  standing.clear();
  answers.clear();
  broken.how = {};
  vi.clearAllMocks();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

describe('taking over', () => {
  it('keeps the nodes of main and puts modules where the frame was', async () => {
    showDocument('issue');
    const main = document.querySelector('main');
    const card = document.querySelector('.article-card');
    await start();
    expect(document.querySelectorAll('main')).toHaveLength(1);
    expect(document.querySelector('main')).toBe(main);
    expect(document.querySelector('.article-card')).toBe(card);
    expect(document.querySelectorAll('#app')).toHaveLength(1);
    expect(document.querySelectorAll('header')).toHaveLength(1);
    expect(document.querySelector('header')?.dataset['slot']).toBeUndefined();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
    expect(await screen.findByRole('navigation', { name: 'Friendship links' })).toBeTruthy();
  });

  it('keeps the focus of someone who was already reading', async () => {
    showDocument('issue');
    const link = document.querySelector<HTMLElement>('.card-title a');
    link?.focus();
    await start();
    expect(document.activeElement).toBe(link);
  });

  it('finds the bootstrap by its place, not in content that has its id', async () => {
    showDocument('issue');
    const own = readBootstrap();
    const main = document.querySelector('main') as HTMLElement;
    main.insertAdjacentHTML('afterbegin', '<p id="bootstrap">{}</p><div id="app"><div id="main"></div></div>');
    const script = document.createElement('script');
    script.type = 'application/json';
    script.id = 'bootstrap';
    script.textContent = JSON.stringify({ ...own, slots: {} });
    main.prepend(script);
    expect(own).toBeTruthy();
    expect(readBootstrap()).toEqual(own);
    await start();
    expect(document.querySelector('main')).toBe(main);
    expect(screen.getByRole('banner').dataset['module']).toBe('nav-default');
  });

  it('leaves a document alone whose bootstrap it does not understand', async () => {
    showDocument('issue');
    const block = document.getElementById('bootstrap') as HTMLElement;
    block.textContent = (block.textContent ?? '').replace('"contract":1', '"contract":2');
    const before = document.body.innerHTML;
    await start();
    expect(root).toBeUndefined();
    expect(document.body.innerHTML).toBe(before);
  });
});

describe('a module that fails', () => {
  it.each(['throw', 'render', 'contract'] as const)('leaves the markup of the server in its place (%s)', async (how) => {
    broken.how['nav-default'] = how;
    showDocument('issue');
    const header = document.querySelector('header')?.outerHTML;
    await start();
    await waitFor(() => expect(report).toHaveBeenCalled());
    // One that fails when it renders has taken the host's nodes already: then they are a copy.
    expect(document.querySelector('header')?.outerHTML).toBe(header);
    expect(document.querySelectorAll('header')).toHaveLength(1);
    expect(await screen.findByRole('searchbox', { name: 'Search words' })).toBeTruthy();
    const [address, type, body] = report.mock.calls[0] ?? [];
    expect([address, type]).toEqual(['/rc-pub/front/ui-failure', 'application/json']);
    expect(JSON.parse(String(body))).toMatchObject({
      slot: 'header',
      module: 'nav-default',
      reason: { throw: 'load', render: 'render', contract: 'refused' }[how],
    });
  });

  const NAV = '/assets/modules/nav-default/assets/nav-default.js';

  it.each<[string, Partial<SlotModule>]>([
    ['a script of another origin', { entry: `https://evil.test${NAV}` }],
    ['a script of another origin, without scheme', { entry: `//evil.test${NAV}` }],
    ['a file that somebody uploaded', { entry: '/media/448/nav-default.js' }],
    ['a file beside its folder', { entry: '/assets/modules/nav-default/../nav-alternate/assets/nav-alternate.js' }],
    ['a script within the address', { entry: 'data:text/javascript,export default 1' }],
    ['no address', { entry: 'https://' }],
    ['no digest', { integrity: '' }],
    ['a digest that browsers ignore', { integrity: 'md5-abcd' }],
    ['a style sheet of another origin', { css: ['https://evil.test/assets/modules/nav-default/nav.css'] }],
    ['a name that is a path', { module: '..' }],
  ])('is refused before it is loaded, and the markup of the server stays (%s)', async (_, part) => {
    // The loader would fail, which is another reason than the one that is reported.
    broken.how = { 'nav-default': 'throw', '..': 'throw' };
    showDocument('issue');
    const block = document.querySelector('body > script#bootstrap') as HTMLElement;
    const bootstrap = JSON.parse(block.textContent ?? '') as Bootstrap;
    bootstrap.slots['header'] = (bootstrap.slots['header'] ?? []).map((ref) => ({ ...ref, ...part }));
    block.textContent = JSON.stringify(bootstrap);
    const header = document.querySelector('header');
    await start();
    await waitFor(() => expect(report).toHaveBeenCalled());
    expect(report.mock.calls.map(([, , body]) => JSON.parse(String(body)) as object)).toEqual([
      expect.objectContaining({ slot: 'header', module: part.module ?? 'nav-default', reason: 'refused' }),
    ]);
    expect(document.querySelector('header')).toBe(header);
    expect(document.querySelector('script[src*="evil.test"], link[href*="evil.test"]')).toBeNull();
  });

  it('is reported to its site where the path names the site', async () => {
    broken.how['nav-default'] = 'throw';
    const ref = { module: 'nav-default', entry: NAV, integrity: 'sha384-x', css: [], props: {} };
    await store.loadAll({ ...readSite(), base: '/oceanledger', slots: { header: [ref] } }, 10_000);
    expect(report.mock.calls.map(([address]) => address)).toEqual(['/oceanledger/rc-pub/front/ui-failure']);
  });

  it('is given up after ten seconds', async () => {
    vi.useFakeTimers();
    broken.how['nav-default'] = 'never';
    const ref = { module: 'nav-default', entry: NAV, integrity: 'sha384-x', css: [], props: {} };
    const done = store.load('header', ref);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(store.stateOf('header', ref).status).toBe('loading');
    await vi.advanceTimersByTimeAsync(200);
    await done;
    expect(store.stateOf('header', ref).status).toBe('failed');
    expect(JSON.parse(String(report.mock.calls[0]?.[2])).reason).toBe('timeout');
    vi.useRealTimers();
  });
});

describe('following a link', () => {
  const follow = async () => userEvent.click(document.querySelector('.card-title a') as Element);

  it('fetches the page as data and swaps it in', async () => {
    answers.set(addressOf('article'), () => envelope(pageOf('article')));
    showDocument('issue');
    const main = document.querySelector('main');
    await start();
    await follow();
    await screen.findByRole('heading', { level: 1, name: /How few buoys are enough/ });
    expect(document.querySelector('main')).toBe(main);
    expect(main?.dataset['page']).toBe('article');
    expect(document.body.className).toBe('page-article');
    expect(document.title).toContain('How few buoys are enough');
    expect(document.querySelector('link[rel=canonical]')?.getAttribute('href')).toContain(addressOf('article'));
    expect(location.pathname).toBe(addressOf('article'));
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    expect(await screen.findByRole('toolbar', { name: 'Article tools' })).toBeTruthy();
    await act(async () => history.back());
    await waitFor(() => expect(main?.dataset['page']).toBe('issue'));
    expect(fetched.mock.calls.filter(([url]) => String(url).includes(encodeURIComponent('/en/issue')))).toHaveLength(0);
  });

  it('ends at the address that a page has now, and Back leads to the page before', async () => {
    const [former, now] = ['/en/index.php/ocean/article/view/12', addressOf('article')];
    answers.set(former, () => envelope({ location: '/en/former' }));
    answers.set('/en/former', () => envelope({ location: now }));
    answers.set(now, () => envelope(pageOf('article')));
    showDocument('issue');
    await start();
    const main = document.querySelector('main') as HTMLElement;
    const link = document.createElement('a');
    link.href = `${former}#nowhere`;
    main.append(link);
    await userEvent.click(link);
    await screen.findByRole('heading', { level: 1, name: /How few buoys are enough/ });
    expect(location.pathname + location.hash).toBe(`${now}#nowhere`);
    expect(main.dataset['page']).toBe('article');
    expect(document.querySelector('link[rel=canonical]')?.getAttribute('href')).toContain(now);
    await act(async () => history.back());
    await waitFor(() => expect(main.dataset['page']).toBe('issue'));
    expect(location.pathname).toBe(addressOf('issue'));
  });

  it('shows that an article is gone, as the document does', async () => {
    const page = pageOf('article');
    const gone = { kind: 'message', status: 410, message: 'This article has been removed' };
    const html = '<div class="message-page"><h1>This article has been removed</h1></div>';
    answers.set(addressOf('article'), () => envelope({ ...page, title: 'Gone', status: 410, html, bootstrap: { ...page.bootstrap, page: gone } }));
    showDocument('issue');
    await start();
    await follow();
    await screen.findByRole('heading', { level: 1, name: 'This article has been removed' });
    expect([document.body.className, document.title, location.pathname]).toEqual(['page-message', 'Gone', addressOf('article')]);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('leaves links to other sites, new tabs and files to the browser', async () => {
    showDocument('issue');
    await start();
    const main = document.querySelector('main') as HTMLElement;
    for (const html of [
      '<a href="https://x.test/">a</a>',
      '<a href="/en/x/" target="_blank">b</a>',
      '<a href="/files/a.pdf">c</a>',
      '<a href="/en/y/" download>d</a>',
    ]) {
      main.innerHTML = html;
      const event = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0 });
      const stop = (click: Event) => {
        expect(click.defaultPrevented).toBe(false);
        click.preventDefault();
      };
      document.addEventListener('click', stop, { once: true });
      main.querySelector('a')?.dispatchEvent(event);
    }
    expect(fetched).not.toHaveBeenCalled();
  });

  it('has the tools of the reader on every article, not only on the first one', async () => {
    answers.set(addressOf('article'), () => envelope(pageOf('article')));
    await import('../src/reader/Reader.tsx');
    showDocument('issue');
    await start();
    for (let times = 0; times < 2; times += 1) {
      await follow();
      await screen.findByRole('toolbar', { name: 'Article tools' });
      await act(async () => history.back());
      await waitFor(() => expect(document.querySelector('main')?.dataset['page']).toBe('issue'));
    }
  });

  const shownPage = () => [document.querySelector('main')?.dataset['page'], location.pathname];

  it('keeps the page while it takes long, says so after 150 ms, and changes address and page together', async () => {
    let answer: (response: Response) => void = () => undefined;
    answers.set(addressOf('article'), () => new Promise((resolve) => (answer = resolve)));
    showDocument('issue');
    await start();
    const bar = document.querySelector<HTMLElement>('.progress') as HTMLElement;
    // The wait of 150 ms ends when the test says so, however slow the machine is.
    const waits: (() => void)[] = [];
    const later = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, delay?: number, ...rest: unknown[]) =>
      delay === 150 ? waits.push(work) : later(work, delay, ...rest)) as unknown as typeof setTimeout);
    await follow();
    expect(bar.hidden).toBe(true);
    await waitFor(() => {
      for (const end of waits.splice(0)) end();
      expect(bar.hidden).toBe(false);
    });
    expect(screen.getAllByRole('status').map((region) => region.textContent)).toContain('Loading');
    expect(shownPage()).toEqual(['issue', addressOf('issue')]);
    expect(document.querySelector('main')?.hidden).toBe(false);
    await act(async () => answer(envelope(pageOf('article'))));
    await screen.findByRole('heading', { level: 1, name: /How few buoys are enough/ });
    expect(shownPage()).toEqual(['article', addressOf('article')]);
    await waitFor(() => expect(bar.hidden).toBe(true));
  });

  it('keeps page and address when nobody answers, says so, and tries again', async () => {
    answers.set(addressOf('article'), () => Promise.reject(new TypeError('Failed to fetch')));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    showDocument('issue');
    // With the attribute, an open dialog does not hide it from screen readers.
    const region = () => document.querySelector('.notices[role=status][aria-live=polite]') as HTMLElement;
    await start();
    expect(region().textContent).toBe('');
    await follow();
    const again = await within(region()).findByRole('button', { name: 'Try again' });
    expect(region().textContent).toContain('This page could not be loaded');
    expect(shownPage()).toEqual(['issue', addressOf('issue')]);
    expect(assign).not.toHaveBeenCalled();
    await userEvent.click(again);
    const close = await within(region()).findByRole('button', { name: 'Close' });
    await userEvent.click(close);
    expect(region().textContent).toBe('');
    answers.set(addressOf('article'), () => envelope(pageOf('article')));
    await follow();
    await screen.findByRole('heading', { level: 1, name: /How few buoys are enough/ });
    expect(shownPage()).toEqual(['article', addressOf('article')]);
    expect(region().textContent).toBe('');
  });

  it('goes on to the page by itself when the connection is back, unless the reader has closed the notice', async () => {
    const away = () => Promise.reject(new TypeError('Failed to fetch'));
    answers.set(addressOf('article'), away);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    showDocument('issue');
    await start();
    await follow();
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
    answers.set(addressOf('article'), () => envelope(pageOf('article')));
    await act(async () => void dispatchEvent(new Event('online')));
    expect(shownPage()).toEqual(['issue', addressOf('issue')]);
    answers.set(addressOf('article'), away);
    await follow();
    await screen.findByRole('button', { name: 'Try again' });
    answers.set(addressOf('article'), () => envelope(pageOf('article')));
    await act(async () => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(shownPage()).toEqual(['article', addressOf('article')]));
  });

  it('returns to the page that is shown when Back finds nobody', async () => {
    answers.set(addressOf('article'), () => envelope(pageOf('article')));
    showDocument('issue');
    await start();
    await follow();
    await screen.findByRole('heading', { level: 1, name: /How few buoys are enough/ });
    // An entry of the history whose page is no longer kept.
    history.replaceState(history.state, '', '/en/long-ago');
    answers.set('/en/long-ago', () => Promise.reject(new TypeError('Failed to fetch')));
    answers.set('/en/issue/2', () => envelope(pageOf('plugins-issue')));
    const link = document.createElement('a');
    link.href = '/en/issue/2';
    document.querySelector('main')?.append(link);
    await userEvent.click(link);
    await waitFor(() => expect(shownPage()).toEqual(['issue', '/en/issue/2']));
    await act(async () => history.back());
    await screen.findByRole('button', { name: 'Try again' });
    await waitFor(() => expect(shownPage()).toEqual(['issue', '/en/issue/2']));
    answers.set('/en/long-ago', () => envelope(pageOf('article')));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(shownPage()).toEqual(['article', '/en/long-ago']));
    await act(async () => history.forward());
    await waitFor(() => expect(shownPage()).toEqual(['issue', '/en/issue/2']));
  });

  it.each([
    ['an error of the host', () => envelope(null, 500, 'Data acquisition failed'), true],
    ['an answer that is no data', () => new Response('<html>', { status: 200 }), true],
    ['a proxy whose host is away', () => new Response('<html>', { status: 503 }), false],
  ])('leaves %s to the browser, if a document would come', async (_, answer, leaves) => {
    answers.set(addressOf('article'), answer);
    showDocument('issue');
    await start();
    await follow();
    if (leaves) await waitFor(() => expect(assign.mock.calls.map(([to]) => to)).toEqual([addressOf('article')]));
    else await screen.findByRole('button', { name: 'Try again' });
    expect(assign.mock.calls.length).toBe(leaves ? 1 : 0);
    expect(shownPage()).toEqual(['issue', addressOf('issue')]);
  });

  it('leads to the sign-in when the session is over, and keeps the page until then', async () => {
    answers.set(addressOf('article'), () => new Response(JSON.stringify({ status: 401, data: null, message: 'Please sign in again' }), { status: 401 }));
    await import('../src/later/Later.tsx');
    showDocument('issue');
    await start();
    await follow();
    await waitFor(() => expect(document.querySelector('.notices .toast')?.textContent).toBe('Please sign in again'));
    expect(shownPage()).toEqual(['issue', addressOf('issue')]);
    await waitFor(() => expect(assign.mock.calls.map(([to]) => to)).toEqual([`/login?lang=en&url=${encodeURIComponent(addressOf('issue'))}`]));
  });

  it('ends at the link that was followed last', async () => {
    let answer: (response: Response) => void = () => undefined;
    answers.set(addressOf('article'), () => new Promise((resolve) => (answer = resolve)));
    answers.set('/zh/issue', () => envelope(pageOf('issue.zh')));
    showDocument('issue');
    await start();
    await follow();
    await userEvent.click(screen.getByRole('link', { name: '中文' }));
    await waitFor(() => expect(document.documentElement.lang).toBe('zh'));
    await act(async () => answer(envelope(pageOf('article'))));
    expect(shownPage()).toEqual(['issue', '/zh/issue']);
  });

  it('asks twice before it says that nobody answers, if the browser is online', async () => {
    answers.set(addressOf('article'), () => Promise.reject(new TypeError('Failed to fetch')));
    showDocument('issue');
    await start();
    await follow();
    expect(await screen.findByText(/The connection failed\. Please try again\./)).toBeTruthy();
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(shownPage()).toEqual(['issue', addressOf('issue')]);
  });

  it('switches the language in place', async () => {
    answers.set('/zh/issue', () => envelope(pageOf('issue.zh')));
    showDocument('issue');
    await start();
    await userEvent.click(screen.getByRole('link', { name: '中文' }));
    await waitFor(() => expect(document.documentElement.lang).toBe('zh'));
    expect(document.cookie).toContain('language=zh');
    expect(screen.getByRole('navigation', { name: '导航菜单' })).toBeTruthy();
    expect(within(screen.getByRole('search')).getByRole('button', { name: '检索' })).toBeTruthy();
    expect(document.querySelector('.back-to-top')?.getAttribute('aria-label')).toBe('返回顶部');
    await act(async () => history.back());
    await waitFor(() => expect(document.documentElement.lang).toBe('en'));
    expect(document.querySelector('.back-to-top')?.getAttribute('aria-label')).toBe('Back to top');
    expect(screen.getByRole('navigation', { name: 'Menu' })).toBeTruthy();
  });

  it('fetches the messages of a language ahead without showing them', async () => {
    answers.set('/zh/issue', () => envelope(pageOf('issue.zh')));
    showDocument('issue');
    vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work));
    vi.stubGlobal('cancelIdleCallback', () => undefined);
    await start();
    await import('../src/later/Later.tsx');
    await act(async () => new Promise((resolve) => setTimeout(resolve)));
    const link = document.createElement('a');
    link.href = '/zh/issue';
    document.querySelector('main')?.append(link);
    act(() => link.focus());
    await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
    await act(async () => void (await fetched.mock.results[0]?.value));
    await waitFor(() => expect(i18n.hasResourceBundle('zh', 'shell')).toBe(true));
    expect(i18n.language).toBe('en');
    expect(document.querySelector('.back-to-top')?.getAttribute('aria-label')).toBe('Back to top');
    await userEvent.click(link);
    await waitFor(() => expect(document.querySelector('.back-to-top')?.getAttribute('aria-label')).toBe('返回顶部'));
    expect(fetched).toHaveBeenCalledOnce();
  });

  it('keeps the fragment for the same page in another language, and for no other link', async () => {
    answers.set('/zh/issue', () => envelope(pageOf('issue.zh')));
    showDocument('issue');
    history.replaceState(null, '', '#main');
    await start();
    await userEvent.click(screen.getByRole('link', { name: '中文' }));
    await waitFor(() => expect(document.documentElement.lang).toBe('zh'));
    expect(location.hash).toBe('#main');
    const link = document.querySelector('.card-title a') as HTMLAnchorElement;
    const { pathname } = link;
    answers.set(pathname, () => envelope(pageOf('article')));
    await userEvent.click(link);
    await waitFor(() => expect(location.pathname).toBe(pathname));
    expect(location.hash).toBe('');
  });
});

describe('what plugins add', () => {
  const home = () => showDocument('plugins-home');
  const main = () => document.querySelector('main') as HTMLElement;

  it('floats once at the end of the page, and goes with the page that has it', async () => {
    answers.set('/en/issue', () => envelope(pageOf('plugins-issue')));
    answers.set('/en/home', () => envelope(pageOf('plugins-home')));
    home();
    await start();
    const button = await screen.findByRole('button', { name: 'Ask the assistant' });
    expect(document.querySelectorAll('.floating .assistant')).toHaveLength(1);
    expect(main().contains(button)).toBe(false);
    const footer = document.querySelector('footer') as HTMLElement;
    expect(footer.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    const link = document.createElement('a');
    link.href = '/en/issue';
    main().append(link);
    await userEvent.click(link);
    await waitFor(() => expect(main().dataset['page']).toBe('issue'));
    expect(screen.queryByRole('button', { name: 'Ask the assistant' })).toBeNull();
    await act(async () => history.back());
    await waitFor(() => expect(main().dataset['page']).toBe('home'));
    expect(await screen.findByRole('button', { name: 'Ask the assistant' })).toBeTruthy();
  });

  it.each([
    ['nav-default', 'plugins-issue'],
    ['nav-alternate', 'plugins-alternate'],
  ])('takes the place of the person icon (%s)', async (nav, recorded) => {
    showDocument(recorded);
    await start();
    expect(await screen.findByRole('link', { name: 'Sign in with your institution' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
    expect(screen.getByRole('banner').dataset['module']).toBe(nav);
    expect(screen.getByRole('banner').querySelectorAll('.account-link')).toHaveLength(1);
  });

  it('stands inside the toolbar of the reader', async () => {
    showDocument('plugins-article');
    await start();
    const toolbar = await screen.findByRole('toolbar', { name: 'Article tools' });
    expect(await within(toolbar).findByRole('button', { name: 'Read this article in' })).toBeTruthy();
    expect(document.querySelectorAll('.article-languages')).toHaveLength(1);
  });

  it('costs its own place when it fails, and nothing else', async () => {
    broken.how = { 'assistant-panel': 'throw', 'account-link': 'throw' };
    home();
    await start();
    await waitFor(() => expect(report).toHaveBeenCalledTimes(2));
    expect(
      report.mock.calls
        .map(([, , body]) => JSON.parse(body) as { slot: string; reason: string })
        .map(({ slot, reason }) => `${slot} ${reason}`)
        .sort(),
    ).toEqual(['header.account load', 'page.floating load']);
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
    expect(document.querySelector('.floating > .back-to-top')).toBeTruthy();
  });

  it('leaves the sign-in link while it is on its way, and the first view does not wait for it', async () => {
    broken.how = { 'assistant-panel': 'never', 'account-link': 'never' };
    home();
    let loaded = false;
    const slots = { 'page.floating': [{ module: 'assistant-panel', entry: 'x', integrity: '', css: [], props: {} }] };
    void store.loadAll({ ...readSite(), slots }, 60_000).then(() => (loaded = true));
    // It waits for nothing, so it is done before the next task runs.
    await new Promise((resolve) => setTimeout(resolve));
    expect(loaded).toBe(true);
    await start();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBe(document.querySelector('.frame-tools > .frame-account'));
  });
});
