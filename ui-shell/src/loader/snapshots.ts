// In place of the parts of `@module-federation/runtime-core` for manifests of remotes and for preloading what they list. The host names the entry
// of each module, and the document links what is needed first.

export class SnapshotHandler {
  manifestCache = new Map<string, unknown>();
  hooks = { lifecycle: {}, applyPlugin: () => undefined };
}

export const getGlobalRemoteInfo = (): object => ({});

const never = () => {
  throw new Error('the shell neither reads manifests of modules nor preloads what they list');
};
export const formatPreloadArgs = never;
export const preloadAssets = never;
export const defaultPreloadArgs = {};
export const normalizePreloadExposes = never;
