import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

if (typeof window !== 'undefined') {
  // What jsdom has not.
  window.scrollTo = (() => undefined) as typeof window.scrollTo;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
}
// Machines that build at the same time are slow.
configure({ asyncUtilTimeout: 5000 });
afterEach(() => {
  if (typeof window !== 'undefined') cleanup();
});
