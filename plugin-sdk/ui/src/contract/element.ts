import { createElement, type ReactElement, type ReactNode } from 'react';
import type { UiModule } from './contract.ts';
import { pageProps, type Bootstrap } from './slots.ts';

/**
 * The element of a module: with its own properties, over them those that the place gives, and over these those of the page, so that neither
 * a configuration nor a place can pretend to be the page.
 */
export function moduleElement(module: UiModule, bootstrap: Bootstrap, path: string, own: unknown, place: object = {}): ReactElement {
  const props = { ...(own as object), ...place, ...pageProps(module.slot, bootstrap, path) };
  return createElement(module.Component as (props: object) => ReactNode, props);
}
