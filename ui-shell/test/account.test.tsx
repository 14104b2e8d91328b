import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PagePayload, Shell } from '@masthead/ui-sdk';
import { createApi, loadOverlays, ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Account from '../src/account/Account.tsx';
import { KINDS } from '../src/account/kinds.ts';
import { creationOf, credentialJson, requestOf } from '../src/account/passkeys.ts';
import { documents } from '../src/browser/documents.ts';
import { takeSaid } from '../src/browser/said.ts';
import { forgetMemory } from '../src/browser/storage.ts';
import { callerOf } from '../src/calls/api.ts';
import { ensureLanguage, showLanguage } from '../src/i18n/i18n.ts';
import { loadMessages } from '../src/members/Messages.tsx';
import { violations } from './axe.ts';

/** A field as the host draws it (host/web/src/page/content/account/forms.rs). */
const field = (form: string, name: string, label: string, type = 'text', more = '') => {
  const input = `<input id="${form}-${name}" name="${name}" type="${type}" autocomplete="${more || 'on'}" required>`;
  const row = name === 'code' ? `<div class="field-row">${input}<div data-part="send"></div></div>` : input;
  return `<div class="field"><label for="${form}-${name}">${label}</label>${row}</div>`;
};
const form = (kind: string, fields: string, back = ' data-back="/en/article/7?type=1"') => `
  <form class="form" data-account="${kind}"${back} method="post" novalidate>${fields}
    <div data-part="below"></div><div class="form-actions"><button type="submit" disabled>Send</button></div></form>`;

const LOGIN = form('login', field('login', 'userName', 'Name') + field('login', 'password', 'Password', 'password'));
const QUICK = form('quickLogin', field('quickLogin', 'target', 'Target') + field('quickLogin', 'code', 'Code'));
const NEW_PASSWORD = (kind: string) => field(kind, 'password', 'Password', 'password') + field(kind, 'repeated', 'Repeat', 'password');
const REGISTER = form(
  'register',
  field('register', 'userName', 'Name') +
    field('register', 'target', 'Target') +
    field('register', 'code', 'Code') +
    NEW_PASSWORD('register') +
    '<div class="check"><input id="register-agreement" name="agreement" type="checkbox" value="true" required><label for="register-agreement">I accept</label></div>',
);
const RESET = form('forgetCode', field('forgetCode', 'target', 'Target') + field('forgetCode', 'code', 'Code') + NEW_PASSWORD('forgetCode'));
const SECURITY = `<div class="panels" data-account-security data-months="3">
  <p data-part="password"></p>${form('changePwd', field('changePwd', 'oldPassword', 'Original', 'password', 'current-password') + NEW_PASSWORD('changePwd'), '')}
  <p data-part="mobile"></p>${form('changeMobile', field('changeMobile', 'mobile', 'Mobile') + field('changeMobile', 'code', 'Code') + field('changeMobile', 'password', 'Own password', 'password', 'current-password'), '')}
  <p data-part="email"></p><div data-part="passkeys"></div>
  <div data-part="identities"></div>
  <div data-part="sessions"></div></div>`;

type Call = { method: string; path: string; body: unknown };
type Answer = { status?: number; data?: unknown; message?: string };

let calls: Call[] = [];
/** What the host answers, by method and path; without an answer, the call is a failure of the test. */
let answers: Record<string, Answer | ((call: Call) => Answer | Promise<Answer>)> = {};
const [assign, notify, onFailure] = [vi.fn(), vi.fn(), vi.fn()];

const wanted = '4711';
const captcha = () => ({
  data: {
    id: 'c1',
    image: 'data:image/png;base64,AA==',
    challenge: { algorithm: 'SHA-256', salt: 's', digest: createHash('sha256').update(`s${wanted}`).digest('hex'), max: 10_000 },
    expires: new Date(Date.now() + 300_000).toISOString(),
  },
});
const sent = (path: string) => calls.filter((call) => `${call.method} ${call.path}` === path).map(({ body }) => body);

beforeEach(async () => {
  calls = [];
  answers = { 'GET /rc-pub/api/captcha': captcha };
  await Promise.all([ensureLanguage('en'), loadMessages('en'), loadOverlays()]);
  showLanguage('en');
  document.body.innerHTML = '<main></main>';
  forgetMemory();
  sessionStorage.clear();
  // As in a context that is not secure: passwords are sent as they are, and `secret.test.ts` has those that are encrypted.
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  vi.spyOn(documents, 'assign').mockImplementation(assign);
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const url = new URL(address, location.href);
    url.searchParams.delete('timestamps');
    const call = { method, path: url.pathname + url.search, body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined };
    calls.push(call);
    const found = answers[`${method} ${call.path}`];
    if (!found) throw new Error(`nothing answers ${method} ${call.path}`);
    const { status = 0, data = null, message = '' } = typeof found === 'function' ? await found(call) : found;
    return new Response(JSON.stringify({ status, data, message }), { status: status || 200 });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const mock of [assign, notify, onFailure]) mock.mockClear();
});

async function show(html: string, signedIn = false) {
  const main = document.querySelector('main') as HTMLElement;
  main.innerHTML = html;
  const { shell: fake } = fakeShell(undefined, { session: { signedIn, userName: signedIn ? 'l****wei1' : '' } });
  const shell: Shell = { ...fake, notify, api: createApi(() => callerOf(fake.bootstrap), onFailure) };
  const page = { bootstrap: fake.bootstrap } as PagePayload;
  render(
    <ShellProvider value={shell}>
      <Account main={main} page={page} />
    </ShellProvider>,
  );
  await waitFor(() => expect(main.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled).toBe(false));
  return main;
}
const type = async (label: string, text: string) => {
  const input = screen.getByLabelText(label);
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
};
const submit = () => userEvent.click(screen.getAllByRole('button', { name: 'Send' })[0] as HTMLElement);
const errorOf = (label: string) => {
  const input = screen.getByLabelText(label);
  const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
  return [input.getAttribute('aria-invalid'), ids.map((id) => document.getElementById(id)?.textContent ?? '').join('')];
};

describe('the forms of the host', () => {
  const folder = path.resolve(import.meta.dirname, '../../host/web/src/page/content/account');
  const drawn = readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');

  it('are those that the shell can send', () => {
    const named = [...drawn.matchAll(/kind: "(\w+)", back|change_target\(context, "(\w+)"|change_target\(\s*context,\s*"(\w+)"/g)];
    const kinds = new Set(named.map(([, form, change, other]) => form ?? change ?? other));
    expect([...kinds].sort()).toEqual(Object.keys(KINDS).sort());
  });

  it('have the fields that the shell looks for', () => {
    const own = new Set([...drawn.matchAll(/(?:text|password)\(\s*"(\w+)"|name="(\w+)"/g)].map(([, name, plain]) => name ?? plain));
    for (const kind of Object.values(KINDS)) for (const name of Object.keys(kind.check({}))) expect([...own], name).toContain(name);
  });
});

describe('sign-in with a password', () => {
  it('says what is missing, beside the fields, and makes no call', async () => {
    const main = await show(LOGIN);
    await submit();
    expect(errorOf('Name')).toEqual(['true', 'Please enter the account name, mobile number or e-mail address']);
    expect(errorOf('Password')).toEqual(['true', 'Please enter the password']);
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    expect(calls).toEqual([]);
    expect(await violations(main)).toEqual([]);
    await type('Name', 'lin');
    expect(errorOf('Name')).toEqual([null, '']);
  });

  it('leads back to where the reader came from, with the words of the host', async () => {
    answers['POST /rc-pub/api/login'] = { data: { userName: 'l****wei1', token: 't', expires: '' }, message: 'Login successful' };
    await show(LOGIN);
    await type('Name', ' lin ');
    await type('Password', ' Tide 7x ');
    await submit();
    await waitFor(() => expect(assign.mock.calls).toEqual([['/en/article/7?type=1']]));
    expect(sent('POST /rc-pub/api/login')).toEqual([{ userName: 'lin', password: ' Tide 7x ' }]);
    expect(takeSaid()).toMatchObject({ text: 'Login successful', kind: 'done' });
    expect(takeSaid()).toBeUndefined();
  });

  it('leads to no other origin, whatever the form says', async () => {
    answers['POST /rc-pub/api/login'] = { data: {}, message: 'Login successful' };
    await show(LOGIN.replace('/en/article/7?type=1', 'https://evil.example/'));
    await type('Name', 'lin');
    await type('Password', 'x');
    await submit();
    await waitFor(() => expect(assign.mock.calls).toEqual([['/en/home/']]));
  });

  it('says that it is wrong and stays, because nobody was signed in', async () => {
    answers['POST /rc-pub/api/login'] = { status: 401, message: 'Wrong account or password, please try again.' };
    document.cookie = 'userName=other';
    await show(LOGIN);
    await type('Name', 'lin');
    await type('Password', 'x');
    await submit();
    expect((await screen.findByText('Wrong account or password, please try again.')).dataset['kind']).toBe('failed');
    expect([assign.mock.calls, onFailure.mock.calls, document.cookie]).toEqual([[], [], 'userName=other']);
  });

  it('asks for a captcha when the host does, once, and sends its answer', async () => {
    let asked = 0;
    answers['POST /rc-pub/api/login'] = () => ((asked += 1) === 1 ? { status: 428, message: 'Please solve the captcha.' } : { data: {}, message: 'ok' });
    await show(LOGIN);
    await type('Name', 'lin');
    await type('Password', 'x');
    await submit();
    const group = await screen.findByRole('group', { name: 'Security check' });
    expect(await within(group).findByRole('img')).toBeTruthy();
    expect(await violations(group)).toEqual([]);
    await submit();
    expect(errorOf('Letters in the picture')[1]).toMatch(/Please type the letters/);
    expect(sent('POST /rc-pub/api/login')).toHaveLength(1);
    await type('Letters in the picture', ' AbCd ');
    await submit();
    await waitFor(() => expect(sent('POST /rc-pub/api/login')[1]).toEqual({ userName: 'lin', password: 'x', captcha: { id: 'c1', text: 'AbCd' } }));
  });

  it('says in the language of the reader that the host is out of reach, and can be sent again', async () => {
    await show(LOGIN);
    await type('Name', 'lin');
    await type('Password', 'x');
    await submit();
    expect((await screen.findByText('Data acquisition failed')).dataset['kind']).toBe('failed');
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBeNull();
  });

  it('is sent once, however often the button is pressed', async () => {
    answers['POST /rc-pub/api/login'] = { data: {}, message: 'ok' };
    await show(LOGIN);
    await type('Name', 'lin');
    await type('Password', 'x');
    const button = screen.getByRole('button', { name: 'Send' });
    act(() => [1, 2, 3].forEach(() => button.click()));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(sent('POST /rc-pub/api/login')).toHaveLength(1);
  });
});

describe('a code', () => {
  const PATH = 'POST /rc-pub/api/sendReceiverMessage';

  it('is sent to a number that can be one, by a browser that has worked for it, and again after a minute', async () => {
    answers[PATH] = { data: { resendAfter: 60, expires: 600 } };
    answers['POST /rc-pub/api/loginByMessage'] = { data: {}, message: 'Login successful' };
    await show(QUICK);
    await type('Target', '138');
    await userEvent.click(screen.getByRole('button', { name: 'Get code' }));
    expect(errorOf('Target')).toEqual(['true', 'Phone number format incorrect, please try again.']);
    expect(screen.queryByRole('group')).toBeNull();
    await type('Target', '13812345678');
    await userEvent.click(screen.getByRole('button', { name: 'Get code' }));
    await userEvent.click(await screen.findByRole('button', { name: 'I cannot read the picture' }));
    // The focus is on what has come in place of the button.
    const done = await screen.findByText('Done: no letters are needed.');
    expect(document.activeElement).toBe(done);
    await userEvent.click(screen.getByRole('button', { name: 'Get code' }));
    await screen.findByText('A code was sent to 13812345678. It is valid for 10 min.');
    expect(sent(PATH)).toEqual([{ target: '13812345678', purpose: 'login', captcha: { id: 'c1', number: Number(wanted) } }]);
    const waiting = screen.getByRole('button', { name: /Send again in \d+ s/ });
    expect(waiting.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(waiting);
    expect(sent(PATH)).toHaveLength(1);
    await type('Code', ' 123456 ');
    await submit();
    await waitFor(() => expect(sent('POST /rc-pub/api/loginByMessage')).toEqual([{ mobile: '13812345678', code: '123456' }]));
  });

  it('can be asked for again when the time is over, also where the clock was set back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
    answers[PATH] = { data: { resendAfter: 60, expires: 600 } };
    await show(QUICK);
    await user.type(screen.getByLabelText('Target'), 'lin@press.example');
    await user.click(screen.getByRole('button', { name: 'Get code' }));
    await user.type(await screen.findByLabelText('Letters in the picture'), 'abcd{Enter}');
    await screen.findByRole('button', { name: /Send again in/ });
    // The field, in which the focus was, has gone.
    expect(document.activeElement).toBe(screen.getByText(/^A code was sent to/));
    expect(sent(PATH)).toEqual([{ target: 'lin@press.example', purpose: 'login', captcha: { id: 'c1', text: 'abcd' } }]);
    vi.setSystemTime(Date.now() - 3_600_000);
    await act(async () => vi.advanceTimersByTimeAsync(61_000));
    expect(screen.getByRole('button', { name: 'Send again' })).toBeTruthy();
  });

  it('that the host refuses to send is told, with another captcha', async () => {
    let pictures = 0;
    answers['GET /rc-pub/api/captcha'] = () => ((pictures += 1), captcha());
    answers[PATH] = { status: 429, message: 'Too many requests' };
    await show(QUICK);
    await type('Target', '13812345678');
    await userEvent.click(screen.getByRole('button', { name: 'Get code' }));
    await userEvent.type(await screen.findByLabelText('Letters in the picture'), 'abcd{Enter}');
    await screen.findByText('Too many requests');
    await waitFor(() => expect(pictures).toBe(2));
    expect((screen.getByLabelText('Letters in the picture') as HTMLInputElement).value).toBe('');
  });
});

it('the work in place of a picture can be asked for before the picture is there', async () => {
  let arrive = (_: Answer) => {};
  answers['GET /rc-pub/api/captcha'] = () => new Promise<Answer>((resolve) => (arrive = resolve));
  await show(QUICK);
  await type('Target', '13812345678');
  await userEvent.click(screen.getByRole('button', { name: 'Get code' }));
  await userEvent.click(await screen.findByRole('button', { name: 'I cannot read the picture' }));
  expect(screen.getByRole('progressbar')).toBeTruthy();
  arrive(captcha());
  await screen.findByText('Done: no letters are needed.');
});

it('a captcha that cannot be loaded is told in the language of the reader, and so is a code that cannot be sent', async () => {
  await show(QUICK);
  await type('Target', '13812345678');
  delete answers['GET /rc-pub/api/captcha'];
  await userEvent.click(screen.getByRole('button', { name: 'Get code' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Data acquisition failed');
  // The work needs a task, too: it asks once more, and then does not go on as if one came.
  await userEvent.click(screen.getByRole('button', { name: 'I cannot read the picture' }));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  answers['GET /rc-pub/api/captcha'] = captcha;
  await userEvent.click(screen.getByRole('button', { name: 'Another picture' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  await userEvent.type(screen.getByLabelText('Letters in the picture'), 'abcd{Enter}');
  expect((await screen.findByText('Data acquisition failed')).dataset['kind']).toBe('failed');
});

describe('a new account', () => {
  const fill = async (values: Record<string, string>) => {
    for (const [label, text] of Object.entries(values)) await type(label, text);
  };
  const GOOD = { Name: 'lin.wei', Target: 'lin@press.example', Code: '123456', Password: 'Tide7xQk', Repeat: 'Tide7xQk' };

  it('keeps the rules of the specification, each with its words', async () => {
    await show(REGISTER);
    await fill({ ...GOOD, Name: '2', Target: 'lin@', Code: '12', Password: 'short1A', Repeat: 'Short1A' });
    await submit();
    expect(['Name', 'Target', 'Code', 'Password', 'Repeat', 'I accept'].map((label) => errorOf(label)[1])).toEqual([
      'An account name has 2 to 40 letters, digits, dots, underscores or hyphens, and begins with a letter.',
      'E-mail format is incorrect',
      'Please enter the verification code.',
      'The password must have 8 to 20 characters.',
      'Passwords do not match, please try again',
      'Please click to accept the user agreement first',
    ]);
    await fill({ ...GOOD, Password: 'LIN.wei77', Repeat: 'LIN.wei77' });
    await submit();
    expect(errorOf('Password')[1]).toBe('The password must not be or contain the account name.');
    expect(calls).toEqual([]);
  });

  it('is made with the agreement, by e-mail or mobile number', async () => {
    answers['POST /rc-pub/api/register'] = { data: {}, message: 'registered' };
    await show(REGISTER);
    await fill(GOOD);
    await userEvent.click(screen.getByLabelText('I accept'));
    await submit();
    await waitFor(() => expect(assign.mock.calls).toEqual([['/en/article/7?type=1']]));
    const account = { userName: 'lin.wei', code: '123456', password: 'Tide7xQk', agreement: true };
    await type('Target', '13812345678');
    // The next document is on its way: nothing is sent twice, until Back shows this one again.
    await submit();
    expect(sent('POST /rc-pub/api/register')).toEqual([{ ...account, email: 'lin@press.example' }]);
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true');
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await submit();
    await waitFor(() => expect(sent('POST /rc-pub/api/register')[1]).toEqual({ ...account, mobile: '13812345678' }));
  });

  it('shows what the host refuses, as text', async () => {
    answers['POST /rc-pub/api/register'] = { status: 409, message: 'Taken: <img src=x onerror=alert(1)>' };
    const main = await show(REGISTER);
    await fill(GOOD);
    await userEvent.click(screen.getByLabelText('I accept'));
    await submit();
    await screen.findByText('Taken: <img src=x onerror=alert(1)>');
    expect(main.querySelector('img[src=x]')).toBeNull();
  });
});

it('a new password leads to the sign-in, and from there back', async () => {
  answers['PUT /rc-pub/api/setNewPwd'] = { data: true, message: 'Password Reset Successfully' };
  await show(RESET);
  for (const [label, text] of Object.entries({ Target: '13812345678', Code: '123456', Password: 'Tide7xQk', Repeat: 'Tide7xQk' })) await type(label, text);
  await submit();
  await waitFor(() => expect(assign.mock.calls).toEqual([[`/en/login?url=${encodeURIComponent('/en/article/7?type=1')}`]]));
  expect(sent('PUT /rc-pub/api/setNewPwd')).toEqual([{ target: '13812345678', code: '123456', password: 'Tide7xQk' }]);
  expect(takeSaid()?.text).toBe('Password Reset Successfully');
});

describe('the security of an account', () => {
  const PROFILE = { mobile: '138****5678', email: '', hasPassword: true, passwordChanged: '2020-01-02T11:04:05+08:00' };
  const LISTS = {
    'GET /rc-pub/front/frontMembers/info': { data: PROFILE },
    'GET /rc-pub/api/passkeys': { data: [{ id: 5, name: 'Laptop <b>', created: '2023-11-15T06:13:20+08:00', used: null }] },
    'GET /rc-pub/api/identities': {
      data: [
        { provider: 'orcid', title: 'ORCID', name: 'Lin Wei', subject: '0000-0002', since: '2026-01-02T11:04:05+08:00' },
        { provider: 'campus', title: 'Campus', name: '', subject: '', since: null },
      ],
    },
    'GET /rc-pub/api/sessions': {
      data: [
        { id: 'a', created: '2023-11-15T06:13:20+08:00', used: '2023-11-15T06:13:20+08:00', client: 'Firefox, Linux', current: true },
        { id: 'b', created: '2023-11-15T06:13:20+08:00', used: '2023-11-15T06:13:20+08:00', client: 'Safari, iOS', current: false },
      ],
    },
  };

  it('shows where codes go, what the account has, and offers what it has not', async () => {
    answers = { ...answers, ...LISTS };
    const main = await show(SECURITY, true);
    await screen.findByText('Laptop <b>');
    expect(screen.getByText('138****5678')).toBeTruthy();
    expect(screen.getByText('None yet')).toBeTruthy();
    expect((await screen.findByText(/Last changed: /)).tagName).toBe('STRONG');
    expect(screen.getByText('This sign-in')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Connect Campus' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Connect ORCID' })).toBeNull();
    expect(await violations(main)).toEqual([]);
  });

  it('has times as the site states them, in whichever time zone the browser is', async () => {
    // No time zone of a browser has both of them.
    const [east, west] = ['2026-03-05T01:00:00+08:00', '2026-03-04T23:30:00-08:00'];
    answers = {
      ...answers,
      'GET /rc-pub/front/frontMembers/info': { data: { ...PROFILE, passwordChanged: east } },
      'GET /rc-pub/api/passkeys': { data: [{ id: 5, name: 'Laptop', created: east, used: west }] },
      'GET /rc-pub/api/identities': { data: [{ provider: 'orcid', title: 'ORCID', name: 'Lin Wei', subject: '0000-0002', since: west }] },
      'GET /rc-pub/api/sessions': { data: [{ id: 'b', created: east, used: west, client: 'Safari, iOS', current: false }] },
    };
    const main = await show(SECURITY, true);
    const part = (name: string) => main.querySelector(`[data-part=${name}]`)?.textContent?.replace(/\s/g, ' ');
    await waitFor(() => expect(part('passkeys')).toContain('Since Mar 5, 2026, 1:00 AM'));
    expect(part('passkeys')).toContain('Last used: Mar 4, 2026, 11:30 PM');
    await waitFor(() => expect(part('identities')).toContain('Since Mar 4, 2026, 11:30 PM'));
    await waitFor(() => expect(part('sessions')).toContain('Since Mar 5, 2026, 1:00 AM'));
    expect(part('sessions')).toContain('Last used: Mar 4, 2026, 11:30 PM');
    await waitFor(() => expect(part('password')).toBe('Last changed: Mar 5, 2026, 1:00 AM'));
  });

  it('connects another service, and comes back here', async () => {
    answers = { ...answers, ...LISTS };
    history.replaceState(null, '', '/en/personal?tab=account');
    const address = 'https://id.campus.example/authorize?state=s';
    answers[`GET /rc-pub/api/getUmtLoginUrl?provider=campus&url=${encodeURIComponent('/en/personal?tab=account')}`] = { data: { address } };
    await show(SECURITY, true);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect Campus' }));
    await waitFor(() => expect(assign.mock.calls).toEqual([[address]]));
  });

  it('asks before it removes, and reads the list again', async () => {
    answers = {
      ...answers,
      ...LISTS,
      'DELETE /rc-pub/api/sessions?id=b': { data: true },
      'DELETE /rc-pub/api/passkeys?id=5': { status: 409, message: 'It is the last way' },
    };
    await show(`<h1>Account</h1>${SECURITY}`, true);
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out: Safari, iOS' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    expect(sent('DELETE /rc-pub/api/sessions?id=b')).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sign out: Safari, iOS' })));
    await userEvent.click(screen.getByRole('button', { name: 'Sign out: Safari, iOS' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(sent('GET /rc-pub/api/sessions')).toHaveLength(2));
    // The button goes with what it has ended.
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
    await userEvent.click(screen.getByRole('button', { name: 'Remove: Laptop <b>' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(notify).toHaveBeenCalledWith('It is the last way', 'failed'));
  });

  it('ends all other sign-ins at once', async () => {
    answers = { ...answers, ...LISTS, 'DELETE /rc-pub/api/sessions': { data: true } };
    await show(SECURITY, true);
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(notify).toHaveBeenCalledWith('The other sign-ins have ended', 'done'));
  });

  it('changes the password for one that differs, and empties the form', async () => {
    answers = { ...answers, ...LISTS, 'PUT /rc-pub/api/changePwd': { data: {}, message: 'Submitted successfully' } };
    const main = await show(SECURITY, true);
    const own = within(main.querySelector('[data-account=changePwd]') as HTMLElement);
    const fill = async (old: string, next: string) => {
      for (const [label, text] of [
        ['Original', old],
        ['Password', next],
        ['Repeat', next],
      ] as const) {
        await userEvent.clear(own.getByLabelText(label));
        await userEvent.type(own.getByLabelText(label), text);
      }
      await userEvent.click(own.getByRole('button', { name: 'Send' }));
    };
    await fill('Tide7xQk', 'Tide7xQk');
    expect(own.getByText('The new password must differ from the original one.')).toBeTruthy();
    await fill('Tide7xQk', 'Wave8yRl');
    await own.findByText('Submitted successfully');
    expect(sent('PUT /rc-pub/api/changePwd')).toEqual([{ oldPassword: 'Tide7xQk', password: 'Wave8yRl' }]);
    expect((own.getByLabelText('Original') as HTMLInputElement).value).toBe('');
    // The sessions and the date of the password are others now.
    await waitFor(() => expect([sent('GET /rc-pub/api/sessions').length, sent('GET /rc-pub/front/frontMembers/info').length]).toEqual([2, 2]));
  });

  it('asks for no password where there is none, and sets the first one', async () => {
    answers = { ...answers, ...LISTS, 'GET /rc-pub/front/frontMembers/info': { data: { ...PROFILE, hasPassword: false, passwordChanged: null } } };
    answers['PUT /rc-pub/api/changePwd'] = { data: {}, message: 'Submitted successfully' };
    const main = await show(SECURITY, true);
    await waitFor(() => expect((main.querySelector('#changeMobile-password') as HTMLInputElement).disabled).toBe(true));
    expect(main.querySelector<HTMLElement>('#changeMobile-password')?.closest<HTMLElement>('.field')?.hidden).toBe(true);
    const own = within(main.querySelector('[data-account=changePwd]') as HTMLElement);
    for (const label of ['Password', 'Repeat']) await userEvent.type(own.getByLabelText(label), 'Wave8yRl');
    await userEvent.click(own.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sent('PUT /rc-pub/api/changePwd')).toEqual([{ password: 'Wave8yRl' }]));
  });

  it('asks for the password before a number is another one', async () => {
    answers = { ...answers, ...LISTS };
    const main = await show(SECURITY, true);
    const own = within(main.querySelector('[data-account=changeMobile]') as HTMLElement);
    await userEvent.type(own.getByLabelText('Mobile'), '13812345678');
    await userEvent.type(own.getByLabelText('Code'), '123456');
    await userEvent.click(own.getByRole('button', { name: 'Send' }));
    expect(errorOf('Own password')[1]).toMatch(/^Please enter the password/);
    answers['PUT /rc-pub/api/changeMobile'] = { data: true, message: 'Submitted successfully' };
    await userEvent.type(own.getByLabelText('Own password'), 'Tide7xQk');
    await userEvent.click(own.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sent('PUT /rc-pub/api/changeMobile')).toEqual([{ mobile: '13812345678', code: '123456', password: 'Tide7xQk' }]));
  });

  it('can be read again where it could not be read', async () => {
    answers = { ...answers, ...LISTS, 'GET /rc-pub/api/passkeys': { status: 503, message: 'Out of service' } };
    await show(SECURITY, true);
    await screen.findByText(/This could not be loaded. Out of service/);
    answers['GET /rc-pub/api/passkeys'] = LISTS['GET /rc-pub/api/passkeys'];
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Laptop <b>')).toBeTruthy();
  });

  it('is in the language of the reader where the host is out of reach', async () => {
    answers = { ...answers, ...LISTS };
    delete answers['GET /rc-pub/api/passkeys'];
    const main = await show(SECURITY, true);
    expect((await screen.findByText(/This could not be loaded/)).textContent).toBe('This could not be loaded.  Try again');
    await userEvent.click(await screen.findByRole('button', { name: 'Connect Campus' }));
    await waitFor(() => expect(notify.mock.calls).toEqual([['Data acquisition failed', 'failed']]));
    await userEvent.click(screen.getByRole('button', { name: 'Remove: ORCID' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(notify.mock.calls).toHaveLength(2));
    expect([notify.mock.calls[1], main.textContent]).toEqual([['Data acquisition failed', 'failed'], expect.not.stringContaining('Error')]);
  });
});

describe('passkeys', () => {
  const buffer = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
  /** A credential as a browser makes it, in one class with the constructor that the code looks for. */
  class Credential {
    id = 'Y3Jl';
    rawId = buffer('cre');
    type = 'public-key';
    response: object;
    constructor(response: object) {
      this.response = response;
    }
    getClientExtensionResults = () => ({});
  }

  beforeEach(() => {
    vi.stubGlobal('PublicKeyCredential', Credential);
  });

  it('are converted between the bytes of browsers and the JSON of the host', () => {
    const creation = creationOf({
      publicKey: { challenge: 'Y2g_', rp: { id: 'x' }, user: { id: 'dTE', name: 'lin' }, excludeCredentials: [{ type: 'public-key', id: 'Y3Jl' }] },
    });
    expect(new TextDecoder().decode(creation.challenge as Uint8Array)).toBe('ch?');
    expect(new TextDecoder().decode(creation.user.id as Uint8Array)).toBe('u1');
    expect(new TextDecoder().decode(creation.excludeCredentials?.[0]?.id as Uint8Array)).toBe('cre');
    expect(requestOf({ publicKey: { challenge: 'Y2g_', rpId: 'x' } })).toMatchObject({ rpId: 'x', allowCredentials: [] });
    const made = new Credential({ clientDataJSON: buffer('{}'), attestationObject: buffer('a??>'), getTransports: () => ['internal'] });
    expect(credentialJson(made as unknown as PublicKeyCredential)).toEqual({
      id: 'Y3Jl',
      rawId: 'Y3Jl',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'YT8_Pg', transports: ['internal'] },
      extensions: {},
    });
  });

  it('sign in without a name, and closing the dialog of the browser changes nothing', async () => {
    const get = vi.fn().mockRejectedValueOnce(new DOMException('closed', 'NotAllowedError'));
    get.mockResolvedValueOnce(new Credential({ clientDataJSON: buffer('{}'), signature: buffer('s'), authenticatorData: buffer('a'), userHandle: null }));
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { credentials: { get } }));
    answers['POST /rc-pub/api/passkeys/login/begin'] = { data: { publicKey: { challenge: 'Y2g', rpId: 'localhost' } } };
    answers['POST /rc-pub/api/passkeys/login/finish'] = { data: {}, message: 'Login successful' };
    await show(`${LOGIN}<div data-part="passkey"></div>`);
    const button = screen.getByRole('button', { name: 'Sign in with a passkey' });
    await userEvent.click(button);
    await screen.findByText('No passkey was used. Nothing has changed.');
    expect(sent('POST /rc-pub/api/passkeys/login/finish')).toEqual([]);
    await userEvent.click(button);
    await waitFor(() => expect(assign.mock.calls).toEqual([['/en/article/7?type=1']]));
    expect(sent('POST /rc-pub/api/passkeys/login/finish')[0]).toMatchObject({ rawId: 'Y3Jl', response: { signature: 'cw' } });
  });

  it('are not offered where the browser has none', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    await show(`${LOGIN}<div data-part="passkey"></div>`);
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  });
});
