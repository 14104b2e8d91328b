// The primitives that are not part of the first view.
export * from './menuSheet.tsx';
export * from './overlays.tsx';
