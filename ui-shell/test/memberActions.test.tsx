import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { boot } from '../src/boot.tsx';
import { documents } from '../src/browser/documents.ts';
import { Members } from '../src/later/members.tsx';
import { violations } from './axe.ts';
import { muteConsole, pageOf, showDocument } from './fixture.ts';
import { changes, showButtons, tableApi, type Answers } from './personalCentre.tsx';

const MEMBERS = 'front/frontMembers';
const button = (name: string) => screen.getByRole('button', { name });
const answers: Answers = {
  [`GET ${MEMBERS}/isCollect`]: false,
  [`POST ${MEMBERS}/collect`]: true,
  [`DELETE ${MEMBERS}/unCollectByIdAndType`]: true,
  [`POST ${MEMBERS}/searches`]: { id: 4 },
  'GET front/personalAlbum/search': { content: [], totalElements: 0, page: 0, size: 20 },
};
const ARTICLE = `<div class="member-actions" data-item="article 64">
  <button type="button" data-member="collect" aria-pressed="false">Collect</button><button type="button" data-member="add">Add to…</button>
  <button type="button" data-member="subscribe" data-type="keywords" data-keywords="tide;eel">Subscribe</button></div>`;
const card = (id: number) => `<li class="article-card" data-article="${id}"><h3 class="card-title"><a href="/en/article/${id}">Tides ${id}</a></h3></li>`;
const LIST = `<button type="button" data-member="select" aria-pressed="false">Select entries</button><ol data-list>${[1, 2, 3, 4, 5, 6].map(card).join('')}
  <li class="media-card" data-kind="video" data-id="9"><h2 class="media-title">Waves</h2></li></ol>`;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('collecting is asked for, done, and taken back; the button says what is', async () => {
  const { made, messages } = await showButtons(ARTICLE, answers);
  expect(made).toEqual([{ call: `GET ${MEMBERS}/isCollect`, query: { type: 'article', id: '64' }, body: undefined }]);
  const collect = button('Collect');
  for (const [pressed, message] of [
    ['true', 'collection successful'],
    ['false', 'cancellation successful'],
  ]) {
    await userEvent.click(collect);
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(messages.at(-1)).toBe(message));
    expect(collect.getAttribute('aria-pressed')).toBe(pressed);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(collect);
  }
  expect(changes(made).map(({ query, body }) => body ?? query)).toEqual([{ items: [{ type: 'article', id: '64' }] }, { type: ['article'], id: ['64'] }]);
});

it('what is collected already shows so, and a visitor is not asked about', async () => {
  await showButtons(ARTICLE, { ...answers, [`GET ${MEMBERS}/isCollect`]: true });
  await waitFor(() => expect(button('Collect').getAttribute('aria-pressed')).toBe('true'));
  const { made } = await showButtons(ARTICLE, answers, { signedIn: false });
  expect(made).toEqual([]);
});

it('a subscription begins with the keywords of the article, and an album dialog with its item', async () => {
  await showButtons(ARTICLE, answers);
  await userEvent.click(button('Subscribe'));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: 'Keywords' }).checked).toBe(true);
  expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Keywords' }).value).toBe('tide;eel');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(button('Add to…'));
  expect(await screen.findByRole('dialog', { name: 'Add to favourites or an album' })).toBeTruthy();
});

it('a search is saved with its address and a name', async () => {
  const html = '<button type="button" data-member="search" data-name="sea level">Save the search</button>';
  const { made, messages } = await showButtons(html, answers, { path: '/en/search?q=sea+level&type=article' });
  await userEvent.click(button('Save the search'));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByLabelText<HTMLInputElement>('Name of the search').value).toBe('sea level');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(messages).toEqual(['The search was saved']));
  expect(changes(made)[0]?.body).toEqual({ name: 'sea level', address: '/en/search?q=sea+level&type=article', alert: true });
});

it('entries of a list are selected, five at most, also those that are appended, and added', async () => {
  const { main, made, messages } = await showButtons(LIST, answers);
  await userEvent.click(button('Select entries'));
  expect(screen.getAllByRole('checkbox')).toHaveLength(7);
  expect(await violations(screen.getByRole('region', { name: 'Selected entries' }))).toEqual([]);
  await userEvent.click(button('Copy'));
  expect(messages).toEqual(['No data selected']);
  for (const name of ['Waves', 'Tides 1', 'Tides 2', 'Tides 3', 'Tides 4', 'Tides 5']) await userEvent.click(screen.getByLabelText(`Select: ${name}`));
  expect(messages.at(-1)).toBe('At most 5 selections');
  expect(screen.getByLabelText<HTMLInputElement>('Select: Tides 5').checked).toBe(false);
  act(() => main.querySelector('ol')?.insertAdjacentHTML('beforeend', card(7)));
  expect(await screen.findByLabelText('Select: Tides 7')).toBeTruthy();
  await userEvent.click(button('Add to…'));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Favorites' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(messages.at(-1)).toBe('collection successful'));
  const { items } = changes(made)[0]?.body as { items: unknown[] };
  expect(items).toEqual(
    [{ type: 'video', id: '9' }, ...[1, 2, 3, 4].map((id) => ({ type: 'article', id: String(id) }))].map((item) => expect.objectContaining(item)),
  );
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
  expect(button('Select entries').getAttribute('aria-pressed')).toBe('false');
});

it('a selection is emptied, and Escape ends it', async () => {
  const { messages } = await showButtons(LIST, answers);
  await userEvent.click(button('Select entries'));
  await userEvent.click(screen.getByLabelText('Select: Tides 1'));
  await userEvent.click(button('Empty'));
  expect(messages).toEqual(['The selection was emptied']);
  expect(screen.getByLabelText<HTMLInputElement>('Select: Tides 1').checked).toBe(false);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(document.activeElement).toBe(button('Select entries'));
});

it('a visitor who adds a selection is led to the sign-in, and back', async () => {
  const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
  await showButtons(LIST, answers, { signedIn: false, first: true });
  await userEvent.click(await screen.findByLabelText('Select: Tides 1'));
  await userEvent.click(button('Add to…'));
  const address = new URL(assign.mock.calls[0]?.[0] ?? '', location.href);
  expect([address.pathname, address.searchParams.get('url')]).toEqual(['/login', '/en/issue']);
});

it('nothing is loaded for a visitor until a button is used', async () => {
  document.body.innerHTML = `<main>${ARTICLE}</main>`;
  const main = document.querySelector('main') as HTMLElement;
  const payload = pageOf('article');
  const { api, made } = tableApi(answers);
  const tree = (used?: HTMLElement) => (
    <ShellProvider value={{ ...fakeShell(undefined).shell, bootstrap: payload.bootstrap, api }}>
      <Members main={main} payload={payload} used={used} />
    </ShellProvider>
  );
  const { rerender } = render(tree());
  await act(async () => vi.dynamicImportSettled());
  expect(screen.queryByRole('dialog')).toBeNull();
  rerender(tree(button('Subscribe')));
  expect(await screen.findByRole('dialog', { name: 'E-mail alerts' })).toBeTruthy();
  expect(made).toEqual([]);
});

it('a button that is used before the browser is idle does what it says once that is loaded', async () => {
  muteConsole();
  vi.stubGlobal('requestIdleCallback', () => 1);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  showDocument('article');
  const root = await act(() => boot());
  document.querySelector('main')?.insertAdjacentHTML('beforeend', '<button type="button" data-member="search" data-name="tide">Save</button>');
  await userEvent.click(button('Save'));
  expect(await screen.findByRole('dialog', { name: 'Save the search' })).toBeTruthy();
  await act(async () => root?.unmount());
});
