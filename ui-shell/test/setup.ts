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
  // jsdom fetches no style sheets, so it never says that one has loaded.
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLLinkElement && node.rel === 'stylesheet') node.dispatchEvent(new Event('load'));
  }).observe(document, { childList: true, subtree: true });
}
// It only ends a test that hangs: a machine that builds at the same time may be slow.
configure({ asyncUtilTimeout: 120_000 });
afterEach(() => {
  if (typeof window !== 'undefined') cleanup();
});
