// In place of `use-sync-external-store/shim`, which brings the hook to versions of React that lack it.
export { useSyncExternalStore } from 'react';
