import type { Bootstrap } from '@masthead/ui-sdk';
import { COMMENT_DRAFTS as STORE, read, remove, write } from '../browser/storage.ts';

/** Articles whose texts are kept. */
const MOST = 20;

/** Whose text it is: another member who signs in in the same tab does not get it. */
type Writer = Pick<Bootstrap, 'site' | 'session'>;

/** Each text with the name of its writer, by site and article. */
type Drafts = Record<string, { by: string; text: string }>;

const stored = () => read<Drafts>('session', STORE, {});
/** Several sites may share a host, and have articles with the same numbers. */
const keyOf = (site: Writer['site'], article: number) => `${site.id} ${article}`;

/** The text of a comment on the article that was not accepted yet; empty without one. */
export function draftOf({ site, session }: Writer, article: number): string {
  const found = stored()[keyOf(site, article)];
  return found?.by === session.userName && typeof found.text === 'string' ? found.text : '';
}

/** Keeps the text as long as the tab; an empty text is not kept. */
export function keepDraft({ site, session }: Writer, article: number, text: string): void {
  const key = keyOf(site, article);
  const others = Object.entries(stored()).filter(([other]) => other !== key);
  if (text) write('session', STORE, Object.fromEntries([...others.slice(1 - MOST), [key, { by: session.userName, text }]]));
  else if (others.length) write('session', STORE, Object.fromEntries(others));
  else remove('session', STORE);
}
