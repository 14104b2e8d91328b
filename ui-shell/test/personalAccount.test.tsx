import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documents } from '../src/browser/documents.ts';
import { violations } from './axe.ts';
import { changes, click, confirm, field, showTab, submit, type Answers } from './personalCentre.tsx';

const MEMBERS = 'front/frontMembers';

afterEach(() => {
  vi.restoreAllMocks();
});

// What is encrypted differs from run to run; a host of another algorithm gets the password as it is.
const NO_KEY = { 'GET front/files/getAesKey': { id: 'k', algorithm: 'other', key: '' } };
const PROFILE = {
  userName: 'lin.wei',
  name: 'Lin Wei',
  mobile: '138****1234',
  email: 'lin@tides.test',
  region: '',
  major: '',
  institution: '',
  researchField: 'Coasts',
  gender: '',
  photo: '',
  photoUrl: '',
  hasPassword: true,
};

describe('the profile', () => {
  const answers: Answers = {
    [`GET ${MEMBERS}/info`]: PROFILE,
    [`PUT ${MEMBERS}/saveInfo`]: true,
    'POST front/files/fileUpload': { id: 'p1', url: '/rc-pub/front/files/picture?id=p1' },
  };

  it('needs name, e-mail and research field in the right form, and says so with the words of the specification', async () => {
    const { main, made } = await showTab('infomation', answers);
    for (const label of ['Name', 'E-mail', 'Research field']) await userEvent.clear(await screen.findByLabelText(label));
    await submit('Save');
    for (const text of ['Please enter your name', 'Please enter the e-mail address', 'Please enter your research field'])
      expect(await screen.findByText(text)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('Name')));
    await userEvent.type(field('Name'), '<b>');
    await userEvent.type(field('E-mail'), 'lin@tides');
    await submit('Save');
    expect(await screen.findByText('The format of the name is incorrect')).toBeTruthy();
    expect(await screen.findByText('E-mail format is incorrect')).toBeTruthy();
    expect(changes(made)).toEqual([]);
    expect(await violations(main)).toEqual([]);
  });

  it('is saved with the photo, whose kind and size are checked before it is sent', async () => {
    const { made, messages } = await showTab('infomation', answers);
    await screen.findByLabelText('Photo');
    const choose = (picture: File) => userEvent.upload(field('Photo'), picture, { applyAccept: false });
    await choose(new File(['x'], 'a.webp', { type: 'image/webp' }));
    expect(await screen.findByText('The photo must be a JPG, PNG or BMP file under 5M')).toBeTruthy();
    await choose(new File([new Uint8Array(5 << 20)], 'a.jpg', { type: 'image/jpeg' }));
    expect(await screen.findByText('The photo must be a JPG, PNG or BMP file under 5M')).toBeTruthy();
    await choose(new File([], 'a.jpg', { type: 'image/jpeg' }));
    expect(await screen.findByText('Please upload information pictures')).toBeTruthy();
    await choose(new File(['x'], 'a.bmp', { type: 'image/bmp' }));
    await screen.findByAltText('Current picture');
    await click('Female', 'radio');
    await submit('Save');
    await waitFor(() => expect(messages).toEqual(['Submitted successfully']));
    expect(changes(made).at(-1)?.body).toEqual({
      name: 'Lin Wei',
      email: 'lin@tides.test',
      region: '',
      major: '',
      institution: '',
      researchField: 'Coasts',
      gender: 'female',
      code: '',
      photo: 'p1',
    });
  });

  it('takes another e-mail address only with the code that was sent to it', async () => {
    const { made } = await showTab('infomation', { ...answers, ...NO_KEY });
    expect(screen.queryByLabelText('Verification code')).toBeNull();
    await userEvent.type(await screen.findByLabelText('E-mail'), '.cn');
    await submit('Save');
    for (const text of ['Please enter the verification code.', 'Please enter the password']) expect(await screen.findByText(text)).toBeTruthy();
    expect(changes(made)).toEqual([]);
    await userEvent.type(field('Verification code'), '123456');
    await userEvent.type(field('Password'), 'Tidal7Basin');
    await submit('Save');
    await waitFor(() => expect(changes(made)[0]?.body).toMatchObject({ email: 'lin@tides.test.cn', code: '123456', password: 'Tidal7Basin' }));
  });

  it('says whether a mobile number is linked, and leads to where that is changed', async () => {
    await showTab('infomation', { ...answers, [`GET ${MEMBERS}/info`]: { ...PROFILE, mobile: '' } });
    expect(await screen.findByText('Not linked')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Link' }).getAttribute('href')).toBe('/en/personal?tab=account');
  });
});

describe('subscriptions', () => {
  const COLUMNS = [
    {
      key: 'notes',
      name: 'Notes',
      column: 'Notes',
      articleCount: 2,
      children: [{ key: 'k2', name: 'Short notes', column: 'Short notes', articleCount: 1, children: [] }],
    },
  ];
  const answers: Answers = {
    [`GET ${MEMBERS}/subscribeList`]: [
      { id: 3, email: 'a@b.test', type: 'keywords', keywords: 'tide;eel', columnId: '', column: '', since: '2026-03-01T08:00:00+08:00' },
    ],
    [`POST ${MEMBERS}/subscribe`]: { id: 4 },
    [`DELETE ${MEMBERS}/unSubscribe`]: true,
    'GET front/front-article/getColumnTree': COLUMNS,
  };
  const open = async () => {
    const shown = await showTab('subscribe', answers);
    await userEvent.click(screen.getAllByRole('button', { name: 'Subscribe' })[0] as HTMLElement);
    return { ...shown, dialog: await screen.findByRole('dialog') };
  };

  it('are listed, and end after a confirmation', async () => {
    const { main, made, messages } = await showTab('subscribe', answers);
    expect(await screen.findByText('Keywords: tide;eel')).toBeTruthy();
    expect(await violations(main)).toEqual([]);
    await click('Unsubscribe: Keywords: tide;eel');
    await confirm('Unsubscribe');
    await waitFor(() => expect(messages).toEqual(['Unsubscription successfully']));
    expect(changes(made)[0]?.query).toEqual({ id: 3 });
  });

  it('need an e-mail address, a code, and keywords where they are by keyword', async () => {
    const { dialog, made, messages } = await open();
    await click('Keywords', 'radio');
    await submit('Subscribe');
    for (const text of ['Please enter the e-mail address', 'Please enter the verification code.', /^Please enter at least one keyword/])
      expect(await within(dialog).findByText(text)).toBeTruthy();
    await userEvent.type(field('E-mail'), 'lin');
    await submit('Subscribe');
    expect(await within(dialog).findByText('E-mail format is incorrect')).toBeTruthy();
    expect(await violations(dialog)).toEqual([]);
    await userEvent.type(field('E-mail'), '@tides.test');
    await userEvent.type(field('Verification code'), '123456');
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Keywords' }), ' sea  level；eel;; eel ');
    await submit('Subscribe');
    await waitFor(() => expect(messages).toEqual(['Subscription successfully']));
    expect(changes(made)[0]?.body).toEqual({ email: 'lin@tides.test', code: '123456', type: 'keywords', keywords: 'sea level;eel' });
  });

  it('to a column name it', async () => {
    const { dialog, made } = await open();
    await click('Column', 'radio');
    const select = await within(dialog).findByRole('combobox', { name: 'Column' });
    await userEvent.type(field('E-mail'), 'lin@tides.test');
    await userEvent.type(field('Verification code'), '123456');
    await submit('Subscribe');
    expect(await within(dialog).findByText('Please choose a column')).toBeTruthy();
    await userEvent.selectOptions(select, 'Short notes');
    await submit('Subscribe');
    await waitFor(() => expect(changes(made)[0]?.body).toMatchObject({ type: 'column', columnId: 'k2' }));
  });
});

describe('saved searches', () => {
  const tides = { id: 5, name: 'Tides', address: '/en/search?q=tide', alert: false };
  const answers: Answers = {
    [`GET ${MEMBERS}/searches`]: [tides],
    [`PUT ${MEMBERS}/searches`]: true,
    [`DELETE ${MEMBERS}/searches`]: true,
  };

  it('lead to their results, are renamed, deleted, and get alerts', async () => {
    const { main, made, messages } = await showTab('search', answers);
    expect((await screen.findByRole('link', { name: 'Tides' })).getAttribute('href')).toBe('/en/search?q=tide');
    expect(await violations(main)).toEqual([]);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Send new results by e-mail' }));
    await waitFor(() => expect(messages).toEqual(['New results will be sent by e-mail']));
    await click('Edit: Tides');
    await screen.findByRole('dialog');
    await userEvent.clear(field('Name of the search'));
    await submit('Save');
    expect(await screen.findByText('Please enter a name for the search')).toBeTruthy();
    await userEvent.type(field('Name of the search'), 'Ebb');
    await submit('Save');
    await waitFor(() => expect(messages.at(-1)).toBe('The search was saved'));
    await click('Delete: Tides');
    await confirm('Delete');
    await waitFor(() => expect(messages.at(-1)).toBe('Deleted successfully!'));
    // The button has gone with the search.
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
    expect(changes(made)).toEqual([
      { call: `PUT ${MEMBERS}/searches`, query: {}, body: { ...tides, alert: true } },
      { call: `PUT ${MEMBERS}/searches`, query: {}, body: { ...tides, name: 'Ebb' } },
      { call: `DELETE ${MEMBERS}/searches`, query: { id: 5 }, body: undefined },
    ]);
  });
});

describe('the data of a member', () => {
  const envelope = (status: number, message: string) =>
    new Response(JSON.stringify({ status, data: status ? null : true, message }), { status: status || 200 });

  it('are exported as a file, and erased with the password only, which is in no address', async () => {
    const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(envelope(400, 'The password is wrong')).mockResolvedValueOnce(envelope(0, ''));
    const { main, messages } = await showTab('data', { [`GET ${MEMBERS}/info`]: PROFILE, ...NO_KEY });
    const link = await screen.findByRole('link', { name: 'Export my data' });
    expect([link.getAttribute('href'), link.hasAttribute('download')]).toEqual([`/rc-pub/${MEMBERS}/export`, true]);
    expect(await violations(main)).toEqual([]);
    await click('Erase the account');
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByLabelText('Password');
    await submit('Erase the account');
    expect(await within(dialog).findByText('Please enter the password')).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
    await userEvent.type(field('Password'), 'Wrong1234');
    await submit('Erase the account');
    expect(await within(dialog).findByText('The password is wrong')).toBeTruthy();
    expect([assign.mock.calls, messages]).toEqual([[], []]);
    for (const name of ['userName', 'commonToken']) document.cookie = `${name}=l****n; path=/`;
    sessionStorage.setItem('masthead.comments', '{"448 1":{"by":"l****n","text":"Tides"}}');
    await submit('Erase the account');
    await waitFor(() => expect(messages).toEqual(['Your account and everything in it have been deleted']));
    expect(document.cookie).not.toMatch(/userName|commonToken/);
    expect(sessionStorage.getItem('masthead.comments'), 'what was typed').toBeNull();
    const [address, options] = fetched.mock.calls[1] ?? [];
    expect([address, options?.method, options?.body]).toEqual([`/rc-pub/${MEMBERS}/account`, 'DELETE', '{"password":"Wrong1234"}']);
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/en/home/'));
  });

  it('lead to the sign-in when the session is over, after its message, and back', async () => {
    const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(envelope(401, 'Please sign in again'));
    const { messages } = await showTab('data', { [`GET ${MEMBERS}/info`]: PROFILE, ...NO_KEY });
    document.cookie = 'userName=l****n; path=/';
    await click('Erase the account');
    await userEvent.type(await screen.findByLabelText('Password'), 'Tidal7Basin');
    await submit('Erase the account');
    await waitFor(() => expect(messages).toEqual(['Please sign in again']));
    expect([assign.mock.calls, /userName/.test(document.cookie)]).toEqual([[], false]);
    await waitFor(() => expect(assign.mock.calls[0]?.[0]).toContain(encodeURIComponent('/en/personal?tab=data')));
  });

  it('without a password are erased with a code', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(envelope(0, ''));
    vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    await showTab('data', { [`GET ${MEMBERS}/info`]: { ...PROFILE, hasPassword: false } });
    await userEvent.click(await screen.findByRole('button', { name: 'Erase the account' }));
    await userEvent.type(await screen.findByLabelText('Verification code'), '12345');
    await submit('Erase the account');
    expect(await screen.findByText('Please enter the verification code.')).toBeTruthy();
    await userEvent.type(field('Verification code'), '6');
    await submit('Erase the account');
    await waitFor(() => expect(fetched.mock.calls[0]?.[1]?.body).toBe('{"code":"123456"}'));
  });
});
