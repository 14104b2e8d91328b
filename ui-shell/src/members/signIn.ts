import type { Bootstrap } from '@masthead/ui-sdk';
import { documents } from '../browser/documents.ts';
import { clearCookie } from '../browser/environment.ts';
import { signInAddress } from '../browser/signInAddress.ts';
import { COMMENT_DRAFTS, remove } from '../browser/storage.ts';

/** Time in ms for reading the message before the sign-in page opens. */
const WAIT_MS = 1100;

/** What readable cookies and the storage know of a reader. The session's own cookie is the host's. */
const NAMES = ['userName', 'commonToken'];

/** Forgets who was signed in. `aesPassword` stays: it belongs to no session. */
export function forgetReader(base: string): void {
  for (const name of NAMES) {
    clearCookie(name, base);
    remove('local', name);
  }
}

/** Forgets what the reader typed and did not send. A session that ends by itself leaves it for the reader who signs in again. */
export const forgetDrafts = (): void => remove('session', COMMENT_DRAFTS);

let leaving = false;

/** The session is over: forgets who was signed in, and opens the sign-in page, once for all calls that were refused. Returns whether it is the first. */
export function signIn(bootstrap: Pick<Bootstrap, 'base' | 'lang' | 'header'>): boolean {
  if (leaving) return false;
  leaving = true;
  forgetReader(bootstrap.base);
  setTimeout(() => {
    // A page that the reader returns to may be refused again.
    leaving = false;
    documents.assign(signInAddress(bootstrap));
  }, WAIT_MS);
  return true;
}
