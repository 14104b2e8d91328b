import { useLayoutEffect, useSyncExternalStore } from 'react';
import { read, TEXT_SIZE, write } from '../browser/storage.ts';

const MIN = -1;
const MAX = 3;

const within = (size: number) => (Number.isInteger(size) ? Math.min(MAX, Math.max(MIN, size)) : 0);
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const current = () => within(read('local', TEXT_SIZE, 0));

/** The reader's text size, in steps from the usual one; the same in all tools. A direction is undefined where there is no further step. */
export function useTextSize(article: HTMLElement): { smaller: (() => void) | undefined; larger: (() => void) | undefined } {
  const size = useSyncExternalStore(subscribe, current);
  useLayoutEffect(() => {
    article.dataset['size'] = String(size);
  }, [article, size]);
  const set = (next: number) => {
    write('local', TEXT_SIZE, next);
    for (const listener of listeners) listener();
  };
  return { smaller: size > MIN ? () => set(size - 1) : undefined, larger: size < MAX ? () => set(size + 1) : undefined };
}
