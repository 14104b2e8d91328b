import { renderModule, sampleBootstrap } from '@masthead/ui-sdk/testing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { violations } from '../../../ui-shell/test/axe.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

describe('nav-alternate', () => {
  it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

  it('shows name, channels, buttons and sign-in, and axe finds nothing', async () => {
    const { container } = await renderModule(module);
    const nav = within(screen.getByRole('navigation', { name: 'Menu' }));
    expect(nav.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('page');
    expect(nav.getByRole('link', { name: 'Submit' }).getAttribute('target')).toBe('_blank');
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/login');
    expect(screen.getByRole('link', { name: 'Submit a paper' })).toBeTruthy();
    expect(container.querySelector('header')?.dataset['module']).toBe('nav-alternate');
    expect(await violations(container)).toEqual([]);
  });

  it('speaks Chinese, and English where it has no strings', async () => {
    await renderModule(module, { bootstrap: { lang: 'zh' } });
    expect(screen.getByRole('navigation', { name: '导航菜单' })).toBeTruthy();
    expect(Object.keys(module.messages?.['zh'] ?? {})).toEqual(Object.keys(module.messages?.['en'] ?? {}));
  });

  it('unfolds the second level by key and closes it by Escape', async () => {
    await renderModule(module);
    const button = screen.getByRole('button', { name: 'Entries under Browse' });
    button.focus();
    await userEvent.keyboard('{Enter}');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(button.closest('li')?.hasAttribute('data-open')).toBe(true);
    await userEvent.tab();
    await userEvent.keyboard('{Escape}');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(button);
  });

  it('switches language by a link, or by a menu when there are several', async () => {
    const two = sampleBootstrap().languages.slice(0, 2);
    const { navigations, unmount } = await renderModule(module, { bootstrap: { languages: two } });
    await userEvent.click(screen.getByRole('link', { name: '中文' }));
    expect(navigations).toEqual(['/zh/home/']);
    unmount();
    const more = await renderModule(module);
    await userEvent.click(screen.getByRole('button', { name: 'English, Language' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'العربية' }));
    expect(more.navigations).toEqual(['/ara/home/']);
  });

  it('turns dark, stays so in the next document, and follows the system again', async () => {
    const root = document.documentElement;
    await renderModule(module);
    await userEvent.click(screen.getByRole('button', { name: 'Appearance: As the system' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Dark' }));
    expect([root.dataset['theme'], document.cookie]).toEqual(['dark', expect.stringContaining('theme=dark')]);
    await userEvent.click(screen.getByRole('button', { name: 'Appearance: Dark' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'As the system' }));
    expect([root.dataset['theme'], document.cookie]).toEqual([undefined, expect.not.stringContaining('theme=')]);
  });

  it('hides the switch when the site says so', async () => {
    const header = { ...sampleBootstrap().header, switchLanguage: false };
    await renderModule(module, { bootstrap: { header } });
    expect(screen.queryByRole('button', { name: /Language/ })).toBeNull();
  });

  it('opens the mobile menu, unfolds one level, navigates and closes', async () => {
    const { navigations, container } = await renderModule(module);
    await userEvent.click(container.querySelector('.frame-mobile button') as Element);
    const dialog = within(await screen.findByRole('dialog', { name: 'Menu' }));
    expect(dialog.queryByRole('link', { name: 'Current issue' })).toBeNull();
    await userEvent.click(dialog.getByRole('button', { name: 'Entries under Browse' }));
    await userEvent.click(dialog.getByRole('link', { name: 'Current issue' }));
    expect(navigations).toEqual(['/en/issue/2026/3/']);
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('leads a signed-in reader to the personal centre', async () => {
    await renderModule(module, { bootstrap: { session: { signedIn: true, userName: '138****0000' }, base: '/coast' } });
    expect(screen.getByRole('link', { name: 'Account of 138****0000' }).getAttribute('href')).toBe('/coast/personal');
  });
});
