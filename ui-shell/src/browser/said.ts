import type { MessageKind } from '@masthead/ui-sdk';
import { read, remove, write } from './storage.ts';

/** The message that the next document shows. */
const KEY = 'masthead.said';
/** Time in ms after which it is of no interest any more. */
const FRESH_MS = 20_000;

interface Said {
  text: string;
  kind: MessageKind;
  at: number;
}
const NONE: Said = { text: '', kind: 'plain', at: 0 };

/** Has the document that is loaded next show a message: the present one is left before it can be read. */
export function sayNext(text: string, kind: MessageKind): void {
  write('session', KEY, { text, kind, at: Date.now() } satisfies Said);
}

/** The message of the document before, once. */
export function takeSaid(): Said | undefined {
  const said = read('session', KEY, NONE);
  if (!said.text) return undefined;
  remove('session', KEY);
  return Math.abs(Date.now() - said.at) < FRESH_MS ? said : undefined;
}
