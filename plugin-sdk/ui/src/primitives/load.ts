import { useEffect, useSyncExternalStore } from 'react';

type Overlays = typeof import('./overlays.tsx');

let overlays: Overlays | undefined;
let pending: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Loads the code of menus, dialogs and popovers, which is not part of the first view. */
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

/** The overlay components once they are loaded; loading starts when `wanted` is true. */
export function useOverlays(wanted: boolean): Overlays | undefined {
  const loaded = useSyncExternalStore(subscribe, () => overlays);
  useEffect(() => {
    if (wanted) loadOverlays().catch(() => undefined);
  }, [wanted]);
  return loaded;
}
