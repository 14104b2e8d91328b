import { documents } from './documents.ts';
import { read, write } from './storage.ts';

const STORE = 'masthead.reload';
const PAUSE_MS = 60_000;

function isDue(): boolean {
  const since = Date.now() - read('session', STORE, 0);
  // A time in the future is one of a clock that was set back.
  return since < 0 || since >= PAUSE_MS;
}

/** Whether the host answers for the address of this document. Without an answer, a reload would replace the page by an error of the browser. */
const hostAnswers = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store', credentials: 'same-origin' }).then(
    (answer) => answer.status < 500,
    () => false,
  );

/**
 * Loads the document again after a part of it could not be loaded, usually a chunk of a release that is no longer served: at most once in 60 s,
 * only if the host answers, only if the reader is not leaving the document, and only if the time can be stored, because otherwise a part that is
 * always missing would load documents forever. Returns whether it reloads.
 */
export async function reloadOnce(): Promise<boolean> {
  // Asked before, to spare the host, and after: chunks fail together.
  if (!isDue() || !(await hostAnswers()) || !isDue() || documents.isLeaving()) return false;
  if (!write('session', STORE, Date.now())) return false;
  documents.reload();
  return true;
}
