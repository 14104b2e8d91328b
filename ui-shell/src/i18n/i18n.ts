import { tagOf } from '@masthead/ui-sdk';
import { createI18n, FALLBACK } from '@masthead/ui-sdk/shell';
import { setI18n } from 'react-i18next';

// One chunk for each language. The document has the messages of its language already.
const catalogues = import.meta.glob<Record<string, string>>('../../../locales/*/shell.json', { import: 'default' });

/** The namespace of the shell's own messages, for parts in which another one is the first. */
export const NAMESPACE = 'shell';
const SENT = 'body > script#messages[type="application/json"]';
const testing = import.meta.env.MODE === 'test';

/** The messages of the shell and of all modules. */
export const i18n = createI18n({
  namespace: NAMESPACE,
  fallback: !testing,
  onMissing: (tag, namespace, key) => {
    if (testing) throw new Error(`${namespace} has no message ${key} in ${tag}`);
    // English is loaded only if it is needed; what is rendered without it is rendered again.
    ensureLanguage(FALLBACK).catch(() => undefined);
  },
});
// For modules that import react-i18next themselves.
setI18n(i18n);

/** The messages that the document has, if they are in this language. */
function sent(code: string): Record<string, string> | undefined {
  const element = document.querySelector<HTMLScriptElement>(SENT);
  return element?.dataset['language'] === code ? (JSON.parse(element.text) as Record<string, string>) : undefined;
}

/** Loads the shell's messages of a language; English for an unknown one, and for one whose messages cannot be loaded. */
export async function ensureLanguage(code: string): Promise<void> {
  const found = catalogues[`../../../locales/${code}/shell.json`] ? code : FALLBACK;
  const load = catalogues[`../../../locales/${found}/shell.json`];
  if (!load || i18n.hasResourceBundle(tagOf(found), NAMESPACE)) return;
  try {
    i18n.addResourceBundle(tagOf(found), NAMESPACE, sent(found) ?? (await load()));
  } catch (error) {
    if (found === FALLBACK) throw error;
    await ensureLanguage(FALLBACK);
  }
}

/** Shows the shell and its modules in a language, whose messages are loaded before. */
export function showLanguage(code: string): void {
  void i18n.changeLanguage(tagOf(code));
}
