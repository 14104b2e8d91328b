import { useShell, type PagePayload } from '@masthead/ui-sdk';
import { internalPath } from '@masthead/ui-sdk/shell';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { aheadOf } from '../calls/api.ts';
import { takeSaid } from '../browser/said.ts';
import { remove, TEXT_SIZE } from '../browser/storage.ts';
import { useJumps } from './jump.ts';
import { Members } from './members.tsx';
import { usePrefetch } from './prefetch.ts';
import { resetSelections } from './selections.ts';
import { useSignOut } from './signOut.ts';
import { addToast, Toasts } from './Toasts.tsx';

export { signIn } from '../members/signIn.ts';
export { addToast } from './Toasts.tsx';
export { toTop } from './toTop.ts';

export interface LaterProps {
  main: HTMLElement;
  payload: PagePayload;
  /** The live region of the page. */
  region: HTMLElement | null;
  /** Path and query of the address, below the site's prefix. */
  path: string;
  prefetch(path: string): Promise<boolean>;
  /** The button for members that was used last. */
  used: HTMLElement | undefined;
}

/** A view of an article that was fetched ahead is told to the host, which counts no prefetches. */
function useCounted(payload: PagePayload): void {
  const { api } = useShell();
  useEffect(() => {
    const { page } = payload.bootstrap;
    if (aheadOf.delete(payload) && page.kind === 'article') api.get(`/rc-pub/front/front-article/${page.id}`).catch(() => undefined);
  }, [api, payload]);
}

/** The link to the home page resets the text size of articles. */
function useHomeLink(): void {
  const { bootstrap } = useShell();
  const { base, header } = bootstrap;
  useEffect(() => {
    const click = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
      if (link && internalPath(link.href, base) === internalPath(header.homeHref, base)) remove('local', TEXT_SIZE);
    };
    document.addEventListener('click', click, { capture: true });
    return () => document.removeEventListener('click', click, { capture: true });
  }, [base, header.homeHref]);
}

/** The title of each page that replaces another one, for screen readers: nothing tells them that a document has come. */
function useTitle(payload: PagePayload): string {
  const [title, setTitle] = useState('');
  const shown = useRef(payload);
  useEffect(() => {
    if (shown.current === payload) return;
    resetSelections(shown.current.bootstrap.page, payload.bootstrap.page);
    shown.current = payload;
    setTitle(payload.title);
  }, [payload]);
  return title;
}

/** What the document before had to say, such as that a sign-in has succeeded. */
function useSaid(): void {
  useEffect(() => {
    const said = takeSaid();
    if (said) addToast(said.text, said.kind);
  }, []);
}

/** What the shell does besides showing pages. It is loaded when the browser is idle, or when something of it is needed. */
export default function Later({ main, payload, region, path, prefetch, used }: LaterProps) {
  const { base } = payload.bootstrap;
  usePrefetch(main, base, path, prefetch);
  useJumps();
  useCounted(payload);
  useHomeLink();
  useSignOut();
  useSaid();
  const title = useTitle(payload);
  return (
    <>
      <p className="mh-hidden" role="status" data-announces="title">
        {title}
      </p>
      {region && createPortal(<Toasts />, region)}
      <Members main={main} payload={payload} used={used} />
    </>
  );
}
