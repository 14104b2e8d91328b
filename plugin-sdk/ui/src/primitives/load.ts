import { useEffect, useSyncExternalStore } from 'react';

type Overlays = typeof import('./overlays.tsx');

let overlays: Overlays | undefined;
let pending: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Fetches the code of menus, dialogs and popovers; the first view does without it. */
export function loadOverlays(): Promise<void> {
  pending ??= import('./overlays.tsx').then(
    (loaded) => {
      overlays = loaded;
      for (const listener of listeners) listener();
    },
    (error: unknown) => {
      pending = undefined;
      throw error;
    },
  );
  return pending;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The overlays once they are there; starts loading as soon as one is wanted. */
export function useOverlays(wanted: boolean): Overlays | undefined {
  const loaded = useSyncExternalStore(subscribe, () => overlays);
  useEffect(() => {
    if (wanted) loadOverlays().catch(() => undefined);
  }, [wanted]);
  return loaded;
}
