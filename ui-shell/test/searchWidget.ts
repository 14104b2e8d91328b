import type { PageView, UiModule } from '@masthead/ui-sdk';
import { renderModule, type RenderOptions } from '@masthead/ui-sdk/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { violations } from './axe.ts';

export const LIST: PageView = { kind: 'list', route: 'issues' };
export const HOT_WORDS = '/rc-pub/front/hisSearch/hotWords';

/** Answers of the host by the end of the call's path; `undefined` for a call that fails. */
export const answering = (answers: Record<string, unknown>) =>
  vi.fn(async (path: string, _query?: object): Promise<never> => {
    const found = Object.entries(answers).find(([end]) => path.endsWith(end))?.[1];
    if (found === undefined) throw new Error('503');
    return found as never;
  });

export const ANSWERS = {
  analyze: [{ text: 'tidal' }],
  'search-conditions': [
    { condition: 'All fields', field: '', value: '0' },
    { condition: 'Title', field: 'resName_tic', value: 'resName_tic' },
    { condition: 'Author', field: 'authors_tic', value: 'authors_tic' },
  ],
  hotWords: { content: ['mangrove', 'tidal energy', 'microplastics', 'tidal flats'] },
  '/suggest': {
    words: ['tidal energy', 'tidal flats'],
    terms: ['tidal range'],
    titles: [{ text: 'Tidal energy on three coasts', href: '/en/article/64' }],
  },
};

/** Renders a widget on a page, with a host that answers. */
export async function show(module: UiModule, options: RenderOptions = {}, answers: Record<string, unknown> = ANSWERS) {
  const get = answering(answers);
  const shown = await renderModule(module, { ...options, api: { get: get as never } });
  return { ...shown, get, field: screen.getByLabelText<HTMLInputElement>(/^(Search words|检索词|كلمات البحث)$/) };
}

/** What every search widget does, whatever it looks like. */
export function searches(module: UiModule, manifest: { id: string; slot: string; contract: number }): void {
  describe(manifest.id, () => {
    it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

    it('searches in the chosen type, after the host has analyzed the text', async () => {
      const { navigations, container, field, get } = await show(module, { bootstrap: { page: LIST } });
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Search in' }), 'Figure');
      await userEvent.type(field, ' tidal energy {Enter}');
      await waitFor(() => expect(navigations).toEqual(['/en/search?q=tidal+energy&type=picture']));
      expect(get).toHaveBeenCalledWith('/rc-pub/front/analyze', { q: 'tidal energy', type: 'picture' });
      expect(await violations(container)).toEqual([]);
    });

    it.each([
      ['en', 'Tips', 'Please enter search content', 'OK', 'Search'],
      ['zh', '提示', '请输入检索内容', '确定', '检索'],
    ] as const)('asks for words in %s and does not search without', async (lang, tips, text, ok, search) => {
      const { navigations, field, get } = await show(module, { bootstrap: { lang } });
      await userEvent.click(screen.getByRole('button', { name: search }));
      const dialog = within(await screen.findByRole('dialog', { name: tips }));
      expect(dialog.getByText(text)).toBeTruthy();
      await userEvent.click(dialog.getByRole('button', { name: ok }));
      await waitFor(() => expect(document.activeElement).toBe(field));
      expect(navigations).toEqual([]);
      expect(get).not.toHaveBeenCalledWith('/rc-pub/front/analyze', expect.anything());
    });

    it('shows what was searched for on the results page', async () => {
      const { field } = await show(module, { bootstrap: { page: { kind: 'search', q: 'mud', total: 3, scope: 'table' } } });
      expect(field.value).toBe('mud');
      expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Search in' }).value).toBe('table');
    });

    it.each([
      ['ara', 'home'],
      ['zh', 'list'],
    ] as const)('has nothing that axe finds, in %s on a page of kind %s', async (lang, kind) => {
      const { container } = await show(module, { bootstrap: { lang, page: kind === 'home' ? { kind } : LIST } });
      expect(await violations(container)).toEqual([]);
    });
  });
}

/** What a widget adds that is large on the home page and a line on others. */
export function isLargeAtHome(module: UiModule): void {
  describe(`${module.id} on the home page`, () => {
    it('offers types side by side, conditions of a type, and hot words', async () => {
      const { navigations, container, get } = await show(module);
      expect(screen.getByText('Search the literature')).toBeTruthy();
      const types = screen.getAllByRole<HTMLInputElement>('radio');
      expect(types.map(({ name, value, checked }) => [name, value, checked])).toEqual([
        ['type', 'article', true],
        ['type', 'picture', false],
        ['type', 'table', false],
      ]);
      expect(screen.getByRole('combobox', { name: 'Search field' })).toBeTruthy();
      await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
      expect(screen.queryByRole('combobox', { name: 'Search field' })).toBeNull();
      expect(get).toHaveBeenCalledWith(HOT_WORDS, { siteId: 448, page: 0, size: 10 });
      const words = within(screen.getByRole('list', { name: 'Often searched' }));
      expect(words.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain('/en/search?q=tidal+flats&type=table');
      await userEvent.click(words.getByRole('link', { name: 'mangrove' }));
      await waitFor(() => expect(navigations).toEqual(['/en/search?q=mangrove&type=table']));
      expect(screen.getByRole('link', { name: 'Advanced search' }).getAttribute('target')).toBe('_blank');
      expect(await violations(container)).toEqual([]);
    });

    it('is a line elsewhere', async () => {
      await show(module, { bootstrap: { page: LIST } });
      expect(screen.queryByRole('radio')).toBeNull();
      expect(screen.queryByText('Search the literature')).toBeNull();
      expect(screen.queryByText('mangrove')).toBeNull();
    });
  });
}
