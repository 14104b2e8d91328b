import { renderModule, sampleBootstrap } from '@masthead/ui-sdk/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { violations } from '../../../ui-shell/test/axe.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

describe('article-languages', () => {
  it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

  it('lists the languages under their own names, in their own direction, and goes there', async () => {
    const { container, navigations } = await renderModule(module, { props: manifest.samples });
    const button = screen.getByRole('button', { name: 'Read this article in' });
    await userEvent.click(button);
    const arabic = await screen.findByRole('menuitem', { name: 'العربية' });
    expect([
      arabic.getAttribute('href'),
      arabic.getAttribute('hreflang'),
      arabic.getAttribute('lang'),
      arabic.querySelector('[dir]')?.getAttribute('dir'),
    ]).toEqual(['/ara/home/', 'ar', 'ar', 'rtl']);
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['中文', 'English', 'العربية']);
    expect(screen.getByRole('menuitem', { name: 'English' }).getAttribute('aria-current')).toBe('true');
    expect(await violations(container)).toEqual([]);
    await userEvent.click(arabic);
    expect(navigations).toEqual(['/ara/home/']);
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('keeps the order of the plugin and leaves out what the page is not in', async () => {
    await renderModule(module, { props: { languages: ['kor', 'ara', 'zh'] } });
    await userEvent.click(screen.getByRole('button'));
    await screen.findByRole('menu');
    expect(screen.getAllByRole('menuitem').map((item) => item.lang)).toEqual(['ar', 'zh']);
  });

  it.each([[undefined], [['en']], [['kor']]])('draws nothing when there is no other language (%s)', async (languages) => {
    const { container } = await renderModule(module, { bootstrap: { languages: sampleBootstrap().languages }, props: { languages } });
    expect(container.textContent).toBe('');
  });
});
