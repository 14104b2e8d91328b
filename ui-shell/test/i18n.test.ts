import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { addMessages, ensureLanguage, translate } from '../src/i18n/catalogues.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>;
const PLURAL = /_(zero|one|two|few|many|other)$/;
const keys = (texts: Record<string, string>) => [...new Set(Object.keys(texts).map((key) => key.replace(PLURAL, '')))].sort();
const languages = readdirSync(path.join(root, 'locales'));
const modules = readdirSync(path.join(root, 'ui-modules')).filter((id) => existsSync(path.join(root, 'ui-modules', id, 'module.json')));
const sources = (dir: string): string =>
  readdirSync(path.join(root, dir), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(root, dir, file), 'utf8'))
    .join('\n');

it.each(languages)('%s has the strings of English, none empty', (lang) => {
  for (const name of ['shell.json', 'host.json']) {
    if (!existsSync(path.join(root, 'locales', lang, name))) continue; // host.json is the host's
    const texts = read(`locales/${lang}/${name}`);
    if (name === 'shell.json') expect(keys(texts)).toEqual(keys(read(`locales/en/${name}`)));
    expect(Object.values(texts).filter((text) => !text.trim())).toEqual([]);
  }
});

it.each(modules)('%s has the same strings in each of its languages, and uses them', (id) => {
  const dir = `ui-modules/${id}/src`;
  const code = sources(dir) + sources('ui-modules/shared');
  const english = read(`${dir}/messages/en.json`);
  for (const file of readdirSync(path.join(root, dir, 'messages'))) expect(keys(read(`${dir}/messages/${file}`))).toEqual(keys(english));
  for (const key of Object.keys(english)) expect(code).toContain(`t('${key}'`);
});

it('the shell uses every string it has, and has every string it uses', () => {
  const code = sources('ui-shell/src');
  const used = new Set([...code.matchAll(/\bt\('([\w-]+)'/g)].map((match) => match[1]));
  const computed = /^(kind_|copied$|copy_failed$)/;
  const has = Object.keys(read('locales/en/shell.json'));
  expect(has.filter((key) => !used.has(key) && !computed.test(key))).toEqual([]);
  expect([...used].filter((key) => !has.includes(key as string))).toEqual([]);
});

it('fills in values, picks plurals, falls back to English, then to the key', async () => {
  await ensureLanguage('zh');
  expect(translate('zh', 'shell', 'count', { n: 2, total: 5 })).toBe('第 2 幅，共 5 幅');
  addMessages('try', {
    en: { n_one: '{{count}} hit', n_other: '{{count}} hits', only: 'x' },
    ru: { n_one: '{{count}} a', n_few: '{{count}} b', n_other: '{{count}} c' },
  });
  expect([1, 2, 5].map((count) => translate('ru', 'try', 'n', { count }))).toEqual(['1 a', '2 b', '5 c']);
  expect([1, 2].map((count) => translate('en', 'try', 'n', { count }))).toEqual(['1 hit', '2 hits']);
  expect(translate('ru', 'try', 'only')).toBe('x');
  expect(translate('ru', 'try', 'missing')).toBe('missing');
});
