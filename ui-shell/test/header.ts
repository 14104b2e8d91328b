import type { UiModule } from '@masthead/ui-sdk';
import { renderModule, sampleBootstrap } from '@masthead/ui-sdk/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { violations } from './axe.ts';

/** What every header does, whatever it looks like. */
export function isHeader(module: UiModule, manifest: { id: string; slot: string; contract: number }): void {
  describe(manifest.id, () => {
    it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

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

    it('unfolds under the pointer, and Escape folds it wherever the focus is', async () => {
      await renderModule(module);
      const item = screen.getByRole('button', { name: 'Entries under Browse' }).closest('li') as HTMLElement;
      await userEvent.hover(item);
      expect(item.hasAttribute('data-open')).toBe(true);
      await userEvent.keyboard('{Escape}');
      expect(item.hasAttribute('data-open')).toBe(false);
      await userEvent.click(screen.getByRole('button', { name: 'Entries under Browse' }));
      await userEvent.click(document.body);
      expect(item.hasAttribute('data-open')).toBe(false);
    });

    it('opens the mobile menu, unfolds one level, navigates and closes', async () => {
      const { navigations, container } = await renderModule(module);
      const button = container.querySelector('.frame-mobile button') as HTMLElement;
      await userEvent.click(button);
      const dialog = within(await screen.findByRole('dialog', { name: 'Menu' }));
      expect(dialog.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('page');
      expect(dialog.queryByRole('link', { name: 'Current issue' })).toBeNull();
      const browse = dialog.getByRole('button', { name: 'Entries under Browse' });
      await userEvent.click(browse);
      expect(dialog.getByRole('link', { name: 'Browse' }).getAttribute('href')).toBe('/en/issues/');
      await userEvent.click(browse);
      expect(dialog.queryByRole('link', { name: 'Current issue' })).toBeNull();
      expect(navigations).toEqual([]);
      await userEvent.click(browse);
      await userEvent.click(dialog.getByRole('link', { name: 'Current issue' }));
      expect(navigations).toEqual(['/en/issue/2026/3/']);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(document.activeElement).toBe(button);
    });

    it('opens the search below 768 px instead of the menu, and Escape closes it', async () => {
      const field = document.body.appendChild(document.createElement('div'));
      field.className = 'frame-search';
      field.innerHTML = '<input type="search">';
      const { container } = await renderModule(module);
      const search = screen.getByRole('button', { name: 'Search' });
      expect(search.getAttribute('href')).toBe('/en/search');
      search.focus();
      await userEvent.keyboard(' ');
      expect([search.getAttribute('aria-expanded'), document.documentElement.hasAttribute('data-search')]).toEqual(['true', true]);
      expect(document.activeElement).toBe(field.firstChild);
      await userEvent.keyboard('{Escape}');
      expect([search.getAttribute('aria-expanded'), document.activeElement]).toEqual(['false', search]);
      await userEvent.click(search);
      await userEvent.click(container.querySelector('.frame-mobile button') as Element);
      await screen.findByRole('dialog', { name: 'Menu' });
      expect([search.getAttribute('aria-expanded'), document.documentElement.hasAttribute('data-search')]).toEqual(['false', false]);
      field.remove();
    });

    it('has a logo for narrow screens, arranges the channels and stays at the top where the site says so', async () => {
      const { site, header } = sampleBootstrap();
      const { container } = await renderModule(module, {
        bootstrap: {
          site: { ...site, logo: '/assets/sites/l.svg' },
          header: { ...header, mobileLogo: '/assets/sites/m.svg', navDistribution: 'center', ceiling: true },
        },
      });
      const logo = container.querySelector('.frame-logo');
      expect(logo?.querySelector('source')?.getAttribute('srcset')).toBe('/assets/sites/m.svg');
      expect(logo?.querySelector('img')?.getAttribute('alt')).toBe(site.name);
      expect(screen.getByRole('navigation', { name: 'Menu' }).dataset['distribution']).toBe('center');
      expect(container.querySelector('header')?.dataset['ceiling']).toBe('true');
    });

    it('leads to the site of the group, and on a group site to the others', async () => {
      const group = { entrance: 'Group site', title: 'Sites of the group', sites: [{ name: 'Tides', href: 'https://tides.example/en/home/' }] };
      const header = { ...sampleBootstrap().header, groupEntrance: 'https://group.example/', group };
      const { container, navigations } = await renderModule(module, { bootstrap: { header } });
      expect(screen.getByRole('link', { name: 'Group site' }).getAttribute('href')).toBe('https://group.example/');
      await userEvent.click(screen.getByRole('button', { name: 'Sites of the group' }));
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Tides' }));
      expect(navigations).toEqual(['https://tides.example/en/home/']);
      await userEvent.click(container.querySelector('.frame-mobile button') as Element);
      const dialog = within(await screen.findByRole('dialog', { name: 'Menu' }));
      expect(dialog.getByRole('link', { name: 'Group site' })).toBeTruthy();
      await userEvent.click(dialog.getByRole('button', { name: 'Entries under Sites of the group' }));
      expect(dialog.getByRole('link', { name: 'Tides' }).getAttribute('href')).toBe('https://tides.example/en/home/');
    });

    it('has no navigation on a page without one', async () => {
      const { container } = await renderModule(module, { bootstrap: { menu: [] } });
      expect(screen.queryByRole('navigation')).toBeNull();
      expect(container.querySelector('.frame-mobile')).toBeNull();
      expect(screen.getByRole('link', { name: 'Coastal and Ocean Research' })).toBeTruthy();
    });
  });
}

/** Name, channels, buttons and sign-in, in an element that names its module. */
export async function showsFrame(module: UiModule, id: string): Promise<void> {
  const { container } = await renderModule(module);
  const nav = within(screen.getByRole('navigation', { name: 'Menu' }));
  expect(nav.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('page');
  expect(nav.getByRole('link', { name: 'Submit' }).getAttribute('target')).toBe('_blank');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/login');
  expect(screen.getByRole('link', { name: 'Submit a paper' })).toBeTruthy();
  expect(container.querySelector('header')?.dataset['module']).toBe(id);
  expect(await violations(container)).toEqual([]);
}

/** The first three buttons of the site, each with its pictures. */
export async function showsButtons(module: UiModule): Promise<void> {
  const one = { label: 'Send in', href: 'https://send.example/', pcPicture: '/assets/sites/wide.svg', mobilePicture: '/assets/sites/narrow.svg' };
  const more = ['B', 'C', 'D'].map((label) => ({ label, href: `https://${label}.example/` }));
  const header = { ...sampleBootstrap().header, buttons: [one, ...more] };
  const { container } = await renderModule(module, { bootstrap: { header } });
  expect([...container.querySelectorAll('.frame-button')].map((button) => button.textContent)).toEqual(['Send in', 'B', 'C']);
  const picture = screen.getByRole('link', { name: 'Send in' }).querySelector('picture');
  expect(picture?.querySelector('img')?.getAttribute('src')).toBe('/assets/sites/wide.svg');
  expect(picture?.querySelector('source')?.getAttribute('srcset')).toBe('/assets/sites/narrow.svg');
  expect(await violations(container)).toEqual([]);
}

/** The address of the personal centre with the masked name, and the sign-out, instead of the sign-in. */
export async function leadsToPersonalCentre(module: UiModule): Promise<void> {
  await renderModule(module, { bootstrap: { session: { signedIn: true, userName: '138****0000' }, base: '/coast' } });
  const personal = screen.getByRole('link', { name: 'Account of 138****0000' });
  expect([personal.getAttribute('href'), personal.textContent]).toEqual(['/coast/personal', '138****0000']);
  expect(screen.getByRole('link', { name: 'Sign out' }).getAttribute('href')).toBe('/coast/en/logout');
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
}
