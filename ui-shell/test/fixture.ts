import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PagePayload } from '@masthead/ui-sdk';
import { payloadOf, renderFixture } from '../tools/document.mjs';

const main = (name: string) => readFileSync(path.resolve(import.meta.dirname, '../fixtures', `${name}.main.html`), 'utf8');
const NONE = { script: 'data:,', nav: 'nav-default', search: 'search-header-bar' };

/** Puts the document that the host writes into jsdom, without running scripts. */
export function showDocument(name: string, address: string, more: { lang?: string; nav?: string; plugins?: boolean } = {}): void {
  const html = renderFixture({ ...NONE, name, main: main(name), lang: 'en', ...more });
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  document.head.innerHTML = parsed.head.innerHTML;
  document.body.className = parsed.body.className;
  document.body.innerHTML = parsed.body.innerHTML;
  document.documentElement.lang = parsed.documentElement.lang;
  document.documentElement.dir = parsed.documentElement.dir;
  history.replaceState(null, '', address);
}

export const pageOf = (name: string, lang = 'en', plugins = false): PagePayload =>
  payloadOf({ ...NONE, name, main: main(name), lang, plugins }) as unknown as PagePayload;
