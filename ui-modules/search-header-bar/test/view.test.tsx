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
  expect(screen.getByRole('link', { name: 'Advanced search' }).getAttribute('href')).toBe('/en/seniorSearch');
  expect(get).not.toHaveBeenCalled();
});
