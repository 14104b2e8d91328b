import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';

/** The popup that is open, of all modules. */
let shown: object | undefined;
const listeners = new Set<() => void>();

function show(popup: object | undefined): void {
  shown = popup;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const closed = () => false;

/**
 * Whether a popup over the page is open, and the way to open and close it. Of all popups of a page, in whatever modules, one is open at a time:
 * opening another one closes it. Opening one pauses videos, which it covers.
 */
export function usePopup(): [open: boolean, setOpen: (open: boolean) => void] {
  const own = useRef<object>({}).current;
  const open = useSyncExternalStore(subscribe, () => shown === own, closed);
  const setOpen = useCallback(
    (wanted: boolean) => {
      if (wanted) for (const video of document.querySelectorAll('video')) video.pause();
      if (wanted !== (shown === own)) show(wanted ? own : undefined);
    },
    [own],
  );
  useEffect(() => () => setOpen(false), [setOpen]);
  return [open, setOpen];
}
