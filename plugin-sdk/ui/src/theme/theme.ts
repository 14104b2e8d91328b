import { useMemo, useSyncExternalStore } from 'react';

/** The reader's choice; `system` follows the machine. */
export type Theme = 'light' | 'dark' | 'system';

export interface ThemeChoice {
  theme: Theme;
  /** Whether the page is dark now. */
  dark: boolean;
  choose(theme: Theme): void;
}

const listeners = new Set<() => void>();
const isChoice = (value: string | undefined): value is 'light' | 'dark' => value === 'light' || value === 'dark';
const darkSystem = () => (typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined);

const chosen = (): Theme => {
  const value = document.documentElement.dataset['theme'];
  return isChoice(value) ? value : 'system';
};
const isDark = (): boolean => (chosen() === 'system' ? (darkSystem()?.matches ?? false) : chosen() === 'dark');

function show(theme: Theme): void {
  if (theme === chosen()) return;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

/** The host reads the cookie and writes the attribute into each document, so that nothing is painted in other colours first. */
function choose(theme: Theme): void {
  show(theme);
  try {
    document.cookie = `theme=${theme === 'system' ? '' : theme}; path=/; max-age=${theme === 'system' ? 0 : 31_536_000}; samesite=lax`;
  } catch {
    // Without cookies the choice lasts for this document.
  }
}

/** A document that Back brings again is as it was left: another one may have chosen since. */
function again(event: PageTransitionEvent): void {
  if (!event.persisted) return;
  try {
    const value = /(?:^|;\s*)theme=(\w+)/.exec(document.cookie)?.[1];
    show(isChoice(value) ? value : 'system');
  } catch {
    // Without cookies nothing was chosen elsewhere.
  }
}

function subscribe(listener: () => void): () => void {
  if (!listeners.size) addEventListener('pageshow', again);
  listeners.add(listener);
  const system = darkSystem();
  system?.addEventListener?.('change', listener);
  return () => {
    listeners.delete(listener);
    system?.removeEventListener?.('change', listener);
    if (!listeners.size) removeEventListener('pageshow', again);
  };
}

const unchosen = (): Theme => 'system';
const unknown = () => false;

/** The colour scheme of the page, and the way to choose another one; all users of it see the same. */
export function useTheme(): ThemeChoice {
  // The host renders without knowing the reader; the choice shows when the markup has been taken over.
  const theme = useSyncExternalStore(subscribe, chosen, unchosen);
  const dark = useSyncExternalStore(subscribe, isDark, unknown);
  return useMemo(() => ({ theme, dark, choose }), [theme, dark]);
}
