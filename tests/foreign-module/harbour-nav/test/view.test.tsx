import { renderModule, sampleProps } from '@masthead/ui-sdk/testing';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

afterEach(cleanup);

it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

it('shows the motto of the configuration, or one with the name of the site', async () => {
  const { unmount } = await renderModule(module, { props: manifest.samples });
  expect(screen.getByText('Since the last flood')).toBeTruthy();
  unmount();
  await renderModule(module, { bootstrap: { lang: 'zh' } });
  expect(screen.getByText(`《${sampleProps('header', { lang: 'zh' }).site.name}》的潮汐`)).toBeTruthy();
});
