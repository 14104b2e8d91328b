import { linkDestination, type PagePayload, type Shell, type SlotName } from '@masthead/ui-sdk';
import { createApi, internalPath, isPlainClick, ShellProvider } from '@masthead/ui-sdk/shell';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { callerOf, isSignedOut } from './calls/api.ts';
import { documents } from './browser/documents.ts';
import { whenIdle } from './browser/environment.ts';
import { placeIn, returnTo, type Place } from './browser/place.ts';
import { focusOn, goTo, savedScroll, saveScroll, targetOf } from './browser/scroll.ts';
import { signInAddress } from './browser/signInAddress.ts';
import { showLanguage } from './i18n/i18n.ts';
import { usePages } from './navigation.ts';
import { BackToTop } from './page/BackToTop.tsx';
import { updateHead } from './page/head.ts';
import { Main } from './page/Main.tsx';
import { pageLinkOf } from './browser/pageLinks.ts';
import { Progress, Unreached, useDelayed } from './page/States.tsx';
import { useTransition } from './page/transition.ts';
import { FrameSlot, type Place as SlotPlace } from './slots/FrameSlot.tsx';
import { optional } from './slots/optional.tsx';
import { SlotView, standing } from './slots/SlotView.tsx';

const later = () => import('./later/Later.tsx');
const Later = optional(later);

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
  const { base } = first.bootstrap;
  const latest = useRef(first.bootstrap);
  const region = useRef<HTMLDivElement>(null);
  // What is loaded later: when the browser is idle, or when there is something to tell.
  const [idle, setIdle] = useState(false);
  // The button for members that was used last: its use counts also before what it does is loaded.
  const [used, setUsed] = useState<HTMLElement>();
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const notify = useCallback<Shell['notify']>((message, kind = 'plain') => {
    setIdle(true);
    later().then(({ addToast }) => addToast(message, kind), console.warn);
  }, []);
  /** An answer 401 ends the session: it is told, and leads to the sign-in. Returns whether the failure was one. */
  const onFailure = useCallback(
    (error: unknown): boolean => {
      if (!isSignedOut(error)) return false;
      later().then(
        ({ signIn }) => signIn(latest.current) && notify(error.message, 'failed'),
        () => documents.assign(signInAddress(latest.current)),
      );
      return true;
    },
    [notify],
  );
  const { payload: next, location, path, settled, pending, open, prefetch, retry, dismiss } = usePages(first, onFailure);
  const payload = useTransition(next, frame.main);
  const [works, setWorks] = useState(0);
  const late = useDelayed(pending || works > 0, 150);
  const { bootstrap } = payload;
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
      // Where a module failed, the server's markup is in its place and belongs to one page: load a whole document instead. If the browser is on the way
      // to another document, as after a missing chunk, that document would end a navigation in place.
      if (address === undefined || standing.size || documents.isLeaving()) return documents.assign(address === undefined ? to : base + address);
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

  // Links, buttons for members and forms inside the server's HTML.
  useEffect(() => {
    const { main } = frame;
    const click = (event: MouseEvent) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-member]') : null;
      if (button) {
        setUsed(button);
        setIdle(true);
      }
      const link = isPlainClick(event) ? pageLinkOf(event, base) : undefined;
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
    main.addEventListener('click', click);
    main.addEventListener('submit', submit);
    return () => {
      main.removeEventListener('click', click);
      main.removeEventListener('submit', submit);
    };
  }, [frame, base, navigate]);

  const api = useMemo(() => createApi(() => callerOf(latest.current), onFailure), [onFailure]);
  const busy = useCallback<Shell['busy']>((work) => {
    setWorks((count) => count + 1);
    return work.finally(() => setWorks((count) => count - 1));
  }, []);
  const shell = useMemo<Shell>(
    () => ({
      bootstrap,
      path: `${base}${path}`,
      pending,
      api,
      navigate,
      notify,
      busy,
      renderSlot: (name: SlotName, props, fallback: ReactNode, waiting: ReactNode) => (
        <SlotView name={name} bootstrap={bootstrap} props={props} fallback={fallback} waiting={waiting} />
      ),
    }),
    [bootstrap, base, path, pending, api, navigate, notify, busy],
  );

  const slot = (name: 'header' | 'search' | 'footer') => <FrameSlot name={name} place={frame[name]} bootstrap={bootstrap} first={payload === first} />;
  return (
    <ShellProvider value={shell}>
      {slot('header')}
      {slot('search')}
      <Progress on={late} />
      <Main main={frame.main} payload={payload} onFailure={onFailure} />
      {slot('footer')}
      <div className="floating">
        <BackToTop main={frame.main} />
        <SlotView name="page.floating" bootstrap={bootstrap} />
      </div>
      {/* `aria-live` besides the role: an open dialog hides everything else from screen readers that has not the attribute itself. */}
      <div className="notices" role="status" aria-live="polite" ref={region}>
        {retry && <Unreached onRetry={retry} onClose={dismiss} />}
      </div>
      {idle && <Later main={frame.main} payload={payload} region={region.current} path={path} prefetch={prefetch} used={used} />}
    </ShellProvider>
  );
}
