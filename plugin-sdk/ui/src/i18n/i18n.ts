import { createInstance, type i18n } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Messages } from '../contract/contract.ts';

/** A message with its values; `count` selects the plural form. */
export type Translate = (key: string, values?: Record<string, unknown>) => string;

/** BCP 47 tags of the language codes that differ from them. */
const TAGS: Record<string, string> = { ara: 'ar', spa: 'es', fra: 'fr', jp: 'ja', kor: 'ko' };

/** The BCP 47 tag of a language code (`ara`: `ar`), which i18next, `Intl` and `lang` attributes need. */
export const tagOf = (code: string): string => TAGS[code] ?? code;

/** The direction in which a language of the host is written, by its code. */
export const dirOf = (code: string): 'ltr' | 'rtl' => (code === 'ara' ? 'rtl' : 'ltr');

export const FALLBACK = 'en';

export interface I18nOptions {
  /** The namespace of components outside modules. */
  namespace: string;
  /** Whether English replaces messages that a language lacks. */
  fallback: boolean;
  /** Called for a message that no language in use has. */
  onMissing(tag: string, namespace: string, key: string): void;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/**
 * The format `number` of messages, which takes `numberingSystem` as option. i18next's own keeps a formatter for each set of all values of
 * a message, so that each other number makes one, which takes longer than the message.
 */
function formatNumber(value: number, tag = FALLBACK, { numberingSystem }: { numberingSystem?: string } = {}): string {
  const key = `${tag} ${numberingSystem ?? ''}`;
  let format = numberFormats.get(key);
  if (!format) numberFormats.set(key, (format = new Intl.NumberFormat(tag, numberingSystem ? { numberingSystem } : {})));
  return format.format(value);
}

/** An instance without messages. It loads none itself, so that changing the language takes effect at once. */
export function createI18n({ namespace, fallback, onMissing }: I18nOptions): i18n {
  const instance = createInstance();
  void instance.init({
    lng: FALLBACK,
    fallbackLng: fallback && FALLBACK,
    load: 'currentOnly',
    ns: namespace,
    defaultNS: namespace,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    // React escapes.
    interpolation: { escapeValue: false },
    saveMissing: true,
    saveMissingPlurals: false,
    missingKeyHandler: (tags, missingFrom, key) => onMissing(tags.join(' '), missingFrom, key),
    // No Suspense around slots: React shows a fallback for 300 ms at least.
    react: { useSuspense: false, bindI18nStore: 'added' },
  });
  instance.services.formatter?.add('number', formatNumber);
  return instance;
}

/** Adds the messages of a module. They are added before its component is rendered, therefore nothing else is rendered again. */
export function addMessages(instance: i18n, namespace: string, messages: Messages = {}): void {
  for (const [code, texts] of Object.entries(messages)) {
    instance.addResourceBundle(tagOf(code), namespace, texts, false, true, { silent: true });
  }
}

/** The function `t` of `useTranslation`: a message of the calling module in the page's language. */
export const useT = (): Translate => useTranslation().t;

export { useTranslation };
