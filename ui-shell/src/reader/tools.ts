import { useNotify, useT } from '@masthead/ui-sdk';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { goTo } from '../browser/scroll.ts';

/** Puts a new element beside another one of the document. */
export type Place = (target: HTMLElement, host: HTMLElement) => void;

/** Elements for React to render into: one for each of `targets`, inserted by `place` (a constant) and removed on unmount. */
export function useInserted(targets: readonly HTMLElement[], className: string, place: Place): Map<HTMLElement, HTMLElement> {
  const [hosts, setHosts] = useState(new Map<HTMLElement, HTMLElement>());
  useLayoutEffect(() => {
    const made = new Map<HTMLElement, HTMLElement>();
    for (const target of targets) {
      const host = document.createElement('div');
      host.className = className;
      place(target, host);
      made.set(target, host);
    }
    setHosts(made);
    return () => {
      for (const host of made.values()) host.remove();
    };
  }, [targets, className, place]);
  return hosts;
}

/** Calls `look`, and again in the next frame after the window was scrolled or resized. Returns what ends it. */
export function whenMoved(look: () => void): () => void {
  let frame = 0;
  const now = () => {
    frame = 0;
    look();
  };
  const soon = () => {
    frame ||= requestAnimationFrame(now);
  };
  now();
  addEventListener('scroll', soon, { passive: true });
  addEventListener('resize', soon);
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener('scroll', soon);
    removeEventListener('resize', soon);
  };
}

/** State of an entry of the history that is of a tool which covers the window, so that Back closes it. */
interface OwnState {
  covered?: boolean;
}
export const hasOwnEntry = (): boolean => Boolean((history.state as OwnState | null)?.covered);
export const addEntry = (address?: string): void => history.pushState({ ...(history.state as object | null), covered: true } satisfies OwnState, '', address);

/** Goes back from such an entry, and then to an element of the article: the browser scrolls to where the reader was, before it tells. */
export function leaveEntry(target: HTMLElement | undefined): void {
  const then = () => void (target && requestAnimationFrame(() => goTo(target)));
  if (!hasOwnEntry()) return then();
  addEventListener('popstate', then, { once: true });
  history.back();
}

/** Whether the window matches a media query; false where nothing can tell. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => globalThis.matchMedia?.(query).matches ?? false);
  useEffect(() => {
    const list = globalThis.matchMedia?.(query);
    const look = () => setMatches(list?.matches ?? false);
    list?.addEventListener?.('change', look);
    return () => list?.removeEventListener?.('change', look);
  }, [query]);
  return matches;
}

let region: HTMLElement | undefined;
/** Components that may have something to say. */
let users = 0;
let timer = 0;

/** The element whose text screen readers say: outside of the article, and in the page before there is something to say. Dialogs hide no live regions. */
function liveRegion(): HTMLElement {
  if (region?.isConnected) return region;
  region = document.createElement('div');
  region.className = 'mh-hidden';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  document.body.append(region);
  return region;
}

/** Makes screen readers say a short text. */
export function announce(text: string): void {
  const said = liveRegion();
  clearTimeout(timer);
  said.textContent = text;
  // The same text is said again only if it was gone in between.
  timer = window.setTimeout(() => said.replaceChildren(), 1800);
}

/**
 * Copies text to the clipboard. `said` is the result as a message for 1.8 s, to replace the button's label; empty otherwise. A failure is a
 * notice: `failure`, or that of information.
 */
export function useCopy(failure?: string): { said: string; copy(text: string): void } {
  const t = useT();
  const notify = useNotify();
  const [said, setSaid] = useState('');
  useEffect(() => {
    users += 1;
    liveRegion();
    return () => {
      users -= 1;
      if (!users) region?.remove();
    };
  }, []);
  const copy = useCallback(
    (text: string) => {
      const done = () => {
        setSaid(t('copied'));
        announce(t('copied'));
        setTimeout(() => setSaid(''), 1800);
      };
      const failed = () => notify(failure ?? t('copy_failed'), 'failed');
      if (!navigator.clipboard) return failed();
      navigator.clipboard.writeText(text).then(done, failed);
    },
    [t, notify, failure],
  );
  return { said, copy };
}

export function saveFile(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A text in one line. */
export const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Text as it is read, in one line. */
export const textOf = (part: Element | null | undefined): string => squeezed(part?.textContent ?? '');

/** What the script adds to the article. */
export const ADDED = '.fig-tools, .table-tools, .formula-tools, .table-sort, .ref-cited, .return-place';

/** A copy of an element without ids and without the buttons that the script added. */
export function cloneContent(element: Element): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement;
  copy.removeAttribute('id');
  for (const part of copy.querySelectorAll('[id]')) part.removeAttribute('id');
  for (const part of copy.querySelectorAll(ADDED)) part.remove();
  for (const part of copy.querySelectorAll('[data-opens]')) part.removeAttribute('data-opens');
  return copy;
}

/** A copy that may stand anywhere: an item gets a list around it, a term its definitions, and of a cell only the content is copied. */
export function cloneAlone(element: Element): HTMLElement {
  const copy = cloneContent(element);
  const around = (tag: string, parts: Node[]) => {
    const outer = document.createElement(tag);
    outer.append(...parts);
    return outer;
  };
  if (element.matches('td, th')) return around('div', [...copy.childNodes]);
  if (element.matches('dt')) {
    const definitions: Node[] = [];
    for (let next = element.nextElementSibling; next?.matches('dd'); next = next.nextElementSibling) definitions.push(cloneContent(next));
    return around('dl', [copy, ...definitions]);
  }
  const list = element.matches('li') && element.parentElement;
  if (!list) return copy;
  if (list instanceof HTMLOListElement) (copy as HTMLLIElement).value = list.start + [...list.children].indexOf(element);
  const outer = around(list.localName, [copy]);
  outer.className = list.className;
  return outer;
}
