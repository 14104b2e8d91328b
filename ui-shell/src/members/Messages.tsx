import { tagOf, useShell } from '@masthead/ui-sdk';
import { FALLBACK } from '@masthead/ui-sdk/shell';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { i18n } from '../i18n/i18n.ts';

// One chunk for each language. They are not part of the shell's own messages, which every page loads.
const catalogues = import.meta.glob<Record<string, string>>('../../../locales/*/members.json', { import: 'default' });

const NAMESPACE = 'members';

/** Loads the messages about members in a language; English for a language whose messages cannot be loaded. */
export async function loadMessages(code: string): Promise<void> {
  const load = catalogues[`../../../locales/${code}/members.json`];
  if (i18n.hasResourceBundle(tagOf(code), NAMESPACE)) return;
  try {
    if (!load) throw new Error(`no messages about members in ${code}`);
    i18n.addResourceBundle(tagOf(code), NAMESPACE, await load());
  } catch (error) {
    if (code === FALLBACK) throw error;
    await loadMessages(FALLBACK);
    i18n.addResourceBundle(tagOf(code), NAMESPACE, i18n.getResourceBundle(FALLBACK, NAMESPACE));
  }
}

/** Renders `children` when the messages about members are there in the page's language: inside, `useT` reads these (`locales/<lang>/members.json`). */
export function Messages({ children }: { children: ReactNode }) {
  const { lang } = useShell().bootstrap;
  const [loaded, setLoaded] = useState(() => (i18n.hasResourceBundle(tagOf(lang), NAMESPACE) ? lang : undefined));
  useEffect(() => {
    let left = false;
    loadMessages(lang).then(() => left || setLoaded(lang), console.warn);
    return () => void (left = true);
  }, [lang]);
  if (loaded !== lang) return null;
  return (
    <I18nextProvider i18n={i18n} defaultNS={NAMESPACE}>
      {children}
    </I18nextProvider>
  );
}
