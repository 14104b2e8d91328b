import type { Entry } from './calls.ts';

/** Copies a text. Resolves to whether the browser did. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard, as in a document that is not secure, or none that the reader permits.
    return false;
  }
}

/** Copies titles and addresses, an entry after the other. */
export const copyEntries = (entries: Pick<Entry, 'title' | 'address'>[]): Promise<boolean> =>
  copyText(entries.map(({ title, address }) => (address ? `${title}\n${new URL(address, location.href).href}` : title)).join('\n\n'));
