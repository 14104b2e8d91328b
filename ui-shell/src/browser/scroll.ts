import { reducedMotion } from './environment.ts';
import { read, write } from './storage.ts';

const STORE = 'masthead.scroll';

/** Scroll position by key of a history entry. */
const positions = () => read<Record<string, number>>('session', STORE, {});

/** Stores the scroll position of a history entry, for Back and for a reload. */
export function saveScroll(key: string): void {
  const kept = Object.entries(positions())
    .filter(([other]) => other !== key)
    .slice(-49);
  write('session', STORE, Object.fromEntries([...kept, [key, Math.round(scrollY)]]));
}

export const savedScroll = (key: string): number | undefined => positions()[key];

/** What the host writes before the ids of articles, and before those of the sections that plugins add. */
const CONTENT = ['a-', 'p-'];

/** The element with this id. Links to an article may have the id of its source, which the host's HTML has with a prefix. */
const byId = (id: string) => ['', ...CONTENT].reduce<HTMLElement | null>((found, prefix) => found ?? document.getElementById(prefix + id), null);

/** The element that a fragment leads to; null without one. */
export function targetOf(hash: string): HTMLElement | null {
  if (hash.length < 2) return null;
  try {
    return byId(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Scrolls to an element (its scroll-margin keeps it clear of the header) and moves the focus there. */
export function goTo(target: HTMLElement, smooth = true): void {
  target.scrollIntoView({ behavior: smooth && !reducedMotion() ? 'smooth' : 'auto', block: 'start' });
  focusOn(target);
}

/** Makes it possible to move the focus to an element. */
function focusable(target: HTMLElement): HTMLElement {
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  return target;
}

export function focusOn(target: HTMLElement): void {
  focusable(target).focus({ preventScroll: true });
}

/** The heading of the page, which takes the focus when what had it has gone. */
export function heading(): HTMLElement | null {
  const found = document.querySelector<HTMLElement>('main h1');
  return found && focusable(found);
}
