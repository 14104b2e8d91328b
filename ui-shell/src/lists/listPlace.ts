import { entryKey } from '../browser/history.ts';
import { read, write } from '../browser/storage.ts';

const STORE = 'masthead.lists';
/** Entries of the history that are remembered. */
const MOST = 30;

/** Which pages of a list an entry of the history shows, and where the reader was in them. */
export interface ListPlace {
  /** Numbers of the first and last page. */
  first: number;
  last: number;
  /** Index of the first item in view, and its distance from the top of the window in pixels. */
  item: number;
  top: number;
}

/** The place that was stored for the present entry of the history. */
export const storedPlace = (): ListPlace | undefined => read<Record<string, ListPlace>>('session', STORE, {})[entryKey()];

export function storePlace(key: string, place: ListPlace): void {
  const others = Object.entries(read<Record<string, ListPlace>>('session', STORE, {})).filter(([other]) => other !== key);
  write('session', STORE, Object.fromEntries([...others.slice(1 - MOST), [key, place]]));
}

/** The first item of a list that is in view, or the last one if all are above. */
export function itemInView(list: Element): Pick<ListPlace, 'item' | 'top'> {
  const items = [...list.children];
  const found = items.findIndex((item) => item.getBoundingClientRect().bottom > 0);
  const item = found < 0 ? items.length - 1 : found;
  return { item, top: Math.round(items[item]?.getBoundingClientRect().top ?? 0) };
}

/** Scrolls so that an item has this distance from the top of the window. */
export function scrollToItem(list: Element, { item, top }: Pick<ListPlace, 'item' | 'top'>): void {
  const found = list.children[item];
  if (found) scrollTo({ top: scrollY + found.getBoundingClientRect().top - top, behavior: 'instant' });
}

/** Gives the present entry of the history the address of the last page that is shown. */
export function nameAddress(address: string): void {
  try {
    history.replaceState(history.state, '', address);
  } catch {
    // Browsers limit how many entries are changed in a time: Back then comes to an earlier page of the list.
  }
}
