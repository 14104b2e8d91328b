import { ApiError, type Api, type Bootstrap, type PagePayload, type Query, type Shell } from '@masthead/ui-sdk';
import { loadOverlays, ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { ensureLanguage, showLanguage } from '../src/i18n/i18n.ts';
import { loadMessages } from '../src/members/Messages.tsx';
import Actions from '../src/personal/Actions.tsx';
import Personal from '../src/personal/Personal.tsx';
import { pageOf } from './fixture.ts';

/** A call that was made: method and path, and what it was given. */
export interface Made {
  call: string;
  query: Query;
  body: unknown;
}

/** What the host answers, by method and path below `/rc-pub/`; an `ApiError` is thrown. */
export type Answers = Record<string, unknown>;

export const page = <T,>(content: T[], change: object = {}) => ({ content, totalElements: content.length, page: 0, size: 20, ...change });
export const entry = (id: number, change: object = {}) => ({
  type: 'article',
  id: String(id),
  title: `Tides ${id}`,
  address: `/en/article/${id}`,
  available: true,
  notice: 'none',
  noticeText: '',
  date: '2026-03-01T08:00:00+08:00',
  ...change,
});

/** An API that answers from a table, and keeps what was called. */
export function tableApi(answers: Answers): { api: Api; made: Made[] } {
  const made: Made[] = [];
  const answer = async (method: string, path: string, query: Query = {}, body: unknown = undefined): Promise<never> => {
    const call = `${method} ${path.replace('/rc-pub/', '')}`;
    made.push({ call, query, body });
    const found = answers[call];
    const value: unknown = typeof found === 'function' ? (found as (made: Made) => unknown)({ call, query, body }) : found;
    if (value === undefined) throw new ApiError(404, `no answer to ${call}`);
    if (value instanceof Error) throw value;
    return value as never;
  };
  const api: Api = {
    get: (path, query) => answer('GET', path, query),
    post: (path, body) => answer('POST', path, {}, body),
    put: (path, body) => answer('PUT', path, {}, body),
    delete: (path, query) => answer('DELETE', path, query),
  };
  return { api, made };
}

/** Those of the calls that change something. */
export const changes = (made: Made[]): Made[] => made.filter(({ call }) => !call.startsWith('GET'));

/** Uses the only element with this role and name. */
export const click = (name: string | RegExp, role = 'button') => userEvent.click(screen.getByRole(role, { name }));
/** Answers the question in the dialog. */
export const confirm = async (name: string) => userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
/** The field with this label. */
export const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
/** Uses the last button with this name: that of the form in front. */
export const submit = (name: string) => userEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement);

interface Shown {
  main: HTMLElement;
  made: Made[];
  messages: string[];
  /** Shows the page again, as after a navigation to another address. */
  at(path: string): void;
}

async function prepare(lang: string): Promise<void> {
  await Promise.all([ensureLanguage(lang), loadMessages(lang), loadOverlays()]);
  showLanguage(lang);
}

function shellOf(payload: PagePayload, api: Api, path: string, messages: string[]): Shell {
  return { ...fakeShell(undefined).shell, bootstrap: payload.bootstrap, api, path, notify: (message: string) => void messages.push(message) };
}

const payloadOf = (lang: Bootstrap['lang'], signedIn: boolean): PagePayload => {
  const recorded = pageOf('article');
  return {
    ...recorded,
    bootstrap: { ...recorded.bootstrap, lang, page: { kind: 'list', route: 'personal' }, session: { signedIn, userName: signedIn ? 'a****bcde' : '' } },
  };
};

/** Shows a tab of the personal centre. */
export async function showTab(
  name: string,
  answers: Answers,
  { path = `/en/personal?tab=${name}`, lang = 'en' }: { path?: string; lang?: Bootstrap['lang'] } = {},
): Promise<Shown> {
  await prepare(lang);
  document.body.innerHTML = `<main><h1>Personal center</h1><div data-personal="${name}"><noscript>scripts</noscript></div></main>`;
  const main = document.querySelector('main') as HTMLElement;
  const { api, made } = tableApi(answers);
  const messages: string[] = [];
  const payload = payloadOf(lang, true);
  const tree = (at: string) => (
    <ShellProvider value={shellOf(payload, api, at, messages)}>
      <Personal main={main} payload={payload} />
    </ShellProvider>
  );
  history.replaceState(null, '', path);
  const { rerender } = render(tree(path));
  await act(async () => vi.dynamicImportSettled());
  return {
    main,
    made,
    messages,
    at: (next) => {
      history.replaceState(null, '', next);
      rerender(tree(next));
    },
  };
}

/** Shows a page with buttons for members. */
export async function showButtons(html: string, answers: Answers, { signedIn = true, path = '/en/issue', first = false } = {}): Promise<Shown> {
  await prepare('en');
  document.body.innerHTML = `<main>${html}</main>`;
  const main = document.querySelector('main') as HTMLElement;
  const { api, made } = tableApi(answers);
  const messages: string[] = [];
  const payload = payloadOf('en', signedIn);
  history.replaceState(null, '', path);
  const tree = (at: string) => (
    <ShellProvider value={shellOf(payload, api, at, messages)}>
      <Actions main={main} payload={payload} used={first ? (main.querySelector<HTMLElement>('button[data-member]') ?? undefined) : undefined} />
    </ShellProvider>
  );
  const { rerender } = render(tree(path));
  await act(async () => vi.dynamicImportSettled());
  return { main, made, messages, at: (next) => rerender(tree(next)) };
}
