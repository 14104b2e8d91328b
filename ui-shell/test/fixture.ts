import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PagePayload } from '@masthead/ui-sdk';
import { vi } from 'vitest';

/** Pages of the demo as the host served them: `npm run record -w @masthead/browser-tests` writes them, and a browser test compares them with the host's. */
const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, 'pages', file), 'utf8');
const parse = (name: string) => new DOMParser().parseFromString(read(`${name}.html`), 'text/html');
const pathOf = (parsed: Document) => new URL(parsed.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? '').pathname;

/** Puts a recorded document at its address into jsdom, without running scripts. */
export function showDocument(name: string): void {
  const parsed = parse(name);
  document.head.innerHTML = parsed.head.innerHTML;
  document.body.className = parsed.body.className;
  document.body.innerHTML = parsed.body.innerHTML;
  document.documentElement.lang = parsed.documentElement.lang;
  document.documentElement.dir = parsed.documentElement.dir;
  history.replaceState(null, '', pathOf(parsed));
}

/** The path of a recorded document, such as `/en/article/64`. */
export const addressOf = (name: string): string => pathOf(parse(name));

/** The recorded data of a page, which the host answers to navigation within a site. */
export const pageOf = (name: string): PagePayload => (JSON.parse(read(`${name}.json`)) as { data: PagePayload }).data;

/** Keeps out of the log what a test provokes, until mocks are restored. */
export function muteConsole(): void {
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
}
