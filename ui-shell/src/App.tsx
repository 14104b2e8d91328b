import { linkDestination, type PagePayload, type Shell, type SlotName } from '@masthead/ui-sdk';
import { internalPath, isPlainClick, ShellProvider } from '@masthead/ui-sdk/shell';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createApi } from './api.ts';
import { documents } from './browser/documents.ts';
import { mayPrefetch } from './browser/environment.ts';
import { placeIn, returnTo, type Place } from './browser/place.ts';
import { focusOn, goTo, savedScroll, saveScroll, targetOf } from './browser/scroll.ts';
import { showLanguage } from './i18n/i18n.ts';
import { usePages } from './navigation.ts';
import { BackToTop } from './page/BackToTop.tsx';
import { updateHead } from './page/head.ts';
import { Main } from './page/Main.tsx';
import { Progress, Unreached, useDelayed } from './page/States.tsx';
import { useTransition } from './page/transition.ts';
import { FrameSlot, type Place as SlotPlace } from './slots/FrameSlot.tsx';
import { SlotView, standing } from './slots/SlotView.tsx';

/** The parts of the host's document. They stay where they are: what React renders besides is outside of them, or in their slots. */
export interface Frame {
  header: SlotPlace;
  search: SlotPlace;
  footer: SlotPlace;
  main: HTMLElement;
  /** The content of `main` as the host sent it, of the page that is shown. */
  html: string;
}

export function App({ frame, first }: { frame: Frame; first: PagePayload }) {
  const [notice, setNotice] = useState('');
  const { base } = first.bootstrap;
  const { payload: next, location, path, settled, pending, open, prefetch, retry, dismiss } = usePages(first);
  const payload = useTransition(next, frame.main);
  const late = useDelayed(pending, 300);
  const { bootstrap } = payload;
  const latest = useRef(bootstrap);
  latest.current = bootstrap;

  // Where the reader was in the same page in the language before.
  const place = useRef<Place>(undefined);
  const navigate = useCallback<Shell['navigate']>(
    (to, options) => {
      // A module may pass any address; `javascript:` would run.
      if (!linkDestination(to, window.location.href)) return;
      const target = internalPath(to, base);
      const isLanguage = latest.current.languages.some(({ code, href }) => code !== latest.current.lang && internalPath(href, base) === target);
      const address = isLanguage && target !== undefined ? target + window.location.hash : target;
      place.current = isLanguage ? placeIn(frame.main) : undefined;
      // Where a module failed, the server's markup is in its place and belongs to one page: load a whole document instead.
      if (address === undefined || standing.size) return documents.assign(address === undefined ? to : base + address);
      open(address, options?.replace ?? false);
    },
    [base, open, frame.main],
  );

  // Before the page is painted: its messages are loaded with it.
  useLayoutEffect(() => showLanguage(bootstrap.lang), [bootstrap.lang]);

  // Title, language, focus and scroll change when the new page is rendered, not when it is requested.
  const shown = useRef(payload);
  const entry = useRef(location);
  useLayoutEffect(() => {
    const changed = shown.current !== payload;
    const stepped = entry.current.key !== location.key;
    if (!settled || payload !== next || (!changed && !stepped)) return;
    const samePage = !changed && entry.current.pathname + entry.current.search === location.pathname + location.search;
    const previousLang = shown.current.bootstrap.lang;
    shown.current = payload;
    entry.current = location;
    frame.html = payload.html;
    if (changed) updateHead(payload, previousLang);
    const kept = location.action === 'POP' ? undefined : place.current;
    place.current = undefined;
    if (kept && !samePage) return focusOn(returnTo(kept) ?? frame.main.querySelector<HTMLElement>('h1') ?? frame.main);
    const target = targetOf(location.hash);
    const back = location.action === 'POP' ? savedScroll(location.key) : undefined;
    if (back !== undefined) window.scrollTo({ top: back, behavior: 'instant' });
    else if (target) return goTo(target, samePage);
    else if (!location.hash) window.scrollTo({ top: 0, behavior: 'instant' });
    if (!samePage) focusOn(frame.main.querySelector<HTMLElement>('h1') ?? frame.main);
  }, [payload, next, location, settled, frame]);

  useEffect(() => {
    let timer = 0;
    // Of the page that is shown: while Back fetches a page, the address is not its own.
    const now = () => saveScroll(entry.current.key);
    const save = () => {
      clearTimeout(timer);
      timer = window.setTimeout(now, 120);
    };
    addEventListener('scroll', save, { passive: true });
    addEventListener('pagehide', now);
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', save);
      removeEventListener('pagehide', now);
    };
  }, []);

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
      saveScroll(entry.current.key);
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
      // Searches cost the host more than other pages, and few of these links are followed.
      if (!link || standing.size || /\bnofollow\b/.test(link.rel) || !mayPrefetch()) return;
      const wanted = new URL(link.href).pathname.slice(base.length) + new URL(link.href).search;
      if (wanted === path) return;
      timer = window.setTimeout(() => prefetch(wanted), 80);
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
  }, [frame, base, path, navigate, prefetch]);

  const api = useMemo(
    () =>
      createApi(
        () => ({ base: latest.current.base, lang: latest.current.lang, siteId: latest.current.site.id }),
        (message) => {
          setNotice(message);
          setTimeout(() => documents.assign(latest.current.header.loginHref || `${latest.current.base}/login`), 1100);
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
      renderSlot: (name: SlotName, props, fallback: ReactNode, waiting: ReactNode) => (
        <SlotView name={name} bootstrap={bootstrap} props={props} fallback={fallback} waiting={waiting} />
      ),
    }),
    [bootstrap, base, path, pending, api, navigate],
  );

  const slot = (name: 'header' | 'search' | 'footer') => <FrameSlot name={name} place={frame[name]} bootstrap={bootstrap} first={payload === first} />;
  return (
    <ShellProvider value={shell}>
      {slot('header')}
      {slot('search')}
      <Progress on={late} />
      <Main main={frame.main} payload={payload} />
      {slot('footer')}
      <div className="floating">
        <BackToTop main={frame.main} />
        <SlotView name="page.floating" bootstrap={bootstrap} />
      </div>
      <div className="notices" role="status">
        {notice && <div className="notice">{notice}</div>}
        {retry && <Unreached onRetry={retry} onClose={dismiss} />}
      </div>
    </ShellProvider>
  );
}
