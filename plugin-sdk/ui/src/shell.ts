// Exports for the shell only: the implementation behind the hooks.
export { call, createApi, type Caller } from './calls/client.ts';
export { ShellProvider } from './contract/context.tsx';
export { refusal } from './contract/contract.ts';
export { moduleElement } from './contract/element.ts';
export { SDK_VERSION, SHARED_VERSIONS } from './contract/version.ts';
export { addMessages, createI18n, FALLBACK } from './i18n/i18n.ts';
export { internalPath, isPlainClick } from './links/links.ts';
export { loadOverlays } from './primitives/load.ts';
