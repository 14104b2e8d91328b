import { renderModule } from '@masthead/ui-sdk/testing';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { violations } from '../../../ui-shell/test/axe.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

describe('account-link', () => {
  it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

  it.each([
    ['zh', '通过机构账号登录'],
    ['en', 'Sign in with your institution'],
    ['fra', 'Sign in with your institution'],
  ] as const)('leads to the external sign-in with the way back (%s)', async (lang, name) => {
    const { container, shell } = await renderModule(module, { bootstrap: { lang, base: '/coast' }, props: manifest.samples });
    const link = screen.getByRole('link', { name });
    expect(link.getAttribute('href')).toBe(`/coast/${lang}/login/external?url=${encodeURIComponent(shell.path)}`);
    expect(await violations(container)).toEqual([]);
  });

  it('names itself without a label', async () => {
    await renderModule(module, { bootstrap: { lang: 'de' } });
    expect(screen.getByRole('link', { name: 'Anmelden' })).toBeTruthy();
  });

  it('shows who is signed in, and the way out', async () => {
    const { container } = await renderModule(module, {
      bootstrap: { base: '/coast', session: { signedIn: true, userName: 'lin****wen' } },
      props: manifest.samples,
    });
    expect(container.textContent).toContain('Signed in as lin****wen');
    expect(screen.getByRole('link', { name: 'Sign out' }).getAttribute('href')).toBe('/coast/en/logout');
    expect(screen.queryByRole('link', { name: 'Sign in with your institution' })).toBeNull();
    expect(await violations(container)).toEqual([]);
  });
});
