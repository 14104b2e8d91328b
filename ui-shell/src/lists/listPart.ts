import type { Bootstrap } from '@masthead/ui-sdk';
import { internalPath } from '@masthead/ui-sdk/shell';
import { fetchPage, KEEP_MS } from '../calls/api.ts';
import { trusted } from '../browser/environment.ts';

/** One page of a list, as the host drew it. */
export interface ListPart {
  /** Number of the page, from 1. */
  page: number;
  items: Element[];
  /** Addresses of the pages before and after; undefined at the ends. */
  previous: string | undefined;
  next: string | undefined;
  /** How far the list was shown, such as "40 of 123". */
  reached: string;
}

export const listIn = (root: ParentNode): Element | null => root.querySelector('[data-list]');
export const navIn = (root: ParentNode): HTMLElement | null => root.querySelector('nav[data-more]');
export const linkIn = (nav: ParentNode, rel: 'prev' | 'next'): HTMLAnchorElement | null => nav.querySelector(`a[rel="${rel}"]`);

/** Reads the part of a list that is in a page; undefined without one. */
export function partIn(root: ParentNode): ListPart | undefined {
  const [list, nav] = [listIn(root), navIn(root)];
  if (!list || !nav) return undefined;
  return {
    page: Number(nav.dataset['page']) || 1,
    items: [...list.children],
    previous: linkIn(nav, 'prev')?.getAttribute('href') ?? undefined,
    next: linkIn(nav, 'next')?.getAttribute('href') ?? undefined,
    reached: nav.querySelector('.more-count')?.textContent ?? '',
  };
}

/** The HTML of pages that were shown, by address, for Back. */
const kept = new Map<string, { html: string; at: number }>();

/** One form of an address: the host and the browser encode some characters of a query differently. */
function keyOf(address: string): string {
  const url = new URL(address, location.href);
  return `${url.pathname}?${url.searchParams}`;
}

/** Keeps the HTML of a page of a list for some minutes. */
export function keepPart(address: string, html: string): void {
  const now = Date.now();
  for (const [other, { at }] of kept) if (now - at > KEEP_MS) kept.delete(other);
  kept.set(keyOf(address), { html, at: now });
}

function parse(html: string): ListPart {
  const template = document.createElement('template');
  template.innerHTML = trusted(html);
  const part = partIn(template.content);
  if (!part) throw new Error('a page of a list came without the list');
  return part;
}

/** The part of the list at an address if it was shown a short time ago. */
export function keptPart(address: string): ListPart | undefined {
  const found = kept.get(keyOf(address));
  return found && Date.now() - found.at < KEEP_MS ? parse(found.html) : undefined;
}

/** Fetches the part of the list at an address of this site. Rejects if there is none. */
export async function fetchPart(bootstrap: Bootstrap, address: string, signal: AbortSignal): Promise<ListPart> {
  const before = keptPart(address);
  if (before) return before;
  const path = internalPath(address, bootstrap.base);
  if (path === undefined) throw new Error(`${address} is no page of this site`);
  const payload = await fetchPage(bootstrap, path, signal);
  if ('location' in payload) throw new Error(`${address} has moved`);
  const part = parse(payload.html);
  keepPart(address, payload.html);
  return part;
}

/** Forgets the pages that were fetched; for tests. */
export const forgetParts = (): void => kept.clear();
