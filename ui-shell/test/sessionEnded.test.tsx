import { ApiError, type PagePayload, type Shell } from '@masthead/ui-sdk';
import { loadOverlays, ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import Account from '../src/account/Account.tsx';
import { ensureLanguage, showLanguage } from '../src/i18n/i18n.ts';
import { loadMessages } from '../src/members/Messages.tsx';
import { violations } from './axe.ts';
import { click, confirm, entry, page, showTab, tableApi } from './personalCentre.tsx';

const MEMBERS = 'front/frontMembers';
const ended = () => new ApiError(401, 'Please sign in again');

/** Where the link in place of another try leads back to. */
function backOf(place: HTMLElement): string | null {
  const link = within(place).getByRole('link', { name: 'Sign in again' });
  // The browser opens it, not the shell.
  expect(link.getAttribute('rel')).toBe('external nofollow');
  const to = new URL(link.getAttribute('href') ?? '', location.href);
  expect(to.pathname).toBe('/login');
  return to.searchParams.get('url');
}

it.each([
  ['collect', `GET ${MEMBERS}/collects`],
  ['download', `GET ${MEMBERS}/downloads`],
  ['history', `GET ${MEMBERS}/historys`],
  ['album', 'GET front/personalAlbum/search'],
  ['infomation', `GET ${MEMBERS}/info`],
  ['subscribe', `GET ${MEMBERS}/subscribeList`],
  ['search', `GET ${MEMBERS}/searches`],
])('in the personal centre (%s), an ended session leads to the sign-in and back here, in place of another try', async (tab, call) => {
  const path = `/en/personal?tab=${tab}&page=2`;
  const { main, messages } = await showTab(tab, { [call]: ended() }, { path });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Your session has ended. Sign in again');
  expect(backOf(alert)).toBe(path);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  // The shell tells it, once for all calls.
  expect(messages).toEqual([]);
  expect(await violations(main)).toEqual([]);
});

it('a list that was shown gives way to the sign-in when it is asked for again in vain', async () => {
  let answer: unknown = page([entry(1)]);
  const refused = { [`GET ${MEMBERS}/historys`]: () => answer, [`DELETE ${MEMBERS}/historys`]: ended() };
  const { messages } = await showTab('history', refused);
  await screen.findByText('Tides 1');
  answer = ended();
  await click('Select: Tides 1', 'checkbox');
  await click('Delete');
  await confirm('Delete');
  expect(backOf(await screen.findByRole('alert'))).toBe('/en/personal?tab=history');
  expect(messages).toEqual([]);
});

it('in the security of an account, each list leads to the sign-in and back here', async () => {
  await Promise.all([ensureLanguage('en'), loadMessages('en'), loadOverlays()]);
  showLanguage('en');
  history.replaceState(null, '', '/en/personal?tab=account');
  document.body.innerHTML =
    '<main><div data-account-security><div data-part="passkeys"></div><div data-part="identities"></div><div data-part="sessions"></div></div></main>';
  const main = document.querySelector('main') as HTMLElement;
  const lists = ['GET api/passkeys', 'GET api/identities', 'GET api/sessions', `GET ${MEMBERS}/info`];
  const { api } = tableApi(Object.fromEntries(lists.map((call) => [call, ended()])));
  const { shell: fake } = fakeShell(undefined, { session: { signedIn: true, userName: 'l****wei1' } });
  const shell: Shell = { ...fake, api };
  render(
    <ShellProvider value={shell}>
      <Account main={main} page={{ bootstrap: fake.bootstrap } as PagePayload} />
    </ShellProvider>,
  );
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Sign in again' })).toHaveLength(3));
  for (const name of ['passkeys', 'identities', 'sessions']) {
    const part = main.querySelector<HTMLElement>(`[data-part=${name}]`) as HTMLElement;
    expect(part.textContent).toContain('Your session has ended. Sign in again');
    expect(backOf(part)).toBe('/en/personal?tab=account');
  }
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
