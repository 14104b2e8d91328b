import { useLayoutEffect, type RefObject } from 'react';

/** Moves the focus to an element when `shown` has come in place of what had the focus, which would be lost to the beginning of the page. */
export function useFocusKept(target: RefObject<HTMLElement | null>, shown: unknown): void {
  useLayoutEffect(() => {
    if (shown && document.activeElement === document.body) target.current?.focus();
  }, [target, shown]);
}
