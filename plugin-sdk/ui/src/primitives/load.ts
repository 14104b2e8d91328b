import { useEffect, useState, useSyncExternalStore } from 'react';

type Overlays = typeof import('./late.ts');

let overlays: Overlays | undefined;
let pending: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Loads the code of menus, dialogs and popovers, which is not part of the first view. */
export function loadOverlays(): Promise<void> {
  pending ??= import('./late.ts').then(
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

/**
 * The overlay components once they are loaded; loading starts when `wanted` is true. Throws where they cannot be loaded, so that the boundary
 * around shows what needs none: the host's markup in place of a module, and the plain links of an article in place of the reader's tool.
 */
export function useOverlays(wanted: boolean): Overlays | undefined {
  const loaded = useSyncExternalStore(
    subscribe,
    () => overlays,
    () => undefined,
  );
  const [failure, setFailure] = useState<{ error: unknown }>();
  useEffect(() => {
    if (wanted) loadOverlays().catch((error: unknown) => setFailure({ error }));
  }, [wanted]);
  if (wanted && !loaded && failure) throw failure.error;
  return loaded;
}
