import { useState, useSyncExternalStore } from 'react';
import { documents } from './documents.ts';

/** The entry of the tab's history that is shown. */
export interface Entry {
  pathname: string;
  search: string;
  hash: string;
  /** Tells the entry from the others of the tab; `default` for those that the browser made. */
  key: string;
  /** `POP`: the entry that the page was opened with, or that the reader went to in the history or by a fragment; otherwise made by `navigate`. */
  action: 'POP' | 'PUSH' | 'REPLACE';
}

interface State {
  key?: string;
  index?: number;
}
const state = () => history.state as State | null;

/** The key of the present entry. */
export const entryKey = (): string => state()?.key ?? 'default';

/** Place of the present entry among those of this document; undefined for one that the browser made. */
export const entryIndex = (): number | undefined => state()?.index;

export interface History {
  /** The same object until the entry changes. */
  entry(): Entry;
  subscribe(listener: () => void): () => void;
  /** Goes to an address of this origin, in a new entry or in the present one. */
  navigate(to: string, options?: { replace?: boolean }): void;
}

const read = (action: Entry['action']): Entry => {
  const { pathname, search, hash } = location;
  return { pathname, search, hash, key: entryKey(), action };
};

const isSame = (a: Entry, b: Entry) => a.key === b.key && a.pathname === b.pathname && a.search === b.search;

/** Gives the entry that the document was opened with its place. */
function number(): void {
  try {
    if (entryIndex() === undefined) history.replaceState({ ...state(), index: 0 }, '');
  } catch {
    // A sandboxed frame: Back then leads to where it can.
  }
}

export function createHistory(): History {
  number();
  let present = read('POP');
  const listeners = new Set<() => void>();
  const change = (action: Entry['action']) => {
    present = read(action);
    for (const listener of listeners) listener();
  };
  // An entry with the key of the present one belongs to a tool of the page, which listens itself.
  const pop = () => {
    if (!isSame(read('POP'), present)) change('POP');
  };
  return {
    entry: () => present,
    subscribe(listener) {
      if (!listeners.size) addEventListener('popstate', pop);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (!listeners.size) removeEventListener('popstate', pop);
      };
    },
    navigate(to, { replace = false } = {}) {
      const next: State = { key: Math.random().toString(36).slice(2, 10), index: (entryIndex() ?? 0) + (replace ? 0 : 1) };
      try {
        if (replace) history.replaceState(next, '', to);
        else history.pushState(next, '', to);
      } catch {
        // Browsers limit how many entries are made in a time.
        return documents.assign(to);
      }
      change(replace ? 'REPLACE' : 'PUSH');
    },
  };
}

/** The present entry, and the function that leads to another one. */
export function useHistory(): [Entry, History['navigate']] {
  const [own] = useState(createHistory);
  return [useSyncExternalStore(own.subscribe, own.entry), own.navigate];
}
