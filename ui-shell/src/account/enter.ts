import type { Bootstrap } from '@masthead/ui-sdk';
import { documents } from '../browser/documents.ts';
import { sayNext } from '../browser/said.ts';

const isHere = (address: string) => URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin;

/**
 * Somebody has signed in: says so on the page to which it leads, a new document, because what was shown and fetched ahead was for a reader who was
 * not signed in. The host has decided that `back` is on this site.
 */
export function enter({ base, lang }: Pick<Bootstrap, 'base' | 'lang'>, back: string | undefined, message: string): void {
  sayNext(message, 'done');
  documents.assign(back && isHere(back) ? back : `${base}/${lang}/home/`);
}

/** What was changed needs another sign-in, which leads on to `back`. */
export function signInNext({ base, lang }: Pick<Bootstrap, 'base' | 'lang'>, back: string | undefined, message: string): void {
  sayNext(message, 'done');
  documents.assign(`${base}/${lang}/login?${new URLSearchParams({ url: back ?? '' })}`);
}
