import { reducedMotion } from './environment.ts';

const STORE = 'masthead.scroll';

function read(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

/** Stores the scroll position of a history entry, for Back and for a reload. */
export function saveScroll(key: string): void {
  try {
    const kept = Object.entries(read())
      .filter(([other]) => other !== key)
      .slice(-49);
    sessionStorage.setItem(STORE, JSON.stringify(Object.fromEntries([...kept, [key, Math.round(scrollY)]])));
  } catch {
    // Without session storage, Back scrolls to the top.
  }
}

export const savedScroll = (key: string): number | undefined => read()[key];

export function targetOf(hash: string): HTMLElement | null {
  if (hash.length < 2) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Scrolls to an element (its scroll-margin keeps it clear of the header) and moves the focus there. */
export function goTo(target: HTMLElement, smooth = true): void {
  target.scrollIntoView({ behavior: smooth && !reducedMotion() ? 'smooth' : 'auto', block: 'start' });
  focusOn(target);
}

export function focusOn(target: HTMLElement): void {
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  target.focus({ preventScroll: true });
}
