import { renderModule } from '@masthead/ui-sdk/testing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { violations } from '../../../ui-shell/test/axe.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

const LIST = { kind: 'list', route: 'issues' } as const;

describe('search-header-bar', () => {
  it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

  it('searches in the chosen scope', async () => {
    const { navigations, container } = await renderModule(module, { bootstrap: { page: LIST } });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Search in' }), 'Figure');
    await userEvent.type(screen.getByRole('searchbox'), ' tidal energy {Enter}');
    expect(navigations).toEqual(['/en/search?q=tidal+energy&type=picture']);
    expect(await violations(container)).toEqual([]);
  });

  it.each([
    ['en', 'Tips', 'Please enter search content', 'OK', 'Search'],
    ['zh', '提示', '请输入检索内容', '确定', '检索'],
  ] as const)('asks for words in %s and does not search without', async (lang, tips, text, ok, search) => {
    const { navigations } = await renderModule(module, { bootstrap: { lang } });
    await userEvent.click(screen.getByRole('button', { name: search }));
    const dialog = within(await screen.findByRole('dialog', { name: tips }));
    expect(dialog.getByText(text)).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: ok }));
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox')));
    expect(navigations).toEqual([]);
  });

  it('shows what was searched for on the results page', async () => {
    await renderModule(module, { bootstrap: { page: { kind: 'search', q: 'mud', total: 3 } } });
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('mud');
  });
});
