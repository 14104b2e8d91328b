// Exports for the shell only: the providers behind the hooks.
export { NamespaceProvider, ShellProvider } from './contract/context.tsx';
export { refusal } from './contract/contract.ts';
export { internalPath, isPlainClick } from './links/links.ts';
export { loadOverlays } from './primitives/load.ts';
