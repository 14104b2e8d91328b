import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tagOf, usePopup, type PageView, type UiModule } from '@masthead/ui-sdk';
import { fakeShell, ModuleFrame, sampleBootstrap } from '@masthead/ui-sdk/testing';
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import module from '../../../ui-modules/search-style-one/src/module.ts';
import { violations } from '../../../ui-shell/test/axe.ts';
import { ANSWERS, answering, LIST, show } from '../../../ui-shell/test/searchWidget.ts';

const widget = module as UiModule;
const selector = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Search field' });
const labels = () => [...selector().options].map(({ text, value }) => [text, value]);
const searched = (navigations: string[], to: string) => waitFor(() => expect(navigations).toEqual([to]));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('conditions', () => {
  it('are asked for by type when a reader turns to the form; a condition without a field is sent as 0', async () => {
    const { get, field } = await show(widget);
    expect(labels()).toEqual([['All fields', '0']]);
    expect(get).not.toHaveBeenCalledWith(expect.stringContaining('search-conditions'), expect.anything());
    await userEvent.click(field);
    await waitFor(() => expect(labels()).toHaveLength(3));
    expect(labels()).toEqual([
      ['All fields', '0'],
      ['Title', 'resName_tic'],
      ['Author', 'authors_tic'],
    ]);
    expect(get).toHaveBeenCalledWith('/rc-pub/front/site/448/search-conditions', { type: 'article' });
  });

  it('clear the words when another is selected, and are part of the search', async () => {
    const { navigations, field } = await show(widget);
    await userEvent.type(field, 'tidal');
    await waitFor(() => expect(labels()).toHaveLength(3));
    await userEvent.selectOptions(selector(), 'Title');
    expect(field.value).toBe('');
    await userEvent.type(field, 'mud{Enter}');
    await searched(navigations, '/en/search?q=mud&type=article&field=resName_tic');
  });

  it('begin with the first one when another type is selected', async () => {
    const { search } = sampleBootstrap();
    const option = { label: 'Everything', field: '0' };
    const scopes = search.scopes.map((scope) => (scope.type === 'table' ? { ...scope, option } : scope));
    const { navigations, field, get } = await show(widget, { bootstrap: { search: { ...search, scopes } } });
    await userEvent.click(field);
    await waitFor(() => expect(labels()).toHaveLength(3));
    await userEvent.selectOptions(selector(), 'Author');
    await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
    await waitFor(() => expect(get).toHaveBeenCalledWith('/rc-pub/front/site/448/search-conditions', { type: 'table' }));
    expect(selector().value).toBe('0');
    await userEvent.type(field, 'mud{Enter}');
    await searched(navigations, '/en/search?q=mud&type=table');
  });

  it('are shown for types with isOpenConfig = 1 only', async () => {
    await show(widget);
    expect(selector()).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'Figure' }));
    expect(screen.queryByRole('combobox', { name: 'Search field' })).toBeNull();
  });

  it('stay at the first one where the host does not answer', async () => {
    const { field } = await show(widget, {}, { analyze: [] });
    await userEvent.click(field);
    await waitFor(() => expect(field.getAttribute('role')).toBe('combobox'));
    expect(labels()).toEqual([['All fields', '0']]);
  });
});

describe('the type', () => {
  it('is publication without a configuration, then the first one configured', async () => {
    const { search } = sampleBootstrap();
    const { navigations, field } = await show(widget, { bootstrap: { search: { ...search, scopes: [] } } });
    await userEvent.type(field, 'mud{Enter}');
    await searched(navigations, '/en/search?q=mud&type=publication');
    cleanup();
    await show(widget);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Article' }).checked).toBe(true);
  });

  it('follows the type in the address of a list, and a navigation resets type, condition and words', async () => {
    const { search } = sampleBootstrap();
    const option = { label: 'Everything', field: '0' };
    const scopes = search.scopes.map((scope) => ({ ...scope, option }));
    const fake = fakeShell(widget, { search: { ...search, scopes }, page: LIST });
    Object.assign(fake.shell.api, { get: answering(ANSWERS) });
    const at = (path: string, page: PageView) => ({ ...fake.shell, path, bootstrap: { ...fake.shell.bootstrap, page } });
    const { rerender } = render(<ModuleFrame module={widget} shell={at('/en/textList?type=table&field=authors_tic&q=mud', LIST)} />);
    const scope = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Search in' });
    const field = screen.getByLabelText<HTMLInputElement>('Search words');
    expect([scope.value, field.value]).toEqual(['table', 'mud']);
    await waitFor(() => expect(selector().value).toBe('authors_tic'));
    rerender(<ModuleFrame module={widget} shell={at('/en/issues', { ...LIST })} />);
    expect([scope.value, field.value, selector().value]).toEqual(['article', '', '0']);
    rerender(<ModuleFrame module={widget} shell={at('/en/search?q=tides&type=picture', { kind: 'search', q: 'tides', total: 1, scope: 'picture' })} />);
    expect([scope.value, field.value]).toEqual(['picture', 'tides']);
    await waitFor(() => expect(labels()).toHaveLength(3));
    const results = at('/en/search?q=tides&type=picture&field=resName_tic', { kind: 'search', q: 'tides', total: 1, scope: 'picture' });
    rerender(<ModuleFrame module={widget} shell={results} />);
    expect([selector().value, labels().length]).toEqual(['resName_tic', 3]);
  });

  it('that a configuration names by a synonym has its own name in calls', async () => {
    const { search } = sampleBootstrap();
    const scopes = [{ type: 'thesis', name: 'Papers' }];
    const { get, field } = await show(widget, { bootstrap: { search: { ...search, scopes } } });
    await userEvent.type(field, 'mud{Enter}');
    await waitFor(() => expect(get).toHaveBeenCalledWith('/rc-pub/front/analyze', { q: 'mud', type: 'article' }));
  });
});

it.each([
  ['en', 'Tips', 'Please enter search content', 'OK', 'Search'],
  ['zh', '提示', '请输入检索内容', '确定', '检索'],
] as const)('an empty search opens the dialog of the specification, in %s', async (lang, tips, text, ok, search) => {
  const { navigations } = await show(widget, { bootstrap: { lang } });
  await userEvent.click(screen.getByRole('button', { name: search }));
  const dialog = within(await screen.findByRole('dialog', { name: tips }));
  expect(dialog.getByText(text)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: ok }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(navigations).toEqual([]);
});

describe('results', () => {
  const { search } = sampleBootstrap();
  const scopes = [{ type: 'picture', name: 'Figures', target: '/en/textList?type=picture&index=-1' }];
  const bootstrap = { search: { ...search, scopes }, page: LIST };

  it('of a type with a list of its own open in a new tab, and the field says so', async () => {
    const tab = { opener: window as unknown };
    const open = vi.spyOn(window, 'open').mockReturnValue(tab as Window);
    const { navigations, field } = await show(widget, { bootstrap });
    await userEvent.type(field, 'mud{Enter}');
    await waitFor(() => expect(open).toHaveBeenCalledWith('/en/textList?type=picture&index=-1&q=mud', '_blank'));
    expect(tab.opener).toBeNull();
    expect(navigations).toEqual([]);
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Results open in a new tab');
  });

  it('open in this tab where the browser opens no other', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null);
    const { navigations, field } = await show(widget, { bootstrap });
    await userEvent.type(field, 'mud{Enter}');
    await searched(navigations, '/en/textList?type=picture&index=-1&q=mud');
  });

  it('are not shown when the analysis fails: the reader stays, and a live region says so', async () => {
    const { navigations, field } = await show(widget, {}, { hotWords: { content: [] } });
    await userEvent.type(field, 'mud{Enter}');
    const said = await screen.findByText(/^The search did not answer/);
    expect(said.getAttribute('role')).toBe('status');
    expect([navigations, field.value]).toEqual([[], 'mud']);
    await userEvent.type(field, 'd');
    expect(said.textContent).toBe('');
  });

  it('of an earlier search do not follow those of a later one', async () => {
    const { navigations, field, get } = await show(widget);
    let answer: (value: never) => void = () => undefined;
    const first = new Promise<never>((resolve) => (answer = resolve));
    const other = get.getMockImplementation();
    get.mockImplementation((path, query) => (path.endsWith('analyze') && JSON.stringify(query).includes('"mud"') ? first : other!(path, query)));
    await userEvent.type(field, 'mud{Enter}');
    await userEvent.type(field, 'flat{Enter}');
    await searched(navigations, '/en/search?q=mudflat&type=article');
    answer([] as never);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(navigations).toHaveLength(1);
  });
});

describe('suggestions', () => {
  const SUGGEST = '/rc-pub/front/search/suggest';
  const list = () => screen.findByRole('listbox', { name: 'Suggestions' });

  it('are words, terms and titles in a list that the keys go through', async () => {
    const { container, field, get, navigations } = await show(widget);
    await userEvent.type(field, 'tidal');
    // On a busy machine, the beginning of the word is asked for, too.
    await waitFor(() => expect(get).toHaveBeenCalledWith(SUGGEST, { q: 'tidal', type: 'article' }, expect.anything()));
    const options = within(await list()).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['tidal energy', 'tidal flats', 'tidal range', 'Tidal energy on three coasts']);
    expect(
      within(await list())
        .getAllByRole('group')
        .map((group) => group.getAttribute('aria-label')),
    ).toEqual(['Often searched', 'Keywords and authors', 'Titles']);
    expect([field.getAttribute('aria-expanded'), field.getAttribute('aria-controls')]).toEqual(['true', (await list()).id]);
    expect(screen.getByText('4 suggestions').getAttribute('role')).toBe('status');
    expect(await violations(container)).toEqual([]);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(field.getAttribute('aria-activedescendant')).toBe(options[1]?.id);
    expect(options[1]?.getAttribute('aria-selected')).toBe('true');
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(field.getAttribute('aria-activedescendant')).toBe(options[3]?.id);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await searched(navigations, '/en/search?q=tidal+energy&type=article');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('close by Escape, which keeps the words, and open again by an arrow', async () => {
    const { field } = await show(widget);
    await userEvent.type(field, 'tidal');
    await list();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect([field.value, field.getAttribute('aria-expanded')]).toEqual(['tidal', 'false']);
    await userEvent.keyboard('{ArrowDown}');
    expect(await list()).toBeTruthy();
  });

  it('with a page of their own open it', async () => {
    const { field, navigations } = await show(widget);
    await userEvent.type(field, 'tidal');
    await userEvent.click(within(await list()).getByRole('option', { name: 'Tidal energy on three coasts' }));
    await searched(navigations, '/en/article/64');
  });

  it('are not asked for while an input method composes, nor for one letter', async () => {
    const { field, get } = await show(widget);
    const calls = () => get.mock.calls.filter(([path]) => path === SUGGEST).map(([, query]) => (query as { q: string }).q);
    await userEvent.type(field, 't');
    await waitFor(() => expect(field.getAttribute('role')).toBe('combobox'));
    fireEvent.input(field, { target: { value: 'chao' }, isComposing: true });
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(calls()).toEqual([]);
    fireEvent.input(field, { target: { value: '潮' }, isComposing: true });
    fireEvent.compositionEnd(field);
    await waitFor(() => expect(calls()).toEqual(['潮']));
  });

  it('in a narrow window begin with what others search for, as a popup that others close', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    const { field, navigations } = await show(widget);
    await userEvent.click(field);
    expect(within(await list()).getAllByRole('option')).toHaveLength(4);
    const { result } = renderHook(() => usePopup());
    act(() => result.current[1](true));
    expect(screen.queryByRole('listbox')).toBeNull();
    await userEvent.type(field, 'tidal');
    await userEvent.click(within(await list()).getByRole('option', { name: 'tidal flats' }));
    expect(result.current[0]).toBe(false);
    await searched(navigations, '/en/search?q=tidal+flats&type=article');
  });

  it('that cannot be had leave the field as it is', async () => {
    const { field, get, navigations } = await show(widget, {}, { analyze: ANSWERS.analyze });
    await userEvent.type(field, 'tidal');
    await waitFor(() => expect(get).toHaveBeenCalledWith(SUGGEST, expect.anything(), expect.anything()));
    expect(screen.queryByRole('listbox')).toBeNull();
    await userEvent.keyboard('{Enter}');
    await searched(navigations, '/en/search?q=tidal&type=article');
  });
});

it('without the code of the search, the form opens the results', async () => {
  vi.resetModules();
  vi.doMock('../src/searching/searching.tsx', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const { show: again } = await import('../../../ui-shell/test/searchWidget.ts');
  const { default: fresh } = await import('../../../ui-modules/search-style-one/src/module.ts');
  const { field, navigations } = await again(fresh);
  await userEvent.type(field, 'mud{Enter}');
  await searched(navigations, '/en/search?q=mud&type=article');
  vi.doUnmock('../src/searching/searching.tsx');
});

it('has its texts in every language, in all plural forms', () => {
  const folder = path.resolve(import.meta.dirname, '../src/searching');
  const read = (code: string) => JSON.parse(readFileSync(path.join(folder, `messages/${code}.json`), 'utf8')) as Record<string, string>;
  const sources = ['searching.tsx', 'suggestions.tsx'].map((file) => readFileSync(path.join(folder, file), 'utf8')).join('');
  const keys = [...new Set([...sources.matchAll(/\bt\('(\w+)'/g)].map(([, key]) => key))];
  const codes = readdirSync(path.resolve(import.meta.dirname, '../../../locales'));
  expect(codes).toHaveLength(9);
  for (const code of codes) {
    const forms = new Intl.PluralRules(tagOf(code)).resolvedOptions().pluralCategories;
    const needed = keys.flatMap((key) => (key === 'count' ? forms.map((form) => `count_${form}`) : [key]));
    expect(Object.keys(read(code)).sort(), code).toEqual(needed.sort());
  }
});
