import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ensureLanguage, i18n, showLanguage } from '../src/i18n/i18n.ts';

/** The host is tested with the same examples (host/web/src/page/content/number.rs). */
const examples = JSON.parse(readFileSync(path.join(import.meta.dirname, 'numbers.json'), 'utf8')) as Record<string, Record<string, string>>;
const languages = readdirSync(path.join(import.meta.dirname, '../../locales'));

it('there are examples in every language', () => expect(Object.keys(examples).sort()).toEqual(languages.sort()));

it.each(languages)('numbers of an article are those of the host (%s)', async (code) => {
  await ensureLanguage(code);
  showLanguage(code);
  for (const [number, text] of Object.entries(examples[code] ?? {})) expect(i18n.t('metric', { n: Number(number) })).toBe(text);
  // Browsers differ in the digits of Arabic.
  expect(i18n.t('cited_in', { n: 12345 })).toContain(new Intl.NumberFormat(i18n.language).format(12345));
});
