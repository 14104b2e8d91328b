import { ApiError, type Bootstrap, type PagePayload } from '@masthead/ui-sdk';
import { internalPath } from '@masthead/ui-sdk/shell';
import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fetchPage, fleeting, type Answer } from './calls/api.ts';
import { documents } from './browser/documents.ts';
import { entryIndex, useHistory, type Entry } from './browser/history.ts';
import { ensureLanguage } from './i18n/i18n.ts';
import { PageStore, usePage } from './page/PageStore.ts';
import { loadAll } from './slots/ModuleStore.ts';

/** Redirects that are followed in a row, as many as browsers follow. */
const MOST_MOVES = 20;
/** Whether a proxy answers for a host that is away: bad gateway, unavailable, or late. */
const byProxy = (status: number) => status > 501 && status < 505;

const newAddressOf = (answer: Answer): string | undefined => ('location' in answer ? answer.location : undefined);

const isUnreachable = (error: unknown) => error instanceof ApiError && error.fault === 'unreachable';

/** Whether a document would not come either: the page that is shown then stays. */
const isAway = (error: unknown) => isUnreachable(error) || (error instanceof ApiError && byProxy(error.status));

/** Offline, a request is to fail at once. */
const mayRetry = (error: unknown) => isUnreachable(error) && navigator.onLine;

const mayKeep = (answer: Answer) => !fleeting.has(answer);

/** Fetches a page together with its language and its modules, so that it renders without a second wait; or the address that it has now. */
async function preparePage(bootstrap: Bootstrap, path: string, signal: AbortSignal, ahead: boolean): Promise<Answer> {
  const payload = await fetchPage(bootstrap, path, signal, ahead);
  if ('location' in payload) return payload;
  if (payload.bootstrap.contract !== bootstrap.contract) throw new ApiError(500, '');
  await Promise.all([ensureLanguage(payload.bootstrap.lang), loadAll(payload.bootstrap, 1500)]);
  return payload;
}

export interface Pages {
  /** The page that is shown. */
  payload: PagePayload;
  location: Entry;
  /** Path and query of the address, below the site's prefix. */
  path: string;
  /** Whether the page belongs to the address: false while Back or Forward fetches the page of its entry. */
  settled: boolean;
  /** Whether a page is being fetched. */
  pending: boolean;
  /** Goes to a page, given by path, query and fragment below the site's prefix. */
  open(target: string, replace: boolean): void;
  /** Fetches a page ahead; resolves to whether it is kept. */
  prefetch(path: string): Promise<boolean>;
  /** Tries again to open the page that could not be fetched; undefined if there is none. */
  retry: (() => void) | undefined;
  /** Gives up the page that could not be fetched. */
  dismiss(): void;
}

/**
 * Navigation within the site. A page is fetched first; address and page change together. If nobody answers, both stay, and the reader may try
 * again. An answer that `onFailure` handles leaves the page, too. Any other failure is left to the browser, which loads the document and shows
 * what the host says.
 */
export function usePages(first: PagePayload, onFailure: (error: unknown) => boolean): Pages {
  const [location, route] = useHistory();
  const { base } = first.bootstrap;
  const path = location.pathname.slice(base.length) + location.search || '/';
  // The page from which others are asked for.
  const bootstrap = useRef(first.bootstrap);
  const [store] = useState(() => new PageStore({ load: (...wanted) => preparePage(bootstrap.current, ...wanted), mayKeep, mayRetry }, path, first));
  const page = usePage(store, path);
  // While a page is loading, and while an address leads to another one, the page before stays.
  const last = useRef(first);
  if (page.status === 'ready' && !('location' in page.answer)) last.current = page.answer;
  const payload = last.current;
  bootstrap.current = payload.bootstrap;
  const moved = page.status === 'ready' ? newAddressOf(page.answer) : undefined;
  const settled = page.status === 'ready' && moved === undefined;

  const [waiting, setWaiting] = useState(false);
  const [failed, setFailed] = useState<{ again(): void }>();
  // Only the navigation that was asked for last arrives; the requests of the others end.
  const run = useRef(new AbortController());
  const arrived = useCallback(() => {
    setWaiting(false);
    documents.expect(undefined);
  }, []);

  const open = useCallback(
    async (target: string, replace: boolean): Promise<void> => {
      run.current.abort();
      const { signal } = (run.current = new AbortController());
      // After what the click shows by itself: all modules and tools learn of it, and the bar comes later anyway. For a page that is at hand, it never is.
      startTransition(() => setWaiting(true));
      documents.expect(base + target);
      setFailed(undefined);
      let to = target;
      try {
        for (let moves = 0; ; moves += 1) {
          const url = new URL(base + to, window.location.origin);
          const address = newAddressOf(await store.fetch(url.pathname.slice(base.length) + url.search || '/', signal));
          if (address === undefined) break;
          const next = internalPath(address, base);
          // A file needs a request of its own. After too many redirects, the browser asks itself and says so.
          if (next === undefined || moves === MOST_MOVES) return documents.assign(address);
          // As in a browser, the fragment of the link stays if the redirect has none.
          to = next.includes('#') ? next : next + url.hash;
        }
        route(base + to, { replace });
      } catch (error) {
        if (signal.aborted) return;
        if (isAway(error)) setFailed({ again: () => void open(target, replace) });
        else if (!onFailure(error)) documents.assign(base + target);
      } finally {
        if (!signal.aborted) arrived();
      }
    },
    [base, route, store, onFailure, arrived],
  );

  // Back and Forward change the address first; a navigation that is under way is given up for them.
  const shown = useRef({ location, index: entryIndex() });
  useLayoutEffect(() => {
    run.current.abort();
    arrived();
  }, [location.key, arrived]);
  useLayoutEffect(() => {
    if (settled) shown.current = { location, index: entryIndex() };
  }, [settled, location]);
  const error = page.status === 'failed' ? page.error : undefined;
  const told = useRef<unknown>(undefined);
  useEffect(() => {
    if (error === undefined || told.current === error) return;
    told.current = error;
    if (onFailure(error)) return;
    if (!isAway(error)) return documents.reload();
    const { location: before, index } = shown.current;
    const back = (index ?? NaN) - (entryIndex() ?? NaN);
    setFailed({ again: () => (back ? history.go(-back) : void open(path + location.hash, false)) });
    if (back) history.go(back);
    else route(before.pathname + before.search + before.hash, { replace: true });
  }, [error, path, location.hash, open, route, onFailure]);

  useEffect(() => setFailed(undefined), [payload]);
  // The connection has come back while the reader is still told that it was away.
  useEffect(() => {
    if (!failed) return undefined;
    addEventListener('online', failed.again);
    return () => removeEventListener('online', failed.again);
  }, [failed]);

  // The address that an entry of the history had before gets the present one in the bar, in the same entry.
  const moves = useRef(0);
  useEffect(() => {
    if (moved === undefined) {
      if (settled) moves.current = 0;
      return;
    }
    const target = internalPath(moved, base);
    moves.current += 1;
    if (target === undefined || moves.current > MOST_MOVES) return documents.replace(moved);
    route(base + target + (target.includes('#') ? '' : location.hash), { replace: true });
  }, [moved, settled, base, route, location]);

  return {
    payload,
    location,
    path,
    settled,
    pending: waiting || page.status === 'loading' || moved !== undefined,
    open: useCallback((target: string, replace: boolean) => void open(target, replace), [open]),
    prefetch: useCallback((wanted: string) => store.prefetch(wanted), [store]),
    retry: failed?.again,
    dismiss: useCallback(() => setFailed(undefined), []),
  };
}
