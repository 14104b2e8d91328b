/** `local` lasts beyond the tab, `session` as long as the tab. */
export type Lasting = 'local' | 'session';

/** The reader's text size in articles. */
export const TEXT_SIZE = 'masthead.size';

/** Comments that were typed and not accepted yet. */
export const COMMENT_DRAFTS = 'masthead.comments';

/** What the browser did not take, by `<lasting> <key>`: it lasts as long as the document. */
const memory = new Map<string, string>();

/** The browser's storage; undefined where it refuses access: blocked site data and sandboxed frames throw on the property itself. */
function area(lasting: Lasting): Storage | undefined {
  try {
    return lasting === 'local' ? window.localStorage : window.sessionStorage;
  } catch {
    return undefined;
  }
}

const sameKind = (value: unknown, other: unknown) => typeof value === typeof other && Array.isArray(value) === Array.isArray(other) && value !== null;

/** The stored value; `otherwise` without one, and for a value of another type, which another release or script has left. Never throws. */
export function read<T>(lasting: Lasting, key: string, otherwise: T): T {
  try {
    const text = memory.get(`${lasting} ${key}`) ?? area(lasting)?.getItem(key);
    const value: unknown = text ? JSON.parse(text) : null;
    return sameKind(value, otherwise) ? (value as T) : otherwise;
  } catch {
    return otherwise;
  }
}

/** Stores a value as JSON, in memory if the browser refuses it. Returns whether it outlives the document. Never throws. */
export function write(lasting: Lasting, key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    const storage = area(lasting);
    storage?.setItem(key, text);
    if (storage?.getItem(key) === text) return memory.delete(`${lasting} ${key}`) || true;
  } catch {
    // Over the quota, or closed while the page was open.
  }
  memory.set(`${lasting} ${key}`, text);
  return false;
}

/** Removes a value. Never throws. */
export function remove(lasting: Lasting, key: string): void {
  memory.delete(`${lasting} ${key}`);
  try {
    area(lasting)?.removeItem(key);
  } catch {
    // Closed while the page was open.
  }
}

/** Forgets what is kept in memory; for tests. */
export const forgetMemory = (): void => memory.clear();
