import { renderModule, sampleBootstrap } from '@masthead/ui-sdk/testing';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { violations } from '../../../ui-shell/test/axe.ts';
import module from '../src/module.ts';

describe('footer-default', () => {
  it('shows copyright, records and the rows of plugins', async () => {
    const { container } = await renderModule(module, { slots: { 'footer.rows': <p>a row</p> } });
    expect(screen.getByText(/Copyright © 2026/)).toBeTruthy();
    expect(screen.getByRole('link', { name: /京ICP备/ }).getAttribute('href')).toBe('https://beian.miit.gov.cn/');
    expect(screen.getByText('a row')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('leaves out what a site has not, and writes a record without address as text', async () => {
    await renderModule(module, { bootstrap: { lang: 'zh', footer: { ...sampleBootstrap().footer, icpHref: '', picp: '' } } });
    const record = screen.getByText('京ICP备00000000号-1');
    expect([record.tagName, record.parentElement?.tagName]).toEqual(['BDI', 'LI']);
    expect(screen.queryByText(/京公网安备/)).toBeNull();
    expect(screen.getByRole('list', { name: '备案信息' })).toBeTruthy();
  });

  it('has the links to the main pages, with icons where the style of the toolbar says so', async () => {
    const links = [
      { route: 'home', label: 'Home', href: '/en/home' },
      { route: 'homeNav', label: 'Site navigation', href: '/en/homeNav' },
    ];
    for (const toolbarStyle of [1, 2]) {
      const { container, unmount } = await renderModule(module, { bootstrap: { footer: { ...sampleBootstrap().footer, toolbarStyle, links } } });
      const found = [...container.querySelectorAll('.footer-toolbar a')];
      expect(found.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(links.map(({ label, href }) => [label, href]));
      expect(container.querySelector('.footer-toolbar')?.hasAttribute('data-icons')).toBe(toolbarStyle > 1);
      expect(await violations(container)).toEqual([]);
      unmount();
    }
  });
});
