import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { searches, show } from '../../../ui-shell/test/searchWidget.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

searches(module, manifest);

it('is the same line on every page', async () => {
  const { get } = await show(module);
  expect(screen.queryByText('Search the literature')).toBeNull();
  expect(screen.queryByRole('list')).toBeNull();
  expect(get).not.toHaveBeenCalled();
});

it('opens the advanced search in a new tab', async () => {
  await show(module);
  const link = screen.getByRole('link', { name: 'Advanced search' });
  expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual(['/en/seniorSearch', '_blank', 'noopener']);
});
