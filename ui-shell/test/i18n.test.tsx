import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tagOf, useTranslation } from '@masthead/ui-sdk';
import { addMessages, createI18n } from '@masthead/ui-sdk/shell';
import { act, render, screen, waitFor } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, expect, it, vi } from 'vitest';
import { ensureLanguage, i18n, showLanguage } from '../src/i18n/i18n.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>;
const languages = readdirSync(path.join(root, 'locales'));
const modules = readdirSync(path.join(root, 'ui-modules')).filter((id) => existsSync(path.join(root, 'ui-modules', id, 'module.json')));
const sources = (dir: string, ending = /\.tsx?$/): string =>
  readdirSync(path.join(root, dir), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => readFileSync(path.join(root, dir, file), 'utf8'))
    .join('\n');

/** The keys that a catalogue needs: those of English, and for each of its plurals one for each form of the language. */
function needed(code: string, english: Record<string, string>): string[] {
  const forms = new Intl.PluralRules(tagOf(code)).resolvedOptions().pluralCategories;
  const plurals = Object.keys(english).flatMap((key) => (key.endsWith('_one') && english[key.replace(/one$/, 'other')] ? [key.slice(0, -4)] : []));
  const others = Object.keys(english).filter((key) => !plurals.some((plural) => key === `${plural}_one` || key === `${plural}_other`));
  return [...others, ...plurals.flatMap((plural) => forms.map((form) => `${plural}_${form}`))].sort();
}

const placeholders = (text: string) => [...text.matchAll(/{{\s*(\w+)/g)].map((found) => found[1]).sort();

it.each(languages)('%s has the strings of English in all of its plural forms, none empty', (code) => {
  const folders = ['shell.json', 'members.json', 'host.json'].map((name) => [`locales/${code}/${name}`, `locales/en/${name}`]);
  for (const id of modules) folders.push([`ui-modules/${id}/src/messages/${code}.json`, `ui-modules/${id}/src/messages/en.json`]);
  for (const [own = '', english = ''] of folders) {
    const texts = read(own);
    expect(Object.keys(texts).sort(), own).toEqual(needed(code, read(english)));
    expect(Object.values(texts).filter((text) => !text.trim())).toEqual([]);
    for (const [key, text] of Object.entries(read(english)))
      if (texts[key] && !/_(one|other)$/.test(key)) expect(placeholders(texts[key]), key).toEqual(placeholders(text));
  }
});

it.each(modules)('%s uses the strings that it has', (id) => {
  const dir = `ui-modules/${id}/src`;
  const code = sources(dir) + sources('plugin-sdk/ui/src/parts') + sources('plugin-sdk/ui/src/primitives');
  for (const key of Object.keys(read(`${dir}/messages/en.json`))) expect(code).toContain(`t('${key}'`);
});

/** The folders of the shell whose texts are `members.json`: inside of `Messages`, `t` reads these. */
const OF_MEMBERS = /^(members|account|personal)\//;
const sourcesOfShell = (ofMembers: boolean): string =>
  readdirSync(path.join(root, 'ui-shell/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && OF_MEMBERS.test(file) === ofMembers)
    .map((file) => readFileSync(path.join(root, 'ui-shell/src', file), 'utf8'))
    .join('\n');

it('the shell uses every string it has, and has every string it uses', () => {
  const code = sourcesOfShell(false);
  const used = new Set([...code.matchAll(/\bt\('([\w-]+)'/g)].map((match) => match[1]));
  // Those of lists are asked for by a class, and those of an ended session by the parts for members, too.
  const computed = /^(kind_|list_added$|list_failed$|session_ended$|sign_in_again$)/;
  const has = Object.keys(read('locales/en/shell.json'));
  expect(has.filter((key) => !used.has(key) && !computed.test(key))).toEqual([]);
  expect([...used].filter((key) => !has.includes(key as string))).toEqual([]);
});

it('the parts for members use every string they have, and have every string they use', () => {
  const code = sourcesOfShell(true);
  const has = Object.keys(read('locales/en/members.json')).map((key) => key.replace(/_(one|other)$/, ''));
  const used = new Set([...code.matchAll(/\bt\('([\w-]+)'/g)].map((match) => match[1] as string));
  // What is wrong with a value is named by the key of its message.
  expect(has.filter((key) => !code.includes(`'${key}'`))).toEqual([]);
  expect([...used].filter((key) => !has.includes(key))).toEqual([]);
});

/** What the parts for members say by other keys than the host. */
const SAME = { code_required: 'code_needed', password_required: 'password_needed' };

it.each(languages)('what the host and the parts for members both say, they say with the same words (%s)', (code) => {
  const [host, members] = [read(`locales/${code}/host.json`), read(`locales/${code}/members.json`)];
  const both = Object.keys(members).filter((key) => host[key] !== undefined);
  expect(both.length).toBeGreaterThan(8);
  for (const key of both) expect(members[key], key).toBe(host[key]);
  for (const [own, theirs] of Object.entries(SAME)) expect(members[own], own).toBe(host[theirs]);
});

it('the host uses every string it has', () => {
  const code = ['host/web/src', 'host/domain/src', 'host/accounts/src'].map((folder) => sources(folder, /\.rs$/)).join('\n');
  const computed = /^status_proof_/;
  const keys = new Set(Object.keys(read('locales/en/host.json')).map((key) => key.replace(/_(one|other)$/, '')));
  expect([...keys].filter((key) => !code.includes(`"${key}"`) && !computed.test(key))).toEqual([]);
});

const onMissing = vi.fn<(tag: string, namespace: string, key: string) => void>();
/** An instance as of a running shell, with messages in one namespace, in a language. */
const instanceWith = (code: string, messages: Record<string, Record<string, string>>, namespace = 'try') => {
  const instance = createI18n({ namespace: 'shell', fallback: true, onMissing });
  addMessages(instance, namespace, messages);
  void instance.changeLanguage(tagOf(code));
  return instance;
};
afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllEnvs();
});

it.each([
  ['ru', [0, 1, 3, 5, 11, 21, 22], ['0 статей', '1 статья', '3 статьи', '5 статей', '11 статей', '21 статья', '22 статьи']],
  ['ara', [0, 1, 2, 3, 11, 100, 103], ['لا توجد مقالات', 'مقالة واحدة', 'مقالتان', '3 مقالات', '11 مقالة', '100 مقالة', '103 مقالات']],
  ['jp', [1, 2], ['論文 1 件', '論文 2 件']],
  ['fra', [0, 1, 2], ['0 article', '1 article', '2 articles']],
])('a number has the plural form of its language (%s)', (code, numbers, texts) => {
  const t = instanceWith(code, { [code]: read(`locales/${code}/host.json`) }).getFixedT(null, 'try');
  expect(numbers.map((count) => t('article_count', { count }))).toEqual(texts);
  expect(onMissing).not.toHaveBeenCalled();
});

it.each([
  ['de', '12.345,5', '3. Februar 2026', 'Wang, Ito und Ruiz'],
  ['fra', '12\u202f345,5', '3 février 2026', 'Wang, Ito et Ruiz'],
  ['jp', '12,345.5', '2026年2月3日', 'Wang、Ito、Ruiz'],
])('numbers, dates and lists have the form of the language (%s)', (code, number, date, list) => {
  const text = '{{n, number}}|{{published, datetime(dateStyle: long; timeZone: UTC)}}|{{names, list}}';
  const t = instanceWith(code, { [code]: { text } }).getFixedT(null, 'try');
  expect(t('text', { n: 12345.5, published: new Date('2026-02-03T12:00Z'), names: ['Wang', 'Ito', 'Ruiz'] }).split('|')).toEqual([number, date, list]);
});

it('values stay as they are: markup, and what looks like a reference to another message', () => {
  const t = instanceWith('en', { en: { continue: 'Continue at: {{title}}', secret: 'x' } }).getFixedT(null, 'try');
  for (const title of ['<i>E. coli</i> & others', 'Cost of $t(secret)', 'The {{title}} $& $1']) expect(t('continue', { title })).toBe(`Continue at: ${title}`);
});

it('a module has a namespace of its own, and the same key in another is another message', () => {
  const instance = instanceWith('zh', { zh: { title: '甲' }, en: { title: 'A' } }, 'module-a');
  addMessages(instance, 'module-b', { zh: { title: '乙' } });
  const Title = () => <p>{useTranslation().t('title')}</p>;
  render(
    <I18nextProvider i18n={instance} defaultNS="module-a">
      <Title />
      <I18nextProvider i18n={instance} defaultNS="module-b">
        <Title />
      </I18nextProvider>
    </I18nextProvider>,
  );
  expect(screen.getAllByRole('paragraph').map((one) => one.textContent)).toEqual(['甲', '乙']);
});

it('what a language lacks is English, with the plural forms of English', () => {
  const t = instanceWith('ru', { en: { n_one: '{{count}} hit', n_other: '{{count}} hits' }, ru: { other: 'x' } }).getFixedT(null, 'try');
  expect([1, 21].map((count) => t('n', { count }))).toEqual(['1 hit', '21 hits']);
  expect(onMissing).not.toHaveBeenCalled();
  expect(t('gone')).toBe('gone');
  expect(onMissing).toHaveBeenCalledWith('en', 'try', 'gone');
});

it('a missing key is an error in tests', async () => {
  await ensureLanguage('ru');
  showLanguage('ru');
  expect(i18n.t('loading')).toBe(read('locales/ru/shell.json')['loading']);
  expect(() => i18n.t('no_such_message')).toThrow('shell has no message no_such_message in ru');
});

it('loads the language of the page only, and English when a message is missing', async () => {
  vi.stubEnv('MODE', 'production');
  vi.resetModules();
  const shell = await import('../src/i18n/i18n.ts');
  await shell.ensureLanguage('fra');
  shell.showLanguage('fra');
  expect(Object.keys(shell.i18n.store.data)).toEqual(['fr']);
  const { useTranslation } = await import('react-i18next');
  const Text = () => <p>{useTranslation().t('loading')}</p>;
  render(<Text />);
  expect(screen.getByText(read('locales/fra/shell.json')['loading'] ?? '')).toBeTruthy();
  shell.i18n.removeResourceBundle('fr', 'shell');
  act(() => shell.showLanguage('fra'));
  await waitFor(() => expect(screen.getByText('Loading')).toBeTruthy());
  expect(Object.keys(shell.i18n.store.data).sort()).toEqual(['en', 'fr']);
});

it('shows an unknown language in English', async () => {
  vi.stubEnv('MODE', 'production');
  vi.resetModules();
  const shell = await import('../src/i18n/i18n.ts');
  await shell.ensureLanguage('xx');
  shell.showLanguage('xx');
  expect(shell.i18n.t('loading')).toBe('Loading');
});
