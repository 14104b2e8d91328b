import type { Messages, Values } from '@masthead/ui-sdk';

/*
 * Reads the catalogues' format (i18next JSON v4: flat keys, {{values}}, plural suffixes by Intl) in forty lines:
 * the i18next package itself would take a tenth of the script budget of the first view.
 */

// One chunk for each language, so that the host can preload that of the page.
const catalogues = import.meta.glob<Record<string, string>>('../../../locales/*/shell.json', { import: 'default' });

/** BCP 47 tags of the route codes that differ from them; plural rules and `lang` need the tag. */
const TAGS: Record<string, string> = { ara: 'ar', spa: 'es', fra: 'fr', jp: 'ja', kor: 'ko' };
export const tagOf = (code: string): string => TAGS[code] ?? code;

const FALLBACK = 'en';
/** `<namespace>/<code>` -> strings. */
const strings = new Map<string, Record<string, string>>();
const rules = new Map<string, Intl.PluralRules>();

/** Loads the shell's messages of a language, English for an unknown one. */
export async function ensureLanguage(code: string): Promise<void> {
  const found = catalogues[`../../../locales/${code}/shell.json`] ? code : FALLBACK;
  const load = catalogues[`../../../locales/${found}/shell.json`];
  if (load && !strings.has(`shell/${found}`)) strings.set(`shell/${found}`, await load());
}

export function addMessages(namespace: string, messages: Messages = {}): void {
  for (const [code, texts] of Object.entries(messages)) strings.set(`${namespace}/${code}`, texts);
}

function plural(code: string, count: number): string {
  let rule = rules.get(code);
  if (!rule) rules.set(code, (rule = new Intl.PluralRules(tagOf(code))));
  return rule.select(count);
}

export function translate(code: string, namespace: string, key: string, values: Values = {}): string {
  for (const lang of [code, FALLBACK]) {
    const texts = strings.get(`${namespace}/${lang}`);
    const count = values['count'];
    const text = (typeof count === 'number' ? (texts?.[`${key}_${plural(lang, count)}`] ?? texts?.[`${key}_other`]) : undefined) ?? texts?.[key];
    if (text !== undefined) return text.replace(/{{\s*(\w+)\s*}}/g, (_, name: string) => String(values[name] ?? ''));
  }
  return key;
}
