import { ApiError, linkDestination, type Bootstrap, type MovedPage, type PagePayload, type Shell, type SlotName } from '@masthead/ui-sdk';
import { internalPath, isPlainClick, ShellProvider } from '@masthead/ui-sdk/shell';
import { keepPreviousData, QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { BrowserRouter, Route, Routes, useLocation, useNavigate, useNavigationType } from 'react-router';
import { createApi, fetchPage } from './api.ts';
import { mayPrefetch } from './browser/environment.ts';
import { ensureLanguage, translate } from './i18n/catalogues.ts';
import { BackToTop } from './page/BackToTop.tsx';
import { updateHead } from './page/head.ts';
import { Main } from './page/Main.tsx';
import { focusOn, goTo, savedScroll, saveScroll, targetOf } from './browser/scroll.ts';
import { Failure, Skeleton, useDelayed } from './page/States.tsx';
import { loadAll } from './slots/ModuleStore.ts';
import { Adopted, SlotView, standing } from './slots/SlotView.tsx';

/** The parts of the server's document; React moves these nodes and never renders them again. */
export interface Frame {
  header: Element | undefined;
  search: Element | undefined;
  footer: Element | undefined;
  main: HTMLElement;
}

/** Redirects that are followed in a row, as many as browsers follow. */
const MOST_MOVES = 20;

const isMoved = (answer: PagePayload | MovedPage): answer is MovedPage => 'location' in answer;

/** Fetches a page together with its language and its modules, so that it renders without a second wait; or the address that it has now. */
async function preparePage(bootstrap: Bootstrap, path: string, signal?: AbortSignal): Promise<PagePayload | MovedPage> {
  const payload = await fetchPage(bootstrap, path, signal);
  if (isMoved(payload)) return payload;
  if (payload.bootstrap.contract !== bootstrap.contract) throw new ApiError(500, '');
  await Promise.all([ensureLanguage(payload.bootstrap.lang), loadAll(payload.bootstrap, 1500)]);
  return payload;
}

const pageKey = (base: string, path: string) => ['page', base, path];

function Portal({ frame, first }: { frame: Frame; first: PagePayload }) {
  const location = useLocation();
  const how = useNavigationType();
  const route = useNavigate();
  const client = useQueryClient();
  const [notice, setNotice] = useState('');
  const { base } = first.bootstrap;
  const path = location.pathname.slice(base.length) + location.search || '/';
  const latest = useRef(first.bootstrap);
  const query = useQuery({
    queryKey: pageKey(base, path),
    queryFn: ({ signal }) => preparePage(latest.current, path, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 300_000,
    retry: (count, error) => !(error instanceof ApiError) && count < 1,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  // While an address leads to another one, the page before stays.
  const answer = query.data ?? first;
  const last = useRef(first);
  if (!isMoved(answer)) last.current = answer;
  const payload = last.current;
  // The answer for the former address is kept while the next page is fetched: it leads nowhere any more.
  const moved = isMoved(answer) && !query.isPlaceholderData ? answer.location : undefined;
  const pending = (query.isFetching && query.isPlaceholderData) || moved !== undefined;
  const late = useDelayed(pending, 150);
  const { bootstrap } = payload;
  latest.current = bootstrap;

  const navigate = useCallback<Shell['navigate']>(
    (to, options) => {
      // A module may pass any address; `javascript:` would run.
      if (!linkDestination(to, window.location.href)) return;
      const target = internalPath(to, base);
      // Where a module failed, the server's markup is in its place and belongs to one page: load a whole document instead.
      if (target === undefined || standing.size) return window.location.assign(to);
      void route(base + target, { replace: options?.replace ?? false });
    },
    [base, route],
  );

  // The address that a link had before gets the present one in the bar, in the same entry of the history.
  const moves = useRef(0);
  useEffect(() => {
    if (moved === undefined) {
      if (!pending) moves.current = 0;
      return;
    }
    const target = internalPath(moved, base);
    moves.current += 1;
    // A file needs a request of its own. After too many redirects, the browser asks itself and says so.
    if (target === undefined || moves.current > MOST_MOVES) return window.location.replace(moved);
    // As in a browser, the fragment of the link stays if the redirect has none.
    void route(base + target + (target.includes('#') ? '' : location.hash), { replace: true });
  }, [moved, pending, base, route, location]);

  // Title, language, focus and scroll change when the new page is rendered, not when it is requested.
  const shown = useRef(payload);
  const entry = useRef(location);
  useLayoutEffect(() => {
    const changed = shown.current !== payload;
    const stepped = entry.current.key !== location.key;
    if (query.isPlaceholderData || moved !== undefined || (!changed && !stepped)) return;
    const samePage = !changed && entry.current.pathname + entry.current.search === location.pathname + location.search;
    const previousLang = shown.current.bootstrap.lang;
    shown.current = payload;
    entry.current = location;
    if (changed) updateHead(payload, previousLang);
    const target = targetOf(location.hash);
    const back = how === 'POP' ? savedScroll(location.key) : undefined;
    if (back !== undefined) window.scrollTo({ top: back, behavior: 'instant' });
    else if (target) return goTo(target, samePage);
    else if (!location.hash) window.scrollTo({ top: 0, behavior: 'instant' });
    if (!samePage) focusOn(frame.main.querySelector<HTMLElement>('h1') ?? frame.main);
  }, [payload, location, how, query.isPlaceholderData, moved, frame.main]);

  useEffect(() => {
    let timer = 0;
    const save = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => saveScroll(location.key), 120);
    };
    const now = () => saveScroll(location.key);
    addEventListener('scroll', save, { passive: true });
    addEventListener('pagehide', now);
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', save);
      removeEventListener('pagehide', now);
    };
  }, [location.key]);

  // Links and forms inside the server's HTML.
  useEffect(() => {
    const { main } = frame;
    const linkOf = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (!link || link.target === '_blank' || link.hasAttribute('download') || /\bexternal\b/.test(link.rel)) return undefined;
      return internalPath(link.href, base) === undefined ? undefined : link;
    };
    const click = (event: MouseEvent) => {
      const link = isPlainClick(event) ? linkOf(event) : undefined;
      if (!link) return;
      event.preventDefault();
      saveScroll(location.key);
      navigate(link.href, { replace: link.href === window.location.href });
    };
    const submit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement;
      if (event.defaultPrevented || form.method !== 'get' || internalPath(form.action, base) === undefined) return;
      event.preventDefault();
      const to = new URL(form.action);
      const data = new FormData(form, event.submitter);
      to.search = new URLSearchParams([...data].filter((pair): pair is [string, string] => typeof pair[1] === 'string')).toString();
      navigate(to.href);
    };
    let timer = 0;
    const ahead = (event: Event) => {
      clearTimeout(timer);
      const link = linkOf(event);
      if (!link || standing.size || !mayPrefetch()) return;
      const wanted = new URL(link.href).pathname.slice(base.length) + new URL(link.href).search;
      if (wanted === path) return;
      timer = window.setTimeout(() => {
        void client.prefetchQuery({
          queryKey: pageKey(base, wanted),
          queryFn: ({ signal }) => preparePage(latest.current, wanted, signal),
          staleTime: 300_000,
          retry: false,
        });
      }, 80);
    };
    main.addEventListener('click', click);
    main.addEventListener('submit', submit);
    main.addEventListener('pointerover', ahead);
    main.addEventListener('focusin', ahead);
    return () => {
      clearTimeout(timer);
      main.removeEventListener('click', click);
      main.removeEventListener('submit', submit);
      main.removeEventListener('pointerover', ahead);
      main.removeEventListener('focusin', ahead);
    };
  }, [frame, base, path, location.key, navigate, client]);

  const api = useMemo(
    () =>
      createApi(
        () => ({ base: latest.current.base, lang: latest.current.lang, siteId: latest.current.site.id }),
        (message) => {
          setNotice(message);
          setTimeout(() => window.location.assign(latest.current.header.loginHref || `${latest.current.base}/login`), 1100);
        },
      ),
    [],
  );
  const shell = useMemo<Shell>(
    () => ({
      bootstrap,
      path: `${base}${path}`,
      pending,
      api,
      navigate,
      translate: (namespace, key, values) => translate(bootstrap.lang, namespace, key, values),
      renderSlot: (name: SlotName, props, fallback: ReactNode, waiting: ReactNode) => (
        <SlotView name={name} bootstrap={bootstrap} props={props} fallback={fallback} waiting={waiting} />
      ),
    }),
    [bootstrap, base, path, pending, api, navigate],
  );

  const firstPage = payload === first;
  const server = (name: 'header' | 'search' | 'footer') => {
    const node = frame[name] && <Adopted node={frame[name]} />;
    return <SlotView name={name} bootstrap={bootstrap} fallback={node} empty={firstPage ? node : null} />;
  };
  const failed = query.isError && !query.data;
  return (
    <ShellProvider value={shell}>
      {server('header')}
      {server('search')}
      {failed && <Failure message={query.error instanceof ApiError ? query.error.message : ''} onRetry={() => void query.refetch()} />}
      {late && !failed && <Skeleton />}
      <Main main={frame.main} payload={payload} hidden={late || failed} />
      {server('footer')}
      <div className="floating">
        <BackToTop main={frame.main} />
        <SlotView name="page.floating" bootstrap={bootstrap} />
      </div>
      <div className="notice" role="status" aria-live="polite">
        {notice}
      </div>
    </ShellProvider>
  );
}

export function App({ frame, first, client }: { frame: Frame; first: PagePayload; client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Routes>
          <Route path="*" element={<Portal frame={frame} first={first} />} />
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

export function createClient(first: PagePayload, path: string): QueryClient {
  const client = new QueryClient();
  client.setQueryData(pageKey(first.bootstrap.base, path), first);
  return client;
}
