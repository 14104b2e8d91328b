import { sampleBootstrap } from '@masthead/ui-sdk/testing';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { isLargeAtHome, searches, show } from '../../../ui-shell/test/searchWidget.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

searches(module, manifest);
isLargeAtHome(module);

it('has the title, every slogan and the quick entry', async () => {
  const { search } = sampleBootstrap();
  await show(module, { bootstrap: { search: { ...search, slogans: ['Coasts', 'Oceans'] } } });
  for (const text of [search.title, 'Coasts', 'Oceans']) expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Submit a paper' }).getAttribute('href')).toBe('https://submit.example/');
});

it('has no quick entry where the site has none', async () => {
  const { quickEntry: _, ...search } = sampleBootstrap().search;
  await show(module, { bootstrap: { search } });
  expect(screen.queryByRole('link', { name: 'Submit a paper' })).toBeNull();
});
